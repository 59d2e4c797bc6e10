"""What the parts of a mail hold: readable text, attached files, calendar events, enclosed messages.

Belongs here: which part is text to read and which is a file. Does not belong here: the tree of parts
(`archive.mime_parts`), the text of files (`archive.attachment_text`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from archive.attachment_text import attachment_text
from archive.identifiers import content_digest
from archive.invites import CalendarEvent, read_calendar
from archive.mime_parts import MimePart
from archive.textforms import decode_bytes, html_to_text

_READABLE = frozenset(("text/plain", "text/html", "text/enriched", "text/richtext"))
_ENRICHED_PARAMETER = re.compile(r"<param>[^<]{0,500}</param>", re.IGNORECASE)
_ENRICHED_TAG = re.compile(r"</?[A-Za-z][\w-]{0,60}>")


@dataclass(frozen=True)
class Attachment:
    """A file that travels with a message; `text` is empty where it holds none that can be read."""

    filename: str
    content_type: str
    size: int
    text: str
    digest: str
    fault: str = ""
    """Why the text could not be read, or not wholly: a key of `archive.reasons.ATTACHMENT_FAULTS`."""


@dataclass(frozen=True)
class Enclosed:
    """The head of a message that another one carries as a part."""

    header_id: str
    sender: str
    recipients: str
    subject: str
    date: str


@dataclass
class MailContent:
    """All that the parts of one message hold, in order."""

    text: str = ""
    attachments: list[Attachment] = field(default_factory=list)
    calendar: list[CalendarEvent] = field(default_factory=list)
    enclosed: list[Enclosed] = field(default_factory=list)


def read_content(tree: MimePart) -> MailContent:
    """Returns what the parts hold; an enclosed message is a file whose text is its headers and words."""
    content = MailContent()
    texts: list[str] = []
    _read(tree, content, texts, written_twice=False)
    content.text = "\n\n".join(texts)
    return content


def _read(part: MimePart, content: MailContent, texts: list[str], written_twice: bool) -> None:
    """Reads a part; `written_twice` says that its HTML stands beside it as plain text."""
    if part.content_type == "message/rfc822" and part.children:
        _read_enclosed(part, content)
    elif part.children:
        alternative = part.content_type == "multipart/alternative"
        plain = alternative and any(_has_plain_text(child) for child in part.children)
        for child in part.children:
            _read(child, content, texts, written_twice or plain)
    else:
        _read_leaf(part, content, texts, written_twice)


def _has_plain_text(part: MimePart) -> bool:
    if part.children:
        return part.content_type.startswith("multipart/") and any(map(_has_plain_text, part.children))
    return part.content_type == "text/plain" and part.disposition != "attachment" and bool(part.body.strip())


def _read_leaf(part: MimePart, content: MailContent, texts: list[str], written_twice: bool) -> None:
    kind = part.content_type
    disposition = part.disposition
    filename = part.filename if disposition or "name" in part.first("content-type").lower() else ""
    attached = bool(filename) or disposition == "attachment"
    if kind == "text/calendar" or filename.lower().endswith(".ics"):
        data = part.data
        written = decode_bytes(data, part.charset)
        events = read_calendar(written)
        if events is None or attached:
            content.attachments.append(Attachment(filename, kind, len(data), written, content_digest(data)))
        content.calendar.extend(event for event in events or [] if event not in content.calendar)
    elif attached or kind not in _READABLE:
        data = part.data
        if data or filename:
            content.attachments.append(_attachment(filename, kind, data, part.charset))
    elif not (written_twice and kind != "text/plain"):
        text = _readable(decode_bytes(part.data, part.charset), kind).strip("\n")
        if text:
            texts.append(text)


def _readable(text: str, kind: str) -> str:
    if kind == "text/html":
        return html_to_text(text)
    if kind in ("text/enriched", "text/richtext"):
        return _ENRICHED_TAG.sub("", _ENRICHED_PARAMETER.sub("", text)).replace("<<", "<")
    return text


def _attachment(filename: str, kind: str, data: bytes, charset: str | None) -> Attachment:
    plain = kind in ("text/plain", "text/csv") or kind.startswith("message/")
    if plain or (kind.startswith("text/") and not filename):
        return Attachment(filename, kind, len(data), decode_bytes(data, charset), content_digest(data))
    read = attachment_text(filename, kind, data)
    return Attachment(filename, kind, len(data), read.text, content_digest(data), read.fault or "")


def _read_enclosed(part: MimePart, content: MailContent) -> None:
    """The headers and words of an enclosed message as a file's text; its own files follow it."""
    for message in part.children:
        inner = MailContent()
        texts: list[str] = []
        _read(message, inner, texts, written_twice=False)
        head = "\n".join(f"{name}: {value}" for name, value in message.headers)
        text = "\n\n".join([head, *texts])
        data = text.encode("utf-8", "replace")
        filename = part.filename
        content.attachments.append(
            Attachment(filename, "message/rfc822", len(data), text, content_digest(data))
        )
        content.enclosed.append(
            Enclosed(
                header_id=message.first("message-id").strip().strip("<>"),
                sender=message.first("from"),
                recipients=", ".join(filter(None, (message.first("to"), message.first("cc")))),
                subject=message.first("subject"),
                date=message.first("date"),
            )
        )
        content.attachments.extend(inner.attachments)
        content.calendar.extend(inner.calendar)
        content.enclosed.extend(inner.enclosed)
