"""Links: where the archive's matches point in raw text, and where they point in clean text.

Belongs here: turning the table of links into spans for detection, and its offsets into clean ones.
"""

from __future__ import annotations

import polars as pl

from anonymize.amounts import hundredths
from anonymize.detection import CleanText
from anonymize.findings import LinkedSpan
from anonymize.table_shapes import strings
from anonymize.tables import LinkKey
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import FIXED_TABLES, RECORD_ID

WORTH = ("identifier", "amount")


def linked_spans(raw: TableStore) -> dict[LinkKey, list[LinkedSpan]]:
    """Returns the spans of text that links match with records, by cell."""
    if not raw.has("links"):
        return {}
    frame = raw.read("links").filter((pl.col("start") >= 0) & pl.col("kind").is_in(WORTH))
    specs = raw.column_specs() if raw.record_tables() else {}
    amounts = _amounts(raw, specs, frame.filter(pl.col("kind") == "amount"))
    spans: dict[LinkKey, list[LinkedSpan]] = {}
    for row in frame.iter_rows(named=True):
        minor = (
            amounts.get((row["to_table"], row["to_column"], row["to_id"]), 0)
            if row["kind"] == "amount"
            else 0
        )
        span = LinkedSpan(row["start"], row["end"], row["kind"], minor)
        held = spans.setdefault((row["from_table"], row["from_id"], row["from_column"]), [])
        if span not in held:
            held.append(span)
    return {key: sorted(held) for key, held in spans.items()}


def _amounts(
    raw: TableStore, specs: dict[str, dict[str, ColumnSpec]], links: pl.DataFrame
) -> dict[tuple[str, str, str], int]:
    found: dict[tuple[str, str, str], int] = {}
    for (table, column), part in links.group_by("to_table", "to_column", maintain_order=True):
        if not raw.has(str(table)):
            continue
        frame = raw.read(str(table))
        key = FIXED_TABLES[str(table)].key if str(table) in FIXED_TABLES else RECORD_ID.name
        if str(column) not in frame.columns:
            continue
        wanted = frame.filter(pl.col(key).is_in(strings(part["to_id"]))).select(
            key, pl.col(str(column)).cast(pl.String)
        )
        spec = specs.get(str(table), {}).get(str(column))
        for record, value in wanted.iter_rows():
            minor = hundredths(value or "", spec.decimal_mark if spec is not None else ".")
            if minor:
                found[(str(table), str(column), record)] = minor
    return found


def clean_links(frame: pl.DataFrame, raw: pl.DataFrame, cells: dict[LinkKey, CleanText]) -> pl.DataFrame:
    """Returns the cleaned table of links with offsets that hold in the clean text.

    `raw` is the same table before replacement, row by row, because cells are known by their raw ids.
    """
    starts, ends = [], []
    for row in raw.iter_rows(named=True):
        cell = cells.get((row["from_table"], row["from_id"], row["from_column"]))
        if row["start"] < 0 or cell is None:
            starts.append(row["start"])
            ends.append(row["end"])
        else:
            starts.append(cell.offset(row["start"]))
            ends.append(cell.offset(row["end"], end=True))
    return frame.with_columns(
        pl.Series("start", starts, dtype=pl.Int64), pl.Series("end", ends, dtype=pl.Int64)
    )
