"""Linear models in integers: a class's score is its bias and the weights of the features that a text has.

A model is fitted offline and stored as text, so that it is part of what a world's hash covers. Adding up
integers has one result on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple


class LinearModel(NamedTuple):
    """Weights of features for each of some classes."""

    classes: tuple[str, ...]
    bias: tuple[int, ...]
    weights: Mapping[str, Sequence[int]]
    """Feature -> one weight for each class."""

    def scores(self, features: Iterable[str], *, bias: bool = True) -> list[int]:
        """Returns the score of each class; each feature is to be given once."""
        known = [self.weights[one] for one in features if one in self.weights]
        start = self.bias if bias else (0,) * len(self.classes)
        return [sum(held) for held in zip(start, *known, strict=True)]

    def strongest(self, features: Iterable[str], place: int, most: int) -> list[str]:
        """Returns the features that speak loudest for or against a class, with the sign of their weight."""
        known = sorted(
            (-abs(self.weights[one][place]), one)
            for one in features
            if one in self.weights and self.weights[one][place]
        )
        return [f"{'+' if self.weights[one][place] > 0 else '-'}{one}" for _, one in known[:most]]


@lru_cache(maxsize=16)
def models_in(text: str) -> Mapping[str, LinearModel]:
    """Returns the models that a text holds, by name."""
    return {
        name: LinearModel(tuple(held["classes"]), tuple(held["bias"]), held["weights"])
        for name, held in json.loads(text).items()
    }
