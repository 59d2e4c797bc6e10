"""One raw mail as canonical rows: message, attachments, calendar items; never raises on any bytes.

Belongs here: RFC 5322 and MIME with all the ways in which real mails break them. Does not belong here:
splitting files (`archive.mailbox`), quotes (`archive.quotes`), threads (`archive.threads`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parsedate_tz

from archive.addresses import Mailbox, parse_mailboxes
from archive.identifiers import content_digest, row_id
from archive.invites import CalendarEvent, read_calendar
from archive.mailbox import MAX_MESSAGE, RawMessage
from archive.quotes import split_body
from archive.textforms import composed, decode_bytes, decode_header, html_to_text
from contracts.canonical import digest

_KNOWN = ("from", "to", "cc", "bcc", "reply-to", "subject", "date", "message-id", "in-reply-to", "references")
_TECHNICAL = (
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "content-disposition",
    "content-length",
)
_IDENTIFIER = re.compile(r"<([^<>\s]+)>|(\S+@\S+)")
_TYPE = re.compile(r"[a-z0-9!#$&^_.+\-]{1,80}/[a-z0-9!#$&^_.+\-]{1,80}")
_NAMING = ("content-disposition", "content-type")
_WRITTEN_NAME = re.compile(r"\b(?:file)?name=(?:\"(?P<quoted>[^\"]*)\"|(?P<bare>[^;]*))", re.IGNORECASE)
_AUTO_SUBJECT = re.compile(
    r"^\s*(?:automatic reply|auto(?:-|matic )?response|auto:|out of (?:the )?office|abwesenheitsnotiz"
    r"|automatische antwort)",
    re.IGNORECASE,
)
_BOUNCE_SENDER = re.compile(r"^(?:mailer-daemon|postmaster)@|^mailer-daemon$", re.IGNORECASE)


@dataclass(frozen=True)
class Attachment:
    """A file that travels with a message; `text` is empty where it is not text."""

    filename: str
    content_type: str
    size: int
    text: str
    digest: str


@dataclass(frozen=True)
class ParsedMail:
    """A message as read; header ids without angle brackets, times ISO 8601."""

    raw: RawMessage
    content_hash: str
    header_id: str
    in_reply_to: str
    references: tuple[str, ...]
    sent_at: str | None
    kind: str
    sender: Mailbox
    recipients: dict[str, tuple[str, ...]]
    """Header (to, cc, bcc, reply-to) -> "Name <address>"."""
    subject: str
    body: str
    other_headers: str
    attachments: tuple[Attachment, ...]
    calendar: tuple[CalendarEvent, ...]

    @property
    def message_id(self) -> str:
        """The canonical id of this message."""
        return row_id("m", self.content_hash)

    @property
    def duplicate_key(self) -> str:
        """Equal for copies of one message in several mailboxes: same id, same content up to white space."""
        words = " ".join(f"{self.subject} {self.body}".split())
        return digest([self.header_id, self.sent_at, self.sender.address or self.sender.name, words])

    def row(self, mailboxes: list[str], source: str, thread_id: str) -> dict[str, object]:
        """Returns the row of the table `messages`."""
        parts = split_body(self.body)
        return {
            "message_id": self.message_id,
            "source": source,
            "path": self.raw.path,
            "locator": self.raw.locator,
            "content_hash": self.content_hash,
            "header_id": self.header_id or None,
            "in_reply_to": self.in_reply_to or None,
            "references": list(self.references),
            "thread_id": thread_id,
            "mailboxes": mailboxes,
            "sent_at": self.sent_at,
            "kind": self.kind,
            "from_name": self.sender.name,
            "from_address": self.sender.address,
            "to": list(self.recipients["to"]),
            "cc": list(self.recipients["cc"]),
            "bcc": list(self.recipients["bcc"]),
            "reply_to": list(self.recipients["reply-to"]),
            "subject": self.subject,
            "body_own": parts.own,
            "body_quoted": parts.quoted,
            "body_signature": parts.signature,
            "other_headers": self.other_headers,
        }


def parse_mail(raw: RawMessage) -> ParsedMail | str:
    """Returns the mail, or the reason why these bytes are none (`archive.rejects` lists the reasons)."""
    if raw.size > MAX_MESSAGE:
        return "too_large"
    if not raw.data.strip():
        return "empty"
    parsed = BytesParser(policy=compat32).parsebytes(raw.data)
    headers = [(name, composed(decode_header(str(value)))) for name, value in parsed.raw_items()]
    first = {name.lower(): value for name, value in reversed(headers)}
    if not any(first.get(name) for name in ("from", "to", "subject", "date", "message-id")):
        return "no_headers"
    body = _Body()
    body.read(parsed)
    if not body.text.strip() and not first.get("subject") and not body.attachments and not body.calendar:
        return "no_content"
    sender = next(iter(parse_mailboxes(first.get("from", ""))), Mailbox("", ""))
    return ParsedMail(
        raw=raw,
        content_hash=content_digest(raw.data),
        header_id=next(iter(_identifiers(first.get("message-id", ""))), ""),
        in_reply_to=next(iter(_identifiers(first.get("in-reply-to", ""))), ""),
        references=_identifiers(first.get("references", "")),
        sent_at=_sent_at(first, headers, raw.envelope),
        kind=_kind(parsed, first, sender, body),
        sender=sender,
        recipients={
            name: tuple(str(box) for text in _all(headers, name) for box in parse_mailboxes(text))
            for name in ("to", "cc", "bcc", "reply-to")
        },
        subject=first.get("subject", ""),
        body=body.text,
        other_headers="\n".join(
            f"{name}: {value}" for name, value in headers if name.lower() not in (*_KNOWN, *_TECHNICAL)
        ),
        attachments=tuple(body.attachments),
        calendar=tuple(body.calendar),
    )


class _Body:
    """Collects the readable text, the attachments and the calendar events of a message."""

    def __init__(self) -> None:
        self.text = ""
        self.attachments: list[Attachment] = []
        self.calendar: list[CalendarEvent] = []

    def read(self, part: Message) -> None:
        content_type = part.get_content_type()
        if content_type == "message/rfc822" and part.is_multipart():
            self._enclosed(part)
        elif part.is_multipart():
            self._multipart(part, content_type)
        else:
            self._leaf(part, content_type)

    def _multipart(self, part: Message, content_type: str) -> None:
        children = [child for child in part.get_payload() if isinstance(child, Message)]
        if content_type == "multipart/alternative":
            plain = [child for child in children if child.get_content_type() == "text/plain"]
            if any(str(child.get_payload()).strip() for child in plain):
                children = [child for child in children if child.get_content_type() != "text/html"]
        for child in children:
            self.read(child)

    def _leaf(self, part: Message, content_type: str) -> None:
        content_type = content_type if _TYPE.fullmatch(content_type) else "application/octet-stream"
        data = _payload(part)
        filename = _filename(part)
        text = decode_bytes(data, _charset(part)) if content_type.startswith("text/") else ""
        attached = filename or _disposition(part) == "attachment"
        if content_type == "text/calendar" or filename.lower().endswith(".ics"):
            events = read_calendar(text or decode_bytes(data, None))
            if events is None or attached:
                self._attach(filename, content_type, data, text)
            self.calendar.extend(event for event in events or [] if event not in self.calendar)
        elif attached or content_type not in ("text/plain", "text/html", "text/enriched"):
            if data or filename:
                self._attach(filename, content_type, data, text)
        else:
            readable = html_to_text(text) if content_type == "text/html" else text
            self.text = f"{self.text}\n\n{readable}".strip("\n") if self.text else readable.strip("\n")

    def _enclosed(self, part: Message) -> None:
        inner = _Body()
        for child in part.get_payload():
            if isinstance(child, Message):
                inner.read(child)
                header = "\n".join(
                    f"{name}: {decode_header(str(value))}" for name, value in child.raw_items()
                )
                inner.text = f"{header}\n\n{inner.text}"
        self._attach(_filename(part), "message/rfc822", inner.text.encode("utf-8", "replace"), inner.text)
        self.attachments.extend(inner.attachments)
        self.calendar.extend(inner.calendar)

    def _attach(self, filename: str, content_type: str, data: bytes, text: str) -> None:
        self.attachments.append(Attachment(filename, content_type, len(data), text, content_digest(data)))


def _payload(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _charset(part: Message) -> str | None:
    try:
        return part.get_content_charset()
    except (LookupError, ValueError, TypeError):
        return None


def _filename(part: Message) -> str:
    try:
        name = decode_header(part.get_filename() or "")
    except (LookupError, ValueError, TypeError):
        return ""
    if "\ufffd" not in name:
        return composed(name)
    # The standard library gives up on bytes that no encoded word announces; the header itself still has them.
    headers = (decode_header(str(value)) for key, value in part.raw_items() if key.lower() in _NAMING)
    written = next((match for header in headers for match in [_WRITTEN_NAME.search(header)] if match), None)
    return composed((written["quoted"] or written["bare"]).strip()) if written is not None else name


def _disposition(part: Message) -> str:
    try:
        return part.get_content_disposition() or ""
    except (LookupError, ValueError, TypeError, AttributeError):
        return ""


def _all(headers: list[tuple[str, str]], name: str) -> list[str]:
    return [value for found, value in headers if found.lower() == name]


def _identifiers(text: str) -> tuple[str, ...]:
    found = (match[1] or match[2] for match in _IDENTIFIER.finditer(text))
    return tuple(dict.fromkeys(identifier.strip("<>,;") for identifier in found))


def _kind(parsed: Message, first: dict[str, str], sender: Mailbox, body: _Body) -> str:
    if parsed.get_content_type() == "multipart/report" or _BOUNCE_SENDER.match(sender.address or sender.name):
        return "bounce"
    submitted = first.get("auto-submitted", "no").split(";")[0].strip().lower()
    automatic = submitted == "auto-replied" or "x-autoreply" in first or "x-autorespond" in first
    if (
        automatic
        or first.get("precedence", "").lower() == "auto_reply"
        or _AUTO_SUBJECT.match(first.get("subject", ""))
    ):
        return "auto_reply"
    return "invite" if body.calendar else "mail"


def _sent_at(first: dict[str, str], headers: list[tuple[str, str]], envelope: str) -> str | None:
    """The Date header, else the earliest Received header (the last one), else the mbox line (UTC)."""
    received = [value.rsplit(";", 1)[-1] for value in _all(headers, "received")]
    for text in (first.get("date", ""), *reversed(received)):
        moment = iso_date(text)
        if moment is not None:
            return moment
    parts = envelope.split(maxsplit=1)
    return iso_date(parts[1]) if len(parts) == 2 else None


def iso_date(text: str) -> str | None:
    """Returns a mail date as ISO 8601 with offset (unknown: +00:00), or None where it names no real time."""
    try:
        found = parsedate_tz(text)
    except (ValueError, IndexError, TypeError, OverflowError):
        return None
    if found is None:
        return None
    year, month, day, hour, minute, second, *_, offset = found
    if not 1970 <= year <= 2100 or abs(offset or 0) >= 86_400:
        return None
    east = (offset or 0) // 60
    sign = "+" if east >= 0 else "-"
    try:
        local = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
    except ValueError:
        return None
    return f"{local:%Y-%m-%dT%H:%M:%S}{sign}{abs(east) // 60:02d}:{abs(east) % 60:02d}"
