"""The fitted models follow from the suites alone, judge a text always alike, and hold on unseen suites."""

from __future__ import annotations

import json
import textwrap

import pytest

from benchmarks.fit_wordings import TELLINGS, as_json, claim_models, mail_models, texts_in
from benchmarks.wordings import CASES, ENVIRONMENT, Readers, cases_in, judged_mails
from contracts.linear_model import LinearModel, models_in
from contracts.world import Bundle
from grader.claim_model import PROMISE, promise_finder
from runtime.matcher import Matcher
from worldgen.building import build
from worldgen.template import load_template

AUTHORED = ENVIRONMENT / "authored"
UNSEEN = {"fifth": (85, 9), "seventh": (80, 9), "eighth": (62, 4)}
"""Of a suite that the models do not know: percent of relevant mails accepted at least, of others at most."""
UNSEEN_PROMISES = {"fifth": (84, 1), "eighth": (77, 2)}
"""Percent of promises flagged at least, innocent sentences at most."""


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return build(load_template(ENVIRONMENT), 1)


@pytest.fixture(scope="module")
def readers(bundle: Bundle) -> Readers:
    return Readers(bundle)


def test_a_score_is_the_bias_and_the_weights_of_known_features() -> None:
    model = LinearModel(("a", "b"), (1, -1), {"x": [2, 0], "y": [-5, 7]})
    assert model.scores(["x", "y", "z"]) == [-2, 6]
    assert model.scores(["x"], bias=False) == [2, 0]
    assert model.strongest(["x", "y", "z"], 0, 2) == ["-y", "+x"]


def test_the_world_holds_the_templates_models(bundle: Bundle) -> None:
    for name, held in (("mail_model", bundle.server.mail_model), ("claim_model", bundle.truth.claim_model)):
        assert json.loads(held) == json.loads((AUTHORED / f"{name}.json").read_text("utf-8"))


def test_all_weights_are_integers(bundle: Bundle) -> None:
    models = {**models_in(bundle.server.mail_model), **models_in(bundle.truth.claim_model)}
    assert set(models) == {"topic", "assertion", "decision", PROMISE}
    for model in models.values():
        held = [*model.bias, *(one for weights in model.weights.values() for one in weights)]
        assert {type(one) for one in held} == {int}


def test_a_world_without_models_is_judged_by_rules(readers: Readers) -> None:
    case = next(cases_in(CASES, "relevant"))
    judged = readers.rules.judge(readers.written(case), readers.places[case.concept])
    assert judged.weighed is None and "weighed" not in judged.evidence()


def test_the_evidence_names_the_words_that_weighed_most(readers: Readers) -> None:
    case = next(cases_in(CASES, "relevant"))
    held = readers.judge(case, case.concept).evidence()["weighed"]
    assert held["problem"] == case.concept and held["score"] > 0 and held["words"]


def test_another_matcher_changes_no_score_and_wrapped_lines_no_verdict(
    readers: Readers, bundle: Bundle
) -> None:
    again = Readers(bundle)
    for case in list(cases_in(CASES, "relevant"))[::97]:
        wrapped = "\n".join(textwrap.wrap(case.text, 60)) if "\n" not in case.text else case.text
        first = readers.judge(case, case.concept).weighed
        assert again.judge(case, case.concept).weighed == first
        rewrapped = again.judge(case._replace(text=wrapped), case.concept)
        assert rewrapped.relevant == readers.judge(case, case.concept).relevant


@pytest.mark.long
def test_the_same_suites_give_the_same_bytes(readers: Readers) -> None:
    folders = [CASES, TELLINGS]
    made = {
        "mail_model": as_json(mail_models(texts_in(folders, readers))),
        "claim_model": as_json(claim_models(folders, readers)),
    }
    assert {name: (AUTHORED / f"{name}.json").read_text("utf-8") for name in made} == made


@pytest.mark.long
@pytest.mark.parametrize("suite", UNSEEN)
def test_a_suite_that_the_models_do_not_know_is_understood(
    readers: Readers, bundle: Bundle, suite: str
) -> None:
    texts = [one for one in texts_in([CASES, TELLINGS], readers) if one.suite != suite]
    server = bundle.server.model_copy(update={"mail_model": as_json(mail_models(texts))})
    apart = Readers(bundle.model_copy(update={"server": server}))
    least, most = UNSEEN[suite]
    relevant = [case for case in cases_in(CASES, "relevant") if case.suite == suite]
    others = [case for case in cases_in(CASES, "irrelevant") if case.suite == suite]
    accepted = [one for one in judged_mails(apart, relevant, relevant=True) if one.good]
    passed = [one.case.text for one in judged_mails(apart, others, relevant=False) if not one.good]
    assert len(accepted) * 100 >= least * len(relevant)
    assert len(passed) * 100 <= most * len(others), passed


@pytest.mark.slow
@pytest.mark.parametrize("suite", UNSEEN_PROMISES)
def test_promises_of_a_suite_that_the_model_does_not_know_are_flagged(
    readers: Readers, bundle: Bundle, suite: str
) -> None:
    model = as_json(claim_models([CASES, TELLINGS], readers, [suite]))
    find = promise_finder(bundle.truth.claims, model, "ledgerline")
    least, most = UNSEEN_PROMISES[suite]
    promises, innocent = (
        [readers.written(case) for case in cases_in(CASES, kind) if case.suite == suite]
        for kind in ("promises", "innocent")
    )
    assert sum(bool(find(text)) for text in promises) * 100 >= least * len(promises)
    flagged = [text for text in innocent if find(text)]
    assert len(flagged) * 100 <= most * len(innocent), flagged


def test_an_attacker_gains_nothing_by_the_models_strongest_words(bundle: Bundle, readers: Readers) -> None:
    models = models_in(bundle.server.mail_model)
    heap = sorted(models["assertion"].weights, key=lambda one: -models["assertion"].weights[one][0])[:60]
    for place, problem in enumerate(models["topic"].classes[:-1]):
        told = sorted(models["topic"].weights, key=lambda one: -models["topic"].weights[one][place])[:20]
        text = " ".join(" ".join(one.strip("<!>?^$") for one in [*told, *heap]).split())
        matcher: Matcher = readers.matcher
        assert not matcher.judge(text + ". Could we meet?", readers.places[problem]).relevant
