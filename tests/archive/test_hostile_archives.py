"""Whole archives of hostile files: the run ends, good neighbours are kept, the rest is told, none leaks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from archive.formats import MAIL, TABLES, TICKETS
from tests.archive.hostile_bytes import CANARY, MB, SEPARATOR, endless, mail, samples, write
from tests.archive.hostile_files import hostile
from tests.archive.hostile_runs import ingest, manifest

PROJECT = Path(__file__).parents[2]
SECONDS, MEGABYTES = 900, 1_500
"""What the whole archive of hostile files may take."""
RUN = """
import json, sys, time
from pathlib import Path
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
loaded = load_manifest(Path(sys.argv[1]))
begin = time.monotonic()
report = ingest_dataset(loaded.manifest, loaded.base, Path(sys.argv[2]), lambda *_: None)
peak = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) // 1024
print(json.dumps([report.reconciles, peak, time.monotonic() - begin]))
"""
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured on Linux")


class Outcome(NamedTuple):
    """What one run came to."""

    raw: Path
    reconciles: bool
    megabytes: int
    seconds: float
    told: str

    def table(self, name: str) -> pl.DataFrame:
        """A table of the run."""
        return pl.read_parquet(self.raw / f"{name}.parquet")

    def reasons(self) -> dict[str, list[str]]:
        """Path -> the reasons why something of it is in quarantine, each once."""
        found: dict[str, set[str]] = defaultdict(set)
        for path, reason in self.table("quarantine").select("path", "reason").iter_rows():
            found[path].add(reason)
        return {path: sorted(told) for path, told in found.items()}

    def kept(self) -> dict[str, int]:
        """Path -> rows that were kept of it in all tables of mails, tickets and records."""
        rows: dict[str, int] = defaultdict(int)
        for file in self.raw.glob("*.parquet"):
            if file.stem in ("messages", "tickets") or file.stem.startswith("records-"):
                for path in pl.read_parquet(file, columns=["path"])["path"]:
                    rows[path] += 1
        return dict(rows)


def run(base: Path, raw: Path, seconds: int = SECONDS) -> Outcome:
    """Ingests in a process of its own."""
    command = [sys.executable, "-c", RUN, str(base), str(raw)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=seconds, cwd=PROJECT, errors="replace", check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    reconciles, megabytes, spent = json.loads(done.stdout)
    return Outcome(raw, reconciles, megabytes, spent, done.stdout + done.stderr)


def tree(*folders: Path) -> set[str]:
    """All paths below some folders."""
    return {str(path) for folder in folders for path in folder.rglob("*")}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = tmp_path_factory.mktemp("hostile")
    base = folder / "archive"
    forms = {form: form for form in (*samples(), "pst")}
    for form, (name, data) in samples().items():
        write(base / form / name, data)
    for (form, name), made in hostile().items():
        write(base / form / name, made)
        if form == "sqlite":
            forms[f"sqlite-{Path(name).stem}"] = form
    manifest(base, forms)
    before = tree(base)
    done = run(base, folder / "raw")
    assert tree(base) == before
    assert sorted(path.name for path in folder.iterdir()) == ["archive", "raw"]
    return done


@pytest.mark.long
def test_an_archive_of_hostile_files_ends_within_its_bounds(outcome: Outcome) -> None:
    assert outcome.reconciles
    assert outcome.megabytes < MEGABYTES
    assert outcome.seconds < SECONDS
    assert CANARY not in outcome.told


@pytest.mark.long
@pytest.mark.parametrize("form", sorted({*MAIL, *TICKETS, *TABLES} - {"pst"}))
def test_good_neighbours_are_kept(form: str, outcome: Outcome) -> None:
    assert outcome.kept().get(f"{form}/{samples()[form][0]}", 0) > 0


OUTCOMES = {
    "saft/laughs.xml": (0, "entity_declared"),
    "xes/laughs.xes": (0, "entity_declared"),
    "ocel/laughs.xml": (0, "entity_declared"),
    "einvoice/laughs.xml": (0, "entity_declared"),
    "xlsx/laughs.xlsx": (0, "entity_declared"),
    "documents/laughs.docx": (0, "unsafe_xml"),
    "eml/laughs.eml": (1, ""),
    "saft/external.xml": (0, "entity_declared"),
    "xes/external.xes": (0, "entity_declared"),
    "ocel/external.xml": (0, "entity_declared"),
    "einvoice/external.xml": (0, "entity_declared"),
    "xlsx/external.xlsx": (0, "entity_declared"),
    "documents/external.docx": (0, "unsafe_xml"),
    "eml/external.eml": (1, ""),
    "eml/bomb.eml": (1, ""),
    "eml/nest.eml": (1, ""),
    "eml/traversal.eml": (1, ""),
    "eml/tar.eml": (1, ""),
    "eml/nested.eml": (0, "too_nested"),
    "eml/many.eml": (0, "too_many_parts"),
    "eml/attached.eml": (1, ""),
    "eml/headers.eml": (1, ""),
    "eml/folded.eml": (1, ""),
    "eml/wide.eml": (0, "headers_too_long"),
    "eml/long.eml": (0, "headers_too_long"),
    "eml/odd.eml": (1, ""),
    "eml/dates.eml": (1, ""),
    "eml/date9999.eml": (1, ""),
    "mbox/bomb.mbox.gz": (1, "bomb too_large"),
    "mbox/takeout.zip": (1, "bomb unsafe_path"),
    "mbox/takeout.tgz": (1, "unsafe_path"),
    "mbox/endless.mbox": (1, "too_large"),
    "mbox/nul.mbox": (0, "headers_too_long"),
    "mail-csv/endless.csv": (0, "unreadable_record"),
    "csv/bomb.csv.gz": (1, "bomb"),
    "csv/endless.csv": (1, "line_too_long"),
    "csv/wide.csv": (0, "too_many_columns"),
    "csv/same.csv": (0, "too_many_columns"),
    "csv/formula.csv": (4, ""),
    "csv/twice.csv": (1, ""),
    "csv/nul.csv": (4, ""),
    "csv/odd.csv": (5, ""),
    "csv/quote.csv": (101, ""),
    "xlsx/bomb.xlsx": (0, "bomb"),
    "xlsx/wide.xlsx": (0, "too_many_columns"),
    "xlsx/same.xlsx": (1, ""),
    "xlsx/tall.xlsx": (3, ""),
    "xlsx/far.xlsx": (0, "unreadable_file"),
    "xlsx/formula.xlsx": (3, ""),
    "parquet/footer.parquet": (0, "unreadable_file"),
    "parquet/page.parquet": (0, "unreadable_file"),
    "parquet/odd.parquet": (2, ""),
    "jsonl/deep.json": (0, "too_deep"),
    "jsonl/deepline.jsonl": (2, "too_deep"),
    "jsonl/keys.jsonl": (2000, "too_many_columns"),
    "jsonl/odd.jsonl": (3, ""),
    "jsonl/bomb.jsonl.gz": (1, "too_large"),
    "zendesk/long.json": (10000, ""),
    "zendesk/deep.json": (0, "too_deep"),
    "zendesk/odd.json": (2, ""),
    "jira-json/deep.json": (0, "too_deep"),
    "jira-csv/foreign.csv": (0, "no_issue_key"),
    "servicenow/deep.json": (0, "too_deep"),
    "freshdesk/deep.json": (0, "broken_json"),
    "github/deep.json": (0, "broken_json"),
    "documents/bomb.zip": (0, "bomb"),
    "documents/nest.zip": (0, "too_deep"),
    "documents/tar.tar": (0, "unsafe_path"),
    "datev/EXTF_long.csv": (2, "too_large"),
    "mt940/long.sta": (3, ""),
    "saft/deep.xml": (0, "malformed_xml"),
    "xes/deep.xes": (0, "malformed_xml"),
    "xes/huge.xes": (1, "malformed_xml"),
    "ocel/deep.json": (0, "malformed_json"),
    "ocel/view.sqlite": (0, "no_event_log"),
    "ocel/old.sqlite": (0, "no_event_log"),
}
"""Path -> rows that are kept of it, and the reasons why the rest is in quarantine."""
SILENT = ("mbox", "csv")
"""Formats whose empty files are nothing at all: no unit, no reject."""


@pytest.mark.long
@pytest.mark.parametrize("path", sorted(OUTCOMES))
def test_what_can_be_read_is_kept_and_the_rest_is_told(path: str, outcome: Outcome) -> None:
    found = outcome.kept().get(path, 0), " ".join(outcome.reasons().get(path, []))
    assert found == OUTCOMES[path]


@pytest.mark.long
def test_links_pipes_and_noise_are_told_and_not_followed(outcome: Outcome) -> None:
    reasons, kept = outcome.reasons(), outcome.kept()
    for form, name in hostile():
        path = f"{form}/{name}"
        kind = Path(name).stem.removeprefix("EXTF_")
        if kind in ("passwd", "loop", "pipe"):
            assert (path, kept.get(path, 0), reasons.get(path)) == (path, 0, ["not_a_plain_file"])
        elif kind == "folder":
            assert path not in kept
        elif kind == "random" or (kind == "empty" and form not in (*SILENT, "sqlite")):
            assert reasons.get(path), path
    for file in outcome.raw.glob("*.parquet"):
        for series in pl.read_parquet(file).iter_columns():
            if series.dtype == pl.String:
                assert not series.str.contains("root:x:0:0", literal=True).any(), (file.stem, series.name)


@pytest.mark.long
def test_names_of_any_bytes_are_kept_apart(outcome: Outcome) -> None:
    kept = outcome.kept()
    odd = [("new\nline", ""), ("quo\"te's", ""), ("\\udcff\\udcfe", ""), ("\u202egnp", "")]
    for form, ending in (("eml", ".eml"), ("csv", ".csv"), ("documents", ".docx")):
        longest = "x" * (255 - len(ending))
        for name in (*(name for name, _ in odd), longest):
            assert kept.get(f"{form}/{name}{ending}"), (form, name[:20])


@pytest.mark.long
def test_what_is_around_a_break_in_a_database_is_kept(outcome: Outcome) -> None:
    rows = {file.stem: pl.read_parquet(file).height for file in outcome.raw.glob("records-sqlite*")}
    broken = rows.pop("records-sqlite_broken-big")
    assert 10_000 < broken < 60_000
    assert rows == {
        "records-sqlite_broken-a_good": 500,
        "records-sqlite_broken-z_good": 500,
        "records-sqlite_view-good": 10,
        "records-sqlite_blobs-good": 10,
        "records-sqlite_blobs-blobs": 6,
        "records-sqlite_generated-good": 10,
    }
    told = outcome.table("quarantine").filter(pl.col("path").str.starts_with("sqlite/"))
    places = {
        path: (locator, reason)
        for path, locator, reason in told.select("path", "locator", "reason").iter_rows()
    }
    assert places == {
        "sqlite/broken.sqlite": (f"after big rowid {broken}", "unreadable_file"),
        "sqlite/generated.sqlite": ("h", "unreadable_file"),
        "sqlite/noise.sqlite": ("file", "unreadable_file"),
        "sqlite/random.sqlite": ("file", "unreadable_file"),
    }


@pytest.mark.long
def test_formulas_stay_the_text_that_they_are(outcome: Outcome) -> None:
    formulas = ["=cmd|'/c calc'!A0", "@SUM(1+1)", "+1+1"]
    for table, column in (("records-csv-formula", "Text"), ("records-xlsx-sheet", "Text")):
        rows = outcome.table(table)
        stored = rows.filter(pl.col("path").str.contains("formula"))[column].to_list()
        assert stored[:3] == formulas


@pytest.mark.long
def test_lines_of_a_gigabyte_take_no_more_memory(tmp_path: Path) -> None:
    base = tmp_path / "archive"
    for form, name, head in (
        ("mbox", "endless.mbox", SEPARATOR + mail("endless") + b"\n" + SEPARATOR + b"Subject: x\n\n"),
        ("csv", "endless.csv", b"Id,Text\n1,a\n2,"),
        ("jsonl", "endless.jsonl", b'{"Id":1}\n{"Id":2}\n'),
    ):
        write(base / form / name, endless(1024 * MB, head))
    manifest(base, {form: form for form in ("mbox", "csv", "jsonl")})
    made = run(base, tmp_path / "raw")
    assert (made.reconciles, made.megabytes < 700) == (True, True)
    assert made.kept() == {"mbox/endless.mbox": 1, "csv/endless.csv": 1, "jsonl/endless.jsonl": 2}
    assert made.reasons() == {
        "mbox/endless.mbox": ["too_large"],
        "csv/endless.csv": ["line_too_long"],
        "jsonl/endless.jsonl": ["too_large"],
    }


@pytest.mark.parametrize("cuts", [7, pytest.param(60, marks=pytest.mark.long)])
def test_files_cut_anywhere_cost_themselves_alone(cuts: int, tmp_path: Path) -> None:
    """Every format, cut at places that are spread over all of it, beside a whole file of its kind."""
    base, good = tmp_path / "archive", {}
    for form, (name, data) in samples().items():
        path = Path(name)
        start = "EXTF_" if form == "datev" else ""
        good[form] = f"{form}/{(path.parent / (start + '!' + path.name)).as_posix()}"
        write(base / good[form], data)
        for cut in range(0, len(data), max(1, len(data) // cuts)):
            write(base / form / path.parent / f"{start}{cut:06d}{path.name}", data[:cut])
    manifest(base, {form: form for form in samples()})
    report = ingest(base, tmp_path / "raw")
    assert report.reconciles
    assert "reader_failed" not in report.reasons
    kept = Outcome(tmp_path / "raw", True, 0, 0, "").kept()
    assert [form for form, path in good.items() if not kept.get(path)] == []
