"""Canonical tables on disk: one Parquet file per table, one folder per stage (raw, clean, model).

Belongs here: schemas as polars types, whole-file writes, deterministic bytes. Does not belong here: what
rows mean.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl
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
"""Most rows of one row group of a table."""
_GROUP_BYTES = 32 * 1024 * 1024
"""About so many bytes of rows fill a row group: long texts are not held by tens of thousands."""
_COMPRESSION = 3
_LASTING = {"compression": "zstd", "compression_level": _COMPRESSION}
_PASSING = {"compression": "lz4", "use_dictionary": False}
_VIEWS = pl.CompatLevel.newest()
"""The form of strings that polars has itself: nothing is copied on the way."""
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
        frame.write_parquet(
            aside, compression="zstd", compression_level=_COMPRESSION, row_group_size=ROW_GROUP
        )
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
        self._name = name
        self._groups = RowGroups(path)
        self.height = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Appends rows; many small frames become one row group."""
        _require_schema(self._name, frame)
        self.height += frame.height
        self._groups.add(frame)

    def close(self) -> None:
        """Writes what waits and closes the file."""
        self._groups.close()


class RowGroups:
    """A Parquet file that grows: frames wait until they fill a row group of bounded rows and bytes."""

    def __init__(self, path: Path, *, passing: bool = False) -> None:
        """Begins without a file; the first row group makes it.

        Args:
            path: the file.
            passing: whether it is read a few times at most, so that speed counts more than size.
        """
        self._path = path
        self._form = _PASSING if passing else _LASTING
        self._thread = ThreadPoolExecutor(1)
        self._writing: Future[None] | None = None
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pl.DataFrame] = []
        self._rows = 0
        self.waiting_bytes = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Appends rows.

        Raises:
            StoreError: the disk is full or the like.
        """
        self._waiting.append(frame)
        self._rows += frame.height
        self.waiting_bytes += int(frame.estimated_size())
        if self._rows >= ROW_GROUP or self.waiting_bytes >= _GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        """Writes what waits as a row group, however small.

        Raises:
            StoreError: the disk is full or the like.
        """
        if not self._waiting or not (self._rows or self._writer is None):
            return
        self._written()
        frames, self._waiting = self._waiting, []
        self._rows = self.waiting_bytes = 0
        if self._writer is None:
            schema = frames[0].clear().to_arrow(compat_level=_VIEWS).schema
            with writing(self._path.parent):
                self._writer = pq.ParquetWriter(self._path, schema, **self._form)
        self._writing = self._thread.submit(self._write, self._writer, frames)

    def close(self) -> None:
        """Writes what waits and closes the file.

        Raises:
            StoreError: the disk is full or the like.
        """
        try:
            self.flush()
            self._written()
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Closes the file without what waits.

        Raises:
            StoreError: the disk is full or the like.
        """
        self._waiting.clear()
        self._thread.shutdown()
        with writing(self._path.parent):
            if self._writer is not None:
                self._writer.close()

    def _written(self) -> None:
        """Waits for the row group before, which is written while the next one is made."""
        if self._writing is not None:
            with writing(self._path.parent):
                self._writing.result()

    @staticmethod
    def _write(writer: pq.ParquetWriter, frames: list[pl.DataFrame]) -> None:
        table = pl.concat(frames, rechunk=True).to_arrow(compat_level=_VIEWS)
        writer.write_table(table, row_group_size=ROW_GROUP)


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
