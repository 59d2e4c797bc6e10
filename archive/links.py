"""Links between systems: identifiers, amounts and participants that match records.

Three kinds. `identifier`: text or a cell names a record (methods id, context, cell, reference).
`amount`: text states the amount of a record that it, its thread or its ticket names, or of a record that
refers to such a one or is referred to by it (exact, rounded; less certain the longer the way).
`participant`: an address or login belongs to a record (email, login, domain).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import polars as pl

from archive.addresses import parse_mailboxes
from archive.identifiers import derived_id
from archive.link_index import LinkIndex
from archive.mentions import Mention, Target, equals_written
from archive.records import RecordTable
from archive.store import TableStore, polars_schema
from contracts.money import amounts_in
from contracts.names import split_address
from contracts.tables import FIXED_TABLES, LINKS, RECORD_ID, ColumnKind

TEXT_COLUMNS: dict[str, tuple[str, ...]] = {
    "messages": ("subject", "body_own", "body_quoted"),
    "attachments": ("filename", "text"),
    "calendar_items": ("summary", "description", "location"),
    "tickets": ("summary", "description"),
    "ticket_events": ("new_value",),
    "comments": ("body",),
    "documents": ("title",),
    "revisions": ("title", "text"),
    "revision_events": ("new_value",),
}
"""Columns in which identifiers and amounts are looked for, besides the text columns of record tables."""
_GROUPS = {"messages": "thread_id", "attachments": "message_id", "calendar_items": "message_id"}
_GROUPS |= dict.fromkeys(("tickets", "ticket_events", "comments"), "ticket_id")
_GROUPS |= dict.fromkeys(("documents", "revisions", "revision_events"), "document_id")
_LOGINS = {
    "tickets": ("reporter", "assignee", "creator"),
    "ticket_events": ("author",),
    "comments": ("author",),
}
_ADDRESSES = {
    "messages": ("from_address", "to", "cc", "bcc", "reply_to"),
    "calendar_items": ("organizer", "attendees"),
}
_CERTAINTIES = (1.0, 0.9, 0.8)
"""Of an amount of a record named in the same text, in its conversation, or joined to one of these."""


class Link(NamedTuple):
    """One row of the table of links, without its id."""

    kind: str
    from_table: str
    from_id: str
    from_column: str
    start: int
    end: int
    to_table: str
    to_column: str
    to_id: str
    method: str
    confidence: float


class _Cell(NamedTuple):
    """A place of a table's row."""

    table: str
    row_id: str
    column: str


def find_links(store: TableStore, records: Sequence[RecordTable]) -> Iterator[pl.DataFrame]:
    """Yields the table of links of an archive, a stretch of rows at a time, in a fixed order.

    Args:
        store: holds messages, attachments, calendar items, tickets and all other fixed tables.
        records: the company's own tables.
    """
    finder = _Finder(store, LinkIndex(records, store.read("tickets")))
    for table in sorted(records, key=lambda table: table.name):
        for frame in store.frames(table.name):
            yield _framed(finder.of_records(table, frame))
    for name in TEXT_COLUMNS:
        for frame in store.frames(name):
            yield _framed(finder.of_fixed(name, frame))


def _framed(links: Iterator[Link]) -> pl.DataFrame:
    unique = sorted(dict.fromkeys(links))
    rows = [(derived_id("l", *(str(part) for part in link[:9])), *link) for link in unique]
    return pl.DataFrame(rows, schema=polars_schema(LINKS), orient="row")


