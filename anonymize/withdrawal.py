"""Taking rows out of raw tables so that everything still adds up: their place stays in quarantine.

Belongs here: mails, tickets and records that leave with all that belongs to them, counts of sources
(invariant I1), links that pointed to them. Does not belong here: which rows leave (`erasure`, `retention`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import polars as pl

from archive.ingest import PROVENANCE_FILE
from archive.store import TableStore, empty_frame
from contracts.tables import FIXED_TABLES, RECORD_ID, is_record_table

BELONGINGS = {
    "messages": (("attachments", "message_id"), ("calendar_items", "message_id")),
    "tickets": (("ticket_events", "ticket_id"), ("comments", "ticket_id")),
    "documents": (("revisions", "document_id"), ("revision_events", "document_id")),
}
"""Table -> tables whose rows are part of one of its rows, and the column that says of which."""


def key_column(table: str) -> str:
    """Returns the key column of a raw table."""
    return RECORD_ID.name if is_record_table(table) else FIXED_TABLES[table].key


def withdraw(raw: TableStore, keys: Mapping[str, set[str]], reason: str) -> dict[str, int]:
    """Takes rows out of raw tables by key, with all that belongs to them, and returns table -> rows.

    Of mails, tickets and records the place goes to quarantine with the reason; sources' counts follow.
    """
    gone = {table: set(found) for table, found in keys.items() if found}
    rows: dict[str, int] = {}
    rejects: list[pl.DataFrame] = []
    kept: Counter[str] = Counter()
    for table in sorted(gone, key=lambda name: name not in BELONGINGS):
        frame = raw.read(table)
        leaves = pl.col(key_column(table)).is_in(sorted(gone[table]))
        taken = frame.filter(leaves)
        if not taken.height:
            continue
        for other, column in BELONGINGS.get(table, ()):
            belonging = raw.read(other, [key_column(other), column]).filter(
                pl.col(column).is_in(sorted(gone[table]))
            )
            _drop(raw, other, set(belonging[key_column(other)]), rows)
            gone[other] = gone.get(other, set()) | set(belonging[key_column(other)])
        if table in ("messages", "tickets") or is_record_table(table):
            rejects.append(
                taken.select(
                    "source",
                    "path",
                    "locator",
                    "content_hash",
                    pl.lit(reason).alias("reason"),
                    pl.lit(0, dtype=pl.Int64).alias("size_bytes"),
                )
            )
            kept.update(taken["source"].to_list())
        raw.write(table, frame.filter(~leaves))
        rows[table] = rows.get(table, 0) + taken.height
    if rows:
        _unlink(raw, set().union(*gone.values()))
        _count(raw, rejects, kept)
    return rows


def _drop(raw: TableStore, table: str, keys: set[str], rows: dict[str, int]) -> None:
    if keys:
        frame = raw.read(table)
        left = frame.filter(~pl.col(key_column(table)).is_in(sorted(keys)))
        raw.write(table, left)
        rows[table] = rows.get(table, 0) + frame.height - left.height


def _unlink(raw: TableStore, keys: set[str]) -> None:
    links = raw.read("links")
    ends = pl.col("from_id").is_in(sorted(keys)) | pl.col("to_id").is_in(sorted(keys))
    raw.write("links", links.filter(~ends))


def _count(raw: TableStore, rejects: list[pl.DataFrame], taken: Counter[str]) -> None:
    """Moves what was taken from kept to quarantined, in tables and in the provenance beside them."""
    quarantine = pl.concat([empty_frame(FIXED_TABLES["quarantine"]), raw.read("quarantine"), *rejects])
    raw.write("quarantine", quarantine)
    counts = raw.read("source_counts")
    moved = pl.col("source").replace_strict(dict(taken), default=0, return_dtype=pl.Int64)
    counts = counts.with_columns(pl.col("kept") - moved, pl.col("quarantined") + moved)
    raw.write("source_counts", counts)
    provenance = raw.read_json(PROVENANCE_FILE)
    assert isinstance(provenance, dict)
    provenance["sources"] = list(counts.iter_rows(named=True))
    provenance["tables"] = {name: raw.read(name, [raw.columns(name)[0]]).height for name in raw.names()}
    provenance["reasons"] = dict(sorted(Counter(quarantine["reason"].to_list()).items()))
    raw.write_json(PROVENANCE_FILE, provenance)
