"""How dates are written: decided from a whole column, with the reason, doubts and marks of no value told."""

from __future__ import annotations

import locale
from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.times import (
    DateReading,
    date_form,
    day_order,
    form_pattern,
    iso_form,
    parse_clock,
    parse_written,
    read_dates,
)
from contracts.tables import ColumnKind

DAYS = [date(2024, 1, 1) + timedelta(days=3 * step) for step in range(40)]


def written(days: list[date], form: str) -> list[str]:
    """Days without zeros in front, as spreadsheets write them."""
    names = {"%d": "{0.day}", "%m": "{0.month}", "%Y": "{0.year}", "%y": "{1}"}
    text = form
    for directive, slot in names.items():
        text = text.replace(directive, slot)
    return [text.format(day, f"{day.year % 100:02d}") for day in days]


def read(values: list[str], **told: str | bool) -> DateReading:
    reading = read_dates(values, **told)  # type: ignore[arg-type]
    assert reading is not None
    return reading


@pytest.mark.parametrize(
    ("values", "form", "kind"),
    [
        (["2024-03-04"], None, "date"),
        (["2024-03-04T05:06:07Z", "2024-03-04T05:06:07.123+0000"], None, "datetime"),
        (["2024-03-04", "2024-03-04 05:06"], None, "datetime"),
        (["2020-12-30 3:15:52", "2020-12-30 13:15:52"], "%Y-%m-%d %H:%M:%S", "datetime"),
        (["2021-01-31 19:13:19.638 UTC"], "%Y-%m-%d %H:%M:%S.%f %Z", "datetime"),
        (["2011/02/16 14:31:00.000"], "%Y/%m/%d %H:%M:%S.%f", "datetime"),
        (["1/13/2025", "2/3/2025"], "%m/%d/%Y", "date"),
        (["13/1/2025", "2/3/2025"], "%d/%m/%Y", "date"),
        (["29/2/2016 01:23", "1/3/2016 4:05"], "%d/%m/%Y %H:%M", "datetime"),
        (["02/23/26 08:55 PM", "02/24/26 02:18 AM"], "%m/%d/%y %I:%M %p", "datetime"),
        (["1/24/17 1:33:02 PM"], "%m/%d/%y %I:%M:%S %p", "datetime"),
        (["9.3.10 8:05", "13.3.10 18:05"], "%d.%m.%y %H:%M", "datetime"),
        (["24-12-2024"], "%d-%m-%Y", "date"),
        ([f"17-01-{day:02d}" for day in range(1, 29)], "%y-%m-%d", "date"),
        (["03/Sep/24 9:15 AM"], "%d/%b/%y %I:%M %p", "datetime"),
        (["3. März 2020", "12. Dezember 2021"], "%d. %B %Y", "date"),
        (["4 août 2020", "12 févr. 2021"], "%d %b %Y", "date"),
        (["4 enero 2020", "12 agosto 2021"], "%d %B %Y", "date"),
        (["Sep 3, 2024", "Oct 13, 2024"], "%b %d, %Y", "date"),
        (["Mon, 3 Sep 2024 10:00:00 +0200"], "%a, %d %b %Y %H:%M:%S %z", "datetime"),
        (["20250113"], "%Y%m%d", "date"),
        (["20250113 101112"], "%Y%m%d %H%M%S", "datetime"),
        (["20250113101112"], "%Y%m%d%H%M%S", "datetime"),
    ],
)
def test_the_form_of_a_column_is_read_and_reads_its_cells(
    values: list[str], form: str | None, kind: str
) -> None:
    reading = read(values)
    assert (reading.form, reading.kind) == (form, ColumnKind(kind))
    assert all(parse_written(value, reading.form) is not None for value in values)


@pytest.mark.parametrize(
    "values",
    [
        [],
        ["abc"],
        ["1.5", "2.5"],
        ["1.2.3"],
        ["192.168.1.10"],
        ["20170124.0"],
        ["10:33:02 PM"],
        ["43831", "43832"],
        ["1500000000"],
        ["99/99/9999"],
        ["NULL", "?"],
        ["2024-13-45"],
    ],
)
def test_what_is_no_date_is_none(values: list[str]) -> None:
    assert read_dates(values) is None


