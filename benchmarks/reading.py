"""How fast an archive is read, against the standard library and polars over the same files.

`python -m benchmarks.reading [--scale 135] [--rows-scale 460] [--folder FOLDER]`

The archives are made once by `data_samples.make` and kept in the folder: about 200,000 mails and 2 million
rows (those of the ledger's SQLite file written as CSV) with the defaults, and a tenth of them for memory.

Mails: (a) is `mailbox.mbox` with `email.policy.default`, seven headers read and `get_content` of all parts,
over all mbox files. `parsed-mails` is ours up to the parsed mail in one process, before quotes are split;
`split-quotes` is that alone, once per distinct text; `ingest-mails-N` is the whole of ingest with portions
read by N processes, of which "reading" is the share of the portions.
Tables: (b) is `polars.read_csv` of every file. `ingest-tables-N` is ours: "tables" is the time until parts
and record tables are written, the rest finds links.

Ratios are those of bytes per second to the first row, on the wall and per second of processors; for tables
up to the record tables. Figures depend on the machine and on who else uses it; nothing here fails by them.
"""

from __future__ import annotations

import argparse
import csv
import email
import email.policy
import mailbox
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import polars as pl

from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.mailbox import read_mbox
from archive.message import ParsedMail, parse_mail
from archive.quotes import split_body
from archive.rejects import Reject
from benchmarks.measuring import Measured, Watch, measure, perform, table

HEADERS = ("from", "to", "cc", "subject", "date", "message-id", "in-reply-to")
MANIFEST = """
name: bench
company: {names: [Bench], domains: [bench.example], zones: [UTC], currency: USD}
sources:
"""
MAIL_SOURCE = "  - {name: mail, kind: mail, format: mbox, path: mail}\n"
TABLE_SOURCES = (
    "  - {name: crm, kind: crm, format: csv, path: crm, preset: salesforce}\n"
    "  - {name: erp, kind: erp, format: csv, path: erp-csv, preset: sap}\n"
)
TABLE_FOLDERS = ("crm", "erp-csv")


def stdlib_mails(folder: Path) -> dict[str, float]:
    """(a): the standard library over all mbox files."""
    read = 0
    for path in sorted((folder / "mail").rglob("*.mbox")):
        with closing(mailbox.mbox(path, create=False)) as box:
            for key in box.iterkeys():
                read += 1
                _use(email.message_from_bytes(box.get_bytes(key), policy=email.policy.default))
    return {"units": read, "bytes": _size((folder / "mail").rglob("*.mbox"))}


def _use(message: EmailMessage) -> None:
    for name in HEADERS:
        try:
            str(message[name])
        except (ValueError, IndexError, AttributeError):
            continue
    for part in message.walk():
        if not part.is_multipart():
            try:
                part.get_content()
            except (LookupError, ValueError, AttributeError):
                continue


def parsed_mails(folder: Path) -> dict[str, float]:
    """Ours up to the parsed mail: headers, texts, attachments, calendars, hashes; no quotes split."""
    return {"units": sum(1 for _ in _mails(folder)), "bytes": _size((folder / "mail").rglob("*.mbox"))}


def split_quotes(folder: Path) -> dict[str, float]:
    """Quote splitting alone, once per distinct text."""
    bodies = list({mail.body: None for mail in _mails(folder)})
    watch = Watch()
    for body in bodies:
        split_body(body)
    seconds, cpu = watch.read()
    size = sum(len(body) for body in bodies)
    return {"units": len(bodies), "bytes": size, "seconds": seconds, "cpu": cpu}


def _mails(folder: Path) -> Iterator[ParsedMail]:
    for path in sorted((folder / "mail").rglob("*.mbox")):
        for raw in read_mbox(path, folder):
            mail = raw if isinstance(raw, Reject) else parse_mail(raw)
            if isinstance(mail, ParsedMail):
                yield mail


def polars_tables(folder: Path) -> dict[str, float]:
    """(b): polars' plain reader over all CSV files."""
    rows = 0
    for path in _table_files(folder):
        rows += pl.read_csv(path, infer_schema_length=1000, ignore_errors=True).height
    return {"units": rows, "bytes": _size(iter(_table_files(folder)))}


def ingested(folder: Path, sources: str, count: int) -> dict[str, float]:
    """Ours as a user has it: portions read by so many processes, parts, tables and links written."""
    # Workers import this module anew: what only the first process needs would slow them.
    from pipeline.compute import ComputeResource, Workers

    mails = sources == MAIL_SOURCE
    raw = Path(tempfile.mkdtemp(prefix="bench-raw-", dir=folder))
    manifest = raw / "dataset.yaml"
    manifest.write_text(MANIFEST + sources, encoding="utf-8")
    loaded = load_manifest(manifest)
    ends: dict[str, tuple[float, float]] = {}
    watch = Watch()

    def heard(step: str, done: int, total: int) -> None:
        name = step.split()[0]
        if name == "read" or name not in ends:
            ends[name] = watch.read()

    workers = Workers.PROCESSES if count > 1 else Workers.INLINE
    compute = ComputeResource(workers=workers, count=count)
    report = ingest_dataset(loaded.manifest, folder, raw / "raw", heard, compute.map_files)
    seconds, cpu = watch.read()
    shutil.rmtree(raw)
    files = (folder / "mail").rglob("*.mbox") if mails else iter(_table_files(folder))
    return {
        "units": sum(source.read for source in report.sources),
        "links": report.tables["links"],
        "reading": ends["read"][0],
        "tables": ends["link"][0],
        "tables cpu": ends["link"][1],
        "bytes": _size(files),
        "seconds": seconds,
        "cpu": cpu,
    }


