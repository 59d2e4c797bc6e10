"""An Outlook item, from a .msg file or a .pst mailbox alike, as RFC 5322 bytes.

Belongs here: what of an item becomes which header or part. Does not belong here: reading items
(`archive.mail_msg`, `archive.mail_pst`).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from archive.mail_draft import Draft, DraftFile, address_text, date_text, draft_bytes, header_lines
from archive.outlook_properties import Appointment
from archive.rich_text import decompressed_rtf, rich_text
from archive.textforms import html_to_text

MAX_BODY = 20_000_000
"""Bytes of rich text that a body may expand to, and characters of text that are taken from it."""
_LATEST_MIDNIGHT = timedelta(hours=13)
"""Zones are up to thirteen hours before UTC, and less than eleven behind it where people work."""
_KINDS = {1: "To", 2: "Cc", 3: "Bcc"}
_METHODS = (
    ("ipm.schedule.meeting.canceled", "CANCEL", ""),
    ("ipm.schedule.meeting.resp.pos", "REPLY", "ACCEPTED"),
    ("ipm.schedule.meeting.resp.neg", "REPLY", "DECLINED"),
    ("ipm.schedule.meeting.resp.tent", "REPLY", "TENTATIVE"),
    ("ipm.schedule.meeting", "REQUEST", ""),
    ("ipm.appointment", "PUBLISH", ""),
)
"""Beginning of a message class -> method of the calendar object and the answer it gives."""


class Recipient(NamedTuple):
    """A recipient: 1 To, 2 Cc, 3 Bcc."""

    kind: int
    name: str
    address: str


class OutlookItem(NamedTuple):
    """The properties of an item that matter."""

    message_class: str
    transport: str
    """The headers with which the item came over the network; empty inside one Exchange organization."""
    subject: str
    sender_name: str
    sender_address: str
    """An SMTP address, or an Exchange one ("/O=...")."""
    recipients: tuple[Recipient, ...]
    sent_at: datetime | None
    created_at: datetime | None
    """When a draft was begun; told as its date where it was never sent."""
    message_id: str
    in_reply_to: str
    references: str
    text: str
    html: str
    compressed_rtf: bytes
    files: tuple[DraftFile, ...]
    appointment: Appointment | None = None
    words: str = ""
    """What its fields say where it is no mail: they stand before its text."""


def outlook_mail(item: OutlookItem) -> bytes:
    """Returns an item as a mail: transport headers where there are some, missing ones from the item.

    The body is plain text beside HTML as the item has them; an item with neither gives its rich text.
    """
    text = item.text
    if not text.strip() and not item.html.strip() and item.compressed_rtf:
        text = _rtf_text(item.compressed_rtf)
    if item.words:
        text = "\n\n".join(filter(None, (item.words, text.strip() or html_to_text(item.html[:MAX_BODY]))))
    return draft_bytes(Draft(tuple(_headers(item)), text, item.html, item.files, _calendar(item)))


def takes_place(message_class: str) -> bool:
    """Says whether items of a class are appointments, meetings or answers to them."""
    return message_class.lower().startswith(tuple(start for start, _, _ in _METHODS))


def _rtf_text(data: bytes) -> str:
    try:
        rtf = data if data.startswith(b"{\\rtf") else decompressed_rtf(data, MAX_BODY)
    except ValueError:
        return ""
    return rich_text(rtf, MAX_BODY).strip("\n")


def _headers(item: OutlookItem) -> list[tuple[str, str]]:
    headers = header_lines(item.transport)
    present = {name.lower() for name, value in headers if value}
    moment = item.sent_at or item.created_at
    built = [("From", address_text(item.sender_name, item.sender_address))]
    for kind, name in _KINDS.items():
        found = [address_text(box.name, box.address) for box in item.recipients if box.kind == kind]
        built.append((name, ", ".join(text for text in found if text)))
    built.extend(
        (
            ("Subject", item.subject),
            ("Date", date_text(moment) if moment is not None else ""),
            ("Message-ID", item.message_id),
            ("In-Reply-To", item.in_reply_to),
            ("References", item.references),
        )
    )
    headers.extend((name, value) for name, value in built if value and name.lower() not in present)
    if item.sender_address and "@" not in item.sender_address:
        headers.append(("X-Exchange-Sender", item.sender_address))
    if item.sent_at is None and "date" not in present:
        headers.append(("X-Unsent", "1"))
    if item.message_class:
        headers.append(("X-Message-Class", item.message_class))
    return headers


def _calendar(item: OutlookItem) -> str:
    """The item's appointment as an iCalendar object, times in UTC; "" where it has none."""
    kind = item.message_class.lower()
    method, answer = next(((m, a) for start, m, a in _METHODS if kind.startswith(start)), ("", ""))
    plan = item.appointment
    if not method or plan is None or plan.starts_at is None:
        return ""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Outlook item//EN",
        f"METHOD:{method}",
        "BEGIN:VEVENT",
    ]
    lines.append(f"UID:{_escaped(plan.uid or item.message_id or item.subject)}")
    lines.append(f"DTSTART{_written(plan.starts_at, plan.whole_days)}")
    if plan.ends_at is not None:
        lines.append(f"DTEND{_written(plan.ends_at, plan.whole_days)}")
    if plan.rule:
        lines.append(f"RRULE:{plan.rule}")
    if plan.rule_text:
        lines.append(f"DESCRIPTION:{_escaped(plan.rule_text)}")
    lines.append(f"SUMMARY:{_escaped(item.subject)}")
    if plan.location:
        lines.append(f"LOCATION:{_escaped(plan.location)}")
    if "@" in item.sender_address:
        role = f"ATTENDEE;PARTSTAT={answer}" if answer else "ORGANIZER"
        lines.append(f"{role}{_common_name(item.sender_name)}:mailto:{item.sender_address}")
    if not answer:
        lines.extend(
            f"ATTENDEE{_common_name(box.name)}:mailto:{box.address}"
            for box in item.recipients
            if "@" in box.address
        )
    return "\r\n".join([*lines, "END:VEVENT", "END:VCALENDAR", ""])


def _written(moment: datetime, whole_days: bool) -> str:
    """A property's value; a whole day is stored as the moment at which it begins in its zone."""
    if not whole_days:
        return f":{_stamp(moment)}"
    return f";VALUE=DATE:{_stamp(moment + _LATEST_MIDNIGHT)[:8]}"


def _stamp(moment: datetime) -> str:
    utc = moment.astimezone(UTC) if moment.tzinfo is not None else moment
    return f"{utc.year:04d}{utc.month:02d}{utc.day:02d}T{utc.hour:02d}{utc.minute:02d}{utc.second:02d}Z"


def _escaped(text: str) -> str:
    plain = " ".join(text.split())
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _common_name(name: str) -> str:
    plain = " ".join(name.replace('"', "'").split())
    return f';CN="{plain}"' if plain else ""
