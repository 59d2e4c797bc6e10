"""Ticket exports in Jira's CSV form: tickets, comments and events, repeated columns included.

A column that the canonical table lacks is kept as a ticket event without time: its state at export.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from archive.errors import SourceError
from archive.identifiers import derived_id, row_digest, row_id
from archive.mailbox import relative_path
from archive.rejects import Reject
from archive.tables_csv import CsvRow, read_csv
from archive.times import ticket_time
from contracts.manifest import Source

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


@dataclass(frozen=True)
class Ticket:
    """A ticket's rows in the three canonical tables."""

    row: dict[str, object]
    comments: tuple[dict[str, object], ...]
    events: tuple[dict[str, object], ...]


def read_tickets(source: Source, base: Path, zone: ZoneInfo) -> Iterator[Ticket | Reject]:
    """Yields the tickets of an export in order; a row without issue key or of another width as a reject.

    Raises:
        SourceError: there is no such file, or it has no column "Issue key".
    """
    files = sorted(path for path in base.glob(source.path or "") if path.is_file())
    if not files:
        raise SourceError(f"source {source.name!r}: no files at its path: correct `path` in the manifest")
    for number, path in enumerate(files, start=1):
        content = read_csv(path)
        header = tuple(name.lower() for name in content.header)
        if "issue key" not in header:
            raise SourceError(
                f"source {source.name!r}: file {number} of {len(files)} has no column 'Issue key': "
                "is it a Jira CSV export?"
            )
        for row in content.rows:
            reader = _TicketReader(source.name, relative_path(path, base), zone, content.header, row)
            yield reader.read()


class _TicketReader:
    """Turns one CSV record into a ticket."""

    def __init__(self, source: str, path: str, zone: ZoneInfo, header: tuple[str, ...], row: CsvRow) -> None:
        self.header = header
        self.row = row
        self.zone = zone
        self.digest = row_digest([list(row.cells)])
        self.place: dict[str, object] = {
            "source": source,
            "path": path,
            "locator": f"row {row.number}",
            "content_hash": self.digest,
        }
        self.ticket_id = row_id("t", self.digest)
        self.comments: list[dict[str, object]] = []
        self.events: list[dict[str, object]] = []

    def read(self) -> Ticket | Reject:
        if self.row.fault:
            return self._reject(self.row.fault)
        ticket: dict[str, object] = {"ticket_id": self.ticket_id, **self.place, "labels": []}
        ticket.update(dict.fromkeys([*_SINGLE.values(), *_TIMES.values()]))
        labels: list[str] = []
        for column, cell in zip(self.header, self.row.cells, strict=True):
            if cell.strip():
                self._cell(ticket, labels, column, cell)
        key = ticket["ticket_key"]
        if not isinstance(key, str):
            return self._reject("no_key")
        if ticket["project"] is None:
            match = _ISSUE_KEY.fullmatch(key)
            ticket["project"] = match[1] if match else None
        ticket["labels"] = labels
        return Ticket(ticket, tuple(self.comments), tuple(self.events))

    def _cell(self, ticket: dict[str, object], labels: list[str], column: str, cell: str) -> None:
        name = column.lower()
        moment = ticket_time(cell, self.zone) if name in _TIMES else None
        if name in _SINGLE and ticket[_SINGLE[name]] is None:
            text = cell.replace("\r\n", "\n")
            ticket[_SINGLE[name]] = text if name in ("summary", "description") else text.strip()
        elif moment is not None and ticket[_TIMES[name]] is None:
            ticket[_TIMES[name]] = moment
        elif name == "labels":
            labels.append(cell.strip())
        elif name == "comment":
            self._comment(cell)
        elif name == "attachment":
            self._attachment(cell)
        else:
            self._event(None, None, column, cell)

    def _comment(self, cell: str) -> None:
        at, author, body = self._stamped(cell)
        number = len(self.comments) + 1
        self.comments.append(
            {
                "comment_id": derived_id("c", self.digest, number),
                **self.place,
                "ticket_id": self.ticket_id,
                "at": at,
                "author": author,
                "body": body.replace("\r\n", "\n"),
            }
        )

    def _attachment(self, cell: str) -> None:
        at, author, rest = self._stamped(cell)
        self._event(at, author, "Attachment", rest.split(";")[0])

    def _event(self, at: str | None, author: str | None, field: str, value: str) -> None:
        number = len(self.events) + 1
        self.events.append(
            {
                "ticket_event_id": derived_id("k", self.digest, number),
                **self.place,
                "ticket_id": self.ticket_id,
                "at": at,
                "author": author,
                "field": field,
                "old_value": None,
                "new_value": value,
            }
        )

    def _stamped(self, cell: str) -> tuple[str | None, str | None, str]:
        match = _STAMPED.match(cell)
        at = ticket_time(match[1], self.zone) if match else None
        if match is None or at is None:
            return None, None, cell
        return at, match[2].strip() or None, cell[match.end() :]

    def _reject(self, reason: str) -> Reject:
        size = sum(len(cell.encode()) for cell in self.row.cells)
        return Reject(str(self.place["path"]), str(self.place["locator"]), self.digest, reason, size)
