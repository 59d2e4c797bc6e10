"""Mbox files of every dialect and trees of mails: every byte has its message, text is no separator."""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive import mail_scanner, mailbox
from archive.errors import SourceError
from archive.formats import MAIL, source_files
from archive.identifiers import content_digest
from archive.mail_scanner import MboxScanner, mbox_dialect
from archive.mailbox import RawMessage, mbox_ranges, read_file, read_mbox, read_mbox_range
from archive.rejects import Reject
from contracts.manifest import Source

SEPARATOR = b"From a@b.example Tue Mar  4 14:10:00 2025\n"
PATCH = b"From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n"


def write(folder: Path, data: bytes) -> Path:
    path = folder / "box.mbox"
    path.write_bytes(data)
    return path


def split(data: bytes, folder: Path) -> list[RawMessage]:
    messages = list(read_mbox(write(folder, data), folder))
    assert all(isinstance(message, RawMessage) for message in messages)
    return [message for message in messages if isinstance(message, RawMessage)]


@pytest.mark.parametrize(
    ("data", "bodies"),
    [
        (b"", []),
        (SEPARATOR + b"A: 1\n\nx\n\n" + SEPARATOR + b"A: 2\n\ny\n", [b"A: 1\n\nx\n\n", b"A: 2\n\ny\n"]),
        (SEPARATOR + b"A: 1\n\nFrom now on, in 2025, we meet.\n", None),
        (SEPARATOR + b"A: 1\n\n\nFrom 10:30 on, in 2025, we meet.\n\nAnn\n", None),
        (SEPARATOR + b"A: 1\n\n\nFrom: Ann\nTo: Bob\n", None),
        (SEPARATOR + b"A: 1\n\nx\n" + SEPARATOR + b"y\n", None),
        (SEPARATOR + b"A: 1\n\nx\n\n" + SEPARATOR + b"no header\n", [b"A: 1\n\nx\n\n", b"no header\n"]),
        (SEPARATOR + b"A: 1\n\n\nFrom Ann, Mon 3 Mar 14:10 2025, for you:\nhe wrote\n", None),
        (b"lost bytes\n\n" + SEPARATOR + b"A: 1\n", [b"lost bytes\n\n", b"A: 1\n"]),
        (SEPARATOR + b"\n" + SEPARATOR + b"A: 1\n", [b"\n", b"A: 1\n"]),
        (SEPARATOR, [b""]),
        (SEPARATOR.replace(b"\n", b"\r\n") + b"A: 1\r\n\r\nx\r\n", [b"A: 1\r\n\r\nx\r\n"]),
        (b"\xef\xbb\xbf" + SEPARATOR + b"A: 1\n\nx\n", [b"A: 1\n\nx\n"]),
    ],
)
def test_messages_are_split_at_separators(data: bytes, bodies: list[bytes] | None, tmp_path: Path) -> None:
    expected = bodies if bodies is not None else [data.removeprefix(SEPARATOR)]
    assert [message.data for message in split(data, tmp_path)] == expected


@pytest.mark.parametrize(
    "separator",
    [
        b"From a@b.example Tue Mar  4 14:10:00 2025\n",
        b"From a@b.example  Tue Mar  4 14:10 2025\n",
        b"From ann at b.example  Tue Mar  4 14:10:00 2025\n",
        b"From a@b.example Tue Mar  4 14:10:00 UTC 2025\n",
        b"From a@b.example Tue, 4 Mar 2025 14:10:00 +0100\n",
        b"From 1824310@xxx Tue Mar 04 14:10:00 +0000 2025\n",
        b"From - Tue Mar 04 14:10:00 2025\n",
        b"From ???@??? Tue Mar 04 14:10:00 2025\n",
        b"From a@b.example 2025-03-04 14:10:00\n",
        b"From \n",
        b"From -\n",
        b"From a@b.example\n",
    ],
)
@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
def test_separators_of_all_programs_are_known(separator: bytes, ends: bytes, tmp_path: Path) -> None:
    bodies = [b"Subject: 1\n\nx\n\n", b"X-GM-THRID: 17\nX-Gmail-Labels: Inbox\nSubject: 2\n\ny\n"]
    data = b"".join(separator + body for body in bodies).replace(b"\n", ends)
    kept = b"\n" if ends == b"\r" else ends
    messages = split(data, tmp_path)
    assert [message.data for message in messages] == [body.replace(b"\n", kept) for body in bodies]
    assert messages[0].envelope == separator[5:].decode().strip()


