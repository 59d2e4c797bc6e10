"""The text of attached files, whatever their format, within limits; hostile files end in a fault.

Belongs here: telling what an attachment is and reading it, attachments of attachments included. Office and
HTML files are read in `archive.attachment_office`, PDF in `archive.attachment_pdf`, rich text in
`archive.rich_text`, packed files in `archive.packed`. Does not belong here: the parts of a mail itself
(`archive.message`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from archive.attachment_office import html_text, office_kind, office_text
from archive.attachment_pdf import pdf_text
from archive.mime_parts import MimeBoundError, MimePart, parse_mime
from archive.packed import MAX_DEPTH, Budget, packing, unpacked
from archive.rich_text import rich_text
from archive.textforms import decode_bytes

MAX_ATTACHMENT = 50 * 1024 * 1024
"""Bytes; a longer attachment is not opened."""
MAX_TEXT = 1_000_000
"""Characters of text kept of one attachment; the cut is marked with `CUT`."""
MAX_MARKUP = 8 * 1024 * 1024
"""Bytes of an HTML or rich text file; a longer one is not opened."""
CUT = "\n[cut]"
"""Stands at the end of a text that is longer than `MAX_TEXT`."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MSG_MARK = "__properties_version1.0".encode("utf-16-le")
_UNSUPPORTED = (b"Rar!\x1a\x07", b"7z\xbc\xaf\x27\x1c", b"\x78\x9f\x3e\x22")
"""Beginnings of RAR and 7z files and of winmail.dat (TNEF)."""
_TEXTUAL = frozenset(
    "txt text csv tsv tab md markdown rst json jsonl ndjson xml yaml yml log ini cfg conf sql ics vcf diff "
    "patch py java js ts c h cpp sh bat ps1 tex eps".split()
)
_MARKUP = re.compile(
    rb"\s*(?:<!--.{0,400}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?([A-Za-z0-9_.:\-]{1,40})", re.IGNORECASE)
_BOUNDS = {
    "too_nested": "too_deep",
    "too_many_parts": "too_many_members",
    "headers_too_long": "too_large",
}
_MAIL_HEADERS = ("From", "To", "Cc", "Date", "Subject")


class AttachmentText(NamedTuple):
    """What an attachment says, as far as it could be read."""

    text: str
    fault: str = ""
    """Why text is missing or may be, a key of `archive.reasons.ATTACHMENT_FAULTS`: of a packed file or mail
    the first fault inside; "" where nothing is missing, also for pictures and sound."""
    members: tuple[str, ...] = ()
    """Names of the files in a packed file or attached mail, those of inner ones as "outer/inner"."""


def attachment_text(filename: str, content_type: str, data: bytes) -> AttachmentText:
    """Returns the text of an attached file; never raises, never opens a network or writes a file.

    The bytes decide what the file is, then its name, then its content type.
    """
    read = _read(filename, content_type, data, Budget(), 0)
    if len(read.text) <= MAX_TEXT:
        return read
    return AttachmentText(read.text[:MAX_TEXT] + CUT, read.fault or "cut", read.members)


def _read(filename: str, content_type: str, data: bytes, budget: Budget, depth: int) -> AttachmentText:
    if len(data) > MAX_ATTACHMENT:
        return AttachmentText("", "too_large")
    kind = _kind(filename.lower(), content_type.lower(), data)
    if kind in ("packed", "mail", "outlook"):
        if depth >= MAX_DEPTH:
            return AttachmentText("", "too_deep")
        if kind == "packed":
            return _packed_text(filename, data, budget, depth)
        return _mail_text(kind, data, budget, depth)
    if kind in ("xlsx", "docx", "pptx", "opendocument"):
        return AttachmentText(*office_text(kind, data, budget, MAX_TEXT))
    if kind == "pdf":
        return AttachmentText(*pdf_text(data, MAX_TEXT))
    if kind in ("html", "rtf"):
        if len(data) > MAX_MARKUP:
            return AttachmentText("", "too_large")
        return AttachmentText(html_text(_decoded(data)) if kind == "html" else rich_text(data, MAX_TEXT))
    if kind == "text":
        return AttachmentText(_decoded(data[: 4 * MAX_TEXT + 4]))
    return AttachmentText("", kind if kind in ("unsupported", "unreadable") else "")


