"""Amounts in text without a currency: beside words for money, under such headings, or held by columns.

Belongs here: which numbers they are. Does not belong here: amounts with a currency (`contracts.money`), how
they are multiplied (`amounts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anonymize.listed_amounts import listed_amounts
from contracts.money import WrittenAmount, parse_number, worded_amount
from contracts.money_marks import NUMBER, is_other_number, stands_alone
from contracts.number_words import spelt_numbers

BARE = re.compile(
    r"\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d{2})?|\d{1,3}(?:[ \u00a0\u202f]\d{3})+[.,]\d{2}|\d+[.,]\d{2}"
)
"""A number that is written as amounts are: with two decimals, or with grouped thousands."""
_PLAIN = re.compile(r"\d{3,}")
_NAMED = re.compile(r"\d{2,}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_WORDS = (
    r"(?:(?:gehalt|gehälter|lohn|löhne|bonus|prämie|provision|betrag|beträge|umsatz|umsätze|preis|preise|summe"
    r"|kosten|saldo|guthaben|spesen|miete|honorar|abfindung|vergütung)|(?<![^\W_])(?:verdient|verdienen|kostet|gage"
    r"|salary|salaries|wages?|pay|earns?|earned|amounts?|revenue|turnover|prices?|costs?|fees?|balance"
    r"|budget|expenses|rent|commission|severance))(?![^\W_])"
)
_GETS = r"(?<![^\W_])(?:bekommt|bekommen|erhält|erhalten|gets?|receives?|zahlt|zahlen|pays|paid)(?![^\W_])"
_FILLERS = (
    r"(?:\W{1,3}(?:of|is|was|at|to|now|only|about|around|approx|von|auf|ist|war|liegt bei|beträgt|betrug"
    r"|jetzt|nur|rund|etwa|knapp|ca))*\W{1,3}\Z"
)
MONEY_WORD = re.compile(rf"{_WORDS}|(?<![^\W_])total(?![^\W_])", re.IGNORECASE)
"""Stands where a number without a currency may be an amount, in sentences and over columns of tables."""
GIVING_WORD = re.compile(rf"{_GETS}\W{{1,3}}\d", re.IGNORECASE)
HEADING = re.compile(
    rf"{_WORDS}|(?<![^\W_])(?:total|brutto|netto|gross|net|ek|vk|uvp|(?:stunden|tages)satz"
    r"|(?:einkaufs|verkaufs|waren|auftrags)wert"
    r"|(?:gehalts|lohn|preis|honorar|staffel)(?!\w*(?:gruppe|stufe|klasse|nr|nummer|liste|datum|art)\b)\w*"
    r")(?![^\W_])",
    re.IGNORECASE,
)
"""A heading over amounts in the tables of a text."""
_CLOCK_BEHIND = re.compile(r"\s?(?:uhr|h|am|pm|a\.m|p\.m)\b", re.IGNORECASE)
_CLOCK_BEFORE = re.compile(r"(?<!\w)(?:um|ab|bis|gegen|at|until|till|from)\s\Z", re.IGNORECASE)
_DAY = re.compile(r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])")
_MONEY_BEFORE = re.compile(_WORDS + _FILLERS, re.IGNORECASE)
_GETS_BEFORE = re.compile(_GETS + r"\W{1,3}\Z", re.IGNORECASE)
_LONGEST_BEFORE = 40
_LEAST_GIVEN = 4
"""Digits of a number behind a word for getting, which mails and visitors follow as well."""
_LEAST_WORDED = 1_000


def bare_amounts(text: str, known: frozenset[int], signed: Iterable[int] = ()) -> Iterator[WrittenAmount]:
    """Yields the numbers without a currency that are amounts.

    A number counts right behind a word for money or under a heading that has one; a number that is written as
    amounts are (decimals, groups) in a line that speaks of money, be it by a word or by an amount with a
    currency (where those begin is `signed`): never some of a line alone, which would give the factor away.
    Elsewhere it counts where `known` holds it, the amounts of money columns in hundredths.
    """
    worded = MONEY_WORD.search(text) is not None
    given = GIVING_WORD.search(text) is not None
    headed = HEADING.search(text) is not None
    signed = tuple(signed)
    if not (known or worded or given or headed or signed):
        return
    listed = set()
    if headed:
        listed = {(cell.start, cell.end) for cell in listed_amounts(text, is_money_heading, _is_number)}
    for match in NUMBER.finditer(text):
        start, end = match.span()
        number = match.group()
        if _is_glued(text, start, end):
            continue
        minor, decimals = parse_number(number)
        other = is_other_number(text, start, end)
        sure = (start, end) in listed or (
            not other and _is_named(text, start, end, worded=worded, given=given)
        )
        may = worded or given or bool(signed)
        sure = sure or (may and not other and _is_in_line(text, start, end, signed))
        if sure or (minor in known and _may_be_known(text, start, end, worded=worded, other=other)):
            yield WrittenAmount(start, end, minor, number, 1 if decimals else 100)


def _is_in_line(text: str, start: int, end: int, signed: Iterable[int]) -> bool:
    """Says whether a number is written as an amount, and its line speaks of money."""
    number = text[start:end]
    if not BARE.fullmatch(number) or _is_time(text, start, end):
        return False
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    return (
        any(first <= place < last for place in signed)
        or MONEY_WORD.search(text, first, last) is not None
        or GIVING_WORD.search(text, first, last) is not None
    )


def _is_time(text: str, start: int, end: int) -> bool:
    """Says whether a number is a time of day ("14.30 Uhr") or a day ("am 12.03.")."""
    if _CLOCK_BEHIND.match(text, end) or _CLOCK_BEFORE.search(text, max(0, start - 8), start):
        return True
    return _DAY.fullmatch(text, start, end) is not None and text[end : end + 1] == "."


def _may_be_known(text: str, start: int, end: int, *, worded: bool, other: bool) -> bool:
    """Says whether a number that a money column holds is that amount here."""
    number = text[start:end]
    plain = worded and _PLAIN.fullmatch(number) is not None
    named = plain and _is_behind(_MONEY_BEFORE, text, start)
    if text[start - 1 : start] == ":" or (plain and not named and _YEAR.fullmatch(number)):
        return False
    return (plain or BARE.fullmatch(number) is not None) and (named or not other)


def is_money_heading(heading: str) -> bool:
    """Says whether a heading has a word for money."""
    return HEADING.search(heading.replace("_", " ")) is not None


def _is_number(cell: str) -> bool:
    return NUMBER.fullmatch(cell) is not None


def _is_named(text: str, start: int, end: int, *, worded: bool, given: bool) -> bool:
    number = text[start:end]
    if _YEAR.fullmatch(number) or not (BARE.fullmatch(number) or stands_alone(text, end)):
        return False
    if (
        worded
        and (_NAMED.fullmatch(number) or BARE.fullmatch(number))
        and _is_behind(_MONEY_BEFORE, text, start)
    ):
        return True
    digits = sum(char.isdigit() for char in number)
    return given and digits >= _LEAST_GIVEN and _is_behind(_GETS_BEFORE, text, start)


def _is_behind(before: re.Pattern[str], text: str, start: int) -> bool:
    return before.search(text, max(0, start - _LONGEST_BEFORE), start) is not None


def _is_glued(text: str, start: int, end: int) -> bool:
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    return (
        before[-1:].isalnum()
        or before[-1:] in ("_", "/")
        or (before[-1:] == "-" and before[:-1].isalnum())
        or behind[:1].isalnum()
        or behind[:1] == "_"
        or (behind[:1] in ("/", ":", "-") and behind[1:].isalnum())
    )


def bare_words(text: str, known: frozenset[int]) -> Iterator[WrittenAmount]:
    """Yields thousands in words that count nothing, or that money columns hold."""
    for number in spelt_numbers(text):
        if number.value >= _LEAST_WORDED and (stands_alone(text, number.end) or number.value * 100 in known):
            yield worded_amount(text, number, number.end)
