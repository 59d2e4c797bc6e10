"""Canonical tables on disk: one Parquet file per table, one folder per stage (raw, clean, model).

Belongs here: schemas as polars types, whole-file writes, deterministic bytes. Does not belong here: what
rows mean.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl

from archive.errors import StoreError
from archive.row_groups import RowGroups, column_names, read_rows, row_groups, write_rows, writing
from archive.sealing import MAGIC, Sealing
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


def keep_private(folder: Path) -> None:
    """Makes a folder, there from now on, and all that is in it its owner's alone."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(PRIVATE_FOLDER)
    for path in folder.rglob("*"):
        path.chmod(PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)


def _make_private(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.touch(mode=PRIVATE_FILE)


class TableStore:
    """The canonical tables of one stage in one folder."""

    def __init__(self, folder: Path, *, private: bool = False, sealing: Sealing | None = None) -> None:
        """Opens a folder; a private one (raw data, vault) and its files are for their owner alone.

        With a `sealing` all files are encrypted under its key: equal frames give other bytes each time.
        """
        self.folder = folder
        self.private = private
        self.sealing = sealing

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
        write_rows(aside, frame, self.sealing, name)
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
        writer = TableWriter(name, aside, self.sealing)
        try:
            yield writer
            writer.close()
        except BaseException:
            with suppress(StoreError):
                writer.close()
            aside.unlink(missing_ok=True)
            raise
        os.replace(aside, self.path(name))

    def read(self, name: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Returns a stored table, with some columns or all.

        Raises:
            StoreError: there is no such table, with the names that exist; or it is sealed under another key.
        """
        self._require(name)
        return read_rows(self.path(name), columns, self.sealing)

    def frames(self, name: str, columns: list[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yields a stored table a row group at a time, so that a long one is never held whole.

        Raises:
            StoreError: there is no such table, with the names that exist.
        """
        self._require(name)
        return row_groups(self.path(name), columns, self.sealing)

    def columns(self, name: str) -> list[str]:
        """Returns the columns of a stored table in order.

        Raises:
            StoreError: there is no such table, with the names that exist; or it is sealed under another key.
        """
        self._require(name)
        return column_names(self.path(name), self.sealing)

    def scan(self, name: str) -> pl.LazyFrame:
        """Returns a stored table as a lazy query; a sealed one is read whole.

        Raises:
            StoreError: there is no such table, with the names that exist.
        """
        self._require(name)
        return self.read(name).lazy() if self.sealing else pl.scan_parquet(self.path(name))

    def write_json(self, filename: str, value: object) -> None:
        """Stores a small JSON file beside the tables, keys sorted."""
        self._create_folder()
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1)
        data = text.encode() + b"\n"
        if self.sealing is not None:
            data = self.sealing.seal(data, filename)
        replace_file(self.folder / filename, data, private=self.private)

    def read_json(self, filename: str) -> object:
        """Returns a JSON file that stands beside the tables.

        Raises:
            StoreError: there is no such file, or it is sealed under another key.
        """
        path = self.folder / filename
        if not path.is_file():
            raise StoreError(f"no {filename} in the {self.folder.name} folder: ingest the dataset first")
        data = path.read_bytes()
        if self.sealing is not None:
            data = self.sealing.open(data, filename)
        elif data.startswith(MAGIC):
            raise StoreError(f"{filename} is encrypted: its dataset's key is needed")
        return json.loads(data)

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

    def __init__(self, name: str, path: Path, sealing: Sealing | None = None) -> None:
        """Begins with an empty file."""
        self._name = name
        self._groups = RowGroups(path, sealing=sealing, name=name)
        self.height = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Appends rows; many small frames become one row group."""
        _require_schema(self._name, frame)
        self.height += frame.height
        self._groups.add(frame)

    def close(self) -> None:
        """Writes what waits and closes the file."""
        self._groups.close()


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
