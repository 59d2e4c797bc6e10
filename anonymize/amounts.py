"""Money: every amount times one keyed integer, in columns and in text.

Multiplying by an integer keeps sums, differences, order and thresholds exactly. Money is masked, not
secret: who knows one amount knows the factor.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from contracts.money import WrittenAmount, amounts_in, parse_number, rewrite_amount

SMALLEST, LARGEST = 2, 12
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,2})?")
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

    def cell(self, value: str) -> str | None:
        """Returns a money cell multiplied, decimals kept; None where the cell is no plain number."""
        bare = value.strip()
        if not bare:
            return value
        if _NUMBER.fullmatch(bare):
            try:
                return str(Decimal(bare) * self.factor)
            except InvalidOperation:
                return None
        for before, behind in (("(", ")"), ("", "-"), ("+", "")):  # ledgers write "less" in these ways
            if bare.startswith(before) and bare.endswith(behind) and len(bare) > len(before + behind):
                inner = self.cell(bare[len(before) : len(bare) - len(behind)])
                return None if inner is None else f"{before}{inner}{behind}"
        negative = bare.startswith("-")
        written = re.fullmatch(r"-?(?:\d{1,3}(?:[.,' ]\d{3})*|\d+)(?:[.,]\d{1,2})?", bare)
        if written is None:
            return None
        number = bare.lstrip("-")
        minor, decimals = parse_number(number)
        amount = WrittenAmount(0, len(number), minor, number, 1 if decimals else 100)
        return ("-" if negative else "") + rewrite_amount(amount, minor * self.factor)

    def decimal(self, value: Decimal) -> Decimal:
        """Returns a decimal multiplied, scale kept."""
        return value * self.factor

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
            minor, decimals = parse_number(match.group())
            if minor in known:
                written = WrittenAmount(
                    match.start(), match.end(), minor, match.group(), 1 if decimals else 100
                )
                found.append(
                    TextAmount(written.start, written.end, rewrite_amount(written, minor * self.factor))
                )
        return sorted(found)
