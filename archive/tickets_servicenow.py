"""ServiceNow incidents: tables in JSON or CSV with audits and journals, and logs of many rows an incident.

A log's rows, which tell an incident's state after each change, become one ticket: its last state, and what
changed from row to row as its history, with one event "sys_mod_count" for every row. "?" is no value. The
form of dates is decided from all date columns of a file together.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from archive.identifiers import content_digest
from archive.json_files import JsonObject
from archive.rejects import Reject
from archive.tickets_companions import source_units
from archive.tickets_rows import Place, Ticket, TicketDraft, plain
from archive.times import date_form, parse_written
from contracts.canonical import canonical_bytes

_LISTS = ("result", "records")
_SHARED = 64
"""Characters of values that are held once however often they stand."""
_MISSING = frozenset(("", "?", "NULL", "null"))
_SINGLE = {
    "state": "status",
    "incident_state": "status",
    "priority": "priority",
    "close_code": "resolution",
    "closed_code": "resolution",
    "short_description": "summary",
    "description": "description",
    "sys_class_name": "type",
    "task_type": "type",
}
_TIMES = {
    "opened_at": "created_at",
    "sys_created_on": "created_at",
    "sys_created_at": "created_at",
    "sys_updated_on": "updated_at",
    "sys_updated_at": "updated_at",
    "resolved_at": "resolved_at",
    "closed_at": "resolved_at",
    "due_date": "due_at",
}
_PEOPLE = {
    "caller_id": "Reporter",
    "assigned_to": "Assignee",
    "opened_by": "Creator",
    "sys_created_by": "Creator",
}
_FIRST = ("opened_at", "opened_by", "resolved_at", "incident_state")
"""Fields that are put before others which mean the same column."""
_LINKS = {
    "problem_id": "has problem",
    "rfc": "has change",
    "caused_by": "is caused by",
    "parent_incident": "is child of",
    "parent": "is child of",
}
_UPDATES = frozenset(("sys_mod_count", "sys_updated_by", "sys_updated_at", "sys_updated_on"))
_JOURNAL = re.compile(
    r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d\d[/.-]\d\d[/.-]\d{4} \d\d:\d\d:\d\d)"
    r" - (.{1,80}?) \(([^()\n]{1,40})\)[ \t]*$",
    re.MULTILINE,
)

_Row = dict[str, str]


class _Entry(NamedTuple):
    """A row that is held until its incident is whole: names are shared between rows, values as well."""

    path: str
    locator: str
    digest: str
    size: int
    names: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def row(self) -> _Row:
        return dict(zip(self.names, self.values, strict=True))

    def reject(self, reason: str) -> Reject:
        return Reject(self.path, self.locator, self.digest, reason, self.size)


def read_servicenow(
    source: str, files: Sequence[Path], base: Path, zone: ZoneInfo
) -> Iterator[Ticket | Reject]:
    """Yields the incidents of an export in order of their first rows; audits that name none as rejects."""
    incidents: dict[str, list[_Entry]] = {}
    audits: dict[str, list[_Entry]] = {}
    written: dict[str, set[str]] = {}
    shapes: dict[tuple[str, ...], tuple[str, ...]] = {}
    for unit in source_units(files, base, _LISTS):
        if isinstance(unit, Reject):
            yield unit
            continue
        row = _row(unit.value)
        names = tuple(row)
        values = tuple(sys.intern(value) if len(value) < _SHARED else value for value in row.values())
        size = sum(len(value.encode()) for value in values)
        entry = _Entry(unit.path, unit.locator, unit.digest, size, shapes.setdefault(names, names), values)
        about = row.get("documentkey") or row.get("element_id")
        if about is not None and "number" not in row:
            audits.setdefault(about, []).append(entry)
        elif "number" not in row:
            yield entry.reject("no_key")
        else:
            incidents.setdefault(row["number"], []).append(entry)
            dates = written.setdefault(unit.path, set())
            dates.update(text for name, text in row.items() if name in _TIMES)
    forms = {path: date_form(sorted(values)) for path, values in written.items()}
    used: set[str] = set()
    for number, rows in incidents.items():
        own = {key for entry in rows for key in (entry.row.get("sys_id", ""), number) if key}
        used |= own
        beside = [entry for key in sorted(own) for entry in audits.get(key, [])]
        for version in _versions(rows):
            yield _Incident(source, zone, number, version, forms).read(beside)
    for about, entries in audits.items():
        if about not in used:
            yield from (entry.reject("no_ticket") for entry in entries)


def _versions(rows: list[_Entry]) -> list[list[_Entry]]:
    """Returns the rows of a log together, those of a table, which has no counts of changes, one by one."""
    if len(rows) > 1 and all("sys_mod_count" in row.names and "sys_id" not in row.names for row in rows):
        return [rows]
    return [[entry] for entry in rows]


def _row(value: JsonObject) -> _Row:
    row: _Row = {}
    for name, item in value.items():
        word = _word(name)
        if isinstance(item, str):
            text = item
        elif isinstance(item, dict) and ("value" in item or "display_value" in item):
            shown, coded = plain(item.get("display_value")), plain(item.get("value"))
            text = coded if word in _TIMES or word in ("number", "sys_id") else shown or coded
        else:
            text = plain(item)
        stripped = text.strip()
        if stripped not in _MISSING:
            row.setdefault(word, text if "\n" in stripped else stripped)
    return row


@lru_cache(maxsize=4_096)
def _word(name: str) -> str:
    """Returns a column's name as the system calls it, also where an export shows its label."""
    return name.strip().lower().replace(" ", "_")


