"""Models per language from the manifest: loaded by name, chosen line by line, missed with a plain message."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import spacy
from pydantic import ValidationError

from anonymize.errors import ModelMissing
from anonymize.evidence import Evidence
from anonymize.forms import PersonName
from anonymize.languages import language_of, load_models
from anonymize.recognizers.names import NameFinder
from anonymize.resolution import build_registry
from contracts.manifest import Company, Manifest

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
MODEL = "de_model_of_a_test"


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with a German model that knows one person, installed as spaCy's models are."""
    model = spacy.blank("de")
    ruler: Any = model.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PER", "pattern": "Maria Wüstefeld"}])
    folder = tmp_path / MODEL
    folder.mkdir()
    model.to_disk(folder / "data")
    code = f"import spacy\ndef load(**options):\n    return spacy.load({str(folder / 'data')!r}, **options)\n"
    (folder / "__init__.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, MODEL, raising=False)
    return MODEL


def test_a_missing_model_is_named_with_what_to_do() -> None:
    with pytest.raises(ModelMissing) as caught:
        load_models({"de": "de_core_news_of_nowhere"})
    message = str(caught.value)
    assert "languages.de" in message and "de_core_news_of_nowhere" in message and "pip install" in message


def test_english_is_there_without_being_named() -> None:
    assert list(load_models({})) == ["en"]


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("Bitte rufen Sie mich morgen wegen der Rechnung an", "de"),
        ("Please call me about the invoice tomorrow", "en"),
        ("4500012345", "en"),
        ("Rechnung 123", "en"),
    ],
)
def test_lines_are_in_the_language_of_their_stop_words(german: str, line: str, language: str) -> None:
    assert language_of(line, load_models({"de": german})) == language


def test_a_configured_model_finds_names_that_english_rules_leave(german: str) -> None:
    registry = build_registry(Evidence(), OWN)
    text = "Das hat Maria Wüstefeld so nicht gewollt und auch nicht unterschrieben"
    found = NameFinder({"de": german}).find([text], [], registry)
    assert PersonName("Maria", "", "Wüstefeld") in found.persons


@pytest.mark.parametrize("languages", [{"german": "de_core_news_sm"}, {"de": "../evil"}, {"de": "De Core"}])
def test_the_manifest_takes_language_codes_and_package_names_only(languages: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Manifest(name="test", company=OWN, sources=[], languages=languages)


def test_a_manifest_without_languages_reads_as_before() -> None:
    assert Manifest(name="test", company=OWN, sources=[]).languages == {}
