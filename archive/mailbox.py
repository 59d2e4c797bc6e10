"""Mail containers: mbox files and trees of single messages, split into raw messages with their places.

Belongs here: finding where a message begins and ends. What a message says is read in `archive.message`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAX_MESSAGE = 50 * 1024 * 1024
"""Bytes; a longer message is not held in memory but reported with its first part."""

_FROM_LINE = re.compile(rb"From (?:.*\s)?\d{1,2}:\d\d(?::\d\d)?\b.*\b(?:19|20)\d\d\b")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)


class RawMessage(NamedTuple):
    """The bytes of one message and where they lie."""

    path: str
    """Relative to the base folder, with forward slashes."""
    locator: str
    """"bytes 0-1234", end exclusive."""
    mailbox: str
    data: bytes
    envelope: str
    """The mbox separator line without "From ", empty for single files."""
    size: int
    """Bytes in the file; more than `len(data)` where the message is longer than the bound."""


def read_mbox(path: Path, base: Path) -> Iterator[RawMessage]:
    """Yields the messages of an mbox file in order, separator lines removed, ">From " unescaped once.

    A separator is a line "From ..." with a time and a year, at the start of the file or after an empty
    line. Bytes before the first separator are a message of their own, so that nothing of the file is lost.
    """
    relative = relative_path(path, base)
    kept = bytearray()
    envelope = ""
    start = offset = 0
    size = 0
    blank = True
    with path.open("rb") as file:
        for line in file:
            if blank and line.startswith(b"From ") and _FROM_LINE.match(line):
                if size:
                    yield _message(relative, path.stem, start, size, kept, envelope)
                kept.clear()
                size = 0
                envelope = line[5:].decode("utf-8", "replace").strip()
                start = offset + len(line)
            else:
                size += len(line)
                if len(kept) < MAX_MESSAGE:
                    kept += line
            offset += len(line)
            blank = not line.strip()
    if size or envelope:
        yield _message(relative, path.stem, start, size, kept, envelope)


def read_tree(folder: Path, pattern: str, base: Path) -> Iterator[RawMessage]:
    """Yields one message per file under a folder, sorted by path; the mailbox is the file's folder.

    Hidden files are no messages.
    """
    for path in sorted(folder.glob(pattern)):
        if path.is_file() and not path.name.startswith("."):
            size = path.stat().st_size
            with path.open("rb") as file:
                data = file.read(MAX_MESSAGE)
            yield RawMessage(relative_path(path, base), f"bytes 0-{size}", path.parent.name, data, "", size)


def _message(path: str, mailbox: str, start: int, size: int, kept: bytearray, envelope: str) -> RawMessage:
    data = _ESCAPED.sub(rb"\1", bytes(kept))
    return RawMessage(path, f"bytes {start}-{start + size}", mailbox, data, envelope, size)


def relative_path(path: Path, base: Path) -> str:
    """Returns a file's place below the base folder, with forward slashes; its name alone outside of it."""
    shown = path.relative_to(base).as_posix() if path.is_relative_to(base) else path.name
    return shown.encode("utf-8", "replace").decode()
