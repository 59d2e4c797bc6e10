"""Folders of documents whose names carry document and revision: one row for each file, with its text.

Belongs here: what a file's name, folder and first lines say. `DWG-1043_B.txt`, `spec_rev2.pdf`, `policy/
2024-05-01.md`, `policy/rev003_2022-01-25.md`. Tables in such a folder are revision logs of their own. Does
not belong here: joining files and logs (`archive.revisions`), reading office files
(`archive.attachment_text`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import polars as pl

from archive.attachment_text import MAX_ATTACHMENT, attachment_text
from archive.batches import TableBatch
from archive.identifiers import content_digest
from archive.mailbox import relative_path
from archive.rejects import Reject
from archive.tables_csv import read_csv_batches
from archive.tables_json import read_jsonl
from contracts.manifest import ColumnSpec, DocumentRole, DocumentSpec, Source, TableSpec
from contracts.tables import ColumnKind

TABLE = "documents"
COLUMNS = (
    "document",
    "revision",
    "title",
    "status",
    "date",
    "owner",
    "authors",
    "checked_by",
    "checked_on",
    "approved_by",
    "decided_on",
    "verdict",
    "comment",
    "filename",
    "fault",
    "text",
)
_UNUSABLE = frozenset(
    ("too_large", "bomb", "unreadable", "unsafe_path", "unsafe_xml", "too_deep", "too_many_members")
)
_REVISION = r"(?:[A-Z]{1,2}|[A-Za-z]|\d{1,6}(?:\.\d{1,6}){0,3}|[PC]\d{1,3})"
_REV_FIRST = re.compile(rf"rev(?:ision)?[ _.-]?(?P<rev>{_REVISION})(?=$|[ _.-])", re.IGNORECASE)
_DAY = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")
_DAY_ALONE = re.compile(r"\d{4}-\d\d-\d\d|\d{8}")
_REV_LAST = re.compile(
    rf"^(?P<doc>.+?)[ _.-]*\(?\b(?:rev(?:ision)?|version|ver|issue|v)[ _.-]?(?P<rev>{_REVISION})\)?$",
    re.IGNORECASE,
)
_REV_JOINED = re.compile(
    rf"^(?P<doc>.+?)[_ -](?:rev(?:ision)?|version|ver|issue|v)[ _.-]?(?P<rev>{_REVISION})$", re.IGNORECASE
)
_REV_BARE = re.compile(r"^(?P<doc>.*\d.*)[_ ](?P<rev>[A-Z]{1,2}|[PC]\d{1,3}|\d{1,2})$")
_HEAD = re.compile(
    r"^[ \t]*[*_]{0,2}([A-Za-z][A-Za-z /.-]{0,30}?)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(\S.{0,300})?$"
)
_HEAD_LINES = 40
_HEADS: dict[str, str] = {
    "title": "title",
    "document": "document",
    "document no": "document",
    "document number": "document",
    "drawing": "document",
    "drawing no": "document",
    "drawing number": "document",
    "revision": "revision",
    "rev": "revision",
    "version": "revision",
    "status": "status",
    "date": "date",
    "issued": "date",
    "issue date": "date",
    "revision date": "date",
    "effective date": "date",
    "last updated": "date",
    "owner": "owner",
    "author": "authors",
    "authors": "authors",
    "prepared by": "authors",
    "drawn by": "authors",
    "issued by": "authors",
    "checked by": "checked_by",
    "reviewed by": "checked_by",
    "reviewers": "checked_by",
    "approved by": "approved_by",
    "approver": "approved_by",
    "approvers": "approved_by",
    "drawn": "authors",
    "checked": "checked_by",
    "approved": "approved_by",
    "verdict": "verdict",
    "decision": "verdict",
    "comment": "comment",
    "comments": "comment",
    "remark": "comment",
    "remarks": "comment",
}
_TITLE = re.compile(r"^#{1,2}[ \t]+(\S.{0,200})$", re.MULTILINE)
_K = ColumnKind
_KINDS: dict[str, ColumnKind] = {
    "document": _K.ID,
    "revision": _K.CODE,
    "date": _K.DATETIME,
    "checked_on": _K.DATETIME,
    "decided_on": _K.DATETIME,
    "owner": _K.PERSON,
    "authors": _K.PERSON,
    "checked_by": _K.PERSON,
    "approved_by": _K.PERSON,
    "status": _K.CATEGORY,
    "verdict": _K.CATEGORY,
    "fault": _K.CATEGORY,
    "filename": _K.FILENAME,
}
_TYPES = {"drawing": "drawing", "dwg": "drawing", "plan": "plan", "polic": "policy"}
"""Words of a source's name or path, and the type of documents that they speak of."""
_SIGNED = {"authors": "date", "checked_by": "checked_on", "approved_by": "decided_on"}
"""Columns of people and where the day goes that a signature names: "Checked: Ann Lee, 13.05.2024"."""
_WRITTEN_DAY = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2} [A-Za-z]{3,9} \d{4}")


