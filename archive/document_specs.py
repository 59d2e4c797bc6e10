"""How a table that nobody has described tells of documents, guessed from its name and columns.

Belongs here: the proposal that a drafted manifest holds. Does not belong here: reading such tables
(`archive.revisions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from archive.revision_labels import json_value
from archive.store import RECORD_HEAD
from contracts.manifest import DocumentRole, DocumentSpec

_SEEN_ROWS = 200
_DOCUMENT = (
    "case",
    "document",
    "document_no",
    "document_number",
    "document_id",
    "doc_no",
    "doc_number",
    "doc",
)
_DRAWING = (
    "drawing",
    "drawing_no",
    "drawing_number",
    "dwg",
    "dwg_no",
    "plan",
    "plan_no",
    "policy",
    "policy_id",
)
_ORDER = ("change_order", "co", "co_no", "co_number", "change_no", "change_number", "change_order_no")
_ORDERS = (
    "change_order_number",
    "eco",
    "eco_no",
    "eco_number",
    "ecn",
    "ecn_no",
    "ecr",
    "dcn",
    "variation_no",
)
_PATHS = ("path", "file", "filename")
_REVISION = (
    "rev",
    "revision",
    "rev_no",
    "revision_no",
    "revision_label",
    "version",
    "issue",
    "current_revision",
    "current_rev",
)
_CHANGE = ("pr", "pull_request", *_ORDER, *_ORDERS)
_TITLE = ("title", "document_title", "drawing_title", "description", "name")
_STATUS = ("status", "state", "document_status", "rev_status", "revision_status")
_DATES = (
    "date",
    "rev_date",
    "revision_date",
    "issued",
    "issued_at",
    "issued_on",
    "issue_date",
    "date_issued",
)
_MORE_DATES = ("decided_at", "decided_on", "updated", "updated_at", "last", "requested_at", "requested_on")
_CREATED = ("created", "created_at", "created_on", "creation_date", "first")
_TEXT = ("text", "body", "content")
_REASON = ("comment", "comments", "remarks", "reason", "note", "notes")
_OWNER = ("owner", "responsible", "document_owner")
_ISSUER = ("submitter", "issued_by", "uploaded_by", "submitted_by")
_AUTHORS = (
    "authors",
    "author",
    "drawn_by",
    "prepared_by",
    "designed_by",
    "designer",
    "originator",
    "requested_by",
)
_CHECKERS = ("reviewers", "reviewer", "checked_by", "checker", "reviewed_by")
_APPROVERS = ("approvers", "approver", "approved_by", "decided_by")
_VERDICT = ("verdict", "decision", "result", "outcome")
_STAGE = ("stage", "phase", "gate")
_AFFECTS = ("affects", "affected_documents", "affected_drawings", "affected_document", "affected_drawing")
_NUMBER = re.compile(r"_(?:number|no|nr)$|^number$")
_OTHERS = re.compile(
    r"customer|client|vendor|supplier|order|invoice|phone|site|sheet|serial|account|contract"
)
_CHANGE_TABLE = re.compile(r"change.?(?:order|request|notice)|\b(?:ecos?|ecns?|ecrs?|dcns?|variations?)\b")
_KINDS = (("drawing", ("drawing", "dwg")), ("policy", ("polic",)), ("plan", ("plan", "kep")))


def guess_documents(table: str, frame: pl.DataFrame) -> DocumentSpec | None:
    """Returns how a table tells of documents, or None where nothing in its columns says that it does.

    Args:
        table: its name.
        frame: its rows, or the first of them, as strings.
    """
    members = _members(frame)
    names: dict[str, str] = {}
    for column in [*frame.columns, *members]:
        names.setdefault(_plain(column), column)
    pick = _Picker(names)
    revision, approver = pick(_REVISION), pick(_APPROVERS)
    orders = _CHANGE_TABLE.search(table.lower().replace("_", " ")) is not None
    title, status, at = pick(_TITLE), pick(_STATUS), pick((*_DATES, *_MORE_DATES))
    stage, verdict = pick(_STAGE), pick(_VERDICT)
    order, document = pick((*_ORDER, *_ORDERS)), pick((*_DOCUMENT, *_DRAWING))
    numbered = (name for name in names if _NUMBER.search(name) and names[name] != document)
    other = pick(name for name in numbered if not _OTHERS.search(name))
    if orders and (order or other or document):
        role, document = DocumentRole.CHANGE_ORDER, order or other or document
    elif revision and (document or pick(_PATHS)) and at:
        role, document = DocumentRole.REVISION, document or pick(_PATHS)
    elif approver and (stage or verdict) and not title and (document or other):
        role, document = DocumentRole.APPROVAL, document or other
    elif document and title and status and (revision or approver or pick(_AUTHORS)):
        role = DocumentRole.REGISTER
    else:
        return None
    assert document is not None
    return _spec(
        role, table, document, pick, _Found(members, other, title, status, at, stage, verdict, revision)
    )


class _Picker:
    """Picks the first of some names that a table has."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def __call__(self, wanted: Iterable[str]) -> str | None:
        return next((self.names[name] for name in wanted if name in self.names), None)

    def all(self, wanted: Sequence[str], ending: str = "") -> list[str]:
        chosen = [self.names[name] for name in wanted if name in self.names]
        return chosen + [held for name, held in self.names.items() if ending and name.endswith(ending)]