def test_a_usual_header_separates_without_an_empty_line(tmp_path: Path) -> None:
    data = SEPARATOR + b"Subject: 1\n\nx\n" + SEPARATOR + b"Received: by b.example\nSubject: 2\n\ny\n"
    assert [m.data[:11] for m in split(data, tmp_path)] == [b"Subject: 1\n", b"Received: b"]


def test_a_patch_in_a_mail_is_text_and_a_file_of_patches_is_a_mailbox(tmp_path: Path) -> None:
    patch = PATCH + b"From: Ann <a@b.example>\nSubject: [PATCH] x\n\n-old\n+new\n\n"
    assert len(split(SEPARATOR + b"A: 1\n\n" + patch, tmp_path)) == 1
    assert len(split(patch * 3, tmp_path)) == 3


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (
            b"A: 1\n\n>From here on\n>>From there\n> From x\n",
            b"A: 1\n\nFrom here on\n>From there\n> From x\n",
        ),
        (b"A: 1\n\nno >From at a start\n", b"A: 1\n\nno >From at a start\n"),
    ],
)
def test_one_sign_is_taken_off_escaped_lines(written: bytes, read: bytes, tmp_path: Path) -> None:
    assert [message.data for message in split(SEPARATOR + written, tmp_path)] == [read]


@pytest.mark.parametrize(
    ("stated", "count"),
    [(0, 1), (1, 1), (-1, 1), (-4, 2), (7, 2), (-200, 2)],
    ids=["exact", "with the empty line", "without the last line end", "short", "long", "far too short"],
)
def test_a_content_length_counts_where_it_leads_to_a_separator(
    stated: int, count: int, tmp_path: Path
) -> None:
    body = b">From here\n\n" + SEPARATOR + b"Subject: quoted\n\nold text\n"
    head = b"Subject: 1\nContent-Length: %d\n\n" % max(len(body) + stated, 0)
    first, *others = split(SEPARATOR + head + body + b"\n" + SEPARATOR + b"Subject: 2\n\nz\n", tmp_path)
    assert len(others) == count
    if count == 1:
        assert first.data == head + body + b"\n", "a message with a bare separator in it was never escaped"


def test_a_content_length_counts_to_the_end_of_the_file(tmp_path: Path) -> None:
    body = SEPARATOR + b"Subject: quoted\n\nold text\n"
    (message,) = split(SEPARATOR + b"content-length: %d\n\n" % len(body) + body, tmp_path)
    assert message.data.endswith(body)


@given(
    st.lists(
        st.binary(max_size=60).map(lambda data: b"A: 1\n\n" + data.replace(b"From ", b"") + b"\n\n"),
        max_size=4,
    )
)
def test_locators_give_back_the_bytes_of_each_message(bodies: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = b"".join(SEPARATOR + body for body in bodies)
        messages = split(data, Path(folder))
        assert len(messages) == len(bodies)
        for message, body in zip(messages, bodies, strict=True):
            start, end = (int(part) for part in message.locator.removeprefix("bytes ").split("-"))
            assert data[start:end] == body


@given(st.lists(st.text("From >\nxA:1 ", max_size=40).map(str.encode), min_size=1, max_size=4))
def test_what_is_escaped_by_the_rules_of_mboxrd_is_read_as_it_was(bodies: list[bytes]) -> None:
    def escaped(body: bytes) -> bytes:
        lines = body.split(b"\n")
        return b"\n".join(b">" + line if line.lstrip(b">").startswith(b"From ") else line for line in lines)

    with tempfile.TemporaryDirectory() as folder:
        whole = [b"Subject: 1\n\n" + body + b"\n\n" for body in bodies]
        read = split(b"".join(SEPARATOR + escaped(body) for body in whole), Path(folder))
        assert [message.data for message in read] == whole


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                SEPARATOR,
                SEPARATOR.replace(b"\n", b"\r\n"),
                PATCH,
                b"From \n",
                b"From now on\n",
                b">From x\n",
                b"\n",
                b"\r\n",
                b"Subject: x\n",
                b"text\n",
                b"no end of line",
                b" " * 250 + b"\n",
                b"x" * 1300 + b"\n",
            ]
        ),
        st.integers(0, 200).map(lambda size: b"Content-Length: %d\n\n" % size),
    ),
    max_size=14,
).map(b"".join)


