"""Rows of tables of documents as the manifest's `DocumentSpec` reads them: cells, members, dates, people.

Belongs here: one row. Does not belong here: which rows are of one document (`archive.revisions`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import NamedTuple
from zoneinfo import ZoneInfo

import polars as pl

from archive.revision_labels import json_text, json_value, people_of
from archive.store import RECORD_HEAD
from archive.times import parse_written, ticket_time
from contracts.manifest import ColumnSpec, DocumentSpec
from contracts.tables import ColumnKind


class DocumentInput(NamedTuple):
    """A record table that tells of documents."""

    spec: DocumentSpec
    frame: pl.DataFrame
    """As stored: record_id, source, path, locator, content_hash, own columns as strings."""
    columns: Mapping[str, ColumnSpec]
    """What its own columns hold."""
    zone: ZoneInfo = ZoneInfo("UTC")
    """Of times without offset."""


def absent_columns(spec: DocumentSpec, columns: Collection[str]) -> list[str]:
    """Returns the columns that a spec names and a table lacks, members by the column that holds them."""
    single = (spec.document, spec.number, spec.revision, spec.change_number, spec.title, spec.status, spec.at)
    more = (spec.created_at, spec.text, spec.owner, spec.issuer, spec.verdict, spec.checked_at)
    lists = (*spec.authors, *spec.checkers, *spec.approvers, *spec.affects, *spec.compared)
    named = (*single, *more, spec.approved_at, spec.stage, spec.fault, spec.comment, *lists)
    absent: dict[str, None] = {}
    for name in named:
        held = (name, f"{name}_", name.partition(".")[0]) if name is not None else ()
        if name is not None and not any(column in columns for column in held):
            absent.setdefault(name)
    return list(absent)


@dataclass
class DocumentRow:
    """One row of such a table; JSON objects in its cells are opened once."""

    table: DocumentInput
    cells: Mapping[str, str | None]
    _opened: dict[str, Mapping[str, object]] = field(default_factory=dict)

    def place(self) -> dict[str, object]:
        """Returns where the row came from."""
        return {name: self.cells.get(name) for name in RECORD_HEAD[1:]}

    def cell(self, column: str | None) -> str | None:
        """Returns a column's cell, or a member's of the object in it; None where it is empty or not there."""
        if column is None:
            return None
        for name in (f"{column}_", column) if column in RECORD_HEAD else (column,):
            if name in self.cells:
                value = self.cells[name]
                missing = self.table.columns[name].missing if name in self.table.columns else []
                return None if value is None or not value.strip() or value in missing else value.strip()
        name, _, member = column.partition(".")
        return json_text(self.members(name).get(member)) if member else None

    def members(self, column: str) -> Mapping[str, object]:
        """Returns the members of the object in a column's cell."""
        if column not in self._opened:
            value = json_value(self.cells.get(column) or "")
            self._opened[column] = value if isinstance(value, dict) else {}
        return self._opened[column]

    def moment(self, column: str | None) -> str | None:
        """Returns a date or time as ISO 8601 by the form of its column, else None."""
        text = self.cell(column)
        if text is None:
            return None
        spec = self.table.columns.get(column or "")
        moment = parse_written(text, spec.date_format) if spec is not None and spec.date_format else None
        if moment is None:
            return ticket_time(text, self.table.zone)
        if not isinstance(moment, datetime):
            moment = datetime.combine(moment, time())
        placed = moment if moment.tzinfo else moment.replace(tzinfo=self.table.zone)
        return placed.isoformat(timespec="seconds")

    def people(self, columns: Sequence[str]) -> list[str]:
        """Returns the people in some columns, each once."""
        return people_of(self.cell(column) for column in columns)

    def compared(self) -> dict[str, tuple[str | None, bool]]:
        """Returns the values that are compared between revisions, and whether they are money.

        Members of an object that is empty are none: what could not be read has not changed.
        """
        values: dict[str, tuple[str | None, bool]] = {}
        for column in self._compared_columns():
            name, star, _ = column.partition(".*")
            if star:
                for member, value in self.members(name).items():
                    values[member] = (json_text(value), False)
            else:
                values[column] = (self.cell(column), self._is_money(column))
        return values

    def _compared_columns(self) -> Iterator[str]:
        spec = self.table.spec
        if spec.compared:
            yield from dict.fromkeys([*spec.compared, *([spec.text] if spec.text else [])])
            return
        silent = {spec.document, spec.number, spec.revision, spec.change_number, spec.at, spec.created_at}
        silent |= {spec.fault, spec.checked_at, spec.approved_at, spec.issuer, spec.owner, spec.verdict}
        silent |= {spec.comment, spec.stage}
        silent |= {*spec.authors, *spec.checkers, *spec.approvers}
        for name in self.cells:
            own = name[:-1] if name.endswith("_") and name[:-1] in RECORD_HEAD else name
            if name not in RECORD_HEAD and own not in silent:
                yield name

    def _is_money(self, column: str) -> bool:
        spec = self.table.columns.get(column)
        return spec is not None and spec.kind is ColumnKind.MONEY


def document_rows(table: DocumentInput) -> Iterator[DocumentRow]:
    """Yields the rows of a table in order."""
    for cells in table.frame.iter_rows(named=True):
        yield DocumentRow(table, cells)