def documents_spec(kind: str = "document") -> TableSpec:
    """Returns the spec of the table that a folder of documents becomes.

    Args:
        kind: type of its documents: drawing, plan, policy, document.
    """
    return TableSpec(
        name=TABLE,
        columns={name: ColumnSpec(kind=_KINDS.get(name, _K.TEXT)) for name in COLUMNS},
        documents=DocumentSpec(
            role=DocumentRole.REVISION,
            type=kind,
            document="document",
            revision="revision",
            title="title",
            status="status",
            at="date",
            owner="owner",
            authors=["authors"],
            checkers=["checked_by"],
            approvers=["approved_by"],
            verdict="verdict",
            checked_at="checked_on",
            approved_at="decided_on",
            comment="comment",
            text="text",
            compared=["title", "status"],
        ),
    )


def implied_documents(source: Source, table: str) -> TableSpec | None:
    """Returns the spec of the table of a folder of documents; None for any other table."""
    if source.format != "documents" or table != TABLE:
        return None
    kinds = {"drawing": "drawing", "dwg": "drawing", "plan": "plan", "polic": "policy"}
    kind = next(
        (kind for word, kind in kinds.items() if word in f"{source.name} {source.path}".lower()), "document"
    )
    return documents_spec(kind)


def stated_documents(source: Source, table: str, stated: TableSpec | None) -> DocumentSpec | None:
    """Returns how a table tells of documents: as the manifest states, for folders of files as they are read.

    The columns of a folder's table are known, so that a manifest need not name them: what it leaves open of
    that table is filled in, its type by the words of the source's name and path.
    """
    spec = stated.documents if stated is not None else None
    if source.format != "documents" or table != TABLE:
        return spec
    words = f"{source.name} {source.path}".lower()
    known = documents_spec(
        next((kind for word, kind in _TYPES.items() if word in words), "document")
    ).documents
    if spec is None or known is None:
        return known
    told = {name: getattr(spec, name) for name in DocumentSpec.model_fields}
    return known.model_copy(
        update={name: value for name, value in told.items() if value not in (None, [], "document")}
    )


class DocumentName(NamedTuple):
    """What a file's place says of it."""

    document: str
    revision: str | None
    day: str | None


