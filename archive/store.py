"""Canonical tables on disk: one Parquet file per table, one folder per stage (raw, clean, model).

Belongs here: schemas as polars types, whole-file writes, deterministic bytes. Does not belong here: what
rows mean.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from archive.errors import StoreError
from contracts.company_log import CASES, LOG_TABLES
from contracts.manifest import ColumnSpec
from contracts.tables import (
    CALENDAR_FACTS,
    FIXED_TABLES,
    PROVENANCE,
    RECORD_ID,
    ColumnKind,
    DataType,
    Table,
    is_record_table,
)

KNOWN_TABLES: dict[str, Table] = {
    **FIXED_TABLES,
    **LOG_TABLES,
    **{table.name: table for table in (CASES, CALENDAR_FACTS)},
}
RECORD_HEAD: tuple[str, ...] = (RECORD_ID.name, *(column.name for column in PROVENANCE))
"""The first columns of every record table; a company's own column of such a name gets "_" appended."""

ROW_GROUP = 65_536
"""Rows of one row group of a table."""
SCHEMA_FILE = "schema.json"

_TYPES: dict[DataType, pl.DataType] = {
    DataType.STRING: pl.String(),
    DataType.INTEGER: pl.Int64(),
    DataType.DECIMAL: pl.Decimal(38, 4),
    DataType.FLOAT: pl.Float64(),
    DataType.BOOLEAN: pl.Boolean(),
    DataType.STRINGS: pl.List(pl.String()),
}


def polars_schema(table: Table) -> pl.Schema:
    """Returns the polars schema of a canonical table, columns in order."""
    return pl.Schema({column.name: _TYPES[column.type] for column in table.columns})


def empty_frame(table: Table) -> pl.DataFrame:
    """Returns a canonical table without rows."""
    return pl.DataFrame(schema=polars_schema(table))


PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Tells a full disk, a missing right or the like as an error of the store.

    Raises:
        StoreError: the block could not write.
    """
    try:
        yield
    except OSError as error:
        told = os.strerror(error.errno) if error.errno else type(error).__name__
        raise StoreError(
            f"the {folder.name} folder cannot be written ({told}): make room or correct its rights, "
            "and run again; what was finished is kept"
        ) from None


def replace_file(path: Path, data: bytes, *, private: bool = False) -> None:
    """Writes a file so that readers see the old bytes or all of the new ones, never a part.

    A `private` one is its owner's alone from its first byte on.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.aside")
    with writing(path.parent):
        if private:
            _make_private(aside)
        aside.write_bytes(data)
        os.replace(aside, path)


