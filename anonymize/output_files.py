"""Opening whatever an output folder holds: every file as texts, with places that repeat nothing of them.

Belongs here: Parquet, SQLite, JSON, mail, archives within archives, PDF, anything else by its bytes. A place
counts members, columns and rows and never names them, since a name may be what leaks. Does not belong
here: decoding texts (`output_views`), searching (`output_search`).
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import logging
import lzma
import re
import sqlite3
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from email import message_from_bytes
from email.message import Message
from email.utils import collapse_rfc2231_value
from typing import NamedTuple

import pyarrow.parquet as pq
from pyarrow.lib import ArrowException

from anonymize.output_views import PART

DEEPEST = 5
"""Files that may lie in one another."""
MOST_MEMBERS = 20_000
MOST_BYTES = 512 * 1024 * 1024
"""Bytes of one opened member; more are not read, and told."""
_RUN = re.compile(rb"(?:[\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}){7,}")
_WIDE_RUN = re.compile(rb"(?:[\x20-\x7e\xa0-\xff]\x00){7,}")
_MAIL_HEADERS = (
    b"from",
    b"to",
    b"subject",
    b"date",
    b"message-id",
    b"mime-version",
    b"content-type",
    b"received",
)
_FEWEST_HEADERS = 2


class Piece(NamedTuple):
    """Texts of one place, parted by `PART`."""

    place: str
    text: str
    unit: str = ""
    """What the parts are: rows, cells, values."""
    rows: Sequence[int] | None = None
    """The row of each part."""

    def told(self, part: int) -> str:
        """Returns where one of the parts stands."""
        if not self.unit:
            return self.place
        number = self.rows[part] if self.rows is not None and part < len(self.rows) else part
        return f"{self.place}, {self.unit} {number}".lstrip(", ")


class Unread(NamedTuple):
    """What could not be opened whole."""

    place: str
    reason: str


Found = Piece | Unread


def pieces(data: bytes, place: str = "", depth: int = 0) -> Iterator[Found]:
    """Yields all texts of a file by what its bytes are, whatever its name is."""
    if depth > DEEPEST:
        yield Unread(place, f"files lie in one another more than {DEEPEST} deep")
        yield from _as_text(data, place)
        return
    for begins, opened in _OPENERS:
        if begins(data):
            try:
                yield from opened(data, place, depth)
            except _BROKEN as error:
                yield Unread(
                    place, f"looks like a file of another kind, but is broken ({type(error).__name__})"
                )
            if opened not in _TEXTUAL:
                yield from _as_bytes(data, place)
            return
    if data[:1] in b"{[" and data:
        parsed = list(_json(data, place))
        yield from parsed
    yield from _as_text(data, place)


_BROKEN = (
    ArrowException,
    OSError,
    EOFError,
    ValueError,
    KeyError,
    IndexError,
    RuntimeError,
    NotImplementedError,
    sqlite3.Error,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    RecursionError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
)


def _inside(place: str, more: str) -> str:
    return f"{place}, {more}" if place else more


def _as_text(data: bytes, place: str) -> Iterator[Piece]:
    """Yields bytes as text in the encodings that they may have; a NUL in them parts nothing."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data.count(0) * 5 > len(data):
        for charset in ("utf-16-le", "utf-16-be"):
            yield Piece(place, data.decode(charset, "replace").replace(PART, " "))
        yield Piece(place, data[1:].decode("utf-16-le", "replace").replace(PART, " "))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        yield Piece(place, data.decode("latin-1").replace(PART, " "))
        text = data.decode("utf-8", "replace")
    yield Piece(place, text.replace(PART, " "))


def _as_bytes(data: bytes, place: str) -> Iterator[Piece]:
    """Yields what the bytes of a container say themselves: names, statistics, what was left in free pages."""
    runs = [match[0].decode("utf-8", "replace") for match in _RUN.finditer(data)]
    runs += [match[0].decode("utf-16-le") for match in _WIDE_RUN.finditer(data)]
    if runs:
        yield Piece(_inside(place, "bytes"), PART.join(runs))


