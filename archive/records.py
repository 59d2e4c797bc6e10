"""A company's own tables: files and databases as wide record tables with provenance.

Values stay the strings that the system wrote (empty CSV cells become null); what they mean stands in the
column specs beside them. Rows are duplicates where the table has a key and key and content are equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatch
from pathlib import Path

import polars as pl

from archive.columns import resolve_specs
from archive.database import open_database
from archive.errors import ManifestError, SourceError
from archive.identifiers import derived_id, row_digest
from archive.mailbox import relative_path
from archive.presets import is_optional, load_preset
from archive.rejects import Reject
from archive.store import RECORD_HEAD
from archive.tables_csv import read_csv
from contracts.manifest import ColumnSpec, Source, TableSpec
from contracts.tables import ColumnKind, record_table_name


@dataclass(frozen=True)
class RecordTable:
    """A record table as stored, with the specs of its own columns."""

    name: str
    source: str
    table: str
    stated: TableSpec | None
    frame: pl.DataFrame
    specs: dict[str, ColumnSpec]
    read: int
    duplicates: int
    rejects: tuple[Reject, ...]


@dataclass
class _Rows:
    """Rows of one table while it is read."""

    table: str
    columns: tuple[str, ...]
    path: str
    stated: TableSpec | None
    rows: list[tuple[str, tuple[str | None, ...]]] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)


def read_record_tables(source: Source, base: Path) -> Iterator[RecordTable]:
    """Yields the record tables of a CRM, ERP or accounting source, by name.

    Raises:
        SourceError: files or database are missing or unreadable.
        ManifestError: a table that the manifest itself names, or its key, is not there.
    """
    read = _read_files(source, base) if source.format == "csv" else _read_database(source, base)
    tables = sorted(read, key=lambda rows: rows.table.lower())
    found = {rows.table.lower() for rows in tables}
    for stated in source.tables:
        if stated.name.lower() not in found and not is_optional(source, stated.name):
            raise ManifestError(
                f"source {source.name!r} has no table {stated.name!r} among its {len(tables)}: "
                "compare it with the export"
            )
    for rows in tables:
        _require_stated_columns(source, rows)
        yield _stored(source, rows)


def own_column_name(name: str, position: int) -> str:
    """Returns the stored name of a company's column: its own, "_" appended where provenance has that name."""
    plain = name.strip() or f"column_{position}"
    return f"{plain}_" if plain in RECORD_HEAD else plain


def _read_files(source: Source, base: Path) -> list[_Rows]:
    place = base / (source.path or "")
    files = sorted(place.glob("*.csv")) if place.is_dir() else sorted(base.glob(source.path or ""))
    if not files:
        raise SourceError(f"source {source.name!r}: no files at its path: correct `path` in the manifest")
    named = {table.path: table for table in source.tables if table.path}
    by_name = {table.name.lower(): table for table in source.tables}
    result: dict[str, _Rows] = {}
    for path in files:
        if not path.is_file():
            continue
        pattern = next((pattern for pattern in named if pattern and fnmatch(path.name, pattern)), None)
        stated = named[pattern] if pattern is not None else by_name.get(path.stem.lower())
        content = read_csv(path)
        columns = _unique(content.header)
        relative = relative_path(path, base)
        table = stated.name if stated is not None else path.stem
        rows = result.setdefault(table, _Rows(table, columns, relative, stated))
        if rows.columns != columns:
            raise SourceError(
                f"source {source.name!r}: files of one table have different columns: "
                "give each a table of its own"
            )
        for row in content.rows:
            if row.fault:
                size = sum(len(cell.encode()) for cell in row.cells)
                digest = row_digest([list(row.cells)])
                rows.rejects.append(Reject(relative, f"row {row.number}", digest, row.fault, size))
            else:
                rows.rows.append(
                    (f"row {row.number}", tuple(cell if cell.strip() else None for cell in row.cells))
                )
    return list(result.values())


