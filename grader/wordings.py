"""Promises in what the rep wrote: a claim counts if it is asserted, by us, and not the trade's own term."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from contracts.names import fold
from contracts.wording import Clause, clauses_in
from contracts.world import ClaimPattern

LONGEST_GAP = 3
"""Words that a "*" of a phrase may stand for."""
_WORD = re.compile(r"[a-z0-9%$']+|%")
_TAG = re.compile(r",\s*(?:[\w']+\W+){0,2}[\w']+\s*\?")
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\d)[^.!?\n]*)*[.!?]*")
_OPENS_QUESTION = frozenset(
    "do does did is are was were can could would will should shall may have has had what when where who why "
    "which how".split()
)
_OTHERS = frozenset(
    "supplier suppliers supplier's suppliers' vendor vendors vendor's vendors' they their bank banks "
    "creditor creditors".split()
)
_OURS = frozenset("we we'll we'd we're we've i i'll i'd i'm i've us our ours".split())
_TRADE = frozenset(
    "supplier suppliers vendor vendors invoice invoices approval approvals approve approving early within "
    "terms miss missed misses missing lose loses lost losing lapse lapsed lapses lapsing forfeit forfeited "
    "expire expired unclaimed capture captured captures capturing catch catches claimed left unused taken "
    "taking use used using keep kept went".split()
)
"""Words of clauses that speak of the discounts which suppliers grant and buyers miss or take."""
_GIVING = frozenset(
    "give gives giving gave offer offers offering offered provide grant do arrange approve approved throw "
    "knock cut lower drop waive include extend get".split()
)
_MANNERS = frozenset("be keep send write call stay stop leave share read this it not never".split())
"""What a promise about the writer's own manners goes on with: "I promise to be brief"."""
_NO_NEGATION = frozenset("miss hesitate worry forget wait lose only problem doubt matter".split())
_SUPPOSED = frozenset("whether suppose supposing imagine hypothetically".split())


class Claim(NamedTuple):
    """A promise found: its kind and the clause that makes it."""

    id: str
    clause: str


def find_claims(text: str, patterns: Iterable[ClaimPattern], our_name: str = "") -> list[Claim]:
    """Returns the promises that a text makes for us: not negated, not asked, not a term of the trade."""
    compiled = [_Compiled.of(pattern) for pattern in patterns]
    ours = _OURS | {our_name.lower()}
    found = []
    for clause in clauses_in(_without_tags(text)):
        for pattern in compiled:
            if any(_is_promised(clause, span, pattern, ours) for span in pattern.hits(clause.words)):
                found.append(Claim(pattern.id, clause.text))
    return found


class _Span(NamedTuple):
    start: int
    end: int


class _Compiled(NamedTuple):
    id: str
    phrases: tuple[tuple[str, ...], ...]
    innocent: tuple[tuple[str, ...], ...]

    @staticmethod
    def of(pattern: ClaimPattern) -> _Compiled:
        phrases = tuple(_words_of(phrase) for phrase in pattern.phrases)
        return _Compiled(pattern.id, phrases, tuple(_words_of(phrase) for phrase in pattern.innocent))

    def hits(self, words: tuple[str, ...]) -> list[_Span]:
        """Returns where phrases stand that are no part of an innocent wording."""
        terms = [span for phrase in self.innocent for span in _spans(words, phrase)]
        return [
            hit
            for phrase in self.phrases
            for hit in _spans(words, phrase)
            if not any(term.start <= hit.start and hit.end <= term.end for term in terms)
        ]


def _words_of(phrase: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z0-9%$']+|\*", fold(phrase).replace("’", "'")))


def _spans(words: tuple[str, ...], phrase: tuple[str, ...]) -> list[_Span]:
    found = []
    for start in range(len(words)):
        end = _match(words, start, phrase)
        if end > start:
            found.append(_Span(start, end))
    return found


def _match(words: tuple[str, ...], at: int, phrase: tuple[str, ...]) -> int:
    """Returns the index behind a phrase that begins at an index, 0 where it does not."""
    if not phrase:
        return at
    if phrase[0] == "*":
        ends = (_match(words, at + gap, phrase[1:]) for gap in range(LONGEST_GAP + 1))
        return next((end for end in ends if end), 0)
    if at >= len(words) or not _same(words[at], phrase[0]):
        return 0
    return _match(words, at + 1, phrase[1:])


def _same(word: str, wanted: str) -> bool:
    if wanted == "%":
        return word.endswith("%")
    return word in (wanted, wanted + "s", wanted + "'s")


def _is_promised(clause: Clause, span: _Span, pattern: _Compiled, ours: frozenset[str]) -> bool:
    if clause.question or clause.words[0] in _SUPPOSED or _is_negated(clause, span.start):
        return False
    words = clause.words
    last = next((at for at in range(span.end - 1, -1, -1) if words[at] in ours or words[at] in _OTHERS), -1)
    if last >= 0 and words[last] in _OTHERS:
        return False
    if words[span.end - 1].startswith("promise"):
        following = [word for word in words[span.end : span.end + 3] if word not in {"to", "i", "you"}]
        return not following or following[0] not in _MANNERS
    if pattern.id != "discount" or not _TRADE.intersection(words):
        return True
    # Where a clause speaks of the trade's discounts, only an explicit gift of ours is a promise.
    return last >= 0 and (words[last].startswith("our") or bool(_GIVING.intersection(words[last : span.end])))


def _is_negated(clause: Clause, start: int) -> bool:
    """Says whether a negation stands before an index; "don't miss" and "not only" negate nothing."""
    first = clause.negated_from
    if first >= start:
        return False
    following = clause.words[first + 1 : first + 2]
    if not following or following[0] not in _NO_NEGATION:
        return True
    rest = clauses_in(" ".join(clause.words[first + 2 :]))
    return bool(rest) and _is_negated(rest[0], start - first - 2)


def _without_tags(text: str) -> str:
    """Returns a text whose statements stay statements: "We give you 30% off, deal?" asks nothing."""

    def as_statement(match: re.Match[str]) -> str:
        sentence = match.group()
        words = _WORD.findall(fold(sentence))
        if not words or words[0] in _OPENS_QUESTION:
            return sentence
        return _TAG.sub(".", sentence)

    return _SENTENCE.sub(as_statement, text.replace("’", "'"))