class _Incident:
    """Turns the rows of one incident into a ticket."""

    def __init__(
        self,
        source: str,
        zone: ZoneInfo,
        number: str,
        rows: list[_Entry],
        forms: dict[str, str | None],
    ) -> None:
        self.rows = rows
        self.forms = forms
        last = rows[-1]
        self.last = last.row
        self.path = last.path
        digest, locator = last.digest, last.locator
        if len(rows) > 1:
            digest = content_digest(canonical_bytes([entry.digest for entry in rows]))
            locator = f"{rows[0].locator} to {last.locator}"
        self.draft = TicketDraft(Place(source, last.path, locator, digest), zone, number)

    def read(self, beside: list[_Entry]) -> Ticket:
        """Returns the ticket with the audits and journal entries beside it."""
        names = [name for name in _FIRST if name in self.last]
        for name in (*names, *(name for name in self.last if name not in names)):
            self._field(name, self.last[name])
        if len(self.rows) > 1:
            self._history()
        for entry in beside:
            self._audit(entry.path, entry.row)
        return self.draft.ticket()

    def _moment(self, text: str | None, path: str) -> str | None:
        form = self.forms.get(path)
        if text is None or form is None:
            return self.draft.moment(text)
        moment = parse_written(text, form)
        if not isinstance(moment, datetime):
            return self.draft.moment(text)
        placed = moment if moment.tzinfo else moment.replace(tzinfo=self.draft.zone)
        return placed.isoformat(timespec="seconds")

    def _field(self, name: str, text: str) -> None:
        draft = self.draft
        if name == "number" or (name == "sys_mod_count" and len(self.rows) > 1):
            return
        if name in _TIMES:
            draft.time(_TIMES[name], self._moment(text, self.path) or text, name)
        elif name in _PEOPLE:
            role = _PEOPLE[name]
            draft.person(role if draft.value(role.lower()) is None else name, text, {})
        elif name in _SINGLE:
            draft.put(_SINGLE[name], text, name)
        elif name in _LINKS:
            draft.event(None, None, "link", None, f"{_LINKS[name]} {text}")
        elif name in (
            "comments",
            "work_notes",
            "comments_and_work_notes",
            "additional_comments",
        ) and _JOURNAL.search(text):
            self._journal(text)
        else:
            draft.state(name, text)

    def _journal(self, text: str) -> None:
        heads = list(_JOURNAL.finditer(text))
        for head, following in zip(heads, [*heads[1:], None], strict=True):
            body = text[head.end() : following.start() if following else len(text)].strip("\n")
            at = self._moment(head[1], self.path)
            self.draft.comment(at, head[2], body)
            if "work" in head[3].lower():
                self.draft.event(at, head[2], "comment visibility", None, "internal")

    def _history(self) -> None:
        before: _Row = {}
        for number, entry in enumerate(self.rows, start=1):
            row = entry.row
            at = self._moment(row.get("sys_updated_at") or row.get("sys_updated_on"), entry.path)
            author = row.get("sys_updated_by")
            count = row.get("sys_mod_count")
            self.draft.event(at, author, "sys_mod_count", before.get("sys_mod_count"), count, f"row {number}")
            if number > 1:
                names = dict.fromkeys((*before, *row))
                for name in (name for name in names if name not in _UPDATES):
                    if before.get(name) != row.get(name):
                        old, new = (self._value(name, side.get(name), entry.path) for side in (before, row))
                        self.draft.event(at, author, name, old, new, f"row {number} {name}")
            before = row

    def _value(self, name: str, text: str | None, path: str) -> str | None:
        return (self._moment(text, path) or text) if name in _TIMES else text

    def _audit(self, path: str, row: _Row) -> None:
        at = self._moment(row.get("sys_created_on"), path)
        author = row.get("user") or row.get("sys_created_by")
        if "element_id" in row:
            self.draft.comment(at, author, row.get("value", ""), row.get("sys_id"))
            if row.get("element") == "work_notes":
                self.draft.event(at, author, "comment visibility", None, "internal")
        else:
            field = row.get("fieldname") or "field"
            self.draft.event(at, author, field, row.get("oldvalue"), row.get("newvalue"), row.get("sys_id"))
