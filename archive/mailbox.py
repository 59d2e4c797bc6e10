"""Mail containers: mbox files and files of single messages, split into raw messages with their places.

Belongs here: the messages of a file, packed files included. Where a message begins and ends is found in
`archive.mail_scanner`; what a message says is read in `archive.message`.
"""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from archive.identifiers import content_digest
from archive.mail_packed import PackedStream, mail_packing, packed_streams
from archive.mail_scanner import Dialect, MboxScanner, Readable, Span, mbox_dialect
from archive.packed import FAULTS
from archive.rejects import Reject

MAX_MESSAGE = 50 * 1024 * 1024
"""Bytes; a longer message is not held in memory but hashed and rejected."""

_ESCAPED = re.compile(rb"\n>(>*From )")
_HEAD = 64 * 1024
_SNIFFED = 512
_BOM = b"\xef\xbb\xbf"
_BLOCK = 1024 * 1024
_NO_MAIL = (".html", ".htm", ".json", ".msf", ".dat", ".css", ".js", ".jpg", ".png", ".pdf", ".csv", ".db")
"""Endings of what exports hold beside mail."""


class RawMessage(NamedTuple):
    """The bytes of one message and where they lie."""

    path: str
    """Relative to the base folder, with forward slashes."""
    locator: str
    """"bytes 0-1234", end exclusive; in a packed file "Mail/All.mbox bytes 0-1234", of the unpacked bytes."""
    mailbox: str
    data: bytes
    envelope: str
    """The mbox separator line without "From ", empty for single files."""
    size: int
    """Bytes in the file."""
    flags: str = ""
    """Marks of the mailbox: maildir's letters (DFPRST)."""


class _Place(NamedTuple):
    """Where the bytes of a stream come from."""

    path: str
    prefix: str
    mailbox: str


def read_mbox(path: Path, base: Path) -> Iterator[RawMessage | Reject]:
    """Yields the messages of an mbox file in order, separator lines removed, ">From " unescaped once.

    Bytes before the first separator are a message of their own, so that nothing of the file is lost. One ">"
    is taken off lines of ">"s and "From " (mboxrd, and mboxo and mboxcl as far as they can be told), but not
    where a Content-Length covers bare "From " lines (mboxcl2). Packed files give the messages of their
    members; members that are no mail are rejected as "not_mail".
    """
    yield from _file_messages(path, base, single=False)


def read_file(path: Path, base: Path) -> Iterator[RawMessage | Reject]:
    """Yields the one message that a file is, of a packed file all of its members; mailbox is the folder."""
    yield from _file_messages(path, base, single=True)


def folder_mailbox(folder: Path, base: Path) -> str:
    """Returns the mailbox that a folder below the base is: its name after its owner's ("ann/Sent Items")."""
    inside = folder.relative_to(base) if folder.is_relative_to(base) else Path(folder.name)
    return "/".join(inside.parts[-2:]).encode("utf-8", "backslashreplace").decode() or folder.name


def is_mbox(path: Path) -> bool:
    """Says whether a file is a mailbox by its ending, by its first line, or is packed and may hold some."""
    if path.suffix.lower() in (".mbox", ".mbx"):
        return True
    try:
        with path.open("rb") as file:
            head = file.read(_SNIFFED)
    except OSError:
        return False
    return head.removeprefix(_BOM).startswith(b"From ") or mail_packing(path, head) != ""


def mbox_ranges(path: Path, size: int) -> list[tuple[int, int]]:
    """Returns byte ranges of about `size` bytes that each begin at a separator, the first one at 0.

    A range ends before the first separator that is `size` bytes or more behind its start, so that mails
    that are added to the file leave all ranges but the last as they were. Packed, empty and unreadable files
    are one range.
    """
    whole = [(0, 0)]
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return whole
        whole = [(0, path.stat().st_size)]
        with path.open("rb") as file:
            head = file.read(_HEAD)
            if mail_packing(path, head) or not head:
                return whole
            file.seek(0)
            starts = [0]
            for span in MboxScanner(file, 0, MAX_MESSAGE, mbox_dialect(head)).spans(hold=False):
                if span.start - starts[-1] >= size:
                    starts.append(span.start)
    except OSError:
        return whole
    return list(zip(starts, [*starts[1:], whole[0][1]], strict=True))


def read_mbox_range(path: Path, base: Path, start: int, end: int) -> Iterator[RawMessage | Reject]:
    """Yields the messages of one of `mbox_ranges`; all ranges one after another give those of `read_mbox`."""
    opened = open_plain(path, base)
    if isinstance(opened, Reject):
        yield opened
        return
    with opened as file:
        head = file.read(_HEAD)
        if mail_packing(path, head):
            yield from _file_messages(path, base, single=False)
            return
        file.seek(start)
        place = _Place(relative_path(path, base), "", path.stem)
        yield from _mbox_messages(file, place, mbox_dialect(head), start, end)


