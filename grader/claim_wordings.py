"""The wordings of claims made ready: where a declared one stands in a clause, and no term of the trade does.

Belongs here: finding. Whether that promises something stands in `grader.wordings`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from contracts.lexicon import Lexicon
from contracts.wording import Span, words_in
from contracts.world import ClaimPattern

_MONEY = frozenset("$€£")
_WHOLE = frozenset("$%")
_LONGEST = 60
_LONGEST_SPAN = 12
"""Words from the first to the last of a wording: what stands further apart is not one offer."""
_LONG_ENOUGH = 4
"""Letters of words of which a form without its "s" is heard too."""


@lru_cache(maxsize=8192)
def _stands_for(word: str) -> tuple[str, ...]:
    """Returns the words of wordings that a word may stand for: its singular, "%" for "20%", "$" for "$5"."""
    held = [word]
    if word.endswith("'s"):
        held.append(word[:-2])
    elif len(word) >= _LONG_ENOUGH and word.endswith("s"):
        held.append(word[:-1])
    if word[:1] in _MONEY and word[1:2].isdigit():
        held.append("$")
    if word.endswith("%") and word != "%":
        held.append("%")
    return tuple(held)


def heard_in(words: Iterable[str]) -> frozenset[str]:
    """Returns all words of wordings that words may stand for."""
    return frozenset(key for word in words for key in _stands_for(word))


class CompiledClaim(NamedTuple):
    """A kind of claim, ready to be found."""

    id: str
    phrases: Lexicon
    innocent: Lexicon

    def may_stand(self, words: frozenset[str]) -> bool:
        """Says whether some phrase has all its words among those `heard_in` others."""
        return self.phrases.may_stand(words)

    def hits(self, words: tuple[str, ...]) -> list[Span]:
        """Returns where phrases stand that share no word with an innocent wording."""
        return list((_hits_again if len(words) <= _LONGEST else _hits)(self, words))


def _hits(claim: CompiledClaim, words: tuple[str, ...]) -> tuple[Span, ...]:
    hits = dict.fromkeys(span for _, span in claim.phrases.wordings(words, _LONGEST_SPAN))
    if not hits:
        return ()
    terms = frozenset[int]().union(*(span.taken for _, span in claim.innocent.wordings(words, _LONGEST)))
    return tuple(hit for hit in hits if not hit.taken & terms)


_hits_again = lru_cache(maxsize=4096)(_hits)
"""The same, remembered: most mails of a shift have clauses of others."""


def compiled_claim(pattern: ClaimPattern) -> CompiledClaim:
    """Returns a kind of claim made ready; the same one is made ready once."""
    slots = tuple((name, tuple(forms)) for name, forms in sorted(pattern.slots.items()))
    return _compile(pattern.id, tuple(pattern.phrases), tuple(pattern.innocent), slots)


@lru_cache(maxsize=64)
def _compile(
    id: str,
    phrases: tuple[str, ...],
    innocent: tuple[str, ...],
    slots: tuple[tuple[str, tuple[str, ...]], ...],
) -> CompiledClaim:
    held = dict(slots)
    return CompiledClaim(
        id, *(Lexicon(wordings, held, _words_of, _stands_for) for wordings in (phrases, innocent))
    )


@lru_cache(maxsize=8192)
def _words_of(phrase: str) -> tuple[str, ...]:
    return tuple(word for part in phrase.split() for word in ((part,) if part in _WHOLE else _words(part)))


@lru_cache(maxsize=8192)
def _words(part: str) -> tuple[str, ...]:
    return (part,) if part.isascii() and part.isalnum() and part.islower() else words_in(part)
