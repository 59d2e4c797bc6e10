"""The wordings of a problem made ready: phrases, hints and cues, and what its absence tells.

Belongs here: what follows from the declared wordings alone. What a text asserts stands in the problems.
"""

from __future__ import annotations

from typing import NamedTuple

from contracts.lexicon import Lexicon
from contracts.wording import EMPTY, NEGATION
from contracts.world import Concept
from runtime.statements import Statement
from runtime.stems import stems_in

_MOST_LOOSE = 3
_PASSED_OVER = frozenset(
    stems_in(
        "a an the any anyone's anybody's somebody's proper valid formal second single own real yet been be "
        "being have has "
        "had ever was were is are it them this that to able fully correctly properly"
    )
)
"""What stands between a negation and what is lacking."""
_LACKING = frozenset(stems_in("miss lack late absent lost unsigned refuse complain wrong delay dispute"))


class Wording(NamedTuple):
    """The wordings of one problem, ready to be found."""

    id: str
    lexicon: Lexicon
    phrases: tuple[bool | None, ...]
    """Of each wording of the lexicon whether it is one sequence of words; None for a hint."""
    loose: tuple[frozenset[str], ...]
    """Content words of short phrases, where they may stand in any order."""
    cues: frozenset[str]
    goods: frozenset[str]
    """Stems of what ought to be there."""

    def excused(self, statement: Statement) -> frozenset[int]:
        """Returns the indexes of negations that tell of the problem itself: "without anyone's okay"."""
        words, stems = statement.clause.words, statement.stems
        return frozenset(
            at
            for at, word in enumerate(words)
            if word in NEGATION
            and (following := [one for one in stems[at + 1 : at + 5] if one not in _PASSED_OVER][:1])
            and following[0] in self.goods
            and _LACKING.isdisjoint(stems[at + 1 : at + 7])
        )


def wording_of(concept: Concept) -> Wording:
    """Returns the wordings of a problem made ready."""
    loose = (
        frozenset(stems_in(phrase.replace("*", " "))) - EMPTY
        for phrase in concept.phrases
        if not set("|+{") & set(phrase)
    )
    return Wording(
        concept.id,
        Lexicon([*concept.phrases, *concept.hints], concept.slots, stems_in),
        tuple(" + " not in phrase for phrase in concept.phrases) + (None,) * len(concept.hints),
        tuple(words for words in loose if 1 < len(words) <= _MOST_LOOSE and "not" not in words),
        frozenset(stem for cue in concept.cues for stem in stems_in(cue)),
        frozenset(stem for good in concept.goods for stem in stems_in(good)),
    )
