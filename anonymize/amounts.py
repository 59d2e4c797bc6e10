"""Money: every amount times one keyed integer, in columns and in text.

Multiplying by an integer keeps sums, differences, order and thresholds exactly. Money is masked, not
secret: who knows one amount knows the factor.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from anonymize.bare_amounts import BARE, GIVING_WORD, HEADING, MONEY_WORD, bare_amounts, bare_words
from archive.column_numbers import parse_number
from contracts.money import amounts_in, multiply_amount, rewrite_amount
from contracts.money_marks import MAY_HOLD_MONEY
from contracts.number_words import SCALE_WORD

SMALLEST, LARGEST = 2, 12
_DIGITS = re.compile(r"[.,]?\d(?:[\d.,'’ \u00a0\u202f]*\d)?")
"""The digits of a written number with the marks between them."""
MONEY_SIGNS = (MAY_HOLD_MONEY, SCALE_WORD, BARE, MONEY_WORD, GIVING_WORD, HEADING)
"""One of these stands in every text with an amount of money."""


class TextAmount(NamedTuple):
    """An amount in text and what replaces it."""

    start: int
    end: int
    replacement: str


class MoneyScale:
    """The one factor by which all money of a dataset is multiplied."""

    def __init__(self, key: bytes) -> None:
        """The factor is one of 2..12, decided by the key alone."""
        self.factor = SMALLEST + int.from_bytes(key[:8], "big") % (LARGEST - SMALLEST + 1)

    def cell(self, value: str, decimal_mark: str = ".") -> str | None:
        """Returns a money cell multiplied, in the way it is written; None where the cell is no number.

        Padding, signs, brackets, currency, percent sign, decimals, thousands and exponent stay.
        """
        if not value.strip():
            return value
        mark, before = _read(value, decimal_mark)
        match = _DIGITS.search(value)
        if match is None or before is None:
            return None
        new = value[: match.start()] + _multiplied(match.group(), mark, self.factor) + value[match.end() :]
        if len(new) > len(value) and value[0] == " ":  # numbers are set flush right
            spare = len(new) - len(new.lstrip(" "))
            new = new[min(len(new) - len(value), spare) :]
        return new if parse_number(new, mark) == before * self.factor else None

    def in_text(
        self, text: str, known: frozenset[int], exact: dict[tuple[int, int], int]
    ) -> list[TextAmount]:
        """Returns the amounts of a text with their replacements.

        Amounts with a sign, code, "k" or currency word always count, and thousands in words where no noun
        of counted things follows; for bare numbers see `bare_amounts`.
        `exact` gives the raw hundredths of the record that a shortened form at (start, end) refers to. Signs
        and brackets around stay.
        """
        found: list[TextAmount] = []
        signed = amounts_in(text)
        bare = bare_amounts(text, known, [written.start for written in signed])
        for written in [*signed, *bare, *bare_words(text, known)]:
            if any(one.start < written.end and written.start < one.end for one in found):
                continue
            minor = exact.get((written.start, written.end), written.minor)
            if written.text.isdigit():  # without a currency nothing tells how groups are marked here
                new = str(int(written.text) * self.factor)
            elif minor == written.minor or abs(minor - written.minor) > written.rounding:
                new = multiply_amount(written, self.factor)
            else:
                new = rewrite_amount(written, minor * self.factor)
            found.append(TextAmount(written.start, written.end, new))
        return sorted(found)


def parse_cell(value: str, decimal_mark: str = ".") -> Decimal | None:
    """Returns the exact number of a money cell in any common writing, or None where it holds none."""
    return _read(value, decimal_mark)[1]


def _read(value: str, usual: str) -> tuple[str, Decimal | None]:
    """Returns a cell's decimal mark and number: as its column has it, unless only the other way it is one."""
    other = "," if usual == "." else "."
    both = value.rfind(other) > value.rfind(usual) >= 0 and value.count(other) == 1
    for mark in (other, usual) if both else (usual, other):
        number = parse_number(value, mark)
        if number is not None:
            return mark, number
    return usual, None


def hundredths(value: str, decimal_mark: str = ".") -> int:
    """Returns the size of an amount in hundredths, what is below them cut off; 0 where a cell holds none."""
    number = parse_cell(value, decimal_mark)
    return 0 if number is None else int(abs(number) * 100)


def _multiplied(written: str, mark: str, factor: int) -> str:
    """Returns a number times an integer with as many decimals, thousands marked where they were."""
    whole, _, fraction = written.rpartition(mark) if mark in written else (written, "", "")
    digits = "".join(char for char in written if char.isdigit())
    separators = [char for char in whole if not char.isdigit()]
    new = str(int(digits) * factor).zfill(len(digits))
    new_whole = new[: len(new) - len(fraction)]
    if separators:
        new_whole = f"{int(new_whole or 0):,}".replace(",", separators[-1])
    return f"{new_whole}{mark}{new[len(new) - len(fraction) :]}" if mark in written else new_whole
