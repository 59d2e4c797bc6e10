"""Packed mail exports: streamed, each member accounted for, bombs and broken files told and survived."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from archive import mail_packed
from archive.mailbox import RawMessage, mbox_ranges, read_file, read_mbox, read_mbox_range
from archive.rejects import Reject

SEPARATOR = b"From 1824310@xxx Tue Mar 04 14:10:00 +0000 2025\n"
MAILS = b"".join(SEPARATOR + b"X-GM-THRID: %d\nSubject: x\n\ny\n\n" % number for number in range(3))


def zipped(members: dict[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return whole.getvalue()


def tarred(members: dict[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as file:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
    return whole.getvalue()


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_a_compressed_mailbox_is_read_like_the_plain_one(
    ending: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    packed = write(tmp_path, f"2025-March.mbox.{ending}", pack(MAILS))
    plain = write(tmp_path, "2025-March.mbox", MAILS)
    messages = list(read_mbox(packed, tmp_path))
    expected = list(read_mbox(plain, tmp_path))
    assert [message._replace(path="") for message in messages] == [m._replace(path="") for m in expected]
    assert [
        m for s, e in mbox_ranges(packed, 10) for m in read_mbox_range(packed, tmp_path, s, e)
    ] == messages


@pytest.mark.parametrize("pack", [zipped, tarred, lambda members: gzip.compress(tarred(members), mtime=0)])
def test_every_member_of_an_export_is_a_mailbox_a_mail_or_a_reject(
    pack: Callable[[dict[str, bytes]], bytes], tmp_path: Path
) -> None:
    data = pack(
        {
            "Takeout/Mail/All mail.mbox": MAILS,
            "Takeout/Mail/settings.json": b"{}",
            "Takeout/letter.eml": b"Subject: z\n\nz\n",
            "../../etc/passwd": MAILS,
            "Takeout/notes": b"just words",
        }
    )
    name = (
        "takeout.zip" if data.startswith(b"PK") else "takeout.tgz" if data[:1] == b"\x1f" else "takeout.tar"
    )
    read = list(read_mbox(write(tmp_path, name, data), tmp_path))
    mails = [message for message in read if isinstance(message, RawMessage)]
    assert [(mail.mailbox, mail.locator.split(" bytes ")[0]) for mail in mails] == [
        *[("All mail", "Takeout/Mail/All mail.mbox")] * 3,
        ("letter", "Takeout/letter.eml"),
    ]
    assert [(reject.locator, reject.reason) for reject in read if isinstance(reject, Reject)] == [
        ("Takeout/Mail/settings.json", "not_mail"),
        ("../../etc/passwd", "unsafe_path"),
        ("Takeout/notes", "not_mail"),
    ]


def test_a_zip_of_single_mails_is_a_tree_of_mails(tmp_path: Path) -> None:
    data = zipped({"ann/inbox/1.eml": b"Subject: 1\n\nx", "ann/sent/2": b"Subject: 2\n\nx"})
    messages = list(read_file(write(tmp_path, "mails.zip", data), tmp_path))
    assert [
        (message.mailbox, message.data[9:10]) for message in messages if isinstance(message, RawMessage)
    ] == [
        ("ann/inbox", b"1"),
        ("ann/sent", b"2"),
    ]


@pytest.mark.parametrize("name", ["box.mbox.gz", "box.zip"])
def test_a_bomb_ends_in_a_reject_and_what_came_before_is_kept(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_packed, "JUDGED_FROM", 1_000_000)
    data = MAILS + b"\0" * 20_000_000
    packed = gzip.compress(data, 9, mtime=0) if name.endswith("gz") else zipped({"box.mbox": data})
    read = list(read_mbox(write(tmp_path, name, packed), tmp_path))
    assert [reject.reason for reject in read if isinstance(reject, Reject)] == ["bomb"]
    if name.endswith("gz"):
        assert len([message for message in read if isinstance(message, RawMessage)]) == 3


@pytest.mark.parametrize("cut", [12, -20])
def test_a_torn_file_gives_what_is_there_and_one_reject(cut: int, tmp_path: Path) -> None:
    read = list(read_mbox(write(tmp_path, "box.mbox.gz", gzip.compress(MAILS, mtime=0)[:cut]), tmp_path))
    assert [item.reason for item in read if isinstance(item, Reject)] == ["unreadable"]
    (reject,) = read_mbox(write(tmp_path, "box.zip", zipped({"a.mbox": MAILS})[:cut]), tmp_path)
    assert isinstance(reject, Reject)
    assert reject.reason == "unreadable"


def test_a_directory_too_long_to_be_held_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "box.zip", zipped({f"{number}.mbox": b"" for number in range(20)}))
    assert len(list(read_mbox(path, tmp_path))) == 20
    monkeypatch.setattr(mail_packed, "MAX_DIRECTORY", 1_000)
    (reject,) = read_mbox(path, tmp_path)
    assert isinstance(reject, Reject)
    assert reject.reason == "too_many_members"


def test_an_encrypted_member_is_told(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.mbox": MAILS}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (reject,) = read_mbox(write(tmp_path, "box.zip", bytes(data)), tmp_path)
    assert isinstance(reject, Reject)
    assert (reject.locator, reject.reason) == ("a.mbox", "encrypted")
