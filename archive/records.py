"""A company's own tables: rows of all parts as one wide record table with provenance and ids.

Values stay the strings that the system wrote (empty cells are null); what they mean stands in the column
specs beside them. Rows are duplicates where the table has a key and key and content are equal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path, PurePosixPath

import polars as pl

from archive.columns import resolve_specs
from archive.errors import ManifestError
from archive.parts import Part, PartTable
from archive.presets import is_optional, load_preset
from archive.store import RECORD_HEAD, TableStore
from contracts.canonical import canonical_bytes, sha256_hex
from contracts.manifest import ColumnSpec, Source, TableSpec
from contracts.tables import ColumnKind, record_table_name

_BETWEEN = "\x1f"
_PLACE = ["locator", "content_hash"]


@dataclass(frozen=True)
class RecordTable:
    """A record table as stored, with the specs of its own columns; rows are read when asked for."""

    name: str
    source: str
    table: str
    stated: TableSpec | None
    path: Path
    specs: dict[str, ColumnSpec]
    kept: int = 0
    duplicates: int = 0

    @property
    def frame(self) -> pl.DataFrame:
        """All rows."""
        return pl.read_parquet(self.path)

    def columns(self, names: Sequence[str]) -> pl.DataFrame:
        """Some columns of all rows."""
        return pl.read_parquet(self.path, columns=list(names))


@dataclass(frozen=True)
class _Pieces:
    """Where the rows of one table lie."""

    table: str
    stated: TableSpec | None
    pieces: tuple[tuple[Part, PartTable], ...]

    @property
    def declared_key(self) -> tuple[str, ...]:
        return self.pieces[0][1].key

    def columns(self) -> list[str]:
        """Own columns of all pieces, in order of first appearance."""
        names: dict[str, None] = {}
        for part, piece in self.pieces:
            schema = pl.read_parquet_schema(part.folder / f"{piece.file}.parquet")
            names.update(dict.fromkeys(name for name in schema if name not in _PLACE))
        return list(names)

    def frames(self, columns: Sequence[str]) -> Iterator[tuple[PartTable, pl.DataFrame]]:
        """Some own columns with the rows' places, absent ones null, one row group at a time."""
        for part, piece in self.pieces:
            schema = pl.read_parquet_schema(part.folder / f"{piece.file}.parquet")
            here = [name for name in columns if name in schema]
            absent = [pl.lit(None, dtype=pl.String).alias(name) for name in columns if name not in schema]
            for frame in part.frames(piece.file, [*_PLACE, *here]):
                yield piece, frame.with_columns(absent).select(*_PLACE, *columns)

    def distinct(self, column: str) -> list[str]:
        """The values of a column, each once, in order of first appearance."""
        none = pl.Series(column, [], dtype=pl.String)
        found = pl.concat([none, *(frame[column].drop_nulls() for _, frame in self.frames([column]))])
        return found.unique(maintain_order=True).to_list()


def write_record_tables(source: Source, parts: Sequence[Part], store: TableStore) -> Iterator[RecordTable]:
    """Stores the record tables of a CRM, ERP, accounting or engineering source and yields them by name.

    Raises:
        ManifestError: a table or column that the manifest itself names, or a key, is not there.
    """
    tables = sorted(_gathered(source, parts), key=lambda pieces: pieces.table.lower())
    found = {pieces.table.lower() for pieces in tables}
    for stated in source.tables:
        if stated.name.lower() not in found and not is_optional(source, stated.name):
            raise ManifestError(
                f"source {source.name!r} has no table {stated.name!r} among its {len(tables)}: "
                "compare it with the export"
            )
    for pieces in tables:
        yield _stored(source, pieces, store)


def _gathered(source: Source, parts: Sequence[Part]) -> list[_Pieces]:
    patterns = [table for table in source.tables if table.path]
    by_name = {table.name.lower(): table for table in source.tables}
    pieces: dict[str, list[tuple[Part, PartTable]]] = defaultdict(list)
    stated: dict[str, TableSpec | None] = {}
    for part in parts:
        for piece in part.summary.tables:
            spec = next((spec for spec in patterns if _is_of(piece, spec)), by_name.get(piece.table.lower()))
            name = spec.name if spec is not None else piece.table
            pieces[name].append((part, piece))
            stated[name] = spec
    return [_Pieces(name, _keyed(stated[name], name, found), tuple(found)) for name, found in pieces.items()]


def _is_of(piece: PartTable, spec: TableSpec) -> bool:
    """Says whether a stated path means these rows: a database table's name, or a pattern of files."""
    filename = PurePosixPath(piece.path).name
    stated = spec.path or ""
    alone = filename.startswith(piece.table)
    return (alone and fnmatch(filename, stated)) or piece.table.lower() == stated.lower()


def _keyed(stated: TableSpec | None, name: str, pieces: Sequence[tuple[Part, PartTable]]) -> TableSpec | None:
    """The stated table, with the key that the source declares where it states none."""
    declared = list(pieces[0][1].key)
    if not declared or (stated is not None and stated.key):
        return stated
    if stated is None:
        return TableSpec(name=name, key=declared)
    return stated.model_copy(update={"key": declared})


