"""Workbooks as tables: every sheet with rows, values as strings, merged cells filled.

Belongs here: the file format, within bounds. Does not belong here: what columns mean (`archive.columns`).
Dates are ISO, numbers exact, truth values "true" and "false", formulas their stored result or else their
text, errors their text ("#N/A").
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from archive.batches import BATCH_ROWS, TableBatch, unique_names
from archive.csv_blocks import string_frame
from archive.database import value_text
from archive.headers import MAX_TITLES, find_header, looks_like_header, typed
from archive.identifiers import content_digest
from archive.mailbox import relative_path
from archive.rejects import Reject
from archive.tables_csv import file_reject

MAX_EXPANDED = 1024 * 1024 * 1024
"""Bytes of all parts of a workbook together, as its directory states them (no more is ever read)."""
MAX_STRINGS = 256 * 1024 * 1024
"""Bytes of the texts that all sheets share, which are held in memory."""
MAX_CELLS = 50_000_000
"""Cells of one sheet, empty ones between filled ones included; what is beyond is one reject."""
MAX_MERGED = 200_000
MAX_PARTS = 10_000
_HEAD = 65_536
_RATIO, _FREE = 300, 64 * 1024 * 1024
_OLD_BIFF = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=[\"']([A-Z]+)(\d+):([A-Z]+)(\d+)[\"']")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_SAMPLE = MAX_TITLES + 100

Cells = list[str]


class _Merge(NamedTuple):
    """A merged area; columns from 0, its last row included."""

    left: int
    right: int
    bottom: int
    value: str


class _Row(NamedTuple):
    number: int
    cells: Cells
    spread: bool
    """A cell is merged over several columns."""


def read_xlsx(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the rows of all sheets of a workbook; a sheet without cells is no table.

    Tables are called like their sheets, numbers are sheet rows; places of hidden sheets say "(hidden)".
    What is no workbook, or too much of one, is one reject of the file: "unsupported_format" (.xls), "bomb",
    "entity_declared", "encrypted", "unreadable_file".
    """
    relative = relative_path(path, base)
    reason = _fault(path)
    if not reason:
        try:
            yield from _sheets(path, relative)
            return
        except Exception as error:  # the library raises whatever a broken part leads it to
            unsafe = type(error).__module__.startswith("defusedxml")
            reason = "entity_declared" if unsafe else "unreadable_file"
    reject = file_reject(path, relative, reason)
    yield TableBatch(path.stem, pl.DataFrame(), pl.Series([], dtype=pl.Int64), rejects=(reject,))


def _fault(path: Path) -> str:
    """Returns why a file must not or cannot be opened as a workbook, from its first bytes and directory."""
    try:
        with path.open("rb") as file:
            magic = file.read(8)
        if magic == _OLD_BIFF:
            with path.open("rb") as file:
                head = file.read(1 << 20)
            return "encrypted" if "EncryptedPackage".encode("utf-16-le") in head else "unsupported_format"
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
            fault = _size_fault(parts)
            if not fault and any(_has_document_type(archive, part) for part in parts):
                fault = "entity_declared"
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError):
        return "unreadable_file"
    return fault


