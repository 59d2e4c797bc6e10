"""Tables held in memory: what several checks read one after the other is read and decrypted once.

Belongs here: holding frames up to a bound. Does not belong here: reading (`archive.store`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from archive.store import TableStore

MOST_BYTES = 512 * 1024 * 1024
"""Held of one store; beyond, the tables that were not asked for longest are let go."""


class HeldTables(TableStore):
    """A store that nobody writes meanwhile, whose tables are held after the first reading."""

    def __init__(self, store: TableStore, most: int = MOST_BYTES) -> None:
        """Takes a store and how many bytes of it are held."""
        super().__init__(store.folder, private=store.private, sealing=store.sealing)
        self._store, self._most = store, most
        self._held: dict[str, pl.DataFrame] = {}
        self._names: list[str] | None = None

    def names(self) -> list[str]:
        """Returns the names of all tables, sorted."""
        if self._names is None:
            self._names = self._store.names()
        return list(self._names)

    def has(self, name: str) -> bool:
        """Says whether the table was written."""
        return name in self.names()

    def columns(self, name: str) -> list[str]:
        """Returns the columns of a table in order."""
        return self._held[name].columns if name in self._held else self._store.columns(name)

    def read(self, name: str, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Returns a table, with some columns or all.

        Raises:
            StoreError: there is no such table, with the names that exist; or it is sealed under another key.
        """
        frame = self._held.pop(name, None)
        if frame is None:
            frame = self._store.read(name)
        self._held[name] = frame  # the last one asked for is the last one let go
        while len(self._held) > 1 and sum(one.estimated_size() for one in self._held.values()) > self._most:
            del self._held[next(iter(self._held))]
        return frame if columns is None else frame.select(columns)

    def frames(self, name: str, columns: list[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yields a table as its store does."""
        return self._store.frames(name, columns)

    def scan(self, name: str) -> pl.LazyFrame:
        """Returns a table as a lazy query."""
        return self.read(name).lazy()
