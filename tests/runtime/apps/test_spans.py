"""The days that the calendar shows, and what stands at the same time."""

import pytest

from contracts.instants import Zone
from contracts.world import CalendarEvent
from runtime.apps.spans import conflicts, month_values, span_of

ZONE = Zone(name="Pacific Time", abbreviation="PT", offset_minutes=-420)
NOW = ZONE.instant("2026-10-12 09:00")


@pytest.mark.parametrize(
    ("view", "day", "first", "before", "after", "title"),
    [
        ("day", "2026-10-14", "2026-10-14", "2026-10-13", "2026-10-15", "Wednesday, October 14, 2026"),
        ("week", "2026-10-14", "2026-10-12", "2026-10-07", "2026-10-21", "October 12 - 18, 2026"),
        ("week", "2026-12-30", "2026-12-28", "2026-12-23", "2027-01-06", "Dec 28, 2026 - Jan 3, 2027"),
        ("month", "2026-10-14", "2026-09-28", "2026-09-01", "2026-11-01", "October 2026"),
        ("month", "2026-12-31", "2026-11-30", "2026-11-01", "2027-01-01", "December 2026"),
        ("week", "soon", "2026-10-05", "2026-10-02", "2026-10-16", "October 5 - 11, 2026"),
        ("week", "9999-12-31", "2026-10-05", "2026-10-02", "2026-10-16", "October 5 - 11, 2026"),
    ],
)
def test_a_view_shows_the_days_around_the_one_asked_for(view, day, first, before, after, title):
    span = span_of(view, day, "2026-10-09")
    assert (span.first, span.before, span.after, span.title) == (first, before, after, title)


def entry(event_id, begin, end, status="busy"):
    times = {"starts_at": ZONE.instant(begin), "ends_at": ZONE.instant(end)}
    return CalendarEvent(id=event_id, title=event_id, status=status, **times)


@pytest.mark.parametrize(("entries", "lines", "more"), [(0, 0, 0), (4, 4, 0), (5, 3, 2), (9, 3, 6)])
def test_a_day_of_the_month_says_how_many_entries_it_has_no_room_for(entries, lines, more):
    events = [
        entry(f"e{n}", f"2026-10-14 {9 + n:02d}:00", f"2026-10-14 {9 + n:02d}:30") for n in range(entries)
    ]
    weeks = month_values(events, ZONE, span_of("month", "2026-10-14", ""), NOW)["weeks"]
    day = next(day for week in weeks for day in week if day.date == "2026-10-14")
    assert (len(day.lines), day.more) == (lines, more)
    assert [cell.date for week in weeks for cell in week if cell.today] == ["2026-10-12"]


EVENTS = [
    entry("busy", "2026-10-14 09:00", "2026-10-14 10:00"),
    entry("next", "2026-10-14 10:00", "2026-10-14 11:00", "accepted"),
    entry("gone", "2026-10-14 09:00", "2026-10-14 10:00", "cancelled"),
    entry("no", "2026-10-14 09:00", "2026-10-14 10:00", "declined"),
]


@pytest.mark.parametrize(
    ("begin", "end", "but", "found"),
    [
        ("09:30", "10:30", "", ["busy", "next"]),
        ("08:30", "09:00", "", []),
        ("11:00", "12:00", "", []),
        ("09:00", "10:00", "", ["busy"]),
        ("09:00", "10:00", "busy", []),
    ],
)
def test_only_standing_entries_that_overlap_are_conflicts(begin, end, but, found):
    start, stop = ZONE.instant(f"2026-10-14 {begin}"), ZONE.instant(f"2026-10-14 {end}")
    assert [event.id for event in conflicts(EVENTS, start, stop, but)] == found
