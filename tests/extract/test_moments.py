"""Moments: every written form gives its instant, its local day and its offset."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from extract.moments import read_moment

ZONE = ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("text", "form", "clock", "expected"),
    [
        ("2024-09-02T14:00:00.000Z", None, None, "2024-09-02T14:00:00+00:00"),
        ("2024-09-02T14:00:00-04:00", None, None, "2024-09-02T14:00:00-04:00"),
        ("2024-09-02 14:00", None, None, "2024-09-02T14:00:00-04:00"),
        ("2024-01-02", None, None, "2024-01-02T12:00:00-05:00"),
        ("20240902", "%Y%m%d", None, "2024-09-02T12:00:00-04:00"),
        ("20240902", None, "084223", "2024-09-02T08:42:23-04:00"),
        ("9/2/2024", "%m/%d/%Y", "99:99", "2024-09-02T12:00:00-04:00"),
        ("1/2/2024 3:04 PM", "%m/%d/%Y %I:%M %p", None, "2024-01-02T15:04:00-05:00"),
    ],
)
def test_written_forms(text: str, form: str | None, clock: str | None, expected: str) -> None:
    found = read_moment(text, ZONE, form, clock)
    assert found is not None and found.iso == expected


@pytest.mark.parametrize("text", [None, "", "soon", "2024-13-01", "20240231"])
def test_what_is_no_moment_is_none(text: str | None) -> None:
    assert read_moment(text, ZONE) is None
