"""Month-end and fiscal period belong to the real date, though the table is keyed by the clean one."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.calendar_facts import calendar_facts, dated_days
from anonymize.date_cells import cell_day
from anonymize.dates import DateShift
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import CALENDAR_FACTS, RECORD_ID, ColumnKind

KEYS = st.binary(min_size=8, max_size=8)


@given(KEYS, st.lists(st.dates(date(1990, 1, 1), date(2060, 12, 31)), min_size=1, max_size=30))
def test_facts_are_those_of_the_real_date(key: bytes, days: list[date]) -> None:
    shift = DateShift(key)
    facts = {row["day"]: row for row in calendar_facts(days, shift, "en_US").iter_rows(named=True)}
    assert list(facts) == sorted(facts) and len(facts) == len(set(days))
    for day in days:
        row = facts[shift.moved(day).isoformat()]
        assert row["weekday"] == day.isoweekday() == shift.moved(day).isoweekday()
        assert row["is_weekend"] == (day.isoweekday() in (6, 7))
        assert row["is_month_end"] == (day.month != (day + timedelta(days=1)).month)
        assert row["fiscal_period"] == f"P{day.month:02d}"


@pytest.mark.parametrize(
    ("locale", "day", "is_holiday"),
    [
        ("en_US", date(2024, 7, 4), True),
        ("en_US", date(2024, 10, 3), False),
        ("de_DE", date(2024, 10, 3), True),
        ("de_DE", date(2024, 7, 4), False),
        ("de_DE", date(2024, 4, 1), True),
        ("en_XX", date(2024, 1, 1), False),
    ],
)
def test_a_holiday_is_one_of_the_companys_country(locale: str, day: date, is_holiday: bool) -> None:
    (row,) = calendar_facts([day], DateShift(b"abcdefgh"), locale).iter_rows(named=True)
    assert row["is_holiday"] is is_holiday


def test_facts_hold_nothing_but_what_the_schema_names() -> None:
    frame = calendar_facts([date(2024, 1, 31)], DateShift(b"abcdefgh"), "en_US")
    assert frame.columns == [column.name for column in CALENDAR_FACTS.columns]
    assert "2024-01-31" not in frame["day"].to_list()


@pytest.mark.parametrize("day", [date.min, date.max])
def test_a_date_that_cannot_be_moved_has_no_facts(day: date) -> None:
    assert calendar_facts([day], DateShift(b"abcdefgh"), "en_US").height == 0


@pytest.mark.parametrize(
    ("value", "date_format", "expected"),
    [
        ("2024-02-29", None, date(2024, 2, 29)),
        ("2024-02-29T23:10:00-05:00", None, date(2024, 2, 29)),
        ("20240229", "%Y%m%d", date(2024, 2, 29)),
        ("2/29/2024", "%m/%d/%Y", date(2024, 2, 29)),
        ("29. Feb 24", "%d. %b %y", date(2024, 2, 29)),
        ("2023-02-29", None, None),
        ("0000-00-00", None, None),
        ("soon", None, None),
        ("00000000", "%Y%m%d", None),
    ],
)
def test_dates_are_read_as_their_column_writes_them(
    value: str, date_format: str | None, expected: date | None
) -> None:
    assert cell_day(value, date_format) == expected


def test_all_dated_columns_are_read_and_no_other(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    head = {name: "" for name in (RECORD_ID.name, "source", "path", "locator", "content_hash")}
    rows = [{**head, "due": "31.01.2024", "at": "2024-02-01T08:00", "note": "2024-03-01"}]
    store.write("records-erp-items", pl.DataFrame(rows))
    specs = {
        "records-erp-items": {
            "due": ColumnSpec(kind=ColumnKind.DATE, date_format="%d.%m.%Y"),
            "at": ColumnSpec(kind=ColumnKind.DATETIME),
            "note": ColumnSpec(kind=ColumnKind.TEXT),
        }
    }
    assert sorted(dated_days(store, specs)) == [date(2024, 1, 31), date(2024, 2, 1)]
