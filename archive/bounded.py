"""Files read within bounds, gzip or not: line by line, or the rest at once.

Belongs here: sizes. What stands in a line is read by the modules of the formats.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line."""
_CHUNK = 1024 * 1024
_RATIO = 200
_FREE = 64 * 1024 * 1024
"""A gzip file may unpack to this many bytes, or to `_RATIO` times its size where that is more."""


class BoundError(OSError):
    """A packed file holds more than its size gives reason to expect."""


class Line(NamedTuple):
    """A line with its end, or the first part of one that is longer than `MAX_LINE`."""

    number: int
    data: bytes
    cut: bool


class BoundedFile:
    """A file's bytes, unpacked where it is gzip; never more than asked for in memory.

    Raises:
        BoundError: while reading, a gzip file unpacks to far more than its size.
        OSError, EOFError, zlib.error: while reading, the file is unreadable or broken.
    """

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("rb")
        packed = self._file.read(2) == b"\x1f\x8b"
        self._file.seek(0)
        self._limit = -1
        if packed:
            self._limit = max(_FREE, _RATIO * path.stat().st_size)
            self._inner = self._file
            self._file = cast(IO[bytes], gzip.GzipFile(fileobj=self._inner))
        self._done = 0
        self.last = 0
        """Number of the last line that was read whole."""

    def __enter__(self) -> BoundedFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self._limit >= 0:
            self._inner.close()

    def lines(self) -> Iterator[Line]:
        """Yields the lines; what is left of one that is cut is read over before the next."""
        number = 0
        while data := self._counted(self._file.readline(MAX_LINE)):
            number += 1
            cut = len(data) == MAX_LINE and not data.endswith(b"\n")
            self.last = self.last if cut else number
            yield Line(number, data, cut)
            while cut:
                more = self._counted(self._file.readline(_CHUNK))
                cut = bool(more) and not more.endswith(b"\n")

    def rest(self, most: int) -> bytes:
        """Returns what is left, one byte more than `most` where it is more; what precedes a break in it."""
        held = bytearray()
        while len(held) <= most:
            try:
                chunk = self._counted(self._file.read(min(_CHUNK, most + 1 - len(held))))
            except (EOFError, zlib.error):
                break
            if not chunk:
                break
            held += chunk
        return bytes(held)

    def _counted(self, data: bytes) -> bytes:
        self._done += len(data)
        if 0 <= self._limit < self._done:
            raise BoundError("a packed file unpacks to far more than its size")
        return data
