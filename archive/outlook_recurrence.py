"""Rules of repeated Outlook appointments, stored as bytes (MS-OXOCAL), as recurrence rules of RFC 5545.

Belongs here: the rule. Does not belong here: single occurrences that were moved or left out.
"""

from __future__ import annotations

import struct
from datetime import date, timedelta

_DAYS = ("SU", "MO", "TU", "WE", "TH", "FR", "SA")
_BY_DAY, _BY_WEEK, _BY_MONTH, _BY_WEEKDAY, _BY_MONTH_END = range(5)
_YEARLY = 0x200D
_UNTIL, _COUNT = 0x2021, 0x2022
_READER = 0x3004
_MAX_PERIOD = 999 * 1440
_EPOCH = date(1601, 1, 1)


def recurrence_rule(data: bytes) -> str:
    """Returns the rule that stored bytes tell, as "FREQ=WEEKLY;BYDAY=MO"; "" where they tell none."""
    try:
        return _rule(data)
    except (struct.error, ValueError, OverflowError, IndexError):
        return ""


def _rule(data: bytes) -> str:
    reader, _, frequency, pattern, _, _, period, _ = struct.unpack_from("<HHHHHIII", data)
    if reader != _READER or pattern > _BY_MONTH_END or not 0 < period <= _MAX_PERIOD:
        return ""
    words = {_BY_DAY: 0, _BY_WEEKDAY: 2}.get(pattern, 1)
    specific = struct.unpack_from(f"<{words}I", data, 22)
    place = 22 + 4 * words
    ending, count, _ = struct.unpack_from("<III", data, place)
    place += 12
    for _ in range(2):  # days left out, days moved
        (listed,) = struct.unpack_from("<I", data, place)
        place += 4 + 4 * listed
    first, last = struct.unpack_from("<II", data, place)
    parts = _pattern(frequency == _YEARLY, pattern, period, specific, _date(first))
    if ending == _COUNT:
        parts.append(f"COUNT={count}")
    elif ending == _UNTIL:
        parts.append(f"UNTIL={_date(last):%Y%m%d}")
    return ";".join(parts)


def _pattern(yearly: bool, pattern: int, period: int, specific: tuple[int, ...], first: date) -> list[str]:
    if pattern == _BY_DAY:
        return _often("DAILY", period // 1440)
    if pattern == _BY_WEEK:
        return [*_often("WEEKLY", period), _weekdays(specific[0])]
    parts = (
        [*_often("YEARLY", period // 12), f"BYMONTH={first.month}"] if yearly else _often("MONTHLY", period)
    )
    if pattern == _BY_WEEKDAY:
        mask, number = specific
        if not 1 <= number <= 5:
            raise ValueError("no week of a month")
        return [*parts, _weekdays(mask), f"BYSETPOS={-1 if number == 5 else number}"]
    day = -1 if pattern == _BY_MONTH_END else specific[0]
    if not (day == -1 or 1 <= day <= 31):
        raise ValueError("no day of a month")
    # A month without the day has the occurrence on its last one.
    return [*parts, f"BYMONTHDAY={-1 if day == 31 else day}"]


def _often(frequency: str, interval: int) -> list[str]:
    return [f"FREQ={frequency}", *([f"INTERVAL={interval}"] if interval > 1 else [])]


def _weekdays(mask: int) -> str:
    days = [name for bit, name in enumerate(_DAYS) if mask >> bit & 1]
    if not days or mask >> 7:
        raise ValueError("no days of a week")
    return f"BYDAY={','.join(days)}"


def _date(minutes: int) -> date:
    return _EPOCH + timedelta(minutes=minutes)
