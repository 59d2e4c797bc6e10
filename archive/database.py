"""Databases as rows of strings, read through SQLAlchemy from one snapshot, without writing anything.

Belongs here: connecting, listing tables with their keys and references, streaming rows. Does not belong
here: URLs and drivers (`archive.database_urls`), texts of values (`archive.database_values`), what columns
mean (`archive.columns`).
"""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import polars as pl
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from archive.batches import BATCH_ROWS, TableBatch, unique_names
from archive.csv_blocks import blank_to_null
from archive.database_urls import Address, database_address, file_address
from archive.database_values import (
    Expression,
    finished,
    mariadb_expression,
    postgresql_expression,
    value_text,
    without_long_binary,
)
from archive.errors import SourceError

__all__ = ["Database", "DatabaseRow", "DatabaseTable", "Reference", "open_database", "value_text"]

MAX_VALUE = 64 * 1024 * 1024
"""Bytes of one value in an SQLite file; the rest of a table behind a longer one cannot be read."""
_FETCH = 2_000
_FIRST_FETCH = 16
_FETCH_CHARACTERS = 16 * 1024 * 1024
"""Rows are fetched from servers so many at a time that their texts are about this long, and 2,000 at most."""
_BATCH_CHARACTERS = 32 * 1024 * 1024
"""A batch ends early once its texts are this long."""
_SYSTEM = frozenset("information_schema mysql performance_schema sys pg_catalog pg_toast".split())


class Reference(NamedTuple):
    """A declared foreign key: columns of a table, and the table and columns that they point to."""

    columns: tuple[str, ...]
    table: str
    to_columns: tuple[str, ...]


@dataclass(frozen=True)
class DatabaseRow:
    """A row: its place ("rowid 7", or "row 7" in key order) and its values as strings."""

    locator: str
    cells: tuple[str | None, ...]


