"""Maildir folders: one file per message in `cur` and `new`, its marks in its name.

Belongs here: which mailbox a file belongs to and how it is marked. Does not belong here: the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from archive.mailbox import RawMessage, read_file
from archive.rejects import Reject

PATTERNS = ("**/cur/*", "**/new/*")
"""Delivered messages; `tmp` holds what was still being written."""
_FLAGS = re.compile(r"[:;!]2,([A-Za-z]*)$")
"""":2," on Unix, with another sign where copies were made on file systems without colons."""


def read_maildir(path: Path, base: Path) -> Iterator[RawMessage | Reject]:
    """Yields the message that a maildir file is, with its flags and the name of its mailbox.

    The mailbox is the name of the folder above `cur` or `new`, subfolders as Dovecot names them
    (".Sent.2025") told as paths ("ann/Sent/2025").
    """
    folder = path.parent.parent
    inside = folder.relative_to(base) if folder.is_relative_to(base) else Path(folder.name)
    owner = max((at for at, part in enumerate(inside.parts) if not part.startswith(".")), default=0)
    steps = [step for part in inside.parts[owner:] for step in _steps(part)]
    mailbox = "/".join(steps).encode("utf-8", "backslashreplace").decode() or "INBOX"
    flags = _FLAGS.search(path.name)
    for raw in read_file(path, base):
        if isinstance(raw, RawMessage):
            yield raw._replace(mailbox=mailbox, flags=flags[1] if flags is not None else "")
        else:
            yield raw


def _steps(part: str) -> list[str]:
    return [step for step in part[1:].split(".") if step] if part.startswith(".") else [part]
