"""Dates and amounts in the ways in which exports write them: one law for each kind, in every written form."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.amounts import MoneyScale, hundredths
from anonymize.date_cells import like_month
from anonymize.dates import DateShift
from archive.column_numbers import parse_number
from archive.date_forms import EPOCH, EPOCH_MS, EXCEL, month_number, parse_written

KEYS = st.binary(min_size=8, max_size=8)
DAYS = st.dates(min_value=date(1990, 1, 1), max_value=date(2040, 12, 31))
MOMENTS = st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2040, 12, 31))  # noqa: DTZ001
FORMS = [
    None,
    "%Y%m%d",
    "%d.%m.%Y",
    "%d.%m.%y",
    "%m/%d/%Y",
    "%m/%d/%y",
    "%d-%b-%Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%a, %d %b %Y",
    "%Y-%m-%d %H:%M:%S",
    "%m/%d/%Y %I:%M %p",
    "%m/%d/%y %I:%M:%S %p",
    "%d.%m.%Y %H:%M:%S.%f",
    "%Y%m%d%H%M%S",
]
LANGUAGES = {
    "en": ["May", "October", "Dec", "JAN", "Sept"],
    "de": ["Mai", "Oktober", "Dez", "Mrz", "März"],
    "fr": ["mai", "octobre", "déc.", "févr.", "août"],
    "es": ["mayo", "octubre", "dic", "ene", "septiembre"],
}


@pytest.mark.parametrize("form", FORMS)
@given(moment=MOMENTS, key=KEYS, padded=st.booleans())
@settings(max_examples=40)
def test_a_shifted_cell_states_the_shifted_date(
    form: str | None, moment: datetime, key: bytes, padded: bool
) -> None:
    """Shift then parse is parse then shift, and times stay."""
    shift = DateShift(key)
    written = moment.isoformat() if form is None else moment.strftime(form)
    if form is not None and not padded and "/%Y" in form:
        written = written.lstrip("0").replace("/0", "/")
    before = parse_written(written, form)
    assert before is not None
    after = shift.cell(written, form)
    assert after is not None and parse_written(after, form) == before + timedelta(days=shift.days)


@pytest.mark.parametrize("form", ["%d.%m.%Y %H:%M:%S", "%m/%d/%Y %I:%M:%S %p"])
@given(day=DAYS, key=KEYS)
@settings(max_examples=30)
def test_a_cell_may_have_less_time_than_its_form(form: str, day: date, key: bytes) -> None:
    shift = DateShift(key)
    for layout in (form, form.partition(" ")[0], form.replace(":%S", "")):
        written = datetime(day.year, day.month, day.day, 9, 5, 7).strftime(layout)  # noqa: DTZ001
        before, after = parse_written(written, form), shift.cell(written, form)
        assert before is not None and after is not None
        assert parse_written(after, form) == before + timedelta(days=shift.days)


@pytest.mark.parametrize(("form", "step"), [(EXCEL, 1), (EPOCH, 86_400), (EPOCH_MS, 86_400_000)])
@given(day=DAYS, key=KEYS, fraction=st.sampled_from(["", ".5", ",25", ".0"]))
@settings(max_examples=30)
def test_counted_days_and_seconds_move_by_days(
    form: str, step: int, day: date, key: bytes, fraction: str
) -> None:
    shift = DateShift(key)
    number = (day - date(1899, 12, 30)).days if form == EXCEL else (day - date(1970, 1, 1)).days * step + 77
    written = f"{number}{fraction}"
    before, after = parse_written(written, form), shift.cell(written, form)
    assert before is not None and after is not None and after.endswith(fraction)
    assert parse_written(after, form) == before + timedelta(days=shift.days)


@given(day=DAYS, key=KEYS)
def test_single_iso_cells_in_a_column_of_another_form_move_as_well(day: date, key: bytes) -> None:
    shift = DateShift(key)
    assert shift.cell(day.isoformat(), "%d.%m.%Y") == shift.moved(day).isoformat()


@pytest.mark.parametrize(("form", "cell"), [("%Y", "2024"), ("%b %Y", "Mai 2024"), ("%m/%Y", "03/2024")])
def test_a_cell_without_a_day_moves_by_whole_years(form: str, cell: str) -> None:
    shift = DateShift(b"abcdefgh")
    assert shift.cell(cell, form) == cell.replace("2024", str(2024 + shift.years))


@pytest.mark.parametrize(
    "cell", ["?", "00/00/0000", "00.00.0000", "NULL", "-", "n/a", "00000000", "31.12.9999", "0001-01-01", " "]
)
def test_marks_for_no_value_and_open_ends_stay(cell: str) -> None:
    assert DateShift(b"abcdefgh").cell(cell, "%d.%m.%Y") == cell


@pytest.mark.parametrize(("form", "cell"), [("%d.%m.%Y", "Ann"), ("%d.%m.%Y", "31.02.2024"), (EXCEL, "x")])
def test_what_is_no_date_is_left_to_text(form: str, cell: str) -> None:
    assert DateShift(b"abcdefgh").cell(cell, form) is None


@pytest.mark.parametrize("sample", [name for names in LANGUAGES.values() for name in names])
@given(month=st.integers(1, 12))
@settings(max_examples=12)
def test_month_names_keep_language_length_case_and_stop(sample: str, month: int) -> None:
    new = like_month(sample, month)
    assert month_number(new) == month
    assert new.endswith(".") == sample.endswith(".") and new.isupper() == sample.isupper()
    assert new[0].isupper() == sample[0].isupper()


@pytest.mark.parametrize(
    ("sample", "new"),
    [
        ("Mai", "Dezember"),
        ("mai", "décembre"),
        ("Okt", "Dez"),
        ("Sept", "Dec"),
        ("ene", "dic"),
        ("août", "décembre"),
    ],
)
def test_december_in_the_language_of_a_cell(sample: str, new: str) -> None:
    assert like_month(sample, 12) == new


AMOUNTS = st.decimals(min_value=0, max_value=10**9, places=2)
LAYOUTS = [
    ("{0:.2f}", "."),
    ("{0:,.2f}", "."),
    ("{0:,.2f}-", "."),
    ("({0:,.2f})", "."),
    ("-{0:.2f}", "."),
    ("$ {0:,.2f}", "."),
    ("USD {0:,.2f}", "."),
    ("{0:,.2f} EUR", "."),
    ("{0:.2f}%", "."),
    ("      {0:.2f}", "."),
    ("{0:015.2f}", "."),
    ("{0:.4f}", "."),
    ("{0:.0f}", "."),
]


@pytest.mark.parametrize(("layout", "mark"), LAYOUTS)
@pytest.mark.parametrize("continental", [False, True])
@given(amount=AMOUNTS, key=KEYS)
@settings(max_examples=25)
def test_an_amount_is_multiplied_exactly_in_its_written_form(
    layout: str, mark: str, continental: bool, amount: Decimal, key: bytes
) -> None:
    """k * n to the last digit, in every writing of n."""
    scale = MoneyScale(key)
    written = layout.format(amount)
    if continental:
        written, mark = written.translate(str.maketrans(",.", ".,")), ","
    before = parse_number(written, mark)
    after = scale.cell(written, mark)
    assert before is not None and after is not None
    assert parse_number(after, mark) == before * scale.factor
    around = "".join(char for char in written if not char.isdigit() and char not in ".,' ")
    assert "".join(char for char in after if not char.isdigit() and char not in ".,' ") == around
    if written.startswith("      "):
        assert len(after) == max(len(written), len(after.lstrip()))


@pytest.mark.parametrize("cell", ["1.5E3", "0.00E+00", "2e5"])
def test_an_exponent_stays(cell: str) -> None:
    scale = MoneyScale(b"abcdefgh")
    after = scale.cell(cell)
    assert after is not None and Decimal(after) == Decimal(cell) * scale.factor
    assert after.upper().partition("E")[2] == cell.upper().partition("E")[2]


@pytest.mark.parametrize("cell", ["NULL", "?", "-", "n/a", "Ann Lee", "1,00,000"])
def test_what_is_no_number_is_left_to_text(cell: str) -> None:
    assert MoneyScale(b"abcdefgh").cell(cell) is None


@pytest.mark.parametrize(
    ("cell", "mark", "minor"), [("1.234,50", ",", 123_450), ("1,234.5-", ".", 123_450), ("12,50", ".", 1_250)]
)
def test_amounts_that_text_may_repeat_are_read_by_the_mark_of_their_column(
    cell: str, mark: str, minor: int
) -> None:
    assert hundredths(cell, mark) == minor
