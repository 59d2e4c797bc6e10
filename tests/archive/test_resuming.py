"""Killed anywhere, rerun: the same bytes. A second delivery: only what is new is read (invariant I14)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from archive.ingest import IngestReport, ingest_dataset
from archive.loading import load_manifest
from archive.store import TableStore

PROJECT = Path(__file__).parents[2]
MAIL = """From MAILER-DAEMON Mon Sep  2 09:00:00 2024
Message-ID: <{number}@x.example>
From: Ann Lee <ann@x.example>
To: bob@y.example
Date: Mon, 2 Sep 2024 09:00:{number:02d} +0000
Subject: Order {number}

Order 10000{number:02d} is on its way.

"""
MANIFEST = """
name: small
company: {names: [X], domains: [x.example], zones: [UTC], currency: EUR}
sources:
  - {name: mail, kind: mail, format: mbox, path: "*.mbox"}
  - {name: notes, kind: mail, format: eml, path: notes}
  - name: erp
    kind: erp
    format: csv
    path: "*.csv"
    tables: [{name: orders, key: [Id]}]
"""
KILLING = """
import os, signal, sys
from pathlib import Path
from archive import ingest, reading, store
from archive.loading import load_manifest
calls = 0
def counted(function):
    def wrapper(*args, **kwargs):
        global calls
        calls += 1
        if calls == int(sys.argv[3]):
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **kwargs)
    return wrapper
os.replace = counted(os.replace)
Path.write_text = counted(Path.write_text)
store.TableWriter.add = counted(store.TableWriter.add)
reading.PartWriter.add = counted(reading.PartWriter.add)
loaded = load_manifest(Path(sys.argv[1]))
ingest.ingest_dataset(loaded.manifest, loaded.base, Path(sys.argv[2]), lambda *_: None)
print(calls)
"""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    (folder / "notes").mkdir(parents=True)
    (folder / "dataset.yaml").write_text(MANIFEST)
    (folder / "ann.mbox").write_text("".join(MAIL.format(number=number) for number in range(20)))
    (folder / "bob.mbox").write_text("".join(MAIL.format(number=number) for number in range(15, 30)))
    for number in range(40, 44):
        text = MAIL.format(number=number).split("\n", 1)[1]
        (folder / "notes" / f"{number}.eml").write_text(text)
    rows = "".join(f"10000{number:02d},{number}.00\n" for number in range(10))
    (folder / "orders.csv").write_text("Id,Net\n" + rows)
    return folder


def ingest(archive: Path, raw: Path) -> IngestReport:
    loaded = load_manifest(archive)
    report = ingest_dataset(loaded.manifest, loaded.base, raw, lambda *_: None)
    assert report.reconciles
    return report


def written(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def killed_at(call: int, archive: Path, raw: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", KILLING, str(archive), str(raw), str(call)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_run_killed_anywhere_ends_in_the_same_bytes_when_repeated(archive: Path, tmp_path: Path) -> None:
    whole = killed_at(0, archive, tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    expected = written(tmp_path / "whole")
    calls = int(whole.stdout)
    assert calls > 30
    for call in range(1, calls + 1, max(1, calls // 16)):
        raw = tmp_path / f"killed-{call}"
        assert killed_at(call, archive, raw).returncode == -signal.SIGKILL
        ingest(archive, raw)
        assert written(raw) == expected, f"killed at step {call} of {calls}"


def test_what_has_been_read_is_not_read_again(archive: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    first = ingest(archive, raw)
    assert first.portions_read == first.portions > 3
    again = ingest(archive, raw)
    assert (again.portions, again.portions_read) == (first.portions, 0)
    assert again.sources == first.sources


def test_a_second_delivery_reads_only_what_is_new_and_equals_a_fresh_reading(
    archive: Path, tmp_path: Path
) -> None:
    raw = tmp_path / "raw"
    ingest(archive, raw)
    before = TableStore(raw).read("records-erp-orders")
    with (archive / "carl.mbox").open("w") as file:
        file.writelines(MAIL.format(number=number) for number in range(28, 35))
    (archive / "notes" / "50.eml").write_text(MAIL.format(number=50).split("\n", 1)[1])
    changed = (archive / "orders.csv").read_text().replace(",3.00", ",33.00") + "1000099,99.00\n"
    (archive / "orders.csv").write_text(changed)
    second = ingest(archive, raw)
    assert second.portions_read <= 3 < second.portions
    fresh = tmp_path / "fresh"
    ingest(archive, fresh)
    assert written(raw) == written(fresh)
    after = TableStore(raw).read("records-erp-orders")
    ids = dict(zip(after["Id"], after["record_id"], strict=True))
    assert {key: ids[key] for key in before["Id"]} == dict(
        zip(before["Id"], before["record_id"], strict=True)
    )


def test_what_left_the_archive_leaves_the_raw_folder(archive: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    ingest(archive, raw)
    (archive / "bob.mbox").unlink()
    shutil.rmtree(archive / "notes")
    (archive / "notes").mkdir()
    (archive / "notes" / "1.eml").write_text(MAIL.format(number=1).split("\n", 1)[1])
    ingest(archive, raw)
    ingest(archive, tmp_path / "fresh")
    assert written(raw) == written(tmp_path / "fresh")
    assert TableStore(raw).read("messages").height == 20


@pytest.mark.parametrize(
    ("reader", "lost"),
    [("archive.reading.parse_mail", 39), ("archive.reading.mail_frames", 6)],
)
def test_a_reader_that_breaks_costs_its_message_or_file_not_the_run(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str, lost: int
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the text of a secret")

    monkeypatch.setattr(reader, broken)
    report = ingest(archive, tmp_path / "raw")
    assert report.reasons == {"reader_failed": lost}
    assert TableStore(tmp_path / "raw").read("records-erp-orders").height == 10
