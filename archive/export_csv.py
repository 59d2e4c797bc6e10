"""CSV files written in the form that a raw file has: delimiter, quotes, encoding, mark, line ends, titles.

Belongs here: reading the form from the raw file and writing clean rows in it. Of the raw file's words only
its header is kept; title lines are free text and become placeholders.
"""

from __future__ import annotations

import gzip
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from archive.dialects import Dialect, find_dialect, sample_records
from archive.encodings import decode_single, guess_encoding
from archive.headers import HeaderPlace, find_header, typed

_SAMPLE = 256 * 1024
_GZIP = b"\x1f\x8b"
_MARKS = {
    "utf-8": b"\xef\xbb\xbf",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "utf-32-le": b"\xff\xfe\x00\x00",
    "utf-32-be": b"\x00\x00\xfe\xff",
}
TITLE = "Title"
_TOKENS = 400
"""Lines whose quotes are looked at."""

Cells = Sequence[str | None]


class Quoting(NamedTuple):
    """Which cells stand in quotes though they need none."""

    header: bool = False
    words: bool = False
    numbers: bool = False
    blanks: bool = False


class CsvForm(NamedTuple):
    """How a raw file writes its rows."""

    dialect: Dialect
    encoding: str
    marked: bool
    """A byte order mark stands first."""
    line_end: str
    final_end: bool
    packed: bool
    header: HeaderPlace
    titles: tuple[tuple[str, ...], ...]
    """What is written above the header."""
    quoting: Quoting


def csv_form(path: Path) -> CsvForm:
    """Returns the form of a raw file from its first bytes."""
    with path.open("rb") as raw:
        packed = raw.read(2) == _GZIP
    with gzip.open(path) if packed else path.open("rb") as file:
        sample = file.read(_SAMPLE)
        more = bool(file.read(1))
    encoding, mark = guess_encoding(sample)
    text = _decoded(sample[mark:], encoding)
    dialect = find_dialect(text)
    records = sample_records(text, dialect)
    header = find_header(records)
    titles = tuple(_title(record, dialect.delimiter) for record in records[: header.titles])
    crlf, feeds, returns = text.count("\r\n"), text.count("\n"), text.count("\r")
    line_end = "\r\n" if 2 * crlf > feeds else "\n" if feeds or not returns else "\r"
    final = more or text.endswith(("\n", "\r"))
    quoting = _quoting(text, dialect, header)
    return CsvForm(dialect, encoding, mark > 0, line_end, final, packed, header, titles, quoting)


def write_csv(path: Path, form: CsvForm, rows: Iterable[Cells], left_out: Counter[str]) -> int:
    """Writes rows in a form and returns how many; a file that its encoding cannot hold becomes UTF-8.

    Args:
        path: of the new file.
        form: of the raw one.
        rows: cells in the order of the columns; can be gone through more than once.
        left_out: counts placeholders and changed encodings.
    """
    left_out["title lines"] += sum(title == (TITLE,) for title in form.titles)
    try:
        return _write(path, form, rows)
    except UnicodeEncodeError:
        left_out["encodings changed to UTF-8"] += 1
        return _write(path, form._replace(encoding="utf-8", marked=True), rows)


def _write(path: Path, form: CsvForm, rows: Iterable[Cells]) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        if not form.packed:
            return _write_to(file, form, rows)
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            return _write_to(packed, form, rows)


def _write_to(file: IO[bytes] | gzip.GzipFile, form: CsvForm, rows: Iterable[Cells]) -> int:
    if form.marked:
        file.write(_MARKS.get(form.encoding, b""))
    count = 0
    before = ""
    for line, is_row in _lines(form, rows):
        file.write((before + line).encode(form.encoding))
        before = form.line_end
        count += is_row
    if form.final_end:
        file.write(before.encode(form.encoding))
    return count


def _lines(form: CsvForm, rows: Iterable[Cells]) -> Iterator[tuple[str, bool]]:
    """The lines of a file without their ends, and which of them are rows."""
    if form.dialect.boxed:
        yield from _boxed(form, rows)
        return
    for title in form.titles:
        declared = title[0].startswith("sep=")
        yield (title[0] if declared else _record(title, form, quoted=form.quoting.header)), False
    tail = form.dialect.delimiter if form.header.trailing else ""
    if form.header.present and form.header.names:
        yield _record(form.header.names, form, quoted=form.quoting.header) + tail, False
    for row in rows:
        yield _record(row, form) + tail, True


