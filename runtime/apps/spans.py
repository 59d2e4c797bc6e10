"""Which days the calendar shows: a day, a week or a month, and the way to the ones before and after."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from contracts.instants import MONTHS, WEEKDAYS, Instant, Zone, clock_text
from contracts.world import CalendarEvent

VIEWS = {"day": "Day", "week": "Week", "month": "Month"}
MOST_LINES = 4
"""Entries that a day of the month has room for."""
GONE = frozenset({"cancelled", "declined"})


class Span(NamedTuple):
    """The days on show."""

    view: str
    day: str
    """The day that was asked for."""
    first: str
    """The first day on show."""
    before: str
    after: str
    title: str


class Line(NamedTuple):
    """An entry in a day of the month."""

    event: CalendarEvent
    clock: str


class MonthDay(NamedTuple):
    """A day of the month's grid."""

    number: int
    date: str
    inside: bool
    today: bool
    lines: list[Line]
    more: int


def span_of(view: str, day: str, otherwise: str) -> Span:
    """Returns the span of a view that holds an ISO date; another date where that is none."""
    asked = _date(day) or date.fromisoformat(otherwise)
    if view == "day":
        before, after = asked - timedelta(days=1), asked + timedelta(days=1)
        title = f"{WEEKDAYS[asked.weekday()]}, {MONTHS[asked.month - 1]} {asked.day}, {asked.year}"
        return _span(view, asked, asked, before, after, title)
    if view == "month":
        first = asked.replace(day=1)
        after = (first + timedelta(days=32)).replace(day=1)
        before = (first - timedelta(days=1)).replace(day=1)
        shown = first - timedelta(days=first.weekday())
        return _span(view, asked, shown, before, after, f"{MONTHS[first.month - 1]} {first.year}")
    monday = asked - timedelta(days=asked.weekday())
    week = timedelta(days=7)
    return _span("week", asked, monday, asked - week, asked + week, _week_title(monday))


def month_values(events: Iterable[CalendarEvent], zone: Zone, span: Span, now: Instant) -> dict[str, object]:
    """Returns what the template needs for the weeks of a month."""
    by_day: dict[date, list[Line]] = {}
    for event in sorted(events, key=lambda event: (event.starts_at, event.id)):
        start = zone.local(event.starts_at)
        by_day.setdefault(start.date(), []).append(Line(event, clock_text(start)))
    first, asked = date.fromisoformat(span.first), date.fromisoformat(span.day)
    today = zone.local(now).date()
    days = [first + timedelta(days=offset) for offset in range(42)]
    if all(day.month != asked.month for day in days[35:]):
        days = days[:35]
    shown = []
    for day in days:
        lines = by_day.get(day, [])
        room = MOST_LINES if len(lines) <= MOST_LINES else MOST_LINES - 1
        inside = day.month == asked.month
        cell = MonthDay(day.day, day.isoformat(), inside, day == today, lines[:room], len(lines[room:]))
        shown.append(cell)
    weeks = [shown[at : at + 7] for at in range(0, len(shown), 7)]
    return {"weeks": weeks, "weekdays": [name[:3] for name in WEEKDAYS]}


def conflicts(
    events: Iterable[CalendarEvent], starts_at: Instant, ends_at: Instant, but: str
) -> list[CalendarEvent]:
    """Returns the standing entries that overlap a time, all but one."""
    found = [e for e in events if e.id != but and e.status not in GONE]
    return sorted(
        (e for e in found if e.starts_at < ends_at and starts_at < e.ends_at), key=lambda e: e.starts_at
    )


def _date(text: str) -> date | None:
    try:
        found = date.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if 1971 <= found.year <= 2999 else None


def _span(view: str, asked: date, first: date, before: date, after: date, title: str) -> Span:
    return Span(view, asked.isoformat(), first.isoformat(), before.isoformat(), after.isoformat(), title)


def _week_title(first: date) -> str:
    last = first + timedelta(days=6)
    if first.month == last.month:
        return f"{MONTHS[first.month - 1]} {first.day} - {last.day}, {first.year}"
    year = f", {first.year}" if first.year != last.year else ""
    begin = f"{MONTHS[first.month - 1][:3]} {first.day}{year}"
    return f"{begin} - {MONTHS[last.month - 1][:3]} {last.day}, {last.year}"
