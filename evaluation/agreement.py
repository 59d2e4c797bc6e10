"""How far two judges of the same things agree: confusion, Cohen's kappa, intervals.

Belongs here: arithmetic on pairs of labels. What is judged, and by whom, is the caller's.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from evaluation.statistics import Interval

_Z = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""
_SAMPLES = 2_000
_SEED = 20_000
"""Of the resampling, so that the same pairs give the same interval."""

Pair = tuple[str, str]
"""What the first and what the second judge said of one thing."""


class Agreement(NamedTuple):
    """Two judges side by side."""

    labels: tuple[str, ...]
    cells: dict[str, dict[str, int]]
    """First judge's label -> second judge's label -> how often."""
    n: int
    agreed: int
    kappa: float | None
    """None where chance alone would agree always: one label for everything."""
    share: Interval | None
    """Wilson's 95 % interval of the share agreed on; None of nothing."""
    kappa_interval: Interval | None
    """95 % interval of kappa by resampling the pairs."""


def agreement_of(pairs: Sequence[Pair], labels: Sequence[str]) -> Agreement:
    """Returns how far two judges agree on pairs whose labels are all listed."""
    counted = Counter(pairs)
    cells = {first: {second: counted[first, second] for second in labels} for first in labels}
    n = sum(counted.values())
    agreed = sum(count for (first, second), count in counted.items() if first == second)
    return Agreement(
        labels=tuple(labels),
        cells=cells,
        n=n,
        agreed=agreed,
        kappa=kappa_of(counted),
        share=wilson(agreed, n),
        kappa_interval=_resampled(counted),
    )


def kappa_of(counted: Counter[Pair]) -> float | None:
    """Returns Cohen's kappa: 1 for full agreement, 0 for what chance gives."""
    n = sum(counted.values())
    if not n:
        return None
    first, second = Counter[str](), Counter[str]()
    for (one, other), count in counted.items():
        first[one] += count
        second[other] += count
    seen = sum(count for (one, other), count in counted.items() if one == other) / n
    chance = math.fsum(first[label] * second[label] for label in sorted(first)) / n**2
    return None if chance >= 1 else (seen - chance) / (1 - chance)


def wilson(hits: int, n: int) -> Interval | None:
    """Returns Wilson's 95 % interval of a share; None of nothing."""
    if not n:
        return None
    share, square = hits / n, _Z**2
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = _Z / (1 + square / n) * math.sqrt(share * (1 - share) / n + square / (4 * n**2))
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def _resampled(counted: Counter[Pair]) -> Interval | None:
    pairs = sorted(pair for pair, count in counted.items() if count)
    bounds = [*accumulate(counted[pair] for pair in pairs)]
    if not bounds or len(pairs) < 2:
        return None
    stream, n = Random(_SEED), bounds[-1]
    found = []
    for _ in range(_SAMPLES):
        drawn = Counter(pairs[bisect_right(bounds, int(stream.random() * n))] for _ in range(n))
        kappa = kappa_of(drawn)
        if kappa is not None:
            found.append(kappa)
    if not found:
        return None
    found.sort()
    return Interval(found[len(found) * 25 // 1000], found[min(len(found) - 1, len(found) * 975 // 1000)])
