"""Ids of which few digits count: coincidences block no run whatever the key, real ids that stay do."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anonymize.audit import AuditReport, audit_dataset
from anonymize.detection import CleanText, Detector
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import pseudonymize_dataset
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import LoadedManifest, load_manifest

IDS = [f"{number:010d}" for number in range(12, 52)]
"""40 of the 90 ids with two digits: nearly half of all surrogates are real ids of others."""
TABLES = {"contacts": {"id": "id", "last": "person", "note": "text"}}
Dataset = tuple[DatasetHome, LoadedManifest]


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory, small_manifest: Callable[..., Path]) -> Dataset:
    folder = tmp_path_factory.mktemp("padded")
    (folder / "crm").mkdir()
    small_manifest(folder, TABLES)
    rows = [f"{value},Mirela Zand{chr(97 + at % 26)}oort,see {IDS[at - 7]}" for at, value in enumerate(IDS)]
    (folder / "crm" / "contacts.csv").write_text("\n".join(["id,last,note", *rows]) + "\n")
    (folder / "mail.mbox").write_text(
        "From x Thu Jan  4 10:00:00 2024\nMessage-ID: <m1@vessbury.com>\nFrom: desk@brightwater.com\n"
        f"To: sales@vessbury.com\nDate: Thu, 4 Jan 2024 10:00:00 +0000\nSubject: {IDS[3]}\n\n"
        f"please see customer {IDS[5]} and {IDS[6]}\n\n"
    )
    loaded = load_manifest(folder / "dataset.yaml")
    home = DatasetHome(folder / "home", "small")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    return home, loaded


def audited(ingested: Dataset, folder: Path, key: int = 7) -> AuditReport:
    home = DatasetHome(folder, "small")
    shutil.copytree(ingested[0].raw, home.raw)
    secret = DatasetKey(bytes([key]) * 32, "small")
    pseudonymize_dataset(home, ingested[1], secret, lambda *_: None)
    return audit_dataset(home, ingested[1], secret)


@pytest.mark.parametrize("key", [1, 4, 7, 9])
def test_coincidences_are_counted_and_block_nothing(ingested: Dataset, tmp_path: Path, key: int) -> None:
    report = audited(ingested, tmp_path, key)
    assert report.passed, (report.coincidences, report.coincidence_bound, report.outputs)
    assert report.short_ids > 10 and report.leaks == 0


FAULTS = [
    (IdentifierMap, "number", lambda self, number: number),
    (IdentifierMap, "number", lambda self, number: f"{int(number) + 1:0{len(number)}d}"),
    (Detector, "replace", lambda self, text, context: CleanText(text, ())),
]


@pytest.mark.parametrize(("owner", "function", "fault"), FAULTS, ids=["all stay", "all move by one", "text"])
def test_what_is_no_chance_still_blocks(
    ingested: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: Any, function: str, fault: Any
) -> None:
    monkeypatch.setattr(owner, function, fault)
    assert not audited(ingested, tmp_path).passed
