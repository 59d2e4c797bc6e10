"""Databases as rows of strings, read through SQLAlchemy without writing anything.

Belongs here: connecting, listing tables, streaming rows, values as exact strings. Does not belong here:
what columns mean (`archive.columns`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from archive.errors import SourceError

_BATCH = 5_000


@dataclass(frozen=True)
class DatabaseRow:
    """A row: its place ("rowid 7", or "row 7" in key order) and its values as strings."""

    locator: str
    cells: tuple[str | None, ...]


@dataclass(frozen=True)
class DatabaseTable:
    """A table: name, columns in order, primary key columns."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


class Database:
    """An open connection to a company's database."""

    def __init__(self, connection: sa.Connection) -> None:
        """Wraps an open connection."""
        self._connection = connection

    def tables(self) -> list[DatabaseTable]:
        """Returns the tables, sorted by name; views are left to their tables."""
        inspector = sa.inspect(self._connection)
        return [
            DatabaseTable(
                name,
                tuple(column["name"] for column in inspector.get_columns(name)),
                tuple(inspector.get_pk_constraint(name)["constrained_columns"]),
            )
            for name in sorted(inspector.get_table_names())
        ]

    def rows(self, table: DatabaseTable) -> Iterator[DatabaseRow]:
        """Yields all rows of a table, ordered by rowid (SQLite) or primary key."""
        columns: list[sa.ColumnElement[object]] = [sa.column(name) for name in table.columns]
        has_rowid = self._has_rowid(table)
        selected = [sa.literal_column("rowid"), *columns] if has_rowid else columns
        order: list[sa.ColumnElement[object]] = (
            [sa.literal_column("rowid")]
            if has_rowid
            else [sa.column(name) for name in table.key or table.columns]
        )
        query = sa.select(*selected).select_from(sa.table(table.name)).order_by(*order)
        result = self._connection.execution_options(yield_per=_BATCH).execute(query)
        for number, row in enumerate(result, start=1):
            values = tuple(row)
            if has_rowid:
                yield DatabaseRow(f"rowid {values[0]}", tuple(value_text(value) for value in values[1:]))
            else:
                yield DatabaseRow(f"row {number}", tuple(value_text(value) for value in values))

    def count(self, table: DatabaseTable) -> int:
        """Returns the number of rows of a table."""
        query = sa.select(sa.func.count()).select_from(sa.table(table.name))
        return int(self._connection.execute(query).scalar_one())

    def _has_rowid(self, table: DatabaseTable) -> bool:
        if self._connection.dialect.name != "sqlite":
            return False
        try:
            self._connection.execute(sa.text("SELECT rowid FROM " + _quoted(table.name) + " LIMIT 0"))
        except SQLAlchemyError:
            return False
        return True


@contextmanager
def open_database(name: str, *, path: Path | None = None, url: str | None = None) -> Iterator[Database]:
    """Gives a read-only connection to an SQLite file or any SQLAlchemy URL.

    Raises:
        SourceError: the database cannot be opened or read; the message names the source, never the URL.
    """
    if path is not None:
        if not path.is_file():
            raise SourceError(
                f"source {name!r}: no database file at its path: correct `path` in the manifest"
            )
        url = f"sqlite:///file:{path.resolve().as_posix()}?mode=ro&uri=true"
    try:
        engine = sa.create_engine(url or "")
        try:
            with engine.connect() as connection:
                if connection.dialect.name == "postgresql":
                    connection.exec_driver_sql("SET TRANSACTION READ ONLY")
                yield Database(connection)
        finally:
            engine.dispose()
    except (SQLAlchemyError, ImportError, ValueError) as error:
        reason = type(error).__name__
        raise SourceError(
            f"source {name!r}: the database cannot be read ({reason}): check path, url, driver"
        ) from None


def value_text(value: object) -> str | None:
    """Returns a database value as an exact string: no exponent, ISO dates, "true"/"false", bytes in hex."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        value = Decimal(repr(value))
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return str(value)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
