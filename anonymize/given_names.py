"""First names that stand for nobody in particular: "John", where the archive knows several of them.

Belongs here: which name of the pools stands for such a mention. Does not belong here: the names of the people
that are known (`surrogates`).
"""

from __future__ import annotations

import hmac
from functools import lru_cache

from anonymize.words import pool
from contracts.names import fold

MOST_GIVEN = 16_384


class GivenNames:
    """The same name for the same mention, one that no surrogate bears as long as there is any."""

    def __init__(self, key: bytes, barred: frozenset[str], borne: frozenset[str]) -> None:
        """`barred` are folded names of real people, `borne` those that surrogates have."""
        self._key, self._barred, self._borne = key, barred, borne
        self.of = lru_cache(maxsize=MOST_GIVEN)(self._of)

    def _of(self, first: str, gender: str, other: int) -> str:
        """Returns the name that stands for a folded first name of a gender, or its nth `other`."""
        names = pool(f"first_{gender}_en")
        digest = hmac.digest(self._key, f"given|{first}".encode("utf-8", "surrogatepass"), "sha256")
        number = (int.from_bytes(digest[:8], "big") + other) % len(names)
        turned = (*names[number:], *names[:number])
        free = [name for name in turned if fold(name) not in self._barred and fold(name) != first]
        return next((name for name in free if fold(name) not in self._borne), (*free, names[number])[0])
