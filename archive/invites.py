"""Calendar objects inside mails: what was invited, moved, answered or cancelled, read with icalendar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from icalendar import Calendar

from archive.addresses import Mailbox


@dataclass(frozen=True)
class CalendarEvent:
    """One event of a calendar object; times in ISO 8601 with offset where the zone is known."""

    uid: str
    method: str
    sequence: int
    starts_at: str | None
    ends_at: str | None
    zone: str
    organizer: str
    attendees: tuple[str, ...]
    summary: str
    description: str
    location: str


def read_calendar(text: str) -> list[CalendarEvent] | None:
    """Returns the events of a calendar text in order, or None where it cannot be read; never raises."""
    try:
        calendars = Calendar.from_ical(text, multiple=True)
        return [_event(calendar, event) for calendar in calendars for event in calendar.walk("VEVENT")]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError):
        return None


def _event(calendar: Any, event: Any) -> CalendarEvent:  # icalendar's components are mappings of any value
    start = _moment(event, "DTSTART")
    end = _moment(event, "DTEND")
    if end is None and start is not None:
        end = _plus_duration(start, event)
    zone = ""
    if event.get("DTSTART") is not None:
        zone = str(event["DTSTART"].params.get("TZID", "")) or _zone_name(start)
    return CalendarEvent(
        uid=_text(event, "UID"),
        method=_text(calendar, "METHOD").upper(),
        sequence=int(event.get("SEQUENCE", 0)),
        starts_at=_iso(start),
        ends_at=_iso(end),
        zone=zone,
        organizer=_mailbox(event.get("ORGANIZER")),
        attendees=tuple(_mailbox(value) for value in _values(event.get("ATTENDEE"))),
        summary=_text(event, "SUMMARY"),
        description=_text(event, "DESCRIPTION"),
        location=_text(event, "LOCATION"),
    )


def _moment(event: Any, name: str) -> date | None:
    value = event.get(name)
    found = getattr(value, "dt", None)
    return found if isinstance(found, date) else None


def _plus_duration(start: date, event: Any) -> date | None:
    length = getattr(event.get("DURATION"), "dt", None)
    return start + length if isinstance(length, timedelta) else None


def _zone_name(moment: date | None) -> str:
    zone: tzinfo | None = moment.tzinfo if isinstance(moment, datetime) else None
    return "UTC" if zone is not None and zone.utcoffset(None) == UTC.utcoffset(None) else ""


def _iso(moment: date | None) -> str | None:
    if moment is None:
        return None
    return moment.isoformat(timespec="seconds") if isinstance(moment, datetime) else moment.isoformat()


def _text(component: Any, name: str) -> str:
    value = component.get(name)
    if isinstance(value, list):
        value = value[0]
    return "" if value is None else str(value)


def _values(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _mailbox(value: Any) -> str:
    if value is None:
        return ""
    address = str(value)
    if address.lower().startswith("mailto:"):
        address = address[7:]
    return str(Mailbox(str(value.params.get("CN", "")).strip('"'), address.strip().lower()))
