"""Moments in time as the tables write them: instant, local day and zone offset from one text.

A value without time of day is placed at noon, so that it follows the morning and precedes the evening.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from archive.date_forms import parse_clock, parse_written

_COMPACT_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})$")
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
    missing: Collection[str] = (),
) -> Moment | None:
    """Returns the moment that a cell states, or None where it states none.

    Args:
        text: ISO 8601, YYYYMMDD, or of the given format.
        zone: applies where the text has no offset.
        date_format: form of the column (`archive.date_forms`), None for ISO 8601.
        clock: time of day from another column: HHMMSS, HH:MM:SS or "1:33:02 PM".
        missing: written values of the column that stand for no value.
    """
    parsed = _parse(text.strip(), date_format, missing) if text else None
    if parsed is None:
        return None
    if not isinstance(parsed, datetime):
        parsed = datetime.combine(parsed, (parse_clock(clock) if clock else None) or time(NOON))
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


def _parse(text: str, date_format: str | None, missing: Collection[str]) -> datetime | date | None:
    if text in missing:
        return None
    parsed = parse_written(text, date_format)
    if parsed is not None:
        return parsed
    compact = _COMPACT_DATE.match(text)
    if compact:
        text = "-".join(compact.groups())
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.date() if len(text) <= len("2024-01-01") else moment
