"""Sources of mail written back: mailboxes, maildirs, single mails and CSV dumps, under clean rows.

Belongs here: containers, their files and their dialects. Copies that onboarding counted as duplicates are
written again at their places. Does not belong here: one mail (`archive.export_message`).
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import polars as pl

from archive.export_csv import csv_form, write_csv
from archive.export_message import CleanMail, mail_bytes
from archive.export_sides import Places, Sides, SourceExport
from archive.formats import MAIL, source_files
from archive.mail_csv import MailColumns, mail_columns
from archive.mailbox import RawMessage
from archive.message import ParsedMail, parse_mail
from archive.packed import FAULTS, packing
from archive.store import TableStore
from contracts.manifest import Source

WRITTEN_AS = {"msg": "eml", "pst": "eml"}
"""Formats that are not written back -> what is written."""
_FROM = re.compile(rb"(?m)^(>*From )")
_LENGTH = re.compile(rb"(?im)^content-length[ \t]*:")
_PLACE = re.compile(r"(?:(?P<member>.+) )?bytes (?P<start>\d+)-(?P<end>\d+)")
_PACK = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}
_FLAGS = re.compile(r"[A-Za-z]{0,26}")


class CleanMails:
    """The clean rows of all mails, found for what readers find in the raw files."""

    def __init__(self, raw: TableStore, clean: TableStore) -> None:
        """Opens the tables of messages, attachments and calendar items."""
        self.messages = Sides(raw, clean, "messages")
        bodies = ["body_own", "body_quoted", "body_signature", "mailboxes"]
        self._raw = pl.concat(raw.frames("messages", bodies))
        self._attachments = clean.read("attachments")
        self._items = clean.read("calendar_items")
        self._attached = _rows_by(self._attachments)
        self._invited = _rows_by(self._items)
        self._copies: dict[str, int] = {}
        boxes: dict[str, Counter[str]] = defaultdict(Counter)
        for mine, theirs in zip(self._raw["mailboxes"], self.messages.clean["mailboxes"], strict=True):
            if len(mine) == len(theirs):
                for box, clean_box in zip(mine, theirs, strict=True):
                    boxes[box][clean_box] += 1
        self._boxes = {box: min(found, key=lambda one: (-found[one], one)) for box, found in boxes.items()}

    def of(self, source: str, mail: ParsedMail) -> CleanMail | None:
        """Returns the clean rows of a mail, of a copy those of the mail that was kept; None for any other."""
        row = self.messages.at.get((source, mail.raw.path, mail.raw.locator))
        row = self._copies.get(mail.duplicate_key) if row is None else row
        if row is None:
            return None
        self._copies.setdefault(mail.duplicate_key, row)
        message = self.messages.clean.row(row, named=True)
        own, quoted, signature, _ = self._raw.row(row)
        return CleanMail(
            message,
            [self._attachments.row(at, named=True) for at in self._attached.get(message["message_id"], ())],
            [self._items.row(at, named=True) for at in self._invited.get(message["message_id"], ())],
            (own or "", quoted or "", signature or ""),
        )

    def box(self, raw: str) -> str:
        """Returns the clean name of a mailbox."""
        return self._boxes.get(raw, "mailbox")


class _Mail(NamedTuple):
    raw: ParsedMail
    clean: CleanMail
    data: bytes


class MailExport(NamedTuple):
    """How a source of mail is written."""

    source: Source
    base: Path
    target: Path
    mails: CleanMails

    def write(self, told: SourceExport) -> str:
        """Writes all files of the source and returns the path by which a manifest names them."""
        places = Places(self.source, [self.mails.messages])
        for file in source_files(self.source, self.base, MAIL[self.source.format].patterns):
            if self.source.format == "mbox":
                self._mboxes(file, places, told)
            elif self.source.format == "mail-csv":
                self._rows(file, places, told)
            else:
                self._singles(file, places, told)
        return self.source.name

    def _mails(self, file: Path, told: SourceExport) -> Iterator[_Mail]:
        read = MAIL[self.source.format].messages
        assert read is not None
        for raw in read(file, self.base):
            parsed = _parsed(raw) if isinstance(raw, RawMessage) else None
            if parsed is None:
                continue
            clean = self.mails.of(self.source.name, parsed)
            if clean is None:
                told.left_out["mails that were not onboarded"] += 1
                continue
            told.units += 1
            yield _Mail(parsed, clean, mail_bytes(parsed, clean, told.left_out))

    def _mboxes(self, file: Path, places: Places, told: SourceExport) -> None:
        boxes: dict[str, bytearray] = {}
        names: dict[str, str] = {}
        for mail in self._mails(file, told):
            raw = mail.raw.raw
            found = _PLACE.fullmatch(raw.locator)
            member = (found["member"] or "") if found is not None else ""
            names.setdefault(member, raw.mailbox)
            literal = (
                found is not None
                and not member
                and _has_bare_from(file, int(found["start"]), int(found["end"]))
            )
            boxes.setdefault(member, bytearray()).extend(
                mbox_entry(mail.raw, mail.clean.message, mail.data, literal)
            )
        for member, data in boxes.items():
            relative = mail_path(file, self.base)
            box = PurePosixPath(self.mails.box(names[member])).name
            if member:
                place = places.free(places.folder(relative) / f"{box}.mbox")
                _write(self.target / place, bytes(data))
            else:
                place = places.file(relative, stem=box)
                with file.open("rb") as stream:
                    pack = _PACK.get(packing(stream.read(512)))
                _write(self.target / place, pack(bytes(data)) if pack else bytes(data))
            told.files += 1

    def _singles(self, file: Path, places: Places, told: SourceExport) -> None:
        for number, mail in enumerate(self._mails(file, told), start=1):
            raw = mail.raw.raw
            relative = mail_path(file, self.base)
            box = PurePosixPath(self.source.name, *PurePosixPath(self.mails.box(raw.mailbox)).parts)
            if self.source.format == "maildir":
                folder = places.folder(relative)
                folder = (
                    folder if folder.name in ("cur", "new") else box / PurePosixPath(relative).parent.name
                )
                place = places.free(folder / _maildir_name(mail, told.units))
            elif self.source.format == "pst" or " bytes" in raw.locator:
                place = places.free(box / f"{number:05d}.eml")
            else:
                place = places.file(relative, ".eml" if self.source.format == "msg" else None)
                if len(place.parts) == 2 and len(box.parts) > 2:
                    place = places.free(box / place.name)
            _write(self.target / place, _with_returns(mail.data) if b"\r\n" in raw.data else mail.data)
            told.files += 1

    def _rows(self, file: Path, places: Places, told: SourceExport) -> None:
        form = csv_form(file)
        columns = mail_columns(form.header.names)
        if columns is None:
            return
        width = len(form.header.names)
        rows = [
            self._row(mail, columns, width, number) for number, mail in enumerate(self._mails(file, told), 1)
        ]
        if rows:
            place = places.file(mail_path(file, self.base))
            write_csv(self.target / place, form, _Named(form.header.names, rows), told.left_out)
            told.files += 1

    def _row(self, mail: _Mail, columns: MailColumns, width: int, number: int) -> dict[int | str, str]:
        row = mail.clean.message
        cells: dict[int | str, str] = {}
        if columns.place is not None:
            box = self.mails.box(mail.raw.raw.mailbox)
            cells[columns.place] = f"{box}/{number}."
        if columns.whole is not None:
            cells[columns.whole] = mail.data.decode("utf-8", "replace")
            return cells
        for title, position in columns.headers:
            cells[position] = _header_cell(title, row)
        parts = (row["body_own"], row["body_signature"], row["body_quoted"])
        body = "\n\n".join(part for part in parts if part)
        text = columns.text if columns.text is not None else columns.html
        if text is not None:
            cells[text] = body
        for line in (row["other_headers"] or "").split("\n"):
            name, colon, value = line.partition(": ")
            if colon and name.startswith("X-"):
                cells[name.removeprefix("X-").lower()] = value
        return cells


class _Named:
    """Rows of cells by position, or by the plain name of a column."""

    def __init__(self, names: Sequence[str], rows: Sequence[Mapping[int | str, str]]) -> None:
        self._plain = [re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() for name in names]
        self._rows = rows

    def __iter__(self) -> Iterator[list[str]]:
        for row in self._rows:
            yield [row.get(at, row.get(name, "")) for at, name in enumerate(self._plain)]


def mbox_entry(raw: ParsedMail, row: Mapping[str, Any], data: bytes, literal: bool) -> bytes:
    """Returns a mail with its separator line, written as the raw one was.

    Args:
        raw: the mail as it was read.
        row: its clean row.
        data: the clean mail.
        literal: lines "From " in the raw file are not escaped: nor here, where its length is stated.
    """
    head, blank, body = data.partition(b"\n\n")
    body = body if body.endswith(b"\n") or not body else body + b"\n"
    returns = b"\r\n" in raw.raw.data
    stated = _LENGTH.search(raw.raw.data.replace(b"\r\n", b"\n").partition(b"\n\n")[0]) is not None
    body = body if literal and stated else _FROM.sub(rb">\1", body)
    if stated:
        length = len(_with_returns(body)) if returns else len(body)
        head += b"\nContent-Length: %d" % length
    line = _separator(raw.raw.envelope, row).encode("ascii", "replace")
    entry = line + b"\n" + head + blank + body + b"\n"
    return _with_returns(entry) if returns else entry


def mail_path(file: Path, base: Path) -> str:
    """Returns the place of a file of mail as its rows tell it."""
    from archive.mailbox import relative_path

    return relative_path(file, base)


def _separator(envelope: str, row: Mapping[str, Any]) -> str:
    """The line before a mail: its clean sender and time, in the form of the raw line."""
    sender = row["from_address"] or ""
    sender = (
        "-"
        if envelope.startswith("- ")
        else sender
        if re.fullmatch(r"[!-~]{3,200}", sender)
        else "MAILER-DAEMON"
    )
    sent = datetime.fromisoformat(row["sent_at"]) if row["sent_at"] else datetime(1970, 1, 1, tzinfo=UTC)
    at = sent.astimezone(UTC) if sent.tzinfo is not None else sent
    days = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    zone = " +0000" if re.search(r" [+-]\d{4}\b", envelope) else ""
    day = f"{days[at.weekday()]} {months[at.month - 1]} {at.day:2d}"
    return f"From {sender} {day} {at.hour:02d}:{at.minute:02d}:{at.second:02d}{zone} {at.year:04d}"


def _maildir_name(mail: _Mail, number: int) -> str:
    """A new name: that of the raw file tells when and where it was delivered."""
    sent = mail.clean.message["sent_at"]
    second = int(datetime.fromisoformat(sent).timestamp()) if sent else 0
    name = f"{second}.M{number:06d}P1.export,S={len(mail.data)}"
    flags = mail.raw.raw.flags
    new = PurePosixPath(mail.raw.raw.path).parent.name == "new"
    return name if new or not _FLAGS.fullmatch(flags) else f"{name}:2,{flags}"


def _header_cell(title: str, row: Mapping[str, Any]) -> str:
    if title == "From":
        name, address = row["from_name"] or "", row["from_address"] or ""
        return f"{name} <{address}>" if name and address else name or address
    if title in ("To", "Cc", "Bcc", "Reply-To"):
        return "; ".join(row[title.lower().replace("-", "_")] or [])
    if title == "References":
        return " ".join(f"<{one}>" for one in row["references"] or [])
    value = row[
        {"Subject": "subject", "Date": "sent_at", "Message-ID": "header_id"}.get(title, "in_reply_to")
    ]
    if title == "Date" and value:
        from archive.export_headers import mail_date

        return mail_date(value)
    return f"<{value}>" if value and title in ("Message-ID", "In-Reply-To") else value or ""


def _parsed(raw: RawMessage) -> ParsedMail | None:
    try:
        parsed = parse_mail(raw)
    except FAULTS:
        return None
    return parsed if isinstance(parsed, ParsedMail) else None


def _rows_by(frame: pl.DataFrame) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for row, message in enumerate(frame["message_id"].to_list()):
        found[message].append(row)
    return found


def _has_bare_from(file: Path, start: int, end: int) -> bool:
    with file.open("rb") as stream:
        stream.seek(start)
        return b"\nFrom " in stream.read(end - start)


def _with_returns(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
