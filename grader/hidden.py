"""All that a text may say in whatever way it is read, in the forms that are searched.

Belongs here: the letters of all readings together. Whom they tell of stands in `grader.leaks`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from grader.moved import Steps, steps_in
from grader.protected import LETTERS
from grader.readings import Reading, moved_letters, readings_in

_RUN = re.compile(r"(.)\1+")
_SEPARATED = re.compile(r"([a-z])(?:.\1){6}")
"""One letter between all others, as often as in the shortest name that is looked for so."""


@dataclass(frozen=True)
class Hidden:
    """All that a text may say."""

    readings: tuple[Reading, ...]

    @cached_property
    def letters(self) -> str:
        """Letters and digits of all readings: whose name is in none of them is not told of."""
        forms = (form for reading in self.readings for form in (reading.squeezed, reading.unspoken))
        return "\n".join(dict.fromkeys(forms))

    @property
    def forms(self) -> Iterator[str]:
        """Both, the second only where the first does not do."""
        yield self.letters
        yield self.moved

    @cached_property
    def moved(self) -> str:
        """The letters of the text, moved along the alphabet in every way."""
        return "\n".join(moved_letters(self.readings[0].squeezed))

    @cached_property
    def steps(self) -> Steps:
        """What tells quickly of most words that they stand neither in `moved` nor in `letters`."""
        squeezed = self.readings[0].squeezed
        return steps_in(self.letters, squeezed[::2], squeezed[1::2])

    @cached_property
    def runs(self) -> dict[str, str]:
        """Letter -> the text's letters, that one never twice in a row; empty where none separates others."""
        squeezed = self.readings[0].squeezed
        if not _SEPARATED.search(_RUN.sub(r"\1", squeezed)):
            return {}
        # Where marks between two parts are dropped, the letter that stands for a space stands twice.
        return {letter: re.sub(f"{letter}+", letter, squeezed) for letter in LETTERS}


@lru_cache(maxsize=256)
def hidden_in(text: str) -> Hidden:
    """Returns all that a text may say."""
    return Hidden(readings_in(text))