@pytest.mark.parametrize(
    ("values", "form", "first"),
    [
        (["43831", "45000"], "excel", date(2020, 1, 1)),
        (["43831.5", "45000"], "excel", datetime(2020, 1, 1, 12)),  # noqa: DTZ001
        (["1500000000"], "epoch", datetime(2017, 7, 14, 2, 40, tzinfo=UTC)),
        (["1500000000000"], "epoch_ms", datetime(2017, 7, 14, 2, 40, tzinfo=UTC)),
    ],
)
def test_counted_dates_need_a_telling_name(values: list[str], form: str, first: date) -> None:
    assert read(values, telling=True).form == form
    assert parse_written(values[0], form) == first


@pytest.mark.parametrize("form", ["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%y", "%d-%m-%Y", "%Y/%m/%d"])
def test_a_number_above_twelve_proves_the_order(form: str) -> None:
    reading = read(written(DAYS, form))
    assert (reading.form, reading.confident, reading.alternatives) == (form, True, ())


WORKDAYS = [day for step in range(400) if (day := date(2024, 1, 1) + timedelta(days=step)).day <= 12]


@pytest.mark.parametrize("form", ["%d/%m/%Y", "%m/%d/%Y"])
@pytest.mark.parametrize(
    ("days", "reason"),
    [
        ([date(2024, month, 1) for month in (5, 2, 11, 8, 3, 12, 7)], "first of a month"),
        (WORKDAYS, "run in order"),
        ([day for day in reversed(WORKDAYS) if day.weekday() < 5], "run in order"),
        (sorted((day for day in WORKDAYS if day.weekday() < 5), key=lambda day: day.day), "no date falls"),
    ],
)
def test_without_proof_the_whole_column_is_asked(form: str, days: list[date], reason: str) -> None:
    days = [day for day in days if day.day <= 12]
    reading = read(written(days, form))
    assert (reading.form, reading.confident) == (form, True)
    assert reason in reading.reason


def test_what_nothing_decides_is_told_as_unsure() -> None:
    values = ["4/5/2024", "6/7/2024", "3/9/2024"]
    reading = read(values)
    assert (reading.form, reading.confident) == ("%m/%d/%Y", False)
    assert reading.alternatives == ("%d/%m/%Y",)
    assert read(values, locale="de_DE").form == "%d/%m/%Y"
    assert not read(values, locale="de_DE").confident
    assert read(values, prefer="dmy")[:3:2] == ("%d/%m/%Y", True)
    assert read(["4.5.2024"]).form == "%d.%m.%Y"


def test_marks_of_no_value_are_told_and_no_dates() -> None:
    reading = read(["04/23/2018", "00/00/0000", "NULL", "?", "-"])
    assert reading.form == "%m/%d/%Y"
    assert reading.missing == ("-", "00/00/0000", "?", "NULL")
    assert parse_written("NULL", reading.form, reading.missing) is None
    assert read(["20180423", "00000000", "0"]).missing == ("0", "00000000")


def test_few_strays_leave_a_column_its_kind() -> None:
    days = written([date(2020, 1, 1) + timedelta(days=step) for step in range(300)], "%m/%d/%Y")
    assert read([*days, "on request"]).outliers == ("on request",)
    assert read_dates([*days, *(f"stray {number}" for number in range(4))]) is None
    counts = dict.fromkeys(days, 100) | {"on request": 19}
    assert read([*days, "on request"], counts=counts).outliers == ("on request",)  # type: ignore[arg-type]
    assert read_dates([*days, "on request"], counts=counts | {"on request": 20}) is None


def test_repeated_cells_change_nothing() -> None:
    values = written(DAYS, "%d/%m/%Y")
    assert read(values * 3) == read(values)


