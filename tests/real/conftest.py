"""What tests of real data share: each public set ingested once, on first use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from archive.ingest import ingest_dataset
from archive.loading import load_manifest


@pytest.fixture(scope="session")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Returns the raw tables of a set, read by the manifest that a person signed for it."""
    held: dict[str, Path] = {}

    def of(name: str) -> Path:
        if name not in held:
            loaded = load_manifest(Path(__file__).parent / "manifests" / f"{name}.yaml")
            folder = tmp_path_factory.mktemp(name)
            ingest_dataset(loaded.manifest, loaded.base, folder, lambda *_: None)
            held[name] = folder
        return held[name]

    return of
