"""Coincidences of ids: how many real ids may be surrogates of other ones, or of themselves, by chance.

A padded id has few digits that count: "0000000012" becomes one of 90 ids, and where many of these 90 are real
it becomes a real one. Belongs here: how many ids there are of one shape, and what chance makes of them. Does
not belong here: whether replacement wrote what stands there (`written_cells`, `leaks`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

BY_CHANCE = 1e-6
"""How unlikely more coincidences must be than are let pass."""
FEW = 10.0
"""Up to so many expected ones, a share of them varies as rare events do."""
MANY = 200.0
"""So many expected ones are near enough to a normal distribution."""
DEVIATIONS = 6
"""A normal variable lies farther above its mean less than once in 10^9 times."""
_SEGMENT = re.compile(r"[^\W_]+")
_PLAIN = re.compile(r"([A-Za-z]*)(0*)(\d*)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SHORT = 2
"""Digits of a segment that stays where another one has more."""


class Shape(NamedTuple):
    """What surrogates of an id have in common with it."""

    text: str
    room: float
    """How many ids have it."""


def id_shape(value: str) -> Shape:
    """Returns the shape of an id: letters, zeros in front, years and short counters as they are."""
    segments = _SEGMENT.findall(value)
    longest = max((sum(char.isdigit() for char in one) for one in segments), default=0)
    several = sum(any(char.isdigit() for char in one) for one in segments) > 1
    texts, room = [], 1.0
    for segment in segments:
        digits = sum(char.isdigit() for char in segment)
        plain = _PLAIN.fullmatch(segment)
        if not digits or (several and (digits <= _SHORT < longest or _YEAR.fullmatch(segment))):
            texts.append("Y" if _YEAR.fullmatch(segment) else segment.lower())
        elif plain is None:
            texts.append("?" * len(segment))
            room *= 36.0 ** min(len(segment), 64)
        else:
            letters, zeros, counted = plain.groups()
            texts.append(f"{letters.lower()}{zeros}{'#' * len(counted)}")
            room *= 0.9 * 10.0 ** min(len(counted), 64) if counted else 1.0
    return Shape("-".join(texts), max(1.0, room))


def met_bounds(shapes: Iterable[Shape]) -> dict[Shape, int]:
    """Returns how many distinct ids of each shape may be surrogates of others: n of r become n*n/r real ones.

    Args:
        shapes: of all real ids, each as often as there are ids of it.
    """
    return {shape: _met_bound(count, count / shape.room) for shape, count in Counter(shapes).items()}


def _met_bound(count: int, share: float) -> int:
    """Returns how many of some ids may be real ones where a share of all is real; many vary less than few."""
    share = min(1.0, share)
    expected = count * share
    if expected <= FEW:
        return min(count, chance_bound(expected))
    return min(count, math.ceil(expected + DEVIATIONS * math.sqrt(expected * (1.0 - share))))


def stay_bound(shapes: Iterable[Shape]) -> int:
    """Returns how many distinct ids may stay what they are: one of r by chance."""
    return chance_bound(math.fsum(1.0 / shape.room for shape in shapes))


def chance_bound(expected: float, rare: float = BY_CHANCE) -> int:
    """Returns the least number that independent rare events exceed with at most such a probability.

    Args:
        expected: how many of them there are on average.
        rare: the probability; of many events, one far smaller is taken.
    """
    if expected > MANY:
        return math.ceil(expected + DEVIATIONS * math.sqrt(expected))
    term = total = math.exp(-expected)
    bound = 0
    while 1.0 - total > rare:
        bound += 1
        term *= expected / bound
        total += term
    return bound
