"""Outlook mailboxes that cannot be opened are one reject each, with the hash of their bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from archive import mailbox
from archive.identifiers import content_digest
from archive.mail_pst import _Reader, read_pst
from archive.mailbox import RawMessage
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


class Stored:
    """Answers as libpff's objects do: methods that give a value, others that are not there or fail."""

    def __init__(self, **values: object) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name not in self.__dict__["_values"]:
            raise AttributeError(name)
        value = self._values[name]

        def get(*_: object) -> object:
            if isinstance(value, Exception):
                raise value
            return value

        return get


def item(*files: Stored, **values: object) -> Stored:
    first = files[0] if files else None
    return Stored(get_number_of_attachments=len(files), get_attachment=first, **values)


def file(size: int, data: object = b"") -> Stored:
    return Stored(get_long_filename="a.bin", get_sub_item=None, get_size=size, read_buffer=data)


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        (None, "unreadable_record"),
        (item(file(51 * 1024 * 1024)), "too_large"),
        (item(file(30 * 1024 * 1024), file(30 * 1024 * 1024)), "too_large"),
        (item(file(4, b"data")), ""),
        (item(file(4, OSError("broken"))), ""),
        (item(get_plain_text_body=OSError("broken"), get_number_of_record_sets=OSError("broken")), ""),
        (Stored(), ""),
    ],
    ids=["none", "large file", "large files", "file", "broken file", "broken item", "bare item"],
)
def test_an_item_is_a_mail_or_a_reject(stored: Stored | None, reason: str) -> None:
    read = _Reader("a.pst", {})._message(stored, "Inbox", "folder 1 item 0")
    if reason:
        assert isinstance(read, Reject)
        assert (read.path, read.locator, read.reason) == ("a.pst", "folder 1 item 0", reason)
    else:
        assert isinstance(read, RawMessage)
        assert (read.mailbox, read.size < mailbox.MAX_MESSAGE) == ("Inbox", True)
