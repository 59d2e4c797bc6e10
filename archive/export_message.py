"""One mail written again: the raw mail's tree of parts, order of headers and encodings, all content clean.

Belongs here: which clean value stands for which part. Every byte that is not structure comes from the clean
rows: preambles, unknown parameters, content ids, comments and thread indexes of the raw mail stay behind.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from archive.addresses import parse_mailboxes
from archive.export_attachments import attached_file
from archive.export_body import Parts, as_html, clean_body, slices
from archive.export_calendar import calendar_text
from archive.export_headers import (
    date_header,
    folded,
    ids_header,
    mailbox_header,
    parameter,
    text_header,
)
from archive.identifiers import content_digest
from archive.invites import read_calendar
from archive.mail_content import read_content
from archive.message import ParsedMail
from archive.mime_parts import MimePart, parameters, parse_mime
from archive.textforms import decode_bytes

Row = Mapping[str, Any]

_READABLE = ("text/plain", "text/html", "text/enriched", "text/richtext")
_STRUCTURE = frozenset(
    "mime-version content-type content-transfer-encoding content-disposition content-length content-id "
    "content-description content-location content-language".split()
)
_BOXES = {"to": "to", "cc": "cc", "bcc": "bcc", "reply-to": "reply_to"}
_MAILBOX_HEADERS = frozenset(("from", "to", "cc", "bcc", "reply-to", "sender"))
_HEADER = re.compile(r"([!-9;-~]{1,80}): ?(.*)", re.DOTALL)
_MULTIPART = frozenset("mixed alternative related report signed digest parallel form-data".split())
_REPORTS = frozenset(("delivery-status", "disposition-notification", "feedback-report"))
_DISPOSITIONS = frozenset(("inline", "attachment"))


class CleanMail(NamedTuple):
    """The clean rows of a mail."""

    message: Row
    attachments: Sequence[Row]
    items: Sequence[Row]
    raw_parts: Parts
    """Own words, quoted words, signature of the raw mail: tells which line of its body belongs to which."""


def mail_bytes(raw: ParsedMail, clean: CleanMail, left_out: Counter[str]) -> bytes:
    """Returns the mail with line feeds; its form is that of the raw one."""
    return _Writer(raw, clean, left_out).message()


class _Writer:
    def __init__(self, raw: ParsedMail, clean: CleanMail, left_out: Counter[str]) -> None:
        self._raw, self._clean, self._left_out = raw, clean, left_out
        self._tree = parse_mime(raw.raw.data)
        self._attachment = 0
        own = clean.message
        parts = (own["body_own"] or "", own["body_quoted"] or "", own["body_signature"] or "")
        lines, aligned = clean_body(raw.body, clean.raw_parts, parts)
        self._texts = _Texts(slices(lines, _texts_of(self._tree), aligned))
        self._calendars = {_calendar_of(leaf) for leaf in _leaves(self._tree) if _is_calendar(leaf)}
        self._fits = len(raw.attachments) == len(clean.attachments)
        self._left_out["mails with another count of attachments"] += not self._fits

    def message(self) -> bytes:
        part = self._part(self._tree, self._texts, twice=False)
        headers = self._headers()
        stated = any(name.lower() in ("mime-version", "content-type") for name, _ in self._tree.headers)
        if stated or part.headers not in (_PLAIN, _PLAIN_ASCII):
            headers += ["MIME-Version: 1.0", *part.headers]
        return "\n".join([*headers, "", ""]).encode("utf-8", "replace") + part.body

    def _headers(self) -> list[str]:
        raw = _raw_headers(self._raw.raw.data)
        row = self._clean.message
        others = [
            match for line in (row["other_headers"] or "").split("\n") if (match := _HEADER.fullmatch(line))
        ]
        queue = iter(others)
        done: set[str] = set()
        lines: list[str] = []
        for name, _ in self._tree.headers:
            lower = name.lower()
            if lower in _STRUCTURE:
                continue
            known = self._known(name, lower, raw.get(lower, ""))
            if known is None:
                match = next(queue, None)
                if match is not None:
                    lines.append(text_header(match[1], match[2], raw.get(lower, "")))
            elif lower not in done:
                lines += known
            done.add(lower)
        return lines

    def _known(self, name: str, lower: str, raw: str) -> list[str] | None:
        """The lines of a header that has columns of its own; None for any other."""
        row = self._clean.message
        if lower == "from":
            sender, address = row["from_name"] or "", row["from_address"] or ""
            box = f"{sender} <{address}>" if sender and address else sender or address
            return [mailbox_header(name, [box], raw)] if box else []
        if lower in _BOXES:
            return [mailbox_header(name, row[_BOXES[lower]], raw)] if row[_BOXES[lower]] else []
        if lower == "subject":
            return [text_header(name, row["subject"] or "", raw)]
        if lower == "date":
            return [date_header(name, row["sent_at"])] if row["sent_at"] else []
        if lower in ("message-id", "in-reply-to"):
            value = row["header_id" if lower == "message-id" else "in_reply_to"]
            return [ids_header(name, [value])] if value else []
        if lower == "references":
            return [ids_header(name, row["references"])] if row["references"] else []
        return None

    def _part(self, part: MimePart, texts: _Texts, twice: bool) -> _Written:
        if part.content_type == "message/rfc822" and part.children:
            return self._enclosed(part)
        if part.children:
            return self._multipart(part, texts, twice)
        return self._leaf(part, texts, twice)

    def _multipart(self, part: MimePart, texts: _Texts, twice: bool) -> _Written:
        alternative = part.content_type == "multipart/alternative"
        plain = alternative and any(map(_has_plain_text, part.children))
        written = [self._part(child, texts, twice or plain) for child in part.children]
        pieces = [b"\n".join([*(line.encode() for line in one.headers), b"", one.body]) for one in written]
        boundary = f"=_{content_digest(b''.join(pieces))[:32]}"
        mark = boundary.encode()
        body = b"".join(b"--%s\n%s\n" % (mark, piece.removesuffix(b"\n")) for piece in pieces)
        subtype = part.content_type.partition("/")[2]
        stated = [f"multipart/{subtype if subtype in _MULTIPART else 'mixed'}"]
        report = parameters(part.first("content-type")).get("report-type", "").lower()
        if report in _REPORTS:
            stated.append(f"report-type={report}")
        stated.append(f'boundary="{boundary}"')
        return _Written([folded("Content-Type", _joined(stated))], body + b"--%s--\n" % mark)

    def _leaf(self, part: MimePart, texts: _Texts, twice: bool) -> _Written:
        kind, disposition = part.content_type, part.disposition
        filename = _filename(part)
        attached = bool(filename) or disposition == "attachment"
        if _is_calendar(part):
            return self._calendar(part, kind, attached)
        if attached or kind not in _READABLE:
            return self._file(part) if part.data or filename else _Written(list(_PLAIN), b"")
        if twice and kind != "text/plain":
            return _encoded(kind, as_html(texts.last), part)
        raw = _readable_text(part)
        text = texts.take() if raw else ""
        shown = as_html(text) if kind == "text/html" and text else text + "\n" if text else ""
        return _encoded(kind if kind in ("text/plain", "text/html") else "text/plain", shown, part)

    def _calendar(self, part: MimePart, kind: str, attached: bool) -> _Written:
        # A zone's rules are slow to read: the events of the only calendar of a mail are known.
        known = self._raw.calendar if len(self._calendars) == 1 else ()
        events = known or read_calendar(_calendar_of(part))
        row = self._next_attachment() if events is None or attached else None
        items = [self._clean.items[at] for event in events or [] if (at := self._item(event)) is not None]
        if not items:
            return self._file_of(part, row) if row is not None else _Written(list(_PLAIN), b"")
        text = calendar_text(items, self._clean.message["sent_at"])
        method = next((item["method"] for item in items if item["method"]), "")
        stated = [kind] + ([f"method={method}"] if method and re.fullmatch(r"[A-Z]{1,20}", method) else [])
        written = _encoded("; ".join(stated), text.replace("\r\n", "\n"), part)
        if row is not None:
            written.headers.append(_disposition(part, row["filename"] or ""))
        return written

    def _item(self, event: object) -> int | None:
        at = next((at for at, known in enumerate(self._raw.calendar) if known == event), None)
        return at if at is not None and at < len(self._clean.items) else None

    def _file(self, part: MimePart) -> _Written:
        return self._file_of(part, self._next_attachment())

    def _file_of(self, part: MimePart, row: Row | None) -> _Written:
        row = row or {"content_type": "", "filename": "", "text": ""}
        text = row["text"] or ""
        file = attached_file(row["content_type"] or "", row["filename"] or "", text, self._left_out)
        stated = [file.content_type]
        if file.filename:
            stated.append(parameter("name", file.filename))
        if file.textual and not file.content_type.startswith("message/"):
            stated.append('charset="utf-8"')
        headers = [folded("Content-Type", _joined(stated))]
        if part.disposition == "attachment" or file.filename or file.content_type in _READABLE:
            headers.append(_disposition(part, file.filename))
        if file.content_type.startswith("message/"):
            return _Written(headers, file.data if file.data.endswith(b"\n") else file.data + b"\n")
        return _Written([*headers, "Content-Transfer-Encoding: base64"], base64.encodebytes(file.data))

    def _enclosed(self, part: MimePart) -> _Written:
        """A message in a message, from the text under which it is stored: its headers, then its words."""
        row = self._next_attachment()
        message = part.children[0]
        lines = ((row or {}).get("text") or "").split("\n")
        count = len(message.headers)
        headers = [written for line in lines[:count] if (written := _inner_header(line)) is not None]
        words = lines[count + 1 :] if count else lines
        raw_texts = _texts_of(message)
        aligned = len(words) == len("\n\n".join(raw_texts).split("\n"))
        inner = self._part(message, _Texts(slices(words, raw_texts, aligned)), twice=False)
        content = "\n".join([*headers, "MIME-Version: 1.0", *inner.headers, "", ""])
        stated = ["message/rfc822"]
        filename = (row or {}).get("filename") or ""
        if filename:
            stated.append(parameter("name", filename))
        outer = [folded("Content-Type", _joined(stated))]
        if part.disposition in _DISPOSITIONS:
            outer.append(_disposition(part, filename))
        return _Written(outer, content.encode("utf-8", "replace") + inner.body)

    def _next_attachment(self) -> Row | None:
        at = self._attachment
        self._attachment += 1
        return self._clean.attachments[at] if self._fits and at < len(self._clean.attachments) else None


class _Written(NamedTuple):
    headers: list[str]
    body: bytes


_PLAIN = ["Content-Type: text/plain"]
_PLAIN_ASCII = ['Content-Type: text/plain; charset="us-ascii"']


class _Texts:
    """The clean texts of the readable parts, in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._waiting = list(texts)
        self.last = ""

    def take(self) -> str:
        self.last = self._waiting.pop(0) if self._waiting else ""
        return self.last


