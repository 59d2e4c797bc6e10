"""Fits the models by which mails and promises are judged beside the rules.

`python -m benchmarks.fit_wordings [--folder FOLDER ...] [--without SUITE ...]`

Suites are those of `tests/cases`, the tellings beside this file, and further folders. The weights of what the
rules found are fitted on `LATER` suites alone, each read by models that did not see it: on the suites by
which the rules were made they are right too often. The same suites give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.measuring import PROJECT
from benchmarks.regression import Array, Table, features_of, fitted, rounded
from benchmarks.wordings import CASES, ENVIRONMENT, Case, Readers, cases_in
from contracts.linear_model import LinearModel
from grader.claim_model import PROMISE, claim_features, claim_sentences
from grader.wordings import claim_finder
from runtime.mail_model import NONE, UNIT, Reading, topic_features
from runtime.marks import Sentence
from runtime.stems import stems_in
from worldgen.building import build
from worldgen.template import load_template

TELLINGS = PROJECT / "benchmarks" / "tellings"
LATER = ("brief_second", "fifth", "sixth_a", "sixth_b", "seventh", "eighth")
"""Suites of other hands that came when the rules stood."""
SIGNALS = ("asserted", "lead", "topic", "second", "rules_one", "rules_none", "rules_other")
_SEVERAL = frozenset({"two_problems", "list_everything"})
_SLOTS = re.compile(r"\{[\w ]+\}|\*")
_MOST_FORMS = 12
_SIGNED = re.compile(r"\b(?:alex|kim)\b|^[<!>?]*ledgerlin$|\bledgerlin \$|\^ ledgerlin\b")
"""How a mail is signed, which tells nothing."""
_MARGIN = 8
"""What a mail must have more than even odds, in units of a weight."""
_TOPIC_UNIT = 16
_MOST_TOPIC, _MOST_ASSERTION = 10_000, 14_000
_JOINED = "joined"
_EACH, _STRIDE = 5, 7
"""Of each suite's mails every fifth is joined with one that stands elsewhere in it."""
LEXICON = "lexicon"
"""The template's own wordings of the problems, as if each were a suite's text."""
_DECLARED = 0.1
"""How much such a wording counts as to topics; it asserts nothing."""
_MOST_CLAIM = 12_000
_MAILED = 0.2
"""How much a sentence of a mail counts among innocent ones."""
_MISTAKEN = 3.0
"""How much one counts that the rules take for a promise."""
_NAME = "zqname"
"""What stands for a name where names tell nothing."""
_BARE = 0.6
"""How much a telling without greeting and offer counts in what asserts: it is no whole mail."""


class Text(NamedTuple):
    """A mail as models learn it."""

    suite: str
    concept: str
    kind: str
    relevant: bool
    sentences: Sequence[Sentence]
    named: tuple[str, ...]
    """Problems that the rules found."""
    final: bool
    """Judged by a rule that has the last word."""


class Models(NamedTuple):
    """The two models that read words."""

    topic: LinearModel
    assertion: LinearModel


def texts_in(folders: Iterable[Path], readers: Readers) -> list[Text]:
    """Returns the mails of all suites, each text once, and the news of the template as told by a mail."""
    found: dict[str, Text] = {}
    for folder in folders:
        for kind in ("relevant", "irrelevant"):
            for case in cases_in(folder, kind):
                if case.text not in found:
                    found[case.text] = _text(case, readers, relevant=kind == "relevant")
    for case in _news():
        found.setdefault(case.text, _text(case, readers, relevant=True))
    return [*found.values(), *_joined(folders, readers), *_lexicon()]


