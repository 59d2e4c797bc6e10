"""Detection in text that belongs to no dataset: a Presidio registry for a stock AnalyzerEngine.

Belongs here: which recognizers look at free-standing text, one model per language. Does not belong here:
what replaces a finding, which a registry of entities decides (`kit`).
"""

from __future__ import annotations

from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerRegistry
from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
from spacy.language import Language

from anonymize.kit import Kit
from anonymize.recognizers.model_names import MAPPING, ModelNamesRecognizer
from anonymize.recognizers.numbers import MoneyRecognizer
from anonymize.recognizers.postal import PostalRecognizer
from anonymize.recognizers.prose import ProseRecognizer


def free_text_recognizers(kit: Kit) -> list[EntityRecognizer]:
    """Returns the recognizers for text without a registry; amounts of money name nobody there."""
    own = [one for one in kit.recognizers if not isinstance(one, MoneyRecognizer)]
    return [*own, PostalRecognizer(), ProseRecognizer(), ModelNamesRecognizer()]


def free_text_analyzer(kit: Kit, model: Language) -> AnalyzerEngine:
    """Returns a stock AnalyzerEngine with these recognizers around a loaded English model."""
    engine = SpacyNlpEngine(
        models=[{"lang_code": "en", "model_name": model.meta["name"]}],
        ner_model_configuration=NerModelConfiguration(
            model_to_presidio_entity_mapping=MAPPING, labels_to_ignore=[]
        ),
    )
    engine.nlp = {"en": model}  # type: ignore[assignment]
    return AnalyzerEngine(
        registry=RecognizerRegistry(recognizers=free_text_recognizers(kit)),
        nlp_engine=engine,
        supported_languages=["en"],
    )