def _record(cells: Cells, form: CsvForm, quoted: bool | None = None) -> str:
    parts = [_cell(cell or "", form, quoted) for cell in cells]
    if parts in ([""], []):  # a blank line is no record
        parts = [2 * form.dialect.quote or " "]
    return form.dialect.delimiter.join(parts)


def _cell(cell: str, form: CsvForm, quoted: bool | None) -> str:
    dialect = form.dialect
    if not dialect.quote:
        return re.sub(r"[\r\n]+", " ", cell).replace(dialect.delimiter, " ")
    if quoted is None:
        quoting = form.quoting
        quoted = (quoting.numbers if typed(cell) else quoting.words) if cell else quoting.blanks
    first = dialect.delimiter[0]
    if not quoted and not any(
        sign in cell for sign in (first, dialect.quote, "\n", "\r", dialect.escape or first)
    ):
        return cell
    inner = cell.replace(dialect.escape, 2 * dialect.escape) if dialect.escape else cell
    inner = inner.replace(dialect.quote, (dialect.escape or dialect.quote) + dialect.quote)
    return dialect.quote + inner + dialect.quote


def _boxed(form: CsvForm, rows: Iterable[Cells]) -> Iterator[tuple[str, bool]]:
    """A dialog list: cells between bars, padded, between lines of dashes."""
    held = [[re.sub(r"[\r\n|]+", " ", cell or "") for cell in row] for row in rows]
    names = list(form.header.names) if form.header.present else []
    widths = [
        max((len(cell) for cell in column), default=0)
        for column in zip(*filter(None, [names, *held]), strict=False)
    ]
    dashes = "-" * (sum(widths) + len(widths) + 1)

    def line(cells: Sequence[str]) -> str:
        return "|" + "|".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + "|"

    yield from ((" ".join(title), False) for title in form.titles)
    yield dashes, False
    if names:
        yield line(names), False
        yield dashes, False
    for row in held:
        yield line(row), True
    yield dashes, False


def _decoded(data: bytes, encoding: str) -> str:
    if encoding in ("cp1252", "cp437", "cp850", "mac_roman"):
        return decode_single(data, encoding)
    return data.decode(encoding, "replace")


def _title(record: Sequence[str], delimiter: str) -> tuple[str, ...]:
    """What stands for a record above the header: nothing of its text."""
    if record and record[0].lower().startswith("sep="):
        return (f"sep={delimiter}",)
    return (TITLE,) if any(cell.strip() for cell in record) else ("",) * len(record)


def _quoting(text: str, dialect: Dialect, header: HeaderPlace) -> Quoting:
    """Which kinds of cells are mostly in quotes, by the lines that are whole records."""
    if not dialect.quote or dialect.boxed or dialect.quote not in text:
        return Quoting()
    quote, delimiter = re.escape(dialect.quote), re.escape(dialect.delimiter)
    token = re.compile(rf"(?:{quote}((?:[^{quote}]|{quote}{quote})*){quote}|([^{quote}]*?))(?:{delimiter}|$)")
    found = {kind: Counter[bool]() for kind in ("header", "words", "numbers", "blanks")}
    for number, line in enumerate(io.StringIO(text, newline=None)):
        if number >= _TOKENS + header.titles:
            break
        plain = line.rstrip("\r\n")
        if number < header.titles or plain.count(dialect.quote) % 2:
            continue
        at = 0
        while at <= len(plain) and (match := token.match(plain, at)) is not None:
            quoted = match[1] is not None
            cell = match[1] if quoted else match[2]
            needed = any(sign in cell for sign in (dialect.delimiter, dialect.quote))
            kind = "numbers" if typed(cell) else "words" if cell else "blanks"
            if header.present and number == header.titles:
                kind = "header"
            if not needed:
                found[kind][quoted] += 1
            at = match.end() + (match.end() == len(plain))
            if match.end() == match.start():
                break
    return Quoting(**{kind: counts[True] > counts[False] for kind, counts in found.items()})
