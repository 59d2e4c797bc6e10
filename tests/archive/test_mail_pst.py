"""Outlook mailboxes that cannot be opened are one reject each, with the hash of their bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from archive.identifiers import content_digest
from archive.mail_pst import read_pst
from archive.rejects import Reject

HEADER = b"!BDN" + bytes(4) + b"SM" + (23).to_bytes(2, "little") + (19).to_bytes(2, "little") + b"\x01\x01"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"!BDN",
        HEADER,
        HEADER + bytes(600),
        HEADER + random.Random(1).randbytes(200_000),
        b"!BDN" + random.Random(2).randbytes(70_000),
        random.Random(3).randbytes(4_096),
        b"Subject: a mail\n\nx\n",
    ],
    ids=["empty", "magic", "cut header", "zeros", "random body", "random header", "random", "text"],
)
def test_a_file_that_is_no_mailbox_is_one_reject(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "archive.pst"
    path.write_bytes(data)
    (reject,) = read_pst(path, tmp_path)
    assert reject == Reject("archive.pst", "file", content_digest(data), "unreadable_file", len(data))
