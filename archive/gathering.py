"""Rows on their way into batches: gathered per table, flushed by number and size, faults beside them.

Belongs here: what ledger and log readers share about rows, cells and files that cannot be read. Does not
belong here: any format (`ledger_*`, `log_*`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import IO

import polars as pl

from archive.batches import BATCH_ROWS, TableBatch, unique_names
from archive.errors import ArchiveError
from archive.identifiers import content_digest
from archive.mailbox import relative_path
from archive.rejects import Reject

BATCH_CHARACTERS = 16 * 1024 * 1024
"""Most characters in the rows of one table that wait for their batch."""
MAX_COLUMNS = 1_000
"""Columns of a table whose columns only its rows tell; what goes beyond stands in one cell as JSON."""
MORE = "more_attributes"
_MAX_EXPONENT = 40
_BLOCK = 1 << 20

Cells = Sequence[str | None]
Pairs = Sequence[tuple[str, str | None]]


class FileFault(ArchiveError):
    """A file, or the rest of it, that cannot be read; readers turn it into a reject."""

    def __init__(self, reason: str, locator: str = "file") -> None:
        """Takes the reason as a reject has it, and the place."""
        super().__init__(f"{reason} at {locator}")
        self.reason = reason
        self.locator = locator


@dataclass
class _Waiting:
    columns: tuple[str, ...]
    place: str
    key: tuple[str, ...]
    rows: list[Cells] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    characters: int = 0
    count: int = 0


class Gatherer:
    """Rows of the tables of one file, gathered until they make batches."""

    def __init__(self, path: Path, base: Path) -> None:
        """Starts without tables."""
        self._file = path
        self._path = relative_path(path, base)
        self._tables: dict[str, _Waiting] = {}

    def table(
        self, name: str, columns: Sequence[str], place: str = "row {}", key: Sequence[str] = ()
    ) -> None:
        """Declares a table; columns get stored names, the place is told as `TableBatch.place`."""
        self._tables[name] = _Waiting(unique_names(tuple(columns)), place, tuple(key))

    def add(self, name: str, cells: Cells, number: int | None = None) -> None:
        """Takes a row of a declared table; without a number it gets the next one of its table."""
        waiting = self._tables[name]
        waiting.count += 1
        waiting.rows.append([cell if cell and cell.strip() else None for cell in cells])
        waiting.numbers.append(waiting.count if number is None else number)
        waiting.characters += sum(len(cell) for cell in cells if cell)

    def reject(self, name: str, locator: str, data: bytes, reason: str) -> None:
        """Takes a unit that cannot be used, with its bytes."""
        found = Reject(self._path, locator, content_digest(data), reason, len(data))
        self._waiting(name).rejects.append(found)

    def reject_file(self, name: str, fault: FileFault) -> None:
        """Takes the fault of the whole file or of the rest of it; its hash is the file's."""
        found = file_reject(self._file, self._path, fault.reason, fault.locator)
        self._waiting(name).rejects.append(found)

    def full(self) -> Iterator[TableBatch]:
        """Yields the batches that are full."""
        for name, waiting in self._tables.items():
            many = len(waiting.rows) + len(waiting.rejects) >= BATCH_ROWS
            if many or waiting.characters >= BATCH_CHARACTERS:
                yield _batch(name, waiting)

    def rest(self) -> Iterator[TableBatch]:
        """Yields what is left, table by table; a table without rows and rejects gives nothing."""
        for name, waiting in self._tables.items():
            if waiting.rows or waiting.rejects:
                yield _batch(name, waiting)

    def _waiting(self, name: str) -> _Waiting:
        return self._tables.setdefault(name, _Waiting((), "row {}", ()))


def _batch(name: str, waiting: _Waiting) -> TableBatch:
    schema = {column: pl.String() for column in waiting.columns}
    frame = pl.DataFrame(waiting.rows, schema=schema, orient="row")
    numbers = pl.Series("number", waiting.numbers, dtype=pl.Int64())
    batch = TableBatch(name, frame, numbers, waiting.place, tuple(waiting.rejects), waiting.key)
    waiting.rows, waiting.numbers, waiting.rejects, waiting.characters = [], [], [], 0
    return batch


class FoundColumns:
    """The columns of a table that only its rows tell: seen in a first reading, used in a second."""

    def __init__(self, first: Sequence[str] = ()) -> None:
        """Takes the columns that the table has in any case."""
        self._known: dict[str, int] = {name: place for place, name in enumerate(first)}
        self._more = False

    def see(self, pairs: Pairs) -> None:
        """Notes the names of a row; a repeated name counts as a column of its own."""
        for name, _ in numbered(pairs):
            if name not in self._known:
                if len(self._known) < MAX_COLUMNS:
                    self._known[name] = len(self._known)
                else:
                    self._more = True

    @property
    def names(self) -> tuple[str, ...]:
        """The columns in the order in which they were seen."""
        return (*self._known, *((MORE,) if self._more else ()))

    def cells(self, pairs: Pairs) -> list[str | None]:
        """Returns a row's cells by `names`; what has no column stands as JSON in the last one."""
        cells: list[str | None] = [None] * len(self.names)
        rest: dict[str, str | None] = {}
        for name, value in numbered(pairs):
            place = self._known.get(name)
            if place is None:
                rest[name] = value
            else:
                cells[place] = value
        if rest:
            cells[-1] = json.dumps(rest, ensure_ascii=False)
        return cells


def numbered(pairs: Pairs) -> Iterator[tuple[str, str | None]]:
    """Yields pairs with repeated names told apart: "Contact", "Contact.2"."""
    seen: dict[str, int] = {}
    for name, value in pairs:
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name}.{seen[name]}"), value


def plain(value: object) -> str | None:
    """Returns a value of a database or of JSON as text: numbers exact and without exponent, lists as JSON."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return plain_number(repr(value))
    return json.dumps(value, ensure_ascii=False)


def plain_number(text: str) -> str:
    """Returns a written number without exponent ("1e3" as "1000"); unchanged where that would be long."""
    if "e" not in text and "E" not in text:
        return text
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    exponent = number.as_tuple().exponent
    short = isinstance(exponent, int) and abs(exponent) <= _MAX_EXPONENT
    return format(number, "f") if short else text


def point_decimal(text: str) -> str:
    """Returns a number written with decimal comma ("1.234,5") with a point; unchanged where it has none."""
    if "," not in text:
        return text
    head, _, tail = text.strip().rpartition(",")
    bare = head.replace(".", "").replace(" ", "")
    digits = bare.lstrip("+-")
    whole = digits.isdecimal() and (not tail or tail.isdecimal())
    return (f"{bare}.{tail}" if tail else bare) if whole else text


def file_reject(path: Path, shown: str, reason: str, locator: str = "file") -> Reject:
    """Returns the reject of a whole file: the hash and size of its bytes, read piece by piece."""
    total, size = hashlib.sha256(), 0
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                total.update(block)
                size += len(block)
    except OSError:
        reason = "unreadable_file"
    return Reject(shown, locator, total.hexdigest(), reason, size)


def decoded_text(data: bytes, fallback: str = "cp1252") -> str:
    """Returns text of UTF-8 with or without BOM, else of the fallback; no byte is lost but undefined ones."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode(fallback, "replace")


def joined(parts: Iterable[str | None], between: str = " ") -> str | None:
    """Returns the parts that say something, joined; None where none does."""
    return between.join(part.strip() for part in parts if part and part.strip()) or None


def bounded_lines(stream: IO[bytes], most: int) -> Iterator[bytes]:
    """Yields lines with any of the three line ends; one that is longer than `most` comes in pieces."""
    rest = b""
    while block := stream.read(_BLOCK):
        pieces = (rest + block).splitlines(keepends=True)
        rest = pieces.pop() if len(pieces[-1]) < most else b""
        yield from pieces
    yield from rest.splitlines(keepends=True)
