"""One column as values with their places, and what replaced them as a column again with its ledger.

Belongs here: working on distinct values and whole columns instead of cell by cell. Does not belong here:
what replaces a value (`cells`), which replacement a column gets (`tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import polars as pl

from anonymize.detection import CleanText
from anonymize.ledger import LEDGER_SCHEMA, NOTHING

Outcome = str | CleanText
"""A string where the whole cell was written, else the text with the spans that were."""
ByRow = Callable[[str, int], Outcome]
"""Replaces a value in a row."""


class ByValue(NamedTuple):
    """A replacement that asks for the value alone; where it gives None the row decides."""

    value: Callable[[str], Outcome | None]
    row: ByRow


class Place(NamedTuple):
    """Which column is replaced."""

    table: str
    column: str
    kind: str
    """The kind of the column."""

    def ledger(self, cells: pl.DataFrame, alike: Iterable[str]) -> pl.DataFrame:
        """Returns the ledger of cells with a new value, written whole but for texts that stay as they are."""
        done = cells.filter(pl.col("new").is_not_null())
        stays = pl.col("raw").is_in(list(alike))
        end = pl.col("new").str.len_chars().cast(pl.Int64)
        return self.of(
            done.select(
                "row",
                "item",
                start=pl.when(stays).then(NOTHING).otherwise(0).cast(pl.Int64),
                end=pl.when(stays).then(NOTHING).otherwise(end),
                kind=pl.when(stays).then(pl.lit("")).otherwise(pl.lit(self.kind)),
            )
        )

    def of(self, spans: pl.DataFrame) -> pl.DataFrame:
        """Returns ledger rows for spans with row, item, start, end and kind."""
        return spans.select(
            pl.lit(self.table).alias("table"),
            pl.col("row").cast(pl.Int64),
            pl.lit(self.column).alias("column"),
            *(pl.col(name).cast(pl.Int64) for name in ("item", "start", "end")),
            "kind",
        )


class Replaced(NamedTuple):
    """A column after replacement."""

    series: pl.Series
    ledger: pl.DataFrame
    seen: list[tuple[int, CleanText]]
    """Row and outcome of every cell that was replaced as a text, by a row's own context."""


class ColumnValues:
    """The values of a string column or of a column of lists, each with row and item; blanks are left out."""

    def __init__(self, series: pl.Series) -> None:
        """Takes a column of strings or of lists of strings."""
        self._series = series
        self._listed = isinstance(series.dtype, pl.List)
        frame = pl.DataFrame({"raw": series}).with_row_index("row")
        if self._listed:
            frame = frame.filter(pl.col("raw").list.len() > 0).explode("raw")
        item = pl.int_range(pl.len()).over("row") if self._listed else pl.lit(0)
        self._cells = frame.select(pl.col("row").cast(pl.Int64), item.cast(pl.Int64).alias("item"), "raw")

    def distinct(self) -> list[str]:
        """Returns the values, each once, in order of first appearance."""
        values = self._cells["raw"].unique(maintain_order=True).drop_nulls().to_list()
        return [value for value in values if value]

    def replaced(self, place: Place, replace: ByValue | ByRow) -> Replaced:
        """Returns the column with every value replaced."""
        whole: dict[str, str] = {}
        texts: dict[str, CleanText] = {}
        by_row = replace.row if isinstance(replace, ByValue) else replace
        if isinstance(replace, ByValue):
            for value in self.distinct():
                new = replace.value(value)
                if isinstance(new, str):
                    whole[value] = new
                elif new is not None:
                    texts[value] = new

        def outcome(value: str, row: int) -> Outcome:
            return texts[value] if value in texts else by_row(value, row)

        alike = {value: text.text for value, text in texts.items() if not text.spans}
        cells, ledgers = self._cells, []
        known = {**whole, **alike}
        found = pl.lit(None, pl.String)
        if known:
            found = pl.col("raw").replace_strict(
                pl.Series(list(known), dtype=pl.String),
                pl.Series(list(known.values()), dtype=pl.String),
                default=None,
                return_dtype=pl.String,
            )
        cells = cells.with_columns(found.alias("new"))
        if known:
            ledgers.append(place.ledger(cells, alike))
        seen: list[tuple[int, CleanText]] = []
        waiting = cells.filter(pl.col("new").is_null() & (pl.col("raw") != ""))
        if waiting.height:
            written, ledger = _by_row(waiting, place, outcome, seen)
            cells = cells.update(written, on=["row", "item"])
            ledgers.append(ledger)
        return Replaced(self._column(cells), pl.concat([pl.DataFrame(schema=LEDGER_SCHEMA), *ledgers]), seen)

    def _column(self, cells: pl.DataFrame) -> pl.Series:
        name, dtype = self._series.name, self._series.dtype
        new = cells.select("row", pl.coalesce("new", "raw").alias(name))
        if not self._listed:
            return new[name].cast(dtype)
        lists = new.group_by("row", maintain_order=True).agg(pl.col(name))
        rows = pl.DataFrame({"row": pl.int_range(len(self._series), eager=True), "old": self._series})
        placed = rows.join(lists, on="row", how="left", maintain_order="left")
        return placed.select(pl.coalesce(pl.col(name), pl.col("old")).alias(name))[name].cast(dtype)


def _by_row(
    cells: pl.DataFrame, place: Place, replace: ByRow, seen: list[tuple[int, CleanText]]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Returns what replaced each cell, and the ledger of it."""
    news: list[str] = []
    spans: dict[str, list[int]] = {name: [] for name in ("row", "item", "start", "end")}
    kinds: list[str] = []
    for row, item, raw in cells.select("row", "item", "raw").iter_rows():
        new = replace(raw, row)
        if isinstance(new, str):
            written = [(0, len(new), place.kind)]
            news.append(new)
        else:
            written = [(span.start, span.end, span.kind) for span in new.spans] or [(NOTHING, NOTHING, "")]
            news.append(new.text)
            seen.append((row, new))
        for start, end, kind in written:
            for name, value in zip(spans, (row, item, start, end), strict=True):
                spans[name].append(value)
            kinds.append(kind)
    ledger = place.of(pl.DataFrame({**spans, "kind": kinds}, schema_overrides={"kind": pl.String}))
    return cells.select("row", "item", pl.Series("new", news, dtype=pl.String)), ledger