def _kind(name: str, content_type: str, data: bytes) -> str:
    ending = name.rpartition(".")[2] if "." in name else ""
    if packing(data):
        return office_kind(data) or "packed"
    if data.startswith(_OLE):
        # An encrypted office file is a compound file as well; only a mail has this stream.
        return "outlook" if _MSG_MARK in data else "unsupported"
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    if data.startswith(b"{\\rtf"):
        return "rtf"
    if data.startswith(_UNSUPPORTED) or content_type.endswith("pkcs7-mime"):
        return "unsupported"
    if ending == "eml" or content_type in ("message/rfc822", "message/global"):
        return "mail"
    if ending in ("html", "htm", "xhtml") or content_type == "text/html" or _MARKUP.match(data[:2048]):
        return "html"
    if ending in ("xlsx", "xlsm", "docx", "docm", "pptx", "zip", "pdf", "gz", "tgz", "tar", "msg") and data:
        return "unreadable"
    if ending in _TEXTUAL or content_type.startswith("text/") or content_type.endswith(("json", "xml")):
        wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        return "text" if wide or b"\0" not in data[:8192] else ""
    return ""


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").replace("\r\n", "\n").replace("\r", "\n")
    named = _CHARSET.search(data[:2048])
    charset = named[1].decode("ascii") if named else None
    return decode_bytes(data.removeprefix(b"\xef\xbb\xbf"), charset)


def _packed_text(filename: str, data: bytes, budget: Budget, depth: int) -> AttachmentText:
    gathered = _Gathered()
    for member in unpacked(filename, data, budget):
        inner = (
            AttachmentText("", member.fault)
            if member.fault
            else _read(member.name, "", member.data, budget, depth + 1)
        )
        gathered.add(_shown(member.name), inner)
    return gathered.result()


def _mail_text(kind: str, data: bytes, budget: Budget, depth: int) -> AttachmentText:
    if kind == "outlook":
        from archive.mail_msg import msg_to_mail

        built = msg_to_mail(data)
        if isinstance(built, str):
            return AttachmentText("", built)
        data = built
    gathered = _Gathered()
    try:
        tree = parse_mime(data)
    except MimeBoundError as error:
        return AttachmentText("", _BOUNDS[error.reason])
    head = ((name, tree.first(name.lower())) for name in _MAIL_HEADERS)
    gathered.text.append("\n".join(f"{name}: {value}" for name, value in head if value))
    for part in _leaves(tree):
        _add_part(gathered, part, budget, depth)
    return gathered.result()


def _leaves(part: MimePart) -> Iterator[MimePart]:
    """The parts that hold bytes; HTML that stands beside the same as plain text is left out."""
    if not part.children:
        yield part
    plain = part.content_type == "multipart/alternative" and any(
        child.content_type == "text/plain" and child.body.strip() for child in part.children
    )
    for child in part.children:
        if not (plain and child.content_type == "text/html"):
            yield from _leaves(child)


def _add_part(gathered: _Gathered, part: MimePart, budget: Budget, depth: int) -> None:
    budget.members -= 1
    if budget.members < 0:
        gathered.faults.append("too_many_members")
        return
    name = _shown(part.filename)
    if not name and part.content_type in ("text/plain", "text/html"):
        text = decode_bytes(part.data, part.charset)
        gathered.text.append(text if part.content_type == "text/plain" else html_text(text[:MAX_MARKUP]))
        return
    inner = _read(name, part.content_type, part.data, budget, depth + 1)
    if name:
        gathered.add(name, inner)
    else:
        gathered.text.append(inner.text)
        gathered.faults.append(inner.fault)


class _Gathered:
    """Text, names and faults of many files as those of one."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.faults: list[str] = []
        self.members: list[str] = []

    def add(self, name: str, inner: AttachmentText) -> None:
        if name:
            self.members.append(name)
        self.members.extend(f"{name}/{member}" for member in inner.members)
        self.faults.append(inner.fault)
        if inner.text:
            self.text.append(f"[{name}]\n{inner.text}")

    def result(self) -> AttachmentText:
        fault = next((fault for fault in self.faults if fault), "")
        return AttachmentText("\n\n".join(text for text in self.text if text), fault, tuple(self.members))


def _shown(name: str) -> str:
    """A member's name without the characters that a table cannot hold."""
    plain = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(char for char in plain if char.isprintable())[:400]
