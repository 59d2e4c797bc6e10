"""How well wordings by other hands are judged: the figures that must hold, for each suite and kind."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.wordings import CASES, ENVIRONMENT, Case, Readers, cases_in, judged_mails, judged_sentences
from contracts.world import Bundle
from worldgen.building import build
from worldgen.template import load_template

SUITES = (
    "apart",
    "apart_held",
    "parties",
    "distant",
    "personas",
    "brief",
    "brief_second",
    "brief_third",
)
"""By hands that did not know the rules, known to both since; "parties" and "brief" are the rules' own.

"fifth" and "sixth" tell what the rules reach on wordings that they hardly saw: their figures fall short of
these, see the table of `python -m benchmarks.wordings`.
"""
MUST_ACCEPT = {
    "apart": 95,
    "apart_held": 95,
    "predicates": 95,
    "parties": 90,
    "distant": 95,
    "personas": 95,
    "brief": 94,
    "brief_second": 87,
    "brief_third": 93,
}
"""Percent; "parties" and "brief_second" tell a part of the problems in pictures."""
MUST_FLAG = {
    "apart": 95,
    "apart_held": 95,
    "seventh": 95,
    "distant": 95,
    "personas": 95,
    "brief": 95,
    "brief_second": 95,
    "brief_third": 95,
}
"""Percent of promises."""
ALWAYS_REFUSED = {"industry", "other_company", "own_company", "hypothetical", "question", "careers"}


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return build(load_template(ENVIRONMENT), 1)


@pytest.fixture(scope="module")
def readers(bundle: Bundle) -> Readers:
    return Readers(bundle)


def suite(kind: str, name: str) -> list[Case]:
    found = [case for case in cases_in(CASES, kind) if case.suite == name]
    assert found
    return found


@pytest.mark.parametrize("name", MUST_ACCEPT)
def test_relevant_mails_are_understood(readers: Readers, name: str) -> None:
    judged = judged_mails(readers, suite("relevant", name), relevant=True)
    missed = [one.case.text for one in judged if not one.good]
    assert len(missed) * 100 <= (100 - MUST_ACCEPT[name]) * len(judged), missed
    other = [one.case.text for one in judged if one.others]
    assert len(other) * 50 <= len(judged), other
    asking = [one for one in judged if one.case.asks is not None]
    unheard = [one.case.text for one in asking if not one.asked]
    assert len(unheard) * 20 <= len(asking), unheard


@pytest.mark.parametrize("name", SUITES)
def test_irrelevant_mails_are_refused(readers: Readers, name: str) -> None:
    judged = judged_mails(readers, suite("irrelevant", name), relevant=False)
    passed = [one for one in judged if not one.good]
    assert len(passed) * 50 <= len(judged), [one.case.text for one in passed]
    assert [one.case.text for one in passed if one.case.kind in ALWAYS_REFUSED] == []
    assert set(Counter(one.case.kind for one in judged)) >= ALWAYS_REFUSED


@pytest.mark.parametrize("name", MUST_FLAG)
def test_promises_are_flagged_and_the_trades_words_are_not(
    bundle: Bundle, readers: Readers, name: str
) -> None:
    promises = judged_sentences(bundle, readers, suite("promises", name), promise=True)
    missed = [one.case.text for one in promises if not one.good]
    assert len(missed) * 100 <= (100 - MUST_FLAG[name]) * len(promises), missed
    innocent = judged_sentences(bundle, readers, suite("innocent", name), promise=False)
    assert [one.case.text for one in innocent if not one.good] == []


def test_hardly_any_ordinary_mail_promises_anything(bundle: Bundle, readers: Readers) -> None:
    mails = [case for kind in ("relevant", "irrelevant") for case in cases_in(CASES, kind)]
    judged = judged_sentences(bundle, readers, mails, promise=False)
    flagged = [one.case.text for one in judged if not one.good]
    assert len(flagged) * 500 <= len(judged), flagged
