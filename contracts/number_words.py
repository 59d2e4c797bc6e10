"""Numbers in words, English and German: "twelve thousand", "zwölftausendfünfhundert", read and spelt.

Belongs here: whole numbers below a thousand million. Does not belong here: what they count
(`contracts.money`).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class Language(StrEnum):
    """The languages in which numbers are read and spelt."""

    ENGLISH = "en"
    GERMAN = "de"


class SpeltNumber(NamedTuple):
    """A number in words found in text."""

    start: int
    end: int
    value: int
    step: int
    """The smallest unit named: 1000 in "twelve thousand", 1 in "twelve"."""
    language: Language


_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_EINER = (
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn"
).split()
_ZEHNER = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_ENGLISH = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * value for value, word in enumerate(_TENS, 2)
}
_GERMAN = (
    {word: value for value, word in enumerate(_EINER)}
    | {word: 10 * value for value, word in enumerate(_ZEHNER, 2)}
    | {"eins": 1, "eine": 1, "fuenf": 5, "zwoelf": 12, "fuenfzehn": 15, "dreissig": 30, "fuenfzig": 50}
)
_EN_WORD = "(?:" + "|".join(sorted([*_ENGLISH, *_SCALES], key=len, reverse=True)) + ")"
_EN_RUN = re.compile(
    rf"\b(?:an?\s+(?=hundred|thousand|million))?{_EN_WORD}(?:(?:\s+and\s+|[\s-]+){_EN_WORD})*\b", re.I
)
_DE_ATOM = "(?:" + "|".join(sorted([*_GERMAN, "hundert", "tausend", "und"], key=len, reverse=True)) + ")"
_DE_RUN = re.compile(rf"\b{_DE_ATOM}+(?:\s+(?:tausend|million(?:en)?)\b(?:\s+{_DE_ATOM}+\b)?)?(?!\w)", re.I)
SCALE_WORD = re.compile("[hHtTmM](?:undred|housand|illion|undert|ausend|UNDRED|HOUSAND|ILLION|UNDERT|AUSEND)")
"""Stands in every text with a number in words of a hundred or more."""
_HINTS = ("hundred", "thousand", "million", "hundert", "tausend")
LARGEST = 10**9


def spelt_numbers(text: str, *, small: bool = False) -> list[SpeltNumber]:
    """Returns the numbers in words that name a hundred, thousand or million, in order; all where `small`."""
    if not small and not SCALE_WORD.search(text):
        return []
    found: list[SpeltNumber] = []
    for pattern, read, language in (
        (_DE_RUN, _german_value, Language.GERMAN),
        (_EN_RUN, _english_value, Language.ENGLISH),
    ):
        for match in pattern.finditer(text):
            number = read(match.group().lower())
            named = small or any(hint in match.group().lower() for hint in _HINTS)
            apart = all(match.end() <= one.start or one.end <= match.start() for one in found)
            if number is not None and named and apart and number[0] < LARGEST:
                found.append(SpeltNumber(match.start(), match.end(), *number, language))
    return sorted(found)


def _english_value(text: str) -> tuple[int, int] | None:
    """Returns the value of English number words and the smallest unit among them."""
    words = [word for word in re.split(r"[\s-]+", text) if word != "and"]
    total = group = 0
    step, last = 1, LARGEST
    if words[0] in ("a", "an"):
        words[0] = "one"
    for word in words:
        if word in _ENGLISH:
            value = _ENGLISH[word]
            if group % 100 and not (group % 10 == 0 and group % 100 >= 20 and 0 < value < 10):
                return None  # "ten twelve" is two numbers
            group += value
            step = 1
        elif word == "hundred":
            if not 0 < group < 100:
                return None
            group *= 100
            step = 100
        else:
            scale = _SCALES[word]
            if not group or scale >= last:
                return None
            total += group * scale
            group, last, step = 0, scale, scale
    return total + group, step


def _german_value(text: str) -> tuple[int, int] | None:
    """Returns the value of a German number, written in one word or with its thousands apart."""
    bare = re.sub(r"\s+", "", text)
    before, million, rest = bare.partition("million")
    if million:
        rest = rest.removeprefix("en")
        head, tail = _below_million(before), _below_million(rest) if rest else (0, 1_000_000)
        if head is None or tail is None:
            return None
        return head[0] * 1_000_000 + tail[0], tail[1]
    return _below_million(bare)


def _below_million(text: str) -> tuple[int, int] | None:
    before, thousand, rest = text.partition("tausend")
    if not thousand:
        return _below_thousand(text)
    head = _below_thousand(before) if before else (1, 1)
    tail = _below_thousand(rest.removeprefix("und")) if rest else (0, 1_000)
    return None if head is None or tail is None else (head[0] * 1_000 + tail[0], tail[1])


def _below_thousand(text: str) -> tuple[int, int] | None:
    before, hundred, rest = text.partition("hundert")
    if not hundred:
        value = _below_hundred(text)
        return None if value is None else (value, 1)
    head = _below_hundred(before) if before else 1
    tail = _below_hundred(rest.removeprefix("und")) if rest else 0
    return None if head is None or tail is None else (head * 100 + tail, 1 if rest else 100)


def _below_hundred(text: str) -> int | None:
    if text in _GERMAN:
        return _GERMAN[text]
    one, joint, ten = text.partition("und")
    if joint and one in _GERMAN and ten in _GERMAN and _GERMAN[one] < 10 <= _GERMAN[ten]:
        return _GERMAN[one] + _GERMAN[ten]
    return None


def spell(value: int, sample: str, language: Language) -> str:
    """Returns a number below a thousand million in words, in letter case and joints of a sample.

    Raises:
        ValueError: the number is negative or too large.
    """
    if not 0 <= value < LARGEST:
        raise ValueError(f"{value} is not spelt: only numbers from 0 to {LARGEST - 1}")
    text = _in_english(value, sample) if language is Language.ENGLISH else _in_german(value, sample)
    if sample.isupper():
        return text.upper()
    return text[:1].upper() + text[1:] if sample[:1].isupper() else text


def _in_english(value: int, sample: str) -> str:
    joint = " and " if " and " in sample.lower() else " "
    parts = []
    for scale, word in ((1_000_000, "million"), (1_000, "thousand")):
        if value >= scale:
            parts.append(f"{_english_group(value // scale, joint)} {word}")
            value %= scale
    if value or not parts:
        parts.append(_english_group(value, joint))
    return " ".join(parts)


def _english_group(value: int, joint: str) -> str:
    hundreds, rest = divmod(value, 100)
    ten, one = divmod(rest, 10)
    low = _ONES[rest] if rest < 20 else _TENS[ten - 2] + (f"-{_ONES[one]}" if one else "")
    if not hundreds:
        return low
    return f"{_ONES[hundreds]} hundred" + (f"{joint}{low}" if rest else "")


def _in_german(value: int, sample: str) -> str:
    millions, rest = divmod(value, 1_000_000)
    parts = []
    if millions:
        parts.append("eine Million" if millions == 1 else f"{_german_group(millions)} Millionen")
    thousands, low = divmod(rest, 1_000)
    apart = " Tausend" if re.search(r"\stausend", sample, re.I) else "tausend"
    text = f"{_german_group(thousands)}{apart}" if thousands else ""
    if low:
        text += (" " if text and apart != "tausend" else "") + _german_group(low)
    if text or not parts:
        parts.append(text or "null")
    return " ".join(parts)


def _german_group(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    ten, one = divmod(rest, 10)
    low = _EINER[rest] if rest < 20 else (f"{_EINER[one]}und" if one else "") + _ZEHNER[ten - 2]
    text = f"{_EINER[hundreds]}hundert" if hundreds else ""
    return text + (low if rest else "")
