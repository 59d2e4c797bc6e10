"""Content hashes of raw rows from which somebody was erased: keyed marks stand in their place.

Belongs here: which hashes still prove what was delivered with the erased in it, and replacing them. Does not
belong here: which rows change (`erasure`). A hash of the original would confirm a guess of what was blotted
out; a mark does so only for who has the key, and is the same after every new reading of the archive.
"""

from __future__ import annotations

import polars as pl

from anonymize.tombstones import Tombstones
from anonymize.withdrawal import BELONGINGS, key_column
from archive.store import TableStore

_HASH = "content_hash"
_MARKED = "erased-"
"""What a mark begins with, so that it is told from a hash and never marked again."""


class ForgottenContents:
    """The hashes of what held an erased person, collected table by table."""

    def __init__(self, tombstones: Tombstones) -> None:
        self._tombstones = tombstones
        self._hashes: set[str] = set()
        self._parents: dict[str, set[str]] = {}

    def changed(self, table: str, before: pl.DataFrame, after: pl.DataFrame) -> None:
        """Takes a table as it was and with some cells emptied or blotted, its rows in the same order."""
        rows = [after[column].ne_missing(before[column]).alias(column) for column in before.columns]
        self.held(table, before.filter(pl.DataFrame(rows).select(pl.any_horizontal(pl.all())).to_series()))

    def held(self, table: str, rows: pl.DataFrame) -> None:
        """Takes rows of a table that held an erased person; a mail's hash is of its attachments too."""
        self._hashes |= set(rows[_HASH].drop_nulls())
        for parent, children in BELONGINGS.items():
            for child, column in children:
                if child == table:
                    self._parents.setdefault(parent, set()).update(rows[column].drop_nulls())

    def forget(self, raw: TableStore) -> None:
        """Puts marks in place of these hashes, in whatever row of whatever table they stand."""
        for table, ids in self._parents.items():
            key = key_column(table)
            whole = raw.read(table, [key, _HASH]).filter(pl.col(key).is_in(sorted(ids)))
            self._hashes |= set(whole[_HASH].drop_nulls())
        old = sorted(one for one in self._hashes if not one.startswith(_MARKED))
        new = [_MARKED + self._tombstones.mark("content", one) for one in old]
        for name in raw.names() if old else ():
            if _HASH in raw.columns(name) and raw.read(name, [_HASH])[_HASH].is_in(old).any():
                marked = pl.col(_HASH).replace(old, new)
                raw.write(name, raw.read(name).with_columns(marked))
