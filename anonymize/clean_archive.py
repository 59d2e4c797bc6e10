"""The clean archive, searched for real forms before it appears.

Belongs here: export and scan in one step, under the dataset's key. Does not belong here: writing formats
(`archive.export`), searching (`anonymize.output_scan`).
"""

from __future__ import annotations

from pathlib import Path

from anonymize.errors import AnonymizeError
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.output_scan import OutputScan, dataset_scanner
from anonymize.row_places import OrderedTables, raw_in_clean_order
from archive.export import ExportError, ExportReport, Progress, export_dataset
from archive.home import DatasetHome
from archive.loading import LoadedManifest
from archive.store import TableStore
from contracts.tables import FIXED_TABLES, RECORD_ID, is_record_table

_TOLD = 5


class ExportLeaks(AnonymizeError):
    """Something real stands in an export, or a part of it could not be searched: nothing was written."""


def export_clean_archive(
    home: DatasetHome, loaded: LoadedManifest, key: DatasetKey, target: Path, progress: Progress
) -> tuple[ExportReport, OutputScan]:
    """Writes the clean archive of a dataset and returns what was written and searched.

    Every byte is searched, whatever it is packed or encoded in, for every real form of the registry before
    the folder appears.

    Args:
        home: an onboarded dataset.
        loaded: its manifest, whose sources must still be there.
        key: the dataset's.
        target: a folder that does not exist, or is empty.
        progress: called with a step's name, how much of it is done, and of how much.

    Raises:
        ExportLeaks: the search found something; nothing was written.
        ArchiveError: the dataset was not onboarded, the target is taken, or a source is gone.
        VaultError: the vault was written with another key.
    """
    if not home.raw.is_dir() and home.clean.is_dir():
        raise ExportError(
            f"the raw tables of dataset {home.name!r} are gone, and an export needs them to say which row "
            "stands where: onboard the archive again, or use the clean tables themselves"
        )
    raw, clean = raw_in_clean_order(home, key), TableStore(home.clean)
    _require_one_run(raw, clean, key)
    found: list[OutputScan] = []

    def check(folder: Path) -> None:
        progress("search for leaks", 0, 1)
        scan = dataset_scanner(home, key).scan_folders([folder])
        found.append(scan)
        if not scan.passed:
            raise ExportLeaks(_told(scan))
        progress("search for leaks", 1, 1)

    report = export_dataset(home, raw, loaded, target, progress, check)
    return report, found[0]


def _require_one_run(raw: OrderedTables, clean: TableStore, key: DatasetKey) -> None:
    """Demands that every clean row has the id that the raw row at its place gets."""
    digest = IdentifierMap(key.derive("identifiers"), 0).provenance
    for name in clean.names():
        if not raw.has(name) or name in ("quarantine", "source_counts"):
            continue
        column = RECORD_ID.name if is_record_table(name) else FIXED_TABLES[name].key
        ids = [digest(value) for value in raw.read(name, [column])[column].to_list()]
        if ids != clean.read(name, [column])[column].to_list():
            raise ExportError(
                f"the clean table {name!r} is not of the same run as the raw one: onboard the dataset again"
            )


def _told(scan: OutputScan) -> str:
    """Says how much was found and where the first of it stands: files are named as they were exported."""
    places = [f"{hit.file.partition('/')[2]} ({hit.kind}, {hit.encoding})" for hit in scan.hits[:_TOLD]]
    places += [f"{file.partition('/')[2]} ({reason})" for file, _, reason in scan.unread[:_TOLD]]
    chance = f"{scan.coincidences} coincidences of at most {scan.coincidence_bound}"
    return (
        f"the search of the export found {scan.leaks} real forms, {len(scan.unread)} unreadable parts and "
        f"{chance}; nothing was written; first in: {'; '.join(places) or 'none'}"
    )
