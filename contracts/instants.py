"""Instants and zones of worlds: integer seconds since 1970 UTC, zones with offsets fixed beforehand.

A template resolves zone offsets once, so that no world depends on a machine's zone data. Formatting is
written out here because `strftime` follows the locale.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Instant = Annotated[int, Field(description="seconds since 1970-01-01 00:00 UTC")]

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_LOCAL = re.compile(r"(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?$")


class InstantError(ValueError):
    """A text is no date and time of the form YYYY-MM-DD HH:MM."""


class Zone(BaseModel):
    """A time zone during one shift: its names as people write them and its fixed offset."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """For people: "Pacific Time"."""
    abbreviation: str
    """"PT"."""
    offset_minutes: int
    """Minutes east of UTC while the shift lasts."""

    def local(self, instant: Instant) -> datetime:
        """Returns the wall clock of this zone at an instant."""
        return datetime.fromtimestamp(instant, timezone(timedelta(minutes=self.offset_minutes)))

    def instant(self, local_text: str) -> Instant:
        """Returns the instant at which this zone's wall clock shows "YYYY-MM-DD HH:MM[:SS]".

        Raises:
            InstantError: the text has another form or names no real date.
        """
        match = _LOCAL.match(local_text.strip())
        if match is None:
            raise InstantError(f"{local_text!r} is no date and time: write YYYY-MM-DD HH:MM")
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
        try:
            local = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
        except ValueError as error:
            raise InstantError(f"{local_text!r} names no real date: {error}") from error
        return int(local.timestamp()) - 60 * self.offset_minutes


def clock_text(moment: datetime) -> str:
    """Returns "9:00 AM"."""
    return f"{(moment.hour + 11) % 12 + 1}:{moment.minute:02d} {'AM' if moment.hour < 12 else 'PM'}"


def day_text(moment: datetime) -> str:
    """Returns "Wednesday, October 14"."""
    return f"{WEEKDAYS[moment.weekday()]}, {MONTHS[moment.month - 1]} {moment.day}"


def slot_text(moment: datetime, zone: Zone) -> str:
    """Returns "Wednesday, October 14 at 9:00 AM Pacific Time" for a wall-clock time of that zone."""
    return f"{day_text(moment)} at {clock_text(moment)} {zone.name}"
