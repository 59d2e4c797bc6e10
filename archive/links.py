"""Links between systems: identifiers, amounts and participants that match records.

Three kinds. `identifier`: text or a cell names a record (methods id, context, cell, reference).
`amount`: text states the amount of a record that it, its thread or its ticket names, or of a record that
refers to such a one or is referred to by it (exact, rounded; less certain the longer the way).
`participant`: an address or login belongs to a record (email, login, domain).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

import polars as pl

from archive.addresses import parse_mailboxes
from archive.identifiers import derived_id
from archive.mentions import IdentifierIndex, Target, equals_written, normal_identifier
from archive.records import RecordTable
from archive.store import polars_schema
from contracts.manifest import ColumnSpec, ObjectSpec
from contracts.money import amounts_in
from contracts.names import split_address
from contracts.tables import LINKS, ColumnKind, record_table_name

TEXT_COLUMNS: dict[str, tuple[str, ...]] = {
    "messages": ("subject", "body_own", "body_quoted"),
    "attachments": ("filename", "text"),
    "calendar_items": ("summary", "description", "location"),
    "tickets": ("summary", "description"),
    "ticket_events": ("new_value",),
    "comments": ("body",),
}
"""Columns in which identifiers and amounts are looked for, besides the text columns of record tables."""
_KEYS = {"attachments": "attachment_id", "calendar_items": "item_id", "messages": "message_id"}
_KEYS |= {"tickets": "ticket_id", "ticket_events": "ticket_event_id", "comments": "comment_id"}
_GROUPS = {"messages": "thread_id", "attachments": "message_id", "calendar_items": "message_id"}
_GROUPS |= {"tickets": "ticket_id", "ticket_events": "ticket_id", "comments": "ticket_id"}
_LOGINS = {
    "tickets": ("reporter", "assignee", "creator"),
    "ticket_events": ("author",),
    "comments": ("author",),
}
_ADDRESSES = {
    "messages": ("from_address", "to", "cc", "bcc", "reply_to"),
    "calendar_items": ("organizer", "attendees"),
}
_MIN_CELL = 5
"""Shorter cells name a record only where the manifest says what they reference."""

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


def find_links(fixed: Mapping[str, pl.DataFrame], records: Sequence[RecordTable]) -> pl.DataFrame:
    """Returns the table of links of an archive, in a fixed order.

    Args:
        fixed: messages, attachments, calendar items, tickets, ticket events and comments.
        records: the company's own tables.
    """
    finder = _Finder(fixed, records)
    links = [*finder.cells(), *finder.text(), *finder.participants()]
    unique = sorted(dict.fromkeys(links))
    rows = [(derived_id("l", *(str(part) for part in link[:9])), *link) for link in unique]
    return pl.DataFrame(rows, schema=polars_schema(LINKS), orient="row")


class _Finder:
    def __init__(self, fixed: Mapping[str, pl.DataFrame], records: Sequence[RecordTable]) -> None:
        self.fixed = fixed
        self.records = records
        self.index = IdentifierIndex()
        self.neighbours: dict[str, set[str]] = defaultdict(set)
        self.references: dict[str, dict[str, tuple[Target, ...]]] = {}
        self.homes: set[tuple[str, str]] = set()
        self.amounts: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
        self.emails: dict[str, list[Target]] = defaultdict(list)
        self.logins: dict[str, list[Target]] = defaultdict(list)
        self.domains: dict[str, list[Target]] = defaultdict(list)
        for table in records:
            self._register(table)
        tickets = fixed["tickets"]
        for key, ticket_id in zip(tickets["ticket_key"], tickets["ticket_id"], strict=True):
            self.index.add(key, Target("tickets", "ticket_key", ticket_id))

    def cells(self) -> Iterator[Link]:
        """Identifiers that are whole cells."""
        for table in self.records:
            for column, spec in table.specs.items():
                if (table.name, column) in self.homes:
                    continue
                if spec.kind is ColumnKind.LOGIN:
                    for record_id, value in _cells(table.frame, column):
                        yield from self._login(table.name, record_id, column, value)
                elif spec.kind is ColumnKind.ID or spec.references is not None:
                    for record_id, value in _cells(table.frame, column):
                        yield from self._cell(table.name, record_id, column, value, spec)

    def text(self) -> Iterator[Link]:
        """Identifiers in text, and amounts of the records that a text or its conversation names."""
        named: dict[tuple[str, str], set[str]] = defaultdict(set)
        group_named: dict[str, set[str]] = defaultdict(set)
        texts = [*self._fixed_texts(), *self._record_texts()]
        for text in texts:
            for mention in self.index.mentions(text.value):
                for target in mention.targets:
                    if target.record_id == text.row_id:
                        continue
                    named[text.table, text.row_id].add(target.record_id)
                    group_named[text.group].add(target.record_id)
                    confidence = _shared(0.95 if mention.method == "context" else 1.0, mention.targets)
                    place = (text.table, text.row_id, text.column, mention.start, mention.end)
                    yield Link("identifier", *place, *target, mention.method, confidence)
        for text in texts:
            own = named.get((text.table, text.row_id), set())
            group = group_named.get(text.group, set()) if text.group else set()
            if own or group:
                near: set[str] = set()
                near.update(*(self.neighbours.get(record_id, ()) for record_id in own | group))
                yield from self._amounts(text, (own, group - own, near - group - own))

    def participants(self) -> Iterator[Link]:
        """Addresses and logins of mails, invites and tickets."""
        for table, columns in _ADDRESSES.items():
            for row in self.fixed[table].select(_KEYS[table], *columns).iter_rows(named=True):
                for column in columns:
                    yield from self._addresses(table, row[_KEYS[table]], column, row[column])
        for table, columns in _LOGINS.items():
            for row in self.fixed[table].select(_KEYS[table], *columns).iter_rows(named=True):
                for column in columns:
                    yield from self._login(table, row[_KEYS[table]], column, row[column] or "")
        for records in self.records:
            for column, spec in records.specs.items():
                if spec.kind is ColumnKind.EMAIL:
                    for record_id, value in _cells(records.frame, column):
                        yield from self._addresses(records.name, record_id, column, value)

    def _register(self, table: RecordTable) -> None:
        objects = [] if table.stated is None else table.stated.objects
        for spec in objects:
            for column in (spec.id_column, spec.number_column):
                if column is not None and self._is_home(table, column):
                    self._register_home(table, column)
            if spec.amount_column in table.specs:
                self._register_amounts(table, spec)
        types = {spec.type for spec in objects}
        for column, column_spec in table.specs.items():
            if column_spec.kind is ColumnKind.EMAIL:
                for record_id, value in _cells(table.frame, column):
                    self.emails[value.strip().lower()].append(Target(table.name, column, record_id))
            elif column_spec.kind is ColumnKind.LOGIN and "user" in types and column_spec.references is None:
                self.homes.add((table.name, column))
                for record_id, value in _cells(table.frame, column):
                    self.logins[value.strip().casefold()].append(Target(table.name, column, record_id))
            elif column_spec.kind in (ColumnKind.URL, ColumnKind.DOMAIN) and "account" in types:
                for record_id, value in _cells(table.frame, column):
                    self.domains[_web_domain(value)].append(Target(table.name, column, record_id))

    def _is_home(self, table: RecordTable, column: str) -> bool:
        """Says whether a column holds identifiers of this table's own objects, not of others."""
        spec = table.specs.get(column)
        if spec is None or spec.references is not None or (table.name, column) in self.homes:
            return False
        values = table.frame[column].drop_nulls()
        return spec.kind in (ColumnKind.ID, ColumnKind.CODE) and values.n_unique() == len(values)

    def _register_home(self, table: RecordTable, column: str) -> None:
        self.homes.add((table.name, column))
        for record_id, value in _cells(table.frame, column):
            self.index.add(value, Target(table.name, column, record_id))

    def _register_amounts(self, table: RecordTable, spec: ObjectSpec) -> None:
        column = spec.amount_column or ""
        for record_id, value in _cells(table.frame, column):
            try:
                hundredths = Decimal(value) * 100
            except InvalidOperation:
                continue
            if hundredths == hundredths.to_integral_value():
                entry = (table.name, column, int(hundredths))
                if entry not in self.amounts[record_id]:
                    self.amounts[record_id].append(entry)

    def _cell(self, table: str, record_id: str, column: str, value: str, spec: ColumnSpec) -> Iterator[Link]:
        targets: tuple[Target, ...] = ()
        method = "reference"
        if spec.references is not None:
            targets = self._referenced(spec.references).get(normal_identifier(value), ())
        if (
            not targets
            and spec.kind is ColumnKind.ID
            and (spec.references or len(value.strip()) >= _MIN_CELL)
        ):
            targets, method = self.index.cell(value), "cell"
        others = [target for target in targets if target.record_id != record_id]
        for target in others:
            self.neighbours[record_id].add(target.record_id)
            self.neighbours[target.record_id].add(record_id)
            yield _whole("identifier", table, record_id, column, target, method, _shared(1.0, others))

    def _referenced(self, reference: str) -> dict[str, tuple[Target, ...]]:
        """The records by the values of a referenced column ("source.table.column")."""
        if reference not in self.references:
            source, _, rest = reference.partition(".")
            name, _, column = rest.rpartition(".")
            found: dict[str, list[Target]] = defaultdict(list)
            for table in self.records:
                if table.name == record_table_name(source, name) and column in table.specs:
                    for record_id, value in _cells(table.frame, column):
                        found[normal_identifier(value)].append(Target(table.name, column, record_id))
            self.references[reference] = {value: tuple(targets) for value, targets in found.items()}
        return self.references[reference]

    def _amounts(self, text: _Text, circles: tuple[set[str], set[str], set[str]]) -> Iterator[Link]:
        for amount in amounts_in(text.value):
            for record_ids, certainty in zip(circles, _CERTAINTIES, strict=True):
                found = False
                for record_id in sorted(record_ids):
                    for table, column, minor in self.amounts.get(record_id, ()):
                        method = equals_written(amount, minor)
                        if method is None:
                            continue
                        found = True
                        confidence = certainty if method == "exact" else round(certainty * 0.9, 4)
                        place = (text.table, text.row_id, text.column, amount.start, amount.end)
                        yield Link("amount", *place, table, column, record_id, method, confidence)
                if found:
                    break

    def _login(self, table: str, row_id: str, column: str, value: str) -> Iterator[Link]:
        targets = self.logins.get(value.strip().casefold(), [])
        for target in targets:
            yield _whole("participant", table, row_id, column, target, "login", 1.0)

    def _addresses(
        self, table: str, row_id: str, column: str, value: str | list[str] | None
    ) -> Iterator[Link]:
        texts = value if isinstance(value, list) else [value or ""]
        for box in (box for text in texts for box in parse_mailboxes(text)):
            targets = [target for target in self.emails.get(box.address, ()) if target.record_id != row_id]
            for target in targets:
                yield _whole("participant", table, row_id, column, target, "email", _shared(1.0, targets))
            parts = split_address(box.address)
            for target in self.domains.get(parts.domain, ()) if parts else ():
                yield _whole("participant", table, row_id, column, target, "domain", 0.7)

    def _fixed_texts(self) -> Iterator[_Text]:
        threads = dict(
            zip(self.fixed["messages"]["message_id"], self.fixed["messages"]["thread_id"], strict=True)
        )
        for table, columns in TEXT_COLUMNS.items():
            key, group = _KEYS[table], _GROUPS[table]
            for row in self.fixed[table].select(*dict.fromkeys((key, group, *columns))).iter_rows(named=True):
                named = threads.get(row[group], row[group])
                for column in columns:
                    if row[column]:
                        yield _Text(table, row[key], column, named, row[column])

    def _record_texts(self) -> Iterator[_Text]:
        for table in self.records:
            for column, spec in table.specs.items():
                if spec.kind is ColumnKind.TEXT:
                    for record_id, value in _cells(table.frame, column):
                        yield _Text(table.name, record_id, column, "", value)


class _Text(NamedTuple):
    table: str
    row_id: str
    column: str
    group: str
    """Thread or ticket whose other texts may name the record that an amount belongs to; empty for records."""
    value: str


def _cells(frame: pl.DataFrame, column: str) -> Iterator[tuple[str, str]]:
    for record_id, value in frame.select("record_id", column).iter_rows():
        if value is not None:
            yield record_id, value


def _whole(
    kind: str, table: str, row_id: str, column: str, target: Target, method: str, confidence: float
) -> Link:
    return Link(kind, table, row_id, column, -1, -1, *target, method, confidence)


def _shared(certainty: float, targets: Sequence[Target]) -> float:
    """The confidence in one of several records of one table that a value names equally well.

    Records of different tables can all be meant: a login has a CRM user and a ledger user.
    """
    most = max(Counter(target.table for target in targets).values())
    return round(certainty / most, 4)


def _web_domain(value: str) -> str:
    host = value.strip().lower().partition("://")[2] or value.strip().lower()
    return host.split("/")[0].split(":")[0].removeprefix("www.")
