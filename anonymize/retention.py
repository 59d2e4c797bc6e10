"""How long a source's raw data may be kept, and which rows are older.

Belongs here: cutoffs from the manifest and a stated day, rows by their own dates. There is no clock here: the
day comes from outside. Does not belong here: taking rows out (`withdrawal`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

import polars as pl

from anonymize.table_shapes import table_specs
from anonymize.withdrawal import key_column
from archive.store import TableStore
from contracts.manifest import ColumnSpec, Source
from contracts.tables import ColumnKind, is_record_table

_DATED = {
    "messages": ("sent_at",),
    "tickets": ("updated_at", "resolved_at", "created_at"),
    "documents": ("updated_at", "created_at"),
}
"""Fixed tables whose rows leave with all that belongs to them, and the columns that tell their age."""
_DATES = (ColumnKind.DATE, ColumnKind.DATETIME)


def cutoffs(sources: Iterable[Source], today: date) -> dict[str, str]:
    """Returns source -> first day whose rows may stay, ISO 8601, for every source with a bound.

    After `keep_until` nothing of a source may stay: its cutoff is the day after `today`.
    """
    found: dict[str, str] = {}
    for source in sources:
        if source.keep_until is not None and today > source.keep_until:
            found[source.name] = (today + timedelta(days=1)).isoformat()
        elif source.retention_days is not None:
            found[source.name] = (today - timedelta(days=source.retention_days)).isoformat()
    return found


def expired(
    raw: TableStore, specs: dict[str, dict[str, ColumnSpec]], first_days: Mapping[str, str]
) -> tuple[dict[str, set[str]], int]:
    """Returns table -> keys of rows older than their source's first day, and how many have no date at all.

    A row is as old as the latest of its dates. Undated rows of a bounded source stay and are counted.
    """
    found: dict[str, set[str]] = {}
    undated = 0
    for name in raw.names():
        dated = {**_own_dates(name, specs), **dict.fromkeys(_DATED.get(name, ()), None)}
        if name not in _DATED and not is_record_table(name):
            continue
        frame = raw.read(name, [key_column(name), "source", *dated])
        first = pl.col("source").replace_strict(
            dict(first_days), default=None, return_dtype=pl.String
        ).str.to_date("%Y-%m-%d")  # fmt: skip
        days = [_day(column, form) for column, form in dated.items()]
        age = pl.max_horizontal(days) if days else pl.lit(None, dtype=pl.Date)
        aged = frame.select(key_column(name), age=age, first=first).filter(pl.col("first").is_not_null())
        undated += aged["age"].null_count()
        old = aged.filter(pl.col("age") < pl.col("first"))
        if old.height:
            found[name] = set(old[key_column(name)])
    return found, undated


def _own_dates(name: str, specs: dict[str, dict[str, ColumnSpec]]) -> dict[str, str | None]:
    if not is_record_table(name):
        return {}
    own = table_specs(name, specs)
    return {column: spec.date_format for column, spec in own.items() if spec.kind in _DATES}


def _day(column: str, form: str | None) -> pl.Expr:
    cell = pl.col(column).str.strip_chars()
    iso = cell.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)
    if form is None:
        return iso
    stated = (
        cell.str.to_datetime(form, strict=False) if "%H" in form else cell.str.to_date(form, strict=False)
    )
    return pl.coalesce(stated.cast(pl.Date), iso)
