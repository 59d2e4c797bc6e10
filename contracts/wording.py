"""Who says what, how: clauses of a text with their negation, question and condition scope.

Buyers that judge a pitch and gates that judge a promise read wording through the same few rules: a
clause counts as asserted only if it is neither negated, asked nor merely supposed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from contracts.names import fold

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\d)[^.!?\n]*)*[.!?]*")
_CLAUSE = re.compile(
    r"[,;:]\s+(?:but|however|and|so|yet|though|while|whereas)\s+|;\s+|\s+(?:but|however)\s+|\s[–—-]\s"
)
_WORD = re.compile(r"[a-z0-9%$']+")
_NEGATION = frozenset(
    "no not never none nobody nothing neither nor without cannot can't won't don't doesn't didn't "
    "isn't aren't wasn't weren't wouldn't shouldn't couldn't haven't hasn't hadn't cant wont dont "
    "doesnt isnt unable hardly refuse refused instead".split()
)
_CONDITION = frozenset("if unless whether suppose supposing imagine hypothetically".split())
_QUESTION_START = frozenset(
    "do does did is are was were can could would will should have has had what when where who why "
    "which how".split()
)


class Clause(NamedTuple):
    """A clause with its folded words and the scope it stands in."""

    text: str
    words: tuple[str, ...]
    negated_from: int
    """Index of the first word under negation; the number of words where nothing is negated."""
    question: bool
    conditional: bool

    def asserts(self, first_word: int) -> bool:
        """Says whether a word at an index is stated as a fact: not negated, asked or supposed."""
        return first_word < self.negated_from and not self.question and not self.conditional


def clauses_in(text: str) -> list[Clause]:
    """Returns the clauses of a text in order; quotation marks and line starts make no difference."""
    found = []
    for sentence in _SENTENCE.findall(text.replace("’", "'")):
        asked = sentence.rstrip().endswith("?")
        for part in _CLAUSE.split(sentence):
            words = tuple(_WORD.findall(fold(part)))
            if words:
                found.append(_clause(part.strip(), words, asked))
    return found


def _clause(text: str, words: tuple[str, ...], asked: bool) -> Clause:
    negated_from = next((i for i, word in enumerate(words) if word in _NEGATION), len(words))
    return Clause(
        text=text,
        words=words,
        negated_from=negated_from,
        question=asked or (words[0] in _QUESTION_START and len(words) > 1 and words[1] in {"you", "we", "i"}),
        conditional=any(word in _CONDITION for word in words[:3]),
    )


def find_phrase(words: tuple[str, ...], phrase: tuple[str, ...]) -> int:
    """Returns the index at which a phrase stands in the words, -1 where it does not."""
    for start in range(len(words) - len(phrase) + 1):
        if words[start : start + len(phrase)] == phrase:
            return start
    return -1