def open_plain(path: Path, base: Path) -> IO[bytes] | Reject:
    """Returns a file opened for reading, or the reject for what is none: a pipe, a link that leads out."""
    try:
        outside = path.is_symlink() and not path.resolve().is_relative_to(base.resolve())
        if outside or not stat.S_ISREG(path.stat().st_mode):
            return Reject(relative_path(path, base), "file", content_digest(b""), "not_a_plain_file", 0)
        return path.open("rb")
    except (OSError, RuntimeError):
        # A loop of links is a RuntimeError until Python 3.12.
        return Reject(relative_path(path, base), "file", content_digest(b""), "unreadable_file", 0)


def relative_path(path: Path, base: Path) -> str:
    """Returns a file's place below the base folder, with forward slashes; its name alone outside of it.

    Bytes of a name that are no UTF-8 are told by their hexadecimal values.
    """
    shown = path.relative_to(base).as_posix() if path.is_relative_to(base) else path.name
    return shown.encode("utf-8", "backslashreplace").decode()


def _file_messages(path: Path, base: Path, *, single: bool) -> Iterator[RawMessage | Reject]:
    opened = open_plain(path, base)
    if isinstance(opened, Reject):
        yield opened
        return
    relative = relative_path(path, base)
    with opened as file:
        head = file.read(_HEAD)
        file.seek(0)
        packed = mail_packing(path, head)
        if not packed:
            if single:
                yield _single(file, _Place(relative, "", folder_mailbox(path.parent, base)))
            else:
                yield from _mbox_messages(file, _Place(relative, "", path.stem), mbox_dialect(head))
            return
    for member in packed_streams(path, packed):
        yield from _member_messages(member, relative, path, single)


def _member_messages(
    member: PackedStream, relative: str, path: Path, single: bool
) -> Iterator[RawMessage | Reject]:
    name = member.name.encode("utf-8", "backslashreplace").decode()
    prefix = f"{name} " if name else ""
    if member.stream is None:
        yield Reject(relative, name or "file", content_digest(b""), member.fault, member.size)
        return
    scanned = _Peeked(member.stream)
    inner = Path(name or path.stem)
    place = _Place(relative, prefix, folder_mailbox(inner.parent, Path()) if single and name else inner.stem)
    if scanned.head.removeprefix(_BOM).startswith(b"From ") or (not single and not name):
        yield from _mbox_messages(scanned, place, mbox_dialect(scanned.head))
    elif name and (inner.suffix.lower() in _NO_MAIL or not _looks_like_mail(scanned.head)):
        rejected = _single(scanned, place)
        if isinstance(rejected, RawMessage):
            rejected = Reject(relative, name, content_digest(rejected.data), "not_mail", rejected.size)
        yield rejected
    else:
        yield _single(scanned, place)


def _looks_like_mail(head: bytes) -> bool:
    return re.match(rb"\s*[!-9;-~]{1,80}:", head) is not None


class _Peeked:
    """A stream whose first bytes are known; a fault in them comes up when they are read."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._fault: Exception | None = None
        self.head = b""
        try:
            while len(self.head) < _HEAD and (block := stream.read(_HEAD - len(self.head))):
                self.head += block
        except FAULTS as error:
            self._fault = error
        self._given = False

    def read(self, size: int, /) -> bytes:
        if not self._given and self.head:
            self._given = True
            return self.head
        if self._fault is not None:
            raise self._fault
        return self._stream.read(size)


def _mbox_messages(
    stream: Readable, place: _Place, dialect: Dialect, start: int = 0, stop: int | None = None
) -> Iterator[RawMessage | Reject]:
    scanner = MboxScanner(stream, start, MAX_MESSAGE, dialect)
    for span in scanner.spans():
        if stop is not None and span.start >= stop:
            return
        yield _message(span, place)
    if scanner.fault:
        locator = f"{place.prefix}from byte {scanner.position}"
        yield Reject(place.path, locator, content_digest(b""), scanner.fault, 0)


def _message(span: Span, place: _Place) -> RawMessage | Reject:
    size = span.end - span.body
    locator = f"{place.prefix}bytes {span.body}-{span.end}"
    if span.digest:
        return Reject(place.path, locator, span.digest, "too_large", size)
    data = span.data if span.literal else _ESCAPED.sub(rb"\n\1", span.data)
    envelope = span.separator[5:].decode("utf-8", "replace").strip()
    return RawMessage(place.path, locator, place.mailbox, data, envelope, size)


def _single(stream: Readable, place: _Place) -> RawMessage | Reject:
    """The one message that a stream is."""
    digest = hashlib.sha256()
    blocks: list[bytes] = []
    size = 0
    fault = ""
    try:
        while block := stream.read(_BLOCK):
            digest.update(block)
            size += len(block)
            if size <= MAX_MESSAGE:
                blocks.append(block)
            else:
                blocks.clear()
                fault = "too_large"
    except FAULTS:
        fault = "unreadable"
    locator = f"{place.prefix}bytes 0-{size}"
    if fault:
        return Reject(place.path, locator, digest.hexdigest(), fault, size)
    return RawMessage(place.path, locator, place.mailbox, b"".join(blocks), "", size)
