"""How the environment's lexicon and the matcher judge wordings that were written apart from it."""

import json
from pathlib import Path

import pytest

from runtime.matcher import Matcher
from worldgen.building import build
from worldgen.template import load_template

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "matcher"
SUITES = ("", "_fresh", "_held_out")
"""Suites by the end of their files' names; each was written apart from the lexicon."""


def suite(kind, end):
    return json.loads((CASES / f"{kind}{end}.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def server():
    return build(load_template(ROOT / "environments" / "gtm-outbound"), 1).server


def judged(server, text, concept):
    """A buyer whose company has this problem, reading this text; {other} in it names another company."""
    buyer = server.buyers[0].model_copy(update={"concept": concept, "news_facts": []})
    other = next(one for one in server.buyers if one.account_id != buyer.account_id)
    matcher = Matcher(server.model_copy(update={"buyers": [buyer, other]}))
    return matcher.judge(text.replace("{other}", other.company_words[0]), 0)


@pytest.mark.parametrize("end", SUITES)
def test_at_least_95_percent_of_relevant_mails_are_understood_and_heard_as_asking(server, end):
    cases = [(concept, text) for concept, texts in suite("relevant", end).items() for text in texts]
    missed = []
    for concept, text in cases:
        judgement = judged(server, text, concept)
        if not (judgement.relevant and judgement.asks):
            missed.append((concept, judgement.why, judgement.asks, text))
    assert len(missed) * 20 <= len(cases), missed


def test_no_problem_is_understood_less_than_others(server):
    for concept, texts in suite("relevant", "_fresh").items():
        assert len(texts) >= 30
        missed = [text for text in texts if not judged(server, text, concept).relevant]
        assert len(missed) * 10 <= len(texts), missed


@pytest.mark.parametrize("end", SUITES)
def test_of_decoys_at_most_two_in_a_hundred_pass_with_any_buyer(server, end):
    concepts = [concept.id for concept in server.concepts]
    decoys = suite("irrelevant", end)
    passed = [text for text in decoys if any(judged(server, text, c).relevant for c in concepts)]
    assert len(passed) * 50 <= len(decoys), passed


@pytest.mark.parametrize("end", SUITES)
def test_a_mail_about_one_problem_is_irrelevant_where_another_was_in_the_news(server, end):
    concepts = [concept.id for concept in server.concepts]
    relevant = suite("relevant", end)
    wrong = [
        (concept, text)
        for concept, texts in relevant.items()
        for text in texts
        for other in concepts
        if other != concept and judged(server, text, other).relevant
    ]
    assert len(wrong) * 50 <= sum(map(len, relevant.values())) * (len(concepts) - 1), wrong
