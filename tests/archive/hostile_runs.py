"""Small archives for tests of the whole ingestion: their manifests, and reading them."""

from __future__ import annotations

import json
from pathlib import Path

from archive.formats import MAIL, TICKETS
from archive.ingest import IngestReport, ingest_dataset
from archive.loading import load_manifest
from tests.archive.hostile_bytes import write


def manifest(base: Path, forms: dict[str, str]) -> None:
    """Writes a manifest; `forms` maps source names to their formats, folders are called like sources."""
    sources = [
        {
            "name": name,
            "kind": "mail" if form in MAIL else "tickets" if form in TICKETS else "erp",
            "format": form,
            "path": f"sqlite/{name[7:]}.sqlite" if form == "sqlite" else name,
        }
        for name, form in sorted(forms.items())
    ]
    company = {"names": ["X"], "domains": ["x.example"], "zones": ["UTC"], "currency": "EUR"}
    write(base / "dataset.yaml", json.dumps({"name": "x", "company": company, "sources": sources}).encode())


def ingest(base: Path, raw: Path) -> IngestReport:
    loaded = load_manifest(base)
    return ingest_dataset(loaded.manifest, loaded.base, raw, lambda *_: None)