def _table_files(folder: Path) -> list[Path]:
    return sorted(path for name in TABLE_FOLDERS for path in (folder / name).glob("*.csv"))


def _size(files: Iterator[Path]) -> float:
    return sum(path.stat().st_size for path in files)


WORK: dict[str, Callable[[Path], dict[str, float]]] = {
    "stdlib-mails": stdlib_mails,
    "parsed-mails": parsed_mails,
    "split-quotes": split_quotes,
    "polars-tables": polars_tables,
    "ingest-mails-1": lambda folder: ingested(folder, MAIL_SOURCE, 1),
    "ingest-mails-2": lambda folder: ingested(folder, MAIL_SOURCE, 2),
    "ingest-tables-1": lambda folder: ingested(folder, TABLE_SOURCES, 1),
    "ingest-tables-2": lambda folder: ingested(folder, TABLE_SOURCES, 2),
}


MAIL_WORK = ("stdlib-mails", "parsed-mails", "split-quotes", "ingest-mails-1", "ingest-mails-2")
TABLE_WORK = ("polars-tables", "ingest-tables-1", "ingest-tables-2")


def made(folder: Path, scale: int, only: str) -> Path:
    """Returns an archive of a scale, made once by the maker of the sample archive."""
    target = folder / f"{only.replace(',', '-')}-{scale}"
    archive = target / "archive"
    if not archive.is_dir():
        print(f"making {target.name}", flush=True)
        command = [sys.executable, "-m", "data_samples.make", "--scale", str(scale), "--only", only]
        subprocess.run([*command, "-o", str(target)], check=True)
    database = archive / "erp" / "erp.sqlite"
    if database.is_file() and not (archive / "erp-csv").is_dir():
        aside = archive / "erp-csv.aside"
        aside.mkdir(exist_ok=True)
        _export(database, aside)
        aside.rename(archive / "erp-csv")
    return archive


def _export(database: Path, folder: Path) -> None:
    """Writes every table of a SQLite file as CSV."""
    with closing(sqlite3.connect(database)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        for (name,) in names.fetchall():
            rows = connection.execute(f'SELECT * FROM "{name}"')
            with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow([column[0] for column in rows.description])
                writer.writerows(rows)


def main() -> None:
    """Prints the tables of one run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=int, default=135, help="of mails: about 1,500 each; 0 for none")
    parser.add_argument("--rows-scale", type=int, default=460, help="of tables: about 4,400 rows; 0 for none")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "rl-dojo-bench")
    parser.add_argument("--work", choices=sorted(WORK), help=argparse.SUPPRESS)
    parser.add_argument("--archive", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        perform(lambda: WORK[chosen.work](chosen.archive))
        return
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, polars {pl.__version__}")
    for title, unit, scale, only, works in (
        ("Mails", "mails", chosen.scale, "mail", MAIL_WORK),
        ("Tables", "rows", chosen.rows_scale, "crm,erp", TABLE_WORK),
    ):
        if scale:
            small, large = (made(chosen.folder, max(1, size), only) for size in (scale // 10, scale))
            _report(title, unit, works, large, small)


def _report(title: str, unit: str, works: tuple[str, ...], large: Path, small: Path) -> None:
    rows = []
    base: Measured | None = None
    for work in works:
        found = measure("benchmarks.reading", work, "--archive", str(large))
        tenth = measure("benchmarks.reading", work, "--archive", str(small))
        base = base or found
        rows.append((work, *_figures(found, base), f"{found.peak_mb:.0f}", f"{tenth.peak_mb:.0f}"))
    header = ("s", "CPU s", "s reading", "s tables", "MB/s", f"{unit}/s", "x first", "x first (CPU)")
    table(title, (title, unit, *header, "peak MB", "peak MB at 1/10"), rows)


def _figures(found: Measured, base: Measured) -> tuple[str, ...]:
    size, counted = found.counted["bytes"], found.counted
    until, until_cpu = counted.get("tables", found.seconds), counted.get("tables cpu", found.cpu)
    alike = size == base.counted["bytes"]
    return (
        f"{counted['units']:,.0f}",
        f"{found.seconds:.1f}",
        f"{found.cpu:.1f}",
        f"{counted['reading']:.1f}" if "reading" in counted else "",
        f"{until:.1f}" if "tables" in counted else "",
        f"{size / until / 1e6:.1f}",
        f"{counted['units'] / until:,.0f}",
        f"{base.seconds / until:.2f}" if alike else "",
        f"{base.cpu / until_cpu:.2f}" if alike else "",
    )


if __name__ == "__main__":
    main()
