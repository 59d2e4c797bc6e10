"""Hostile containers end in bounded time and memory, measured in processes of their own."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from archive.formats import MAIL, source_files
from archive.identifiers import content_digest
from archive.mailbox import read_file, read_mbox
from archive.rejects import Reject
from contracts.manifest import Source

MEGABYTE = 1024 * 1024
SEPARATOR = b"From a@b.example Tue Mar  4 14:10:00 2025\n"
MAIL_BYTES = SEPARATOR + b"Subject: x\n\ny\n\n"
READ = """
import json, sys
from pathlib import Path
from archive.formats import MAIL
from archive.rejects import Reject

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024

before = peak()
path = Path(sys.argv[2])
messages = MAIL[sys.argv[1]].messages(path, path.parent)
read = [item.reason if isinstance(item, Reject) else "mail" for item in messages]
print(json.dumps([len(read), sorted(set(read)), read[:3], peak() - before]))
"""
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured on Linux")


def measured(form: str, path: Path, seconds: int) -> tuple[int, list[str], list[str], int]:
    """Number of units, kinds of them, the first three, and megabytes that reading took at its peak."""
    done = subprocess.run(
        [sys.executable, "-c", READ, form, str(path)],
        capture_output=True,
        check=True,
        timeout=seconds,
        cwd=Path(__file__).parents[2],
    )
    count, kinds, first, megabytes = json.loads(done.stdout)
    return count, kinds, first, megabytes


def endless_line(path: Path, size: int) -> Path:
    with path.open("wb") as file:
        file.write(MAIL_BYTES + SEPARATOR + b"Subject: endless\n\n")
        file.truncate(size)
    return path


@pytest.mark.parametrize("form", ["mbox", "eml", "maildir", "msg", "mail-csv", "pst"])
def test_an_endless_line_is_not_held(form: str, tmp_path: Path) -> None:
    path = endless_line(tmp_path / "endless", (200 if form == "mbox" else 80) * MEGABYTE)
    count, kinds, _, megabytes = measured(form, path, 60)
    assert (count, kinds) == ((2, ["mail", "too_large"]) if form == "mbox" else (1, kinds))
    assert set(kinds) <= {"mail", "too_large", "unreadable_file", "no_mail_columns"}
    assert megabytes < 200


@pytest.mark.long
def test_a_line_of_a_gigabyte_takes_no_more_memory(tmp_path: Path) -> None:
    path = endless_line(tmp_path / "endless.mbox", 1024 * MEGABYTE)
    count, kinds, _, megabytes = measured("mbox", path, 300)
    assert (count, kinds) == (2, ["mail", "too_large"])
    assert megabytes < 200


def test_memory_is_flat_as_a_mailbox_grows(tmp_path: Path) -> None:
    path = tmp_path / "box.mbox"
    path.write_bytes((SEPARATOR + b"Subject: x\n\n" + b"words of a mail\n" * 500 + b"\n") * 6_000)
    count, _, _, megabytes = measured("mbox", path, 60)
    assert (count, path.stat().st_size > 45 * MEGABYTE) == (6_000, True)
    # The texts "mail" of the report itself are part of it.
    assert megabytes < 40


def test_what_expands_beyond_all_reason_is_a_bomb(tmp_path: Path) -> None:
    packed = tmp_path / "box.mbox.gz"
    with gzip.open(packed, "wb", compresslevel=9) as file:
        file.write(MAIL_BYTES + SEPARATOR + b"Subject: endless\n\n")
        for _ in range(80):
            file.write(bytes(MEGABYTE))
    count, kinds, first, megabytes = measured("mbox", packed, 60)
    assert (kinds, first[0]) == (["bomb", "mail", "too_large"], "mail")
    assert (count, megabytes < 200) == (3, True)
    zipped = tmp_path / "box.zip"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr("a.mbox", bytes(80 * MEGABYTE))
        whole.writestr("b.mbox", MAIL_BYTES)
    _, _, first, megabytes = measured("mbox", zipped, 60)
    assert (first, megabytes < 40) == (["bomb", "mail"], True)


@pytest.mark.parametrize(
    "piece",
    [
        b"From x\n",
        b"\nFrom a@b.example Tue Mar  4 14:10:00 2025\n",
        SEPARATOR + b"Subject: x\nContent-Length: 9999999\n",
        SEPARATOR + b"Subject: x\nContent-Length: 20000000\n\nx\n\n",
        b"\nFrom " + b"1:11 " * 150 + b"\n",
        b"\nFrom " + b"Mon, " * 150 + b"\n",
        b"\n>From " * 3,
        b"\r\n \r\n",
    ],
    ids=["bare", "empty mails", "no end of headers", "false lengths", "times", "days", "escaped", "blank"],
)
def test_time_grows_with_the_bytes_whatever_they_are(piece: bytes, tmp_path: Path) -> None:
    path = tmp_path / "box.mbox"
    path.write_bytes(MAIL_BYTES + piece * (MEGABYTE // len(piece)))
    count, kinds, _, megabytes = measured("mbox", path, 60)
    assert count >= 1
    assert set(kinds) <= {"mail"}
    assert megabytes < 150


def test_links_that_lead_out_are_told_and_not_followed(tmp_path: Path) -> None:
    base, outside = tmp_path / "base", tmp_path / "outside"
    base.mkdir()
    outside.mkdir()
    (outside / "secret.mbox").write_bytes(MAIL_BYTES)
    (base / "link.mbox").symlink_to(outside / "secret.mbox")
    (base / "folder").symlink_to(outside)
    (base / "loop").symlink_to(base)
    (base / "box.mbox").write_bytes(MAIL_BYTES)
    (base / "same.mbox").symlink_to(base / "box.mbox")
    source = Source.model_validate({"name": "mail", "kind": "mail", "format": "mbox", "path": "."})
    files = source_files(source, base, MAIL["mbox"].patterns)
    assert [file.name for file in files] == ["box.mbox", "folder", "link.mbox", "loop", "same.mbox"]
    for read in (read_mbox, read_file):
        assert list(read(base / "link.mbox", base)) == [
            Reject("link.mbox", "file", content_digest(b""), "not_a_plain_file", 0)
        ]
        assert len(list(read(base / "same.mbox", base))) == 1


def test_a_name_of_any_bytes_is_a_path(tmp_path: Path) -> None:
    name = bytes(byte for byte in range(1, 256) if byte not in b"/\n")[:200]
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    path.write_bytes(MAIL_BYTES)
    (message,) = read_mbox(path, tmp_path)
    assert message.path.encode("utf-8").decode("utf-8") == message.path
    assert "\\udc80" in message.path
