"""Public data sets end to end: nothing crashes, nothing leaks. Needs RL_DOJO_REAL_DATA."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import pytest

from anonymize.audit import audit_dataset
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import pseudonymize_dataset
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import LoadedManifest, load_manifest

MANIFEST = Path(__file__).parents[1] / "real" / "dataset.yaml"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get("RL_DOJO_REAL_DATA"), reason="RL_DOJO_REAL_DATA is unset: no real data here"
    ),
]


@pytest.fixture(scope="module")
def loaded() -> LoadedManifest:
    return load_manifest(MANIFEST)


@pytest.fixture(scope="module")
def raw(loaded: LoadedManifest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = DatasetHome(tmp_path_factory.mktemp("real"), loaded.manifest.name)
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    return home.raw


@pytest.mark.parametrize("number", range(3))
def test_real_data_passes_the_audit_under_any_key(
    loaded: LoadedManifest, raw: Path, tmp_path: Path, number: int
) -> None:
    """I2 and I6 over all sources; the key is another one in every run."""
    home = DatasetHome(tmp_path, loaded.manifest.name)
    home.raw.parent.mkdir(parents=True)
    home.raw.symlink_to(raw)
    key = DatasetKey(secrets.token_bytes(32), loaded.manifest.name)
    report = pseudonymize_dataset(home, loaded, key, lambda *_: None)
    audit = audit_dataset(home, loaded, key)
    assert audit.leak_places == {}
    assert audit.passed and (audit.leaks, audit.unregistered, audit.canaries_leaked) == (0, 0, 0)
    assert report.entities["person"] > 1000 and report.replacements["PERSON"] > 10_000
