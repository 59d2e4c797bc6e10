"""CSV files as rows of strings: dialect found out, every record accounted for.

Plain stretches of a file are read at full speed (`archive.csv_blocks`), all others record by record
(`archive.csv_records`); both give the same rows. Does not belong here: what columns mean (`archive.columns`).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import polars as pl

from archive.batches import BATCH_ROWS, MAX_COLUMNS, TableBatch, unique_names
from archive.csv_blocks import fast_frame, string_frame
from archive.csv_records import CsvRecord, CsvRecords
from archive.dialects import SAMPLE_RECORDS, Dialect, find_dialect, sample_records, sniff_delimiter
from archive.headers import HeaderPlace, find_header
from archive.identifiers import content_digest
from archive.mailbox import relative_path
from archive.rejects import Reject
from archive.text_blocks import BombError, LongLine, TextBlocks, open_text

__all__ = ["CsvFile", "CsvRow", "read_csv", "read_csv_batches", "sniff_delimiter", "table_name"]

_SAMPLE = 256 * 1024
_PIECE = 256 * 1024
"""A block that is not clean is tried again in eighths down to this size."""
_SUFFIXES = re.compile(r"\.(?:gz|csv|tsv|tab|txt|jsonl?|ndjson)$", re.IGNORECASE)


@dataclass(frozen=True)
class CsvRow:
    """A record: its number (the first one of the file is 1) and its cells, or why it cannot be used."""

    number: int
    cells: tuple[str, ...]
    fault: str = ""


@dataclass(frozen=True)
class CsvFile:
    """A CSV file's header and rows in order; headers may repeat."""

    header: tuple[str, ...]
    rows: tuple[CsvRow, ...]


class _Layout(NamedTuple):
    """What the first records of a file say about all of them."""

    dialect: Dialect
    header: HeaderPlace
    names: tuple[str, ...]

    @property
    def head(self) -> int:
        """Records before the first row."""
        return self.header.titles + self.header.present

    def row(self, record: CsvRecord) -> tuple[list[str], str]:
        """Returns the cells of a record in the table's width and no fault, else its cells and the fault."""
        cells, width = record.cells, len(self.names)
        if self.header.present and width > 1 and tuple(cells) == self.header.names:
            return cells, "repeated_header"
        if record.fault or len(cells) == width:
            return cells, record.fault
        if self.header.trailing and len(cells) == width + 1 and not cells[-1].strip():
            return cells[:-1], ""
        return cells, "wrong_width"

    def repeats_header(self, record: CsvRecord) -> bool:
        """Says whether a page of a dialog list begins with the header again."""
        return self.dialect.boxed and tuple(record.cells) == self.header.names


def read_csv(path: Path) -> CsvFile:
    """Returns all records of a CSV file; rows of another width than the header carry a fault.

    Any encoding and dialect that `read_csv_batches` knows. Empty lines are no records.

    Raises:
        OSError: the file cannot be read; of gzip files also EOFError, zlib.error and BombError.
    """
    rows: list[CsvRow] = []
    layout: _Layout | None = None
    number = 0
    with open_text(path) as blocks:
        while (block := blocks.next()) is not None:
            if isinstance(block, LongLine):
                number += 1
                rows.append(CsvRow(number, (), "line_too_long"))
                continue
            if layout is None:
                layout = _layout(block)
                records = CsvRecords(blocks, layout.dialect)
            for record in records.read(block):
                number += 1
                if number > layout.head and not layout.repeats_header(record):
                    cells, fault = layout.row(record)
                    rows.append(CsvRow(number, tuple(cells), fault))
    return CsvFile(layout.header.names if layout is not None else (), tuple(rows))


