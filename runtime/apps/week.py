"""Days and their hours as the calendar shows them, and how typed clocks are read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import NamedTuple

from contracts.instants import WEEKDAYS, Instant, Zone, clock_text
from contracts.world import CalendarEvent

HOUR_PX = 48
FIRST_HOUR, LAST_HOUR = 7, 20
"""Hours shown where no entry lies outside of them."""
SHORTEST_PX = 20
DAY = 86_400
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s*(?:([ap])\.?m\.?)?$")


class ClockError(ValueError):
    """A text is no time of day."""


class Block(NamedTuple):
    """An entry's place in its day's column."""

    event: CalendarEvent
    times: str
    top: int
    height: int
    left: int
    width: int
    start: str
    """Clock as forms take it: "13:30"."""
    minutes: int


class Day(NamedTuple):
    """A column of a day's or a week's grid."""

    name: str
    number: int
    date: str
    today: bool
    slots: list[str]
    blocks: list[Block]
    now_at: int | None


def clock_minutes(text: str) -> int:
    """Returns the minutes after midnight that "9:30 AM", "1 pm" or "13:00" stand for.

    Raises:
        ClockError: the text is no time of day.
    """
    match = _CLOCK.match(text.strip().lower())
    if match:
        hour, minute, half = int(match[1]), int(match[2] or 0), match[3]
        if half and 1 <= hour <= 12 and minute < 60:
            return (hour % 12 + (12 if half == "p" else 0)) * 60 + minute
        if not half and match[2] and hour < 24 and minute < 60:
            return hour * 60 + minute
    raise ClockError(f"{text!r} is no time of day: write 9:30 AM or 13:00")


def grid_values(
    events: Iterable[CalendarEvent], zone: Zone, first_day: str, count: int, now: Instant
) -> dict[str, object]:
    """Returns what the template needs for the hours of some days on end."""
    first = date.fromisoformat(first_day)
    start = zone.instant(f"{first_day} 00:00")
    here = [e for e in events if start <= e.starts_at < start + count * DAY]
    spans = [(zone.local(e.starts_at), zone.local(e.ends_at)) for e in here]
    first_hour = min([FIRST_HOUR, *(begin.hour for begin, _ in spans)])
    last_hour = max([LAST_HOUR, *(_end_hour(begin, end) for begin, end in spans)])
    today = zone.local(now)
    days = []
    for offset in range(count):
        day = first + timedelta(days=offset)
        own = sorted(
            (e for e in here if zone.local(e.starts_at).date() == day), key=lambda e: (e.starts_at, e.id)
        )
        is_today = day == today.date()
        minutes = (today.hour - first_hour) * 60 + today.minute
        shown = is_today and 0 <= minutes <= (last_hour - first_hour) * 60
        slots = [f"{half // 2}:{half % 2 * 30:02d}" for half in range(2 * first_hour, 2 * last_hour)]
        blocks = _blocks(own, zone, first_hour, last_hour)
        now_at = minutes * HOUR_PX // 60 if shown else None
        days.append(
            Day(WEEKDAYS[day.weekday()][:3], day.day, day.isoformat(), is_today, slots, blocks, now_at)
        )
    return {
        "days": days,
        "hours": ["", *(_hour_text(hour) for hour in range(first_hour + 1, last_hour))],
        "first_minute": 60 * first_hour,
    }


def _hour_text(hour: int) -> str:
    return f"{(hour + 11) % 12 + 1} {'AM' if hour < 12 else 'PM'}"


def _end_hour(begin: datetime, end: datetime) -> int:
    return 24 if end.date() != begin.date() else end.hour + (end.minute > 0)


def _blocks(own: list[CalendarEvent], zone: Zone, first_hour: int, last_hour: int) -> list[Block]:
    """Returns the blocks of a day; those that overlap stand side by side."""
    blocks: list[Block] = []
    for group in _groups(own):
        lanes = _lanes(group)
        count = max(lanes) + 1
        for event, lane in zip(group, lanes, strict=True):
            start, end = zone.local(event.starts_at), zone.local(event.ends_at)
            top = ((start.hour - first_hour) * 60 + start.minute) * HOUR_PX // 60
            bottom = top + max(0, event.ends_at - event.starts_at) // 60 * HOUR_PX // 60
            height = min(max(bottom - top - 2, SHORTEST_PX), (last_hour - first_hour) * HOUR_PX - top)
            times = f"{clock_text(start)} - {clock_text(end)}"
            minutes = (event.ends_at - event.starts_at) // 60
            left, width = lane * 96 // count, 96 // count
            typed = f"{start.hour}:{start.minute:02d}"
            blocks.append(Block(event, times, top, height, left, width, typed, minutes))
    return blocks


def _groups(own: list[CalendarEvent]) -> list[list[CalendarEvent]]:
    groups: list[list[CalendarEvent]] = []
    until = 0
    for event in own:
        if groups and event.starts_at < until:
            groups[-1].append(event)
        else:
            groups.append([event])
        until = max(until, event.ends_at)
    return groups


def _lanes(group: list[CalendarEvent]) -> list[int]:
    free_from: list[Instant] = []
    lanes = []
    for event in group:
        lane = next((n for n, free in enumerate(free_from) if free <= event.starts_at), len(free_from))
        free_from[lane : lane + 1] = [event.ends_at]
        lanes.append(lane)
    return lanes