@dataclass(frozen=True)
class DatabaseTable:
    """A table: name (with its schema where that is not the default one), columns in order, declared keys."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    references: tuple[Reference, ...] = ()
    schema: str | None = None
    plain: str = ""
    """Name within its schema."""
    kind: str = ""
    """PostgreSQL only: "r" table, "p" partitioned, "f" foreign."""


class Database:
    """An open connection to a company's database."""

    def __init__(self, connection: sa.Connection) -> None:
        """Wraps an open connection."""
        self._connection = connection
        self._dialect = connection.dialect.name
        self._mark = "`" if self._dialect in ("mysql", "mariadb") else '"'

    def tables(self) -> list[DatabaseTable]:
        """Returns the tables that the login may read, sorted by name; views are left to their tables."""
        inspector = sa.inspect(self._connection)
        default = inspector.default_schema_name
        found = []
        for schema, plain, kind in self._listed(inspector, default):
            where = schema if schema != default else None
            with warnings.catch_warnings():
                # A type that SQLAlchemy does not know is read as text like all others.
                warnings.simplefilter("ignore", sa.exc.SAWarning)
                columns = tuple(column["name"] for column in inspector.get_columns(plain, schema=where))
            key = tuple(inspector.get_pk_constraint(plain, schema=where)["constrained_columns"])
            references = tuple(
                Reference(
                    tuple(foreign["constrained_columns"]),
                    _full_name(foreign["referred_schema"], foreign["referred_table"], default),
                    tuple(foreign["referred_columns"]),
                )
                for foreign in inspector.get_foreign_keys(plain, schema=where)
            )
            name = _full_name(schema, plain, default)
            found.append(DatabaseTable(name, columns, key, tuple(sorted(references)), where, plain, kind))
        return sorted(found, key=lambda table: table.name)

    def batches(self, table: DatabaseTable) -> Iterator[TableBatch]:
        """Yields all rows of a table, at least one batch; by rowid (SQLite), key, or place in the table."""
        names = unique_names(table.columns)
        key = tuple(names[table.columns.index(column)] for column in table.key)
        expressions = self._expressions(table)
        rowid = self._rowid(table)
        place = _braceless(table.name) + (" rowid {}" if rowid else " row {}")
        number, empty = 0, True
        with closing(self._rows(table, expressions, rowid)) as rows:
            for chunk in _gathered(rows):
                columns = list(zip(*chunk, strict=True))
                if rowid:
                    numbers = pl.Series(columns.pop(0), dtype=pl.Int64)
                else:
                    last = number + len(chunk)
                    numbers = pl.int_range(number + 1, last + 1, dtype=pl.Int64, eager=True)
                    number = last
                series = [
                    finished(pl.Series(name, _texts(column), dtype=pl.String), expression.finish)
                    for name, column, expression in zip(names, columns, expressions, strict=True)
                ]
                empty = False
                yield TableBatch(table.name, blank_to_null(pl.DataFrame(series)), numbers, place, (), key)
        if empty:
            frame = pl.DataFrame({name: pl.Series([], dtype=pl.String) for name in names})
            yield TableBatch(table.name, frame, pl.Series([], dtype=pl.Int64), place, (), key)

    def rows(self, table: DatabaseTable) -> Iterator[DatabaseRow]:
        """Yields all rows of a table in the order of its batches."""
        for batch in self.batches(table):
            unit = batch.place.removeprefix(_braceless(table.name) + " ")
            for number, cells in zip(batch.numbers, batch.frame.iter_rows(), strict=True):
                yield DatabaseRow(unit.format(number), cells)

    def count(self, table: DatabaseTable) -> int:
        """Returns the number of rows of a table."""
        return int(self._select(f"SELECT COUNT(*) FROM {self._from(table)}").scalar_one())

    def _listed(self, inspector: sa.Inspector, default: str | None) -> list[tuple[str | None, str, str]]:
        if self._dialect == "postgresql":
            found = self._select(
                "SELECT n.nspname, c.relname, c.relkind::text FROM pg_class c "
                "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'f') "
                "AND NOT c.relispartition AND n.nspname <> 'information_schema' "
                "AND left(n.nspname, 3) <> 'pg_' AND has_schema_privilege(n.oid, 'USAGE') "
                "AND has_table_privilege(c.oid, 'SELECT')"
            )
            return [(schema, name, kind) for schema, name, kind in found]
        if self._dialect == "sqlite":
            return [(None, name, "") for name in inspector.get_table_names()]
        schemas = [default] if default else inspector.get_schema_names()
        return [
            (schema, name, "")
            for schema in schemas
            if (schema or "").lower() not in _SYSTEM
            for name in inspector.get_table_names(schema=schema)
        ]

    def _select(self, sql: str, **options: Any) -> Any:
        """Runs a statement as it stands: without parameters, no driver takes a percent sign for one."""
        connection = self._connection.execution_options(no_parameters=True, **options)
        return connection.exec_driver_sql(sql)

    def _quote(self, name: str) -> str:
        return self._mark + name.replace(self._mark, 2 * self._mark) + self._mark

    def _from(self, table: DatabaseTable) -> str:
        plain = self._quote(table.plain or table.name)
        name = f"{self._quote(table.schema)}.{plain}" if table.schema else plain
        return f"ONLY {name}" if table.kind == "r" else name

    def _expressions(self, table: DatabaseTable) -> list[Expression]:
        quoted = {name: self._quote(name) for name in table.columns}
        if self._dialect == "postgresql":
            place = self._from(table).removeprefix("ONLY ").replace("'", "''")
            kinds = {
                name: (kind, category, composite)
                for name, kind, category, composite in self._select(
                    "SELECT a.attname, COALESCE(b.typname, t.typname)::text, "
                    "COALESCE(b.typcategory, t.typcategory)::text, COALESCE(b.typtype, t.typtype) = 'c' "
                    "FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid "
                    "LEFT JOIN pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype "
                    f"WHERE a.attrelid = '{place}'::regclass AND a.attnum > 0"
                )
            }
            return [postgresql_expression(quoted[name], *kinds[name]) for name in table.columns]
        if self._dialect in ("mysql", "mariadb"):
            schema = f"'{_escaped(table.schema)}'" if table.schema else "DATABASE()"
            types = {
                name: (kind, int(width or 0))
                for name, kind, width in self._select(
                    "SELECT COLUMN_NAME, LOWER(DATA_TYPE), NUMERIC_PRECISION FROM information_schema.COLUMNS "
                    f"WHERE TABLE_SCHEMA = {schema} AND TABLE_NAME = '{_escaped(table.plain)}'"
                )
            }
            return [mariadb_expression(quoted[name], *types[name]) for name in table.columns]
        return [Expression(quoted[name]) for name in table.columns]

    def _rowid(self, table: DatabaseTable) -> str:
        """Returns the name under which an SQLite table tells its row ids; empty where there are none."""
        if self._dialect != "sqlite":
            return ""
        own = {name.lower() for name in table.columns}
        for name in ("rowid", "_rowid_", "oid"):
            if name not in own:
                try:
                    self._select(f"SELECT {name} FROM {self._from(table)} LIMIT 0").close()
                except SQLAlchemyError:
                    return ""
                return name
        return ""

    def _rows(
        self, table: DatabaseTable, expressions: list[Expression], rowid: str
    ) -> Generator[list[Any], None, None]:
        """Yields rows in chunks, never more than one held by driver or server."""
        selected = [*([rowid] if rowid else []), *(expression.sql for expression in expressions)]
        order = [rowid] if rowid else [self._quote(name) for name in table.key]
        if not order and self._dialect == "postgresql" and table.kind in ("r", "p"):
            order = ["tableoid", "ctid"]
        order = order or [str(position) for position in range(1, len(selected) + 1)]
        if not selected:
            selected, order = ["1"], ["1"]
        sql = f"SELECT {', '.join(selected)} FROM {self._from(table)} ORDER BY {', '.join(order)}"
        if self._dialect == "postgresql":
            yield from self._through_cursor(sql)
            return
        if self._dialect == "sqlite":
            # Row by row, since one row may be as long as a whole batch.
            with closing(self._select(sql)) as result:
                for row in result.cursor:
                    yield [row]
            return
        driver: Any = self._connection.connection.driver_connection
        decoders = getattr(driver, "decoders", None)
        if decoders is not None:
            driver.decoders = {}
        try:
            with closing(self._select(sql, stream_results=True, max_row_buffer=_FETCH)) as result:
                size = _FIRST_FETCH
                while chunk := result.fetchmany(size):
                    rows = [tuple(row) for row in chunk]
                    size = _next_fetch(rows, size)
                    yield rows
        finally:
            if decoders is not None:
                driver.decoders = decoders

    def _through_cursor(self, sql: str) -> Generator[list[Any], None, None]:
        self._select(f"DECLARE rl_dojo_rows NO SCROLL CURSOR FOR {sql}")
        size = _FIRST_FETCH
        while chunk := self._select(f"FETCH {size} FROM rl_dojo_rows").fetchall():
            rows = [tuple(row) for row in chunk]
            size = _next_fetch(rows, size)
            yield rows
        self._select("CLOSE rl_dojo_rows")


