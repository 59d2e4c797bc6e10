"""JSON lines and JSON lists of objects as tables, plain or gzip.

Belongs here: objects to rows. Does not belong here: finding the objects of a file (`archive.json_files`).
Columns are all keys in the order in which they first appear; nested values are canonical JSON text, numbers
stand as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from archive.batches import BATCH_ROWS, TableBatch, unique_names
from archive.csv_blocks import string_frame
from archive.json_files import JsonUnit, json_units
from archive.rejects import Reject
from archive.tables_csv import table_name
from contracts.canonical import canonical_bytes

LISTS = ("records", "value", "items", "results", "rows", "data")
"""Names under which exports wrap their list of objects."""
MAX_COLUMNS = 2_000
"""Keys of one table; objects that bring more are rejected."""


def read_jsonl(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the objects of a file as rows, at least one batch; it is read twice, for columns and for rows.

    The table is called like the file; where a file holds several lists, like file and list.

    Numbers are those of lines, or of elements in their list. What is no object is rejected as
    `archive.json_files` says, an object with keys beyond the bound as "too_many_columns".
    """
    columns: dict[str, dict[str, None]] = {}
    for unit in json_units(path, base, LISTS):
        if isinstance(unit, JsonUnit):
            known = columns.setdefault(_place(unit.locator)[0], {})
            if len(known) + len(unit.value.keys() - known.keys()) <= MAX_COLUMNS:
                known.update(dict.fromkeys(unit.value))
    names = {place: unique_names(tuple(keys)) for place, keys in columns.items()}
    stem = table_name(path)
    tables = {place: stem if len(columns) == 1 else f"{stem}.{place.split()[-1]}" for place in columns}
    rows: list[list[str]] = []
    numbers: list[int] = []
    rejects: list[Reject] = []
    here = next(iter(columns), "line")

    def batch() -> TableBatch:
        frame = string_frame(names.get(here, ()), rows)
        series = pl.Series(list(numbers), dtype=pl.Int64)
        return TableBatch(tables.get(here, stem), frame, series, here + " {}", tuple(rejects))

    empty = True
    for unit in json_units(path, base, LISTS):
        if isinstance(unit, Reject):
            rejects.append(unit)
            place = here
        else:
            place, number = _place(unit.locator)
            if not unit.value.keys() <= columns[place].keys():
                size = len(canonical_bytes(unit.value))
                rejects.append(Reject(unit.path, unit.locator, unit.digest, "too_many_columns", size))
                continue
        if place != here or len(rows) + len(rejects) > BATCH_ROWS:
            yield batch()
            rows, numbers, rejects, empty = [], [], [], False
            here = place
        if isinstance(unit, JsonUnit):
            rows.append([_text(unit.value.get(key)) for key in columns[here]])
            numbers.append(number)
    if rows or rejects or empty:
        yield batch()


def _place(locator: str) -> tuple[str, int]:
    name, _, number = locator.rpartition(" ")
    return name, int(number)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    return canonical_bytes(value).decode()
