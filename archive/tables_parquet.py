"""Parquet files as tables: row groups as batches, values as exact strings.

Belongs here: the file format. Nested values become JSON text, timestamps ISO with their zone, decimals all
their digits, binary values hex.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from archive.batches import BATCH_ROWS, TableBatch, unique_names
from archive.csv_blocks import blank_to_null
from archive.database import value_text
from archive.mailbox import relative_path
from archive.tables_csv import file_reject

MAX_GROUP = 8 * 1024 * 1024 * 1024
"""Bytes that a row group may expand to."""


def read_parquet(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the rows of a Parquet file, at least one batch; numbers count rows from 1.

    A file that is none, or whose rest is broken, is one reject: "unreadable_file" or "bomb".
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    reason = "unreadable_file"
    try:
        with pq.ParquetFile(path, pre_buffer=False, memory_map=True) as file:
            groups = [file.metadata.row_group(index) for index in range(file.metadata.num_row_groups)]
            if any(group.total_byte_size > MAX_GROUP for group in groups):
                reason = "bomb"
            else:
                yield from _batches(file, path.stem)
                return
    except (pa.ArrowException, OSError, ValueError, OverflowError, pl.exceptions.PolarsError):
        pass
    reject = file_reject(path, relative_path(path, base), reason)
    yield TableBatch(path.stem, pl.DataFrame(), pl.Series([], dtype=pl.Int64), rejects=(reject,))


def _batches(file: Any, table: str) -> Iterator[TableBatch]:
    names = unique_names(file.schema_arrow.names)
    number = 0
    for batch in file.iter_batches(batch_size=BATCH_ROWS):
        columns = [_strings(name, column) for name, column in zip(names, batch.columns, strict=True)]
        frame = blank_to_null(pl.DataFrame(columns))
        numbers = pl.int_range(number + 1, number + 1 + batch.num_rows, dtype=pl.Int64, eager=True)
        number += batch.num_rows
        yield TableBatch(table, frame, numbers)
    if not number:
        frame = pl.DataFrame({name: pl.Series([], dtype=pl.String) for name in names})
        yield TableBatch(table, frame, pl.Series([], dtype=pl.Int64))


def _strings(name: str, column: Any) -> pl.Series:
    """Returns an Arrow column as strings; in one step where that is exact, else value by value."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
        kind = column.type
    plain = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    if plain or pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_date32(kind):
        return pl.Series(name, column.cast(pa.large_string()))
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        return pl.Series(name, [_nanoseconds(value) for value in column], dtype=pl.String)
    return pl.Series(name, [_text(value) for value in column.to_pylist()], dtype=pl.String)


def _nanoseconds(scalar: Any) -> str | None:
    """Returns a timestamp with all nine digits where the last three are not zero."""
    import pyarrow as pa

    if not scalar.is_valid:
        return None
    seconds, rest = divmod(scalar.value, 1000)
    moment = pa.scalar(seconds, pa.timestamp("us", scalar.type.tz)).as_py()
    text = str(moment.isoformat())
    if not rest:
        return text
    head, zone = (text[:19], text[26:]) if moment.microsecond else (text[:19], text[19:])
    return f"{head}.{moment.microsecond:06d}{rest:03d}{zone}"


def _text(value: object) -> str | None:
    if isinstance(value, dict | list | tuple):
        return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))
    return value_text(value)


def _plain(value: object) -> object:
    """Returns a nested value as JSON has it: objects by name, everything else than numbers as text."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in sorted(value.items(), key=lambda pair: str(pair[0]))}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    return value_text(value)