def _read_database(source: Source, base: Path) -> list[_Rows]:
    by_name = {(table.path or table.name).lower(): table for table in source.tables}
    path = base / source.path if source.path else None
    result = []
    with open_database(source.name, path=path, url=source.url) as database:
        for table in database.tables():
            stated = by_name.get(table.name.lower())
            if stated is None and table.key:
                stated = TableSpec(name=table.name, key=list(table.key))
            elif stated is not None and not stated.key:
                stated = stated.model_copy(update={"key": list(table.key)})
            place = relative_path(path, base) if path is not None else table.name
            rows = _Rows(stated.name if stated else table.name, _unique(table.columns), place, stated)
            for row in database.rows(table):
                cells = tuple(cell if cell is None or cell.strip() else None for cell in row.cells)
                rows.rows.append((f"{table.name} {row.locator}", cells))
            result.append(rows)
    return result


def _unique(header: tuple[str, ...]) -> tuple[str, ...]:
    names: list[str] = []
    for position, name in enumerate(header, start=1):
        plain = own_column_name(name, position)
        copy = plain
        number = 2
        while copy in names:
            copy = f"{plain}.{number}"
            number += 1
        names.append(copy)
    return tuple(names)


def _stored(source: Source, rows: _Rows) -> RecordTable:
    key = _key_positions(source, rows)
    kept: list[tuple[str | None, ...]] = []
    seen: dict[str, int] = {}
    digests: set[tuple[str, str]] = set()
    duplicates = 0
    for locator, cells in rows.rows:
        digest = row_digest(dict(zip(rows.columns, cells, strict=True)))
        anchor = "\x1f".join(cells[position] or "" for position in key) if key else digest
        if key and (anchor, digest) in digests:
            duplicates += 1
            continue
        digests.add((anchor, digest))
        seen[anchor] = seen.get(anchor, 0) + 1
        record_id = derived_id("r", source.name, rows.table, anchor, seen[anchor])
        kept.append((record_id, source.name, rows.path, locator, digest, *cells))
    schema = {name: pl.String() for name in (*RECORD_HEAD, *rows.columns)}
    frame = pl.DataFrame(kept, schema=schema, orient="row")
    values = {name: frame[name].drop_nulls().to_list() for name in rows.columns}
    specs = resolve_specs(rows.stated, values)
    if source.format != "csv":
        money = [name for name, spec in specs.items() if spec.kind is ColumnKind.MONEY]
        frame = frame.with_columns(
            pl.Series(
                name, [exact_amount(value, specs[name].decimals) for value in frame[name]], dtype=pl.String()
            )
            for name in money
        )
    return RecordTable(
        name=record_table_name(source.name, rows.table),
        source=source.name,
        table=rows.table,
        stated=rows.stated,
        frame=frame,
        specs=specs,
        read=len(rows.rows) + len(rows.rejects),
        duplicates=duplicates,
        rejects=tuple(rows.rejects),
    )


def exact_amount(value: str | None, decimals: int) -> str | None:
    """Returns a database amount with its currency's decimals ("13700.0" as "13700.00") where exact."""
    try:
        amount = Decimal(value or "")
        written = amount.quantize(Decimal(1).scaleb(-decimals))
    except InvalidOperation:
        return value
    return format(written, "f") if written == amount else value


def _require_stated_columns(source: Source, rows: _Rows) -> None:
    """Refuses a stated column that the table lacks: of a misspelt one the kind would be lost."""
    here = {name.lower() for name in rows.columns}
    preset = load_preset(source.preset).tables if source.preset else []
    known = {name for table in preset if table.name.lower() == rows.table.lower() for name in table.columns}
    stated = rows.stated.columns if rows.stated is not None else {}
    absent = [name for name in stated if name not in known and name.lower() not in here]
    if absent:
        raise ManifestError(
            f"source {source.name!r}: a table has no column {absent[0]!r} among its {len(rows.columns)}, "
            "which the manifest states: compare it with the export"
        )


def _key_positions(source: Source, rows: _Rows) -> list[int]:
    if rows.stated is None:
        return []
    lowered = [name.lower() for name in rows.columns]
    missing = [name for name in rows.stated.key if name.lower() not in lowered]
    if missing:
        raise ManifestError(
            f"source {source.name!r}: a table has no key column {missing[0]!r} among its "
            f"{len(rows.columns)}: compare it with the export"
        )
    return [lowered.index(name.lower()) for name in rows.stated.key]
