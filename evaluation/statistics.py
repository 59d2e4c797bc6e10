"""Figures over repeated runs: means and their intervals, without a library.

Belongs here: arithmetic on rewards. What a reward means is the grader's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

_T_975 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""Two-sided 95 % points of Student's t for 1 to 30 degrees of freedom."""


class Interval(NamedTuple):
    """A range that holds the true mean in 95 of 100 samples."""

    low: float
    high: float


def mean(values: Sequence[float]) -> float | None:
    """Returns the mean, or None of nothing."""
    return math.fsum(values) / len(values) if values else None


def mean_interval(values: Sequence[float]) -> Interval | None:
    """Returns the 95 % interval of a mean of rewards, cut to [0, 1]; None below three values."""
    n = len(values)
    if n < 3:
        return None
    centre = math.fsum(values) / n
    deviation = math.sqrt(math.fsum((value - centre) ** 2 for value in values) / (n - 1))
    t = _T_975[n - 2] if n - 2 < len(_T_975) else 1.96
    half = t * deviation / math.sqrt(n)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))
