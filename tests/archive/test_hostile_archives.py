"""Whole archives of hostile files: the run ends, good neighbours are kept, the rest is told, none leaks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from archive.ingest import IngestReport, ingest_dataset
from archive.loading import load_manifest
from tests.archive.hostile_files import CANARY, MB, SEPARATOR, endless, hostile, mail, samples, write

PROJECT = Path(__file__).parents[2]
SECONDS, MEGABYTES = 900, 1_500
"""What the whole archive of hostile files may take."""
MAIL = ("mbox", "eml", "maildir", "mail-csv", "msg", "pst")
TICKETS = ("jira-csv", "jira-json", "zendesk", "servicenow", "freshdesk", "github")
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


def manifest(base: Path, forms: dict[str, str]) -> None:
    """Writes a manifest; `forms` maps source names to their formats, folders are called like sources."""
    sources = [
        {
            "name": name,
            "kind": "mail" if form in MAIL else "tickets" if form in TICKETS else "erp",
            "format": form,
            "path": f"sqlite/{name[7:]}.sqlite" if form == "sqlite" else name,
        }
        for name, form in sorted(forms.items())
    ]
    company = {"names": ["X"], "domains": ["x.example"], "zones": ["UTC"], "currency": "EUR"}
    write(base / "dataset.yaml", json.dumps({"name": "x", "company": company, "sources": sources}).encode())


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


def test_an_archive_of_hostile_files_ends_within_its_bounds(outcome: Outcome) -> None:
    assert outcome.reconciles
    assert outcome.megabytes < MEGABYTES
    assert outcome.seconds < SECONDS
    assert CANARY not in outcome.told


@pytest.mark.parametrize("form", sorted(samples()))
def test_good_neighbours_are_kept(form: str, outcome: Outcome) -> None:
    assert outcome.kept().get(f"{form}/{samples()[form][0]}", 0) > 0


@pytest.mark.slow
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


def ingest(base: Path, raw: Path) -> IngestReport:
    loaded = load_manifest(base)
    return ingest_dataset(loaded.manifest, loaded.base, raw, lambda *_: None)


@pytest.mark.parametrize("cuts", [7, pytest.param(60, marks=pytest.mark.slow)])
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


def mailboxes(base: Path, size: int) -> None:
    """Four mailboxes, of about so many megabytes each."""
    body = b"Good morning, the order is on its way to you.\n" * 40
    for box in range(4):
        mails = (SEPARATOR + mail(f"{box}-{n}", b"%d\n" % n + body) + b"\n" for n in range(size * 500))
        write(base / "mbox" / f"{box}.mbox", b"".join(mails))
    manifest(base, {"mbox": "mbox"})


WORKERS = """
import sys
from pathlib import Path
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from pipeline.compute import ComputeResource
if __name__ == "__main__":
    loaded = load_manifest(Path(sys.argv[1]))
    workers = ComputeResource(workers="processes", count=2)
    ingest_dataset(loaded.manifest, loaded.base, Path(sys.argv[2]), lambda *_: None, workers.map_files)
"""


def at_work(process: subprocess.Popen[str], raw: Path) -> list[int]:
    """The workers of a run, once one of them is in the middle of a portion."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        writing = list(raw.glob("parts/.aside-*"))
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if writing:
            owners = {int(folder.name.rpartition("-")[2]) for folder in writing}
            return sorted(owners & {int(child) for child in children})
        time.sleep(0.02)
    raise AssertionError("no worker began")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def written(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize("killed", ["parent", "worker"])
def test_a_run_killed_within_a_portion_is_completed_by_the_next(killed: str, tmp_path: Path) -> None:
    base, raw = tmp_path / "archive", tmp_path / "raw"
    mailboxes(base, 3)
    script = tmp_path / "run.py"
    script.write_text(WORKERS)
    command = [sys.executable, str(script), str(base), str(raw)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    workers = at_work(process, raw)
    os.kill(process.pid if killed == "parent" else workers[0], signal.SIGKILL)
    _, told = process.communicate(timeout=120)
    if killed == "parent":
        assert process.returncode == -signal.SIGKILL
        end = time.monotonic() + 20
        while any(map(is_running, workers)) and time.monotonic() < end:
            time.sleep(0.05)
        assert not any(map(is_running, workers))
    else:
        assert process.returncode == 1
        assert "PipelineError: a worker process was ended from outside" in told
    assert not (raw / "messages.parquet").exists()
    subprocess.run(command, env=environment, check=True, timeout=300)
    ingest(base, tmp_path / "whole")
    assert written(raw) == written(tmp_path / "whole")


FULL = """
import resource, signal, sys
from pathlib import Path
from archive.errors import StoreError
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
loaded = load_manifest(Path(sys.argv[1]))
try:
    ingest_dataset(loaded.manifest, loaded.base, Path(sys.argv[2]), lambda *_: None)
except StoreError as error:
    print(error)
    sys.exit(3)
"""


@pytest.mark.parametrize("room", [0, 300, 20_000])
def test_a_full_disk_is_told_and_the_next_run_completes(room: int, tmp_path: Path) -> None:
    base, raw = tmp_path / "archive", tmp_path / "raw"
    for form in ("mbox", "zendesk", "csv"):
        write(base / form / samples()[form][0], samples()[form][1])
    noise = "".join(f"{n},{os.urandom(40).hex()}\n" for n in range(2_000))
    write(base / "csv" / "long.csv", f"Id,Text\n{noise}".encode())
    manifest(base, {form: form for form in ("mbox", "zendesk", "csv")})
    command = [sys.executable, "-c", FULL, str(base), str(raw), str(room)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, check=False)
    assert done.returncode == 3, done.stderr[-2_000:]
    assert done.stdout.startswith("the ") and " folder cannot be written (" in done.stdout
    assert CANARY not in done.stdout + done.stderr
    assert list(raw.glob("*.parquet")) == []
    report = ingest(base, raw)
    assert (report.reconciles, report.reasons) == (True, {})
    ingest(base, tmp_path / "whole")
    assert written(raw) == written(tmp_path / "whole")
