"""The dataset manifest: strict about names and fields, silent about nothing."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from contracts.manifest import Manifest, TopicMap

COMPANY = {"names": ["Demo"], "domains": ["demo.example"], "zones": ["Europe/Berlin"], "currency": "EUR"}
SOURCE = {"name": "mail", "kind": "mail", "format": "mbox", "path": "x.mbox"}
MANIFEST: dict[str, Any] = {"name": "demo", "company": COMPANY, "sources": [SOURCE]}


def test_a_manifest_survives_json() -> None:
    manifest = Manifest.model_validate(MANIFEST)
    assert Manifest.model_validate_json(manifest.model_dump_json()) == manifest


@pytest.mark.parametrize(
    "change",
    [
        {"name": "De Mo"},
        {"name": "../x"},
        {"name": ""},
        {"unknown": 1},
        {"sources": [{**SOURCE, "name": "Mail Box"}]},
        {"sources": [{**SOURCE, "kind": "fax"}]},
        {"sources": [{**SOURCE, "tables": [{"name": "t", "columns": {"a": {"kind": "colour"}}}]}]},
        {
            "sources": [
                {**SOURCE, "tables": [{"name": "t", "columns": {"a": {"kind": "money", "decimals": 9}}}]}
            ]
        },
    ],
)
def test_a_wrong_manifest_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Manifest.model_validate({**MANIFEST, **change})


def test_a_topic_names_its_concept_and_wordings() -> None:
    topics = TopicMap.model_validate({"topics": {"late": {"concept": "late_fees", "wordings": ["late fee"]}}})
    assert topics.topics["late"].wordings == ["late fee"]
    with pytest.raises(ValidationError):
        TopicMap.model_validate({"topics": {"late": {"concept": "late_fees", "words": []}}})
