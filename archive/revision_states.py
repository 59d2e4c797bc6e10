"""One document and its revisions, gathered from the rows of all tables that tell of it.

Belongs here: order of revisions, which revision a decision means, the rows of documents and revisions. Does
not belong here: which rows are of one document and what was done to it (`archive.revisions`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from archive.document_rows import DocumentRow
from archive.identifiers import derived_id
from archive.revision_labels import label_order, plain_label, verdict_of

Row = dict[str, object]


@dataclass
class State:
    """A revision, from one row or from several of different tables."""

    label: str
    rows: list[tuple[int, DocumentRow]]
    """(number of the table, row)."""
    number: int
    revision_id: str = ""
    at: str | None = None

    def first(self, name: str) -> str | None:
        """Returns what the first row that says something says in the column of that part of its spec."""
        for _, row in self.rows:
            value = row.cell(getattr(row.table.spec, name))
            if value is not None:
                return value
        return None

    def people(self, name: str) -> list[str]:
        """Returns the people that all rows name in the columns of that part of their specs."""
        found: dict[str, None] = {}
        for _, row in self.rows:
            found.update(dict.fromkeys(row.people(getattr(row.table.spec, name))))
        return list(found)

    @property
    def verdict(self) -> str | None:
        """What was decided, by the column of decisions, else by the state; None where nobody decided."""
        for word in (self.first("verdict"), self.first("status")):
            if (verdict := verdict_of(word)) is not None:
                return verdict
        return None


@dataclass
class Document:
    """A document: its register row and its revisions."""

    key: str
    document_id: str
    register: DocumentRow | None = None
    states: list[State] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    """Number of a table -> the key by which it names the document."""

    def place(self) -> Row:
        """Returns where the document's first row came from."""
        row = self.register or self.states[0].rows[0][1]
        return row.place()


def put_in_order(document: Document) -> None:
    """Sorts a document's revisions by label where labels are of one scheme, then by time; gives them ids."""
    for state in document.states:
        moments = [at for _, row in state.rows if (at := row.moment(row.table.spec.at))]
        state.at = next((at for at in moments if "T00:00:00" not in at), moments[0] if moments else None)
    order = label_order(state.label for state in document.states if state.label)
    if order is not None and all(state.label for state in document.states):
        document.states.sort(key=lambda state: (order[state.label], utc_text(state.at), state.number))
    elif all(state.at for state in document.states):
        document.states.sort(key=lambda state: (utc_text(state.at), state.number))
    seen: Counter[str] = Counter()
    for state in document.states:
        plain = plain_label(state.label)
        seen[plain] += 1
        state.revision_id = derived_id("v", document.document_id, plain, seen[plain])


def revision_meant(document: Document, label: str | None, change: str | None, at: str | None) -> State | None:
    """Returns the revision that a decision is about: by label, by change, else the last one before it."""
    if label is not None:
        return next((s for s in document.states if plain_label(s.label) == plain_label(label)), None)
    for state in document.states if change is not None else ():
        if state.first("change_number") == change:
            return state
    dated = [state for state in document.states if state.at]
    if at is None or not dated:
        return document.states[-1] if document.states else None
    before = [state for state in dated if utc_text(state.at) <= utc_text(at)]
    return before[-1] if before else dated[0]


def utc_text(moment: str | None) -> str:
    """Returns a moment in UTC, so that moments compare as texts; "" for none."""
    try:
        return datetime.fromisoformat(moment).astimezone(UTC).isoformat() if moment else ""
    except (ValueError, OverflowError):
        return ""


def _rows(document: Document) -> Iterator[DocumentRow]:
    if document.register is not None:
        yield document.register
    for state in reversed(document.states):
        yield from (row for _, row in state.rows)


def document_row(document: Document) -> Row:
    """Returns a document's row; in force is the register's revision, else the last approved or last."""

    def latest(name: str) -> str | None:
        cells = (row.cell(getattr(row.table.spec, name)) for row in _rows(document))
        return next((cell for cell in cells if cell is not None), None)

    register = document.register
    approved = [state for state in document.states if state.verdict in ("approved", "approved_with_comments")]
    force = (approved or document.states)[-1].label if document.states else None
    if register is not None and (stated := register.cell(register.table.spec.revision)) is not None:
        force = stated
    moments = [state.at for state in document.states if state.at]
    owners = (row.people([row.table.spec.owner]) for row in _rows(document) if row.table.spec.owner)
    created = (row.moment(row.table.spec.created_at) for row in _rows(document))
    updated = register.moment(register.table.spec.at) if register is not None else None
    return {
        "document_id": document.document_id,
        **document.place(),
        "document_key": document.key,
        "type": next(row.table.spec.type for row in _rows(document)),
        "title": latest("title"),
        "status": latest("status"),
        "revision": force or None,
        "owner": next((found[0] for found in owners if found), None),
        "created_at": next((at for at in created if at), moments[0] if moments else None),
        "updated_at": moments[-1] if moments else updated,
    }


def revision_row(document: Document, state: State, seq: int) -> Row:
    """Returns a revision's row."""
    return {
        "revision_id": state.revision_id,
        **state.rows[0][1].place(),
        "document_id": document.document_id,
        "revision": state.label or None,
        "seq": seq,
        "at": state.at,
        "authors": state.people("authors"),
        "checkers": state.people("checkers"),
        "approvers": state.people("approvers"),
        "verdict": state.verdict,
        "status": state.first("status"),
        "title": state.first("title"),
        "text": state.first("text"),
    }
