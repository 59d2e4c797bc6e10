"""What portions became: one folder each, written aside and renamed, so that nothing is read twice.

Belongs here: the files of a part and their order. Does not belong here: what is read
(`archive.reading`) and how parts become tables (`archive.assembly`).
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import polars as pl

from archive.errors import StoreError
from archive.rejects import Reject
from archive.row_groups import RowGroups, column_names, read_rows, row_groups, writing
from archive.sealing import MAGIC, Sealing
from archive.store import PRIVATE_FOLDER

FOLDER = "parts"
_SUMMARY = "part.json"
_ASIDE = ".aside-"
_MOST_OPEN = 100
"""Files of one part that are written at the same time; a system may have thousands of tables."""
_MOST_WAITING = 48 * 1024 * 1024
"""Bytes of rows that wait for more before they are written."""


@dataclass(frozen=True)
class PartTable:
    """Rows of one of the company's own tables within a part."""

    table: str
    file: str
    rows: int
    key: tuple[str, ...]
    path: str
    """The source file that the rows came from, or the database table."""


@dataclass(frozen=True)
class PartSummary:
    """What a part holds: counts and the names of its files, no content."""

    read: int
    kept: int
    """Units that became rows; duplicates among them are told at assembly."""
    fixed: dict[str, int] = field(default_factory=dict)
    """Canonical table -> rows."""
    tables: tuple[PartTable, ...] = ()
    rejects: tuple[Reject, ...] = ()


class Part:
    """One part on disk."""

    def __init__(self, folder: Path, summary: PartSummary, sealing: Sealing | None = None) -> None:
        """Wraps a landed part."""
        self.folder = folder
        self.summary = summary
        self._sealing = sealing

    def frames(self, name: str, columns: list[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yields the rows of a file of this part, one row group at a time; nothing where it has none."""
        path = self.folder / f"{name}.parquet"
        sealed_as = f"{self.folder.name}/{name}"
        return row_groups(path, columns, self._sealing, sealed_as) if path.is_file() else iter(())

    def columns(self, name: str, but: Sequence[str]) -> list[str]:
        """Returns the columns of a file of this part, without some."""
        path = self.folder / f"{name}.parquet"
        names = column_names(path, self._sealing, f"{self.folder.name}/{name}")
        return [column for column in names if column not in but]


class PartWriter:
    """Writes the files of one part into a folder aside; `land` makes them visible all at once."""

    def __init__(self, root: Path, key: str, sealing: Sealing | None = None) -> None:
        """Begins a part; what an interrupted run left is removed by `sweep_parts`.

        A worker may outlive a killed run and meet the next one at the same part: each writes its own folder.
        """
        self._sealing = sealing
        self._final = root / key
        self._aside = root / f"{_ASIDE}{key}-{os.getpid()}"
        shutil.rmtree(self._aside, ignore_errors=True)
        with writing(root):
            self._aside.mkdir(mode=PRIVATE_FOLDER, parents=True)
        self._writers: dict[str, RowGroups] = {}
        self._closed: set[str] = set()

    def takes(self, name: str) -> bool:
        """Says whether rows can still be added to a file: of many files, those least in use are closed."""
        return name not in self._closed

    def add(self, name: str, frame: pl.DataFrame) -> None:
        """Appends rows to a file of the part; the file is there even without rows.

        Raises:
            StoreError: the disk is full or the like.
        """
        writer = self._writers.pop(name, None) or RowGroups(
            self._aside / f"{name}.parquet",
            passing=True,
            sealing=self._sealing,
            name=f"{self._final.name}/{name}",
        )
        self._writers[name] = writer
        writer.add(frame)
        if sum(other.waiting_bytes for other in self._writers.values()) > _MOST_WAITING:
            for other in self._writers.values():
                other.flush()
        if len(self._writers) > _MOST_OPEN:
            oldest = next(iter(self._writers))
            self._writers.pop(oldest).close()
            self._closed.add(oldest)

    def land(self, summary: PartSummary) -> None:
        """Closes all files and renames the folder into place.

        Raises:
            StoreError: the disk is full or the like.
        """
        data = json.dumps(asdict(summary), sort_keys=True).encode()
        if self._sealing is not None:
            data = self._sealing.seal(data, f"{self._final.name}/{_SUMMARY}")
        for writer in self._writers.values():
            writer.close()
        with writing(self._aside.parent):
            (self._aside / _SUMMARY).write_bytes(data)
            shutil.rmtree(self._final, ignore_errors=True)
            os.replace(self._aside, self._final)

    def drop(self) -> None:
        """Removes what was written so far."""
        for writer in self._writers.values():
            with suppress(StoreError):
                writer.abandon()
        shutil.rmtree(self._aside, ignore_errors=True)


def landed(root: Path, key: str, sealing: Sealing | None = None) -> Part | None:
    """Returns a part that was written whole, and opens as it should, or None.

    One that was edited, or sealed under a key that is no more, is read again from its source.
    """
    path = root / key / _SUMMARY
    if not path.is_file():
        return None
    data = path.read_bytes()
    if data.startswith(MAGIC) != (sealing is not None):
        return None
    try:
        content = json.loads(data if sealing is None else sealing.open(data, f"{key}/{_SUMMARY}"))
    except StoreError:
        return None
    tables = tuple(PartTable(**{**table, "key": tuple(table["key"])}) for table in content["tables"])
    rejects = tuple(Reject(*reject) for reject in content["rejects"])
    summary = PartSummary(content["read"], content["kept"], content["fixed"], tables, rejects)
    return Part(root / key, summary, sealing)


def sweep_parts(root: Path, keys: Iterable[str]) -> None:
    """Removes parts that no portion of the archive has any more, and what interrupted runs left."""
    wanted = set(keys)
    for folder in root.iterdir() if root.is_dir() else ():
        if folder.name not in wanted:
            shutil.rmtree(folder, ignore_errors=True)


def reseal_parts(root: Path, target: Path, old: Sealing, new: Sealing) -> int:
    """Writes the parts of one folder into another under another key and returns how many there are.

    Parts that do not open stay behind: they would be read again from their source in any case.
    """
    done = 0
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        part = landed(root, folder.name, old)
        if part is None:
            continue
        writer = PartWriter(target, folder.name, new)
        try:
            for path in sorted(folder.glob("*.parquet")):
                name = path.stem
                writer.add(name, read_rows(path, None, old, f"{folder.name}/{name}").clear())
                for frame in part.frames(name):
                    writer.add(name, frame)
            writer.land(part.summary)
        except StoreError:
            writer.drop()
            continue
        done += 1
    return done
