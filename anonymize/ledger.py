"""The ledger of replacements: where in clean cells replacement wrote, never what.

Belongs here: its rows and looking them up by cell. Does not belong here: making it (`tables`), judging by it
(`leaks`, `single_names`, `column_audit`).
"""

from __future__ import annotations

import polars as pl

Span = tuple[int, int]
Cell = tuple[int, int]
"""Row and item."""


NOTHING = -1
"""Start and end of a text in which nothing was replaced."""

LEDGER_PREFIX = "policy:"
"""In front of an action of the policy where that, and no surrogate, is what was written."""

KEPT = f"{LEDGER_PREFIX}keep"
"""Where nothing was written on purpose."""

LEDGER_SCHEMA = pl.Schema(
    {
        "table": pl.String(),
        "row": pl.Int64(),
        "column": pl.String(),
        "item": pl.Int64(),
        "start": pl.Int64(),
        "end": pl.Int64(),
        "kind": pl.String(),
    }
)


class Ledger:
    """The ledger of one dataset, opened a column at a time."""

    def __init__(self, frame: pl.DataFrame) -> None:
        """Takes the rows in any order."""
        self.frame = frame
        parts = frame.partition_by("table", "column", as_dict=True, include_key=False, maintain_order=True)
        self._parts = {(str(table), str(column)): part for (table, column), part in parts.items()}
        self._spans: dict[tuple[str, str], dict[Cell, list[Span]]] = {}
        self._kept: dict[tuple[str, str], frozenset[Cell]] = {}

    def spans(self, table: str, column: str) -> dict[Cell, list[Span]]:
        """Returns what was written into each cell of a column: its spans in the clean text."""
        key = (table, column)
        if key not in self._spans:
            found: dict[Cell, list[Span]] = {}
            if key in self._parts:
                rows = self._parts[key].filter(pl.col("start") >= 0).select("row", "item", "start", "end")
                for row, item, start, end in rows.iter_rows():
                    found.setdefault((row, item), []).append((start, end))
            self._spans[key] = found
        return self._spans[key]

    def kept(self, table: str, column: str) -> frozenset[Cell]:
        """Returns the cells of a column that the policy keeps as they are."""
        key = (table, column)
        if key not in self._kept:
            rows = self._parts[key].filter(pl.col("kind") == KEPT) if key in self._parts else None
            self._kept[key] = (
                frozenset(rows.select("row", "item").iter_rows()) if rows is not None else frozenset()
            )
        return self._kept[key]

    def cells(self, table: str, column: str) -> pl.DataFrame:
        """Returns row and item of every cell of a column that replacement has seen."""
        part = self._parts.get((table, column))
        empty = pl.DataFrame(schema={"row": pl.Int64(), "item": pl.Int64()})
        return empty if part is None else part.select("row", "item").unique()
