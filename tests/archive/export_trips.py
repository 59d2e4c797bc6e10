"""Round trips for the tests of exports: an archive read, written back, and read again.

The clean tables of these trips are the raw ones with one word replaced everywhere, so that what comes back
can be compared cell by cell and everything that replacement did not see stands out.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from archive.export import ExportReport, export_dataset
from archive.home import DatasetHome
from archive.ingest import IngestReport, ingest_dataset
from archive.loading import load_manifest
from archive.store import TableStore

REAL, CLEAN = "Rosalind", "Theodora"
"""The name that replacement changes, and what it becomes; both have eight letters."""
PLACED = ("source", "path", "locator", "content_hash")


def silent(step: str, done: int, total: int) -> None:
    """Hears of progress and says nothing."""


class Trip:
    """An archive in a folder, its tables, and what came of writing it back."""

    def __init__(self, folder: Path, files: Mapping[str, bytes], sources: Sequence[str]) -> None:
        """Reads the files under a manifest of these sources (YAML), writes them back and reads them again."""
        base = folder / "archive"
        for name, data in files.items():
            (base / name).parent.mkdir(parents=True, exist_ok=True)
            (base / name).write_bytes(data)
        company = "{names: [Acme], domains: [acme.com], zones: [Europe/Berlin], currency: EUR}"
        listed = "".join(f"  - {source}\n" for source in sources)
        (base / "dataset.yaml").write_text(
            f"name: trip\ncompany: {company}\nsources:\n{listed}", encoding="utf-8"
        )
        self.base, self.out = base, folder / "out"
        self.home = DatasetHome(folder / "home", "trip")
        self.first = ingested(base, self.home.raw)
        self.raw = TableStore(self.home.raw, private=True)
        replaced(self.home.raw, self.home.clean)
        self.report: ExportReport = export_dataset(self.home, self.raw, load_manifest(base), self.out, silent)
        again = folder / "again"
        self.second = ingested(self.out, again)
        self.again = TableStore(again, private=True)

    def same(self, table: str, but: Sequence[str] = ()) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Returns both states of a table without ids and places, in one order: the clean and the read one."""
        sides = []
        for store in (TableStore(self.home.clean), self.again):
            frame = store.read(table)
            ids = [
                name
                for name in frame.columns
                if (name.endswith("_id") and name != "header_id") or name in (*PLACED, *but)
            ]
            kept = frame.drop(ids)
            key = pl.Series([str(row) for row in kept.iter_rows()])
            sides.append(kept[key.arg_sort().to_list()])
        return sides[0], sides[1]

    def bytes(self) -> bytes:
        """Returns all that was written, names of files included."""
        files = sorted(path for path in self.out.rglob("*") if path.is_file())
        return b"\n".join(str(path.relative_to(self.out)).encode() + path.read_bytes() for path in files)


def ingested(folder: Path, raw: Path) -> IngestReport:
    """Reads an archive into a folder of tables."""
    loaded = load_manifest(folder)
    return ingest_dataset(loaded.manifest, loaded.base, raw, silent)


def replaced(raw: Path, clean: Path) -> None:
    """Copies tables with one word replaced in every text."""
    clean.mkdir(parents=True)
    for path in raw.glob("*.json"):
        text = path.read_text(encoding="utf-8")
        (clean / path.name).write_text(text.replace(REAL, CLEAN).replace(REAL.lower(), CLEAN.lower()))
    for path in raw.glob("*.parquet"):
        frame = pl.read_parquet(path)
        frame.with_columns(
            _replaced(pl.col(name), kind) for name, kind in frame.schema.items()
        ).write_parquet(clean / path.name)
    shutil.rmtree(raw / "parts", ignore_errors=True)


def _replaced(column: pl.Expr, kind: pl.DataType) -> pl.Expr:
    if kind == pl.String:
        return column.str.replace_all(REAL, CLEAN).str.replace_all(REAL.lower(), CLEAN.lower())
    if kind == pl.List(pl.String):
        return column.list.eval(_replaced(pl.element(), pl.String()))
    return column
