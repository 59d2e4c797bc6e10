"""Links on their way into the table: columns found apart, put together, each link once, in a fixed order.

Belongs here: ids, order and confidence of links. Does not belong here: how they are found (`archive.links`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

import polars as pl

from archive.link_index import LinkIndex
from archive.store import polars_schema
from contracts.tables import LINKS

FOUND = ["kind", "row", "from_column", "start", "end", "target", "column", "method", "confidence"]
"""Columns of links as they are found: rows, records and columns told by numbers."""
_NAMED = ["kind", "from_table", "from_id", "from_column", "start", "end", "to_table", "to_column", "to_id"]
"""What a link is named by."""
_ORDER = [*_NAMED, "method", "confidence"]
_HASHED_AT_ONCE = 16_384
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_ESCAPED = r'["\\\x00-\x1f]'


class Stretch:
    """The links of consecutive rows of one table."""

    def __init__(self, table: str, ids: pl.Series, index: LinkIndex) -> None:
        """Begins without links.

        Args:
            table: the rows' table.
            ids: their ids.
            index: what links lead to.
        """
        self._table, self._ids, self._index = table, ids, index
        self._found: list[pl.DataFrame] = []

    def add(self, found: pl.DataFrame) -> None:
        """Adds links as they were found (`FOUND`)."""
        if found.height:
            self._found.append(found.cast({"row": pl.UInt32, "start": pl.Int64, "end": pl.Int64}))

    def links(self) -> pl.DataFrame:
        """Returns rows of the table of links, each once, sorted; none from an identifier to its own row."""
        schema = polars_schema(LINKS)
        if not self._found:
            return pl.DataFrame(schema=schema)
        found = pl.concat(self._found).unique()
        targets = self._index.columns[found["column"]]
        links = found.with_columns(
            pl.lit(self._table).alias("from_table"),
            self._ids.gather(found["row"]).alias("from_id"),
            self._index.ids.gather(found["target"]).alias("to_id"),
            *targets.iter_columns(),
        )
        links = links.filter((pl.col("kind") != "identifier") | (pl.col("from_id") != pl.col("to_id")))
        links = links.select(_ORDER).unique().sort(_ORDER)
        return links.select(_link_ids(links), *_ORDER).cast(schema)


def found_rows(kind: str, from_column: str, found: pl.DataFrame) -> pl.DataFrame:
    """Returns links from whole cells of a column, given row, target, column, method and confidence."""
    return found.select(
        pl.lit(kind).alias("kind"),
        pl.col("row").cast(pl.UInt32),
        pl.lit(from_column).alias("from_column"),
        pl.lit(-1, dtype=pl.Int64).alias("start"),
        pl.lit(-1, dtype=pl.Int64).alias("end"),
        "target",
        "column",
        pl.col("method").cast(pl.String),
        "confidence",
    )


def shared(found: pl.DataFrame, place: Sequence[str], index: LinkIndex) -> pl.DataFrame:
    """Returns links with the confidence in one of several records of one table that a place names equally.

    Records of different tables can all be meant: a login has a CRM user and a ledger user.
    """
    if found.height == found.select(place).n_unique():
        return found.rename({"certainty": "confidence"})
    table = index.columns["to_table"].gather(found["column"]).alias("to_table")
    counted = found.with_columns(table).with_columns(pl.len().over([*place, "to_table"]).alias("equal"))
    most = pl.col("equal").max().over(list(place))
    return counted.with_columns((pl.col("certainty") / most).round(4).alias("confidence"))


def _link_ids(links: pl.DataFrame) -> pl.Series:
    """The ids of `archive.identifiers.derived_id` for many links at once."""
    hashes: list[str] = []
    for piece in links.iter_slices(_HASHED_AT_ONCE):
        hashes += [sha256(text.encode()).hexdigest()[:16] for text in _named_texts(piece)]
    return ("l-" + pl.Series(hashes, dtype=pl.String)).alias("link_id")


def _named_texts(links: pl.DataFrame) -> list[str]:
    """What each link is named by, as canonical JSON."""
    parts: list[pl.Expr | pl.Series] = [pl.lit('["l"')]
    for name in _NAMED:
        text = _escaped(links[name]) if links.schema[name] == pl.String else links[name].cast(pl.String)
        parts += [pl.lit(',"'), text, pl.lit('"')]
    texts: list[str] = links.select(pl.concat_str([*parts, pl.lit("]")]).alias("text"))["text"].to_list()
    return texts


def _escaped(texts: pl.Series) -> pl.Series:
    """Strings as they stand between the quotes of canonical JSON."""
    if not texts.str.contains(_ESCAPED).any():
        return texts
    return pl.Series([_ENCODER.encode(text)[1:-1] for text in texts.to_list()], dtype=pl.String)
