"""What texts and cells can name: identifiers, amounts, addresses and logins of all records.

Belongs here: which column is the home of which identifiers. Does not belong here: where they are named
(`archive.links`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

import polars as pl

from archive.mentions import IdentifierIndex, Target, normal_identifier
from archive.records import RecordTable
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind, record_table_name

_MIN_CELL = 5
"""Shorter cells name a record only where the manifest says what they reference."""


class LinkIndex:
    """The identifiers, amounts, addresses and logins by which records are named."""

    def __init__(self, records: Sequence[RecordTable], tickets: pl.DataFrame) -> None:
        """Registers all records.

        Args:
            records: the company's own tables.
            tickets: ticket_id and ticket_key.
        """
        self.records = records
        self.identifiers = IdentifierIndex()
        self.neighbours: dict[str, set[str]] = defaultdict(set)
        """Record -> records that it refers to or is referred to by."""
        self.amounts: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
        """Record -> (table, column, hundredths)."""
        self.emails: dict[str, list[Target]] = defaultdict(list)
        self.logins: dict[str, list[Target]] = defaultdict(list)
        self.domains: dict[str, list[Target]] = defaultdict(list)
        self._references: dict[str, dict[str, tuple[Target, ...]]] = {}
        self._homes: set[tuple[str, str]] = set()
        for table in records:
            self._register(table)
        for ticket_id, key in tickets.select("ticket_id", "ticket_key").iter_rows():
            self.identifiers.add(key or "", Target("tickets", "ticket_key", ticket_id))
        for table in records:
            self._join(table)

    def references_of(self, table: RecordTable) -> list[str]:
        """Returns the columns of a table whose cells may name other records."""
        return [
            column
            for column, spec in table.specs.items()
            if (table.name, column) not in self._homes
            and spec.kind is not ColumnKind.LOGIN
            and (spec.kind is ColumnKind.ID or spec.references is not None)
        ]

    def logins_of(self, table: RecordTable) -> list[str]:
        """Returns the columns of a table whose cells name users by login."""
        return [
            column
            for column, spec in table.specs.items()
            if spec.kind is ColumnKind.LOGIN and (table.name, column) not in self._homes
        ]

    def cell(self, record_id: str, value: str, spec: ColumnSpec) -> tuple[list[Target], str]:
        """Returns the other records that a whole cell names, and the method: reference or cell."""
        targets: tuple[Target, ...] = ()
        method = "reference"
        if spec.references is not None:
            targets = self._referenced(spec.references).get(normal_identifier(value), ())
        if (
            not targets
            and spec.kind is ColumnKind.ID
            and (spec.references or len(value.strip()) >= _MIN_CELL)
        ):
            targets, method = self.identifiers.cell(value), "cell"
        return [target for target in targets if target.record_id != record_id], method

    def _register(self, table: RecordTable) -> None:
        objects = [] if table.stated is None else table.stated.objects
        for spec in objects:
            for column in (spec.id_column, spec.number_column):
                if column is not None and self._is_home(table, column):
                    self._homes.add((table.name, column))
                    for record_id, value in cells(table, column):
                        self.identifiers.add(value, Target(table.name, column, record_id))
            if spec.amount_column in table.specs:
                self._register_amounts(table, spec.amount_column)
        types = {spec.type for spec in objects}
        for column, column_spec in table.specs.items():
            if column_spec.kind is ColumnKind.EMAIL:
                for record_id, value in cells(table, column):
                    self.emails[value.strip().lower()].append(Target(table.name, column, record_id))
            elif column_spec.kind is ColumnKind.LOGIN and "user" in types and column_spec.references is None:
                self._homes.add((table.name, column))
                for record_id, value in cells(table, column):
                    self.logins[value.strip().casefold()].append(Target(table.name, column, record_id))
            elif column_spec.kind in (ColumnKind.URL, ColumnKind.DOMAIN) and "account" in types:
                for record_id, value in cells(table, column):
                    self.domains[_web_domain(value)].append(Target(table.name, column, record_id))

    def _is_home(self, table: RecordTable, column: str) -> bool:
        """Says whether a column holds identifiers of this table's own objects, not of others."""
        spec = table.specs.get(column)
        if spec is None or spec.references is not None or (table.name, column) in self._homes:
            return False
        values = table.columns([column])[column].drop_nulls()
        return spec.kind in (ColumnKind.ID, ColumnKind.CODE) and values.n_unique() == len(values)

    def _register_amounts(self, table: RecordTable, column: str) -> None:
        for record_id, value in cells(table, column):
            try:
                hundredths = Decimal(value) * 100
            except InvalidOperation:
                continue
            if hundredths.is_finite() and hundredths == hundredths.to_integral_value():
                entry = (table.name, column, int(hundredths))
                if entry not in self.amounts[record_id]:
                    self.amounts[record_id].append(entry)

    def _join(self, table: RecordTable) -> None:
        for column in self.references_of(table):
            for record_id, value in cells(table, column):
                for target in self.cell(record_id, value, table.specs[column])[0]:
                    self.neighbours[record_id].add(target.record_id)
                    self.neighbours[target.record_id].add(record_id)

    def _referenced(self, reference: str) -> dict[str, tuple[Target, ...]]:
        """The records by the values of a referenced column ("source.table.column")."""
        if reference not in self._references:
            source, _, rest = reference.partition(".")
            name, _, column = rest.rpartition(".")
            found: dict[str, list[Target]] = defaultdict(list)
            for table in self.records:
                if table.name == record_table_name(source, name) and column in table.specs:
                    for record_id, value in cells(table, column):
                        found[normal_identifier(value)].append(Target(table.name, column, record_id))
            self._references[reference] = {value: tuple(targets) for value, targets in found.items()}
        return self._references[reference]


def cells(table: RecordTable, column: str) -> Iterator[tuple[str, str]]:
    """Yields (record id, value) for every cell of a column that is not empty."""
    for record_id, value in table.columns(["record_id", column]).iter_rows():
        if value is not None:
            yield record_id, value


def _web_domain(value: str) -> str:
    host = value.strip().lower().partition("://")[2] or value.strip().lower()
    return host.split("/")[0].split(":")[0].removeprefix("www.")
