"""SQLite files built anew: tables, types, keys and foreign keys of the raw file, clean values.

Belongs here: reading the form and writing. Triggers, views, defaults, checks and binary values are words or
bytes that replacement did not see: they are left out and counted.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_ ]{0,40}(?:\(\s*\d{1,6}\s*(?:,\s*\d{1,6}\s*)?\))?")
_WHOLE = re.compile(r"-?\d{1,18}")
_REAL = re.compile(r"-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?")


@dataclass(frozen=True)
class TableForm:
    """How a table is declared."""

    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    required: tuple[bool, ...]
    key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()
    references: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...] = ()
    rowid: bool = True
    binary: frozenset[str] = frozenset()
    """Columns that hold bytes."""
    numeric: frozenset[str] = frozenset()
    """Columns of no declared type that hold numbers."""
    filled: frozenset[str] = field(default_factory=frozenset)
    """Columns without NULL: what is empty there is an empty text."""


def sqlite_forms(path: Path, left_out: Counter[str]) -> list[TableForm]:
    """Returns the form of every table of a file, in the order in which they were made."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as raw:
        raw.text_factory = lambda data: data.decode("utf-8", "replace")
        kinds = raw.execute("SELECT type, name, sql FROM sqlite_master ORDER BY rowid").fetchall()
        for kind, _, _ in kinds:
            left_out[f"{kind}s"] += kind in ("trigger", "view")
        return [
            _form(raw, name, sql or "")
            for kind, name, sql in kinds
            if kind == "table" and not name.startswith("sqlite_")
        ]


def write_sqlite(path: Path, tables: Sequence[tuple[TableForm, pl.DataFrame]], left_out: Counter[str]) -> int:
    """Writes the tables and returns how many rows.

    Args:
        path: of the new file.
        tables: forms with the clean rows, columns of strings in the form's order.
        left_out: counts binary values and foreign keys whose row is not exported.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _write(path, tables, left_out)
    except sqlite3.IntegrityError:
        path.unlink()
        left_out["unique and required columns"] += 1
        return _write(path, [(_relaxed(form), frame) for form, frame in tables], left_out)


def _relaxed(form: TableForm) -> TableForm:
    """A form that takes any rows."""
    free = (False,) * len(form.columns)
    return replace(form, key=(), unique=(), references=(), required=free, rowid=True)


def _write(path: Path, tables: Sequence[tuple[TableForm, pl.DataFrame]], left_out: Counter[str]) -> int:
    rows = 0
    with closing(sqlite3.connect(path)) as built:
        with built:
            for form, _ in tables:
                built.execute(_create(form))
            for form, frame in tables:
                marks = ", ".join("?" * len(form.columns))
                insert = f"INSERT INTO {_quoted(form.name)} VALUES ({marks})"
                built.executemany(insert, _values(form, frame, left_out))
                rows += frame.height
            number = 0
            for form, _ in tables:
                for columns in form.indexes:
                    number += 1
                    built.execute(f"CREATE INDEX index_{number} ON {_quoted(form.name)} ({_list(columns)})")
        lost = built.execute("PRAGMA foreign_key_check").fetchall()
        left_out["rows that foreign keys point to"] += len(lost)
        built.execute("VACUUM")
    return rows


def _form(raw: sqlite3.Connection, name: str, sql: str) -> TableForm:
    table = _quoted(name)
    info = [row for row in raw.execute(f"PRAGMA table_xinfo({table})") if row[6] != 1]
    columns = tuple(row[1] for row in info)
    key = tuple(row[1] for row in sorted((row for row in info if row[5]), key=lambda row: row[5]))
    unique: list[tuple[str, ...]] = []
    indexes: list[tuple[str, ...]] = []
    for _, index, is_unique, origin, partial in raw.execute(f"PRAGMA index_list({table})").fetchall():
        parts = tuple(row[2] for row in raw.execute(f"PRAGMA index_info({_quoted(index)})"))
        if origin == "pk" or partial or None in parts:
            continue
        (unique if is_unique else indexes).append(parts)
    references: dict[int, list[tuple[str, str, str | None]]] = {}
    for number, _, to_table, own, to, *_ in raw.execute(f"PRAGMA foreign_key_list({table})"):
        references.setdefault(number, []).append((to_table, own, to))
    types: dict[str, set[str]] = {}
    for column in columns:
        found = raw.execute(f"SELECT DISTINCT typeof({_quoted(column)}) FROM {table}").fetchall()
        types[column] = {kind for (kind,) in found}
    return TableForm(
        name,
        columns,
        tuple(row[2] if _TYPE.fullmatch(row[2] or "") else "" for row in info),
        tuple(bool(row[3]) for row in info),
        key,
        tuple(sorted(unique)),
        tuple(sorted(indexes)),
        tuple(
            (
                tuple(own for _, own, _ in parts),
                parts[0][0],
                tuple(to for _, _, to in parts if to is not None),
            )
            for _, parts in sorted(references.items())
        ),
        re.search(r"\bWITHOUT\s+ROWID\b", sql[sql.rfind(")") :], re.IGNORECASE) is None,
        frozenset(column for column, kinds in types.items() if "blob" in kinds),
        frozenset(column for column, kinds in types.items() if kinds & {"integer", "real"}),
        frozenset(column for column, kinds in types.items() if "null" not in kinds),
    )


def _create(form: TableForm) -> str:
    alone = form.key[0] if len(form.key) == 1 else ""
    lines = []
    for name, kind, required in zip(form.columns, form.types, form.required, strict=True):
        rule = " PRIMARY KEY" if name == alone else ""
        lines.append(f"{_quoted(name)} {kind}".rstrip() + rule + (" NOT NULL" if required else ""))
    if len(form.key) > 1:
        lines.append(f"PRIMARY KEY ({_list(form.key)})")
    lines += [f"UNIQUE ({_list(columns)})" for columns in form.unique]
    for own, table, to in form.references:
        target = f" ({_list(to)})" if to else ""
        lines.append(f"FOREIGN KEY ({_list(own)}) REFERENCES {_quoted(table)}{target}")
    return f"CREATE TABLE {_quoted(form.name)} ({', '.join(lines)})" + (
        "" if form.rowid else " WITHOUT ROWID"
    )


def _values(form: TableForm, frame: pl.DataFrame, left_out: Counter[str]) -> Iterator[list[object]]:
    untyped = [not kind and name in form.numeric for name, kind in zip(form.columns, form.types, strict=True)]
    for row in frame.iter_rows():
        cells: list[object] = []
        for name, text, number in zip(form.columns, row, untyped, strict=True):
            if name in form.binary:
                left_out["binary values"] += text is not None
                cells.append("" if name in form.filled else None)
            elif text is None:
                cells.append("" if name in form.filled else None)
            else:
                cells.append(_number(text) if number else text)
        yield cells


def _number(text: str) -> object:
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _REAL.fullmatch(text) else text


def keyed_form(name: str, columns: Sequence[str], kinds: Mapping[str, str], key: Sequence[str]) -> TableForm:
    """Returns the form of a table of which only columns, types and key are known."""
    types = tuple(kinds.get(column, "TEXT") for column in columns)
    return TableForm(name, tuple(columns), types, (False,) * len(columns), tuple(key))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(_quoted, names))