def _texts_of(tree: MimePart) -> list[str]:
    """The texts that a message's readable text is joined from."""
    found: list[str] = []

    def walk(part: MimePart, twice: bool) -> None:
        if part.content_type == "message/rfc822" and part.children:
            return
        plain = part.content_type == "multipart/alternative" and any(map(_has_plain_text, part.children))
        for child in part.children:
            walk(child, twice or plain)
        if not part.children and _is_text(part) and not (twice and part.content_type != "text/plain"):
            text = _readable_text(part)
            found.extend([text] if text else [])

    walk(tree, False)
    return found


def _leaves(part: MimePart) -> Iterator[MimePart]:
    if not part.children:
        yield part
    for child in part.children:
        yield from _leaves(child)


def _is_calendar(part: MimePart) -> bool:
    return part.content_type == "text/calendar" or _filename(part).lower().endswith(".ics")


def _calendar_of(part: MimePart) -> str:
    return decode_bytes(part.data, part.charset)


def _filename(part: MimePart) -> str:
    """The name of a part where it states one as a file's."""
    named = part.disposition or "name" in part.first("content-type").lower()
    return part.filename if named else ""


def _is_text(part: MimePart) -> bool:
    return part.content_type in _READABLE and not _filename(part) and part.disposition != "attachment"


