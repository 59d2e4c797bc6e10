"""The change point of a yes/no outcome along an ordered value, with a likelihood-ratio interval.

The outcome has one probability up to the threshold and another above it. The likelihood is exact over all
gaps between observed values; the interval holds the thresholds whose likelihood falls short of the best by
less than a critical value, which a seeded simulation of the fitted model gives for 95 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SIMULATIONS = 400
SEED = 20_240_902
"""Fixed, so that the same data give the same interval."""
COVERAGE = 0.95
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ChangePoint:
    """A threshold: the outcome's rate changes between `below_edge` and `above_edge`."""

    below_edge: int
    """Largest observed value on the lower side of the likeliest gap."""
    above_edge: int
    """Smallest observed value on the upper side of it."""
    low: int
    high: int
    """The threshold lies in [low, high) with 95 % confidence."""
    likelihood_ratio: float
    """Twice the gain in log likelihood over one constant rate."""
    rate_below: float
    rate_above: float
    n: int

    @property
    def is_significant(self) -> bool:
        """Says whether the change is one: likelihood ratio above 3 ln n."""
        return self.n > 1 and self.likelihood_ratio > 3 * float(np.log(self.n))


def find_change_point(values: Sequence[int], outcomes: Sequence[bool]) -> ChangePoint | None:
    """Returns the likeliest change point, or None where all values or all outcomes are equal.

    Args:
        values: what the outcome may depend on, in whole units.
        outcomes: one per value.
    """
    n = len(values)
    if n != len(outcomes):
        raise ValueError(f"{n} values and {len(outcomes)} outcomes: give one outcome per value")
    order = sorted(range(n), key=lambda index: (values[index], index))
    ordered = [values[index] for index in order]
    hits = np.array([[outcomes[index] for index in order]], dtype=np.float64)
    gaps = [index for index in range(1, n) if ordered[index] != ordered[index - 1]]
    total = int(hits.sum())
    if not gaps or total in (0, n):
        return None
    cuts = np.array(gaps, dtype=np.int64)
    scores = _split_scores(hits, cuts)[0]
    best = int(np.argmax(scores))
    critical = _critical_value(hits[0], cuts, best)
    inside = np.flatnonzero(scores[best] - scores <= critical)
    null = float(_log_likelihood(np.array([float(total)]), np.array([float(n)]))[0])
    cut = gaps[best]
    return ChangePoint(
        below_edge=ordered[cut - 1],
        above_edge=ordered[cut],
        low=ordered[gaps[int(inside[0])] - 1],
        high=ordered[gaps[int(inside[-1])]],
        likelihood_ratio=2 * (float(scores[best]) - null),
        rate_below=float(hits[0, :cut].mean()),
        rate_above=float(hits[0, cut:].mean()),
        n=n,
    )


def roundest(low: int, high: int, anchor: int) -> int:
    """Returns the roundest whole number in [low, high): fewest digits, then nearest the anchor."""
    if high <= low:
        return low
    size = 1
    while size * 10 <= max(abs(low), abs(high)):
        size *= 10
    while size > 1:
        for step in (size, size // 2):
            first = -(-low // step) * step
            if step and first < high:
                nearest = min(max(round(anchor / step) * step, first), (high - 1) // step * step)
                return nearest
        size //= 10
    return min(max(anchor, low), high - 1)


def _critical_value(hits: _Floats, cuts: NDArray[np.int64], best: int) -> float:
    n, cut = len(hits), int(cuts[best])
    generator = np.random.Generator(np.random.PCG64(SEED))
    # Rates are drawn a little towards one half: an observed rate of 0 or 1 would leave nothing to simulate.
    below = (float(hits[:cut].sum()) + 0.5) / (cut + 1)
    above = (float(hits[cut:].sum()) + 0.5) / (n - cut + 1)
    rates = np.where(np.arange(n) < cut, below, above)
    drawn = (generator.random((SIMULATIONS, n)) < rates).astype(np.float64)
    scores = _split_scores(drawn, cuts)
    shortfall = np.sort(scores.max(axis=1) - scores[:, best])
    return float(shortfall[int(np.ceil(COVERAGE * SIMULATIONS)) - 1]) + 1e-9


def _split_scores(hits: _Floats, cuts: NDArray[np.int64]) -> _Floats:
    n = hits.shape[1]
    below = np.cumsum(hits, axis=1)[:, cuts - 1]
    above = hits.sum(axis=1, keepdims=True) - below
    counts = cuts.astype(np.float64)
    return _log_likelihood(below, counts) + _log_likelihood(above, n - counts)


def _log_likelihood(hits: _Floats, n: _Floats) -> _Floats:
    misses = n - hits
    with np.errstate(divide="ignore", invalid="ignore"):
        yes = np.where(hits > 0, hits * np.log(hits / n), 0.0)
        no = np.where(misses > 0, misses * np.log(misses / n), 0.0)
    total: _Floats = yes + no
    return total
