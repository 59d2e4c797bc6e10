"""Amounts of money in written forms: read from text, written back in the same form.

Amounts are integers in the smallest unit (cents). One parser serves the links between mails and
ledgers, the replacement of amounts in text, and extraction.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = r"\d{1,3}(?:[.,' \u00a0]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{1,2})?"
_SIGN = r"US\$|\$|€|£|USD|EUR|GBP|CHF|CAD"
MONEY = re.compile(
    rf"(?<![\w.,])(?:(?P<before>{_SIGN})\s?(?P<n1>{_NUMBER})(?P<short1>\s?[kKmM]\b)?"
    rf"|(?P<n2>{_NUMBER})(?P<short2>\s?[kKmM])?\s?(?P<after>{_SIGN}|dollars|euros)"
    rf"|(?P<n3>\d+(?:[.,]\d)?)(?P<short3>[kK])\b)(?![\w])"
)
_SHORT_UNITS = {"k": 1_000, "m": 1_000_000}


class WrittenAmount(NamedTuple):
    """An amount found in text."""

    start: int
    end: int
    minor: int
    """Amount in the smallest unit."""
    text: str
    rounding: int
    """Smallest unit in which the text states it: 1 for cents, 100 for whole units, 10000 for "12.3k"."""


def amounts_in(text: str) -> list[WrittenAmount]:
    """Returns the amounts that a text names with a currency sign, code or a "k" form, in order."""
    found = []
    for match in MONEY.finditer(text):
        number = match["n1"] or match["n2"] or match["n3"]
        short = (match["short1"] or match["short2"] or match["short3"] or "").strip().lower()
        minor, decimals = parse_number(number)
        if short:
            scale = _SHORT_UNITS[short]
            found.append(
                WrittenAmount(
                    match.start(), match.end(), minor * scale, match.group(), 100 * scale // 10**decimals
                )
            )
        else:
            found.append(
                WrittenAmount(match.start(), match.end(), minor, match.group(), 1 if decimals else 100)
            )
    return found


def parse_number(text: str) -> tuple[int, int]:
    """Returns the value in hundredths and the number of decimals of a written number in either style.

    "1,234.50" and "1.234,50" give (123450, 2); "1,234" is a thousand (a lone group of three), "12.5" has
    one decimal.
    """
    bare = re.sub(r"[' \u00a0]", "", text.strip())
    last = max(bare.rfind("."), bare.rfind(","))
    if last == -1:
        return int(bare) * 100, 0
    tail = bare[last + 1 :]
    separator = bare[last]
    grouped = len(tail) == 3 and (bare.count(separator) > 1 or separator != "." or bare.count(",") == 0)
    if grouped and (bare.count(separator) > 1 or len(bare[:last]) <= 3):
        return int(re.sub(r"[.,]", "", bare)) * 100, 0
    whole = int(re.sub(r"[.,]", "", bare[:last]) or "0")
    decimals = len(tail)
    return whole * 100 + int((tail + "00")[:2] or "0"), min(decimals, 2)


def rewrite_amount(written: WrittenAmount, minor: int) -> str:
    """Returns another amount in the written form of the found one (sign, separators, decimals, "k").

    A shortened form is rounded to as many digits as it takes to stay within half of its own unit.
    """
    match = MONEY.match(written.text)
    number = written.text if match is None else (match["n1"] or match["n2"] or match["n3"])
    return written.text.replace(number, _format_like(number, minor, written.rounding), 1)


def _format_like(sample: str, minor: int, rounding: int) -> str:
    if rounding > 100 or re.search(r"\d[kKmM]", sample):
        unit, decimals = _short_unit(sample, rounding)
        scaled = (minor * 10**decimals + unit // 2) // unit
        whole, fraction = divmod(scaled, 10**decimals)
        mark = "," if "," in sample else "."
        return f"{whole}{mark}{fraction:0{decimals}d}" if decimals else str(whole)
    whole, cents = divmod(minor, 100)
    decimal_mark = _decimal_mark(sample)
    has_decimals = rounding == 1
    group = _group_mark(sample, decimal_mark if has_decimals else "")
    plain_large = not group and re.match(r"\d{4,}", sample)
    text = f"{whole:,}".replace(",", "" if plain_large else (group or ("." if decimal_mark == "," else ",")))
    if has_decimals:
        return f"{text}{decimal_mark}{cents:02d}"
    return text


def _short_unit(sample: str, rounding: int) -> tuple[int, int]:
    decimals = len(re.split(r"[.,]", sample)[1]) if re.search(r"[.,]", sample) else 0
    return rounding * 10**decimals, decimals


def _decimal_mark(sample: str) -> str:
    match = re.search(r"([.,])\d{1,2}$", sample)
    return match[1] if match else "."


def _group_mark(sample: str, decimal_mark: str) -> str:
    match = re.search(r"\d([., '\u00a0])\d{3}", sample)
    return match[1] if match and match[1] != decimal_mark else ""