def _has_document_type(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Says whether a part declares entities; no program writes such workbooks."""
    if not part.filename.lower().endswith((".xml", ".rels")):
        return False
    with archive.open(part) as file:
        return b"<!DOCTYPE" in file.read(_HEAD).replace(b"\0", b"")


def _size_fault(parts: Sequence[zipfile.ZipInfo]) -> str:
    total = sum(part.file_size for part in parts)
    packed = sum(part.compress_size for part in parts)
    strings = sum(part.file_size for part in parts if part.filename.lower().endswith("sharedstrings.xml"))
    if (
        len(parts) > MAX_PARTS
        or total > MAX_EXPANDED
        or strings > MAX_STRINGS
        or (total > _FREE and total > _RATIO * packed)
    ):
        return "bomb"
    return "encrypted" if any(part.flag_bits & 1 for part in parts) else ""


def _sheets(path: Path, relative: str) -> Iterator[TableBatch]:
    from openpyxl import load_workbook

    workbook = load_workbook(path, read_only=True, data_only=True, keep_links=False)
    formulas = None
    try:
        for sheet in workbook.worksheets:
            merges, has_formulas = _marks(path, sheet._worksheet_path)
            if has_formulas and formulas is None:
                formulas = load_workbook(path, read_only=True, data_only=False, keep_links=False)
            written = formulas[sheet.title] if has_formulas and formulas is not None else None
            hidden = " (hidden)" if sheet.sheet_state != "visible" else ""
            reader = _Sheet(sheet.title, sheet.title + hidden, relative, merges)
            yield from reader.batches(_values(sheet, written))
    finally:
        workbook.close()
        if formulas is not None:
            formulas.close()


def _marks(path: Path, part: str) -> tuple[dict[tuple[int, int], tuple[int, int]], bool]:
    """Returns merged areas (top left to bottom right, from 0) and whether a sheet has formulas."""
    merges: dict[tuple[int, int], tuple[int, int]] = {}
    formulas = False
    with zipfile.ZipFile(path) as archive, archive.open(part.lstrip("/")) as file:
        rest = b""
        while chunk := file.read(1 << 20):
            data = rest + chunk
            end = data.rfind(b"<")
            whole, rest = (data[:end], data[end:]) if end > 0 else (data, b"")
            formulas = formulas or _FORMULA.search(whole) is not None
            for left, top, right, bottom in _MERGED.findall(whole + b">"[: not rest]):
                if len(merges) < MAX_MERGED:
                    merges[int(top) - 1, _column(left)] = (int(bottom) - 1, _column(right))
    return merges, formulas


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1


def _values(sheet: Any, written: Any) -> Iterator[Cells]:
    """Yields the cells of all rows, trailing empty ones left out."""
    sheet.reset_dimensions()
    if written is None:
        for row in sheet.iter_rows():
            yield [_text(cell) for cell in row]
        return
    written.reset_dimensions()
    for row, formulas in zip_longest(sheet.iter_rows(), written.iter_rows(), fillvalue=()):
        yield [
            _text(cell) if cell is not None and cell.value is not None else _formula(formula)
            for cell, formula in zip_longest(row, formulas)
        ]


def _formula(cell: Any) -> str:
    """Returns the text of a formula without stored result."""
    value = getattr(cell, "value", None)
    value = getattr(value, "text", value)
    return value if isinstance(value, str) and value.startswith("=") else ""


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        plain = value.replace(microsecond=0) if value.microsecond == 0 else value
        timed = plain.time() != time() or re.search("[hsHS]", _format(cell))
        return plain.isoformat() if timed else plain.date().isoformat()
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    if isinstance(value, date | time):
        return value.isoformat()
    return value_text(value) or ""


def _format(cell: Any) -> str:
    """Returns a number format without quoted text, colours and locales."""
    return re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", str(cell.number_format))


class _Sheet:
    """The rows of one sheet on their way into batches."""

    def __init__(
        self, title: str, place: str, path: str, merges: dict[tuple[int, int], tuple[int, int]]
    ) -> None:
        self._title = title
        self._place = place
        self._path = path
        self._starts: dict[int, list[tuple[int, tuple[int, int]]]] = {}
        for (top, left), corner in sorted(merges.items()):
            self._starts.setdefault(top, []).append((left, corner))
        self._open: list[_Merge] = []
        self._names: tuple[str, ...] = ()
        self._cells = 0
        self._stopped = 0

    def batches(self, values: Iterator[Cells]) -> Iterator[TableBatch]:
        """Yields the sheet's rows below its header."""
        rows = self._rows(values)
        head = list(islice(rows, _SAMPLE))
        if not head:
            return
        width = max(len(row.cells) for row in head)
        records = [_untitled(row) + [""] * (width - len(_untitled(row))) for row in head]
        names, skipped = _header(head, records)
        while names and not names[-1] and not any(row[len(names) - 1].strip() for row in records[skipped:]):
            names.pop()
        self._names = unique_names(names)
        pending = head[skipped:]
        empty = True
        while pending or empty:
            batch = self._batch(pending)
            if batch.read or empty:
                yield batch
            empty = False
            pending = list(islice(rows, BATCH_ROWS))
        if self._stopped:
            yield self._stop()

    def _rows(self, values: Iterator[Cells]) -> Iterator[_Row]:
        """Yields the rows with any cell of their own, merged areas filled."""
        for number, cells in enumerate(values):
            self._cells += len(cells)
            if self._cells > MAX_CELLS:
                self._stopped = number + 1
                return
            while cells and not cells[-1].strip():
                cells.pop()
            if not cells:
                self._open = [merge for merge in self._open if merge.bottom > number]
                self._start(number, cells)
                continue
            spread = self._start(number, cells)
            for merge in self._open:
                last = merge.right if merge.value else -1
                if last >= len(cells) and last < 16_384:
                    cells += [""] * (last + 1 - len(cells))
                for position in range(merge.left, last + 1):
                    cells[position] = cells[position] or merge.value
            self._open = [merge for merge in self._open if merge.bottom > number]
            yield _Row(number + 1, cells, spread)

    def _start(self, number: int, cells: Cells) -> bool:
        spread = False
        for left, (bottom, right) in self._starts.pop(number, ()):
            value = cells[left] if left < len(cells) else ""
            self._open.append(_Merge(left, right, bottom, value))
            spread = spread or (right > left and bool(value))
        return spread

    def _batch(self, rows: Sequence[_Row]) -> TableBatch:
        width = len(self._names)
        kept: list[Cells] = []
        numbers: list[int] = []
        rejects: list[Reject] = []
        for row in rows:
            cells = row.cells + [""] * (width - len(row.cells))
            if any(cell.strip() for cell in cells[width:]):
                data = "\x1f".join(cells).encode("utf-8", "replace")
                place = f"{self._place} row {row.number}"
                rejects.append(Reject(self._path, place, content_digest(data), "wrong_width", len(data)))
            else:
                kept.append(cells[:width])
                numbers.append(row.number)
        place = self._place.replace("{", "(").replace("}", ")") + " row {}"
        frame = string_frame(self._names, kept)
        series = pl.Series(numbers, dtype=pl.Int64)
        return TableBatch(self._title, frame, series, place, tuple(rejects))

    def _stop(self) -> TableBatch:
        place = f"{self._place} row {self._stopped}"
        reject = Reject(self._path, place, content_digest(place.encode()), "too_many_cells", 0)
        numbers = pl.Series([], dtype=pl.Int64)
        return TableBatch(self._title, string_frame(self._names, []), numbers, rejects=(reject,))


def _untitled(row: _Row) -> Cells:
    """Returns the cells of a row; of one text that is merged over several columns only the first."""
    filled = [cell for cell in row.cells if cell.strip()]
    return [filled[0]] if row.spread and len(set(filled)) == 1 else row.cells


def _header(rows: Sequence[_Row], records: Sequence[Cells]) -> tuple[list[str], int]:
    """Returns the names of the columns and how many rows stand above the first one of data.

    A row of names merged over several columns, above a row of other names, is put before those.
    """
    place = find_header(records)
    skipped = place.titles + place.present
    names = list(place.names) + [""] * (len(records[0]) - len(place.names))
    if not place.present or skipped >= len(records):
        return names, skipped
    below, body = records[skipped], records[skipped + 1 :]
    typed_below = any(typed(cell) for row in body for cell in row)
    if rows[skipped - 1].spread and looks_like_header(below) and typed_below:
        joined = [
            f"{upper} {lower}".strip() if upper != lower else upper
            for upper, lower in zip(names, (cell.strip() for cell in below), strict=True)
        ]
        return joined, skipped + 1
    return names, skipped
