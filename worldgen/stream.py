"""Randomness of worlds: SHA-256 counter streams, the same bytes on every machine and Python version."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item")

_BYTES = 8
_SPAN = 1 << (8 * _BYTES)


class Stream:
    """A sequence of draws named by a path; streams of different names are independent."""

    def __init__(self, *path: str | int) -> None:
        self._path = "/".join(str(part).replace("/", "%2F") for part in path)
        self._counter = 0

    def named(self, *path: str | int) -> Stream:
        """Returns the sub-stream of a name; drawing from one moves no other."""
        return Stream(self._path, *path)

    def below(self, limit: int) -> int:
        """Returns an integer from 0 to limit - 1, each equally likely.

        Raises:
            ValueError: the limit is below 1.
        """
        if limit < 1:
            raise ValueError(f"cannot draw below {limit}")
        ceiling = _SPAN - _SPAN % limit
        while True:
            drawn = self._next()
            if drawn < ceiling:
                return drawn % limit

    def between(self, low: int, high: int) -> int:
        """Returns an integer from low to high, both included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[Item]) -> Item:
        """Returns one of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        """Returns all items in drawn order."""
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            other = self.below(last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """Returns `count` different items in drawn order.

        Raises:
            ValueError: there are fewer items.
        """
        if count > len(items):
            raise ValueError(f"cannot draw {count} of {len(items)}")
        return self.shuffle(items)[:count]

    def weighted(self, weights: Mapping[str, int]) -> str:
        """Returns a key with a chance in proportion to its weight; keys in sorted order decide ties.

        Raises:
            ValueError: no weight is above 0.
        """
        left = self.below(sum(weights.values()))
        for key in sorted(weights):
            left -= weights[key]
            if left < 0:
                return key
        raise ValueError("weights below 0")

    def chance(self, ppm: int) -> bool:
        """Says yes with a chance in parts per million."""
        return self.below(1_000_000) < ppm

    def quantile(self, values: Sequence[int], points: Sequence[int]) -> int:
        """Returns a draw from a distribution given by values at rising points (in per mille)."""
        at = self.below(1000)
        for index in range(1, len(points)):
            if at <= points[index]:
                low, high = values[index - 1], values[index]
                width = max(1, points[index] - points[index - 1])
                return low + (high - low) * (at - points[index - 1]) // width
        return values[-1]

    def _next(self) -> int:
        block = hashlib.sha256(f"{self._path}#{self._counter}".encode()).digest()
        self._counter += 1
        return int.from_bytes(block[:_BYTES], "big")
