"""Whether stored tables agree with the counts of their sources (invariant I1).

Belongs here: counting what lies on disk. The counts themselves were made by `archive.ingest`.
"""

import polars as pl

from anonymize.keys import DatasetKey
from anonymize.vault import raw_tables
from archive.home import DatasetHome
from archive.store import TableStore

_UNITS = ("messages", "tickets")
"""Fixed tables whose rows are the units that a source is counted in; other sources count record rows."""


def reconcile(home: DatasetHome, key: DatasetKey) -> dict[str, tuple[object, object]]:
    """Returns, for each source, (expected, actual) figures: the sum read, the rows kept and quarantined.

    Sources go by their number in the manifest: no check has yet seen whether their names tell somebody.
    """
    raw = raw_tables(home, key)
    kept = _rows_by_source(raw, [*_UNITS, *raw.record_tables()])
    quarantined = _rows_by_source(raw, ["quarantine"])
    figures: dict[str, tuple[object, object]] = {}
    for number, count in enumerate(raw.read("source_counts").iter_rows(named=True), start=1):
        source, shown = count["source"], f"source {number}"
        figures[f"{shown} read"] = (
            count["kept"] + count["duplicates"] + count["quarantined"],
            count["read"],
        )
        figures[f"{shown} kept"] = (count["kept"], kept.get(source, 0))
        figures[f"{shown} quarantined"] = (count["quarantined"], quarantined.get(source, 0))
    return figures


def _rows_by_source(store: TableStore, names: list[str]) -> dict[str, int]:
    rows: dict[str, int] = {}
    for name in names:
        counted = store.read(name, ["source"]).group_by("source").agg(pl.len())
        for source, n in counted.iter_rows():
            rows[source] = rows.get(source, 0) + n
    return rows
