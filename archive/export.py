"""The clean archive in its original formats: every source written back, with a manifest that reads it again.

Belongs here: the order of the work, the folder that appears at once or not at all, the manifest. Content
comes from the clean tables; raw files are read for their form alone. Does not belong here: formats
(`archive.export_mail`, `export_tickets`, `export_tables`), the search for leaks (`anonymize`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from archive.export_mail import WRITTEN_AS as MAIL_AS
from archive.export_mail import CleanMails, MailExport
from archive.export_sides import ExportError, Sides, SourceExport
from archive.export_tables import WRITTEN, TableExport
from archive.export_ticket_values import TicketValues, quarantined
from archive.export_tickets import TicketExport
from archive.formats import MAIL, TICKETS
from archive.home import DatasetHome
from archive.loading import LoadedManifest
from archive.resolved import MANIFEST_FILE, stored_manifest
from archive.store import TableStore
from archive.tickets import TICKET_READERS
from contracts.manifest import Manifest, Source

Progress = Callable[[str, int, int], None]
"""Called with a step's name, how much of it is done, and of how much."""
Check = Callable[[Path], None]
"""Looks at the finished folder before it appears; raises where it must not."""

__all__ = ["ExportError", "ExportReport", "SourceExport", "export_dataset"]


@dataclass(frozen=True)
class ExportReport:
    """What was written, in counts."""

    dataset: str
    sources: tuple[SourceExport, ...]

    def to_json(self) -> dict[str, Any]:
        """Returns the object that `rl-dojo export --json` prints."""
        return {"dataset": self.dataset, "sources": [source.to_json() for source in self.sources]}


def export_dataset(
    home: DatasetHome,
    raw: TableStore,
    loaded: LoadedManifest,
    target: Path,
    progress: Progress,
    check: Check | None = None,
) -> ExportReport:
    """Writes the clean archive of a dataset into a new folder and returns the counts.

    The folder appears when all of it is written and checked.

    Args:
        home: an onboarded dataset.
        raw: its raw tables in the order of the clean ones, which say which row stands for what lies where.
        loaded: its manifest, whose sources must still be there.
        target: a folder that does not exist, or is empty.
        progress: called after every source.
        check: called with the finished folder.

    Raises:
        ArchiveError: the dataset was not onboarded, the target is taken, or a source is gone.
    """
    if not (home.clean / MANIFEST_FILE).is_file():
        raise ExportError(f"dataset {home.name!r} has no clean tables: run `rl-dojo onboard` first")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ExportError(f"{target} is not empty: name a folder that does not exist")
    aside = target.resolve().parent / f".{target.name}.aside"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    try:
        report = _Export(home, raw, loaded, aside).write(progress)
        if check is not None:
            check(aside)
        if target.is_dir():
            target.rmdir()
        os.replace(aside, target)
    except OSError as error:
        told = os.strerror(error.errno) if error.errno else type(error).__name__
        raise ExportError(f"{target} cannot be written ({told}): make room or name another folder") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return report


class _Export:
    def __init__(self, home: DatasetHome, raw: TableStore, loaded: LoadedManifest, target: Path) -> None:
        self._home, self._raw, self._loaded, self._target = home, raw, loaded, target
        self._clean = TableStore(home.clean)
        self._resolved = {source.name: source for source in stored_manifest(self._raw).sources}

    def write(self, progress: Progress) -> ExportReport:
        sources = self._loaded.manifest.sources
        mails = CleanMails(self._raw, self._clean) if any(one.format in MAIL for one in sources) else None
        told, paths = [], {}
        for done, source in enumerate(sources):
            progress(f"write {source.name}", done, len(sources))
            one = SourceExport(source.name, source.format, _written_as(source))
            one.quarantined = len(quarantined(source.name, self._raw))
            paths[source.name] = self._source(source, mails, one)
            one.left_out = +one.left_out  # what never happened is not told
            told.append(one)
        self._write_manifest(told, paths)
        progress("write", len(sources), len(sources))
        return ExportReport(self._home.name, tuple(told))

    def _source(self, source: Source, mails: CleanMails | None, told: SourceExport) -> str:
        base = self._loaded.base
        if source.format in MAIL:
            assert mails is not None
            return MailExport(source, base, self._target, mails).write(told)
        if source.format in TICKETS:
            values = TicketValues(source.name, self._raw, self._clean, self._zone(source))
            sides = Sides(self._raw, self._clean, "tickets")
            skipped = quarantined(source.name, self._raw)
            return TicketExport(source, base, self._target, values, sides, skipped).write(told)
        resolved = self._resolved[source.name]
        return TableExport(source, resolved, base, self._target, self._raw, self._clean).write(told)

    def _zone(self, source: Source) -> ZoneInfo:
        if source.zone is None and TICKET_READERS[source.format].in_utc:
            return ZoneInfo("UTC")
        return ZoneInfo(source.zone or self._loaded.manifest.company.zones[0])

    def _write_manifest(self, told: Sequence[SourceExport], paths: dict[str, str]) -> None:
        clean = Manifest.model_validate(self._clean.read_json(MANIFEST_FILE))
        written = {one.name: one.written_as for one in told}
        sources = [
            source.model_copy(
                update={"path": paths[source.name], "format": written[source.name], "url": None}
            )
            for source in clean.sources
        ]
        manifest = clean.model_copy(
            update={"sources": sources, "base": None, "topics": None, "environment": None}
        )
        content = manifest.model_dump(mode="json", exclude_defaults=True)
        text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
        (self._target / "dataset.yaml").write_text(text, encoding="utf-8")


def _written_as(source: Source) -> str:
    """The format in which a source leaves: its own, or the nearest open one."""
    if source.format in MAIL:
        return MAIL_AS.get(source.format, source.format)
    if source.format in TICKETS or source.format in WRITTEN:
        return source.format
    return "sqlite" if source.format == "database" else "csv"
