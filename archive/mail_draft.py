"""Mail that was stored in another form (Outlook items, rows of a table) written as RFC 5322 bytes.

Belongs here: the writing, the same bytes for the same content always. Does not belong here: reading the other
forms (`archive.mail_msg`, `archive.mail_pst`, `archive.mail_csv`).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from archive.identifiers import content_digest

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NAME = re.compile(r"[!-9;-~]{1,80}")
_TYPE = re.compile(r"[a-z0-9!#$&^_.+\-]{1,80}/[a-z0-9!#$&^_.+\-]{1,80}")
_STRUCTURE = frozenset(
    ("content-type", "content-transfer-encoding", "content-disposition", "content-length", "mime-version")
)


class DraftFile(NamedTuple):
    """A file attached to a draft."""

    filename: str
    content_type: str
    data: bytes
    content_id: str = ""


class Draft(NamedTuple):
    """What a message holds, before it is bytes."""

    headers: tuple[tuple[str, str], ...]
    """Names and unfolded values; those that describe the structure of bodies are left out in writing."""
    text: str = ""
    html: str = ""
    files: tuple[DraftFile, ...] = ()
    calendar: str = ""
    """An iCalendar object."""


def draft_bytes(draft: Draft) -> bytes:
    """Returns a message as RFC 5322 bytes with UTF-8 headers (RFC 6532); equal drafts give equal bytes."""
    lines = [
        f"{name}: {_one_line(value)}"
        for name, value in draft.headers
        if _NAME.fullmatch(name) and name.lower() not in _STRUCTURE and value.strip()
    ]
    bodies = []
    if draft.text or not (draft.html or draft.calendar):
        bodies.append(_text_part("text/plain", draft.text))
    if draft.html:
        bodies.append(_text_part("text/html", draft.html))
    body = bodies[0] if len(bodies) == 1 else _multipart("alternative", bodies) if bodies else b""
    parts = [body] if body else []
    if draft.calendar:
        parts.append(_text_part("text/calendar", draft.calendar))
    parts.extend(_file_part(file) for file in draft.files)
    whole = parts[0] if len(parts) == 1 else _multipart("mixed", parts)
    return "\n".join([*lines, "MIME-Version: 1.0", ""]).encode("utf-8", "replace") + whole


def address_text(name: str, address: str) -> str:
    """Returns a mailbox as it stands in a header; an address without "@" is none."""
    plain, bare = _one_line(name), _one_line(address).strip("<> ")
    if "@" not in bare:
        return _quoted(plain)
    if not plain or plain.strip("'\"").lower() == bare.lower():
        return bare
    return f"{_quoted(plain)} <{bare}>"


def date_text(moment: datetime) -> str:
    """Returns a moment as a Date header, in UTC; one without a zone is taken as UTC."""
    utc = moment.astimezone(UTC) if moment.tzinfo is not None else moment
    return (
        f"{_DAYS[utc.weekday()]}, {utc.day:02d} {_MONTHS[utc.month - 1]} {utc.year:04d} "
        f"{utc.hour:02d}:{utc.minute:02d}:{utc.second:02d} +0000"
    )


def header_lines(text: str) -> list[tuple[str, str]]:
    """Returns the headers of a header block, unfolded; lines that are none are left out."""
    headers: list[tuple[str, str]] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        name, colon, value = line.partition(":")
        if line[:1] in (" ", "\t") and headers:
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {line.strip()}")
        elif colon and _NAME.fullmatch(name):
            headers.append((name, value.strip()))
    return headers


def _one_line(text: str) -> str:
    return " ".join(text.replace("\0", "").split())


def _quoted(name: str) -> str:
    if not name or re.fullmatch(r"[\w .'\-]+", name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _text_part(content_type: str, text: str) -> bytes:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    head = f"Content-Type: {content_type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    return (head + lines).encode("utf-8", "replace")


def _file_part(file: DraftFile) -> bytes:
    kind = (
        file.content_type.lower()
        if _TYPE.fullmatch(file.content_type.lower())
        else "application/octet-stream"
    )
    name = _one_line(file.filename).replace("\\", "_").replace('"', "'")
    head = [f"Content-Type: {kind}" + (f'; name="{name}"' if name else "")]
    if file.content_id:
        head.append(f"Content-ID: <{_one_line(file.content_id).strip('<>')}>")
    head.append("Content-Disposition: attachment" + (f'; filename="{name}"' if name else ""))
    if kind == "message/rfc822":
        # A message in a message must not be encoded (RFC 2046, 5.2.1).
        return (
            "\n".join([*head, "Content-Transfer-Encoding: 8bit", "", ""]).encode("utf-8", "replace")
            + file.data
        )
    head.extend(("Content-Transfer-Encoding: base64", "", ""))
    return "\n".join(head).encode("utf-8", "replace") + base64.encodebytes(file.data)


def _multipart(kind: str, parts: Sequence[bytes]) -> bytes:
    boundary = f"=_{content_digest(b''.join(parts))[:32]}".encode()
    opened = b'Content-Type: multipart/%s; boundary="%s"\n\n' % (kind.encode(), boundary)
    return opened + b"".join(b"--%s\n%s\n" % (boundary, part) for part in parts) + b"--%s--\n" % boundary
