"""Garbage collection while a dataset is worked on.

Belongs here: how often Python looks for cycles. Does not belong here: what is kept in memory, which each
cache bounds itself.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

NEW_OBJECTS = 200_000
"""Objects more than before after which the young ones are searched for cycles."""
YOUNG_ROUNDS = 20
OLD_ROUNDS = 100


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Searches for cycles seldom meanwhile.

    The forms of a registry and the texts that are remembered are millions of objects without a cycle, and
    every search walks through them: a quarter of the time of a large archive.
    """
    before = gc.get_threshold()
    gc.set_threshold(NEW_OBJECTS, YOUNG_ROUNDS, OLD_ROUNDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
