"""Moments in time as the tables write them: instant, local day and zone offset from one text.

A value without time of day is placed at noon, so that it follows the morning and precedes the evening.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

_COMPACT_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})$")
_CLOCK = re.compile(r"(\d{2}):?(\d{2}):?(\d{2})?$")
NOON = 12
DAY_SECONDS = 86_400


class Moment(NamedTuple):
    """A point in time with the calendar day on which it fell where it was written."""

    second: int
    """Seconds since 1970 UTC."""
    day: int
    """Ordinal of the local date."""
    offset_minutes: int
    """Minutes east of UTC."""

    @property
    def iso(self) -> str:
        """ISO 8601 with offset."""
        local = datetime.fromtimestamp(self.second, UTC) + timedelta(minutes=self.offset_minutes)
        sign = "-" if self.offset_minutes < 0 else "+"
        hours, minutes = divmod(abs(self.offset_minutes), 60)
        return f"{local.replace(tzinfo=None).isoformat(timespec='seconds')}{sign}{hours:02d}:{minutes:02d}"

    @property
    def utc(self) -> str:
        """ISO 8601 in UTC, ending in Z."""
        return (
            datetime.fromtimestamp(self.second, UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
        )


def read_moment(
    text: str | None,
    zone: ZoneInfo,
    date_format: str | None = None,
    clock: str | None = None,
) -> Moment | None:
    """Returns the moment that a cell states, or None where it states none.

    Args:
        text: ISO 8601, YYYYMMDD, or of the given format.
        zone: applies where the text has no offset.
        date_format: strptime form of the column, None for ISO 8601.
        clock: time of day from another column, HHMMSS or HH:MM:SS.
    """
    found = _parse(text.strip(), date_format) if text else None
    if found is None:
        return None
    parsed, dated_only = found
    if dated_only:
        time = _CLOCK.match(clock.strip()) if clock else None
        hour, minute, second = (int(part or 0) for part in time.groups()) if time else (NOON, 0, 0)
        if hour > 23 or minute > 59 or second > 59:
            hour, minute, second = NOON, 0, 0
        parsed = parsed.replace(hour=hour, minute=minute, second=second)
    local = parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=zone)
    offset = local.utcoffset() or timedelta()
    return Moment(int(local.timestamp()), local.toordinal(), int(offset.total_seconds()) // 60)


def zone_offset(second: int, zone: ZoneInfo) -> int:
    """Returns how many minutes east of UTC a zone stood at an instant."""
    offset = datetime.fromtimestamp(second, zone).utcoffset() or timedelta()
    return int(offset.total_seconds()) // 60


def local_day(moment: Moment, zone: ZoneInfo) -> int:
    """Returns the ordinal of the date that a zone's calendar showed at a moment."""
    return datetime.fromtimestamp(moment.second, zone).toordinal()


def _parse(text: str, date_format: str | None) -> tuple[datetime, bool] | None:
    if date_format is not None:
        try:
            parsed = datetime.strptime(text, date_format)  # noqa: DTZ007 - the caller knows the zone
            return parsed, not re.search(r"%[HIMSTXc]", date_format)
        except ValueError:
            pass
    compact = _COMPACT_DATE.match(text)
    if compact:
        text = "-".join(compact.groups())
    try:
        return datetime.fromisoformat(text), len(text) <= len("2024-01-01")
    except ValueError:
        return None
