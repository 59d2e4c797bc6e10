"""The week grid and the reading of typed clocks."""

import pytest

from contracts.instants import Zone
from contracts.world import CalendarEvent
from runtime.apps.week import ClockError, clock_minutes, grid_values

ZONE = Zone(name="Pacific Time", abbreviation="PT", offset_minutes=-420)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("9:30 AM", 570),
        ("9:30am", 570),
        (" 1 pm ", 780),
        ("12:00 AM", 0),
        ("12:15 p.m.", 735),
        ("13:05", 785),
        ("0:00", 0),
        ("23:59", 1439),
    ],
)
def test_a_clock_is_read(text, minutes):
    assert clock_minutes(text) == minutes


@pytest.mark.parametrize("text", ["", "9", "24:00", "13:00 PM", "0:30 AM", "9:60", "nine", "9:30 AM PT"])
def test_what_is_no_clock_is_refused(text):
    with pytest.raises(ClockError):
        clock_minutes(text)


def entry(event_id: str, begin: str, end: str) -> CalendarEvent:
    return CalendarEvent(
        id=event_id, title=event_id, starts_at=ZONE.instant(begin), ends_at=ZONE.instant(end)
    )


def test_overlapping_entries_stand_side_by_side_on_their_day():
    events = [
        entry("a", "2026-10-13 09:00", "2026-10-13 10:00"),
        entry("b", "2026-10-13 09:30", "2026-10-13 10:30"),
        entry("c", "2026-10-13 11:00", "2026-10-13 12:00"),
        entry("d", "2026-10-20 11:00", "2026-10-20 12:00"),
    ]
    days = grid_values(events, ZONE, "2026-10-12", 7, ZONE.instant("2026-10-12 09:00"))["days"]
    blocks = {block.event.id: block for day in days for block in day.blocks}
    assert set(blocks) == {"a", "b", "c"}
    assert [day.date for day in days if day.blocks] == ["2026-10-13"]
    assert blocks["a"].left + blocks["a"].width <= blocks["b"].left
    assert blocks["c"].width > blocks["a"].width
    assert [day.today for day in days] == [True, *[False] * 6]


def test_early_and_late_entries_widen_the_hours():
    events = [
        entry("a", "2026-10-13 05:00", "2026-10-13 06:00"),
        entry("b", "2026-10-14 22:00", "2026-10-15 01:00"),
    ]
    values = grid_values(events, ZONE, "2026-10-12", 7, ZONE.instant("2026-10-12 09:00"))
    assert len(values["hours"]) == 24 - 5
    assert all(block.top >= 0 for day in values["days"] for block in day.blocks)
