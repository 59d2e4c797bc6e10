"""A company's own tables: rows of all parts as one wide record table with provenance and ids.

Values stay the strings that the system wrote (empty cells are null); what they mean stands in the column
specs beside them. Rows are duplicates where the table has a key and key and content are equal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path, PurePosixPath

import polars as pl

from archive.columns import read_columns
from archive.document_rows import absent_columns
from archive.documents import implied_documents
from archive.errors import ManifestError
from archive.parts import Part, PartTable
from archive.preset_matches import fit_preset
from archive.presets import apply_preset
from archive.store import RECORD_HEAD, TableStore
from contracts.canonical import canonical_bytes, sha256_hex
from contracts.manifest import ColumnSpec, Source, TableSpec
from contracts.tables import ColumnKind, record_table_name

_BETWEEN = "\x1f"
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
    """Whether the manifest itself speaks of this table; a preset may speak of columns that are not there."""
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
        """Some own columns with the rows' places, absent ones null, one row group at a time."""
        for part, piece in self.pieces:
            schema = pl.read_parquet_schema(part.folder / f"{piece.file}.parquet")
            here = [name for name in columns if name in schema]
            absent = [pl.lit(None, dtype=pl.String).alias(name) for name in columns if name not in schema]
            for frame in part.frames(piece.file, [*_PLACE, *here]):
                yield frame.with_columns(absent).select(*_PLACE, *columns)

    def distinct(self, columns: Sequence[str]) -> dict[str, pl.Series]:
        """The values of some columns, each once, in order of first appearance."""
        found = {name: [pl.Series(name, [], dtype=pl.String)] for name in columns}
        for frame in self.frames(columns):
            for name, seen in found.items():
                seen.append(frame[name].drop_nulls().unique(maintain_order=True))
        return {name: pl.concat(seen).unique(maintain_order=True) for name, seen in found.items()}


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
    for part in parts:
        for piece in part.summary.tables:
            spec = _stated(applied, piece) or implied_documents(source, piece.table)
            name = spec.name if spec is not None else piece.table
            pieces[name].append((part, piece))
            stated[name] = spec
    own = {table.name: table for table in source.tables}
    return [
        _Pieces(name, _keyed(stated[name], name, found), own.get(name), tuple(found))
        for name, found in pieces.items()
    ]


def _stated(source: Source, piece: PartTable) -> TableSpec | None:
    """What manifest and preset say of rows: by the stated path, else by the table's name."""
    named = (table for table in source.tables if table.path and _is_of(piece, table))
    by_name = (table for table in source.tables if table.name.lower() == piece.table.lower())
    return next(named, next(by_name, None))


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
    identities = _Identities(source.name, pieces, key, columns)
    kept = 0
    with store.writer(name) as writer:
        for frame in pieces.frames(columns):
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
        by_person=pieces.own is not None or source.preset is None,
        kept=kept,
        duplicates=identities.duplicates,
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
    anchors = pl.concat([none, *(_joined(frame, key) for frame in pieces.frames(key))])
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