def read_csv_batches(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the rows of a CSV file, plain or gzip, in batches; at least one, so that its columns are known.

    Numbers are those of records, blank lines not counted: the first one of the file is 1, mostly the header.
    Rejects: "wrong_width", "repeated_header" (exports put together), "unclosed_quote", "unreadable_record",
    "line_too_long"; for the rest of a file "unreadable_file", "bomb".
    """
    relative, table = relative_path(path, base), table_name(path)
    names: tuple[str, ...] = ()
    try:
        with open_text(path) as blocks:
            for batch in _Reader(blocks, relative, table).batches():
                names = tuple(batch.frame.columns)
                yield batch
        return
    except BombError:
        reason = "bomb"
    except _WidthError:
        reason = "too_many_columns"
    except (OSError, EOFError, zlib.error):
        reason = "unreadable_file"
    yield _batch(table, string_frame(names, []), (), (file_reject(path, relative, reason),))


def table_name(path: Path) -> str:
    """Returns the name of a file's table: the file name without the endings of its format."""
    name = path.name
    while (match := _SUFFIXES.search(name)) and match.start():
        name = name[: match.start()]
    return name if name != path.name else path.stem


def file_reject(path: Path, relative: str, reason: str) -> Reject:
    """Returns the reject of a file as a whole, with the hash of its first 16 MiB."""
    try:
        with path.open("rb") as file:
            head = file.read(16 * 1024 * 1024)
        return Reject(relative, "file", content_digest(head), reason, path.stat().st_size)
    except OSError:
        return Reject(relative, "file", content_digest(b""), reason, 0)


class _WidthError(Exception):
    """A file has more columns than a table may have."""


class _Reader:
    """Reads one file: keeps its layout and counts its records."""

    def __init__(self, blocks: TextBlocks, relative: str, table: str) -> None:
        self._blocks = blocks
        self._relative = relative
        self._table = table
        self._number = 0
        self._layout: _Layout | None = None

    def batches(self) -> Iterator[TableBatch]:
        """Yields the batches of the file, an empty one where it has no rows."""
        rest = b""
        empty = True
        while (block := self._blocks.joined(rest)) is not None:
            rest = b""
            if isinstance(block, LongLine):
                self._number += 1
                place = f"row {self._number}"
                reject = Reject(self._relative, place, block.content_hash, "line_too_long", block.size)
                yield _batch(self._table, string_frame(self._names, []), (), (reject,))
                empty = False
                continue
            if not block.strip(b"\r\n"):
                continue
            if self._layout is None:
                self._layout = _layout(block)
                if len(self._names) > MAX_COLUMNS:
                    raise _WidthError
                records = CsvRecords(self._blocks, self._layout.dialect)
                cut = block.rfind(b"\n", 0, _SAMPLE) + 1 or len(block)
                self._blocks.push_back(block[cut:])
                self._number += sum(1 for _ in records.read(block[:cut], self._layout.head))
                continue
            fast = self._fast(block)
            if fast is None and len(block) > _PIECE:
                cut = block.rfind(b"\n", 0, max(_PIECE, len(block) // 8)) + 1
                if cut:
                    self._blocks.push_back(block[cut:])
                    block = block[:cut]
                    fast = self._fast(block)
            if fast is not None:
                frame, size = fast
                rest = block[size:]
                for part in frame.iter_slices(BATCH_ROWS):
                    first = self._number + 1
                    self._number += part.height
                    empty = False
                    yield _batch(self._table, part, range(first, self._number + 1), ())
                continue
            for batch in self._exact(records, block):
                empty = False
                yield batch
        if empty:
            yield _batch(self._table, string_frame(self._names, []), (), ())

    @property
    def _names(self) -> tuple[str, ...]:
        return self._layout.names if self._layout is not None else ()

    def _fast(self, block: bytes) -> tuple[pl.DataFrame, int] | None:
        assert self._layout is not None
        trailing = self._layout.header.trailing
        found = fast_frame(block, self._layout.dialect, len(self._names) + trailing)
        if found is None:
            return None
        frame, size = found
        if trailing:
            last = frame.columns[-1]
            if frame[last].null_count() < frame.height:
                return None
            frame = frame.drop(last)
        if self._layout.header.present:
            named = next((at for at, name in enumerate(self._layout.header.names) if name), None)
            if named is not None and (frame[str(named)] == self._layout.header.names[named]).any():
                return None
        return frame.rename(dict(zip(frame.columns, self._names, strict=True))), size

    def _exact(self, records: CsvRecords, block: bytes) -> Iterator[TableBatch]:
        assert self._layout is not None
        rows: list[list[str]] = []
        numbers: list[int] = []
        rejects: list[Reject] = []
        for record in records.read(block):
            self._number += 1
            if self._layout.repeats_header(record):
                continue
            cells, fault = self._layout.row(record)
            if fault:
                place = f"row {self._number}"
                rejects.append(Reject(self._relative, place, record.content_hash, fault, record.size))
            else:
                rows.append(cells)
                numbers.append(self._number)
            if len(rows) + len(rejects) >= BATCH_ROWS:
                yield _batch(self._table, string_frame(self._names, rows), numbers, tuple(rejects))
                rows, numbers, rejects = [], [], []
        if rows or rejects:
            yield _batch(self._table, string_frame(self._names, rows), numbers, tuple(rejects))


def _batch(
    table: str, frame: pl.DataFrame, numbers: Sequence[int], rejects: tuple[Reject, ...]
) -> TableBatch:
    if isinstance(numbers, range) and numbers:
        series = pl.int_range(numbers.start, numbers.stop, dtype=pl.Int64, eager=True)
    else:
        series = pl.Series(list(numbers), dtype=pl.Int64)
    return TableBatch(table, frame, series, rejects=rejects)


def _layout(block: bytes) -> _Layout:
    cut = len(block) > _SAMPLE
    text = block[:_SAMPLE].decode("utf-8", "replace")
    dialect = find_dialect(text)
    records = sample_records(text, dialect)
    if cut and 1 < len(records) < SAMPLE_RECORDS:
        records.pop()
    header = find_header(records)
    return _Layout(dialect, header, unique_names(header.names))