@contextmanager
def block_size(size: int) -> Iterator[None]:
    before = mail_scanner.BLOCK
    mail_scanner.BLOCK = size
    try:
        yield
    finally:
        mail_scanner.BLOCK = before


@settings(max_examples=300, deadline=None)
@given(PIECES, st.integers(1, 400), st.sampled_from([1, 7, 64, 1_500]))
def test_ranges_one_after_another_are_the_whole_file(data: bytes, size: int, block: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write(folder, data)
        whole = list(read_mbox(path, folder))
        with block_size(block):
            assert list(read_mbox(path, folder)) == whole
            ranges = mbox_ranges(path, size)
        assert [start for start, _ in ranges] == [0, *(end for _, end in ranges[:-1])]
        assert ranges[-1][1] == len(data)
        assert all(end - start >= size for start, end in ranges[:-1])
        parts = [message for start, end in ranges for message in read_mbox_range(path, folder, start, end)]
        assert parts == whole


@settings(max_examples=200, deadline=None)
@given(PIECES)
def test_stretches_of_messages_cover_every_byte(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as name, write(Path(name), data).open("rb") as file:
        at = 0
        for span in MboxScanner(file, 0, 1_000_000, mbox_dialect(data)).spans():
            assert span.start == at
            assert span.body >= span.start
            at = span.end
        assert at == len(data) or data == b"\xef\xbb\xbf"


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 600), st.integers(0, 2**32))
def test_added_mails_leave_all_ranges_but_the_last(old: int, new: int, size: int, seed: int) -> None:
    def mails(count: int) -> bytes:
        return b"".join(
            SEPARATOR + b"Subject: x\n\n" + b"x" * ((seed >> number) % 97) + b"\n\n"
            for number in range(count)
        )

    with tempfile.TemporaryDirectory() as name:
        path = write(Path(name), mails(old))
        before = mbox_ranges(path, size)
        write(Path(name), mails(old) + mails(new))
        assert mbox_ranges(path, size)[: len(before) - 1] == before[:-1]


def test_a_message_over_the_bound_is_rejected_with_the_hash_of_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox, "MAX_MESSAGE", 5_000)
    long, short = b"Subject: 1\n\n" + b"x\n" * 9_000, b"Subject: 2\n\ny\n"
    data = SEPARATOR + long + b"\n" + SEPARATOR + short
    for block in (100, 3_000, 1_000_000):
        with block_size(block):
            rejected, read = read_mbox(write(tmp_path, data), tmp_path)
        assert rejected == Reject(
            "box.mbox",
            f"bytes {len(SEPARATOR)}-{len(SEPARATOR) + len(long) + 1}",
            content_digest(long + b"\n"),
            "too_large",
            len(long) + 1,
        )
        assert isinstance(read, RawMessage)
        assert read.data == short


def mail_source(path: str, form: str) -> Source:
    return Source.model_validate({"name": "mail", "kind": "mail", "format": form, "path": path})


