"""Amounts of money in written forms: read from text, written back in the same form.

Amounts are integers in the smallest unit (cents). One parser serves the links between mails and
ledgers, the replacement of amounts in text, and extraction. Signs and units are in `contracts.money_marks`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from contracts.money_marks import (
    AFTER,
    BEFORE,
    BETWEEN,
    GROUP_MARKS,
    NAMED_BEHIND,
    NUMBER,
    OPENS_AFTER,
    OPENS_RANGE,
    RANGE,
    SIGN_ENDS,
    UNITS,
    counts_things,
    is_length,
    stands_alone,
)
from contracts.number_words import LARGEST, Language, SpeltNumber, spell, spelt_numbers

_LONGEST_SIGN = 16
"""Characters in front of a number among which its sign is sought."""
_PLAIN_SHORT = re.compile(r"\d+(?:[.,]\d{1,2})?")
_DIGIT = re.compile(r"\d")
_SPACES = re.compile(r"['’ \u00a0\u202f\u2009]")


class WrittenAmount(NamedTuple):
    """An amount found in text."""

    start: int
    end: int
    minor: int
    """Amount in the smallest unit."""
    text: str
    rounding: int
    """Smallest unit in which the text states it: 1 for cents, 100 for whole units, 10000 for "12.3k"."""
    number: str = ""
    """The number alone, as it stands in `text`; empty where the text is one."""
    place: int = 0
    """Where the number stands in `text`."""
    unit: int = 1
    """How many whole units the number counts: 1000 for "12.3k"."""
    words: Language | None = None
    """Language of a number in words."""


class _Seen(NamedTuple):
    """A number with what stands around it."""

    start: int
    end: int
    number: str
    place: int
    unit: int
    signed: bool
    amount: bool


def amounts_in(text: str) -> list[WrittenAmount]:
    """Returns the amounts that a text names with a currency sign, code, word or a "k" form, in order.

    Both ends of a range are amounts. A sign or bracket that makes an amount negative stays outside of it.
    """
    found = _from_digits(text) if _DIGIT.search(text) else []
    spelt = [_from_words(text, number) for number in _money_in_words(text)]
    return sorted([*found, *spelt]) if spelt else found


def _from_digits(text: str) -> list[WrittenAmount]:
    seen: list[_Seen] = []
    done = 0
    for match in NUMBER.finditer(text):
        one = _around(text, match.start(), match.end(), done)
        if one is not None:
            seen.append(one)
            done = one.end
    return [_amount(text, one) for one in _with_ranges(text, seen) if one.amount]


def _around(text: str, start: int, end: int, done: int) -> _Seen | None:
    """Returns a number with its sign and unit; None where it is a piece of a word."""
    number = text[start:end]
    before = None
    if text[max(0, start - 3) : start].rstrip(" \u00a0\u202f\n\t(-−")[-1:] in SIGN_ENDS:
        before = BEFORE.search(text, max(done, start - _LONGEST_SIGN), start)
    if before is not None and before["soft"] and not _group_mark(number):
        before = None
    if before is None and start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return None
    after = AFTER.match(text, end) if OPENS_AFTER.match(text, end) else None
    dash, short, sign = (after["dash"], after["short"], after["sign"]) if after else (None, None, None)
    unit = _unit(before, short, sign if before is None else None)
    first = start if before is None else before.start()
    if before is not None or sign:
        last = after.end() if after and before is None else end
        if before is not None and after:
            last = after.end("short") if short else after.end("dash") if dash else end
        if before is None or last > end or not _goes_on(text, end):
            return _Seen(first, last, number, start - first, unit, signed=True, amount=True)
        return None
    if short and after:
        stop = after.end("short")
        if _is_bare_short(text, number, short, after["gap"], stop):
            return _Seen(start, stop, number, 0, unit, signed=False, amount=True)
        return None
    if dash and dash[0] == "," and after:
        return _Seen(start, after.end("dash"), number, 0, 1, signed=False, amount=True)
    return None if _goes_on(text, end) else _Seen(start, end, number, 0, 1, signed=False, amount=False)


def _goes_on(text: str, end: int) -> bool:
    return end < len(text) and (text[end].isalnum() or text[end] == "_")


def _unit(before: re.Match[str] | None, short: str | None, sign: str | None) -> int:
    """Returns how many whole units a number counts: by "k" or "Mio.", or by "T" in "TEUR"."""
    named = short or (before and (before["short1"] or before["short2"]))
    if named:
        return UNITS[named.strip(" .").lower()]
    written = (before["sign"] if before else sign) or ""
    lettered = written[:1] in "TkKM" and written[1:] in ("€", "$", "EUR", "USD", "CHF", "GBP")
    return UNITS[written[0].lower()] if lettered else 1


def _is_bare_short(text: str, number: str, short: str, gap: str, end: int) -> bool:
    """Says whether a number with a unit but without a currency is money."""
    if not _PLAIN_SHORT.fullmatch(number):
        return False
    if short in ("k", "K"):
        return (not gap or short == "k") and not counts_things(text, end)
    if short in ("m", "M"):
        return not gap and not number.isdigit() and not is_length(text, end) and not counts_things(text, end)
    return stands_alone(text, end)


def _with_ranges(text: str, seen: list[_Seen]) -> list[_Seen]:
    """Returns numbers with what they have from the other end of a range: "€12-15k", "12 bis 15 TEUR"."""
    result = list(seen)
    for place, (one, other) in enumerate(pairwise(seen)):
        if one.amount is other.amount and not (one.unit == 1 < other.unit):
            continue
        joint = text[one.end : other.start]
        opened = OPENS_RANGE.search(text, max(0, one.start - 20), one.start + one.place)
        if not (RANGE.fullmatch(joint) or (opened and BETWEEN.fullmatch(joint))):
            continue
        if other.amount:
            smaller = parse_number(one.number)[0] <= parse_number(other.number)[0]
            unit = other.unit if one.unit == 1 and smaller else one.unit
            result[place] = one._replace(unit=unit, amount=True)
        elif (
            one.signed and stands_alone(text, other.end) and text[other.end : other.end + 1] not in ("-", "/")
        ):
            result[place + 1] = other._replace(unit=one.unit, amount=True)
    return result


def _amount(text: str, one: _Seen) -> WrittenAmount:
    minor, decimals = parse_number(one.number)
    rounding = (1 if decimals else 100) if one.unit == 1 else max(1, 100 * one.unit // 10**decimals)
    return WrittenAmount(
        one.start,
        one.end,
        minor * one.unit,
        text[one.start : one.end],
        rounding,
        one.number,
        one.place,
        one.unit,
    )


def _money_in_words(text: str) -> list[SpeltNumber]:
    return [number for number in spelt_numbers(text) if NAMED_BEHIND.match(text, number.end)]


def _from_words(text: str, number: SpeltNumber) -> WrittenAmount:
    named = NAMED_BEHIND.match(text, number.end)
    return worded_amount(text, number, number.end if named is None else named.end())


def worded_amount(text: str, number: SpeltNumber, end: int) -> WrittenAmount:
    """Returns a number in words as an amount that ends at a place behind it."""
    return WrittenAmount(
        number.start,
        end,
        number.value * 100,
        text[number.start : end],
        number.step * 100,
        text[number.start : number.end],
        0,
        1,
        number.language,
    )


def parse_number(text: str) -> tuple[int, int]:
    """Returns the value in hundredths and the number of decimals of a written number in either style.

    "1,234.50" and "1.234,50" give (123450, 2); "1,234" is a thousand (a lone group of three), "12.5" has
    one decimal.
    """
    bare = _SPACES.sub("", text.strip())
    last = max(bare.rfind("."), bare.rfind(","))
    if last == -1:
        return int(bare) * 100, 0
    tail = bare[last + 1 :]
    separator = bare[last]
    grouped = len(tail) == 3 and (bare.count(separator) > 1 or separator != "." or bare.count(",") == 0)
    if grouped and (bare.count(separator) > 1 or (len(bare[:last]) <= 3 and bare[0] != "0")):
        return int(re.sub(r"[.,]", "", bare)) * 100, 0
    whole = int(re.sub(r"[.,]", "", bare[:last]) or "0")
    decimals = len(tail)
    return whole * 100 + int((tail + "00")[:2] or "0"), min(decimals, 2)


def rewrite_amount(written: WrittenAmount, minor: int) -> str:
    """Returns another amount in the written form of the found one (sign, separators, decimals, "k").

    A shortened form is rounded to as many digits as it takes to stay within half of its own unit.
    """
    number = written.number or written.text
    if written.words is not None:
        step = written.rounding
        return _placed(written, _spelt(written, (minor + step // 2) // step * step // 100))
    decimals = parse_number(number)[1]
    if written.unit > 1:
        unit = 100 * written.unit
        return _placed(
            written, _laid(number, (minor * 10**decimals + unit // 2) // unit, decimals, short=True)
        )
    decimals = 2 if decimals else 0
    return _placed(written, _laid(number, minor if decimals else minor // 100, decimals, short=False))


def multiply_amount(written: WrittenAmount, factor: int) -> str:
    """Returns an amount times a whole number in the written form, exactly, with as many decimals."""
    number = written.number or written.text
    if written.words is not None:
        return _placed(written, _spelt(written, written.minor * factor // 100))
    decimals = _decimals(number)
    digits = int("".join(char for char in number if char.isdigit()))
    return _placed(written, _laid(number, digits * factor, decimals, short=written.unit > 1))


def _spelt(written: WrittenAmount, value: int) -> str:
    if value >= LARGEST:
        return f"{value:,}"
    return spell(value, written.number, written.words or Language.ENGLISH)


def _placed(written: WrittenAmount, number: str) -> str:
    size = len(written.number) or len(written.text)
    return written.text[: written.place] + number + written.text[written.place + size :]


def _laid(sample: str, scaled: int, decimals: int, *, short: bool) -> str:
    """Returns a whole number with so many of its digits behind the mark, grouped as a sample is.

    A sample too small for groups gets some when the new number needs them, unless its unit is a short one.
    """
    whole, fraction = divmod(scaled, 10**decimals)
    mark = _decimal_mark(sample)
    group = _group_mark(sample)
    plain = not group and (short or re.match(r"\d{4,}", sample))
    text = f"{whole:,}".replace(",", "" if plain else (group or ("." if mark == "," else ",")))
    return f"{text}{mark}{fraction:0{decimals}d}" if decimals else text


def _decimals(number: str) -> int:
    """Returns how many digits stand behind the decimal mark."""
    if not parse_number(number)[1]:
        return 0
    return len(re.split(r"[.,]", number)[-1])


def _decimal_mark(sample: str) -> str:
    if not parse_number(sample)[1]:
        return "."
    return sample[max(sample.rfind("."), sample.rfind(","))]


def _group_mark(sample: str) -> str:
    match = re.match(rf"\d{{1,3}}([{GROUP_MARKS}])\d{{3}}(?!\d)", sample)
    return match[1] if match and parse_number(sample)[0] >= 100_000 else ""
