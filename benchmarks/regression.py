"""Logistic regression over sparse yes-or-no features, and its rounding to integers.

Sums are taken in one order and steps are counted, so that the same texts give the same weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

Array = np.ndarray
_KEPT = 8
"""Steps that the search remembers."""


class Table:
    """Texts as rows of known features."""

    def __init__(self, rows: Sequence[Iterable[str]], names: Sequence[str]) -> None:
        places = {name: at for at, name in enumerate(names)}
        held = [sorted(places[one] for one in row if one in places) for row in rows]
        self.rows, self.columns = len(rows), len(names)
        self._row = np.repeat(np.arange(self.rows), [len(one) for one in held])
        self._column = np.array([at for one in held for at in one], dtype=np.int64)

    def times(self, weights: Array) -> Array:
        """Returns rows times weights, one column for each class."""
        return np.stack([np.bincount(self._row, one[self._column], self.rows) for one in weights.T], axis=1)

    def back(self, errors: Array) -> Array:
        """Returns features times errors."""
        return np.stack([np.bincount(self._column, one[self._row], self.columns) for one in errors.T], axis=1)


def features_of(rows: Iterable[Iterable[str]], least: int) -> list[str]:
    """Returns the features that so many rows have, sorted."""
    counted = Counter(one for row in rows for one in row)
    return sorted(one for one, count in counted.items() if count >= least)


def fitted(table: Table, wanted: Array, counts: Array, penalty: float, steps: int) -> tuple[Array, Array]:
    """Returns weights and biases of a softmax over the classes, by limited-memory BFGS.

    `wanted` has a one for each row's class, `counts` how much each row counts.
    """
    classes = wanted.shape[1]
    split = table.columns * classes

    def loss(point: Array) -> tuple[float, Array]:
        weights, bias = point[:split].reshape(table.columns, classes), point[split:]
        scores = table.times(weights) + bias
        scores = scores - scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        sums = chances.sum(axis=1, keepdims=True)
        missed = ((np.log(sums) - scores) * wanted).sum(axis=1)
        errors = (chances / sums - wanted) * counts[:, None]
        slope = np.concatenate([(table.back(errors) + penalty * weights).ravel(), errors.sum(axis=0)])
        return float((missed * counts).sum() + penalty / 2 * (weights * weights).sum()), slope

    point = _least(loss, np.zeros(split + classes), steps)
    return point[:split].reshape(table.columns, classes), point[split:]


def _least(loss, point: Array, steps: int) -> Array:  # type: ignore[no-untyped-def]
    value, slope = loss(point)
    past: list[tuple[Array, Array, float]] = []
    for _ in range(steps):
        way = slope.copy()
        shares = []
        for moved, turned, inverse in reversed(past):
            share = inverse * (moved * way).sum()
            shares.append(share)
            way -= share * turned
        if past:
            moved, turned, _ = past[-1]
            way *= (moved * turned).sum() / (turned * turned).sum()
        else:
            way /= max(1.0, float(np.sqrt((slope * slope).sum())))
        for (moved, turned, inverse), share in zip(past, reversed(shares), strict=True):
            way += (share - inverse * (turned * way).sum()) * moved
        length, fall = 1.0, float((slope * way).sum())
        for _ in range(30):
            tried, (new, after) = point - length * way, loss(point - length * way)
            if new <= value - 1e-4 * length * fall:
                break
            length /= 2
        else:
            break
        moved, turned = tried - point, after - slope
        bent = float((moved * turned).sum())
        if bent > 1e-12:
            past = [*past[1 - _KEPT :], (moved, turned, 1 / bent)]
        done = abs(value - new) < 1e-7 * max(1.0, abs(value))
        point, value, slope = tried, new, after
        if done:
            break
    return point


def rounded(weights: Array, unit: int, most: int) -> Array:
    """Returns weights as integers, the strongest features only."""
    whole = np.rint(weights * unit).astype(np.int64)
    strength = np.abs(whole).max(axis=1)
    order = np.lexsort((np.arange(len(strength)), -strength))
    whole[order[most:]] = 0
    return whole
