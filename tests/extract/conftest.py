"""The sample archive read once, its raw tables in the place of clean ones: they have the same schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest, load_topics
from contracts.company_model import CompanyModel
from contracts.manifest import TopicMap
from extract.model import extract_dataset

SAMPLES = Path(__file__).parents[2] / "data_samples"


class Sample(NamedTuple):
    """The extracted sample archive with its answer key."""

    home: DatasetHome
    model: CompanyModel
    topics: TopicMap
    truth: dict[str, Any]


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    loaded = load_manifest(SAMPLES / "archive")
    home = DatasetHome(tmp_path_factory.mktemp("extract"), "sample")
    ingest_dataset(loaded.manifest, loaded.base, home.clean, lambda step, done, total: None)
    topics = load_topics(loaded)
    assert topics is not None
    model = extract_dataset(home, topics, lambda step, done, total: None)
    truth = {path.stem: json.loads(path.read_text("utf-8")) for path in (SAMPLES / "truth").glob("*.json")}
    return Sample(home, model, topics, truth)