def _stored(source: Source, pieces: _Pieces, store: TableStore) -> RecordTable:
    columns = pieces.columns()
    _require_stated_columns(source, pieces.stated, columns)
    key = _key_columns(source, pieces.stated, columns)
    specs: dict[str, ColumnSpec] = {}
    for column in columns:
        specs |= resolve_specs(pieces.stated, {column: pieces.distinct(column)})
    exact = {
        name: spec.decimals
        for name, spec in specs.items()
        if spec.kind is ColumnKind.MONEY and source.format != "csv"
    }
    name = record_table_name(source.name, pieces.table)
    identities = _Identities(source.name, pieces, key, columns)
    kept = 0
    with store.writer(name) as writer:
        for piece, frame in pieces.frames(columns):
            ids = identities.of(frame)
            stored = frame.select(
                ids.alias("record_id"),
                pl.lit(source.name).alias("source"),
                pl.lit(piece.path).alias("path"),
                *_PLACE,
                *(exact_amounts(column, exact.get(column)) for column in columns),
            ).filter(pl.col("record_id").is_not_null())
            kept += stored.height
            writer.add(stored)
        if not kept:
            writer.add(pl.DataFrame(schema=dict.fromkeys([*RECORD_HEAD, *columns], pl.String())))
    return RecordTable(
        name, source.name, pieces.table, pieces.stated, store.path(name), specs, kept, identities.duplicates
    )


class _Identities:
    """The ids of a table's rows: by key where it has one, else by content; repeats are numbered.

    A row whose key and content both stood before gets none: it is a duplicate.
    """

    def __init__(self, source: str, pieces: _Pieces, key: Sequence[str], columns: Sequence[str]) -> None:
        self._prefix = sha256(canonical_bytes(["r", source, pieces.table]))
        self._key, self._columns = list(key), list(columns)
        self._seen: Counter[str] = Counter()
        self._contents: dict[str, set[str]] = {}
        self._repeated = _repeated(pieces, key) if key else frozenset()
        self.duplicates = 0

    def of(self, frame: pl.DataFrame) -> pl.Series:
        """The ids of consecutive rows, null for duplicates."""
        anchors = _joined(frame, self._key or self._columns).to_list()
        if not self._key:
            return pl.Series([self._id(anchor) for anchor in anchors], dtype=pl.String)
        repeats = [anchor in self._repeated for anchor in anchors] if self._repeated else []
        if not any(repeats):
            return pl.Series([self._name(anchor, 1) for anchor in anchors], dtype=pl.String)
        contents = _joined(frame, self._columns)
        ids = [
            self._unless_known(anchor, content) if repeated else self._name(anchor, 1)
            for anchor, content, repeated in zip(anchors, contents, repeats, strict=True)
        ]
        return pl.Series(ids, dtype=pl.String)

    def _unless_known(self, anchor: str, content: str) -> str | None:
        digest = sha256_hex(content.encode())
        known = self._contents.setdefault(anchor, set())
        if digest in known:
            self.duplicates += 1
            return None
        known.add(digest)
        return self._id(anchor)

    def _id(self, anchor: str) -> str:
        digest = sha256(anchor.encode()).hexdigest() if not self._key else anchor
        self._seen[digest] += 1
        return self._name(digest, self._seen[digest])

    def _name(self, anchor: str, number: int) -> str:
        named = self._prefix.copy()
        named.update(f"{_BETWEEN}{anchor}{_BETWEEN}{number}".encode())
        return f"r-{named.hexdigest()[:16]}"


def _repeated(pieces: _Pieces, key: Sequence[str]) -> frozenset[str]:
    """The keys that stand in more than one row."""
    none = pl.Series("joined", [], dtype=pl.String)
    anchors = pl.concat([none, *(_joined(frame, key) for _, frame in pieces.frames(key))])
    return frozenset(anchors.filter(anchors.is_duplicated()).to_list())


def _joined(frame: pl.DataFrame, columns: Sequence[str]) -> pl.Series:
    """The cells of each row in one string; null differs from empty."""
    cells = [pl.col(name).fill_null("\x00") for name in columns]
    return frame.select(pl.concat_str(cells, separator=_BETWEEN).alias("joined"))["joined"]


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
    if stated is None:
        return
    here = {name.lower() for name in columns}
    preset = load_preset(source.preset).tables if source.preset else []
    known = {name for table in preset if table.name.lower() == stated.name.lower() for name in table.columns}
    absent = [name for name in stated.columns if name not in known and name.lower() not in here]
    if absent:
        raise ManifestError(
            f"source {source.name!r}: a table has no column {absent[0]!r} among its {len(columns)}, "
            "which the manifest states: compare it with the export"
        )


def _key_columns(source: Source, stated: TableSpec | None, columns: Sequence[str]) -> list[str]:
    if stated is None:
        return []
    lowered = {name.lower(): name for name in columns}
    missing = [name for name in stated.key if name.lower() not in lowered]
    if missing:
        raise ManifestError(
            f"source {source.name!r}: a table has no key column {missing[0]!r} among its "
            f"{len(columns)}: compare it with the export"
        )
    return [lowered[name.lower()] for name in stated.key]