class _Finder:
    """Finds the links of rows; knows which records each conversation names."""

    def __init__(self, store: TableStore, index: LinkIndex) -> None:
        self.index = index
        self.threads: dict[str, str] = {}
        self.mentions: dict[_Cell, list[Mention]] = {}
        self.named_by_group: dict[str, set[str]] = defaultdict(set)
        for frame in store.frames("messages", ["message_id", "thread_id"]):
            self.threads.update(frame.iter_rows())
        for name, columns in TEXT_COLUMNS.items():
            key, group = FIXED_TABLES[name].key, _GROUPS[name]
            for frame in store.frames(name, list(dict.fromkeys((key, group, *columns)))):
                for row in frame.iter_rows(named=True):
                    self._read(name, row, columns)

    def of_records(self, table: RecordTable, frame: pl.DataFrame) -> Iterator[Link]:
        """The links of rows of a record table."""
        columns = {name: spec for name, spec in table.specs.items() if name in frame.columns}
        references, logins = self.index.references_of(table), self.index.logins_of(table)
        emails = [name for name, spec in columns.items() if spec.kind is ColumnKind.EMAIL]
        texts = [name for name, spec in columns.items() if spec.kind is ColumnKind.TEXT]
        used = list(dict.fromkeys([*references, *logins, *emails, *texts]))
        for row in frame.select(RECORD_ID.name, *used).iter_rows(named=True):
            record_id = row[RECORD_ID.name]
            for column in references:
                if row[column] is not None:
                    targets, method = self.index.cell(record_id, row[column], columns[column])
                    for target in targets:
                        place = _Cell(table.name, record_id, column)
                        yield _whole("identifier", place, target, method, _shared(1.0, targets))
            for column in logins:
                yield from self._login(_Cell(table.name, record_id, column), row[column])
            for column in emails:
                yield from self._addresses(_Cell(table.name, record_id, column), row[column])
            named: set[str] = set()
            for column in texts:
                place = _Cell(table.name, record_id, column)
                mentions = self.index.identifiers.mentions(row[column] or "")
                named |= _ids(mentions, record_id)
                yield from _mentioned(place, mentions)
            for column in texts if named else ():
                yield from self._amounts(_Cell(table.name, record_id, column), row[column], named, set())

    def of_fixed(self, name: str, frame: pl.DataFrame) -> Iterator[Link]:
        """The links of rows of a fixed table."""
        key = FIXED_TABLES[name].key
        for row in frame.iter_rows(named=True):
            row_id = row[key]
            for column in _ADDRESSES.get(name, ()):
                yield from self._addresses(_Cell(name, row_id, column), row[column])
            for column in _LOGINS.get(name, ()):
                yield from self._login(_Cell(name, row_id, column), row[column])
            own: set[str] = set()
            for column in TEXT_COLUMNS[name]:
                mentions = self.mentions.get(_Cell(name, row_id, column), [])
                own |= _ids(mentions, row_id)
                yield from _mentioned(_Cell(name, row_id, column), mentions)
            group = self.named_by_group.get(self._group(name, row), set())
            for column in TEXT_COLUMNS[name] if own or group else ():
                yield from self._amounts(_Cell(name, row_id, column), row[column], own, group)

    def _read(self, name: str, row: dict[str, Any], columns: Sequence[str]) -> None:
        row_id = row[FIXED_TABLES[name].key]
        for column in columns:
            mentions = self.index.identifiers.mentions(row[column] or "")
            if mentions:
                self.mentions[_Cell(name, row_id, column)] = mentions
                self.named_by_group[self._group(name, row)] |= _ids(mentions, row_id)

    def _group(self, name: str, row: dict[str, Any]) -> str:
        """The conversation whose other texts may name the record that an amount belongs to."""
        group: str = row[_GROUPS[name]]
        return self.threads.get(group, group)

    def _amounts(self, place: _Cell, text: str | None, own: set[str], group: set[str]) -> Iterator[Link]:
        amounts = amounts_in(text or "")
        if not amounts:
            return
        near: set[str] = set()
        near.update(*(self.index.neighbours.get(record_id, ()) for record_id in own | group))
        for amount in amounts:
            for record_ids, certainty in zip(
                (own, group - own, near - group - own), _CERTAINTIES, strict=True
            ):
                found = False
                for record_id in sorted(record_ids):
                    for table, column, minor in self.index.amounts.get(record_id, ()):
                        method = equals_written(amount, minor)
                        if method is None:
                            continue
                        found = True
                        confidence = certainty if method == "exact" else round(certainty * 0.9, 4)
                        target = Target(table, column, record_id)
                        yield Link("amount", *place, amount.start, amount.end, *target, method, confidence)
                if found:
                    break

    def _login(self, place: _Cell, value: str | None) -> Iterator[Link]:
        for target in self.index.logins.get((value or "").strip().casefold(), []):
            yield _whole("participant", place, target, "login", 1.0)

    def _addresses(self, place: _Cell, value: str | list[str] | None) -> Iterator[Link]:
        texts = value if isinstance(value, list) else [value or ""]
        for box in (box for text in texts if text for box in parse_mailboxes(text)):
            known = self.index.emails.get(box.address, ())
            targets = [target for target in known if target.record_id != place.row_id]
            for target in targets:
                yield _whole("participant", place, target, "email", _shared(1.0, targets))
            parts = split_address(box.address)
            for target in self.index.domains.get(parts.domain, ()) if parts else ():
                yield _whole("participant", place, target, "domain", 0.7)


def _mentioned(place: _Cell, mentions: Sequence[Mention]) -> Iterator[Link]:
    for mention in mentions:
        confidence = _shared(0.95 if mention.method == "context" else 1.0, mention.targets)
        for target in mention.targets:
            if target.record_id != place.row_id:
                span = (mention.start, mention.end)
                yield Link("identifier", *place, *span, *target, mention.method, confidence)


def _ids(mentions: Sequence[Mention], own: str) -> set[str]:
    return {target.record_id for mention in mentions for target in mention.targets if target.record_id != own}


def _whole(kind: str, place: _Cell, target: Target, method: str, confidence: float) -> Link:
    return Link(kind, *place, -1, -1, *target, method, confidence)


def _shared(certainty: float, targets: Sequence[Target]) -> float:
    """The confidence in one of several records of one table that a value names equally well.

    Records of different tables can all be meant: a login has a CRM user and a ledger user.
    """
    if len(targets) == 1:
        return certainty
    most = max(Counter(target.table for target in targets).values())
    return round(certainty / most, 4)
