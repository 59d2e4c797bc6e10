"""What of an archive is read in one go: portions of sources, each known by the bytes it holds.

Belongs here: how a source is cut into portions, so that processes share the work, a rerun skips what it has
and a second delivery reads only what is new. Does not belong here: reading (`archive.reading`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from archive.formats import DATABASES, MAIL, TABLES, TICKETS, source_files
from archive.mailbox import mbox_ranges
from contracts.canonical import canonical_bytes, sha256_hex
from contracts.manifest import Manifest, Source

PORTION_BYTES = 16 * 1024 * 1024
"""About so many bytes of a mailbox are one portion."""
_GROUP_CUT = 256
"""One file in so many ends a group of small files; decided by its path alone, so that a new file changes
one group and leaves all others as they were."""
_GROUP_BYTES = 8 * 1024 * 1024
_BLOCK = 4 * 1024 * 1024
_UNREAD = {"path", "url", "tables", "preset", "retention_days", "keep_until"}
"""Settings of a source that decide nothing about reading its bytes."""


class Portion(NamedTuple):
    """A stretch of one file, some whole files, or a database: what one process reads at one go."""

    number: int
    """The source's place in the manifest."""
    files: tuple[Path, ...]
    """Below the base folder; none for a database that is reached by URL."""
    start: int
    end: int
    """Bytes of the one file; 0 and 0 for whole files."""
    size: int
    """Bytes to read; 0 where they are not known."""
    digest: str
    """SHA-256 of the bytes and their places; empty where they cannot be known before they are read."""

    def key(self, source: Source, context: str) -> str:
        """Returns the name of the part that this portion becomes: other bytes or settings, another name."""
        settings = source.model_dump(mode="json", exclude=_UNREAD)
        return sha256_hex(canonical_bytes([context, settings, self.start, self.digest]))[:32]


def plan_portions(manifest: Manifest, base: Path) -> Iterator[Portion]:
    """Yields the portions of all sources in the order in which their rows are stored.

    Raises:
        SourceError: a source has no files.
    """
    for number, source in enumerate(manifest.sources):
        yield from _portions(number, source, base)


def is_readable_file(path: Path, base: Path) -> bool:
    """Says whether a path is a plain file inside the base folder: no pipe, no link that leads out."""
    return path.is_file() and path.resolve().is_relative_to(base.resolve())


def _portions(number: int, source: Source, base: Path) -> Iterator[Portion]:
    if source.format == "mbox":
        for file in source_files(source, base, MAIL["mbox"].patterns):
            if is_readable_file(file, base):
                for start, end in mbox_ranges(file, PORTION_BYTES):
                    digest = _digest(base, [file], start, end)
                    yield Portion(number, (file,), start, end, end - start, digest)
            else:
                yield _whole(number, [file], base)
    elif source.format in MAIL:
        yield from _grouped(number, source_files(source, base, MAIL[source.format].patterns), base)
    elif source.format in TICKETS:
        yield _whole(number, source_files(source, base, TICKETS[source.format]), base)
    elif source.format in DATABASES:
        files = [base / source.path] if source.path else []
        yield _whole(number, [file for file in files if file.is_file()], base)
    else:
        yield from _grouped(number, source_files(source, base, TABLES[source.format].patterns), base)


def _whole(number: int, files: Sequence[Path], base: Path) -> Portion:
    digest = _digest(base, files, 0, 0) if files else ""
    return Portion(number, tuple(files), 0, 0, sum(map(_size, files)), digest)


def _grouped(number: int, files: Sequence[Path], base: Path) -> Iterator[Portion]:
    """Small files in groups, a large one alone."""
    group: list[Path] = []
    for file in files:
        if group and sum(map(_size, group)) + _size(file) > _GROUP_BYTES:
            yield _whole(number, group, base)
            group = []
        group.append(file)
        if _path_digest(file, base)[0] % _GROUP_CUT == 0:
            yield _whole(number, group, base)
            group = []
    if group:
        yield _whole(number, group, base)


def _size(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def _path_digest(file: Path, base: Path) -> bytes:
    return hashlib.sha256(os.fsencode(file.relative_to(base).as_posix())).digest()


def _digest(base: Path, files: Sequence[Path], start: int, end: int) -> str:
    """SHA-256 over paths and bytes; a file that cannot be read counts by its path alone."""
    total = hashlib.sha256()
    for file in files:
        total.update(_path_digest(file, base))
        if not is_readable_file(file, base):
            total.update(b"no plain file")
            continue
        try:
            with file.open("rb") as stream:
                stream.seek(start)
                left = end - start if end else _size(file)
                while block := stream.read(min(_BLOCK, left)):
                    total.update(block)
                    left -= len(block)
        except OSError:
            total.update(b"unreadable")
    return total.hexdigest()
