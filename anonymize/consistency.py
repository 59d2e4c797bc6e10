"""What held together before and after: joins, threads, answers, links, repeated values, in counts.

Belongs here: comparing raw and clean tables row by row. Does not belong here: distributions of numbers
(`distributions`), whether a cell is still real (`column_audit`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from anonymize.table_shapes import table_specs
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import FIXED_TABLES, RECORD_ID, ColumnKind, record_table_name

_SURROGATES = (
    ColumnKind.ID, ColumnKind.EMAIL, ColumnKind.LOGIN, ColumnKind.PHONE, ColumnKind.COMPANY,
    ColumnKind.DOMAIN, ColumnKind.STREET, ColumnKind.CITY, ColumnKind.PROVENANCE,
)  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """One relation before and after pseudonymisation."""

    relation: str
    what: str
    """join, thread, answer, link, values or identity."""
    before: int
    after: int
    lost: int
    new: int

    @property
    def whole(self) -> bool:
        """Says whether nothing was lost and nothing is new."""
        return not self.lost and not self.new


def kept_relations(raw: TableStore, clean: TableStore, specs: dict[str, dict[str, ColumnSpec]]) -> list[Kept]:
    """Returns every relation of the raw tables with how much of it holds in the clean ones, joins first."""
    return [
        *_joins(raw, clean, specs),
        *_threads(raw, clean),
        *_links(raw, clean),
        *_values(raw, clean, specs),
    ]


def kept_identities(columns: Mapping[str, Mapping[str, int]]) -> Iterator[Kept]:
    """Yields, a kind at a time, what the audit compared: several real ones under one surrogate are new.

    Args:
        columns: kind of column -> figures of the audit.
    """
    for kind, figures in sorted(columns.items()):
        if figures.get("identities"):
            count, merged = figures["identities"], figures["merged"]
            yield Kept(
                f"one surrogate for one: {kind}", "identity", count, count - merged, figures["split"], merged
            )


def _joins(raw: TableStore, clean: TableStore, specs: dict[str, dict[str, ColumnSpec]]) -> Iterator[Kept]:
    for name in raw.record_tables():
        for column, spec in specs.get(name, {}).items():
            target = _target(spec.references, raw)
            if target is None or column not in raw.read(name).columns:
                continue
            table, key = target
            sides = [(store.read(name)[column], store.read(table)[key]) for store in (raw, clean)]
            yield _compared(f"{name}.{column} → {table}.{key}", "join", *(_rows(*side) for side in sides))


def _target(references: str | None, raw: TableStore) -> tuple[str, str] | None:
    parts = (references or "").split(".")
    for cut in range(2, len(parts)):
        table, column = record_table_name(parts[0], ".".join(parts[1:cut])), ".".join(parts[cut:])
        if raw.has(table) and column in raw.read(table).columns:
            return table, column
    return None


def _rows(values: pl.Series, keys: pl.Series) -> pl.DataFrame:
    """Returns every matching pair of rows, where zeros before a number do not count."""
    left, right = _keyed(values, "row"), _keyed(keys, "to")
    return left.join(right, on="key").select("row", "to").unique()


def _keyed(series: pl.Series, number: str) -> pl.DataFrame:
    frame = pl.DataFrame({"key": series}).with_row_index(number)
    if isinstance(series.dtype, pl.List):
        frame = frame.filter(pl.col("key").list.len() > 0).explode("key")
    key = pl.col("key").cast(pl.String).str.strip_chars().str.strip_chars_start("0")
    return frame.with_columns(key).filter(pl.col("key") != "")


def _compared(relation: str, what: str, before: pl.DataFrame, after: pl.DataFrame) -> Kept:
    on = before.columns
    lost, new = before.join(after, on=on, how="anti").height, after.join(before, on=on, how="anti").height
    return Kept(relation, what, before.height, after.height, lost, new)


def _threads(raw: TableStore, clean: TableStore) -> Iterator[Kept]:
    if not (raw.has("messages") and clean.has("messages")):
        return
    old, new = raw.read("messages"), clean.read("messages")
    yield _partition("messages.thread_id", "thread", old["thread_id"], new["thread_id"])
    for column in ("in_reply_to", "references"):
        pairs = (_rows(frame[column], frame["header_id"]) for frame in (old, new))
        yield _compared(f"messages.{column} → messages.header_id", "answer", *pairs)


def _partition(relation: str, what: str, old: pl.Series, new: pl.Series) -> Kept:
    """Compares which rows share a value: two groups that became one are new, one that became two is lost."""
    pairs = pl.DataFrame({"old": old, "new": new}).drop_nulls().unique()
    before, after = pairs["old"].n_unique(), pairs["new"].n_unique()
    return Kept(relation, what, before, after, pairs.height - before, pairs.height - after)


def _links(raw: TableStore, clean: TableStore) -> Iterator[Kept]:
    if not (raw.has("links") and clean.has("links")):
        return
    old, new = raw.read("links"), clean.read("links")
    for side in ("from", "to"):
        held = [_resolved(store, frame, side) for store, frame in ((raw, old), (clean, new))]
        yield _compared(f"links.{side}_id → its row", "link", *held)


def _resolved(store: TableStore, links: pl.DataFrame, side: str) -> pl.DataFrame:
    """Returns which link leads to which row."""
    found = [pl.DataFrame(schema={"row": pl.UInt32, "table": pl.String, "to": pl.UInt32})]
    numbered = links.with_row_index("row")
    for table in links[f"{side}_table"].drop_nulls().unique().sort().to_list():
        if store.has(table):
            key = FIXED_TABLES[table].key if table in FIXED_TABLES else RECORD_ID.name
            rows = store.read(table).select(pl.col(key).alias("id")).with_row_index("to")
            own = numbered.filter(pl.col(f"{side}_table") == table).select(
                "row", pl.col(f"{side}_id").alias("id")
            )
            joined = own.join(rows, on="id").with_columns(pl.lit(table).alias("table"))
            found.append(joined.select("row", "table", "to"))
    return pl.concat(found)


def _values(raw: TableStore, clean: TableStore, specs: dict[str, dict[str, ColumnSpec]]) -> Iterator[Kept]:
    """Yields, a kind at a time, whether rows that shared a value still do, and no others."""
    totals: dict[ColumnKind, list[int]] = {}
    for name in raw.names():
        if not clean.has(name) or name == "links":
            continue
        old, new = raw.read(name), clean.read(name)
        for column, spec in table_specs(name, specs).items():
            if (
                spec.kind in _SURROGATES
                and column in old.columns
                and column != "locator"  # "row 2" of two files is one value and two places
                and not isinstance(old[column].dtype, pl.List)
            ):
                kept = _partition("", "", old[column].cast(pl.String), new[column].cast(pl.String))
                total = totals.setdefault(spec.kind, [0, 0, 0, 0])
                for at, count in enumerate((kept.before, kept.after, kept.lost, kept.new)):
                    total[at] += count
    for kind in sorted(totals):
        yield Kept(f"rows that share a value: {kind.value}", "values", *totals[kind])