@pytest.mark.parametrize(
    ("form", "cell", "moment"),
    [
        ("%d/%m/%Y %H:%M:%S.%f", "3/4/2020", date(2020, 4, 3)),
        ("%d/%m/%Y %H:%M:%S.%f", "3/4/2020 3:15", datetime(2020, 4, 3, 3, 15)),  # noqa: DTZ001
        ("%m/%d/%y %I:%M:%S %p", "2/3/26 8:55 PM", datetime(2026, 2, 3, 20, 55)),  # noqa: DTZ001
        ("%m/%d/%y %I:%M %p", "2/3/26 12:05 a.m.", datetime(2026, 2, 3, 0, 5)),  # noqa: DTZ001
        ("%m/%d/%y %I:%M %p", "2/3/26 13:05 PM", None),
        ("%m/%d/%y", "2/30/26", None),
        ("%m/%d/%y", "2/3/69", date(1969, 2, 3)),
        ("%d %b %Y", "3 okt 2020", date(2020, 10, 3)),
        ("%d %b %Y", "3 foo 2020", None),
        ("%Y", "2017", date(2017, 1, 1)),
        ("%m/%d/%Y", "  1/2/2024 ", date(2024, 1, 2)),
        (
            None,
            "2024-01-02 03:04:05 +05:30",
            datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=5.5))),
        ),
        (None, "20240102", None),
        ("excel", "-3", None),
        ("epoch", "x", None),
    ],
)
def test_a_cell_is_read_by_the_form_of_its_column(form: str | None, cell: str, moment: date | None) -> None:
    assert parse_written(cell, form) == moment


@given(st.lists(st.dates(date(1970, 1, 1), date(2068, 12, 31)), min_size=1, max_size=30, unique=True))
def test_dates_survive_writing_and_reading(days: list[date]) -> None:
    for form in ("%d.%m.%Y", "%m/%d/%Y", "%Y/%m/%d", "%Y-%m-%d", "%d %b %Y", "%Y%m%d"):
        cells = [day.strftime(form) for day in days]
        reading = read(cells)
        found = [parse_written(cell, reading.form) for cell in cells]
        if reading.confident and not reading.alternatives:
            assert found == days
        assert all(day is not None for day in found)


def test_no_locale_is_asked() -> None:
    before = locale.setlocale(locale.LC_TIME)
    for name in ("C", "C.UTF-8", "C.utf8", "de_DE.UTF-8"):
        try:
            locale.setlocale(locale.LC_TIME, name)
        except locale.Error:
            continue
        assert parse_written("3. März 2020", "%d. %B %Y") == date(2020, 3, 3)
        assert parse_written("3 Mar 2020 1:05 PM", "%d %b %Y %I:%M %p") == datetime(2020, 3, 3, 13, 5)  # noqa: DTZ001
    locale.setlocale(locale.LC_TIME, before)


@pytest.mark.parametrize(
    ("cell", "clock"),
    [
        ("13:05", time(13, 5)),
        ("1:50:33 PM", time(13, 50, 33)),
        ("12:00:00 AM", time(0)),
        ("130533", time(13, 5, 33)),
        ("0:00:00.250", time(0, 0, 0, 250_000)),
        ("25:00", None),
        ("13:00 PM", None),
        ("noon", None),
    ],
)
def test_times_of_day_are_read(cell: str, clock: time | None) -> None:
    assert parse_clock(cell) == clock


def test_forms_tell_their_order_and_groups() -> None:
    assert [day_order(form) for form in ("%d/%m/%y", "%m-%d-%Y %H:%M", "%Y-%m-%d", "%d %b %Y", None)] == [
        "dmy",
        "mdy",
        "ymd",
        "",
        "",
    ]
    match = form_pattern("%m/%d/%y %I:%M %p").fullmatch("2/3/26 8:55 PM")
    assert match is not None
    assert (match["m"], match["d"], match["y"], match["I"], match["p"]) == ("2", "3", "26", "8", "PM")


def test_short_questions_are_answered() -> None:
    assert iso_form(["2024-01-01", "2024-01-01T10:00"]) == "datetime"
    assert iso_form([]) is None
    assert iso_form(["2024-02-30"]) is None
    assert date_form(["13.1.2025"]) == "%d.%m.%Y"
    assert date_form(["2025-01-13"]) is None
