"""Packed mail exports (.gz, .zip, .tar and their like) as streams, however long; nothing is unpacked to disk.

Belongs here: opening them, and telling a bomb while reading. Does not belong here: packed attachments, which
fit into memory (`archive.packed`), and what streams say (`archive.mailbox`).
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import struct
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

from archive.mail_scanner import BombError, Readable
from archive.packed import FAULTS, MAX_RATIO, CheckedTarInfo, packing, unsafe_name, zip_fault

JUDGED_FROM = 64 * 1024 * 1024
"""Bytes of a stream after which its ratio of expanded to packed bytes is judged."""
MAX_ENTRIES = 1_000_000
"""Members of a packed mail export that are read."""
MAX_DIRECTORY = 64 * 1024 * 1024
"""Bytes of a zip file's directory, which the standard library reads whole; about 500,000 members."""
_IN_ZIP64 = 0xFFFFFFFF
_SUFFIXES = frozenset((".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz"))


class PackedStream(NamedTuple):
    """A member of a packed file: its name there ("" for a compressed file), and its bytes as a stream."""

    name: str
    stream: Readable | None
    fault: str = ""
    """Why there is no stream, as in `archive.packed`."""
    size: int = 0
    """Bytes as the packed file states them; 0 where it does not."""


class _Bounded:
    """A stream that breaks off where it expands beyond all reason."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self._stream = stream
        self._left = limit

    def read(self, size: int, /) -> bytes:
        block = self._stream.read(size)
        self._left -= len(block)
        if self._left < 0:
            raise BombError("expands to more than its bound")
        return block


def mail_packing(path: Path, head: bytes) -> str:
    """Returns how a file of mail is packed ("zip", "tar", "gzip", "bzip2", "xz"), "" if it is not.

    Its name must say so as well as its first bytes: an office file among single mails is no container.
    """
    return packing(head) if path.suffix.lower() in _SUFFIXES else ""


def packed_streams(path: Path, kind: str) -> Iterator[PackedStream]:
    """Yields the members of a packed file in order, each stream to be read before the next; never raises."""
    try:
        if kind == "zip":
            yield from _zip_streams(path)
        elif kind == "tar":
            yield from _tar_streams(path)
        else:
            yield from _plain_stream(path, kind)
    except FAULTS as error:
        yield PackedStream("", None, "bomb" if isinstance(error, BombError) else "unreadable")


def _limit(packed: int) -> int:
    return max(JUDGED_FROM, MAX_RATIO * packed)


def _plain_stream(path: Path, kind: str) -> Iterator[PackedStream]:
    with path.open("rb") as file:
        limit = _limit(path.stat().st_size)
        with _opened(file, kind) as stream:
            head = stream.read(512)
        file.seek(0)
        with _opened(file, kind) as stream:
            if packing(head) == "tar":
                yield from _members(_Seekless(stream, limit))
            else:
                yield PackedStream("", _Bounded(stream, limit))


def _opened(file: IO[bytes], kind: str) -> IO[bytes]:
    if kind == "gzip":
        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    return bz2.BZ2File(file) if kind == "bzip2" else lzma.LZMAFile(file)


class _Seekless(_Bounded):
    """A bounded stream as `tarfile` reads it in one direction."""

    def close(self) -> None:
        """Nothing: the stream belongs to its opener."""


def _directory_size(path: Path) -> int:
    """Bytes of a zip file's directory as the file states them, the largest where it states several."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 128 * 1024))
        tail = file.read()
    plain = tail.rfind(b"PK\x05\x06")
    large = tail.rfind(b"PK\x06\x06")
    stated = [struct.unpack_from("<I", tail, plain + 12)[0]] if 0 <= plain <= len(tail) - 22 else []
    if 0 <= large <= len(tail) - 56:
        stated.append(struct.unpack_from("<Q", tail, large + 40)[0])
    return max((size for size in stated if size != _IN_ZIP64), default=0)


def _zip_streams(path: Path) -> Iterator[PackedStream]:
    if _directory_size(path) > MAX_DIRECTORY:
        yield PackedStream("", None, "too_many_members")
        return
    with zipfile.ZipFile(path) as directory:
        for number, info in enumerate(directory.infolist()):
            if info.is_dir():
                continue
            fault = "too_many_members" if number >= MAX_ENTRIES else zip_fault(info)
            if not fault and info.file_size > _limit(info.compress_size):
                fault = "bomb"
            if fault:
                yield PackedStream(info.filename, None, fault, info.file_size)
                if number >= MAX_ENTRIES:
                    return
                continue
            try:
                with directory.open(info) as stream:
                    yield PackedStream(
                        info.filename, _Bounded(stream, _limit(info.compress_size)), "", info.file_size
                    )
            except FAULTS:
                yield PackedStream(info.filename, None, "unreadable", info.file_size)


def _tar_streams(path: Path) -> Iterator[PackedStream]:
    with path.open("rb") as file:
        limit = path.stat().st_size
        yield from _members(_Seekless(file, limit))


def _members(stream: _Seekless) -> Iterator[PackedStream]:
    file = cast(IO[bytes], stream)
    with tarfile.open(fileobj=file, mode="r|", tarinfo=CheckedTarInfo) as tar:
        for number, info in enumerate(tar):
            # The library remembers every member for a second look, which a stream never takes.
            tar.members = []  # type: ignore[attr-defined]
            if info.isdir():
                continue
            if number >= MAX_ENTRIES:
                yield PackedStream(info.name, None, "too_many_members", info.size)
                return
            if unsafe_name(info.name) or not info.isreg():
                yield PackedStream(info.name, None, "unsafe_path", info.size)
            elif info.issparse():
                yield PackedStream(info.name, None, "unsupported", info.size)
            else:
                yield PackedStream(info.name, tar.extractfile(info), "", info.size)
