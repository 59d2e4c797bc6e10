"""Working time in the five zones of the sample archive. No wall clock, no zone database."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum
from functools import cache

OPENS, CLOSES = 8 * 60 + 30, 17 * 60 + 30
HOLIDAYS = frozenset(
    date(*parts)
    for parts in (
        (2024, 3, 29),
        (2024, 5, 27),
        (2024, 7, 4),
        (2024, 9, 2),
        (2024, 11, 28),
        (2024, 11, 29),
        (2024, 12, 25),
        (2024, 12, 26),
        (2025, 1, 1),
        (2025, 4, 18),
        (2025, 5, 26),
        (2025, 7, 4),
    )
)


class Zone(StrEnum):
    """A zone in which the vendor or a customer works."""

    EASTERN = "America/New_York"
    CENTRAL = "America/Chicago"
    PACIFIC = "America/Los_Angeles"
    LONDON = "Europe/London"
    BERLIN = "Europe/Berlin"


_STANDARD = {Zone.EASTERN: -5, Zone.CENTRAL: -6, Zone.PACIFIC: -8, Zone.LONDON: 0, Zone.BERLIN: 1}
_WORDS = {
    Zone.EASTERN: ("Eastern", "ET"),
    Zone.CENTRAL: ("Central", "CT"),
    Zone.PACIFIC: ("Pacific", "PT"),
    Zone.LONDON: ("London time", "UK time"),
    Zone.BERLIN: ("Berlin time", "CET"),
}


@cache
def _sunday(year: int, month: int, ordinal: int) -> date:
    first = date(year, month, 1)
    sundays = [first + timedelta(days=(6 - first.weekday()) % 7 + 7 * week) for week in range(5)]
    return [day for day in sundays if day.month == month][ordinal]


def offset_hours(zone: Zone, instant: datetime) -> int:
    """Hours that the zone is ahead of UTC at that instant, summer time included."""
    standard = _STANDARD[zone]
    if zone in (Zone.LONDON, Zone.BERLIN):
        start, end, hour = _sunday(instant.year, 3, -1), _sunday(instant.year, 10, -1), 1
        begins = datetime(start.year, start.month, start.day, hour, tzinfo=UTC)
        finishes = datetime(end.year, end.month, end.day, hour, tzinfo=UTC)
    else:
        start, end = _sunday(instant.year, 3, 1), _sunday(instant.year, 11, 0)
        begins = datetime(start.year, start.month, start.day, 2 - standard, tzinfo=UTC)
        finishes = datetime(end.year, end.month, end.day, 1 - standard, tzinfo=UTC)
    return standard + (1 if begins <= instant < finishes else 0)


def local(instant: datetime, zone: Zone) -> datetime:
    """The same instant as the zone's wall clock shows it."""
    return instant.astimezone(timezone(timedelta(hours=offset_hours(zone, instant))))


def instant_at(day: date, hour: int, minute: int, zone: Zone) -> datetime:
    """The instant at which the zone's wall clock shows that day and time."""
    wall = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)
    guess = wall - timedelta(hours=_STANDARD[zone])
    return wall - timedelta(hours=offset_hours(zone, guess))


def is_workday(day: date) -> bool:
    """True on Monday to Friday outside the company's holidays."""
    return day.weekday() < 5 and day not in HOLIDAYS


def next_workday(day: date, count: int = 1) -> date:
    """The day `count` working days later."""
    while count:
        day += timedelta(days=1)
        count -= is_workday(day)
    return day


def work_after(instant: datetime, hours: float, zone: Zone) -> datetime:
    """The instant reached after so many working hours in the zone."""
    left = hours * 60
    wall = local(instant, zone)
    while True:
        minute = wall.hour * 60 + wall.minute + wall.second / 60
        if not is_workday(wall.date()) or minute >= CLOSES:
            wall = wall.replace(hour=0, minute=0, second=0) + timedelta(days=1)
            continue
        minute = max(minute, OPENS)
        if minute + left < CLOSES:
            total = int((minute + left) * 60)
            return instant_at(wall.date(), 0, 0, zone) + timedelta(seconds=total)
        left -= CLOSES - minute
        wall = wall.replace(hour=0, minute=0, second=0) + timedelta(days=1)


def zone_word(zone: Zone, short: bool) -> str:
    """How people of that zone name it in a mail."""
    return _WORDS[zone][short]
