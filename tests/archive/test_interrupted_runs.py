"""Runs that are killed at work or find a full disk: told, nothing half written, completed by the next run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.archive.hostile_bytes import CANARY, SEPARATOR, mail, samples, write
from tests.archive.hostile_runs import ingest, manifest

PROJECT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="workers are found on Linux")


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
    assert "aside" not in done.stdout
    assert CANARY not in done.stdout + done.stderr
    assert list(raw.glob("*.parquet")) == []
    report = ingest(base, raw)
    assert (report.reconciles, report.reasons) == (True, {})
    ingest(base, tmp_path / "whole")
    assert written(raw) == written(tmp_path / "whole")


FULL_TABLE = """
import resource, signal, sys
from pathlib import Path
import polars as pl
from archive.errors import StoreError
from archive.sealing import Sealing
from archive.store import TableStore
from extract.log import CompanyLog
from extract.ocel import write_ocel
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, resource.RLIM_INFINITY))
folder, sealed = Path(sys.argv[1]), Sealing(b"k" * 32) if sys.argv[2] == "sealed" else None
names = [f"{n * 7919 % 10007:x}" * 3 for n in range(4_000)]
frame = pl.DataFrame({name: names for name in ("record_id", "source", "path", "locator", "content_hash")})
log = CompanyLog(*(pl.DataFrame(schema=schema) for schema in (
    dict.fromkeys(("event_id", "timestamp", "activity", "actor", "actor_role", "system", "seq"), pl.String),
    dict.fromkeys(("object_id", "object_type"), pl.String),
    dict.fromkeys(("object_id", "name", "value"), pl.String),
    dict.fromkeys(("event_id", "object_id", "qualifier"), pl.String),
    dict.fromkeys(("source_id", "target_id", "qualifier"), pl.String),
)))
try:
    if sys.argv[2] == "ocel":
        write_ocel(folder / "log.sqlite", log)
    else:
        TableStore(folder, sealing=sealed).write("records-crm-things", frame)
except StoreError as error:
    print(error)
    sys.exit(3)
"""


@pytest.mark.parametrize("way", ["plain", "sealed", "ocel"])
def test_a_full_disk_has_its_folder_named_whatever_is_written(way: str, tmp_path: Path) -> None:
    folder = tmp_path / "clean"
    folder.mkdir()
    command = [sys.executable, "-c", FULL_TABLE, str(folder), way]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, check=False)
    assert done.returncode == 3, done.stderr[-2_000:]
    assert done.stdout.startswith("the clean folder cannot be written (")
    assert not list(folder.glob("*.parquet")) and not list(folder.glob("*.sqlite"))