def _readable_text(part: MimePart) -> str:
    """What reading takes from one part alone."""
    content = read_content(MimePart(part.headers, part.content_type, part.body, ()))
    return content.text


def _has_plain_text(part: MimePart) -> bool:
    if part.children:
        return part.content_type.startswith("multipart/") and any(map(_has_plain_text, part.children))
    return part.content_type == "text/plain" and part.disposition != "attachment" and bool(part.body.strip())


def _encoded(kind: str, text: str, part: MimePart) -> _Written:
    """A text part in charset and transfer encoding of the raw part, where they can hold it."""
    charset = (part.charset or "us-ascii").strip().lower()
    try:
        data = text.encode(charset)
        if charset.startswith(("utf-16", "utf-32")) or decode_bytes(data, charset) != text:
            raise LookupError
    except (LookupError, UnicodeError):
        charset, data = "utf-8", text.encode("utf-8", "replace")
    headers = [f'Content-Type: {kind}; charset="{charset}"']
    encoding = part.first("content-transfer-encoding").strip().lower()
    if encoding == "base64":
        return _Written([*headers, "Content-Transfer-Encoding: base64"], base64.encodebytes(data))
    long = any(len(line) > 990 for line in data.split(b"\n"))
    if encoding == "quoted-printable" or long or (not data.isascii() and encoding != "8bit"):
        quoted = binascii.b2a_qp(data, quotetabs=False, istext=True)
        return _Written([*headers, "Content-Transfer-Encoding: quoted-printable"], quoted)
    stated = "8bit" if encoding == "8bit" else "7bit"
    return _Written([*headers, f"Content-Transfer-Encoding: {stated}"] if encoding else headers, data)


