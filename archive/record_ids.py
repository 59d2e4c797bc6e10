"""Ids of a company's own rows: by key where their table has one, else by content; repeats are numbered.

Belongs here: hashing many rows at once and remembering what stood before, eight bytes a row. Does not belong
here: which columns are the key (`archive.records`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

import numpy as np
import polars as pl

from contracts.canonical import canonical_bytes

_BETWEEN = "\x1f"


class RowIds:
    """The ids of a table's rows in order.

    A row whose key and content both stood before gets none: it is a duplicate.
    """

    def __init__(
        self,
        source: str,
        table: str,
        key: Sequence[str],
        columns: Sequence[str],
        keys: Iterable[pl.DataFrame],
    ) -> None:
        """Learns which keys stand in more than one row.

        Args:
            source: name of the source.
            table: name of the table.
            key: columns of its key, none where it has no key.
            columns: all of its columns.
            keys: the key columns of all rows.
        """
        self._prefix = canonical_bytes(["r", source, table]).decode()
        self._key, self._columns = list(key), list(columns)
        self._repeated = _repeated(keys, key)
        self._contents, self._anchors = _Seen(), _Seen()
        self.duplicates = 0

    def of(self, frame: pl.DataFrame) -> pl.Series:
        """The ids of consecutive rows, null for duplicates."""
        anchors = _joined(frame, self._key or self._columns)
        if not self._key:
            digests = [sha256(anchor.encode()).hexdigest() for anchor in anchors.to_list()]
            return self._ids(pl.Series("anchor", digests), self._anchors.numbers(_numbers_of(digests)))
        once = pl.repeat(1, len(anchors), dtype=pl.UInt32, eager=True)
        repeats = anchors.is_in(self._repeated.implode()) if len(self._repeated) else None
        if repeats is None or not repeats.any():
            return self._ids(anchors, once)
        rows = repeats.arg_true()
        contents = _digests(_joined(frame[rows], [*self._key, *self._columns]))
        new = self._contents.numbers(contents) == 1
        self.duplicates += len(new) - int(new.sum())
        kept = rows.filter(new)
        again = self._anchors.numbers(_digests(anchors.gather(kept)))
        ids = self._ids(anchors, once.scatter(kept, again))
        return ids.scatter(rows.filter(~new), None)

    def _ids(self, anchors: pl.Series, numbers: pl.Series) -> pl.Series:
        parts = [pl.lit(self._prefix + _BETWEEN), anchors, pl.lit(_BETWEEN), numbers.cast(pl.String)]
        texts = pl.select(pl.concat_str(parts)).to_series().to_list()
        names = [sha256(text.encode()).hexdigest()[:16] for text in texts]
        return "r-" + pl.Series("record_id", names, dtype=pl.String)


class _Seen:
    """What stood in the rows before, as numbers of eight bytes."""

    def __init__(self) -> None:
        self._chunks: list[pl.Series] = []

    def numbers(self, found: pl.Series) -> pl.Series:
        """Says of each value the how manyth of its kind it is, and remembers them all."""
        before = [chunk.filter(chunk.is_in(found.implode())) for chunk in self._chunks]
        self._chunks.append(found)
        if not any(map(len, before)) and not found.is_duplicated().any():
            return pl.repeat(1, len(found), dtype=pl.UInt32, eager=True)
        earlier = pl.concat([found.clear(), *before]).alias("value").value_counts(name="earlier")
        counted = found.alias("value").to_frame().join(earlier, on="value", how="left", maintain_order="left")
        number = pl.int_range(1, pl.len() + 1).over("value") + pl.col("earlier").fill_null(0)
        return counted.select(number.cast(pl.UInt32)).to_series()


def _digests(texts: pl.Series) -> pl.Series:
    return _numbers_of([sha256(text.encode()).hexdigest() for text in texts.to_list()])


def _numbers_of(digests: Sequence[str]) -> pl.Series:
    data = bytes.fromhex("".join([digest[:16] for digest in digests]))
    return pl.Series(np.frombuffer(data, dtype=np.uint64))


def _repeated(frames: Iterable[pl.DataFrame], key: Sequence[str]) -> pl.Series:
    """The keys that stand in more than one row."""
    none = pl.Series("joined", [], dtype=pl.String)
    anchors = pl.concat([none, *(_joined(frame, key) for frame in frames)]) if key else none
    return anchors.filter(anchors.is_duplicated()).unique()


def _joined(frame: pl.DataFrame, columns: Sequence[str]) -> pl.Series:
    """The cells of each row in one string; null differs from empty."""
    cells = [pl.col(name).fill_null("\x00") for name in columns]
    return frame.select(pl.concat_str(cells, separator=_BETWEEN).alias("joined"))["joined"]
