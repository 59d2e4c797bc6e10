"""What fitted models make of a mail beside the rules: its topic, and whether it asserts that of its reader.

Three linear models in integers. `topic` says of words which problem they speak of, or of none; `assertion`
whether a text with such words, in the sentence of the problem and around it, states something of its reader;
`decision` weighs both with what the rules found.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from contracts.linear_model import LinearModel, models_in
from runtime.marks import Sentence

NONE = "none"
"""The class of words that speak of no problem."""
UNIT = 32
"""Of a weight: so much stands for a factor of e in the odds."""
_MOST = 3 * UNIT
_LEAST_SECOND, _MOST_SECOND = -UNIT, 6 * UNIT
_STRONGEST = 4


class Weighed(NamedTuple):
    """What the models say of a text."""

    problem: str
    """The problem that it asserts, most likely."""
    score: int
    """Above zero where a buyer of that problem takes it as relevant."""
    features: tuple[str, ...]
    """Those of the assertion that weighed most."""

    def evidence(self) -> dict[str, Any]:
        """Returns it as the log keeps it."""
        return {"problem": self.problem, "score": self.score, "words": list(self.features)}


class MailModel:
    """The models of one template."""

    def __init__(self, text: str) -> None:
        models = models_in(text)
        self._topic, self._assertion, self._decision = (
            models[name] for name in ("topic", "assertion", "decision")
        )
        self._problems = [one for one in self._topic.classes if one != NONE]

    def weigh(self, sentences: Sequence[Sentence], named: Sequence[str]) -> Weighed:
        """Returns what the models make of a text in which the rules found the problems named."""
        reading = Reading(self._topic, sentences)
        features = reading.assertion_features()
        asserted = self._assertion.scores(features)[0]
        scores = {
            problem: self._decide(reading.signals(problem, named), asserted) for problem in self._problems
        }
        problem = max(self._problems, key=lambda one: scores[one])
        strongest = self._assertion.strongest(features, 0, _STRONGEST)
        return Weighed(problem, scores[problem], tuple(strongest))

    def _decide(self, signals: dict[str, int], asserted: int) -> int:
        weights = self._decision.weights
        held = {**signals, "asserted": asserted}
        return self._decision.bias[0] * UNIT + sum(weights[name][0] * held[name] for name in sorted(held))


class Reading:
    """A text read with a model of topics."""

    def __init__(self, topic: LinearModel, sentences: Sequence[Sentence]) -> None:
        self._sentences = sentences
        self._classes = topic.classes
        held = [topic_features(one) for one in sentences]
        self._each = [topic.scores(one, bias=False) for one in held]
        self._whole = topic.scores(frozenset[str]().union(*held))
        self._none = topic.classes.index(NONE)

    def assertion_features(self) -> set[str]:
        """Returns the features of all sentences, and once more those of the problem's and its neighbours."""
        main = self._main()
        found: set[str] = set()
        for place, one in enumerate(self._sentences):
            asked = "?" if one.asks else ""
            found.update(asked + each for each in _sequences(one.stems))
            if abs(place - main) <= 1:
                around = "<!>"[place - main + 1] + asked
                found.update(around + each for each in _sequences(one.stems))
        return found

    def _main(self) -> int:
        """Returns the place of the sentence that speaks most of some problem."""
        leads = [
            max(score for at, score in enumerate(held) if at != self._none) - held[self._none]
            for held in self._each
        ]
        return leads.index(max(leads)) if leads else 0

    def signals(self, problem: str, named: Sequence[str]) -> dict[str, int]:
        """Returns what tells whether a text speaks of a problem: words of it, of others, and the rules."""
        own = self._classes.index(problem)
        others = [at for at in range(len(self._classes)) if at not in {own, self._none}]
        second = max(
            (max(held[at] for at in others) - max(held[own], held[self._none]) for held in self._each),
            default=0,
        )
        return {
            "lead": _within(self._whole[own] - max(self._whole[at] for at in others), -_MOST),
            "topic": _within(self._whole[own] - self._whole[self._none], -_MOST),
            "second": _within(second, _LEAST_SECOND, _MOST_SECOND),
            "rules_one": UNIT * (list(named) == [problem]),
            "rules_none": UNIT * (not named),
            "rules_other": UNIT * (bool(named) and problem not in named),
        }


def topic_features(sentence: Sentence) -> frozenset[str]:
    """Returns the stems of a sentence, and the pairs that stand together or around any one word."""
    stems = sentence.stems
    return frozenset(
        [
            *stems,
            *(f"{one} {other}" for one, other in itertools.pairwise(stems)),
            *(f"{one} _ {other}" for one, other in zip(stems, stems[2:], strict=False)),
        ]
    )


def _sequences(stems: tuple[str, ...]) -> Iterable[str]:
    """Yields stems, pairs with the borders of the sentence, and pairs around any one word."""
    yield from stems
    whole = ("^", *stems, "$")
    yield from (f"{one} {other}" for one, other in itertools.pairwise(whole))
    yield from (f"{one} _ {other}" for one, other in zip(stems, stems[2:], strict=False))


def _within(score: int, least: int, most: int = _MOST) -> int:
    return max(least, min(most, score))
