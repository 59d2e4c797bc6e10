"""Promises by us as rules and a fitted model find them together.

The model is linear, in integers, over the words of a sentence, their beginnings and neighbours. What speaks
loudly for a promise is one without any rule; what a rule flagged is none where the words speak loudly for
innocence. Between the two margins the rules decide.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import lru_cache

from contracts.linear_model import models_in
from contracts.names import without_unseen
from contracts.spellings import mended
from contracts.wording import is_question, sentences_in, without_quotes_of_others, words_in
from contracts.world import ClaimPattern
from grader.wordings import Claim, claim_finder

UNIT = 32
"""Of a weight: so much stands for a factor of e in the odds."""
PROMISE = "promise"
"""The id of what the model alone finds."""
_SURELY = 60
"""From which score on a sentence promises, whatever rules say."""
_INNOCENT = -64
"""Below which score it promises nothing."""
_LEAST_WORDS = 3
_BEGINNING = 5
"""Letters by which words of one stem are the same."""


def promise_finder(
    patterns: Iterable[ClaimPattern], model: str, our_name: str
) -> Callable[[str], list[Claim]]:
    """Returns what finds the promises of a text; an empty model leaves it to the rules."""
    ruled = claim_finder(patterns, our_name)
    if not model:
        return ruled
    score = _scorer(model)

    def weight_of(clause: str, scored: list[tuple[str, int]]) -> int:
        """Returns the score of the sentence that a clause is part of; its own where rules joined two."""
        return max((held for sentence, held in scored if clause in sentence), default=score(clause))

    def find(text: str) -> list[Claim]:
        scored = [(sentence, score(sentence)) for sentence in claim_sentences(text)]
        found = [claim for claim in ruled(text) if weight_of(claim.clause, scored) >= _INNOCENT]
        told = [claim.clause for claim in found]
        return found + [
            Claim(PROMISE, sentence.strip())
            for sentence, held in scored
            if held > _SURELY and not any(clause in sentence for clause in told)
        ]

    return find


@lru_cache(maxsize=4)
def _scorer(model: str) -> Callable[[str], int]:
    """Returns what scores sentences by a model."""
    held = models_in(model)[PROMISE]
    bias, weights = held.bias[0], {feature: one[0] for feature, one in held.weights.items()}

    @lru_cache(maxsize=4096)
    def score(sentence: str) -> int:
        return bias + sum([weights[one] for one in claim_features(sentence) if one in weights])

    return score


def claim_sentences(text: str) -> list[str]:
    """Returns the sentences of a text of which a model judges each."""
    seen = without_quotes_of_others(mended(without_unseen(text)))
    return [one for one in sentences_in(seen) if len(words_in(one)) >= _LEAST_WORDS]


def claim_features(sentence: str) -> frozenset[str]:
    """Returns the features of a sentence."""
    held = [_seen(word) for word in words_in(sentence)]
    end = "?" if is_question(sentence) else "."
    whole = ["^", *held, end]
    short = ["^", *(word[:_BEGINNING] for word in held), end]
    return frozenset(
        [
            *(f"{word}-" for word in short[1:-1]),
            *(f"{one} {other}" for one, other in itertools.pairwise(whole)),
            *(f"{one} _ {other}" for one, other in zip(short, short[2:], strict=False)),
            *(f"{a}- {b}- {c}-" for a, b, c in zip(short, short[1:], short[2:], strict=False)),
        ]
    )


def _seen(word: str) -> str:
    """Returns a word with any figure made the same as others of its kind."""
    if not any(map(str.isdigit, word)):
        return word
    return "#%" if "%" in word else "#$" if word[0] in "$€£" else "#"
