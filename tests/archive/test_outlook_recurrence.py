"""Stored rules of repeated appointments (MS-OXOCAL 2.2.1.44.1) as rules of RFC 5545; broken ones are none."""

from __future__ import annotations

import struct
from datetime import date

import pytest
from dateutil.rrule import rrulestr  # type: ignore[import-untyped,unused-ignore]
from hypothesis import given
from hypothesis import strategies as st

from archive.outlook_recurrence import recurrence_rule

DAILY, WEEKLY, MONTHLY, YEARLY = 0x200A, 0x200B, 0x200C, 0x200D
UNTIL, COUNT, NEVER = 0x2021, 0x2022, 0x2023
MONDAY, FRIDAY = 2, 32


def minutes(day: date) -> int:
    return (day - date(1601, 1, 1)).days * 1440


def stored(
    frequency: int,
    pattern: int,
    period: int,
    specific: tuple[int, ...],
    ending: int,
    count: int = 0,
    last: date = date(4500, 8, 31),
    gone: tuple[date, ...] = (),
) -> bytes:
    head = struct.pack("<HHHHHIII", 0x3004, 0x3004, frequency, pattern, 0, 0, period, 0)
    data = head + struct.pack(f"<{len(specific)}I", *specific) + struct.pack("<III", ending, count, 0)
    data += struct.pack("<I", len(gone)) + b"".join(struct.pack("<I", minutes(day)) for day in gone)
    data += struct.pack("<I", 0) + struct.pack("<II", minutes(date(2024, 3, 4)), minutes(last))
    return data + bytes(20)


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (stored(DAILY, 0, 1440, (), NEVER), "FREQ=DAILY"),
        (stored(DAILY, 0, 3 * 1440, (), COUNT, 5), "FREQ=DAILY;INTERVAL=3;COUNT=5"),
        (stored(DAILY, 1, 1, (0b0111110,), NEVER), "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        (
            stored(WEEKLY, 1, 2, (MONDAY | FRIDAY,), UNTIL, 9, date(2024, 6, 28)),
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20240628",
        ),
        (
            stored(WEEKLY, 1, 1, (MONDAY,), COUNT, 4, gone=(date(2024, 3, 11), date(2024, 3, 18))),
            "FREQ=WEEKLY;BYDAY=MO;COUNT=4",
        ),
        (stored(MONTHLY, 2, 1, (15,), NEVER), "FREQ=MONTHLY;BYMONTHDAY=15"),
        (stored(MONTHLY, 2, 1, (31,), NEVER), "FREQ=MONTHLY;BYMONTHDAY=-1"),
        (stored(MONTHLY, 4, 1, (31,), NEVER), "FREQ=MONTHLY;BYMONTHDAY=-1"),
        (stored(MONTHLY, 3, 3, (MONDAY, 2), NEVER), "FREQ=MONTHLY;INTERVAL=3;BYDAY=MO;BYSETPOS=2"),
        (stored(MONTHLY, 3, 1, (FRIDAY, 5), NEVER), "FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1"),
        (stored(YEARLY, 2, 12, (4,), NEVER), "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=4"),
        (stored(YEARLY, 3, 24, (MONDAY, 1), NEVER), "FREQ=YEARLY;INTERVAL=2;BYMONTH=3;BYDAY=MO;BYSETPOS=1"),
        (stored(MONTHLY, 0xA, 1, (15,), NEVER), ""),
        (stored(DAILY, 0, 0, (), NEVER), ""),
        (stored(WEEKLY, 1, 1, (0,), NEVER), ""),
        (stored(MONTHLY, 3, 1, (MONDAY, 6), NEVER), ""),
        (stored(MONTHLY, 2, 1, (32,), NEVER), ""),
        (stored(DAILY, 0, 1440, (), NEVER)[:30], ""),
        (b"", ""),
    ],
)
def test_a_stored_rule_is_told(data: bytes, rule: str) -> None:
    assert recurrence_rule(data) == rule
    if rule:
        rrulestr(rule)


@given(st.binary(max_size=80), st.integers(0, 80))
def test_any_bytes_are_a_rule_that_can_be_read_or_none(data: bytes, cut: int) -> None:
    whole = stored(WEEKLY, 1, 1, (MONDAY,), COUNT, 4)
    for tried in (data, whole[:cut] + data):
        rule = recurrence_rule(tried)
        assert rule == "" or rrulestr(rule) is not None
