"""How far words speak for each of several problems: as its wordings use them more than those of others.

Nothing is learned of texts: a word's leaning follows from the world's declared wordings and examples.
Whether a text asserts anything is not judged here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from contracts.wording import EMPTY
from contracts.world import Concept
from runtime.statements import FUNCTION_WORDS
from runtime.stems import stem, stems_in

_SAYS_NOTHING = EMPTY | {stem(word) for word in FUNCTION_WORDS}
_PARTED = re.compile(r"\{[\w ]+\}|[|+*]")
_RARE = 50
"""Words that are added to those of each problem, so that one used once leans but little."""


class Leanings:
    """The leanings of all words of the problems of one world."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        """Counts the words of their wordings."""
        counts = {one.id: _counted(one) for one in concepts}
        sizes = {problem: held.total() for problem, held in counts.items()}
        every, most = Counter[str](), sum(sizes.values())
        for held in counts.values():
            every.update(held)
        apart = 7 * _RARE
        self._leanings = {
            word: {
                problem: _log(10 * held[word] + 3)
                - _log(10 * (sizes[problem] + _RARE))
                - _log(10 * (every[word] - held[word]) + 21)
                + _log(10 * (most - sizes[problem] + apart))
                for problem, held in counts.items()
            }
            for word in every
            if word not in _SAYS_NOTHING
        }

    def of(self, stems: Iterable[str]) -> dict[str, int]:
        """Returns how far stems speak for each problem, in sixteenths of a bit; none where none is known."""
        found: dict[str, int] = {}
        for one in dict.fromkeys(stems):
            for problem, leaning in self._leanings.get(one, {}).items():
                found[problem] = found.get(problem, 0) + leaning
        return found


def _counted(concept: Concept) -> Counter[str]:
    forms = (form for held in concept.slots.values() for form in held)
    counted = Counter(
        word
        for text in (*concept.phrases, *concept.hints, *concept.cues, *forms)
        for part in _PARTED.split(text)
        for word in stems_in(part)
    )
    counted.update(word for example in concept.examples for word in dict.fromkeys(stems_in(example)))
    return counted


def _log(number: int) -> int:
    """Returns the binary logarithm in sixteenths, the same on every machine."""
    return (number**16).bit_length() - 1
