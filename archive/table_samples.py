"""Tables as far as a draft needs them: whole where they are small, their first row groups where they are big.

Belongs here: bounded reading through the readers of the formats. Does not belong here: what columns mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from archive.batches import TableBatch
from archive.database import open_database
from archive.errors import ArchiveError
from archive.formats import DATABASES, TABLES
from contracts.manifest import Source

MAX_ROWS = 400_000
"""Rows of one table that are looked at."""
MAX_BYTES = 128 * 1024 * 1024
"""Bytes of one table that are looked at."""
MAX_TABLES = 2_000
TOTAL_BYTES = 768 * 1024 * 1024
"""Bytes of all tables together; those that come after it are looked at in their first rows only."""
FEW_ROWS = 20_000


@dataclass(frozen=True)
class TableSample:
    """Rows of one table: strings, empty cells null."""

    name: str
    frame: pl.DataFrame
    complete: bool
    """Whether these are all rows."""
    key: tuple[str, ...] = ()
    """The key that the source itself declares."""
    rejected: int = 0
    """Rows that cannot be used."""
    pointing: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Column -> table and column that the source itself declares as its target."""

    def values(self, column: str) -> list[str]:
        """The cells of a column that are not empty, in order."""
        return self.frame[column].drop_nulls().to_list()


@dataclass
class _Gathered:
    frames: list[pl.DataFrame] = field(default_factory=list)
    key: tuple[str, ...] = ()
    rows: int = 0
    size: int = 0
    rejected: int = 0
    complete: bool = True


@dataclass
class Budget:
    """How much has been looked at, over all sources of a draft."""

    used: int = 0

    def allows(self, rows: int, size: int) -> bool:
        """Says whether a table of which so much was seen may be read on."""
        most = MAX_ROWS if self.used < TOTAL_BYTES else FEW_ROWS
        return rows < most and size < MAX_BYTES


def sample_tables(
    source: Source, files: Sequence[Path], folder: Path, budget: Budget | None = None
) -> list[TableSample]:
    """Returns the tables of a source, by name; what its reader cannot open is left out."""
    tables: dict[str, _Gathered] = {}
    budget = budget or Budget()
    pointing: dict[str, dict[str, tuple[str, str]]] = {}
    if source.format in DATABASES:
        pointing = _gather_database(tables, budget, source, folder)
    elif (read := TABLES[source.format].batches) is not None:
        for file in files:
            _gather(tables, budget, read(file, folder))
    return [
        TableSample(
            name, _joined(held.frames), held.complete, held.key, held.rejected, pointing.get(name, {})
        )
        for name, held in sorted(tables.items(), key=lambda item: item[0].lower())
    ]


def _gather_database(
    tables: dict[str, _Gathered], budget: Budget, source: Source, folder: Path
) -> dict[str, dict[str, tuple[str, str]]]:
    """Gathers a database table by table and returns the references of one column that it declares."""
    pointing: dict[str, dict[str, tuple[str, str]]] = {}
    try:
        with open_database(source.name, path=folder / (source.path or "")) as database:
            for table in database.tables()[:MAX_TABLES]:
                alone: dict[str, _Gathered] = {}
                _gather(alone, budget, database.batches(table))
                tables |= alone
                pointing[table.name] = {
                    entry.columns[0]: (entry.table, entry.to_columns[0])
                    for entry in table.references
                    if len(entry.columns) == 1 and entry.to_columns
                }
    except (ArchiveError, OSError, ValueError):
        return pointing
    return pointing


def _gather(tables: dict[str, _Gathered], budget: Budget, batches: Iterator[TableBatch]) -> None:
    try:
        for batch in batches:
            if batch.table not in tables and len(tables) >= MAX_TABLES:
                continue
            held = tables.setdefault(batch.table, _Gathered())
            held.key = held.key or batch.key
            held.rejected += len(batch.rejects)
            if not budget.allows(held.rows, held.size):
                held.complete = False
                if len(tables) == 1:
                    return
                continue
            held.frames.append(batch.frame)
            held.rows += batch.frame.height
            size = int(batch.frame.estimated_size())
            held.size += size
            budget.used += size
    except Exception:  # libraries raise anything on hostile bytes; onboarding tells what
        return


def _joined(frames: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(frames, how="diagonal") if frames else pl.DataFrame()