def _make_private(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.touch(mode=PRIVATE_FILE)


class TableStore:
    """The canonical tables of one stage in one folder."""

    def __init__(self, folder: Path, *, private: bool = False) -> None:
        """Opens a folder; a private one (raw data, vault) and its files are for their owner alone."""
        self.folder = folder
        self.private = private

    def path(self, name: str) -> Path:
        """Returns where a table lies."""
        return self.folder / f"{name}.parquet"

    def has(self, name: str) -> bool:
        """Says whether the table was written."""
        return self.path(name).is_file()

    def names(self) -> list[str]:
        """Returns the names of all tables here, sorted."""
        return sorted(path.stem for path in self.folder.glob("*.parquet") if not path.name.startswith("."))

    def record_tables(self) -> list[str]:
        """Returns the names of the company's own tables here, sorted."""
        return [name for name in self.names() if is_record_table(name)]

    def write(self, name: str, frame: pl.DataFrame) -> None:
        """Stores a table whole: equal frames give equal bytes, a reader never sees half a file.

        Raises:
            StoreError: the frame lacks columns of that table or has them in another type.
        """
        _require_schema(name, frame)
        self._create_folder()
        aside = self.folder / f".{name}.aside"
        if self.private:
            _make_private(aside)
        frame.write_parquet(aside, compression="zstd", compression_level=3, row_group_size=65_536)
        os.replace(aside, self.path(name))

    @contextmanager
    def writer(self, name: str) -> Iterator[TableWriter]:
        """Gives a writer for a table that is too long to be held: it appears whole when the block ends.

        Raises:
            StoreError: an added frame lacks columns of that table or has them in another type.
        """
        self._create_folder()
        aside = self.folder / f".{name}.aside"
        if self.private:
            _make_private(aside)
        writer = TableWriter(name, aside)
        try:
            yield writer
            writer.close()
        except BaseException:
            with suppress(StoreError):
                writer.close()
            aside.unlink(missing_ok=True)
            raise
        os.replace(aside, self.path(name))

    def read(self, name: str) -> pl.DataFrame:
        """Returns a stored table.

        Raises:
            StoreError: there is no such table, with the names that exist.
        """
        self._require(name)
        return pl.read_parquet(self.path(name))

    def frames(self, name: str, columns: list[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yields a stored table a row group at a time, so that a long one is never held whole.

        Raises:
            StoreError: there is no such table, with the names that exist.
        """
        self._require(name)
        return row_groups(self.path(name), columns)

    def scan(self, name: str) -> pl.LazyFrame:
        """Returns a stored table as a lazy query.

        Raises:
            StoreError: there is no such table, with the names that exist.
        """
        self._require(name)
        return pl.scan_parquet(self.path(name))

    def write_json(self, filename: str, value: object) -> None:
        """Stores a small JSON file beside the tables, keys sorted."""
        self._create_folder()
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1)
        replace_file(self.folder / filename, text.encode() + b"\n", private=self.private)

    def read_json(self, filename: str) -> object:
        """Returns a JSON file that stands beside the tables.

        Raises:
            StoreError: there is no such file.
        """
        path = self.folder / filename
        if not path.is_file():
            raise StoreError(f"no {filename} in the {self.folder.name} folder: ingest the dataset first")
        return json.loads(path.read_bytes())

    def column_specs(self) -> dict[str, dict[str, ColumnSpec]]:
        """Returns what every own column of every record table holds, as resolved when it was ingested.

        Raises:
            StoreError: there is no schema file.
        """
        stored = self.read_json(SCHEMA_FILE)
        if not isinstance(stored, dict):
            raise StoreError(f"{SCHEMA_FILE} in the {self.folder.name} folder is no object: ingest again")
        return {
            table: {column: ColumnSpec.model_validate(spec) for column, spec in columns.items()}
            for table, columns in stored.items()
        }

    def write_column_specs(self, specs: dict[str, dict[str, ColumnSpec]]) -> None:
        """Stores what every own column of every record table holds."""
        self.write_json(
            SCHEMA_FILE,
            {
                table: {name: spec.model_dump(mode="json") for name, spec in columns.items()}
                for table, columns in specs.items()
            },
        )

    def _create_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.private:
            self.folder.chmod(PRIVATE_FOLDER)

    def _require(self, name: str) -> None:
        if not self.has(name):
            have = ", ".join(self.names()) or "none"
            raise StoreError(f"no table {name!r} in the {self.folder.name} folder (have: {have})")


class TableWriter:
    """A table on its way to disk: equal frames in equal order give equal bytes."""

    def __init__(self, name: str, path: Path) -> None:
        """Begins with an empty file."""
        self._name, self._path = name, path
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pl.DataFrame] = []
        self._rows = 0
        self.height = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Appends rows; many small frames become one row group."""
        _require_schema(self._name, frame)
        self.height += frame.height
        self._waiting.append(frame)
        self._rows += frame.height
        if self._rows >= ROW_GROUP:
            self._flush()

    def close(self) -> None:
        """Writes what waits and closes the file."""
        if self._waiting and (self._rows or self._writer is None):
            self._flush()
        if self._writer is not None:
            with writing(self._path.parent):
                self._writer.close()

    def _flush(self) -> None:
        table = pl.concat(self._waiting).rechunk().to_arrow()
        self._waiting, self._rows = [], 0
        with writing(self._path.parent):
            if self._writer is None:
                self._writer = parquet_writer(self._path, table.schema)
            self._writer.write_table(table, row_group_size=ROW_GROUP)


def parquet_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Returns a writer whose files have the same bytes for the same row groups."""
    return pq.ParquetWriter(path, schema, compression="zstd", compression_level=3)


def row_groups(path: Path, columns: list[str] | None = None) -> Iterator[pl.DataFrame]:
    """Yields the rows of a Parquet file, one row group at a time."""
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            frame = pl.from_arrow(file.read_row_group(group, columns=columns))
            assert isinstance(frame, pl.DataFrame)
            yield frame


def column_kinds(name: str, specs: dict[str, dict[str, ColumnSpec]]) -> dict[str, ColumnKind]:
    """Returns the kind of every column of a table, fixed or a company's own.

    Raises:
        StoreError: the table is neither fixed nor described in the schema file.
    """
    if name in KNOWN_TABLES:
        return {column.name: column.kind for column in KNOWN_TABLES[name].columns}
    if name not in specs:
        raise StoreError(f"table {name!r} is neither canonical nor described in {SCHEMA_FILE}")
    head = {RECORD_ID.name: RECORD_ID.kind, **{column.name: column.kind for column in PROVENANCE}}
    return {**head, **{column: spec.kind for column, spec in specs[name].items()}}


def _require_schema(name: str, frame: pl.DataFrame) -> None:
    if name in KNOWN_TABLES:
        expected = dict(polars_schema(KNOWN_TABLES[name]))
        actual = dict(frame.schema)
        wrong = [
            column
            for column in list(expected) + [extra for extra in actual if extra not in expected]
            if expected.get(column) != actual.get(column)
        ]
        if wrong or list(expected) != list(actual):
            raise StoreError(
                f"table {name!r}: wrong, missing or misplaced columns: {', '.join(wrong) or 'order'}"
            )
    elif is_record_table(name) and tuple(frame.columns[: len(RECORD_HEAD)]) != RECORD_HEAD:
        raise StoreError(f"table {name!r} must begin with the columns {', '.join(RECORD_HEAD)}")
