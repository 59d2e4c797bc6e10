"""The clean tables of one dataset in memory, with what the manifest says about them.

Belongs here: opening and typed access to cells. Does not belong here: what the rows mean.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import polars as pl
from pydantic import ValidationError

from archive.column_numbers import parse_number
from archive.errors import StoreError
from archive.home import DatasetHome
from archive.store import TableStore, empty_frame
from contracts.manifest import ColumnSpec, Manifest, Source, TableSpec
from contracts.tables import CALENDAR_FACTS, FIXED_TABLES, ColumnKind, record_table_name
from extract.errors import ExtractError
from extract.moments import Moment, read_moment

Row = dict[str, str | None]
TRUE_WORDS = frozenset({"true", "1", "yes", "y", "x", "t"})
_SAME_WRITING = re.compile(r"^0+(?=\w)")


@dataclass(frozen=True)
class RecordTable:
    """One of the company's own tables."""

    name: str
    source: Source
    spec: TableSpec
    columns: dict[str, ColumnSpec]
    zone: ZoneInfo
    rows: list[Row]

    def moment(self, row: Row, column: str, clock_column: str | None = None) -> Moment | None:
        """Returns the moment that a cell states."""
        spec = self.columns.get(column)
        clock = row.get(clock_column) if clock_column else None
        form, missing = (spec.date_format, spec.missing) if spec else (None, [])
        return read_moment(row.get(column), self.zone, form, clock, missing)

    def minor(self, row: Row, column: str) -> int | None:
        """Returns a money cell in the smallest unit."""
        spec = self.columns.get(column)
        if spec is None:
            return minor_amount(row.get(column))
        return minor_amount(row.get(column), spec.decimals, spec.decimal_mark, spec.missing)

    def columns_of(self, kind: ColumnKind) -> list[str]:
        """Returns the columns that hold one kind of content."""
        return [name for name, spec in self.columns.items() if spec.kind is kind]


@dataclass(frozen=True)
class Dataset:
    """Everything that extraction reads."""

    manifest: Manifest
    tables: dict[str, pl.DataFrame]
    """The fixed tables; empty frames where the dataset has none."""
    records: list[RecordTable]
    zone: ZoneInfo
    """The company's main zone."""
    holidays: frozenset[int] = frozenset()
    """Ordinals of clean dates whose real ones were national holidays, as far as any row is dated then."""

    @property
    def domains(self) -> tuple[str, ...]:
        """Mail domains of the company, lower case."""
        return tuple(domain.lower() for domain in self.manifest.company.domains)

    def rows(self, table: str) -> Iterator[dict[str, object]]:
        """Yields the rows of a fixed table."""
        yield from self.tables[table].iter_rows(named=True)


def open_dataset(home: DatasetHome) -> Dataset:
    """Returns the clean tables of a dataset.

    Raises:
        ExtractError: there are no clean tables, or no manifest or schema beside them.
    """
    store = TableStore(home.clean)
    if not store.names():
        raise ExtractError(f"dataset {home.name!r} has no clean tables: run `rl-dojo onboard` first")
    try:
        manifest = Manifest.model_validate(store.read_json("manifest.json"))
        schema = store.column_specs()
    except (StoreError, ValidationError) as error:
        raise ExtractError(f"dataset {home.name!r}: {_cause(error)}: onboard it again") from error
    tables = {
        name: store.read(name) if store.has(name) else empty_frame(table)
        for name, table in FIXED_TABLES.items()
    }
    records = []
    stored = set(store.record_tables())
    for source in manifest.sources:
        for spec in source.tables:
            name = record_table_name(source.name, spec.name)
            if name in stored:
                rows = list(store.read(name).iter_rows(named=True))
                zone = _zone(source.zone or next(iter(manifest.company.zones), "UTC"))
                records.append(RecordTable(name, source, spec, schema.get(name, {}), zone, rows))
    zone = _zone(next(iter(manifest.company.zones), "UTC"))
    return Dataset(manifest, tables, records, zone, _holidays(store))


def _holidays(store: TableStore) -> frozenset[int]:
    if not store.has(CALENDAR_FACTS.name):
        return frozenset()
    days = store.read(CALENDAR_FACTS.name).filter(pl.col("is_holiday"))["day"].to_list()
    return frozenset(date.fromisoformat(day).toordinal() for day in days)


def minor_amount(
    text: str | None, decimals: int = 2, decimal_mark: str = ".", missing: Collection[str] = ()
) -> int | None:
    """Returns a written amount in the smallest unit, or None where a cell holds no number.

    Padding, thousands, currency, brackets and a trailing minus are read as `archive.column_numbers` does.
    """
    value = parse_number(text, decimal_mark, missing) if text else None
    return None if value is None else int((value * 10**decimals).to_integral_value())


def whole_number(text: str | None) -> int | None:
    """Returns a text as a whole number ("1,200" and "1200.0" too), or None."""
    return minor_amount(text, 0)


def is_true(text: str | None) -> bool:
    """Says whether a flag cell means yes."""
    return text is not None and text.strip().casefold() in TRUE_WORDS


def same_writing(identifier: str) -> str:
    """Returns an id in the form in which systems agree: no leading zeros, case folded."""
    return _SAME_WRITING.sub("", identifier.strip()).casefold()


def texts(value: object) -> list[str]:
    """Returns a list cell as texts."""
    return [str(item) for item in value] if isinstance(value, list) else []


def text_of(value: object) -> str:
    """Returns a cell as text, empty for none."""
    return "" if value is None else str(value)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ExtractError(f"zone {name!r} in the manifest is no IANA zone name") from error


def _cause(error: Exception) -> str:
    return "its manifest is malformed" if isinstance(error, ValidationError) else str(error)
