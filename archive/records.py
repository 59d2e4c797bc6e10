"""A company's own tables: rows of all parts as one wide record table with provenance and ids.

Values stay the strings that the system wrote (empty cells are null); what they mean stands in the column
specs beside them. Rows are duplicates where the table has a key and key and content are equal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import polars as pl

from archive.columns import read_columns
from archive.document_rows import absent_columns
from archive.documents import implied_documents
from archive.errors import ManifestError
from archive.parts import Part, PartTable
from archive.preset_matches import fit_preset
from archive.presets import apply_preset
from archive.record_ids import RowIds
from archive.row_groups import read_rows
from archive.sealing import Sealing
from archive.store import RECORD_HEAD, TableStore
from contracts.manifest import ColumnSpec, Source, TableSpec
from contracts.tables import ColumnKind, record_table_name

_TOLD = 4_096
"""Characters of a value that tell what a column holds; text that goes on tells no more."""
_WIDE = 500
"""Columns; opening a file takes time for each of them, so that of a wider table several are read at once."""
_AT_ONCE = 20
"""One column in so many of a table is held while columns are read."""
_PLACE = ["path", "locator", "content_hash"]


@dataclass(frozen=True)
class RecordTable:
    """A record table as stored, with the specs of its own columns; rows are read when asked for."""

    name: str
    source: str
    table: str
    stated: TableSpec | None
    path: Path
    specs: dict[str, ColumnSpec]
    by_person: bool = True
    """Whether the manifest itself says what its objects are; a preset may speak of absent columns."""
    kept: int = 0
    duplicates: int = 0
    sealing: Sealing | None = None
    _held: dict[str, pl.Series] = field(default_factory=dict, repr=False, compare=False)

    @property
    def frame(self) -> pl.DataFrame:
        """All rows."""
        return read_rows(self.path, None, self.sealing)

    def columns(self, names: Sequence[str]) -> pl.DataFrame:
        """Some columns of all rows; of a wide table their neighbours are held for the next call."""
        if any(name not in self._held for name in names):
            near = list(names)
            if len(self.specs) > _WIDE and names[-1] in self.specs:
                own = list(self.specs)
                at = own.index(names[-1])
                near = list(dict.fromkeys([*names, *own[at : at + len(own) // _AT_ONCE]]))
            read = read_rows(self.path, near, self.sealing)
            if len(near) == len(names):
                return read
            self._held.clear()
            self._held.update({series.name: series for series in read})
        return pl.DataFrame([self._held[name] for name in names])


@dataclass(frozen=True)
class _Pieces:
    """Where the rows of one table lie."""

    table: str
    stated: TableSpec | None
    own: TableSpec | None
    """What the manifest itself says, without its preset."""
    pieces: tuple[tuple[Part, PartTable], ...]

    @property
    def declared_key(self) -> tuple[str, ...]:
        return self.pieces[0][1].key

    def columns(self) -> list[str]:
        """Own columns of all pieces, in order of first appearance."""
        names: dict[str, None] = {}
        for part, piece in self.pieces:
            names.update(dict.fromkeys(part.columns(piece.file, but=_PLACE)))
        return list(names)

    def frames(self, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        """Some columns, absent ones null, one row group at a time."""
        for part, piece in self.pieces:
            schema = part.columns(piece.file, but=())
            here = [name for name in columns if name in schema]
            absent = [pl.lit(None, dtype=pl.String).alias(name) for name in columns if name not in schema]
            for frame in part.frames(piece.file, here or _PLACE[:1]):
                yield frame.with_columns(absent).select(columns)

    def distinct(self, columns: Sequence[str]) -> dict[str, pl.Series]:
        """The values of some columns, each once, in order of first appearance."""
        found = {name: [pl.Series(name, [], dtype=pl.String)] for name in columns}
        for part, piece in self.pieces:
            own = frozenset(part.columns(piece.file, but=_PLACE))
            here = [name for name in columns if name in own]
            told = [pl.col(name).drop_nulls().unique(maintain_order=True).str.head(_TOLD) for name in here]
            for frame in part.frames(piece.file, here) if here else ():
                values = frame.select(expression.implode() for expression in told)
                for name in here:
                    found[name].append(values[name].item())
        return {name: _once(seen) for name, seen in found.items()}


def _once(pieces: Sequence[pl.Series]) -> pl.Series:
    """All values in order of first appearance; those of one piece are distinct already."""
    filled = [piece for piece in pieces if len(piece)]
    return pl.concat(filled).unique(maintain_order=True) if len(filled) > 1 else (filled or pieces)[0]


def write_record_tables(
    source: Source, parts: Sequence[Part], store: TableStore, locale: str = ""
) -> Iterator[RecordTable]:
    """Stores the record tables of a CRM, ERP, accounting or engineering source and yields them by name.

    Raises:
        ManifestError: a table or column that the manifest itself names, or a key, is not there.
    """
    tables = sorted(_gathered(source, parts), key=lambda pieces: pieces.table.lower())
    found = {pieces.table.lower() for pieces in tables}
    for stated in source.tables:
        if stated.name.lower() not in found:
            raise ManifestError(
                f"source {source.name!r} has no table {stated.name!r} among its {len(tables)}: "
                "compare it with the export"
            )
    for pieces in tables:
        yield _stored(source, pieces, store, locale)


def _gathered(source: Source, parts: Sequence[Part]) -> list[_Pieces]:
    headers: dict[str, dict[str, None]] = defaultdict(dict)
    for part in parts:
        for piece in part.summary.tables:
            headers[piece.table].update(dict.fromkeys(part.columns(piece.file, but=_PLACE)))
    applied = apply_preset(fit_preset(source, {name: list(columns) for name, columns in headers.items()}))
    pieces: dict[str, list[tuple[Part, PartTable]]] = defaultdict(list)
    stated: dict[str, TableSpec | None] = {}
    called: dict[str, str] = {}
    for part in parts:
        for piece in part.summary.tables:
            spec = stated_table(applied, piece.table, piece.path) or implied_documents(source, piece.table)
            name = spec.name if spec is not None else piece.table
            # "a b" and "a-b" are stored under one name: they are one table, so that neither is lost.
            name = called.setdefault(record_table_name(source.name, name), name)
            pieces[name].append((part, piece))
            stated[name] = stated.get(name) or spec
    own = {table.name: table for table in source.tables}
    return [
        _Pieces(name, _keyed(stated[name], name, found), own.get(name), tuple(found))
        for name, found in pieces.items()
    ]


def stated_table(source: Source, table: str, path: str) -> TableSpec | None:
    """Returns what manifest and preset say of rows: by the stated path, else by the table's name."""
    named = (spec for spec in source.tables if spec.path and _is_of(table, path, spec))
    by_name = (spec for spec in source.tables if spec.name.lower() == table.lower())
    return next(named, next(by_name, None))


