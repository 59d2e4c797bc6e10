"""Days as people write them: every reading of a date in text, for comparison with days that are known.

Belongs here: finding what may be a date and which days it may mean. Does not belong here: moving dates
(`dates`), which must settle on one reading; here a wrong one does no harm, as no known day is like it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time
from itertools import product
from typing import NamedTuple

from anonymize.date_cells import written_moment
from archive.date_forms import month_number

_YEAR = r"(?:['’]?(?P<year>(?:19|20)\d\d|\d\d)(?!\d))"
_NUMERIC = re.compile(
    r"(?<!\d)(?:(?P<first>\d{1,2})(?P<sign>\s?[./-]\s?)(?P<second>\d{1,2})(?:(?P=sign)|[./-])" + _YEAR + ")"
)
_YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<sign>[./_-]?)(?P<second>\d{1,2})(?P=sign)(?P<first>\d{1,2})(?!\d)"
)
_CLOSED = re.compile(r"(?<!\d)(?P<first>\d\d)(?P<second>\d\d)(?P<year>(?:19|20)\d\d)(?!\d)")
_NO_YEAR = re.compile(r"(?<![\d.])(?P<first>\d{1,2})\.\s?(?P<second>\d{1,2})\.(?!\s?['’]?\d)")
_BEHIND = r"(?:[\s,./-]{1,3}" + _YEAR + r"|(?![\s,./-]{0,3}['’]?\d))"
_DAY_MONTH = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:\s?[./-]\s?|\s)(?:(?:of|de)\s)?(?P<month>[^\W\d_]{3,10})\b\.?"
    + _BEHIND
)
_MONTH_DAY = re.compile(
    r"(?<!\w)(?P<month>[^\W\d_]{3,10})\.?[\s-](?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)" + _BEHIND
)
_DIGIT = re.compile(r"\d")
_LEAP = 2000
"""A year that has every day."""


class WrittenDay(NamedTuple):
    """What may be a date in a text."""

    start: int
    end: int
    readings: frozenset[str]
    """Days in ISO 8601, "--05-17" for one without a year."""


def days_in(text: str) -> Iterator[WrittenDay]:
    """Yields whatever may be a date in a text, with the days that it may mean."""
    if _DIGIT.search(text) is None:
        return
    for pattern in (_NUMERIC, _YEAR_FIRST, _CLOSED, _NO_YEAR):
        for match in pattern.finditer(text):
            one, two = int(match["first"]), int(match["second"])
            yield from _day(match, ((two, one), (one, two)))
    for pattern in (_DAY_MONTH, _MONTH_DAY):
        for match in pattern.finditer(text):
            month = month_number(match["month"])
            if month is not None:
                yield from _day(match, ((month, int(match["day"])),))


def day_of(cell: str, form: str | None) -> tuple[str, str] | None:
    """Returns the day of a date cell in ISO 8601, with and without its year; None where a time is with it."""
    moment = written_moment(cell, form)
    if isinstance(moment, datetime):
        if moment.time() != time():
            return None
        moment = moment.date()
    return None if moment is None else (moment.isoformat(), f"--{moment:%m-%d}")


def _day(match: re.Match[str], orders: tuple[tuple[int, int], ...]) -> Iterator[WrittenDay]:
    written = match.groupdict().get("year")
    years = [""] if written is None else [written] if len(written) == 4 else ["19" + written, "20" + written]
    readings = set[str]()
    for year, (month, day) in product(years, orders):
        try:
            found = date(int(year or _LEAP), month, day)
        except ValueError:
            continue
        readings.add(found.isoformat() if year else f"--{found:%m-%d}")
    if readings:
        yield WrittenDay(match.start(), match.end(), frozenset(readings))
