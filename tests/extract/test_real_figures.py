"""Real public data: the model shows the published figures, and what the sets lack stays empty."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from extract.model import extract_dataset

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get("RL_DOJO_REAL_DATA"),
        reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here",
    ),
]


def test_published_figures(tmp_path: Path) -> None:
    loaded = load_manifest(Path(__file__).parents[1] / "real")
    home = DatasetHome(tmp_path, "real")
    ingest_dataset(loaded.manifest, loaded.base, home.clean, lambda step, done, total: None)
    model = extract_dataset(home, None, lambda step, done, total: None)
    found = {outcome.name: outcome.share for outcome in model.outcomes}
    assert (found["deal.won"].hits, found["deal.lost"].hits) == (4_238, 2_473)
    assert round(found["invoice.late"].ppm / 10_000, 1) == 35.6
    assert model.response is None and model.rules == [] and model.qualification == []
