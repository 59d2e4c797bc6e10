"""What encryption at rest costs: a table of a million rows written and read, sealed and plain.

`python -m benchmarks.sealing [--rows 1000000]`

Columns are those of a record table: ids, short texts, a list, an amount. "plain" is the same store without a
key. Each work runs in a process of its own; nothing here fails by its figures.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import polars as pl

from archive.sealing import Sealing
from archive.store import RECORD_HEAD, TableStore
from benchmarks.measuring import Measured, Watch, measure, perform

TABLE = "records-bench-rows"
KEY = Sealing(bytes(range(32)))


def frame(rows: int) -> pl.DataFrame:
    """Returns rows whose values seldom repeat."""
    numbers = pl.int_range(rows, eager=True).alias("n")
    mixed = (numbers.cast(pl.UInt64) * 2_654_435_761 % 4_294_967_296).alias("mixed")
    base = pl.DataFrame([numbers, mixed])
    head = [pl.format("r-{}-{}", pl.lit(name), "mixed").alias(name) for name in RECORD_HEAD]
    return base.select(
        *head,
        pl.format("PO-{}", "n").alias("number"),
        pl.format("delivery {} of {} left the yard at {}", "n", "mixed", pl.col("mixed") % 1440).alias(
            "text"
        ),
        (pl.col("mixed") % 1_000_000).cast(pl.String).alias("amount"),
    )


def _store(folder: str, form: str) -> TableStore:
    return TableStore(Path(folder), private=True, sealing=KEY if form == "sealed" else None)


def _write(folder: str, form: str, rows: int) -> dict[str, float]:
    content = frame(rows)
    watch = Watch()
    with _store(folder, form).writer(TABLE) as writer:
        for stretch in content.iter_slices(65_536):
            writer.add(stretch)
    seconds, cpu = watch.read()
    size = _store(folder, form).path(TABLE).stat().st_size
    return {"seconds": seconds, "cpu": cpu, "rows": rows, "megabytes": size / 1e6}


def _read(folder: str, form: str) -> dict[str, float]:
    store = _store(folder, form)
    watch = Watch()
    rows = store.read(TABLE).height
    seconds, cpu = watch.read()
    return {"seconds": seconds, "cpu": cpu, "rows": rows}


def _row(work: str, form: str, done: Measured) -> str:
    rate = done.counted["rows"] / done.seconds / 1e6
    return f"{work:<6} {form:<7} {done.seconds:8.2f} {done.cpu:8.2f} {rate:9.2f} {done.peak_mb:9.0f}"


def main() -> None:
    """Prints the table, or does one piece of work for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--work")
    parser.add_argument("rest", nargs="*")
    asked = parser.parse_args()
    if asked.work == "write":
        folder, form, rows = asked.rest
        perform(lambda: _write(folder, form, int(rows)))
    elif asked.work == "read":
        folder, form = asked.rest
        perform(lambda: _read(folder, form))
    else:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{'work':<6} {'form':<7} {'seconds':>8} {'cpu':>8} {'M rows/s':>9} {'peak MB':>9}")
            for form in ("plain", "sealed", "plain", "sealed"):
                place = str(Path(folder) / form)
                print(
                    _row("write", form, measure("benchmarks.sealing", "write", place, form, str(asked.rows)))
                )
                print(_row("read", form, measure("benchmarks.sealing", "read", place, form)))


if __name__ == "__main__":
    main()