@contextmanager
def open_database(name: str, *, path: Path | None = None, url: str | None = None) -> Iterator[Database]:
    """Gives a connection to an SQLite file or SQLAlchemy URL: one snapshot, nothing can be written.

    The URL, or its password, may be "$NAME": an environment variable.

    Raises:
        ManifestError: an environment variable is not set, or the URL is none.
        SourceError: the database cannot be opened or read; the message names the source, never the URL.
    """
    address = file_address(name, path) if path is not None else database_address(name, url or "")
    opened = False
    try:
        engine = sa.create_engine(address.url, connect_args=_arguments(address))
        try:
            with engine.connect() as connection:
                _begin_reading(connection)
                opened = True
                yield Database(connection)
        finally:
            engine.dispose()
    except (SQLAlchemyError, sqlite3.Error, ImportError, OSError) as error:
        if opened and not isinstance(error, SQLAlchemyError):
            raise
        raise SourceError(
            f"source {name!r}: the database cannot be read ({type(error).__name__}): "
            f"check path, url and the login's rights (driver: {address.url.get_driver_name()})"
        ) from None


def _arguments(address: Address) -> dict[str, Any]:
    if address.url.get_driver_name() == "pymysql":
        return {**address.arguments, "init_command": "SET time_zone = '+00:00'"}
    return address.arguments


def _begin_reading(connection: sa.Connection) -> None:
    """Begins the one transaction of a connection: reading only, all tables as of one moment."""
    dialect = connection.dialect.name
    run = connection.exec_driver_sql
    if dialect == "postgresql":
        run("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        for setting in (
            "datestyle = 'ISO, YMD'",
            "timezone = 'UTC'",
            "intervalstyle = 'iso_8601'",
            "extra_float_digits = 1",
        ):
            run(f"SET {setting}")
        connection.commit()
        run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    elif dialect in ("mysql", "mariadb"):
        run("SET SESSION TRANSACTION READ ONLY")
        run("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        run("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
    elif dialect == "sqlite":
        driver: Any = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.text_factory = lambda data: data.decode("utf-8", "replace")
        driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
        run("PRAGMA query_only = ON")
        run("PRAGMA trusted_schema = OFF")
        run("BEGIN")


def _gathered(chunks: Iterator[list[Any]]) -> Iterator[list[Any]]:
    """Yields rows in larger chunks, as many as one batch may hold."""
    rows: list[Any] = []
    size = 0
    try:
        for chunk in chunks:
            for read in chunk:
                row = without_long_binary(read) if bytes in map(type, read) else read
                size += sum(len(value) for value in row if value.__class__ in (str, bytes))
                rows.append(row)
            if len(rows) + _FETCH > BATCH_ROWS or size > _BATCH_CHARACTERS:
                yield rows
                rows, size = [], 0
    except sqlite3.Error:
        # A broken file: what stands before the break is kept.
        if rows:
            yield rows
        raise
    if rows:
        yield rows


def _next_fetch(rows: list[Any], size: int) -> int:
    """Returns how many rows to fetch next, told from how long those before were; never twice as many."""
    held = sum(len(value) for row in rows for value in row if value.__class__ in (str, bytes))
    return max(1, min(_FETCH, 2 * size, _FETCH_CHARACTERS * len(rows) // max(held, 1)))


def _texts(column: Sequence[object]) -> Sequence[str | None]:
    kinds = {value.__class__ for value in column}
    if kinds <= {str, type(None)}:
        return cast("Sequence[str | None]", column)
    if kinds == {int}:
        return list(map(str, column))
    return [value_text(value) for value in column]


def _full_name(schema: str | None, name: str, default: str | None) -> str:
    return name if schema in (None, default) else f"{schema}.{name}"


def _escaped(text: str | None) -> str:
    return (text or "").replace("\\", "\\\\").replace("'", "''")


def _braceless(name: str) -> str:
    return name.replace("{", "(").replace("}", ")")
