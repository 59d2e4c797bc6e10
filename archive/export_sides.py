"""Raw and clean rows side by side: which clean row stands for what lies at a place of the archive.

Belongs here: the pairing, the clean places of files, the counts that an export tells. Of raw rows only
source, path, locator and key are read: content comes from clean rows alone. Does not belong here: writing
(the modules `archive.export_*`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import polars as pl

from archive.errors import ArchiveError
from archive.store import TableStore
from contracts.manifest import Source
from contracts.tables import FIXED_TABLES, RECORD_ID

_MAGIC = re.compile(r"[*?\[]")
_TELLING = 7
"""Digits of a name from which it may be an id of the company's."""


class ExportError(ArchiveError):
    """An archive cannot be written; the message says why and what to do."""


@dataclass
class SourceExport:
    """What became of one source, in counts."""

    name: str
    format: str
    written_as: str
    files: int = 0
    units: int = 0
    """Messages, tickets or rows, copies included."""
    quarantined: int = 0
    """Units that onboarding could not read: they are not exported."""
    left_out: Counter[str] = field(default_factory=Counter)
    """What of the form or content could not be carried over -> how often."""

    def to_json(self) -> dict[str, object]:
        """Returns the counts as JSON has them."""
        return {
            "name": self.name,
            "format": self.format,
            "written_as": self.written_as,
            "files": self.files,
            "units": self.units,
            "quarantined": self.quarantined,
            "left_out": dict(sorted(self.left_out.items())),
        }


class Sides:
    """One canonical table, raw and clean, both read in one order."""

    def __init__(self, raw: TableStore, clean: TableStore, name: str) -> None:
        """Opens both sides.

        Raises:
            ExportError: their rows do not belong together.
        """
        key = FIXED_TABLES[name].key if name in FIXED_TABLES else RECORD_ID.name
        places = ["source", "path", "locator"]
        self.name = name
        self.raw = pl.concat(raw.frames(name, list(dict.fromkeys((key, *places)))))
        self.clean = clean.read(name)
        if self.raw.height != self.clean.height or not self.raw["source"].equals(self.clean["source"]):
            raise ExportError(
                f"the clean table {name!r} is not of the same run as the raw one: onboard the dataset again"
            )
        self._key = key

    @cached_property
    def at(self) -> dict[tuple[str, str, str], int]:
        """(source, path, locator) of the raw side -> row."""
        places = self.raw.select("source", "path", "locator").iter_rows()
        return {(source, path, locator): row for row, (source, path, locator) in enumerate(places)}

    @cached_property
    def by_id(self) -> dict[str, int]:
        """Raw key -> row."""
        return {key: row for row, key in enumerate(self.raw[self._key].to_list())}

    def groups(self, column: str) -> dict[str, list[int]]:
        """Clean value of a column -> rows."""
        found: dict[str, list[int]] = defaultdict(list)
        for row, value in enumerate(self.clean[column].to_list()):
            found[value].append(row)
        return dict(found)

    def pairs(self, column: str) -> Iterator[tuple[str, str, str]]:
        """Source and both sides of the values of one provenance column."""
        sources = self.raw["source"].to_list()
        yield from zip(sources, self.raw[column].to_list(), self.clean[column].to_list(), strict=True)


class _Told(NamedTuple):
    files: dict[str, Counter[str]]
    folders: dict[str, Counter[str]]


class Places:
    """Where exported files of a source lie: the places of the raw ones, as replacement wrote them.

    What stands before the first folder that the manifest leaves open is the source's own folder.
    """

    def __init__(self, source: Source, tables: list[Sides]) -> None:
        """Learns the clean place of every raw file that has rows."""
        self.source = source
        self._strip = len(_fixed(source.path or "").parts)
        told = _Told(defaultdict(Counter), defaultdict(Counter))
        for table in tables:
            for name, raw, clean in table.pairs("path"):
                if name == source.name and clean:
                    told.files[raw][clean] += 1
                    raw_folder, clean_folder = (str(PurePosixPath(path).parent) for path in (raw, clean))
                    told.folders[raw_folder][clean_folder] += 1
        self._files = {raw: _usual(found) for raw, found in told.files.items()}
        self._folders = {raw: _usual(found) for raw, found in told.folders.items()}
        self._used: set[PurePosixPath] = set()
        self._nameless = 0

    def folder(self, raw: str) -> PurePosixPath:
        """Returns the clean folder of a raw file, below the source's own."""
        parent = str(PurePosixPath(raw).parent)
        clean = self._folders.get(parent)
        if clean is None:
            return PurePosixPath(self.source.name)
        return self._below(parent, clean, len(PurePosixPath(parent).parts))

    def file(self, raw: str, ending: str | None = None, stem: str = "") -> PurePosixPath:
        """Returns a new clean place for a raw file.

        Args:
            raw: its place in the archive.
            ending: another ending than the raw file's.
            stem: name where no row tells the clean one; a number where that is empty too.
        """
        clean = self._files.get(raw)
        suffix = "".join(re.findall(r"\.[A-Za-z0-9]{1,9}(?=\.|$)", PurePosixPath(raw).name)[-2:])
        if clean is not None:
            name = PurePosixPath(clean).name
        else:
            own = PurePosixPath(raw).name.partition(".")[0]
            stem = own if own.isdigit() and len(own) < _TELLING else stem  # a number of a few digits
            self._nameless += not stem
            name = (stem or f"file-{self._nameless}") + suffix
        if ending is not None:
            name = PurePosixPath(name).stem + ending
        return self.free(self.folder(raw) / name)

    def free(self, place: PurePosixPath) -> PurePosixPath:
        """Returns a place, with a number where another file has it."""
        stem, suffix = place.stem, place.suffix
        found, number = place, 2
        while found in self._used:
            found, number = place.with_name(f"{stem}-{number}{suffix}"), number + 1
        self._used.add(found)
        return found

    def _below(self, raw: str, clean: str, depth: int) -> PurePosixPath:
        parts = [part for part in PurePosixPath(clean).parts if part not in ("/", ".", "..")]
        parts = parts[self._strip :] if len(parts) == depth else parts[-1:]
        return PurePosixPath(self.source.name, *parts)


def _usual(found: Counter[str]) -> str:
    """The most frequent value, the first one in order of several."""
    return min(found, key=lambda value: (-found[value], value))


def _fixed(path: str) -> PurePosixPath:
    """The folders of a source's path that are the same for all of its files."""
    parts = PurePosixPath(path).parts
    fixed = next((at for at, part in enumerate(parts) if _MAGIC.search(part)), len(parts))
    whole = PurePosixPath(*parts[:fixed])
    return whole.parent if fixed == len(parts) and Path(path).suffix else whole
