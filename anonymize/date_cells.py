"""Date cells: a written date of a column's form, moved by the offset of the dataset and written as it was.

Belongs here: single cells of dated columns, month names in the language of a cell. Does not belong here: the
offset itself and dates in text (`dates`), which form a column has (`archive.times`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date as Day
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from anonymize.forms import ascii_text
from anonymize.words import word_list
from archive.date_forms import EPOCH, EPOCH_MS, EXCEL, form_pattern, full_year, month_number, parse_written
from archive.missing_marks import ALL_MARKS

OPEN_END = 9999
"""Year by which systems say "for ever"; such a date tells nothing and stays."""
_ISO = re.compile(r"(?P<Y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?:[T ].*)?")
_COUNT = re.compile(r"(?P<whole>\d+)(?P<rest>[.,]\d*)?")
_STEPS = {EXCEL: 1, EPOCH: 86_400, EPOCH_MS: 86_400_000}
"""How much a day is in each form of counted days or seconds."""
_LANGUAGES = (
    ("January February March April May June July August September October November December",
     "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
    ("Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
     "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez"),
    ("janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
     "janv févr mars avr mai juin juil août sept oct nov déc"),
    ("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
     "ene feb mar abr may jun jul ago sep oct nov dic"),
)  # fmt: skip
"""Full and short month names: English, German, French, Spanish; the first that knows a cell's name wins."""


class _Names(NamedTuple):
    full: tuple[str, ...]
    short: tuple[str, ...]

    def style(self, name: str) -> tuple[str, ...] | None:
        bare = ascii_text(name).lower()
        for names in (self.full, self.short):
            if any(ascii_text(each).lower() == bare for each in names):
                return names
        return None


@cache
def _languages() -> tuple[_Names, ...]:
    return tuple(_Names(tuple(word_list(full)), tuple(word_list(short))) for full, short in _LANGUAGES)


def is_mark(value: str) -> bool:
    """Says whether a dated cell holds a mark for no value: empty, all zeros, "?", "NULL", "00/00/0000"."""
    bare = value.strip()
    return not bare.strip("0-/.: T") or bare.lower() in ALL_MARKS


def written_moment(value: str, form: str | None) -> Day | datetime | None:
    """Returns what a cell states by the form of its column, else as ISO 8601; None where it states none."""
    return next((moment for each in _forms(form) if (moment := parse_written(value, each)) is not None), None)


def _forms(form: str | None) -> Iterator[str | None]:
    """Yields the ways in which a cell is read: single cells of a column may be ISO whatever its form is."""
    yield form
    if form is not None:
        yield None


def cell_day(value: str, form: str | None = None) -> Day | None:
    """Returns the date of a date or date-time cell, or None where it is none or a mark for no value."""
    moment = None if is_mark(value) else written_moment(value, form)
    return moment.date() if isinstance(moment, datetime) else moment


def moved_cell(value: str, form: str | None, days: int, years: int) -> str | None:
    """Returns a date cell moved by days, its time and layout kept; None where it is no date.

    A cell without a day of the month, such as a fiscal year, moves by whole years. Marks for no value and
    open ends (the year 9999) stay as they are.
    """
    bare = value.strip()
    if is_mark(value):
        return value
    new = _counted(bare, form, days) if form in _STEPS else None
    for each in _forms(form) if new is None else ():
        match = None if each in _STEPS else (_ISO if each is None else form_pattern(each)).fullmatch(bare)
        if match is not None and parse_written(bare, each) is not None:
            new = _rewritten(match, days, years)
            break
    if new is None:
        return None
    start = value.index(bare)
    return value[:start] + new + value[start + len(bare) :]


def _counted(text: str, form: str | None, days: int) -> str | None:
    match = _COUNT.fullmatch(text)
    if match is None or parse_written(text, form) is None:
        return None
    moved = int(match["whole"]) + days * _STEPS[form or EXCEL]
    new = f"{moved:0{len(match['whole'])}d}{match['rest'] or ''}"
    return new if moved > 0 and parse_written(new, form) is not None else None


def _rewritten(match: re.Match[str], days: int, years: int) -> str | None:
    parts = {group: part for group, part in match.groupdict().items() if part is not None}
    name = parts.get("b") or parts.get("B")
    short = parts.get("y")
    year = int(parts["Y"]) if "Y" in parts else full_year(int(short)) if short else 0
    if year == OPEN_END:
        return match.string
    if not year:
        return None
    new: dict[str, str] = {}
    if "d" in parts:
        try:
            month = month_number(name) if name else int(parts["m"])
            moved = Day(year, month or 0, int(parts["d"])) + timedelta(days=days)
        except (KeyError, ValueError, OverflowError):
            return None
        width = _width([parts[part] for part in ("m", "d") if part in parts])
        new = {"m": f"{moved.month:0{width}d}", "d": f"{moved.day:0{width}d}"}
        new |= {group: like_month(parts[group], moved.month, group) for group in ("b", "B") if group in parts}
        year = moved.year
    else:
        year += years
    new |= {"Y": f"{year:04d}", "y": f"{year % 100:02d}"}
    return substitute(match, {group: new[group] for group in parts if group in new})


def _width(numbers: list[str]) -> int:
    padded = any(number.startswith("0") for number in numbers) or all(len(number) == 2 for number in numbers)
    return 2 if padded else 1


def substitute(match: re.Match[str], new: dict[str, str]) -> str:
    """Returns a match with groups replaced."""
    pieces, last = [], match.start()
    for group in sorted(new, key=match.start):
        pieces.append(match.string[last : match.start(group)] + new[group])
        last = match.end(group)
    return "".join([*pieces, match.string[last : match.end()]])


@cache
def like_month(sample: str, month: int, directive: str = "") -> str:
    """Returns a month's name in language, length, letter case and stop of a sample.

    `directive` is "b" or "B" where the column's form says how long names are, as "May" does not.
    """
    bare = sample.rstrip(".")
    bare = bare[:3] if bare in ("Sept", "SEPT") else bare
    known = [names for names in _languages() if names.style(bare) is not None]
    if bare[:1].islower() and len(known) > 1 and known[0] is not _languages()[0]:
        known.sort(key=lambda names: names.full[0][0].isupper())  # "mai" is French, "Mai" German
    names = known[0] if known else _languages()[0]
    style = names.style(bare) or (names.full if len(bare) > 4 else names.short)
    if directive and len(bare) <= 4 and style is names.full:
        style = names.full if directive == "B" else names.short
    text = style[month - 1]
    if len(bare) > 1 and bare.isupper():
        text = text.upper()
    else:
        text = text.lower() if bare.islower() else text[:1].upper() + text[1:]
    return text + ("." if sample.endswith(".") else "")
