"""Calendar objects written from the rows of `calendar_items`.

Belongs here: iCalendar text (RFC 5545) that reads back to the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_MAILBOX = re.compile(r"(?s)(?P<name>.*?)\s*<(?P<address>[^<>]*)>\s*")
_RULE = re.compile(r"^RRULE:([A-Z0-9=;,:+-]{4,400})$", re.MULTILINE)
_INSTANCE = re.compile(r"^RECURRENCE-ID:(\S{8,40})$", re.MULTILINE)


def calendar_text(items: Sequence[Mapping[str, Any]], stamp: str | None) -> str:
    """Returns one calendar with these events; `stamp` is the ISO moment when it was sent."""
    method = next((item["method"] for item in items if item["method"]), "")
    lines = ["BEGIN:VCALENDAR", "PRODID:-//RL Dojo//export//EN", "VERSION:2.0"]
    if method:
        lines.append(f"METHOD:{method}")
    for item in items:
        lines += _event(item, stamp)
    lines.append("END:VCALENDAR")
    return "".join(f"{piece}\r\n" for line in lines for piece in _folded(line))


def _event(item: Mapping[str, Any], stamp: str | None) -> list[str]:
    zone = item["zone"] or ""
    description = item["description"] or ""
    lines = ["BEGIN:VEVENT", f"UID:{item['uid'] or ''}"]
    moment = _utc(stamp) if stamp else "19700101T000000Z"
    lines.append(f"DTSTAMP:{moment}")
    for name, value in (("DTSTART", item["starts_at"]), ("DTEND", item["ends_at"])):
        if value:
            lines += _moment(name, value, zone)
    for rule in _RULE.findall(description)[:1]:
        lines.append(f"RRULE:{rule}")
    for instance in _INSTANCE.findall(description)[:1]:
        lines += _moment("RECURRENCE-ID", instance, zone)
    lines.append(f"SEQUENCE:{item['sequence'] or 0}")
    if item["organizer"]:
        lines.append(_person("ORGANIZER", item["organizer"], ""))
    for number, attendee in enumerate(item["attendees"] or []):
        lines.append(_person("ATTENDEE", attendee, (item["answer"] or "") if not number else ""))
    told = _INSTANCE.sub("", _RULE.sub("", description)).strip("\n")
    for name, text in (("SUMMARY", item["summary"]), ("DESCRIPTION", told), ("LOCATION", item["location"])):
        if text:
            lines.append(f"{name}:{_escaped(text)}")
    return [*lines, "END:VEVENT"]


def _moment(name: str, value: str, zone: str) -> list[str]:
    """The line of a time; none for what is no time."""
    try:
        if "T" not in value:
            return [f"{name};VALUE=DATE:{date.fromisoformat(value):%Y%m%d}"]
        at = datetime.fromisoformat(value)
    except ValueError:
        return []
    if at.tzinfo is None:
        return [f"{name}:{at:%Y%m%dT%H%M%S}"]
    try:
        if zone and zone != "UTC":
            return [f"{name};TZID={zone}:{at.astimezone(ZoneInfo(zone)):%Y%m%dT%H%M%S}"]
    except (ZoneInfoNotFoundError, ValueError, OSError):
        pass
    return [f"{name}:{_utc(value)}"]


def _utc(moment: str) -> str:
    at = datetime.fromisoformat(moment)
    return f"{at.astimezone(UTC) if at.tzinfo is not None else at:%Y%m%dT%H%M%SZ}"


def _person(name: str, mailbox: str, answer: str) -> str:
    match = _MAILBOX.fullmatch(mailbox)
    shown, address = (match["name"], match["address"]) if match is not None else ("", mailbox)
    if match is None and "@" not in address:
        shown, address = address, ""
    state = f";PARTSTAT={answer}" if answer else ""
    plain = re.sub(r'["\r\n]', "'", shown)
    return f"{name}" + (f';CN="{plain}"' if plain else "") + f"{state}:mailto:{address}"


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return escaped.replace("\r\n", "\\n").replace("\n", "\\n")


def _folded(line: str) -> list[str]:
    """Pieces of at most 75 bytes, continued ones after a space."""
    pieces, piece = [], ""
    for char in line:
        if len((piece + char).encode("utf-8", "replace")) > 74:
            pieces.append(piece)
            piece = " "
        piece += char
    return [*pieces, piece]