def _joined(folders: Iterable[Path], readers: Readers) -> Iterable[Text]:
    """Yields pairs of relevant mails of different problems in one: relevant to nobody."""
    cases = {case.text: case for folder in folders for case in cases_in(folder, "relevant")}
    for suite in LATER:
        held = [case for case in cases.values() if case.suite == suite]
        for place, one in enumerate(held):
            other = held[(place * _STRIDE + len(held) // 2) % len(held)]
            if place % _EACH == 0 and one.concept != other.concept:
                text = f"{one.text} {other.text}"
                yield _text(Case(suite, one.concept, _JOINED, text, None, ""), readers, relevant=False)


def _lexicon() -> Iterable[Text]:
    """Yields the declared wordings, each form of a group once."""
    for concept in load_template(ENVIRONMENT).authored.concepts.concepts:
        held = [form for forms in concept.slots.values() for form in forms]
        for wording in (*concept.phrases, *concept.hints):
            groups = [group.split("|") for group in wording.split(" + ")]
            for turn in range(min(_MOST_FORMS, max(map(len, groups)))):
                held.append(" ".join(forms[turn % len(forms)] for forms in groups))
        for text in held:
            stems = stems_in(_SLOTS.sub(" ", text))
            if stems:
                yield Text(LEXICON, concept.id, "", False, (Sentence(stems, False),), (), True)


def _news() -> Iterable[Case]:
    """Yields the news as a mail may repeat them, with the reader's own facts and with others like them."""
    fields = {"amount": "{figure}", "city": "{place}", "month": "{date}", "count": "37"}
    plain = {"amount": "$45,200", "city": "Sacramento", "month": "May", "count": "37", "product": "Meridian"}
    for concept in load_template(ENVIRONMENT).authored.concepts.concepts:
        for told in (*(item.text for item in concept.news), concept.pitch):
            for slots in (fields, plain):
                text = told
                for slot, value in slots.items():
                    text = text.replace(f"{{{slot}}}", value)
                for body in (text, f'I read: "{text}"', text.split(". ")[0] + "."):
                    mail = f"Hi {{first}},\n\n{body}\n\nCould we meet for 30 minutes this week?"
                    yield Case("news", concept.id, "news", mail, True, "")


def _text(case: Case, readers: Readers, *, relevant: bool) -> Text:
    place = readers.places.get(case.concept, 0)
    written = readers.written(case)
    judged = readers.rules.judge(written, place)
    sentences = readers.rules.sentences(written, place)
    final = judged.why in {"other_name", "other_company"} or len(judged.problems) > 1
    return Text(case.suite, case.concept, case.kind, relevant, sentences, judged.problems, final)


def models_of(texts: Sequence[Text]) -> Models:
    """Returns the models that such texts give."""
    topics = [one for one in texts if one.relevant or (one.kind and one.kind not in _SEVERAL)]
    topics = [one for one in topics if one.kind != _JOINED]
    topics += [one for one in texts if one.suite == LEXICON]
    texts = [one for one in texts if one.suite != LEXICON and one.kind != _JOINED]
    classes = [*sorted({one.concept for one in topics if one.concept}), NONE]
    rows = [frozenset[str]().union(*map(topic_features, one.sentences)) for one in topics]
    topic = _model(
        rows, [one.concept or NONE for one in topics], classes,
        np.array([_DECLARED if one.suite == LEXICON else 1.0 for one in topics]),
        unit=_TOPIC_UNIT, least=2, most=_MOST_TOPIC, penalty=1.0,
    )  # fmt: skip
    topic = topic._replace(
        bias=tuple(one * UNIT // _TOPIC_UNIT for one in topic.bias),
        weights={name: [one * UNIT // _TOPIC_UNIT for one in held] for name, held in topic.weights.items()},
    )
    features = [Reading(topic, one.sentences).assertion_features() for one in texts]
    share = sum(one.relevant for one in texts) / len(texts)
    counts = np.array(
        [
            (_BARE if one.suite == "told" else 1.0) * 0.5 / (share if one.relevant else 1 - share)
            for one in texts
        ]
    )
    wanted = ["yes" if one.relevant else "no" for one in texts]
    held = _model(
        features, wanted, ["yes", "no"], counts, unit=UNIT, least=3, most=_MOST_ASSERTION, penalty=3.0
    )
    return Models(topic, _apart(held))


def _model(
    rows: Sequence[Iterable[str]], wanted: Sequence[str], classes: Sequence[str], counts: Array,
    *, unit: int, least: int, most: int, penalty: float,
) -> LinearModel:  # fmt: skip
    names = [one for one in features_of(rows, least) if not _SIGNED.search(one)]
    ones = np.array([[float(one == name) for name in classes] for one in wanted])
    weights, bias = fitted(Table(rows, names), ones, counts, penalty, 120)
    weights = rounded(weights - weights.mean(axis=1, keepdims=True), unit, most)
    bias = np.rint((bias - bias.mean()) * unit).astype(np.int64)
    kept = {name: held.tolist() for name, held in zip(names, weights, strict=True) if held.any()}
    return LinearModel(tuple(classes), tuple(bias.tolist()), kept)


def signals_of(models: Models, text: Text) -> Iterable[tuple[dict[str, int], bool]]:
    """Yields for a text's likeliest problems what the models see, and whether it asserts them."""
    reading = Reading(models.topic, text.sentences)
    asserted = models.assertion.scores(reading.assertion_features())[0]
    problems = [one for one in models.topic.classes if one != NONE]
    signals = {one: {**reading.signals(one, text.named), "asserted": asserted} for one in problems}
    likely = sorted(problems, key=lambda one: -signals[one]["lead"])
    own = text.concept or likely[0]
    yield signals[own], text.relevant
    if text.relevant:
        yield signals[next(one for one in likely if one != own)], False


def decision_of(rows: Sequence[tuple[dict[str, int], bool]]) -> LinearModel:
    """Returns the model that weighs what models and rules found, with a margin against false acceptance."""
    table = np.array([[held[name] / UNIT for name in SIGNALS] for held, _ in rows])
    wanted = np.array([float(right) for _, right in rows])
    point = np.zeros(len(SIGNALS) + 1)
    whole = np.hstack([table, np.ones((len(rows), 1))])
    ridge = np.diag([1.0] * len(SIGNALS) + [1e-6])
    for _ in range(30):
        # Newton's steps: few unknowns.
        chance = 1 / (1 + np.exp(-whole @ point))
        bent = (whole * (chance * (1 - chance))[:, None]).T @ whole + ridge
        point = point - np.linalg.solve(bent, whole.T @ (chance - wanted) + ridge @ point)
    ints = np.rint(point * UNIT).astype(int).tolist()
    return LinearModel(
        ("yes",), (ints[-1] - _MARGIN,), {name: [one] for name, one in zip(SIGNALS, ints, strict=False)}
    )


def mail_models(texts: Sequence[Text], later: Sequence[str] = LATER) -> dict[str, LinearModel]:
    """Returns all models of mails."""
    rows: list[tuple[dict[str, int], bool]] = []
    for suite in later:
        unseen = [one for one in texts if one.suite == suite and not one.final]
        if unseen:
            models = models_of([one for one in texts if one.suite != suite])
            rows += [row for one in unseen for row in signals_of(models, one)]
    models = models_of(texts)
    return {"topic": models.topic, "assertion": models.assertion, "decision": decision_of(rows)}


def claim_models(
    folders: Iterable[Path], readers: Readers, without: Sequence[str] = ()
) -> dict[str, LinearModel]:
    """Returns the model of promises: of suites of both kinds, and of the sentences of relevant mails."""
    rows: dict[str, tuple[frozenset[str], str, float]] = {}
    ruled = claim_finder(load_template(ENVIRONMENT).authored.office.claims, "ledgerline")
    for folder in folders:
        for kind, wanted in (("promises", "yes"), ("innocent", "no")):
            for case in cases_in(folder, kind):
                if case.suite not in without:
                    sentences = claim_sentences(_unnamed(case.text))
                    rows.setdefault(case.text, (_claimed(sentences), wanted, 1.0))
        for case in [one for kind in ("relevant", "irrelevant") for one in cases_in(folder, kind)]:
            if case.suite not in without:
                text = readers.written(
                    case._replace(text=_unnamed(case.text), received=_unnamed(case.received))
                )
                for sentence in claim_sentences(text):
                    count = _MISTAKEN if ruled(sentence) else _MAILED
                    rows.setdefault(sentence, (_claimed([sentence]), "no", count))
    held = _model(
        [row for row, _, _ in rows.values()],
        [wanted for _, wanted, _ in rows.values()],
        ["yes", "no"],
        np.array([count for _, _, count in rows.values()]),
        unit=UNIT, least=2, most=_MOST_CLAIM, penalty=2.0,
    )  # fmt: skip
    return {PROMISE: _apart(held)}


def _unnamed(text: str) -> str:
    for field in ("company", "other", "first", "last", "place", "date", "product"):
        text = text.replace(f"{{{field}}}", _NAME)
    return text.replace("{figure}", "$24,800")


def _claimed(sentences: Iterable[str]) -> frozenset[str]:
    found = frozenset[str]().union(*map(claim_features, sentences))
    return frozenset(one for one in found if _NAME[:5] not in one)


def _apart(model: LinearModel) -> LinearModel:
    """Returns a model of yes and no as one of yes alone."""
    return LinearModel(
        ("yes",),
        (model.bias[0] - model.bias[1],),
        {name: [one[0] - one[1]] for name, one in model.weights.items()},
    )


def as_json(models: dict[str, LinearModel]) -> str:
    """Returns models as a file holds them, one feature a line."""
    parts = []
    for name, one in sorted(models.items()):
        weights = ",\n".join(
            f"{json.dumps(feature, ensure_ascii=False)}:{json.dumps(list(held), separators=(',', ':'))}"
            for feature, held in sorted(one.weights.items())
        )
        head = f'"bias":{json.dumps(list(one.bias))},"classes":{json.dumps(list(one.classes))}'
        parts.append(f'"{name}":{{{head},"weights":{{\n{weights}\n}}}}')
    return "{" + ",\n".join(parts) + "}\n"


def main() -> None:
    """Writes the models into the template."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, action="append", default=[])
    parser.add_argument("--without", action="append", default=[], help="suites that are left out")
    parser.add_argument("--out", type=Path, default=ENVIRONMENT / "authored")
    options = parser.parse_args()
    readers = Readers(build(load_template(ENVIRONMENT), 1))
    folders = [CASES, TELLINGS, *options.folder]
    texts = [one for one in texts_in(folders, readers) if one.suite not in options.without]
    claims = claim_models(folders, readers, options.without)
    (options.out / "mail_model.json").write_text(as_json(mail_models(texts)), "utf-8")
    (options.out / "claim_model.json").write_text(as_json(claims), "utf-8")


if __name__ == "__main__":
    main()
