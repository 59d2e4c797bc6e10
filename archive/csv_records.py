"""The records of a CSV file one by one, exactly as its dialect writes them.

Belongs here: records over several lines, and what becomes of those that cannot be read. Does not belong
here: widths and columns (`archive.tables_csv`), the fast reading of plain stretches (`archive.csv_blocks`).
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from archive.dialects import Dialect
from archive.identifiers import content_digest
from archive.text_blocks import TextBlocks

MAX_RECORD = 16 * 1024 * 1024
"""Bytes of one record over all its lines; a quote that is open for longer was never closed."""


class CsvRecord(NamedTuple):
    """A record as read: its cells and UTF-8 lines, or the reason why it has no cells."""

    cells: list[str]
    lines: tuple[bytes, ...]
    fault: str = ""
    """"unclosed_quote" (its first line only; the others are read anew) or "unreadable_record"."""

    @property
    def content_hash(self) -> str:
        """SHA-256 of its lines."""
        return content_digest(b"".join(self.lines))

    @property
    def size(self) -> int:
        """Bytes of its lines."""
        return sum(map(len, self.lines))


class CsvRecords:
    """Reads records from the lines of a file, which `csv.reader` asks for one by one."""

    def __init__(self, blocks: TextBlocks, dialect: Dialect) -> None:
        """Begins at the next line of the blocks."""
        self._blocks = blocks
        self._dialect = dialect
        self._lines: deque[bytes] = deque()
        self._taken: list[bytes] = []
        self._size = 0
        self._cut = False
        self._reader: Iterator[list[str]] | None = None

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._size > MAX_RECORD or not (self._lines or self._refilled()):
            self._cut = True
            raise StopIteration
        line = self._lines.popleft()
        self._taken.append(line)
        self._size += len(line)
        return line.decode("utf-8", "replace")

    def read(self, block: bytes, most: int | None = None) -> Iterator[CsvRecord]:
        """Yields the records that begin in a block, blank ones left out; at most so many.

        Lines after the end of the last record go back to the blocks.
        """
        self._lines.extend(block.splitlines(True))
        left = len(self._lines)
        while left > 0 and self._lines and most != 0:
            record = self._record()
            left -= len(self._taken)
            if record is not None:
                most = most - 1 if most is not None else None
                yield record
        self._blocks.push_back(b"".join(self._lines))
        self._lines.clear()

    def _record(self) -> CsvRecord | None:
        self._taken.clear()
        self._size, self._cut = 0, False
        if self._reader is None:
            self._reader = self._dialect.reader(self)
        try:
            cells = next(self._reader)
        except (csv.Error, StopIteration):
            self._reader = None
            return CsvRecord([], tuple(self._taken), "unreadable_record")
        if self._cut:
            self._reader = None
            self._lines.extendleft(reversed(self._taken[1:]))
            del self._taken[1:]
            return CsvRecord([], tuple(self._taken), "unclosed_quote")
        own = self._dialect.cells(cells)
        return CsvRecord(own, tuple(self._taken)) if own else None

    def _refilled(self) -> bool:
        block = self._blocks.next()
        if isinstance(block, bytes):
            self._lines.extend(block.splitlines(True))
            return True
        if block is not None:
            self._blocks.push_back(block)
        return False
