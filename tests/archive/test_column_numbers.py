"""How numbers are written: decimal marks, thousands, signs and currencies are decided from a whole column."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.column_numbers import parse_number, read_numbers


@pytest.mark.parametrize(
    ("values", "mark", "group", "numbers"),
    [
        (["1.234,56", "12,5"], ",", ".", ["1234.56", "12.5"]),
        (["1,234.56", "5"], ".", ",", ["1234.56", "5"]),
        (["1 234,56", "1\u00a0000,5"], ",", " ", ["1234.56", "1000.5"]),
        (["1'234.56", "12"], ".", "'", ["1234.56", "12"]),
        ([" 213,710.00 ", "0"], ".", ",", ["213710.00", "0"]),
        (["12.00-", "5.00"], ".", "", ["-12.00", "5.00"]),
        (["(12.00)", "3"], ".", "", ["-12.00", "3"]),
        (["€ 12,50", "€ 1.000,00"], ",", ".", ["12.50", "1000.00"]),
        (["$1,200.00", "-$3.50"], ".", ",", ["1200.00", "-3.50"]),
        (["12.5 %", "3%"], ".", "", ["12.5", "3"]),
        (["1", "/4"], ".", "", ["1", "0.25"]),
        (["0.00E+00", "1.5e3"], ".", "", ["0", "1500"]),
        (["1,234", "5,600"], ".", ",", ["1234", "5600"]),
        (["1.234", "0.125"], ".", "", ["1.234", "0.125"]),
        (["0,125", "2,500"], ",", "", ["0.125", "2.500"]),
        (["1.000.000", "250"], ",", ".", ["1000000", "250"]),
        (["-7", "+8"], ".", "", ["-7", "8"]),
    ],
)
def test_marks_are_decided_by_the_column(
    values: list[str], mark: str, group: str, numbers: list[str]
) -> None:
    reading = read_numbers(values)
    assert reading is not None
    assert (reading.decimal_mark, reading.group_mark, reading.outliers) == (mark, group, ())
    assert [parse_number(value, mark) for value in values] == [Decimal(number) for number in numbers]


@pytest.mark.parametrize(
    "values",
    [
        ["a1"],
        ["12", "twelve"],
        ["1,2,3"],
        ["192.168.1.1"],
        ["10:20"],
        ["2020-01-01"],
        ["12 34"],
        ["212 842 5500"],
        ["1,5", "1.5"],
        ["(12"],
        ["-12-"],
        ["-"],
        [],
    ],
)
def test_what_is_no_column_of_numbers_is_none(values: list[str]) -> None:
    assert read_numbers(values) is None


def test_what_the_column_tells_beside_its_numbers() -> None:
    ids = read_numbers(["1500000001.0", "1500000002.0"])
    assert ids is not None
    assert (ids.floats, ids.whole, ids.decimals, ids.digits) == (True, True, 0, (10, 10))
    zeros = read_numbers(["00012", "00345"])
    assert zeros is not None
    assert zeros.zeros
    money = read_numbers(["EUR 12.50", "EUR 3.00", "n/a"])
    assert money is not None
    assert (money.currency, money.missing) == ("EUR", ("n/a",))
    rates = read_numbers(["/3.74340", "0.94"])
    assert rates is not None
    assert rates.inverse


def test_doubt_is_told_and_follows_the_other_columns() -> None:
    doubtful = read_numbers(["1.234", "5.600"])
    assert doubtful is not None
    assert not doubtful.confident
    assert parse_number("1.234", doubtful.decimal_mark) == Decimal("1.234")
    followed = read_numbers(["1.234", "5.600"], prefer=",")
    assert followed is not None
    assert (followed.decimal_mark, followed.group_mark, followed.confident) == (",", ".", True)


def test_few_strays_leave_numbers_their_kind() -> None:
    numbers = [f"{number}.5" for number in range(300)]
    reading = read_numbers([*numbers, "see note"])
    assert reading is not None
    assert reading.outliers == ("see note",)
    assert read_numbers([*numbers, "see", "the", "note", "there"]) is None
    assert read_numbers([*numbers, "see note"], counts={"see note": 20}) is None


@given(
    st.lists(
        st.decimals(min_value=-(10**9), max_value=10**9, places=2, allow_nan=False),
        min_size=1,
        max_size=20,
    ),
    st.sampled_from([(".", ","), (",", "."), (",", " "), (".", "'"), (",", "")]),
)
def test_amounts_survive_writing_and_reading(amounts: list[Decimal], style: tuple[str, str]) -> None:
    mark, group = style
    written = [
        f"{amount:,.2f}".replace(",", "\0").replace(".", mark).replace("\0", group) for amount in amounts
    ]
    reading = read_numbers(written)
    assert reading is not None
    assert reading.decimal_mark == mark
    assert [parse_number(cell, reading.decimal_mark) for cell in written] == amounts