def test_a_tree_gives_one_message_per_file_whatever_its_extension(tmp_path: Path) -> None:
    for name in ("ann/inbox/1", "ann/sent/2.txt", "bob/inbox/3.eml", "bob/.hidden"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"Subject: hi\r\n\r\nx\r\n")
    (tmp_path / "bob/folder.eml").mkdir()
    files = source_files(mail_source(".", "eml"), tmp_path, MAIL["eml"].patterns)
    messages = [message for file in files for message in read_file(file, tmp_path)]
    assert [message.path for message in messages] == ["ann/inbox/1", "ann/sent/2.txt", "bob/inbox/3.eml"]
    assert {message.locator for message in messages} == {"bytes 0-18"}


def test_a_folder_of_mailboxes_is_known_by_what_its_files_hold(tmp_path: Path) -> None:
    (tmp_path / "Mail.sbd").mkdir()
    (tmp_path / "Inbox").write_bytes(b"From \r\nX-Mozilla-Status: 0001\r\nSubject: x\r\n\r\ny\r\n")
    (tmp_path / "Mail.sbd" / "Projects").write_bytes(SEPARATOR + b"Subject: x\n\ny\n")
    (tmp_path / "Inbox.msf").write_bytes(b"// <!-- index -->")
    (tmp_path / "2025-March.txt.gz").write_bytes(gzip.compress(SEPARATOR + b"Subject: x\n\ny\n", mtime=0))
    (tmp_path / "empty.mbox").write_bytes(b"")
    files = source_files(mail_source(".", "mbox"), tmp_path, MAIL["mbox"].patterns)
    assert [file.name for file in files] == ["2025-March.txt.gz", "Inbox", "Projects", "empty.mbox"]
    assert [
        message.mailbox
        for file in files
        for message in read_mbox(file, tmp_path)
        if isinstance(message, RawMessage)
    ] == [
        "2025-March",
        "Inbox",
        "Projects",
    ]
    with pytest.raises(SourceError):
        source_files(mail_source("Inbox.sbd", "mbox"), tmp_path, MAIL["mbox"].patterns)


@pytest.mark.parametrize("form", sorted(MAIL))
def test_what_is_no_plain_file_is_one_reject_and_never_waited_for(form: str, tmp_path: Path) -> None:
    pipe, loop, folder = tmp_path / "pipe.mbox", tmp_path / "loop.mbox", tmp_path / "folder.eml"
    os.mkfifo(pipe)
    loop.symlink_to("loop.mbox")
    folder.mkdir()
    read = MAIL[form].messages
    assert read is not None
    for path, reason in ((pipe, "not_a_plain_file"), (loop, "unreadable_file"), (folder, "not_a_plain_file")):
        (reject,) = read(path, tmp_path)
        assert isinstance(reject, Reject)
        assert (reject.path, reject.locator, reject.reason) == (path.name, "file", reason)
    assert mbox_ranges(pipe, 10) == [(0, 0)]
    assert list(read_mbox_range(pipe, tmp_path, 0, 0)) == list(read_mbox(pipe, tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are those of Unix")
def test_a_file_that_may_not_be_read_is_one_reject(tmp_path: Path) -> None:
    path = write(tmp_path, SEPARATOR)
    path.chmod(0)
    child = os.fork() if os.geteuid() == 0 else 0
    if child:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        return
    root = os.geteuid() == 0
    code = 1
    try:
        if root:
            os.chdir(tmp_path)
            os.setuid(65534)
            path = Path("box.mbox")
        (reject,) = read_mbox(path, path.parent)
        assert isinstance(reject, Reject)
        assert reject.reason == "unreadable_file"
        code = 0
    finally:
        if root:
            os._exit(code)


def test_names_that_are_no_utf8_are_told_apart(tmp_path: Path) -> None:
    paths = [Path(os.fsdecode(os.fsencode(tmp_path) + b"/box" + bytes([byte]))) for byte in (0xE4, 0xF6)]
    for path in paths:
        path.write_bytes(SEPARATOR + b"Subject: x\n\ny\n")
    told = [message.path for path in paths for message in read_mbox(path, tmp_path)]
    assert told == ["box\\udce4", "box\\udcf6"]
