"""CSV files as rows of strings: encoding and delimiter found out, every record accounted for.

Belongs here: the file format. What columns mean is said in `archive.columns` and `archive.jira`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_FIELD = 16 * 1024 * 1024
"""Characters in one cell."""
_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED_LINES = 20


@dataclass(frozen=True)
class CsvRow:
    """A record: its number (the header is 1) and its cells, or the reason why it cannot be used."""

    number: int
    cells: tuple[str, ...]
    fault: str = ""


@dataclass(frozen=True)
class CsvFile:
    """A CSV file's header and rows in order; headers may repeat."""

    header: tuple[str, ...]
    rows: tuple[CsvRow, ...]


def read_csv(path: Path) -> CsvFile:
    """Returns all records of a CSV file; rows of another width than the header carry a fault.

    UTF-8 with or without BOM, UTF-16 with BOM, else cp1252. Empty lines are no records.
    """
    text = _decoded(path.read_bytes())
    records = _records(text, sniff_delimiter(text))
    header: tuple[str, ...] = ()
    for first in records:
        header = tuple(name.strip() for name in first.cells)
        break
    return CsvFile(header, tuple(_checked(row, len(header)) for row in records))


def sniff_delimiter(text: str) -> str:
    """Returns the delimiter that splits the first lines into equally many cells, most cells first."""
    best, best_score = ",", (-1.0, -1)
    for delimiter in _DELIMITERS:
        widths = []
        for row in _records(text, delimiter):
            widths.append(len(row.cells))
            if len(widths) >= _SNIFFED_LINES:
                break
        if widths and widths[0] > 1:
            score = (sum(width == widths[0] for width in widths) / len(widths), widths[0])
            if score > best_score:
                best, best_score = delimiter, score
    return best


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _records(text: str, delimiter: str) -> Iterator[CsvRow]:
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    number = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            number += 1
            yield CsvRow(number, (), "unreadable_record")
            continue
        if cells:
            number += 1
            yield CsvRow(number, tuple(cells))


def _checked(row: CsvRow, width: int) -> CsvRow:
    if row.fault or len(row.cells) == width:
        return row
    return CsvRow(row.number, row.cells, "wrong_width")
