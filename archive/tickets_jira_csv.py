"""Ticket exports in Jira's CSV form: tickets, comments and events, repeated columns included.

A column that the canonical table lacks is kept as a ticket event without time: its state at export.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from archive.identifiers import row_digest
from archive.mailbox import relative_path
from archive.rejects import Reject
from archive.tables_csv import CsvRow, file_reject
from archive.tickets_companions import csv_content
from archive.tickets_rows import Place, Ticket, TicketDraft
from archive.times import ticket_time

_SINGLE = {
    "issue key": "ticket_key",
    "project key": "project",
    "issue type": "type",
    "status": "status",
    "priority": "priority",
    "resolution": "resolution",
    "reporter": "reporter",
    "assignee": "assignee",
    "creator": "creator",
    "summary": "summary",
    "description": "description",
}
_TIMES = {"created": "created_at", "updated": "updated_at", "resolved": "resolved_at", "due date": "due_at"}
_STAMPED = re.compile(r"^\s*([^;\n]{6,40});([^;\n]*);", re.DOTALL)
_ISSUE_KEY = re.compile(r"([A-Z][A-Z0-9_]*)-\d+")


def read_jira_csv(
    source: str, files: Sequence[Path], base: Path, zone: ZoneInfo
) -> Iterator[Ticket | Reject]:
    """Yields the tickets of an export in order; a row without issue key or of another width as a reject.

    A file without the column "Issue key" is one reject.
    """
    for path in files:
        content = csv_content(path, base)
        if isinstance(content, Reject):
            yield content
            continue
        header = tuple(name.lower() for name in content.header)
        if "issue key" not in header:
            yield file_reject(path, relative_path(path, base), "no_issue_key")
            continue
        for row in content.rows:
            yield _read(
                Place(source, relative_path(path, base), f"row {row.number}", ""),
                zone,
                header,
                row,
                content.header,
            )


def _read(
    place: Place, zone: ZoneInfo, header: tuple[str, ...], row: CsvRow, written: tuple[str, ...]
) -> Ticket | Reject:
    place = place._replace(digest=row_digest([list(row.cells)]))
    key = "" if row.fault else row.cells[header.index("issue key")].strip()
    if not key:
        size = sum(len(cell.encode()) for cell in row.cells)
        return Reject(place.path, place.locator, place.digest, row.fault or "no_key", size)
    draft = TicketDraft(place, zone, key)
    keys = 0
    for name, column, cell in zip(header, written, row.cells, strict=True):
        if name == "issue key" and not keys:
            keys = 1
        elif cell.strip():
            _cell(draft, name, column, cell)
    if draft.value("project") is None:
        match = _ISSUE_KEY.fullmatch(key)
        draft.put("project", match[1] if match else None)
    return draft.ticket()


def _cell(draft: TicketDraft, name: str, column: str, cell: str) -> None:
    if name in _SINGLE:
        draft.put(_SINGLE[name], cell, column)
    elif name in _TIMES:
        draft.time(_TIMES[name], cell, column)
    elif name == "labels":
        draft.label(cell)
    elif name == "comment":
        at, author, body = _stamped(cell, draft.zone)
        draft.comment(at, author, body)
    elif name == "attachment":
        at, author, rest = _stamped(cell, draft.zone)
        draft.event(at, author, "Attachment", None, rest.split(";")[0])
    else:
        draft.state(column, cell)


def _stamped(cell: str, zone: ZoneInfo) -> tuple[str | None, str | None, str]:
    match = _STAMPED.match(cell)
    at = ticket_time(match[1], zone) if match else None
    if match is None or at is None:
        return None, None, cell
    return at, match[2].strip() or None, cell[match.end() :]
