"""How fast an archive is read, against the standard library and polars over the same files.

`python -m benchmarks.reading [--scale 135] [--rows-scale 700] [--folder FOLDER]`

Mails: (a) is `mailbox.mbox` with `email.policy.default`, seven headers read and `get_content` of all parts.
Ours are stated before quote splitting, which is stated apart, and as whole portions written to disk.
Tables: (b) is `polars.read_csv` of every file with its defaults.
"""

from __future__ import annotations

import argparse
import email
import email.policy
import mailbox
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.mailbox import read_mbox
from archive.message import ParsedMail, parse_mail
from archive.quotes import split_body
from archive.rejects import Reject
from benchmarks.measuring import Measured, measure, perform, table
from pipeline.compute import ComputeResource, Workers

HEADERS = ("from", "to", "cc", "subject", "date", "message-id", "in-reply-to")
MANIFEST = """
name: bench
company: {names: [Bench], domains: [bench.example], zones: [UTC], currency: USD}
sources:
"""
MAIL_SOURCE = "  - {name: mail, kind: mail, format: mbox, path: mail}\n"
TABLE_SOURCE = "  - {name: crm, kind: crm, format: csv, path: crm, preset: salesforce}\n"


def stdlib_mails(folder: Path) -> dict[str, float]:
    """(a): the standard library over all mbox files."""
    read = size = 0
    for path in sorted((folder / "mail").rglob("*.mbox")):
        size += path.stat().st_size
        box = mailbox.mbox(path, factory=_parsed)
        for message in box:
            read += 1
            _use(message)
    return {"units": read, "bytes": size}


def _parsed(file: object) -> email.message.EmailMessage:
    return email.message_from_binary_file(file, policy=email.policy.default)  # type: ignore[arg-type]


def _use(message: email.message.EmailMessage) -> None:
    for name in HEADERS:
        try:
            str(message[name])
        except (ValueError, IndexError, AttributeError):
            continue
    for part in message.walk():
        if not part.is_multipart():
            try:
                part.get_content()
            except (LookupError, KeyError, ValueError, AttributeError):
                continue


def parsed_mails(folder: Path) -> dict[str, float]:
    """Ours up to the parsed mail: headers, texts, attachments, calendars, hashes; no quotes split."""
    return {"units": sum(1 for _ in _mails(folder)), "bytes": _bytes(folder / "mail")}


def split_quotes(folder: Path) -> dict[str, float]:
    """Quote splitting alone, once per distinct text."""
    bodies = list({mail.body: None for mail in _mails(folder)})
    started = time.perf_counter()
    for body in bodies:
        split_body(body)
    size = sum(len(body) for body in bodies)
    return {"units": len(bodies), "bytes": size, "seconds": time.perf_counter() - started}


def _mails(folder: Path) -> Iterator[ParsedMail]:
    for path in sorted((folder / "mail").rglob("*.mbox")):
        for raw in read_mbox(path, folder):
            mail = raw if isinstance(raw, Reject) else parse_mail(raw)
            if isinstance(mail, ParsedMail):
                yield mail


def polars_tables(folder: Path) -> dict[str, float]:
    """(b): polars' plain reader over all CSV files."""
    rows = 0
    for path in sorted((folder / "crm").glob("*.csv")):
        rows += pl.read_csv(path, infer_schema_length=1000, ignore_errors=True).height
    return {"units": rows, "bytes": _bytes(folder / "crm")}


