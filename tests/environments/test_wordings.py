"""How the environment's lexicon and the matcher judge wordings that were written apart from it."""

import json
from pathlib import Path

import pytest

from runtime.matcher import Matcher
from worldgen.building import build
from worldgen.template import load_template

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "matcher"
RELEVANT = json.loads((CASES / "relevant.json").read_text())
IRRELEVANT = json.loads((CASES / "irrelevant.json").read_text())


@pytest.fixture(scope="module")
def server():
    return build(load_template(ROOT / "environments" / "gtm-outbound"), 1).server


def judged(server, text, concept):
    """A buyer whose company has this problem, reading this text; the first buyer stands for all."""
    buyer = server.buyers[0].model_copy(update={"concept": concept, "news_facts": []})
    return Matcher(server.model_copy(update={"buyers": [buyer]})).judge(text, 0)


def test_at_least_95_percent_of_relevant_mails_are_understood_and_heard_as_asking(server):
    cases = [(concept, text) for concept, texts in RELEVANT.items() for text in texts]
    missed = []
    for concept, text in cases:
        judgement = judged(server, text, concept)
        if not (judgement.relevant and judgement.asks):
            missed.append((concept, judgement.why, judgement.asks, text))
    assert len(missed) * 20 <= len(cases), missed


def test_no_generic_careers_negated_asked_or_list_everything_mail_passes(server):
    concepts = [concept.id for concept in server.concepts]
    passed = [(c, t) for t in IRRELEVANT for c in concepts if judged(server, t, c).relevant]
    assert len(passed) * 50 <= len(IRRELEVANT) * len(concepts), passed


def test_a_mail_about_one_problem_is_irrelevant_where_another_was_in_the_news(server):
    concepts = [concept.id for concept in server.concepts]
    wrong = [
        (concept, text)
        for concept, texts in RELEVANT.items()
        for text in texts
        for other in concepts
        if other != concept and judged(server, text, other).relevant
    ]
    assert len(wrong) * 50 <= sum(map(len, RELEVANT.values())) * (len(concepts) - 1), wrong
