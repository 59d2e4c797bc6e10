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
    ],
)
def test_another_time_or_none_is_named(text: str) -> None:
    assert not names_instant(text, AGREED, [EASTERN, PACIFIC])
