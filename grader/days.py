"""Whether a note names an agreed instant: weekdays, dates and clock times as people write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from contracts.instants import MONTHS, WEEKDAYS, Instant, Zone
from contracts.names import fold

_BETWEEN = re.compile(
    r"(?:[\s,()@/–-]|\.(?!\s)|\b(?:at|on|the|of|um|about|around|in|or|and|eastern|pacific|central|mountain|time"
    r"|[ecmp][sd]?t|gmt|utc|their|your|our|my|local|day|zone|sharp)\b)*"
)
"""What may stand between a day and its time: "Wednesday, October 14, at about 9:00"."""
_DAYS = {
    form: number
    for number, day in enumerate(WEEKDAYS)
    for form in (day.lower(), *((day[:3].lower(),) if number < 5 else ()))
} | {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
_MONTHS = {
    form: number for number, month in enumerate(MONTHS, 1) for form in (month.lower(), month[:3].lower())
}
_MONTHS |= {"sept": 9}
_MONTH = "(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:[\s,]+(?P<year>20[0-9]{2})\b)?"
_HOUR = r"(?P<hour>[0-2]?[0-9])"
_HALF = r"\s?(?P<half>[ap])\.?\s?m\b\.?"
_ZONE_OR_END = r"(?:\s?(?:-|–|to|until|till)\s?[0-2]?[0-9](?:[:.h][0-5][0-9])?(?:\s?[ap]\.?m\b\.?)?)?"
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_SPOKEN_HOUR = "(?P<spoken>" + "|".join(_NUMBERS) + "|1?[0-9])"
_NEGATED = re.compile(r"(?:\bnot|n't|\bno longer|\binstead of|\brather than|\bnever)\b[\w\s]{0,12}$")
_AGREED = re.compile(r"\b(?:accepted|agreed|confirmed|booked|scheduled|fixed|set)\b")


class Mention(NamedTuple):
    """A day or time that a text names, and whether it can be that of an instant."""

    start: int
    end: int
    fits: bool


def names_instant(text: str, instant: Instant, zones: list[Zone]) -> bool:
    """Says whether a text names the day or the time of an instant by the clock of one of the zones.

    A note is about one time: either every day and time in it fits, or, where it tells how the time came
    about, the last one fits, or the one said to be agreed. What is denied must not fit.
    """
    folded = fold(text)
    expressions = _expressions(folded, _mentions(folded, [zone.local(instant) for zone in zones]))
    stated, denied = list[list[Mention]](), list[list[Mention]]()
    for expression in expressions:
        (denied if _NEGATED.search(folded[: expression[0].start]) else stated).append(expression)
    if not stated or any(_fits(expression) for expression in denied):
        return False
    if all(map(_fits, stated)) or _fits(stated[-1]):
        return True
    words = [match.end() for match in _AGREED.finditer(folded)]
    agreed = [expression for expression in stated if words and expression[0].start >= words[-1]]
    return bool(agreed) and _fits(agreed[0])


def _fits(expression: list[Mention]) -> bool:
    return all(mention.fits for mention in expression)


def _expressions(text: str, mentions: list[Mention]) -> list[list[Mention]]:
    """Returns mentions in groups that stand together; two days or times side by side are one group."""
    groups: list[list[Mention]] = []
    for mention in mentions:
        if groups and _BETWEEN.fullmatch(text, groups[-1][-1].end, mention.start):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _mentions(text: str, moments: list[datetime]) -> list[Mention]:
    """Returns the days and times of a text in order; of overlapping ones the first and longest form."""
    found: list[Mention] = []
    taken: list[tuple[int, int]] = []
    for form, fits, needed in _FORMS:
        if needed and not any(piece in text for piece in needed):
            continue
        for match in form.finditer(text):
            if not any(match.start() < end and start < match.end() for start, end in taken):
                taken.append(match.span())
                fitting = any(fits(match, moment) for moment in moments)
                found.append(Mention(match.start(), match.end(), fitting))
                if len(found) > MOST_MENTIONS:
                    # No note about one meeting names so many times; a list of all is worth nothing.
                    return []
    return sorted(found)


MOST_MENTIONS = 24


def _weekday(match: re.Match[str], moment: datetime) -> bool:
    return _DAYS[match["weekday"]] == moment.weekday()


def _date(match: re.Match[str], moment: datetime) -> bool:
    year = match.groupdict().get("year")
    return (
        _MONTHS[match["month"]] == moment.month
        and int(match["day"]) == moment.day
        and (not year or int(year) == moment.year)
    )


def _day_of_month(match: re.Match[str], moment: datetime) -> bool:
    return int(match["day"]) == moment.day


def _figures(match: re.Match[str], moment: datetime) -> bool:
    year = match.groupdict().get("year")
    months_and_days = {(int(match["one"]), int(match["two"])), (int(match["two"]), int(match["one"]))}
    right_year = not year or int(year) in {moment.year, moment.year % 100}
    return right_year and (moment.month, moment.day) in months_and_days


def _iso(match: re.Match[str], moment: datetime) -> bool:
    return tuple(int(match[part]) for part in ("year", "one", "two")) == (
        moment.year,
        moment.month,
        moment.day,
    )


def _clock(match: re.Match[str], moment: datetime) -> bool:
    held = match.groupdict()
    hour, minute = int(held["hour"]), int(held.get("minute") or 0)
    return minute == moment.minute and moment.hour in _hours(hour, held.get("half") or "")


def _hours(hour: int, half: str) -> set[int]:
    if half:
        return {hour % 12 + (12 if half == "p" else 0)}
    return {hour, hour + 12} if hour <= 12 else {hour}


def _spoken(match: re.Match[str], moment: datetime) -> bool:
    word = match["spoken"]
    hour = _NUMBERS.index(word) + 1 if word in _NUMBERS else int(word)
    part = match.groupdict().get("part") or ""
    minute = {"half past": 30, "quarter past": 15, "quarter to": 45}.get(part, 0)
    hour -= part == "quarter to"
    return minute == moment.minute and moment.hour % 12 == hour % 12


def _noon(match: re.Match[str], moment: datetime) -> bool:
    return (moment.hour, moment.minute) == (12, 0)


_Fits = Callable[[re.Match[str], datetime], bool]


def _forms() -> Iterator[tuple[re.Pattern[str], _Fits, tuple[str, ...]]]:
    """Yields the forms in which days and times are written, and pieces of which a text with one has some."""

    def form(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern)

    months = tuple(sorted({month[:3] for month in _MONTHS}))
    weekdays = "|".join(sorted(_DAYS, key=len, reverse=True))
    yield (
        form(r"\b(?P<year>20[0-9]{2})[-/.](?P<one>[01]?[0-9])[-/.](?P<two>[0-3]?[0-9])(?![0-9])"),
        _iso,
        ("20",),
    )
    yield form(r"\b(?P<year>20[0-9]{2})(?P<one>[01][0-9])(?P<two>[0-3][0-9])\b"), _iso, ("20",)
    yield form(rf"\b{_DAY}[\s.,-]*(?:of\s+)?{_MONTH}(?:-(?=20)|){_YEAR}"), _date, months
    yield form(rf"\b{_MONTH}[\s-]*{_DAY}\b(?!:){_YEAR}"), _date, months
    yield (
        form(
            r"\b(?P<one>[0-3]?[0-9])(?P<sep>[-/.])\s?(?P<two>[0-3]?[0-9])(?P=sep)\s?(?P<year>20[0-9]{2}|[0-9]{2})\b"
        ),
        _figures,
        ("-", "/", "."),
    )
    yield form(r"\b(?P<one>[0-3]?[0-9])\.\s?(?P<two>[01]?[0-9])\.(?![0-9])"), _figures, (".",)
    yield (
        form(rf"\b{_HOUR}[:.h](?P<minute>[0-5][0-9])(?::[0-5][0-9])?(?:{_HALF})?{_ZONE_OR_END}(?![0-9])"),
        _clock,
        (":", ".", "h"),
    )
    yield form(rf"\b{_HOUR}{_HALF}{_ZONE_OR_END}"), _clock, ("m",)
    yield form(r"\b(?P<hour>[0-2][0-9])(?P<minute>[0-5][0-9])\s?(?:h|hrs|hours)\b"), _clock, ("h",)
    yield (
        form(rf"\b(?:(?P<part>half past|quarter past|quarter to)\s+{_SPOKEN_HOUR})\b"),
        _spoken,
        ("half", "quarter"),
    )
    yield form(rf"\b{_SPOKEN_HOUR}\s?o'?\s?clock\b"), _spoken, ("clock",)
    yield form(r"\b(?P<one>[01]?[0-9])/(?P<two>[0-3]?[0-9])\b(?!/)"), _figures, ("/",)
    yield form(r"\bthe\s+(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)\b"), _day_of_month, ("the",)
    yield form(r"\b(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)\b"), _day_of_month, ("st", "nd", "rd", "th")
    yield form(rf"\b(?P<weekday>{weekdays})\b"), _weekday, ()
    yield form(r"\b(?:noon|midday)\b"), _noon, ("noon", "midday")


_FORMS = tuple(_forms())
