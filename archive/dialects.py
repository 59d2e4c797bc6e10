"""How a table file separates and quotes its cells, found out from its first lines.

Belongs here: delimiter, quotes, escapes, boxes of dashes. Does not belong here: encodings
(`archive.encodings`), which line is the header (`archive.headers`), reading (`archive.tables_csv`).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import polars as pl

from archive.headers import find_header, usual_width

MAX_FIELD = 16 * 1024 * 1024
"""Characters of one cell."""
SAMPLE_RECORDS = 100
_LINE = 4_000
"""Characters of a line that its signs are looked for in."""
DELIMITERS = (",", ";", "\t", "|", "||", "+|", "~|~", "\x1f")
_MARK = "\ufdd0"
"""A code point that is never a character stands for delimiters of several ones."""
_DASHES = re.compile(r"[\s|+]*-{3}[-+|\s]*")
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_FLOAT_ID = re.compile(r"-?\d+\.0+")


class Dialect(NamedTuple):
    """The way in which a file writes records."""

    delimiter: str = ","
    quote: str = '"'
    """Empty where quotes are characters like any other."""
    escape: str = ""
    """A backslash where quotes inside quotes are written so; doubled quotes are read in any case."""
    boxed: bool = False
    """Cells stand between bars, padded, records between lines of dashes (SAP dialog lists)."""

    def reader(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """Returns an iterator over the cells of records, as of `csv.reader`; blank lines give no cells."""
        csv.field_size_limit(MAX_FIELD)
        many = len(self.delimiter) > 1
        options: dict[str, Any] = {"delimiter": _MARK if many else self.delimiter}
        if self.quote:
            options["quotechar"] = self.quote
        else:
            options["quoting"] = csv.QUOTE_NONE
        if self.escape:
            options["escapechar"] = self.escape
        if many:
            reader = csv.reader(_Marked(lines, self.delimiter), **options)
            return _joined(reader, self.delimiter)
        return csv.reader(lines, **options)

    def cells(self, cells: list[str]) -> list[str]:
        """Returns a record's own cells: without the box around them, none of a line of dashes."""
        if not self.boxed:
            return cells
        if _DASHES.fullmatch(self.delimiter.join(cells)):
            return []
        inner = [cell.strip() for cell in cells]
        return inner[1:-1] if len(inner) > 2 and not inner[0] and not inner[-1] else inner


class _Marked:
    """Lines with one character for the delimiter; goes on where the lines go on after an end."""

    def __init__(self, lines: Iterable[str], delimiter: str) -> None:
        self._lines = iter(lines)
        self._delimiter = delimiter

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._lines).replace(self._delimiter, _MARK)


def _joined(reader: Iterator[list[str]], delimiter: str) -> Iterator[list[str]]:
    for cells in reader:
        yield [cell.replace(_MARK, delimiter) if _MARK in cell else cell for cell in cells]


def sample_records(text: str, dialect: Dialect) -> list[list[str]]:
    """Returns the first records of a text, blank ones left out; what cannot be read ends them."""
    records: list[list[str]] = []
    reader = dialect.reader(match[0] for match in _LINES.finditer(text))
    try:
        for cells in reader:
            own = dialect.cells(cells)
            if own:
                records.append(own)
            if len(records) >= SAMPLE_RECORDS:
                break
    except csv.Error:
        pass
    return records


def sniff_delimiter(text: str) -> str:
    """Returns the delimiter that splits the first lines into equally many cells, most cells first."""
    return find_dialect(text).delimiter


def find_dialect(text: str) -> Dialect:
    """Returns the dialect under which the first records of a text fit together best.

    Equal widths count first, then the number of cells. A comma that stands only between digits is a decimal
    one wherever another delimiter fits. Single quotes and backslash escapes need more than one sign of them.
    """
    lines = [match[0].rstrip("\r\n")[:_LINE] for match in _LINES.finditer(text)][: 2 * SAMPLE_RECORDS]
    declared = re.fullmatch(r"sep=(.)", lines[0].strip('\ufeff "')) if lines else None
    boxed = _is_boxed(lines)
    best, best_score = Dialect(), (-1.0, -1, -1)
    for delimiter in (declared[1],) if declared else ("|",) if boxed else DELIMITERS:
        if delimiter not in text:
            continue
        dialect = _quoting(text, lines, Dialect(delimiter, "" if boxed else '"', "", boxed))
        records = sample_records(text, dialect)
        share, width = _fit(records)
        if width < 2 or (len(records[0]) < 2 and not find_header(records).titles):
            continue
        if delimiter == "," and _only_decimal(lines) and best_score[0] >= 0.0:
            share = 0.0
        score = (share, width, 0)
        if delimiter == ";" and best.delimiter == "," and _only_decimal(lines) and share >= 0.9:
            best, best_score = dialect, score
        elif len(delimiter) > 1 and share >= 0.9 and share >= best_score[0] and _whole(text, delimiter):
            best, best_score = dialect, (1.1, width, 1)
        elif score > best_score:
            best, best_score = dialect, score
    return best


def float_ids(series: pl.Series) -> bool:
    """Says whether a column holds whole numbers that a spreadsheet turned to floats ("1500000001.0")."""
    values = [value for value in series.to_list() if value is not None]
    return bool(values) and all(_FLOAT_ID.fullmatch(value) for value in values)


def _fit(records: list[list[str]]) -> tuple[float, int]:
    width = usual_width(records)
    same = sum(len(record) == width for record in records)
    return round(same / max(len(records), 1), 3), width


def _only_decimal(lines: list[str]) -> bool:
    commas = [line for line in lines if "," in line]
    return bool(commas) and all(
        len(re.findall(r"(?<=\d),(?=\d)", line)) == line.count(",") for line in commas
    )


def _whole(text: str, delimiter: str) -> bool:
    """Says whether bars stand in a text only as part of the longer delimiter."""
    return text.count("|") == text.count(delimiter) * delimiter.count("|")


def _is_boxed(lines: list[str]) -> bool:
    dashes = sum(bool(_DASHES.fullmatch(line)) for line in lines)
    barred = sum(line.startswith("|") and line.rstrip().endswith("|") for line in lines)
    return dashes >= 2 and barred >= 1 and barred + dashes >= 0.5 * len(lines)


def _quoting(text: str, lines: list[str], dialect: Dialect) -> Dialect:
    """Returns a dialect with the quotes and escapes under which the most records are of one width."""
    if dialect.boxed:
        return dialect
    delimiter = re.escape(dialect.delimiter)
    if '"' not in text:
        inner = re.compile(rf"(?:^|{delimiter})\s?'(?:[^']|'')*'(?=$|{delimiter})")
        filled = [line for line in lines if line.strip()]
        if "'" in text and sum(bool(inner.search(line)) for line in filled[1:]) >= max(2, len(filled) - 1):
            return dialect._replace(quote="'")
        return dialect
    choices = [dialect]
    if re.search(rf'\\"(?!{delimiter}|[\r\n]|$)', text):
        choices.insert(0, dialect._replace(escape="\\"))
    if not re.search(rf'(?:^|{delimiter})"[^"]*"(?=$|{delimiter}|[\r\n])', text, re.MULTILINE):
        choices.append(dialect._replace(quote=""))
    fits = [_fit(sample_records(text, choice)) for choice in choices]
    lengths = [len(sample_records(text, choice)) for choice in choices]
    order = max(range(len(choices)), key=lambda at: (fits[at][0], lengths[at], -at))
    return choices[order]
