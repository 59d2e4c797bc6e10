"""The export formats that this package reads, by the name that a manifest gives them.

Belongs here: which function reads a format and which files of a folder are its own. Does not belong here:
reading (the modules named after the formats) and telling formats apart (`archive.sniffing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from archive.batches import TableBatch
from archive.errors import SourceError
from archive.mailbox import RawMessage, read_file, read_mbox
from archive.rejects import Reject
from contracts.manifest import Source

MessageReader = Callable[[Path, Path], Iterator[RawMessage | Reject]]
"""Reads the messages of one file; arguments are the file and the base folder that paths are told from."""
BatchReader = Callable[[Path, Path], Iterator[TableBatch]]
"""Reads the tables of one file; arguments as of a message reader."""


@dataclass(frozen=True)
class Format:
    """An export format: which files of a folder are its own, and who reads one of them."""

    name: str
    patterns: tuple[str, ...]
    """Patterns of files below a source folder, where the manifest names only the folder."""
    messages: MessageReader | None = None
    """For mail."""
    batches: BatchReader | None = None
    """For tables; None for databases, which are reached by URL or file through `archive.database`."""


MAIL: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format("mbox", ("**/*.mbox", "**/*.mbx"), messages=read_mbox),
        Format("eml", ("**/*",), messages=read_file),
    )
}
TABLES: dict[str, Format] = {}
TICKETS: dict[str, tuple[str, ...]] = {"jira-csv": ("**/*.csv",)}
"""Ticket exports and their files; `archive.tickets` reads all files of a source together."""
DATABASES: tuple[str, ...] = ("sqlite", "database")

FORMATS: tuple[str, ...] = (*MAIL, *TICKETS, "csv", *TABLES, *DATABASES)
"""Every format that a manifest may name."""


def source_files(source: Source, base: Path, patterns: Sequence[str]) -> list[Path]:
    """Returns the files of a source, sorted by path: one file, a pattern's, or a folder's by its format.

    Hidden files are none of them. What is no plain file (a pipe, a link that leads out) is among them, so
    that it is told rather than passed over.

    Raises:
        SourceError: there is no such file.
    """
    path = source.path or ""
    place = base / path
    if place.is_file():
        found = {place}
    elif place.is_dir():
        found = {file for pattern in patterns for file in place.glob(pattern)}
    else:
        found = set(base.glob(path)) if path else set()
    files = sorted(file for file in found if not file.is_dir() and not file.name.startswith("."))
    if not files:
        raise SourceError(f"source {source.name!r}: no files at its path: correct `path` in the manifest")
    return files