def _disposition(part: MimePart, filename: str) -> str:
    stated = [part.disposition if part.disposition in _DISPOSITIONS else "attachment"]
    if filename:
        stated.append(parameter("filename", filename))
    return folded("Content-Disposition", _joined(stated))


def _joined(pieces: Sequence[str]) -> list[str]:
    return [piece + ";" for piece in pieces[:-1]] + [pieces[-1]]


def _inner_header(line: str) -> str | None:
    match = _HEADER.fullmatch(line)
    if match is None or match[1].lower() in _STRUCTURE:
        return None
    if match[1].lower() in _MAILBOX_HEADERS:
        boxes = [str(box) for box in parse_mailboxes(match[2])]
        return mailbox_header(match[1], boxes) if boxes else None
    return text_header(match[1], match[2])


def _raw_headers(data: bytes) -> dict[str, str]:
    """How each header of a message is spelt, the first of a name: only its charset is looked at."""
    end = re.search(rb"\n\r?\n", data)
    block = (data[: end.start()] if end else data[: 1 << 20]).replace(b"\r\n", b"\n")
    found: dict[str, str] = {}
    name = ""
    for line in block.split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            found[name] = found.get(name, "") + line.decode("ascii", "replace")
        else:
            first, colon, value = line.partition(b":")
            name = first.decode("ascii", "replace").strip().lower() if colon else ""
            if name in found:
                name = ""
            found[name] = value.decode("ascii", "replace")
    return found
