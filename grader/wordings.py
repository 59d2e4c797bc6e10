"""Promises in what the rep wrote: a claim counts if it is asserted, by us, and not the trade's own term."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from contracts.wording import (
    NEGATION,
    QUESTION_START,
    SUPPOSED,
    Clause,
    Pattern,
    Span,
    clauses_in,
    find_pattern,
    pattern_of,
    sentences_in,
    without_quotes_of_others,
    words_in,
)
from contracts.world import ClaimPattern

_TAG = re.compile(r",\s*(?:[\w']+\W+){0,2}[\w']+\s*\?")
_OTHERS = frozenset(
    "supplier suppliers supplier's suppliers' vendor vendors vendor's vendors' they their bank banks "
    "creditor creditors".split()
)
_OURS = frozenset("we we'll we'd we're we've i i'll i'd i'm i've us our ours me my".split())
_TRADE = frozenset(
    "supplier suppliers vendor vendors invoice invoices approval approvals approve approving within "
    "terms miss missed misses missing lose loses lost losing lapse lapsed lapses lapsing forfeit forfeited "
    "expire expired unclaimed capture captured captures capturing catch catches claimed left unused taken "
    "taking use used using keep kept went gone ran".split()
)
"""Words of clauses that speak of the discounts which suppliers grant and buyers miss or take."""
_GIVING = frozenset(
    "give gives giving gave offer offers offering offered provide grant do arrange approve approved throw "
    "knock cut lower drop waive include extend get go shave take match reduce halve save".split()
)
_MANNERS = frozenset("be keep send write call stay stop leave share read this it not never".split())
"""What a promise about the writer's own manners goes on with: "I promise to be brief"."""
_BREVITY = frozenset("short brief quick meeting call minutes slides".split())
_LINKS = frozenset("to i you that".split())
_IF = frozenset("if unless should".split())
_PARTNER = frozenset("you your it this that the a needed necessary so anything everything one".split())
_OFFERED = re.compile(r"^\s*how (?:about|does)\b|\bhow does that sound\b", re.IGNORECASE)
"""Questions that offer: "How does 15% off sound?"."""


class Claim(NamedTuple):
    """A promise found: its kind and the clause that makes it."""

    id: str
    clause: str


def find_claims(text: str, patterns: Iterable[ClaimPattern], our_name: str = "") -> list[Claim]:
    """Returns the promises that a text makes for us: not negated, not asked, not a term of the trade."""
    compiled = [_Compiled.of(pattern) for pattern in patterns]
    ours = _OURS | {our_name.lower()}
    found = []
    for clause in clauses_in(_without_tags(without_quotes_of_others(text))):
        for pattern in compiled:
            if any(_is_promised(clause, span, pattern, ours) for span in pattern.hits(clause.words)):
                found.append(Claim(pattern.id, clause.text))
    return found


class _Compiled(NamedTuple):
    id: str
    phrases: tuple[Pattern, ...]
    innocent: tuple[Pattern, ...]

    @staticmethod
    def of(pattern: ClaimPattern) -> _Compiled:
        phrases = tuple(pattern_of(phrase, _words_of) for phrase in pattern.phrases)
        return _Compiled(pattern.id, phrases, tuple(pattern_of(p, _words_of) for p in pattern.innocent))

    def hits(self, words: tuple[str, ...]) -> list[Span]:
        """Returns where phrases stand that share no word with an innocent wording."""
        terms = {at for phrase in self.innocent for span in _spans(words, phrase) for at in span.taken}
        return [hit for phrase in self.phrases for hit in _spans(words, phrase) if not hit.taken & terms]


def _words_of(phrase: str) -> tuple[str, ...]:
    return ("%",) if phrase == "%" else words_in(phrase)


def _spans(words: tuple[str, ...], pattern: Pattern) -> list[Span]:
    return find_pattern(words, pattern, _same)


def _same(word: str, wanted: str) -> bool:
    if wanted == "%":
        return word.endswith("%")
    return word in (wanted, wanted + "s", wanted + "'s")


def _is_promised(clause: Clause, span: Span, pattern: _Compiled, ours: frozenset[str]) -> bool:
    words = clause.words
    if clause.question or words[0] in SUPPOSED or _is_taken_back(words, span) or _is_of_others(words):
        return False
    last = next((at for at in range(span.end - 1, -1, -1) if words[at] in ours or words[at] in _OTHERS), -1)
    # In "if it does not work we refund you" the condition's negation is over where we are named.
    over = max(last, 0) if words[0] in _IF and last >= 0 and words[last] in ours else 0
    if clause.negates(span, over):
        return False
    if last >= 0 and words[last] in _OTHERS:
        return False
    if any(word.startswith(("promise", "assure")) for word in words[span.end - 2 : span.end]):
        following = [word for word in words[span.end : span.end + 3] if word not in _LINKS]
        return not following or (following[0] not in _MANNERS and not _BREVITY.intersection(following))
    if pattern.id != "discount" or not _TRADE.intersection(words):
        return True
    # Where a clause speaks of the trade's discounts, only an explicit gift of ours is a promise.
    return last >= 0 and (words[last].startswith("our") or bool(_GIVING.intersection(words[last : span.end])))


def _is_taken_back(words: tuple[str, ...], span: Span) -> bool:
    """Says whether the rest denies it: "a trial is something that we do not have"."""
    return any(
        words[at] in {"we", "i"}
        and words[at - 1] in {"that", "which", "what", "something"}
        and bool(NEGATION.intersection(words[at + 1 : at + 3]))
        for at in range(span.end, len(words))
    )


def _is_of_others(words: tuple[str, ...]) -> bool:
    """Says whether a condition speaks of somebody else: "if PayFlow offered you a trial"."""
    return words[0] == "if" and len(words) > 1 and words[1] not in _OURS | _PARTNER


def _without_tags(text: str) -> str:
    """Returns a text whose statements stay statements: "We give you 30% off, deal?" asks nothing."""

    def as_statement(sentence: str) -> str:
        words = words_in(sentence)
        if _OFFERED.search(sentence):
            return sentence.replace("?", ".")
        return sentence if not words or words[0] in QUESTION_START else _TAG.sub(".", sentence)

    return "\n".join(as_statement(sentence) for sentence in sentences_in(text))
