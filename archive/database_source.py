"""A database source as batches of rows; a file that is broken or hostile costs what is broken of it.

Belongs here: what becomes of a database file that cannot be read to its end. Does not belong here: reading
(`archive.database`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from sqlalchemy.exc import SQLAlchemyError

from archive.batches import TableBatch
from archive.database import Database, DatabaseTable, open_database
from archive.errors import SourceError
from archive.mailbox import relative_path
from archive.rejects import Reject
from archive.tables_csv import file_reject
from contracts.manifest import Source

MAX_RATIO = 200
"""Bytes of text per byte of the file, beyond `FREE_BYTES`, from which a database file is taken for a bomb."""
FREE_BYTES = 1024 * 1024 * 1024


def database_batches(source: Source, base: Path) -> Iterator[TableBatch]:
    """Yields the rows of all tables, table by table.

    Where a file breaks within a table, its rows before the break and all other tables are kept, and one
    reject tells the place. A file that cannot be opened is one reject.

    Raises:
        SourceError: there is no such file, or a server cannot be read.
    """
    if not source.path:
        with open_database(source.name, url=source.url) as database:
            for table in database.tables():
                yield from database.batches(table)
        return
    path = base / source.path
    reject = file_reject(path, relative_path(path, base), "unreadable_file")
    try:
        with open_database(source.name, path=path) as database:
            left = FREE_BYTES + MAX_RATIO * path.stat().st_size
            for table in database.tables():
                for batch in _whole_or_broken(database, table, reject):
                    left -= int(batch.frame.estimated_size())
                    if left < 0:
                        yield _rejected(table.name, reject._replace(reason="bomb", locator=table.name))
                        return
                    yield batch
    except SourceError:
        if not path.is_file():
            raise
        yield _rejected(path.stem, reject)


def _whole_or_broken(database: Database, table: DatabaseTable, reject: Reject) -> Iterator[TableBatch]:
    place = table.name
    try:
        for batch in database.batches(table):
            if batch.frame.height:
                place = "after " + batch.place.format(batch.numbers[-1])
            yield batch
    except (SQLAlchemyError, sqlite3.Error):
        yield _rejected(table.name, reject._replace(locator=place))


def _rejected(table: str, reject: Reject) -> TableBatch:
    return TableBatch(table, pl.DataFrame(), pl.Series([], dtype=pl.Int64), rejects=(reject,))
