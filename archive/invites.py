"""Calendar objects inside mails: what was invited, moved, answered or cancelled, read with icalendar.

Belongs here: iCalendar as programs write it, broken lines and private zone names included. Repeated events
are not unrolled: their rule stays in the description.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Any

from icalendar import Calendar
from icalendar.timezone import tzp

from archive.addresses import Mailbox

MAX_CALENDAR = 2_000_000
"""Characters; a longer calendar is an export, not an invite, and stays an attachment."""
MAX_COMPONENTS = 4_000
"""Events, alarms and zone rules of one calendar."""

_KEPT = frozenset(
    "METHOD UID SEQUENCE DTSTART DTEND DURATION RRULE RECURRENCE-ID ORGANIZER ATTENDEE SUMMARY DESCRIPTION"
    " LOCATION STATUS TZID TZOFFSETFROM TZOFFSETTO TZNAME RDATE BEGIN END VERSION".split()
)
_ONCE = frozenset("UID SEQUENCE DTSTART DTEND DURATION RRULE RECURRENCE-ID ORGANIZER SUMMARY STATUS".split())
_COMPONENTS = frozenset(("VCALENDAR", "VEVENT", "VTIMEZONE", "STANDARD", "DAYLIGHT"))
_FORMS = {
    **dict.fromkeys(("DTSTART", "DTEND", "RECURRENCE-ID"), re.compile(r"\d{8}(?:T\d{6}Z?)?")),
    "SEQUENCE": re.compile(r"\d{1,9}"),
    "DURATION": re.compile(r"[+-]?P[\dWDTHMS]{2,20}"),
}
_FOLD = re.compile(r"\r?\n[ \t]")
_NAME = re.compile(r"[A-Za-z-]{1,40}")
_OFFSET = re.compile(r"(?:UTC|GMT)\s?([+-])(\d{1,2}):?(\d\d)")
_ANSWERING = ("REPLY", "COUNTER", "DECLINECOUNTER", "REFRESH")


@dataclass(frozen=True)
class CalendarEvent:
    """One event of a calendar object; times in ISO 8601 with offset where the zone is known."""

    uid: str
    method: str
    """As written: REQUEST (a change where `sequence` is above an earlier one's), CANCEL, REPLY, COUNTER."""
    sequence: int
    starts_at: str | None
    """A day alone for an event of whole days; without offset for a time that floats."""
    ends_at: str | None
    zone: str
    """IANA name where it is known, else as written; empty for floating times and whole days."""
    organizer: str
    attendees: tuple[str, ...]
    summary: str
    description: str
    """As written; below it, for a repeated event, its rule, and for one of them which it is."""
    location: str
    answer: str = ""
    """ACCEPTED, DECLINED, TENTATIVE...: what a REPLY or COUNTER says."""


def read_calendar(text: str) -> list[CalendarEvent] | None:
    """Returns the events of a calendar text in order, or None where it cannot be read; never raises."""
    if len(text) > MAX_CALENDAR or "BEGIN:VCALENDAR" not in text[:10_000].upper():
        return None
    lines = list(_kept_lines(text))
    if len(lines) > 20 * MAX_COMPONENTS or sum(line[:6] == "BEGIN:" for line in lines) > MAX_COMPONENTS:
        return None
    tzp.use_zoneinfo()  # forgets the zones that other calendars defined: each is read by itself alone
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            calendars = Calendar.from_ical("\r\n".join(lines) + "\r\n", multiple=True)
            return [_event(calendar, event) for calendar in calendars for event in calendar.walk("VEVENT")]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError):
        return None


def _kept_lines(text: str) -> Iterator[str]:
    """The lines that are read, in readable form: private and broken ones would make all of it unreadable."""
    skipped = 0
    seen: set[str] = set()
    for line in _FOLD.sub("", text).splitlines():
        found = _NAME.match(line)
        name = found.group().upper() if found is not None else ""
        if name in ("BEGIN", "END") and line[len(name) : len(name) + 1] == ":":
            component = line[len(name) + 1 :].strip().upper()
            if component not in _COMPONENTS:
                skipped = max(0, skipped + (1 if name == "BEGIN" else -1))
            elif not skipped:
                seen = set() if name == "BEGIN" else seen
                yield f"{name}:{component}"
        elif not skipped and name in _KEPT and ":" in line and name not in seen:
            value = line.rpartition(":")[2].strip()
            if name in _FORMS and not _FORMS[name].fullmatch(value):
                continue
            if name in _ONCE:
                seen.add(name)
            yield line


def _event(calendar: Any, event: Any) -> CalendarEvent:  # icalendar's components are mappings of any value
    start = _moment(event, "DTSTART")
    end = _moment(event, "DTEND")
    if end is None and start is not None:
        end = _plus_duration(start, event)
    method = _text(calendar, "METHOD").strip().upper()
    attendees = _values(event.get("ATTENDEE"))
    return CalendarEvent(
        uid=_text(event, "UID").strip(),
        method=method or ("CANCEL" if _text(event, "STATUS").upper() == "CANCELLED" else ""),
        sequence=int(event.get("SEQUENCE", 0)),
        starts_at=_iso(start),
        ends_at=_iso(end),
        zone=_zone_name(start, event),
        organizer=_mailbox(event.get("ORGANIZER")),
        attendees=tuple(_mailbox(value) for value in attendees),
        summary=_text(event, "SUMMARY"),
        description=_description(event),
        location=_text(event, "LOCATION"),
        answer=_answer(attendees) if method in _ANSWERING else "",
    )


def _moment(event: Any, name: str) -> date | None:
    value = event.get(name)
    found = getattr(value, "dt", None)
    if not isinstance(found, date):
        return None
    if isinstance(found, datetime) and found.tzinfo is None:
        return found.replace(tzinfo=_stated_offset(str(value.params.get("TZID", ""))))
    return found


def _stated_offset(zone: str) -> tzinfo | None:
    """The offset that a zone's name states, as "(UTC+01:00) Amsterdam"; None where it states none."""
    found = _OFFSET.search(zone[:100])
    if found is None or int(found[2]) > 14:
        return None
    offset = timedelta(hours=int(found[2]), minutes=int(found[3]))
    return timezone(-offset if found[1] == "-" else offset)


def _plus_duration(start: date, event: Any) -> date | None:
    length = getattr(event.get("DURATION"), "dt", None)
    return start + length if isinstance(length, timedelta) else None


def _zone_name(start: date | None, event: Any) -> str:
    if not isinstance(start, datetime):
        return ""
    known = getattr(start.tzinfo, "key", "")
    written = str(event["DTSTART"].params.get("TZID", ""))
    if known or written:
        return str(known or written)
    zone = start.tzinfo
    return "UTC" if zone is not None and zone.utcoffset(None) == UTC.utcoffset(None) else ""


def _iso(moment: date | None) -> str | None:
    if moment is None:
        return None
    return moment.isoformat(timespec="seconds") if isinstance(moment, datetime) else moment.isoformat()


def _description(event: Any) -> str:
    lines = [_text(event, "DESCRIPTION")]
    rule = event.get("RRULE")
    if rule is not None:
        lines.append(f"RRULE:{rule.to_ical().decode('utf-8', 'replace')}")
    instance = _iso(_moment(event, "RECURRENCE-ID"))
    if instance is not None:
        lines.append(f"RECURRENCE-ID:{instance}")
    return "\n".join(filter(None, lines))


def _answer(attendees: list[Any]) -> str:
    stated = (str(value.params.get("PARTSTAT", "")).upper() for value in attendees)
    return next((answer for answer in stated if answer and answer != "NEEDS-ACTION"), "")


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
