"""Times that mails name, as people write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from evaluation.offered import times_named

WRITTEN = int(datetime(2021, 12, 28, 15, 0, tzinfo=UTC).timestamp())


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


@pytest.mark.parametrize(
    ("text", "offset", "times"),
    [
        ("I could do Thu Dec 30 at 10:30 am ET.", -300, ["2021-12-30T10:30-05:00"]),
        (
            "Thursday, December 30 at 12:00 pm works, otherwise Monday, January 3 at 1:00 pm.",
            -300,
            ["2021-12-30T12:00-05:00", "2022-01-03T13:00-05:00"],
        ),
        ("Wednesday 5 January at 14:00 London time?", 0, ["2022-01-05T14:00+00:00"]),
        ("5. January, 15.30 or 16.00", 60, ["2022-01-05T15:30+01:00", "2022-01-05T16:00+01:00"]),
        ("Let us move Dec 20 at 9:00 am", -300, ["2021-12-20T09:00-05:00"]),
        ("At 10:30 on no day, and 30 people in December", 0, []),
        ("February 30 at 9:00 am", 0, []),
        ("January 3 at 29:00", 0, []),
        ("", 0, []),
    ],
)
def test_days_and_times_become_instants_of_the_writers_clock(
    text: str, offset: int, times: list[str]
) -> None:
    assert times_named(text, WRITTEN, offset) == tuple(map(at, times))