def _json(data: bytes, place: str) -> Iterator[Found]:
    try:
        values = [json.loads(data)]
    except (ValueError, RecursionError):
        try:
            values = [json.loads(line) for line in data.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return  # it is read as text anyhow
    strings: list[str] = []
    todo: list[object] = list(reversed(values))
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            strings += map(str, value)
            todo += value.values()
        elif isinstance(value, list):
            todo += value
        elif value is not None and not isinstance(value, bool):
            strings.append(str(value))
    yield Piece(_inside(place, "JSON"), PART.join(_unparted(strings)), "value")


def _unparted(texts: Iterable[str]) -> Iterator[str]:
    return (text.replace(PART, " ") for text in texts)


def _parquet(data: bytes, place: str, depth: int) -> Iterator[Found]:
    file = pq.ParquetFile(io.BytesIO(data))
    metadata = file.schema_arrow.metadata or {}
    extra = file.metadata.metadata or {}
    pairs = [
        part.decode("utf-8", "replace")
        for held in (metadata, extra)
        for pair in held.items()
        for part in pair
    ]
    yield Piece(_inside(place, "metadata"), PART.join(_unparted(pairs)), "entry")
    yield Piece(_inside(place, "names of columns"), PART.join(_unparted(file.schema_arrow.names)), "column")
    for number in range(len(file.schema_arrow)):
        name = file.schema_arrow.names[number]
        column = file.read(columns=[name]).column(0) if file.schema_arrow.names.count(name) == 1 else None
        if column is None:
            yield Unread(_inside(place, f"column {number}"), "two columns have one name")
            continue
        yield from _values(column.to_pylist(), _inside(place, f"column {number}"), "row", depth)


def _values(values: Iterable[object], place: str, unit: str, depth: int) -> Iterator[Found]:
    """Yields the distinct values of a column; bytes are files again."""
    first: dict[str, int] = {}
    for row, value in enumerate(values):
        for text in _strings(value):
            first.setdefault(text, row)
        if isinstance(value, bytes) and value:
            yield from pieces(value, _inside(place, f"{unit} {row}"), depth + 1)
    if first:
        yield Piece(place, PART.join(_unparted(first)), unit, list(first.values()))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
    elif value is not None and not isinstance(value, bytes | bool):
        yield str(value)


def _sqlite(data: bytes, place: str, depth: int) -> Iterator[Found]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(data)
        schema = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
        said = [str(part) for row in schema for part in row if part]
        yield Piece(_inside(place, "schema"), PART.join(_unparted(said)), "entry")
        tables = [
            row[1] for row in schema if row[0] == "table" and not str(row[3]).startswith("CREATE VIRTUAL")
        ]
        for number, table in enumerate(tables):
            quoted = str(table).replace('"', '""')
            cursor = database.execute(f'SELECT * FROM "{quoted}"')
            rows = cursor.fetchall()
            for column in range(len(cursor.description)):
                at = _inside(place, f"table {number}, column {column}")
                yield from _values((row[column] for row in rows), at, "row", depth)


def _zip(data: bytes, place: str, depth: int) -> Iterator[Found]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        infos = packed.infolist()
        yield Piece(_inside(place, "names of members"), PART.join(i.filename for i in infos), "member")
        notes = [packed.comment, *(info.comment for info in infos), *(info.extra for info in infos)]
        yield Piece(
            _inside(place, "notes on members"), PART.join(n.decode("utf-8", "replace") for n in notes if n)
        )
        for number, info in enumerate(infos):
            at = _inside(place, f"member {number}")
            if number >= MOST_MEMBERS or info.file_size > MOST_BYTES or info.flag_bits & 1:
                why = "is locked by a password" if info.flag_bits & 1 else "is larger than what is opened"
                yield Unread(at, why)
            elif not info.is_dir():
                with packed.open(info) as member:
                    yield from _bounded(member.read(MOST_BYTES + 1), at, depth)


def _tar(data: bytes, place: str, depth: int) -> Iterator[Found]:
    with tarfile.open(fileobj=io.BytesIO(data)) as packed:
        for number, info in enumerate(packed):
            at = _inside(place, f"member {number}")
            yield Piece(at, PART.join((info.name, info.linkname, info.uname, info.gname)))
            member = packed.extractfile(info) if info.isfile() else None
            if number >= MOST_MEMBERS or info.size > MOST_BYTES:
                yield Unread(at, "is larger than what is opened")
            elif member is not None:
                yield from _bounded(member.read(), at, depth)


def _bounded(data: bytes, place: str, depth: int) -> Iterator[Found]:
    if len(data) > MOST_BYTES:
        yield Unread(place, "is larger than what is opened")
    yield from pieces(data[:MOST_BYTES], place, depth + 1)


def _gzip(data: bytes, place: str, depth: int) -> Iterator[Found]:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        yield from _bounded(packed.read(MOST_BYTES + 1), _inside(place, "unpacked"), depth)


def _bzip2(data: bytes, place: str, depth: int) -> Iterator[Found]:
    unpacked = bz2.BZ2Decompressor().decompress(data, MOST_BYTES + 1)
    yield from _bounded(unpacked, _inside(place, "unpacked"), depth)


def _xz(data: bytes, place: str, depth: int) -> Iterator[Found]:
    unpacked = lzma.LZMADecompressor().decompress(data, MOST_BYTES + 1)
    yield from _bounded(unpacked, _inside(place, "unpacked"), depth)


def _pdf(data: bytes, place: str, depth: int) -> Iterator[Found]:
    """Yields the text of pages, what the file says of itself, and every stream that is packed."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings quote the file
    try:
        reader = PdfReader(io.BytesIO(data))
        said = [str(value) for value in (reader.metadata or {}).values()]
        yield Piece(_inside(place, "about the file"), PART.join(_unparted(said)), "entry")
        for number, page in enumerate(reader.pages):
            yield Piece(_inside(place, f"page {number}"), page.extract_text().replace(PART, " "))
        for number, (_, files) in enumerate(reader.attachments.items()):
            for file in files:
                yield from pieces(file, _inside(place, f"embedded file {number}"), depth + 1)
    except PyPdfError:
        yield Unread(place, "is no whole PDF: its bytes alone were read")
    at = 0
    while (begin := data.find(b"stream", at)) >= 0:
        start = begin + (8 if data[begin + 6 : begin + 8] == b"\r\n" else 7)
        end = data.find(b"endstream", start)
        if end < 0:
            break
        try:
            unpacked = zlib.decompressobj().decompress(data[start:end], MOST_BYTES)
        except zlib.error:
            unpacked = b""
        if unpacked:
            yield Piece(_inside(place, "stream"), unpacked.decode("latin-1").replace(PART, " "))
        at = end + 9


def _mailbox(data: bytes, place: str, depth: int) -> Iterator[Found]:
    cut = data.replace(b"\r\nFrom ", b"\nFrom ")
    for number, mail in enumerate((b"\n" + cut).split(b"\nFrom ")[1:]):
        _, _, content = mail.partition(b"\n")
        yield from _mail(content, _inside(place, f"mail {number}"), depth)
    yield from _as_text(data, place)


def _one_mail(data: bytes, place: str, depth: int) -> Iterator[Found]:
    yield from _mail(data, place, depth)
    yield from _as_text(data, place)


def _mail(data: bytes, place: str, depth: int) -> Iterator[Found]:
    """Yields headers and the decoded parts of a mail, attached mails and files included."""
    for number, part in enumerate(message_from_bytes(data).walk()):
        at = _inside(place, f"part {number}")
        yield Piece(_inside(at, "headers"), PART.join(_unparted(_headers(part))), "line")
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and content:
            charset = part.get_content_charset() or "utf-8"
            if part.get_content_maintype() == "text":
                with suppress(LookupError):  # its bytes follow
                    yield Piece(at, content.decode(charset, "replace").replace(PART, " "))
            yield from pieces(content, at, depth + 1)


def _headers(part: Message) -> Iterator[str]:
    for name, value in part.items():
        yield f"{name}: {value}"
    for key in ("filename", "name"):
        for header in ("content-disposition", "content-type"):
            found = part.get_param(key, None, header)
            if found is not None:
                yield collapse_rfc2231_value(found)


def _is_tar(data: bytes) -> bool:
    return data[257:262] == b"ustar"


def _is_mail(data: bytes) -> bool:
    head = data[:4096].replace(b"\r\n", b"\n").split(b"\n\n")[0].split(b"\n")
    names = {
        line.partition(b":")[0].strip().lower() for line in head if b":" in line and line[:1] not in b" \t"
    }
    return sum(name in names for name in _MAIL_HEADERS) >= _FEWEST_HEADERS and b":" in head[0]


_Opener = Callable[[bytes, str, int], Iterator[Found]]
_OPENERS: tuple[tuple[Callable[[bytes], bool], _Opener], ...] = (
    (lambda data: data[:4] == b"PAR1", _parquet),
    (lambda data: data[:16] == b"SQLite format 3\x00", _sqlite),
    (lambda data: data[:4] in (b"PK\x03\x04", b"PK\x05\x06"), _zip),
    (lambda data: b"%PDF-" in data[:1024], _pdf),
    (lambda data: data[:2] == b"\x1f\x8b", _gzip),
    (lambda data: data[:3] == b"BZh", _bzip2),
    (lambda data: data[:6] == b"\xfd7zXZ\x00", _xz),
    (_is_tar, _tar),
    (lambda data: data[:5] == b"From ", _mailbox),
    (_is_mail, _one_mail),
)
_TEXTUAL = (_mailbox, _one_mail)
