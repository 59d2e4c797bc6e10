"""Money: every amount times one keyed integer, in columns and in text.

Multiplying by an integer keeps sums, differences, order and thresholds exactly. Money is masked, not
secret: who knows one amount knows the factor.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from archive.column_numbers import parse_number
from contracts.money import WrittenAmount, amounts_in, rewrite_amount
from contracts.money import parse_number as parse_text_number

SMALLEST, LARGEST = 2, 12
_DIGITS = re.compile(r"[.,]?\d(?:[\d.,'’ \u00a0\u202f]*\d)?")
"""The digits of a written number with the marks between them."""
_BARE = re.compile(r"(?<![\w.,/:-])(?:\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+\.\d{2})(?![\w%]|[.,/:-]\d)")


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

        Amounts with a sign, code or "k" always count; a bare number counts where it has two decimals or
        grouped thousands and `known` holds it (amounts of money columns, in hundredths). `exact` gives
        the raw hundredths of the record that a shortened form at (start, end) refers to.
        """
        found = []
        for written in amounts_in(text):
            minor = exact.get((written.start, written.end), written.minor)
            if abs(minor - written.minor) > written.rounding:
                minor = written.minor
            found.append(TextAmount(written.start, written.end, rewrite_amount(written, minor * self.factor)))
        taken = [(amount.start, amount.end) for amount in found]
        for match in _BARE.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            minor, decimals = parse_text_number(match.group())
            if minor in known:
                written = WrittenAmount(
                    match.start(), match.end(), minor, match.group(), 1 if decimals else 100
                )
                found.append(
                    TextAmount(written.start, written.end, rewrite_amount(written, minor * self.factor))
                )
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
