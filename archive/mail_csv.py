"""Mail kept as rows of CSV files: whole messages in a column (Enron style), or columns for their headers.

Belongs here: which column is what, and the message that a row becomes. Does not belong here: tables in
general (`archive.tables_csv`).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from archive import mailbox
from archive.identifiers import content_digest
from archive.mail_draft import Draft, draft_bytes
from archive.mailbox import RawMessage, open_plain, relative_path
from archive.rejects import Reject

_DELIMITERS = (",", ";", "\t", "|")
_HEAD = 64 * 1024
_BLOCK = 1024 * 1024
_WHOLE = frozenset(("message", "raw", "rawmessage", "rawemail", "eml", "mime", "content", "email"))
_HEADERS = {
    "From": ("from", "sender", "fromaddress", "senderemail", "fromemail", "absender", "von", "author"),
    "To": ("to", "recipient", "recipients", "toaddress", "toaddresses", "receiver", "toemail", "empfänger",
           "an"),
    "Cc": ("cc", "ccaddress", "ccaddresses"),
    "Bcc": ("bcc", "bccaddress", "bccaddresses"),
    "Subject": ("subject", "title", "betreff"),
    "Date": ("date", "sent", "sentat", "senton", "datesent", "timestamp", "datetime", "time", "received",
             "receivedat", "datereceived", "datum", "gesendet"),
    "Message-ID": ("messageid", "mid", "internetmessageid"),
    "In-Reply-To": ("inreplyto", "replytoid"),
    "References": ("references",),
    "Reply-To": ("replyto",),
}  # fmt: skip
_BODIES = (
    "body",
    "bodytext",
    "text",
    "plaintext",
    "messagebody",
    "content",
    "message",
    "nachricht",
    "inhalt",
)
_HTML_BODIES = ("html", "bodyhtml", "htmlbody")
_PLACES = ("file", "path", "folder", "filename", "mailbox", "xfolder")
_LIKE_MAIL = re.compile(r"\s*[!-9;-~]{1,80}:[^\n]*\r?\n")


class MailColumns(NamedTuple):
    """Positions of columns in a row."""

    whole: int | None
    place: int | None
    text: int | None
    html: int | None
    headers: tuple[tuple[str, int], ...]


def read_mail_csv(path: Path, base: Path) -> Iterator[RawMessage | Reject]:
    """Yields the mail of every row: the bytes in the message column, else a message made of columns.

    Encoding is UTF-8, else cp1252; the bytes of a whole message are those of the file. Columns without a
    meaning of their own become "X-" headers, so that nothing of a row is lost. A file without columns for
    mails is one reject.
    """
    opened = open_plain(path, base)
    if isinstance(opened, Reject):
        yield opened
        return
    relative = relative_path(path, base)
    # Idempotent: the library's bound is one for the process, and messages are longer than its first value.
    csv.field_size_limit(2 * mailbox.MAX_MESSAGE)
    with opened as file:
        encoding = _encoding(file)
        rows = _rows(file, encoding)
        header = next(rows, None)
        columns = mail_columns(header) if isinstance(header, list) else None
        if columns is None or not isinstance(header, list):
            yield Reject(relative, "file", content_digest(b""), "no_mail_columns", path.stat().st_size)
            return
        for number, row in enumerate(rows, start=2):
            locator = f"row {number}"
            if isinstance(row, str):
                yield Reject(relative, locator, content_digest(b""), row, 0)
            elif any(cell.strip() for cell in row):
                yield _message(relative, locator, path.stem, header, columns, row, encoding)


def _encoding(file: IO[bytes]) -> str:
    """UTF-8 where all of the file is, else cp1252; looked at block by block."""
    import codecs

    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while block := file.read(_BLOCK):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "cp1252"
    finally:
        file.seek(0)
    return "utf-8"


def _rows(file: IO[bytes], encoding: str) -> Iterator[list[str] | str]:
    """Rows, and the reason why there are no more where a cell has no end."""
    head = file.read(_HEAD).removeprefix(b"\xef\xbb\xbf")
    bom = file.seek(0) or (3 if file.read(3) == b"\xef\xbb\xbf" else 0)
    file.seek(bom)
    first = head.partition(b"\n")[0].decode(encoding, "replace")
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(_Lines(file, encoding), delimiter=delimiter)
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield "unreadable_record"
            return


class _Lines:
    """Decoded lines of a file, none longer than a message, so that one endless line costs no memory."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self._file = file
        self._encoding = encoding

    def __iter__(self) -> Iterator[str]:
        limit = mailbox.MAX_MESSAGE
        while line := self._file.readline(limit):
            if len(line) == limit and not line.endswith(b"\n"):
                raise csv.Error("line longer than a message")
            yield line.decode(self._encoding, "surrogateescape")