class _Found:
    """What was picked while the role was decided."""

    def __init__(self, members: Sequence[str], number: str | None, *rest: str | None) -> None:
        self.members = members
        self.number = number
        self.title, self.status, self.at, self.stage, self.verdict, self.revision = rest


def _spec(role: DocumentRole, table: str, document: str, pick: _Picker, found: _Found) -> DocumentSpec:
    states = role in (DocumentRole.REVISION, DocumentRole.REGISTER)
    decided = "approved_by" in pick.names and found.verdict is None and role is not DocumentRole.REGISTER
    change = pick(_CHANGE)
    objects = list(dict.fromkeys(member.partition(".")[0] for member in found.members))
    return DocumentSpec(
        role=role,
        type="change_order" if role is DocumentRole.CHANGE_ORDER else _kind(table, document, pick.names),
        document=document,
        number=found.number if states and found.number != document else None,
        revision=found.revision if role is not DocumentRole.CHANGE_ORDER else None,
        change_number=change if change != document and role is not DocumentRole.REGISTER else None,
        title=found.title,
        status=found.status,
        at=found.at,
        created_at=pick(_CREATED),
        text=pick(_TEXT) if states else None,
        comment=pick(_REASON if states else (*_REASON, *_TEXT)),
        owner=pick(_OWNER),
        issuer=pick(_ISSUER) if role is not DocumentRole.APPROVAL else None,
        authors=pick.all(_AUTHORS),
        checkers=pick.all(_CHECKERS),
        approvers=pick.all(_APPROVERS, "_approvers"),
        verdict=found.status if decided else found.verdict,
        checked_at=pick(("checked_at", "checked_on", "date_checked")),
        approved_at=pick(
            ("approved_at", "approved_on", "date_approved", "approval_date", "decided_on", "decided_at")
        ),
        stage=found.stage if role is DocumentRole.APPROVAL else None,
        fault=next((held for name, held in pick.names.items() if name.endswith("_error")), None),
        affects=pick.all((*_AFFECTS, *_DRAWING)) if role is DocumentRole.CHANGE_ORDER else [],
        compared=[f"{column}.*" for column in objects] if role is DocumentRole.REVISION else [],
    )


def _kind(table: str, document: str, names: Mapping[str, str]) -> str:
    words = " ".join((table, document, *names)).lower()
    return next((kind for kind, marks in _KINDS if any(mark in words for mark in marks)), "document")


def _plain(column: str) -> str:
    name = column.partition(".")[2] or column
    name = name[:-1] if name.endswith("_") and name[:-1] in RECORD_HEAD else name
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).replace("#", " no ")
    return re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")


def _members(frame: pl.DataFrame) -> list[str]:
    """Returns "column.member" for the columns that hold JSON objects, lists of changes left out."""
    found: dict[str, None] = {}
    for column in frame.columns:
        cells = frame[column].head(_SEEN_ROWS).drop_nulls().to_list()
        if not cells or not all(cell.lstrip().startswith("{") for cell in cells):
            continue
        values = [value for cell in cells if isinstance(value := json_value(cell), dict)]
        keys = [key for value in values for key in value]
        pairs = [item for value in values for item in value.values()]
        if pairs and all(isinstance(item, list) and len(item) == 2 for item in pairs):
            continue
        found.update(dict.fromkeys(f"{column}.{key}" for key in keys))
    return list(found)
