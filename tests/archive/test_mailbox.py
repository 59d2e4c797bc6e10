"""Mbox files and message trees: every byte belongs to one message, separators are told from text."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive import mailbox
from archive.mailbox import RawMessage, read_mbox, read_tree

SEPARATOR = b"From a@b.example Tue Mar  4 14:10:00 2025\n"


def split(data: bytes, folder: Path) -> list[RawMessage]:
    path = folder / "box.mbox"
    path.write_bytes(data)
    return list(read_mbox(path, folder))


@pytest.mark.parametrize(
    ("data", "bodies"),
    [
        (b"", []),
        (SEPARATOR + b"A: 1\n\nx\n\n" + SEPARATOR + b"A: 2\n\ny\n", [b"A: 1\n\nx\n\n", b"A: 2\n\ny\n"]),
        (SEPARATOR + b"A: 1\n\n>From here on\n>>From there\n", [b"A: 1\n\nFrom here on\n>From there\n"]),
        (
            SEPARATOR + b"A: 1\n\nFrom now on, in 2025, we meet.\n",
            [b"A: 1\n\nFrom now on, in 2025, we meet.\n"],
        ),
        (SEPARATOR + b"A: 1\n\nx\n" + SEPARATOR + b"y\n", [b"A: 1\n\nx\n" + SEPARATOR + b"y\n"]),
        (b"lost bytes\n\n" + SEPARATOR + b"A: 1\n", [b"lost bytes\n\n", b"A: 1\n"]),
        (SEPARATOR + b"\n" + SEPARATOR + b"A: 1\n", [b"\n", b"A: 1\n"]),
        (SEPARATOR.replace(b"\n", b"\r\n") + b"A: 1\r\n\r\nx\r\n", [b"A: 1\r\n\r\nx\r\n"]),
    ],
)
def test_messages_are_split_at_separators_after_an_empty_line(
    data: bytes, bodies: list[bytes], tmp_path: Path
) -> None:
    assert [message.data for message in split(data, tmp_path)] == bodies


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


def test_a_message_over_the_bound_is_reported_without_being_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox, "MAX_MESSAGE", 100)
    (message,) = split(SEPARATOR + b"x" * 60 + b"\n" + b"y" * 60 + b"\n" + b"z" * 60 + b"\n", tmp_path)
    assert message.size == 183
    assert len(message.data) < 183


def test_a_tree_gives_one_message_per_file_whatever_its_extension(tmp_path: Path) -> None:
    for name in ("ann/inbox/1", "ann/sent/2.txt", "bob/inbox/3.eml", "bob/.hidden"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"Subject: hi\r\n\r\nx\r\n")
    messages = list(read_tree(tmp_path, "**/*", tmp_path))
    assert [message.path for message in messages] == ["ann/inbox/1", "ann/sent/2.txt", "bob/inbox/3.eml"]
    assert {message.locator for message in messages} == {"bytes 0-18"}
