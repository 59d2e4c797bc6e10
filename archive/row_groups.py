"""Parquet files that grow and are read a row group at a time, sealed or plain.

Belongs here: bounded memory, compression, encryption of one file. Does not belong here: which tables there
are (`archive.store`) and which parts (`archive.parts`).
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq

from archive.errors import StoreError
from archive.sealing import Sealing, is_sealed, opened

ROW_GROUP = 65_536
"""Most rows of one row group of a table."""
_GROUP_BYTES = 32 * 1024 * 1024
"""About so many bytes of rows fill a row group: long texts are not held by tens of thousands."""
_COMPRESSION = 3
_LASTING = {"compression": "zstd", "compression_level": _COMPRESSION}
_PASSING = {"compression": "lz4", "use_dictionary": False}
_VIEWS = pl.CompatLevel.newest()
"""The form of strings that polars has itself: nothing is copied on the way."""

_ASIDE = re.compile(r"\.(?:aside-|.*\.aside$)")
_NUMBER = re.compile(r"\(os error (\d+)\)")


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Tells a full disk, a missing right or the like as an error of the store.

    Raises:
        StoreError: the block could not write.
    """
    try:
        yield
    except (OSError, sqlite3.OperationalError, pl.exceptions.ComputeError) as error:
        if isinstance(error, pl.exceptions.ComputeError) and _NUMBER.search(str(error)) is None:
            raise
        while _ASIDE.match(folder.name):  # what is written aside belongs to the folder around it
            folder = folder.parent
        raise StoreError(
            f"the {folder.name} folder cannot be written ({_cause(error)}): make room or correct its rights, "
            "and run again; what was finished is kept"
        ) from None


def _cause(error: Exception) -> str:
    """Returns what the system said, by its number: texts of libraries may quote paths or cells."""
    if isinstance(error, sqlite3.OperationalError):
        full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
        return os.strerror(errno.ENOSPC) if full else error.sqlite_errorname
    written = _NUMBER.search(str(error))
    number = getattr(error, "errno", None) or (int(written[1]) if written is not None else 0)
    return os.strerror(number) if number else type(error).__name__


class RowGroups:
    """A Parquet file that grows: frames wait until they fill a row group of bounded rows and bytes."""

    def __init__(
        self, path: Path, *, passing: bool = False, sealing: Sealing | None = None, name: str | None = None
    ) -> None:
        """Begins without a file; the first row group makes it.

        Args:
            path: the file.
            passing: whether it is read a few times at most, so that speed counts more than size.
            sealing: the key under which it is written; None for a plain file.
            name: what it is sealed as; None where its file name says that.
        """
        self._path = path
        self._form: dict[str, Any] = dict(_PASSING if passing else _LASTING)
        if sealing is not None:
            self._form["encryption_properties"] = sealing.writing(name or path.stem)
        self._thread = ThreadPoolExecutor(1)
        self._writing: Future[None] | None = None
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pl.DataFrame] = []
        self._rows = 0
        self.waiting_bytes = 0

    def add(self, frame: pl.DataFrame) -> None:
        """Appends rows.

        Raises:
            StoreError: the disk is full or the like.
        """
        self._waiting.append(frame)
        self._rows += frame.height
        self.waiting_bytes += int(frame.estimated_size())
        if self._rows >= ROW_GROUP or self.waiting_bytes >= _GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        """Writes what waits as a row group, however small.

        Raises:
            StoreError: the disk is full or the like.
        """
        if not self._waiting or not (self._rows or self._writer is None):
            return
        self._written()
        frames, self._waiting = self._waiting, []
        self._rows = self.waiting_bytes = 0
        if self._writer is None:
            schema = frames[0].clear().to_arrow(compat_level=_VIEWS).schema
            with writing(self._path.parent):
                self._writer = pq.ParquetWriter(self._path, schema, **self._form)
        self._writing = self._thread.submit(self._write, self._writer, frames)

    def close(self) -> None:
        """Writes what waits and closes the file.

        Raises:
            StoreError: the disk is full or the like.
        """
        try:
            self.flush()
            self._written()
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Closes the file without what waits.

        Raises:
            StoreError: the disk is full or the like.
        """
        self._waiting.clear()
        self._thread.shutdown()
        with writing(self._path.parent):
            if self._writer is not None:
                self._writer.close()

    def _written(self) -> None:
        """Waits for the row group before, which is written while the next one is made."""
        if self._writing is not None:
            with writing(self._path.parent):
                self._writing.result()

    @staticmethod
    def _write(writer: pq.ParquetWriter, frames: list[pl.DataFrame]) -> None:
        table = pl.concat(frames, rechunk=True).to_arrow(compat_level=_VIEWS)
        writer.write_table(table, row_group_size=ROW_GROUP)


def row_groups(
    path: Path, columns: list[str] | None = None, sealing: Sealing | None = None, name: str | None = None
) -> Iterator[pl.DataFrame]:
    """Yields the rows of a Parquet file, one row group at a time.

    Raises:
        StoreError: the file is sealed with another key, or was edited.
    """
    with opened(path, sealing, name) as file:
        for group in range(file.num_row_groups):
            yield _frame(file.read_row_group(group, columns=columns))


def write_rows(
    path: Path, frame: pl.DataFrame, sealing: Sealing | None = None, name: str | None = None
) -> None:
    """Writes a Parquet file whole; equal bytes of equal plain frames; a sealed one opens as `name`.

    Raises:
        StoreError: the disk is full or the like.
    """
    with writing(path.parent):
        if sealing is None:
            frame.write_parquet(
                path, compression="zstd", compression_level=_COMPRESSION, row_group_size=ROW_GROUP
            )
            return
        table = frame.to_arrow(compat_level=_VIEWS)
        form: dict[str, Any] = {**_LASTING, "encryption_properties": sealing.writing(name or path.stem)}
        pq.write_table(table, path, row_group_size=ROW_GROUP, **form)


def read_rows(
    path: Path, columns: Sequence[str] | None = None, sealing: Sealing | None = None, name: str | None = None
) -> pl.DataFrame:
    """Returns all rows of a Parquet file, of some columns or all.

    Raises:
        StoreError: the file is sealed and the key is missing or another one, or it was edited.
    """
    if sealing is None and not is_sealed(path):
        return pl.read_parquet(path, columns=None if columns is None else list(columns))
    with opened(path, sealing, name) as file:
        return _frame(file.read(columns=None if columns is None else list(columns)))


def column_names(path: Path, sealing: Sealing | None = None, name: str | None = None) -> list[str]:
    """Returns the columns of a Parquet file in order.

    Raises:
        StoreError: the file is sealed and the key is missing or another one, or it was edited.
    """
    with opened(path, sealing, name) as file:
        return list(file.schema_arrow.names)


def _frame(table: Any) -> pl.DataFrame:
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame
