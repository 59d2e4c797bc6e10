"""Amounts in text: found in every written form, read exactly, written back in the same form."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from contracts.money import amounts_in, parse_number, rewrite_amount


@pytest.mark.parametrize(
    ("text", "minor", "rounding"),
    [
        ("$18,400.00", 1_840_000, 1),
        ("$18,400", 1_840_000, 100),
        ("$18400", 1_840_000, 100),
        ("US$ 1,234.50", 123_450, 1),
        ("USD 12,345.67", 1_234_567, 1),
        ("12,345.67 USD", 1_234_567, 1),
        ("EUR 12.345,67", 1_234_567, 1),
        ("12.345,67 €", 1_234_567, 1),
        ("€12.345", 1_234_500, 100),
        ("CHF 12'345.50", 1_234_550, 1),
        ("$18.4k", 1_840_000, 10_000),
        ("18.4k", 1_840_000, 10_000),
        ("$18k", 1_800_000, 100_000),
        ("$1.2M", 120_000_000, 10_000_000),
        ("250 dollars", 25_000, 100),
        ("$1,234,567.89", 123_456_789, 1),
        ("$0.99", 99, 1),
    ],
)
def test_a_written_amount_is_read_exactly(text: str, minor: int, rounding: int) -> None:
    (amount,) = amounts_in(f"We agreed on {text}, as you know.")
    assert (amount.text, amount.minor, amount.rounding) == (text, minor, rounding)


@pytest.mark.parametrize(
    "text",
    [
        "quote 20004118",
        "on 4/10/2025",
        "5 days",
        "3.11",
        "the 2025 plan",
        "12 km",
        "v18.4",
        "call 508-555-0147",
        "",
    ],
)
def test_other_numbers_are_no_amounts(text: str) -> None:
    assert amounts_in(text) == []


def test_amounts_come_in_order_with_their_places() -> None:
    text = "from $1,000.00 to 2.5k, later EUR 3.000,00"
    amounts = amounts_in(text)
    assert [text[amount.start : amount.end] for amount in amounts] == ["$1,000.00", "2.5k", "EUR 3.000,00"]


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("1,234.50", (123_450, 2)),
        ("1.234,50", (123_450, 2)),
        ("1,234", (123_400, 0)),
        ("1.234", (123_400, 0)),
        ("12.5", (1_250, 1)),
        ("12", (1_200, 0)),
        ("1 234,5", (123_450, 1)),
        ("1,234,567", (123_456_700, 0)),
    ],
)
def test_both_number_styles_are_read(number: str, value: tuple[int, int]) -> None:
    assert parse_number(number) == value


@pytest.mark.parametrize(
    ("text", "minor", "written"),
    [
        ("$18,400.00", 5_520_000, "$55,200.00"),
        ("$400.00", 120_000, "$1,200.00"),
        ("$18,400", 5_520_000, "$55,200"),
        ("$18400", 5_520_000, "$55200"),
        ("EUR 12.345,67", 3_703_701, "EUR 37.037,01"),
        ("CHF 12'345.50", 123_455_000, "CHF 1'234'550.00"),
        ("18.4k", 5_520_000, "55.2k"),
        ("$18k", 5_400_000, "$54k"),
        ("12,345.67 USD", 3_703_701, "37,037.01 USD"),
    ],
)
def test_another_amount_is_written_in_the_same_form(text: str, minor: int, written: str) -> None:
    (amount,) = amounts_in(text)
    assert rewrite_amount(amount, minor) == written


def _grouped(whole: int, mark: str) -> str:
    return f"{whole:,}".replace(",", mark)


FORMS = {
    "dollars": lambda minor: f"${minor // 100:,}.{minor % 100:02d}",
    "iso": lambda minor: f"USD {minor // 100:,}.{minor % 100:02d}",
    "plain": lambda minor: f"${minor // 100}.{minor % 100:02d}",
    "german": lambda minor: f"{_grouped(minor // 100, '.')},{minor % 100:02d} EUR",
    "swiss": lambda minor: f"CHF {_grouped(minor // 100, chr(39))}.{minor % 100:02d}",
}


@pytest.mark.parametrize("form", sorted(FORMS))
@given(minor=st.integers(0, 10**11), factor=st.integers(1, 12))
def test_reading_and_writing_round_trip(form: str, minor: int, factor: int) -> None:
    """Money is multiplied in text as in tables: what is written back reads as exactly that amount."""
    text = FORMS[form](minor)
    (amount,) = amounts_in(text)
    assert amount.minor == minor
    assert rewrite_amount(amount, minor) == text
    written = rewrite_amount(amount, minor * factor)
    (again,) = amounts_in(written)
    assert again.minor == minor * factor
    assert again.text == written


@given(tenths=st.integers(10, 9_999), factor=st.integers(1, 12))
def test_a_short_form_stays_within_half_of_its_unit(tenths: int, factor: int) -> None:
    (amount,) = amounts_in(f"{tenths // 10}.{tenths % 10}k")
    assert amount.minor == tenths * 10_000
    (again,) = amounts_in(rewrite_amount(amount, amount.minor * factor + 3_000))
    assert abs(again.minor - (amount.minor * factor + 3_000)) <= 5_000


@given(st.text(alphabet="0123456789.,' $€kKmUSDEUR\n", max_size=40))
def test_no_text_raises_and_each_find_can_be_rewritten(text: str) -> None:
    amounts = amounts_in(text)
    for amount in amounts:
        assert text[amount.start : amount.end] == amount.text
        assert amount.minor >= 0
        rewrite_amount(amount, amount.minor * 3)
    for one, other in pairwise(amounts):
        assert one.end <= other.start


@given(st.integers(1, 999), st.integers(0, 99))
def test_amounts_below_a_thousand_keep_their_side_of_the_mark(whole: int, cents: int) -> None:
    assume(whole > 0)
    (amount,) = amounts_in(f"${whole}.{cents:02d}")
    assert amount.minor == whole * 100 + cents