def _is_of(table: str, path: str, spec: TableSpec) -> bool:
    """Says whether a stated path means these rows: a database table's name, or a pattern of files."""
    filename = PurePosixPath(path).name
    stated = spec.path or ""
    alone = filename.startswith(table)
    return (alone and fnmatch(filename, stated)) or table.lower() == stated.lower()


def _keyed(stated: TableSpec | None, name: str, pieces: Sequence[tuple[Part, PartTable]]) -> TableSpec | None:
    """The stated table, with the key that the source declares where it states none."""
    declared = list(pieces[0][1].key)
    if not declared or (stated is not None and stated.key):
        return stated
    if stated is None:
        return TableSpec(name=name, key=declared)
    return stated.model_copy(update={"key": declared})


def _stored(source: Source, pieces: _Pieces, store: TableStore, locale: str) -> RecordTable:
    columns = pieces.columns()
    _require_stated_columns(source, pieces.own, columns)
    key = _key_columns(source, pieces, columns)
    readings = read_columns(pieces.stated, _Values(pieces, columns), locale=locale)
    specs = {name: reading.spec for name, reading in readings.items()}
    exact = {
        name: spec.decimals
        for name, spec in specs.items()
        if spec.kind is ColumnKind.MONEY and source.format != "csv"
    }
    name = record_table_name(source.name, pieces.table)
    identities = RowIds(source.name, pieces.table, key, columns, pieces.frames(key) if key else ())
    kept = 0
    with store.writer(name) as writer:
        for frame in pieces.frames([*_PLACE, *columns]):
            ids = identities.of(frame)
            stored = frame.select(
                ids.alias("record_id"),
                pl.lit(source.name).alias("source"),
                *_PLACE,
                *(exact_amounts(column, exact.get(column)) for column in columns),
            ).filter(pl.col("record_id").is_not_null())
            kept += stored.height
            writer.add(stored)
        if not kept:
            writer.add(pl.DataFrame(schema=dict.fromkeys([*RECORD_HEAD, *columns], pl.String())))
    return RecordTable(
        name=name,
        source=source.name,
        table=pieces.table,
        stated=pieces.stated,
        path=store.path(name),
        specs=specs,
        by_person=source.preset is None or (pieces.own is not None and bool(pieces.own.objects)),
        kept=kept,
        duplicates=identities.duplicates,
        sealing=store.sealing,
    )


