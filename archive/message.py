"""One raw mail with all that it says: headers, readable text, files, calendar; never raises on any bytes.

Belongs here: RFC 5322 headers with all the ways in which real mails break them. Does not belong here: the
tree of parts (`archive.mime_parts`), what is read of it (`archive.mail_content`), kinds
(`archive.mail_kinds`), quotes (`archive.quotes`), threads (`archive.threads`).
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_tz

from archive.addresses import Mailbox, parse_mailboxes
from archive.duplicates import duplicate_key
from archive.forwards import people_of, quoted_heads
from archive.identifiers import content_digest, row_id
from archive.invites import CalendarEvent
from archive.mail_content import Attachment, Enclosed, MailContent, read_content
from archive.mail_kinds import kind_of
from archive.mailbox import MAX_MESSAGE, RawMessage
from archive.mime_parts import MimeBoundError, parse_mime
from archive.quotes import BodyParts, split_body
from archive.threads import Threaded, sentence_marks

__all__ = ["Attachment", "Enclosed", "ParsedMail", "iso_date", "parse_mail"]

_KNOWN = frozenset(
    (
        "from",
        "to",
        "cc",
        "bcc",
        "reply-to",
        "subject",
        "date",
        "message-id",
        "in-reply-to",
        "references",
        "mime-version",
        "content-type",
        "content-transfer-encoding",
        "content-disposition",
        "content-length",
    )
)
_BOXES = ("to", "cc", "bcc", "reply-to")
_BRACKETED = re.compile(r"<([^<>\s]+)>")
_FORWARDED_ID = re.compile(r"^[ \t>*]{0,20}Message-I[Dd]:[ \t]{0,9}<([^<>\s]{3,250})>", re.MULTILINE)
"""The id of a message that is forwarded as text with its headers."""
_OWN_MARKS = 6
_QUOTED_MARKS = 24


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
    enclosed: tuple[Enclosed, ...]
    """The heads of messages that travel inside of this one."""
    conversation_ids: tuple[str, ...]
    """What else names the conversation: calendar UIDs, Outlook's and Gmail's ids, ids of forwarded mails."""

    @property
    def message_id(self) -> str:
        """The canonical id of this message."""
        return row_id("m", self.content_hash)

    @property
    def duplicate_key(self) -> str:
        """Equal for copies of one message in several mailboxes and exports (`archive.duplicates`)."""
        return duplicate_key(
            self.header_id,
            _utc(self.sent_at),
            self.sender.address or self.sender.name,
            self.subject,
            self.body,
            (attachment.digest for attachment in self.attachments),
        )

    def row(
        self, mailboxes: list[str], source: str, thread_id: str, parts: BodyParts | None = None
    ) -> dict[str, object]:
        """Returns the row of the table `messages`; `parts` are those of the body where they are known."""
        parts = split_body(self.body) if parts is None else parts
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

    def threaded(self, parts: BodyParts | None = None) -> Threaded:
        """Returns what threading needs to know; `parts` are those of the body where they are known."""
        parts = split_body(self.body) if parts is None else parts
        day, second = day_and_second(self.sent_at)
        boxes = [
            box for header in _BOXES for text in self.recipients[header] for box in parse_mailboxes(text)
        ]
        people = frozenset(map(_person, (self.sender, *boxes))) - {""}
        return Threaded(
            message_id=self.message_id,
            header_id=self.header_id,
            references=tuple(dict.fromkeys((*self.references, *filter(None, [self.in_reply_to])))),
            calendar_ids=self.conversation_ids,
            subject=self.subject,
            day=day,
            second=second,
            participants=people | people_of(quoted_heads(parts.quoted)) if parts.quoted else people,
            sender=_person(self.sender),
            own=sentence_marks(parts.own, _OWN_MARKS),
            quoted=sentence_marks(parts.quoted, _QUOTED_MARKS),
        )


def parse_mail(raw: RawMessage) -> ParsedMail | str:
    """Returns the mail, or the reason why these bytes are none (`archive.rejects` lists the reasons)."""
    if raw.size > MAX_MESSAGE:
        return "too_large"
    if not raw.data.strip():
        return "empty"
    try:
        tree = parse_mime(raw.data)
    except MimeBoundError as error:
        return error.reason
    headers: dict[str, list[str]] = {}
    others = []
    for name, value in tree.headers:
        lower = name.lower()
        headers.setdefault(lower, []).append(value)
        if lower not in _KNOWN:
            others.append(f"{name}: {value}")
    first = {name: values[0] for name, values in headers.items()}
    if not any(first.get(name) for name in ("from", "to", "subject", "date", "message-id")):
        return "no_headers"
    content = read_content(tree)
    if not (content.text.strip() or first.get("subject") or content.attachments or content.calendar):
        return "no_content"
    sender = next(iter(parse_mailboxes(first.get("from", ""))), Mailbox("", ""))
    return ParsedMail(
        raw=raw,
        content_hash=content_digest(raw.data),
        header_id=next(iter(identifiers(first.get("message-id", ""))), ""),
        in_reply_to=next(iter(identifiers(first.get("in-reply-to", ""))), ""),
        references=identifiers(first.get("references", "")),
        sent_at=_sent_at(first, headers, raw.envelope),
        kind=kind_of(first, sender.address or sender.name, tree, bool(content.calendar)),
        sender=sender,
        recipients={
            name: tuple(str(box) for text in headers.get(name, ()) for box in parse_mailboxes(text))
            for name in _BOXES
        },
        subject=first.get("subject", ""),
        body=content.text,
        other_headers="\n".join(others),
        attachments=tuple(content.attachments),
        calendar=tuple(content.calendar),
        enclosed=tuple(content.enclosed),
        conversation_ids=_conversation_ids(first, content),
    )


def identifiers(text: str) -> tuple[str, ...]:
    """Returns the message ids of a header in order, without brackets, each once."""
    if not text:
        return ()
    found: list[str] = []
    for word in text.replace(",", " ").replace("><", "> <").split():
        bracketed = _BRACKETED.search(word)
        if bracketed is not None:
            found.append(bracketed[1])
        elif "@" in word:
            found.append(word.strip("<>;()"))
    return tuple(dict.fromkeys(identifier for identifier in found if identifier))


def _conversation_ids(first: dict[str, str], content: MailContent) -> tuple[str, ...]:
    found = [f"calendar:{event.uid}" for event in content.calendar if event.uid]
    found += [message.header_id for message in content.enclosed if message.header_id]
    if "essage-I" in content.text:
        found += _FORWARDED_ID.findall(content.text)
    if "x-gm-thrid" in first:
        found.append(f"gmail:{first['x-gm-thrid'].strip()}")
    if "thread-index" in first:
        conversation = _outlook_conversation(first["thread-index"])
        found += [f"outlook:{conversation}"] if conversation else []
    return tuple(dict.fromkeys(found))


def _outlook_conversation(index: str) -> str:
    """The first 22 bytes of a Thread-Index name the conversation; every answer adds five."""
    written = "".join(index.split())
    try:
        data = binascii.a2b_base64(written + "=" * (-len(written) % 4))
    except (binascii.Error, ValueError):
        return ""
    return data[:22].hex() if len(data) >= 22 and (len(data) - 22) % 5 == 0 and any(data[6:22]) else ""


def _person(box: Mailbox) -> str:
    return box.address or box.name.casefold()


def day_and_second(moment: str | None) -> tuple[int, int]:
    """Returns the day's ordinal and the second in UTC of an ISO 8601 moment; zeros where it is unknown."""
    if not moment:
        return 0, 0
    local = datetime.fromisoformat(moment).astimezone(UTC)
    return local.toordinal(), local.hour * 3600 + local.minute * 60 + local.second


def _utc(moment: str | None) -> str | None:
    if moment is None:
        return None
    day, second = day_and_second(moment)
    return f"{date.fromordinal(day)} {second}"


def _sent_at(first: dict[str, str], headers: dict[str, list[str]], envelope: str) -> str | None:
    """The Date header, else the earliest Received header (the last one), else the mbox line (UTC)."""
    moment = iso_date(first.get("date", ""))
    if moment is not None:
        return moment
    received = [value.rsplit(";", 1)[-1] for value in headers.get("received", ())]
    parts = envelope.split(maxsplit=1)
    for text in (*reversed(received), parts[1] if len(parts) == 2 else ""):
        moment = iso_date(text)
        if moment is not None:
            return moment
    return None


def iso_date(text: str) -> str | None:
    """Returns a mail date as ISO 8601 with offset (unknown: +00:00), or None where it names no real time."""
    try:
        found = parsedate_tz(text[:200])
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
        datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
    except ValueError:
        return None
    return (
        f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{min(second, 59):02d}"
        f"{sign}{abs(east) // 60:02d}:{abs(east) % 60:02d}"
    )
