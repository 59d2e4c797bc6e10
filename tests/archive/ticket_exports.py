"""What tests of ticket exports share: an export in files, read, and its tickets in short."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from zoneinfo import ZoneInfo

from archive.rejects import Reject
from archive.tickets import Ticket, read_tickets
from contracts.manifest import Source, SourceKind

Event = tuple[str | None, str | None, str, str | None, str | None]


def read(folder: Path, form: str, files: Mapping[str, object]) -> list[Ticket | Reject]:
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    source = Source(name="tickets", kind=SourceKind.TICKETS, format=form, path=".")
    return list(read_tickets(source, folder, ZoneInfo("America/New_York")))


def one(items: list[Ticket | Reject]) -> Ticket:
    (ticket,) = items
    assert isinstance(ticket, Ticket)
    return ticket


def events(ticket: Ticket) -> set[Event]:
    return {(e["at"], e["author"], e["field"], e["old_value"], e["new_value"]) for e in ticket.events}  # type: ignore[misc]


def columns(ticket: Ticket, *names: str) -> list[object]:
    return [ticket.row[name] for name in names]


def bodies(ticket: Ticket) -> list[tuple[object, object, object]]:
    return [(c["at"], c["author"], c["body"]) for c in ticket.comments]
