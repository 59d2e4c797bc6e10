"""Every public set is read whole by the manifest that a person signed for it; `-s` prints a row a source."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.reasons import REASONS
from archive.store import TableStore

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"),
]
MANIFESTS = sorted((Path(__file__).parent / "manifests").glob("*.yaml"))
QUARANTINED = {"apache_mbox": 1}
"""Sets with units that cannot be used, and how many: a file that holds one mail without any header."""


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_a_set_is_read_whole(path: Path, tmp_path: Path) -> None:
    loaded = load_manifest(path)
    report = ingest_dataset(loaded.manifest, loaded.base, tmp_path / "raw", lambda *_: None)
    assert report.reconciles
    assert set(report.reasons) <= set(REASONS)
    for source, count in zip(loaded.manifest.sources, report.sources, strict=True):
        what = f"{source.kind} {source.format}" + (f" ({source.preset})" if source.preset else "")
        figures = "  ".join(f"{number:>7,}" for number in count[1:])
        print(f"{path.stem:<24} {count.source:<16} {what:<28} {figures}")
        assert count.read > 0
    reasons = TableStore(tmp_path / "raw").read("quarantine")["reason"].value_counts().rows()
    print(f"{'':<24} {dict(sorted(reasons))}" if reasons else "", end="")
    assert sum(report.reasons.values()) == QUARANTINED.get(path.stem, 0)