def ingested(folder: Path, source: str, workers: Workers, count: int) -> dict[str, float]:
    """Ours as a user has it: portions read, parts and tables written; seconds of reading told apart."""
    manifest = folder / "dataset.yaml"
    manifest.write_text(MANIFEST + source, encoding="utf-8")
    loaded = load_manifest(manifest)
    raw = Path(tempfile.mkdtemp(prefix="bench-raw-", dir=folder))
    steps: dict[str, float] = {}
    started = time.perf_counter()

    def heard(step: str, done: int, total: int) -> None:
        steps[step.split()[0]] = time.perf_counter() - started

    compute = ComputeResource(workers=workers, count=count)
    report = ingest_dataset(loaded.manifest, loaded.base, raw, heard, compute.map_files)
    seconds = time.perf_counter() - started
    shutil.rmtree(raw)
    counts = report.sources[0]
    return {
        "units": counts.read,
        "kept": counts.kept,
        "quarantined": counts.quarantined,
        "reading": steps.get("read", seconds),
        "whole": seconds,
        "bytes": _bytes(folder / ("mail" if "mail" in source else "crm")),
    }


def _bytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


WORK: dict[str, Callable[[Path], dict[str, float]]] = {
    "stdlib-mails": stdlib_mails,
    "parsed-mails": parsed_mails,
    "split-quotes": split_quotes,
    "polars-tables": polars_tables,
    "ingest-mails-1": lambda folder: ingested(folder, MAIL_SOURCE, Workers.INLINE, 1),
    "ingest-mails-2": lambda folder: ingested(folder, MAIL_SOURCE, Workers.PROCESSES, 2),
    "ingest-tables-1": lambda folder: ingested(folder, TABLE_SOURCE, Workers.INLINE, 1),
    "ingest-tables-2": lambda folder: ingested(folder, TABLE_SOURCE, Workers.PROCESSES, 2),
}


def made(folder: Path, scale: int, only: str) -> Path:
    """Returns an archive of a scale, made once by the maker of the sample archive."""
    target = folder / f"{only.replace(',', '-')}-{scale}"
    if not (target / "archive").is_dir():
        command = [sys.executable, "-m", "data_samples.make", "--scale", str(scale), "--only", only]
        subprocess.run([*command, "-o", str(target)], check=True)
    return target / "archive"


def main() -> None:
    """Prints the tables of one run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=int, default=135, help="of mails: about 1,500 each")
    parser.add_argument("--rows-scale", type=int, default=400, help="of tables: about 5,000 rows each")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "rl-dojo-bench")
    parser.add_argument("--work", choices=sorted(WORK), help=argparse.SUPPRESS)
    parser.add_argument("--archive", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        perform(lambda: WORK[chosen.work](chosen.archive))
        return
    small, large = (
        made(chosen.folder, max(1, scale), "mail") for scale in (chosen.scale // 10, chosen.scale)
    )
    few, many = (
        made(chosen.folder, max(1, scale), "crm") for scale in (chosen.rows_scale // 10, chosen.rows_scale)
    )
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, polars {pl.__version__}")
    _report(
        "Mails",
        "mails",
        ("stdlib-mails", "parsed-mails", "split-quotes", "ingest-mails-1", "ingest-mails-2"),
        large,
        small,
    )
    _report("Tables", "rows", ("polars-tables", "ingest-tables-1", "ingest-tables-2"), many, few)


def _report(title: str, unit: str, works: tuple[str, ...], large: Path, small: Path) -> None:
    rows = []
    base: Measured | None = None
    for work in works:
        found = measure("benchmarks.reading", work, "--archive", str(large))
        tenth = measure("benchmarks.reading", work, "--archive", str(small))
        base = base or found
        ratio = (base.seconds / base.counted["bytes"]) / (found.seconds / found.counted["bytes"])
        reading = found.counted.get("reading")
        rows.append(
            (
                work,
                f"{found.counted['units']:,.0f}",
                f"{found.seconds:.1f}",
                f"{reading:.1f}" if reading else "",
                f"{found.counted['bytes'] / found.seconds / 1e6:.1f}",
                f"{found.counted['units'] / found.seconds:,.0f}",
                f"{ratio:.2f}",
                f"{found.peak_mb:.0f}",
                f"{tenth.peak_mb:.0f}",
            )
        )
    header = (title, unit, "s", "s reading", "MB/s", f"{unit}/s", "x first", "peak MB", "peak MB at 1/10")
    table(title, header, rows)


if __name__ == "__main__":
    main()
