"""Days and times as people write them into notes."""

from __future__ import annotations

import pytest

from contracts.instants import Zone
from grader.days import names_instant

EASTERN = Zone(name="Eastern Time", abbreviation="ET", offset_minutes=-240)
PACIFIC = Zone(name="Pacific Time", abbreviation="PT", offset_minutes=-420)
AGREED = EASTERN.instant("2026-10-14 14:30")


@pytest.mark.parametrize(
    "text",
    [
        "accepted for Wednesday",
        "Wed 2:30pm",
        "October 14",
        "Oct. 14th at 2:30 PM",
        "the 14th of October",
        "14 Oct",
        "2026-10-14",
        "10/14",
        "14.10. um 14:30",
        "at 14:30",
        "2.30 p.m.",
        "at 11:30 AM PT",
        "agreed 1430h",
        "14h30",
        "half past two",
        "half past 2, their choice",
        "14/10/2026",
        "10/14/26",
        "14-Oct-2026",
        "20261014",
        "2026/10/14",
        "14.10.2026",
        "Weds. it is",
        "14:30-15:00",
        "2:30 PM - 3:00 PM ET (11:30 AM PT)",
        "Wed Oct 14, 2:30 to 3 pm",
        "Wrote Mon, she answered Tue offering Wed or Thu; accepted: Wednesday October 14, 2:30 PM",
        "Accepted for Wed, Oct 14 at 2:30 PM. Deck by Tuesday.",
        "Moved from Friday to Wednesday 14 October",
        "Not on Friday but on Wednesday",
    ],
)
def test_the_agreed_time_is_named(text: str) -> None:
    assert names_instant(text, AGREED, [EASTERN, PACIFIC])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "meeting accepted",
        "Thursday",
        "October 15",
        "2026-10-15",
        "at 2:30 AM",
        "at 15:30",
        "wedding",
        "Mon Tue Wed Thu Fri",
        "114 invoices",
        "Saturday 14:30",
        "Friday, October 16 at 2:30 PM",
        "not on Wednesday",
        "The meeting is no longer on October 14.",
        " ".join(f"{hour}:{minute:02d}" for hour in range(8, 19) for minute in (0, 30)),
        "the " + " the ".join(f"{day}th" for day in range(1, 32)),
        "1.10. 2.10. 3.10. 14.10. 15.10.",
        "Mon Tue Wed",
        "14th 15th",
        "1" * 4000 + ":00",
        "14 of 30 invoices, 2.5 percent",
    ],
)
def test_another_time_or_none_is_named(text: str) -> None:
    assert not names_instant(text, AGREED, [EASTERN, PACIFIC])
