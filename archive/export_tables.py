"""Sources of tables written back: CSV, workbooks, SQLite, Parquet, JSON, folders of documents.

Belongs here: which clean row stands where in which file, and what becomes of formats that are not written
back: a database becomes an SQLite file, everything else CSV. Does not belong here: the formats (`export_*`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import polars as pl

from archive.batches import TableBatch
from archive.database import open_database
from archive.dialects import Dialect
from archive.documents import TABLE as DOCUMENTS
from archive.export_csv import CsvForm, Quoting, csv_form, write_csv
from archive.export_objects import json_form, write_json, write_parquet
from archive.export_sides import Places, Sides, SourceExport
from archive.export_sqlite import TableForm, keyed_form, sqlite_forms, write_sqlite
from archive.export_workbook import SheetRows, write_workbook
from archive.formats import TABLES, source_files
from archive.headers import HeaderPlace
from archive.json_files import JsonUnit, json_units
from archive.mailbox import relative_path
from archive.portions import is_readable_file
from archive.store import RECORD_HEAD, TableStore
from archive.tables_json import LISTS
from contracts.manifest import Source
from contracts.tables import ColumnKind, record_table_name

WRITTEN = frozenset(("csv", "xlsx", "parquet", "jsonl", "sqlite", "documents"))
"""Formats that are written back; a database becomes SQLite, all others CSV."""
_WHOLE_FILES = (".txt", ".md", ".rst", ".adoc", ".html", ".htm", ".xml", ".json", ".yaml", ".yml")
_PLAIN_FORM = CsvForm(Dialect(), "utf-8", False, "\n", True, False, HeaderPlace(0, (), True), (), Quoting())
_SQL = {ColumnKind.MEASURE: "NUMERIC", ColumnKind.QUANTITY: "NUMERIC", ColumnKind.RATE: "NUMERIC"}


class TableExport(NamedTuple):
    """How a source of tables is written."""

    source: Source
    """As onboarded."""
    resolved: Source
    """With the tables that were found."""
    base: Path
    target: Path
    raw: TableStore
    clean: TableStore

    def write(self, told: SourceExport) -> str:
        """Writes all files of the source and returns the path by which a manifest names them."""
        rows = _Rows.of(self.resolved, self.raw, self.clean)
        if self.source.format == "sqlite" and self.source.path:
            return self._sqlite(rows, told)
        if self.source.format == "database":
            return self._database(rows, told)
        if self.source.format not in WRITTEN:
            return self._plain(rows, told)
        places = Places(self.source, list(rows.tables.values()))
        for file in source_files(self.source, self.base, TABLES[self.source.format].patterns):
            if is_readable_file(file, self.base):
                self._file(file, places, rows, told)
        return self.source.name

    def _file(self, file: Path, places: Places, rows: _Rows, told: SourceExport) -> None:
        relative = relative_path(file, self.base)
        if self.source.format == "documents" and not rows.holds(relative, self.resolved):
            written = self._document(file, relative, places, rows, told)
        else:
            written = _WRITERS[_format(self.source.format, file)](self, file, relative, places, rows, told)
        told.files += written

    def _document(self, file: Path, relative: str, places: Places, rows: _Rows, told: SourceExport) -> int:
        """A document as its text; one that is no text file, as text beside its name."""
        found = rows.by_path(relative)
        if not found:
            return 0
        table, row = found[0]
        text = rows.tables[table].clean["text"][row] or ""
        textual = file.suffix.lower() in _WHOLE_FILES or not file.suffix
        told.left_out["documents as text"] += not textual
        place = places.file(relative, None if textual else ".txt")
        _write_text(self.target / place, text)
        told.units += 1
        return 1

    def _csv(self, file: Path, relative: str, places: Places, rows: _Rows, told: SourceExport) -> int:
        form = csv_form(file)
        reader = TABLES["csv"].batches
        assert reader is not None
        frames = [rows.frame(batch, relative) for batch in reader(file, self.base)]
        place = places.file(relative, stem=_stem(file))
        told.units += write_csv(self.target / place, form, _FrameRows(frames), told.left_out)
        return 1

    def _workbook(self, file: Path, relative: str, places: Places, rows: _Rows, told: SourceExport) -> int:
        reader = TABLES["xlsx"].batches
        assert reader is not None
        sheets: dict[str, SheetRows] = {}
        for batch in reader(file, self.base):
            if not batch.frame.width:
                continue
            frame, numbers = rows.placed(batch, relative)
            held = dict(sheets[batch.table].rows) if batch.table in sheets else {}
            held.update(zip(numbers, frame.iter_rows(), strict=True))
            sheets[batch.table] = SheetRows(tuple(batch.frame.columns), held)
        if not sheets:
            return 0
        place = places.file(relative, ".xlsx", _stem(file))
        write_workbook(file, self.target / place, sheets, told.left_out)
        told.units += sum(len(sheet.rows) for sheet in sheets.values())
        return 1

    def _parquet(self, file: Path, relative: str, places: Places, rows: _Rows, told: SourceExport) -> int:
        reader = TABLES["parquet"].batches
        assert reader is not None
        frames = [rows.frame(batch, relative) for batch in reader(file, self.base) if batch.frame.width]
        if not frames:
            return 0
        place = places.file(relative, stem=_stem(file))
        told.units += write_parquet(file, self.target / place, pl.concat(frames), told.left_out)
        return 1

    def _objects(self, file: Path, relative: str, places: Places, rows: _Rows, told: SourceExport) -> int:
        units = [unit for unit in json_units(file, self.base, LISTS) if isinstance(unit, JsonUnit)]
        if not units:
            return 0
        found = ((unit, rows.cells(relative, unit)) for unit in units)
        place = places.file(relative, stem=_stem(file))
        kept = ((unit, cells) for unit, cells in found if cells is not None)
        told.units += write_json(self.target / place, json_form(file, units), kept)
        return 1

    def _sqlite(self, rows: _Rows, told: SourceExport) -> str:
        path = self.base / (self.source.path or "")
        place = PurePosixPath(self.source.name, f"{self.source.name}{path.suffix or '.sqlite'}")
        forms = {form.name: form for form in sqlite_forms(path, told.left_out)}
        tables: list[tuple[TableForm, pl.DataFrame]] = []
        with open_database(self.source.name, path=path) as database:
            declared = {table.name: table for table in database.tables()}
            for name, form in forms.items():
                if name not in declared:
                    continue
                shown = declared[name].columns
                batches = [batch for batch in database.batches(declared[name]) if batch.frame.width]
                if not batches or not rows.knows(name):
                    told.left_out["tables"] += 1
                    continue
                frame = pl.concat([rows.frame(batch, name) for batch in batches])
                named = frame.rename(dict(zip(frame.columns, shown, strict=True)))
                tables.append((_narrowed(form, shown), named.select([c for c in form.columns if c in shown])))
        told.units += write_sqlite(self.target / place, tables, told.left_out)
        told.files += 1
        return str(place)

    def _database(self, rows: _Rows, told: SourceExport) -> str:
        place = PurePosixPath(self.source.name, f"{self.source.name}.sqlite")
        specs = {table.name: table for table in self.resolved.tables}
        tables = []
        for name, sides in rows.tables.items():
            frame = sides.clean.drop(RECORD_HEAD)
            spec = specs[name]
            kinds = {column: _SQL.get(found.kind, "TEXT") for column, found in spec.columns.items()}
            tables.append((keyed_form(name, frame.columns, kinds, spec.key), frame))
        told.units += write_sqlite(self.target / place, tables, told.left_out)
        told.files += 1
        return str(place)

    def _plain(self, rows: _Rows, told: SourceExport) -> str:
        for name, sides in rows.tables.items():
            frame = sides.clean.drop(RECORD_HEAD)
            form = _PLAIN_FORM._replace(header=HeaderPlace(0, tuple(frame.columns), True))
            path = self.target / self.source.name / f"{name.replace('/', '_')}.csv"
            told.units += write_csv(path, form, _FrameRows([frame]), told.left_out)
            told.files += 1
        return self.source.name


_WRITERS = {
    "csv": TableExport._csv,
    "xlsx": TableExport._workbook,
    "parquet": TableExport._parquet,
    "jsonl": TableExport._objects,
}


class _FrameRows:
    """The rows of some frames, as often as they are asked for."""

    def __init__(self, frames: Sequence[pl.DataFrame]) -> None:
        self._frames = frames

    def __iter__(self) -> Iterator[tuple[str | None, ...]]:
        for frame in self._frames:
            yield from frame.iter_rows()


class _Rows:
    """Finds the clean row for what a reader finds in the raw files of one source."""

    def __init__(self, tables: dict[str, Sides], copies: bool) -> None:
        """`copies` says that rows of the source were found to be duplicates."""
        self.tables = tables
        self._copies = copies
        self._places: dict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
        for name, sides in tables.items():
            for (_, path, locator), row in sides.at.items():
                self._places[path][locator] = (name, row)
        self._contents: dict[tuple[str, bytes], tuple[str, int]] = {}

    @classmethod
    def of(cls, resolved: Source, raw: TableStore, clean: TableStore) -> _Rows:
        """Opens every table of a source."""
        names = {table.name: record_table_name(resolved.name, table.name) for table in resolved.tables}
        counts = clean.read("source_counts").filter(pl.col("source") == resolved.name)
        tables = {name: Sides(raw, clean, stored) for name, stored in names.items() if clean.has(stored)}
        return cls(tables, bool(counts["duplicates"].sum()))

    def knows(self, table: str) -> bool:
        """Says whether a table of a database was onboarded, if only with its columns."""
        return table in self._places or any(name.lower() == table.lower() for name in self.tables)

    def holds(self, path: str, resolved: Source) -> bool:
        """Says whether the rows of a file are those of a table, not the one row of a document."""
        return any(name != DOCUMENTS for name, _ in self._places.get(path, {}).values())

    def by_path(self, path: str) -> list[tuple[str, int]]:
        return list(self._places.get(path, {}).values())

    def cells(self, path: str, unit: JsonUnit) -> dict[str, str | None] | None:
        """The clean cells of a JSON object by its keys; None where it was not kept."""
        keys = list(unit.value)
        content = sha256(unit.digest.encode()).digest()
        found = self._places.get(path, {}).get(unit.locator)
        found = found or self._contents.get(("", content))
        if found is None:
            return None
        self._contents.setdefault(("", content), found)
        table, row = found
        clean = self.tables[table].clean
        columns = _stored_names(keys, clean.columns)
        return {key: clean[column][row] for key, column in columns.items()}

    def frame(self, batch: TableBatch, path: str) -> pl.DataFrame:
        return self.placed(batch, path)[0]

    def placed(self, batch: TableBatch, path: str) -> tuple[pl.DataFrame, list[int]]:
        """The clean rows of a batch, copies of a row included, and their numbers."""
        here = self._places.get(path, {})
        before, _, after = batch.place.partition("{}")
        numbers = batch.numbers.to_list()
        found = [here.get(f"{before}{number}{after}") for number in numbers]
        table = next((place[0] for place in found if place is not None), "")
        rows = [place[1] if place is not None else -1 for place in found]
        if self._copies:
            self._give_copies(batch, rows)
        table = table or next((place[0] for place in here.values()), "")
        kept = [at for at, row in enumerate(rows) if row >= 0]
        names = batch.frame.columns
        if table not in self.tables:
            return batch.frame.clear(), []  # no row of the file was kept
        clean = self.tables[table].clean
        absent = [pl.lit(None, dtype=pl.String).alias(name) for name in names if name not in clean.columns]
        frame = clean[[rows[at] for at in kept]].with_columns(absent).select(names)
        return frame, [numbers[at] for at in kept]

    def _give_copies(self, batch: TableBatch, rows: list[int]) -> None:
        """Gives rows that were duplicates the clean row of the one that was kept, in this file or before."""
        for at, cells in enumerate(batch.frame.iter_rows()):
            content = (batch.table, _digest(cells))
            if rows[at] >= 0:
                self._contents.setdefault(content, (batch.table, rows[at]))
            elif content in self._contents:
                rows[at] = self._contents[content][1]


def _digest(cells: Sequence[str | None]) -> bytes:
    return sha256("\x1f".join("\x00" if cell is None else cell for cell in cells).encode()).digest()


def _stored_names(keys: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Key of an object -> column: keys are told apart as the reader of the whole file does."""
    have = set(columns)
    return {
        key: column
        for key in keys
        for column in (key.strip(), f"{key.strip()}_")
        if column in have and column not in RECORD_HEAD
    }


def _format(stated: str, file: Path) -> str:
    """The format of a file: tables lie among documents as well."""
    if stated != "documents":
        return stated
    return "jsonl" if file.suffix.lower() in (".json", ".jsonl", ".ndjson") else "csv"


def _narrowed(form: TableForm, columns: Sequence[str]) -> TableForm:
    """A form with only the columns that were read."""
    kept = [at for at, name in enumerate(form.columns) if name in columns]
    return replace(
        form,
        columns=tuple(form.columns[at] for at in kept),
        types=tuple(form.types[at] for at in kept),
        required=tuple(form.required[at] for at in kept),
    )


def _stem(file: Path) -> str:
    """The name of a table's file, which is its table's name: checked when the dataset was onboarded."""
    return file.name.split(".")[0]


def _write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((text if text.endswith("\n") or not text else text + "\n").encode("utf-8", "replace"))
