"""Public data sets end to end: nothing crashes, nothing leaks. Needs RL_DOJO_REAL_DATA."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from anonymize.audit import audit_dataset
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import pseudonymize_dataset
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest

MANIFEST = Path(__file__).parents[1] / "real" / "dataset.yaml"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get("RL_DOJO_REAL_DATA"), reason="RL_DOJO_REAL_DATA is unset: no real data here"
    ),
]


def test_real_data_passes_the_audit(tmp_path: Path) -> None:
    loaded = load_manifest(MANIFEST)
    home = DatasetHome(tmp_path, loaded.manifest.name)
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    key = DatasetKey(b"k" * 32, loaded.manifest.name)
    report = pseudonymize_dataset(home, loaded, key, lambda *_: None)
    audit = audit_dataset(home, loaded, key)
    assert audit.passed and audit.leaks == 0 and audit.unregistered == 0
    assert report.entities["person"] > 1000 and report.replacements["PERSON"] > 10_000