class _Values(Mapping[str, list[str]]):
    """The distinct values of every column, read when asked for: a few neighbours are held at a time.

    Opening a file takes time for each of its columns, so that of a wide table more are read at once.
    """

    def __init__(self, pieces: _Pieces, columns: Sequence[str]) -> None:
        self._pieces, self._columns = pieces, columns
        self._places = {name: place for place, name in enumerate(columns)}
        self._held: dict[str, pl.Series] = {}

    def __getitem__(self, column: str) -> list[str]:
        if column not in self._held:
            at = self._places[column]
            more = 1 + len(self._columns) // _AT_ONCE
            self._held = self._pieces.distinct(self._columns[at : at + more])
        return self._held[column].to_list()

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def exact_amounts(column: str, decimals: int | None) -> pl.Expr:
    """Returns a column's amounts with their currency's decimals ("13700.0" as "13700.00") where exact.

    Other texts, and all where `decimals` is None, stay as they are.
    """
    cell = pl.col(column)
    if decimals is None:
        return cell
    plain = cell.str.contains(r"^-?\d+(\.\d+)?$")
    whole = cell.str.extract(r"^(-?\d+)")
    fraction = cell.str.extract(r"\.(\d+)$").fill_null("").str.strip_chars_end("0")
    fits = fraction.str.len_chars() <= decimals
    written = whole if decimals == 0 else whole + "." + fraction.str.pad_end(decimals, "0")
    return pl.when(plain & fits).then(written).otherwise(cell).alias(column)


def _require_stated_columns(source: Source, stated: TableSpec | None, columns: Sequence[str]) -> None:
    """Refuses a stated column that the table lacks: of a misspelt one the kind would be lost."""
    here = {name.lower() for name in columns}
    absent = [name for name in (stated.columns if stated is not None else ()) if name.lower() not in here]
    absent += absent_columns(stated.documents, columns) if stated is not None and stated.documents else []
    if absent:
        raise ManifestError(
            f"source {source.name!r}: a table has no column {absent[0]!r} among its {len(columns)}, "
            "which the manifest states: compare it with the export"
        )


def _key_columns(source: Source, pieces: _Pieces, columns: Sequence[str]) -> list[str]:
    """The table's key as its columns are spelt; none where a preset's key is not all there."""
    lowered = {name.lower(): name for name in columns}
    key = [] if pieces.stated is None else pieces.stated.key
    missing = [name for name in key if name.lower() not in lowered]
    if missing and pieces.own is not None and missing[0] in pieces.own.key:
        raise ManifestError(
            f"source {source.name!r}: a table has no key column {missing[0]!r} among its "
            f"{len(columns)}: compare it with the export"
        )
    return [] if missing else [lowered[name.lower()] for name in key]
