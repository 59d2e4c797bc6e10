"""Columns of very many different values, cut to those that tell all there is to tell of their writing.

Belongs here: which values stand for the rest, vectorised. Numbers that differ in digits alone are written
alike: of each such shape its ends and one cell with decimals are enough. Dates of one day and hour differ in
nothing that decides their form. Of texts the first few are looked at anyway. Does not belong here: reading
them (`archive.column_numbers`, `archive.times`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

import polars as pl

MANY = 3_000
"""Different values from which a column is cut."""
FIRST = 3_000
"""First values that are always kept."""
_MOST_DAYS = 60_000
"""Different days that a column of dates in digits can have."""
_LONGEST_MARK = 24
_CLOCK = r"(?:T|,? +)\d{1,2}:\d\d\S*(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?$"
_BROKEN = r"[.,]\d*[1-9]\d*\D*$"


class Look(Enum):
    """What the first values of a column look like."""

    NUMBERS = auto()
    DATES = auto()
    TEXTS = auto()


class Cut(NamedTuple):
    """Values that stand for a column, and for how many cells each; None where each stands for itself."""

    values: Sequence[str]
    counts: Mapping[str, int] | None


def cut_column(
    values: Sequence[str], counts: Mapping[str, int] | None, look: Look, marks: Collection[str]
) -> Cut:
    """Returns the values of a big column that tell its writing, marks of no value among them.

    Args:
        values: the cells that are not empty, or the distinct ones.
        counts: how often each value stands in the column; once each when None.
        look: what the first values look like.
        marks: words in lower case that can stand for no value.
    """
    cells = pl.Series("cell", values, dtype=pl.String)
    if counts is None:
        weights = pl.repeat(1, len(cells), eager=True).alias("weight")
    else:
        weights = pl.Series("weight", [counts.get(value, 1) for value in values])
    frame = pl.DataFrame([cells, weights])
    if look is Look.NUMBERS:
        kept = _numbers(frame)
    elif look is Look.DATES:
        kept = _dates(frame)
    else:
        kept = dict.fromkeys(values[:FIRST], 1)
    trimmed = frame.filter(pl.col("cell").str.len_bytes() <= _LONGEST_MARK).with_columns(
        low=pl.col("cell").str.strip_chars().str.to_lowercase()
    )
    for cell, weight in trimmed.filter(pl.col("low").is_in(list(marks))).select("cell", "weight").iter_rows():
        kept[cell] = weight
    if look is Look.TEXTS:
        return Cut(list(kept), counts)
    return Cut(list(kept), kept)


def _numbers(frame: pl.DataFrame) -> dict[str, int]:
    """Of every shape the first cell with the weight of all, its ends and one cell with decimals."""
    cell = pl.col("cell")
    shaped = frame.with_columns(shape=cell.str.replace_all(r"\d", "9"))
    groups = shaped.group_by("shape", maintain_order=True).agg(
        pl.col("weight").sum(),
        first=cell.first(),
        low=cell.min(),
        high=cell.max(),
        broken=cell.filter(cell.str.contains(_BROKEN)).first(),
    )
    kept = dict(groups.select("first", "weight").iter_rows())
    for name in ("low", "high", "broken"):
        for value in groups[name].drop_nulls():
            kept.setdefault(value, 0)
    for length in (8, 14):  # dates in digits must all be looked at, as ids may be as long
        digits = shaped.filter(pl.col("shape") == "9" * length)["cell"]
        step = 1 if length == 8 and len(digits) <= _MOST_DAYS else max(1, len(digits) // FIRST)
        for value in digits.gather_every(step):
            kept.setdefault(value, 0)
    return kept


def _dates(frame: pl.DataFrame) -> dict[str, int]:
    """The first cell of every day, hour and writing of the time, in order, with the weight of all."""
    clock = pl.col("cell").str.extract(f"({_CLOCK})", 1).fill_null("")
    parts = frame.with_columns(clock=clock).with_columns(
        day=pl.col("cell").str.head(pl.col("cell").str.len_chars() - pl.col("clock").str.len_chars()),
        hour=pl.col("clock").str.extract(r"(\d{1,2}):", 1),
        shape=pl.col("clock").str.replace_all(r"\d", "9"),
    )
    groups = parts.group_by("day", "hour", "shape", maintain_order=True).agg(
        pl.col("cell").first(), pl.col("weight").sum()
    )
    return dict(groups.select("cell", "weight").iter_rows())
