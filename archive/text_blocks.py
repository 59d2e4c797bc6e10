"""Text files as blocks of whole lines in UTF-8, of bounded size: plain or gzip, in any encoding.

Belongs here: opening, expanding, decoding, cutting at line ends. What the lines mean is read elsewhere.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

from archive.encodings import guess_encoding, repaired_utf8, transcoder

BLOCK = 4 * 1024 * 1024
"""Bytes read at a time."""
MAX_LINE = 16 * 1024 * 1024
"""Bytes; a longer line is not held in memory: only its size and hash are known."""
MAX_RATIO = 250
"""Times that a gzip file may grow once it is past the free size."""
FREE_SIZE = 256 * 1024 * 1024
"""Expanded bytes that are read at any ratio."""
_SAMPLE = 256 * 1024


class LongLine(NamedTuple):
    """A line over the bound."""

    size: int
    content_hash: str


class BombError(Exception):
    """A compressed file grows far beyond what exports do."""


class TextBlocks:
    """The lines of a file, block by block; what was taken too much can be pushed back."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        """Takes UTF-8 chunks, cut anywhere."""
        self._chunks = chunks
        self._ahead = next(chunks, None)
        self._rest = b""
        self._waiting: list[bytes | LongLine] = []

    def next(self) -> bytes | LongLine | None:
        """Returns the next lines (the last one may lack its end), a long line, or None at the end."""
        if self._waiting:
            return self._waiting.pop()
        while self._ahead is not None:
            data = self._rest + self._ahead if self._rest else self._ahead
            self._rest = b""
            self._ahead = next(self._chunks, None)
            end = _line_end(data) if self._ahead is not None else len(data)
            if len(data) > MAX_LINE and not _line_end(data):
                return self._long_line(data)
            if end:
                self._rest = data[end:]
                return repaired_utf8(data[:end])
            self._rest = data
        rest, self._rest = self._rest, b""
        return repaired_utf8(rest) if rest else None

    def push_back(self, block: bytes | LongLine) -> None:
        """Puts lines back, to come before everything else."""
        if isinstance(block, LongLine) or block:
            self._waiting.append(block)

    def joined(self, rest: bytes) -> bytes | LongLine | None:
        """Returns a rest with the next lines behind it; the rest alone before a long line and at the end."""
        following = self.next()
        if isinstance(following, bytes):
            return rest + following
        if not rest:
            return following
        if following is not None:
            self.push_back(following)
        return rest

    def _long_line(self, data: bytes) -> LongLine:
        hashed = hashlib.sha256()
        size = 0
        while True:
            end = _line_end(data)
            part = data[:end] if end else data
            first = _first_end(part) if end else len(part)
            hashed.update(part[:first])
            size += first
            if end:
                self._rest = data[first:]
                return LongLine(size, hashed.hexdigest())
            if self._ahead is None:
                return LongLine(size, hashed.hexdigest())
            data, self._ahead = self._ahead, next(self._chunks, None)


@contextmanager
def open_text(path: Path) -> Iterator[TextBlocks]:
    """Gives the lines of a text file.

    Raises:
        OSError: the file cannot be opened; while it is read, also EOFError, zlib.error and BombError.
    """
    with path.open("rb") as file:
        magic = file.read(2)
        file.seek(0)
        if magic == b"\x1f\x8b":
            with gzip.open(file) as expanded:
                yield TextBlocks(_chunks(cast("IO[bytes]", expanded), path.stat().st_size))
        else:
            yield TextBlocks(_chunks(file, 0))


def _chunks(file: IO[bytes], packed: int) -> Iterator[bytes]:
    sample = file.read(_SAMPLE)
    encoding, mark = guess_encoding(sample)
    convert = transcoder(encoding)
    chunk = sample[mark:] + file.read(max(0, BLOCK - len(sample)))
    size = 0
    while chunk:
        size += len(chunk)
        if packed and size > FREE_SIZE and size > MAX_RATIO * packed:
            raise BombError
        converted = convert(chunk, False)
        if converted:
            yield converted
        chunk = file.read(BLOCK)
    tail = convert(b"", True)
    if tail:
        yield tail


def _line_end(data: bytes) -> int:
    """Returns where the last complete line ends; a CR at the very end may be half of a CRLF."""
    end = data.rfind(b"\n") + 1
    return max(end, data.rfind(b"\r", end, -1) + 1) if data else 0


def _first_end(data: bytes) -> int:
    ends = [at for at in (data.find(b"\n"), data.find(b"\r")) if at >= 0]
    first = min(ends) + 1
    return first + 1 if data[first - 1 : first + 1] == b"\r\n" else first
