"""One column as values with their places, and what replaced them as a column again with its ledger.

Belongs here: working on distinct values and whole columns instead of cell by cell. Does not belong here:
what replaces a value (`cells`), which replacement a column gets (`tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import polars as pl

from anonymize.detection import CleanText
from anonymize.ledger import LEDGER_SCHEMA, NOTHING

NO_ROWS = pl.DataFrame(schema=LEDGER_SCHEMA)
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

    def ledger(self, spans: pl.LazyFrame) -> pl.DataFrame:
        """Returns ledger rows for spans with row, item, start, end and kind."""
        return spans.select(
            pl.lit(self.table).alias("table"),
            pl.col("row").cast(pl.Int64),
            pl.lit(self.column).alias("column"),
            *(pl.col(name).cast(pl.Int64) for name in ("item", "start", "end")),
            pl.col("kind").cast(pl.String),
        ).collect()


class Replaced(NamedTuple):
    """A column after replacement."""

    series: pl.Series
    ledger: pl.DataFrame
    seen: list[tuple[int, CleanText]]
    """Row and outcome of every cell that was replaced as a text, by a row's own context."""


class ColumnValues:
    """The values of a string column or of a column of lists, each with row and item; blanks are left out.

    Lists go over to polars once: thousands of columns are short, and each of its steps has a price.
    """

    def __init__(self, series: pl.Series) -> None:
        """Takes a column of strings or of lists of strings."""
        self._series = series
        self._listed = isinstance(series.dtype, pl.List)
        cells: list[Any] = series.to_list()
        if self._listed:
            placed = [
                (row, item, raw) for row, cell in enumerate(cells) for item, raw in enumerate(cell or ())
            ]
            self._rows: Sequence[int] = [row for row, _, _ in placed]
            self._items = [item for _, item, _ in placed]
            self._values: list[str | None] = [raw for _, _, raw in placed]
        else:
            self._rows = range(len(cells))
            self._items = []
            self._values = cells

    def distinct(self) -> list[str]:
        """Returns the values, each once, in order of first appearance."""
        return [value for value in dict.fromkeys(self._values) if value]

    def replaced(self, place: Place, replace: ByValue | ByRow) -> Replaced:
        """Returns the column with every value replaced."""
        whole: dict[str | None, str] = {}
        texts: dict[str, CleanText] = {}
        by_row = replace.row if isinstance(replace, ByValue) else replace
        if isinstance(replace, ByValue):
            change = replace.value
            for value in self.distinct():
                new = change(value)
                if isinstance(new, str):
                    whole[value] = new
                elif new is not None:
                    texts[value] = new
        alike = {value for value, text in texts.items() if not text.spans}
        known = whole | {value: value for value in alike} if alike else whole
        news: list[str | None] = list(map(known.get, self._values))
        ledgers = [self._written(place, news, alike)] if known else []
        seen: list[tuple[int, CleanText]] = []
        waiting = (
            [at for at, new in enumerate(news) if new is None and self._values[at]] if None in news else []
        )
        if waiting:
            ledgers.append(self._read(place, waiting, news, texts, by_row, seen))
        return Replaced(self._column(news), pl.concat([NO_ROWS, *ledgers]), seen)

    def _written(self, place: Place, news: list[str | None], alike: set[str]) -> pl.DataFrame:
        """Returns the ledger of cells with a new value, written whole but for texts that stay as they are."""
        columns = {"row": self._rows, "item": self._items or pl.repeat(0, len(news), eager=True)}
        cells = pl.DataFrame({**columns, "new": pl.Series(news, dtype=pl.String)}).lazy()
        start, end, kind = pl.lit(0), pl.col("new").str.len_chars(), pl.lit(place.kind)
        if alike:
            cells = cells.with_columns(stays=pl.Series([value in alike for value in self._values]))
            stays = pl.when("stays")
            start, end = (stays.then(NOTHING).otherwise(one.cast(pl.Int64)) for one in (start, end))
            kind = stays.then(pl.lit("")).otherwise(kind)
        written = cells.filter(pl.col("new").is_not_null())
        return place.ledger(written.with_columns(start=start, end=end, kind=kind))

    def _read(
        self,
        place: Place,
        waiting: list[int],
        news: list[str | None],
        texts: dict[str, CleanText],
        by_row: ByRow,
        seen: list[tuple[int, CleanText]],
    ) -> pl.DataFrame:
        """Replaces the cells that wait, each in its row, in `news`, and returns the ledger of it."""
        spans: list[tuple[int, int, int, int, str]] = []
        for at in waiting:
            raw, row, item = self._values[at] or "", self._rows[at], self._items[at] if self._items else 0
            new = texts.get(raw) or by_row(raw, row)
            if isinstance(new, str):
                spans.append((row, item, 0, len(new), place.kind))
                news[at] = new
            else:
                spans += [(row, item, span.start, span.end, span.kind) for span in new.spans] or [
                    (row, item, NOTHING, NOTHING, "")
                ]
                news[at] = new.text
                seen.append((row, new))
        columns = zip(("row", "item", "start", "end", "kind"), zip(*spans, strict=True), strict=True)
        return place.ledger(pl.DataFrame(dict(columns), schema_overrides={"kind": pl.String}).lazy())

    def _column(self, news: list[str | None]) -> pl.Series:
        name, dtype = self._series.name, self._series.dtype
        values = news
        if None in news:
            values = [raw if new is None else new for new, raw in zip(news, self._values, strict=True)]
        if not self._listed:
            return pl.Series(name, values, dtype=dtype)
        lists: list[list[str | None] | None] = [
            None if cell is None else [] for cell in self._series.to_list()
        ]
        for row, value in zip(self._rows, values, strict=True):
            held = lists[row]
            if held is not None:
                held.append(value)
        return pl.Series(name, lists, dtype=dtype)