def mail_columns(header: Sequence[str]) -> MailColumns | None:
    """Returns where the mails of a file's rows stand; None for a file without columns for them."""
    names = [re.sub(r"[^a-zäöüß]", "", name.lower()) for name in header]
    headers = tuple(
        (title, names.index(found))
        for title, known in _HEADERS.items()
        for found in [next((name for name in known if name in names), "")]
        if found
    )
    place = next((names.index(name) for name in _PLACES if name in names), None)
    html = next((names.index(name) for name in _HTML_BODIES if name in names), None)
    text = next((names.index(name) for name in _BODIES if name in names), None)
    titles = {title for title, _ in headers}
    if "From" in titles and titles & {"To", "Subject", "Date"} and (text is not None or html is not None):
        return MailColumns(None, place, text, html, headers)
    whole = next((names.index(name) for name in names if name in _WHOLE), None)
    return MailColumns(whole, place, None, None, ()) if whole is not None else None


def _message(
    path: str, locator: str, stem: str, header: list[str], columns: MailColumns, row: list[str], encoding: str
) -> RawMessage | Reject:
    size = sum(len(cell.encode(encoding, "surrogateescape")) for cell in row)
    digest = content_digest("\0".join(row).encode(encoding, "surrogateescape"))
    if len(row) != len(header):
        return Reject(path, locator, digest, "wrong_width", size)
    if size > mailbox.MAX_MESSAGE:
        return Reject(path, locator, digest, "too_large", size)
    place = row[columns.place].strip() if columns.place is not None else ""
    folder = str(PurePosixPath(place.replace("\\", "/")).parent) if "/" in place or "\\" in place else place
    box = folder.encode("utf-8", "backslashreplace").decode() or stem
    if columns.whole is not None:
        cell = row[columns.whole]
        if not _LIKE_MAIL.match(cell):
            return Reject(path, locator, digest, "no_headers", size)
        return RawMessage(path, locator, box, cell.encode(encoding, "surrogateescape"), "", size)
    return RawMessage(path, locator, box, draft_bytes(_draft(header, columns, row)), "", size)


def _draft(header: list[str], columns: MailColumns, row: list[str]) -> Draft:
    known = {position for _, position in columns.headers} | {columns.text, columns.html}
    lines = [(title, _addresses(title, row[position])) for title, position in columns.headers]
    for position, name in enumerate(header):
        if position not in known and row[position].strip():
            plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or f"Column-{position + 1}"
            lines.append((f"X-{plain}", row[position]))
    text = row[columns.text] if columns.text is not None else ""
    html = row[columns.html] if columns.html is not None else ""
    if re.match(r"\s*<(?:!doctype|html|div|p|body)\b", text, re.IGNORECASE) and not html:
        text, html = "", text
    return Draft(tuple(lines), text, html)


def _addresses(title: str, text: str) -> str:
    """A cell's value as its header has it: several addresses separated by commas, dates as they stand."""
    if title in ("To", "Cc", "Bcc", "Reply-To") and ";" in text:
        return ", ".join(part.strip() for part in text.split(";") if part.strip())
    if title == "Message-ID" and text.strip() and "<" not in text:
        return f"<{text.strip()}>"
    return text