def read_documents(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields a file of a folder as one row of the table "documents"; tables and JSON lines as their rows."""
    suffix = path.name.lower().removesuffix(".gz").rpartition(".")[2]
    if suffix in ("csv", "tsv"):
        yield from read_csv_batches(path, base)
        return
    if suffix in ("jsonl", "ndjson"):
        yield from read_jsonl(path, base)
        return
    relative = relative_path(path, base)
    size = path.stat().st_size
    with path.open("rb") as file:
        data = file.read(MAX_ATTACHMENT + 1)
    fault = "too_large" if size > MAX_ATTACHMENT else ""
    text = ""
    if not fault:
        text, fault, *_ = attachment_text(path.name, "", data)
    if fault in _UNUSABLE or not data:
        reject = Reject(relative, "file", content_digest(data), fault or "empty", size)
        empty = pl.DataFrame(schema=dict.fromkeys(COLUMNS, pl.String()))
        yield TableBatch(TABLE, empty, pl.Series([], dtype=pl.Int64), "file {}", (reject,))
        return
    row = _row(relative, text.replace("\r\n", "\n"), fault)
    frame = pl.DataFrame([row], schema=dict.fromkeys(COLUMNS, pl.String()))
    yield TableBatch(TABLE, frame, pl.Series([1], dtype=pl.Int64), "file {}")


def _row(relative: str, text: str, fault: str) -> dict[str, str | None]:
    name = named_document(relative)
    row: dict[str, str | None] = dict.fromkeys(COLUMNS)
    row |= {"document": name.document, "revision": name.revision, "date": name.day}
    row |= {"filename": PurePosixPath(relative).name, "fault": fault or None, "text": text.strip() or None}
    for column, value in front_matter(text).items():
        if row[column] is None or column == "document":
            row[column] = value
    _take_signatures(row)
    if row["title"] is None and (title := _TITLE.search(text[:5_000])) is not None:
        row["title"] = title[1].strip()
    return row


def _take_signatures(row: dict[str, str | None]) -> None:
    """Moves the day of a signature, and the signature of a decision, to their own columns."""
    parts = [part.strip() for part in (row["verdict"] or "").split(",")]
    if any(_WRITTEN_DAY.fullmatch(part) for part in parts[1:]):
        row["verdict"], *signature = parts
        row["approved_by"] = row["approved_by"] or ", ".join(signature)
    for column, day in _SIGNED.items():
        parts = [part.strip() for part in (row[column] or "").split(",")]
        days = [part for part in parts if _WRITTEN_DAY.fullmatch(part)]
        if len(days) == 1:
            row[column] = ", ".join(part for part in parts if part not in days) or None
            row[day] = row[day] or days[0]


def named_document(relative: str) -> DocumentName:
    """Returns the document, revision and day that a path names.

    A file that is called only by revision or day, or that lies in a folder "Rev B", belongs to the document
    that the folder around it names.
    """
    place = PurePosixPath(relative)
    stem = place.name.rpartition(".")[0] or place.name
    parents = [part for part in place.parent.parts if part not in (".", "/")]
    folder = parents[-1] if parents else stem
    day = _day(stem)
    first = _REV_FIRST.match(stem)
    if first is not None:
        return DocumentName(folder, first["rev"], day)
    if _DAY_ALONE.fullmatch(stem):
        return DocumentName(folder, day or stem, day)
    for pattern in (_REV_LAST, _REV_JOINED, _REV_BARE):
        match = pattern.match(stem)
        if match is not None:
            return DocumentName(match["doc"].strip(" _.-"), match["rev"], day)
    held = _REV_FIRST.fullmatch(folder)
    if held is not None:
        return DocumentName(stem, held["rev"], day)
    return DocumentName(relative if len(parents) else place.name, None, day)


def front_matter(text: str) -> dict[str, str]:
    """Returns what the first lines of a document say about it: "Key: value", "**Key:** value", YAML lists."""
    found: dict[str, str] = {}
    column = ""
    for line in text[:20_000].split("\n")[:_HEAD_LINES]:
        item = re.match(r"^\s*-\s+(\S.{0,100})$", line)
        if item is not None and column in ("authors", "checked_by", "approved_by"):
            found[column] = f"{found[column]}; {item[1].strip()}" if found.get(column) else item[1].strip()
            continue
        match = _HEAD.match(line)
        column = _HEADS.get(match[1].strip().lower(), "") if match else ""
        if match is not None and column and column not in found and match[2]:
            found[column] = match[2].strip().strip("\"'*").strip()
    return {name: value for name, value in found.items() if value}


def _day(stem: str) -> str | None:
    for match in _DAY.finditer(stem):
        year, month, day = (int(part) for part in match.groups())
        if 1900 < year < 2100 and 1 <= month <= 12 and 1 <= day <= 31:
            return f"{year:04}-{month:02}-{day:02}"
    return None
