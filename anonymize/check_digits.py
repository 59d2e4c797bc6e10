"""Check digits of official numbers: which digits of a number may change, and whether it is right.

Belongs here: VAT numbers of the EU, Switzerland and Britain, LEI, Luhn and IBAN sums. Does not belong here:
what replaces a number (`identifiers`) and where numbers stand in text (`recognizers.registers`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

FEWEST_IBAN_DIGITS = 8
IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "CH": 21,
    "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "ES": 24, "FI": 18, "FO": 18,
    "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IS": 26, "IT": 27, "KW": 30, "KZ": 20, "LB": 28, "LI": 21, "LT": 20, "LU": 20, "LV": 21,
    "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24,
    "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24,
    "SM": 27, "TN": 24, "TR": 26, "UA": 29, "VG": 24, "XK": 20,
}  # fmt: skip


class OfficialNumber(NamedTuple):
    """A number of a known kind, without blanks and marks."""

    start: int
    end: int
    """The digits that tell whose it is."""
    right: bool
    """Whether its check digits are those of its other digits."""


def luhn_digit(digits: str) -> int:
    """Returns the Luhn check digit of a number without it."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return -total % 10


def is_luhn(digits: str) -> bool:
    """Says whether the last digit of a number is its Luhn digit."""
    return len(digits) > 1 and luhn_digit(digits[:-1]) == int(digits[-1])


def mod97(text: str) -> int:
    """Returns letters and digits, letters read as 10..35, modulo 97 (ISO 7064)."""
    return int("".join(str(int(char, 36)) for char in text)) % 97


def iban_check(country: str, account: str) -> int:
    """Returns the ISO 13616 check digits of an account as a number in 2..98."""
    return 98 - mod97(account + country + "00")


def is_iban_shaped(closed: str) -> bool:
    """Says whether upper-case letters and digits have the length that IBANs have in their country."""
    return (
        IBAN_LENGTHS.get(closed[:2]) == len(closed)
        and closed[2:4].isdigit()
        and closed.isascii()
        and closed.isalnum()
        and sum(char.isdigit() for char in closed[4:]) >= FEWEST_IBAN_DIGITS
    )


def official_number(value: str) -> OfficialNumber | None:
    """Returns what a closed, upper-case number is, or None where no kind has its shape."""
    for shape, is_right in _VAT:
        match = shape.fullmatch(value)
        if match is not None:
            return OfficialNumber(*match.span(1), is_right(match[1]))
    return None


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _de(digits: str) -> bool:
    product = 10
    for char in digits[:8]:
        product = 2 * ((int(char) + product) % 10 or 10) % 11
    return (11 - product) % 10 == int(digits[8])


def _at(digits: str) -> bool:
    doubled = sum(sum(divmod(int(char) * 2, 10)) for char in digits[1:6:2])
    return (96 - sum(int(char) for char in digits[:7:2]) - doubled) % 10 == int(digits[7])


def _nl(digits: str) -> bool:
    return _weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2)) % 11 == int(digits[8])


def _che(digits: str) -> bool:
    return -_weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4)) % 11 == int(digits[8])


def _gb(digits: str) -> bool:
    rest = (_weighted(digits, (8, 7, 6, 5, 4, 3, 2)) + int(digits[7:9])) % 97
    return rest in (0, 42)


def _fr(digits: str) -> bool:
    return is_luhn(digits[2:]) and (12 + 3 * (int(digits[2:]) % 97)) % 97 == int(digits[:2])


def _pl(digits: str) -> bool:
    return _weighted(digits, (6, 5, 7, 2, 3, 4, 5, 6, 7)) % 11 == int(digits[9])


def _fi(digits: str) -> bool:
    return -_weighted(digits, (7, 9, 10, 5, 8, 4, 2)) % 11 == int(digits[7])


def _pt(digits: str) -> bool:
    rest = -_weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if rest > 9 else rest) == int(digits[8])


_VAT: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (re.compile(r"DE(\d{9})"), _de),
    (re.compile(r"ATU(\d{8})"), _at),
    (re.compile(r"CHE(\d{9})"), _che),
    (re.compile(r"(?:GB|XI)(\d{9})(?:\d{3})?"), _gb),
    (re.compile(r"NL(\d{9})B\d\d"), _nl),
    (re.compile(r"FR(\d{11})"), _fr),
    (re.compile(r"BE(\d{10})"), lambda n: n[0] in "01" and 97 - int(n[:8]) % 97 == int(n[8:])),
    (re.compile(r"IT(\d{11})"), is_luhn),
    (re.compile(r"SE(\d{10})01"), is_luhn),
    (re.compile(r"PL(\d{10})"), _pl),
    (re.compile(r"DK(\d{8})"), lambda n: _weighted(n, (2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0),
    (re.compile(r"FI(\d{8})"), _fi),
    (re.compile(r"LU(\d{8})"), lambda n: int(n[:6]) % 89 == int(n[6:])),
    (re.compile(r"PT(\d{9})"), _pt),
)
"""Shape with the digits that are permuted, and their check. Other countries' letters say too little."""
