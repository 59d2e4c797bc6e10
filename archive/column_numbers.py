"""Numbers as exports write them: decimal marks, thousands, signs and currencies, decided from a whole column.

Belongs here: how the numbers of a column are written and reading one of them. Does not belong here: what they
mean (`archive.columns`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from archive.missing_marks import typed_marks

_FEW = 20
_PEEK = 60
_LOOKED_AT = 5_000
"""First values among which those are that decide whether a column can hold numbers."""
_CODES = r"US\$|C\$|A\$|R\$|[$€£¥₹₽]|CHF|EUR|USD|GBP|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|Fr\.|kr\.?|zł"
_CELL = re.compile(
    rf"(?P<open>\()? ?(?P<s1>[+\-−]?) ?(?P<c1>{_CODES})? ?(?P<s2>[+\-−]?)(?P<slash>/)?"
    r"(?P<n>\d++(?:[.,'’ ]\d++)*+|[.,]\d++)(?P<e>[eE][+\-]?\d{1,3})?"
    rf" ?(?P<pct>[%‰])? ?(?P<c2>{_CODES})? ?(?P<s3>[+\-−]?) ?(?P<close>\))?"
)
"""Of a cell whose spaces are single plain ones; no part of it can be read in two ways: it is linear."""
_LONGEST = 64
"""Characters of a written number."""
_MARKS = re.compile(r"[.,]")
_SPACES = " '’"
_NAMED = {
    "$": "USD",
    "US$": "USD",
    "€": "EUR",
    "£": "GBP",
    "Fr.": "CHF",
    "C$": "CAD",
    "A$": "AUD",
    "zł": "PLN",
}


class NumberReading(NamedTuple):
    """How the numbers of a column are written."""

    decimal_mark: str
    """"." or ","."""
    group_mark: str
    """Mark between thousands, "" for none."""
    decimals: int
    """Most decimals of any cell, trailing zeros counted; a ".0" behind every whole number is none."""
    whole: bool
    """Every number is whole."""
    digits: tuple[int, int]
    """Fewest and most digits before the decimal mark."""
    low: Decimal
    high: Decimal
    confident: bool
    reason: str
    floats: bool = False
    """Whole numbers written with ".0", as spreadsheets leave ids."""
    zeros: bool = False
    """Some begin with a zero that a number has no need of."""
    percent: bool = False
    inverse: bool = False
    """Some are written "/3.7434": one divided by it."""
    currency: str | None = None
    """Code of the one currency written in the cells."""
    missing: tuple[str, ...] = ()
    outliers: tuple[str, ...] = ()


def read_numbers(
    values: Sequence[str], counts: Mapping[str, int] | None = None, prefer: str = ""
) -> NumberReading | None:
    """Returns how the numbers of a column are written, decided from all of its cells; None where it has none.

    Args:
        values: the cells that are not empty, or the distinct ones.
        counts: how often each value stands in the column; once each when None.
        prefer: decimal mark of other columns of the table, where known.
    """
    if not look_like_numbers(values):
        return None
    distinct = list(dict.fromkeys(stripped for value in values if (stripped := value.strip())))
    missing = typed_marks(distinct)
    cells = [cell for cell in distinct if cell not in missing] if missing else distinct
    matches = {cell: match for cell in cells if (match := _match(cell)) is not None and _is_sound(match)}
    if not matches:
        return None
    mark, group, confident, reason = _marks([match["n"] for match in matches.values()], prefer)
    amounts = {cell: amount for cell in matches if (amount := parse_number(cell, mark)) is not None}
    outliers = tuple(cell for cell in cells if cell not in amounts)
    strayed = sum(1 if counts is None else counts.get(cell, 1) for cell in outliers)
    total = len(cells) if counts is None else sum(counts.get(cell, 1) for cell in cells)
    if not amounts or (strayed and (strayed >= _FEW or strayed * 100 >= total)):
        return None
    wholes = [_split(matches[cell]["n"], mark) for cell in amounts]
    whole = all(amount == amount.to_integral_value() for amount in amounts.values())
    decimals = max(len(fraction) for _, fraction in wholes)
    floats = whole and decimals == 1 and all(fraction == "0" for _, fraction in wholes)
    coins = {match["c1"] or match["c2"] for match in matches.values()}
    coin = next(iter(coins)) if len(coins) == 1 else None
    return NumberReading(
        mark,
        group,
        0 if floats else decimals,
        whole,
        (min(len(w) for w, _ in wholes), max(len(w) for w, _ in wholes)),
        min(amounts.values()),
        max(amounts.values()),
        confident,
        reason,
        floats=floats,
        zeros=any(len(w) > 1 and w.startswith("0") for w, _ in wholes),
        percent=any(match["pct"] for match in matches.values()),
        inverse=any(match["slash"] for match in matches.values()),
        currency=_NAMED.get(coin, coin if coin.isalpha() and len(coin) == 3 else None) if coin else None,
        missing=missing,
        outliers=outliers,
    )


def look_like_numbers(values: Sequence[str]) -> bool:
    """Says whether the first cells look like numbers: at least four of five."""
    first = values[:_LOOKED_AT]
    marks = typed_marks(first)
    peek = list(dict.fromkeys(cell for value in first if (cell := value.strip()) and cell not in marks))[
        :_PEEK
    ]
    return bool(peek) and sum(_match(cell) is not None for cell in peek) * 5 >= len(peek) * 4


def parse_number(text: str, decimal_mark: str = ".", missing: Collection[str] = ()) -> Decimal | None:
    """Returns the exact number of a cell, or None where it holds none.

    Padding, thousands, currencies and a percent sign do not count; "(12.00)" and "12.00-" are negative;
    "/3.7434" is one divided by it, as SAP writes indirect exchange rates.

    Args:
        text: the cell as the system wrote it.
        decimal_mark: of the column.
        missing: written values that stand for no value.
    """
    match = None if text.strip() in missing else _match(text)
    if match is None or not _is_sound(match):
        return None
    whole, fraction = _split(match["n"], decimal_mark)
    other = "," if decimal_mark == "." else "."
    parts = re.sub(r"[ '’]", "", match["n"]).partition(decimal_mark)[0].split(other)
    if len(parts) > 1 and (not 1 <= len(parts[0]) <= 3 or any(len(part) != 3 for part in parts[1:])):
        return None
    try:
        number = Decimal(
            f"{whole or '0'}.{fraction or '0'}{match['e'] or ''}" if fraction or match["e"] else whole
        )
    except InvalidOperation:
        return None
    if match["slash"]:
        return None if number == 0 else 1 / number
    negative = (
        bool(match["open"]) or "-" in (signs := match["s1"] + match["s2"] + match["s3"]) or "−" in signs
    )
    return -number if negative else number


def _match(cell: str) -> re.Match[str] | None:
    return _CELL.fullmatch(" ".join(cell.split())) if len(cell) <= _LONGEST else None


def _is_sound(match: re.Match[str]) -> bool:
    """Says whether brackets close, signs stand once and marks between thousands stand before three digits."""
    if bool(match["open"]) != bool(match["close"]):
        return False
    if sum(bool(match[part]) for part in ("s1", "s2", "s3", "open")) > 1:
        return False
    groups = re.split(r"[ '’]", match["n"])
    if len(groups) > 1 and not (
        len(groups[0]) <= 3 and all(re.match(r"\d{3}(?![0-9])", part) for part in groups[1:])
    ):
        return False
    marks = _MARKS.findall(match["n"])
    if len(marks) < 2:
        return True
    repeated = marks[0]
    head = match["n"].split(repeated)
    inner = head[1:-1] if marks[-1] != repeated else head[1:]
    last = head[-1]
    if marks[-1] != repeated:
        if marks.count(marks[-1]) > 1 or marks[:-1].count(marks[-1]):
            return False
        inner = [*inner, re.split(r"[.,]", last)[0]]
    return len(head[0]) <= 3 and all(len(part) == 3 for part in inner)


def _marks(numbers: list[str], prefer: str) -> tuple[str, str, bool, str]:
    """The decimal mark, the mark between thousands, whether that is sure, and why."""
    votes = {".": 0, ",": 0}
    groups: set[str] = set()
    doubtful: set[str] = set()
    plain_thousands = False
    for number in numbers:
        groups |= {mark for mark in _SPACES if mark in number}
        marks = _MARKS.findall(number)
        if not marks:
            plain_thousands = plain_thousands or len(number) > 3
            continue
        last, tail = marks[-1], re.split(r"[.,]", number)[-1]
        if len(set(marks)) == 2:
            votes[last] += 1
            groups.add(marks[0])
        elif len(marks) > 1:
            groups.add(last)
            votes["," if last == "." else "."] += 1
        elif len(tail) != 3 or number[0] in "0.," or len(number) > 7:
            votes[last] += 1
        else:
            doubtful.add(last)
    group = next((mark for mark in (".", ",", *_SPACES) if mark in groups), "")
    if votes[","] > votes["."]:
        return ",", group if group != "," else "", votes["."] == 0, "numbers end in a comma and decimals"
    if votes["."]:
        told = "numbers end in a point and decimals"
        return ".", group if group != "." else "," if "," in doubtful else "", votes[","] == 0, told
    if doubtful and prefer:
        return (
            prefer,
            next((mark for mark in doubtful if mark != prefer), group),
            True,
            "as in the other columns",
        )
    if "," in doubtful and "." not in doubtful:
        return ".", ",", not plain_thousands, "three digits follow every comma: thousands"
    if "." in doubtful:
        return ".", group, False, "three digits follow every point: decimals by habit"
    return ".", group, True, "no number has decimals"


def _split(number: str, decimal_mark: str) -> tuple[str, str]:
    bare = re.sub(r"[ '’]", "", number)
    other = "," if decimal_mark == "." else "."
    whole, _, fraction = bare.replace(other, "").partition(decimal_mark)
    if decimal_mark in fraction:
        return re.sub(r"[.,]", "", bare), ""
    return whole, fraction
