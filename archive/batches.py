"""Rows of a company's own tables on their way into the archive: strings in columns, each with its place.

Belongs here: the form in which every table reader (CSV, workbooks, databases, ledgers, event logs) hands
rows on. Does not belong here: what columns mean (`archive.columns`), ids and duplicates (`archive.records`).
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from archive.rejects import Reject

BATCH_ROWS = 65_536
"""Most rows of one batch: what a reader may hold in memory at one time."""
MAX_COLUMNS = 4_096
"""Columns of one table: as many as any database server allows; a wider file is rejected whole."""


class TableBatch(NamedTuple):
    """Consecutive rows of one table, values as the system wrote them."""

    table: str
    """The table's name in its source: file stem, sheet, database table, record type."""
    frame: pl.DataFrame
    """String columns in the source's order; empty cells are null; column names are unique and not blank."""
    numbers: pl.Series
    """Int64, one per row: where it stands (line record, sheet row, rowid), ascending."""
    place: str = "row {}"
    """How `numbers` are told as locators: "row {}", "Sheet1 row {}", "VBAK rowid {}"."""
    rejects: tuple[Reject, ...] = ()
    """Rows of this stretch that cannot be used, each with its place and reason."""
    key: tuple[str, ...] = ()
    """Columns that the source itself declares as the table's key."""

    @property
    def read(self) -> int:
        """Rows that were read: kept so far and rejected."""
        return self.frame.height + len(self.rejects)


def unique_names(header: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Returns stored column names for a header: blank ones "column_3", repeated ones "Name.2"; case matters.

    A name that provenance has ("source", "path", ...) gets "_" appended.
    """
    from archive.store import RECORD_HEAD

    names: dict[str, None] = {}
    following: dict[str, int] = {}
    for position, name in enumerate(header, start=1):
        plain = name.strip() or f"column_{position}"
        plain = f"{plain}_" if plain in RECORD_HEAD else plain
        copy, number = plain, following.get(plain, 2)
        while copy in names:
            copy, number = f"{plain}.{number}", number + 1
        following[plain] = number
        names[copy] = None
    return tuple(names)
