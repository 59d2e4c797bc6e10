"""Facts of real dates that the offset would lose: holiday, month-end and fiscal period, by clean date.

Belongs here: reading the dates of all dated columns before they are moved. Does not belong here: the offset
(`dates`). Holidays are the national ones of the company's country, as its locale names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

import holidays
import polars as pl

from anonymize.date_cells import cell_day
from anonymize.dates import DateShift
from anonymize.table_shapes import strings, table_specs
from archive.store import TableStore, polars_schema
from contracts.manifest import ColumnSpec
from contracts.tables import CALENDAR_FACTS, ColumnKind

_DATED = (ColumnKind.DATE, ColumnKind.DATETIME)


def calendar_facts(days: Iterable[date], shift: DateShift, locale: str) -> pl.DataFrame:
    """Returns one row per date: the clean date and what the real one was, in order.

    Args:
        days: real dates, in any order and number.
        shift: the dataset's offset.
        locale: of the company: "en_US". A country without known holidays has none.
    """
    days = set(days)
    public = _public_holidays(locale, {day.year for day in days})
    rows = [
        (
            shift.moved(day).isoformat(),
            day.isoweekday(),
            day.isoweekday() > 5,
            day in public,
            (day + timedelta(days=1)).day == 1,
            f"P{day.month:02d}",
        )
        for day in sorted(days)
        if _can_move(day, shift)
    ]
    return pl.DataFrame(rows, schema=polars_schema(CALENDAR_FACTS), orient="row")


def dated_days(raw: TableStore, specs: dict[str, dict[str, ColumnSpec]]) -> Iterator[date]:
    """Yields the real dates that stand in dated columns of all tables."""
    for name in raw.names():
        frame = raw.read(name)
        for column, spec in table_specs(name, specs).items():
            if column in frame.columns and spec.kind in _DATED:
                for value in strings(frame[column]):
                    day = cell_day(value, spec.date_format)
                    if day is not None:
                        yield day


def _public_holidays(locale: str, years: set[int]) -> frozenset[date]:
    country = locale.rpartition("_")[2].upper()
    if country not in holidays.list_supported_countries():
        return frozenset()
    return frozenset(holidays.country_holidays(country, years=sorted(years)))


def _can_move(day: date, shift: DateShift) -> bool:
    margin = timedelta(days=abs(shift.days) + 1)
    return date.min + margin < day < date.max - margin


def facts_ledger(facts: pl.DataFrame) -> pl.DataFrame:
    """Returns the ledger of these facts: every day in them was written by replacement."""
    days = facts.select("day").with_row_index("row")
    return days.select(
        table=pl.lit(CALENDAR_FACTS.name),
        row=pl.col("row").cast(pl.Int64),
        column=pl.lit("day"),
        item=pl.lit(0, pl.Int64),
        start=pl.lit(0, pl.Int64),
        end=pl.col("day").str.len_chars().cast(pl.Int64),
        kind=pl.lit(ColumnKind.DATE.value),
    )
