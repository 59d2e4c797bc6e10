"""Wall clocks and instants agree in every fixed zone, written the same on every machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.instants import InstantError, Zone, clock_text, day_text, slot_text

PACIFIC = Zone(name="Pacific Time", abbreviation="PT", offset_minutes=-420)
EASTERN = Zone(name="Eastern Time", abbreviation="ET", offset_minutes=-240)


@given(st.integers(0, 4_000_000_000 // 60), st.integers(-14 * 60, 14 * 60))
def test_reading_back_a_wall_clock_gives_its_instant(minutes, offset):
    zone = Zone(name="Z", abbreviation="Z", offset_minutes=offset)
    instant = 60 * minutes
    assert zone.instant(f"{zone.local(instant):%Y-%m-%d %H:%M}") == instant


def test_nine_in_portland_is_noon_in_new_york():
    instant = PACIFIC.instant("2026-10-14 09:00")
    assert clock_text(EASTERN.local(instant)) == "12:00 PM"
    assert day_text(EASTERN.local(instant)) == "Wednesday, October 14"
    assert slot_text(PACIFIC.local(instant), PACIFIC) == "Wednesday, October 14 at 9:00 AM Pacific Time"


@pytest.mark.parametrize(
    ("hour", "text"), [(0, "12:00 AM"), (9, "9:00 AM"), (12, "12:00 PM"), (23, "11:00 PM")]
)
def test_twelve_hour_clock(hour, text):
    assert clock_text(EASTERN.local(EASTERN.instant(f"2026-10-14 {hour:02d}:00"))) == text


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-13-01 10:00", "2026-02-30 10:00", "2026-10-14"])
def test_other_texts_are_refused(text):
    with pytest.raises(InstantError):
        EASTERN.instant(text)
