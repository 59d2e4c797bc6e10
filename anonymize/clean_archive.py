"""The clean archive, searched for real forms before it appears.

Belongs here: export and scan in one step, under the dataset's key. Does not belong here: writing formats
(`archive.export`), searching (`anonymize.output_scan`).
"""

from __future__ import annotations

from pathlib import Path

from anonymize.errors import AnonymizeError
from anonymize.keys import DatasetKey
from anonymize.output_scan import OutputScan, OutputScanner, dataset_forms, judged_forms
from anonymize.vault import Vault, raw_tables
from archive.export import ExportReport, Progress, export_dataset
from archive.home import DatasetHome
from archive.loading import LoadedManifest
from archive.store import TableStore

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
    raw, clean = raw_tables(home, key), TableStore(home.clean)
    vault = Vault(home.vault, key)
    found: list[OutputScan] = []

    def check(folder: Path) -> None:
        progress("search for leaks", 0, 1)
        scanner = OutputScanner(dataset_forms(home, key, clean), judged_forms(vault))
        scan = scanner.scan_folders([folder])
        found.append(scan)
        if not scan.passed:
            raise ExportLeaks(_told(scan))
        progress("search for leaks", 1, 1)

    report = export_dataset(home, raw, loaded, target, progress, check)
    return report, found[0]


def _told(scan: OutputScan) -> str:
    """Says how much was found and where the first of it stands: files are named as they were exported."""
    places = [f"{hit.file.partition('/')[2]} ({hit.kind}, {hit.encoding})" for hit in scan.hits[:_TOLD]]
    places += [f"{file.partition('/')[2]} ({reason})" for file, _, reason in scan.unread[:_TOLD]]
    chance = f"{scan.coincidences} coincidences of at most {scan.coincidence_bound}"
    return (
        f"the search of the export found {scan.leaks} real forms, {len(scan.unread)} unreadable parts and "
        f"{chance}; nothing was written; first in: {'; '.join(places) or 'none'}"
    )
