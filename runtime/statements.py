"""What a mail states about the company it is sent to: the clauses that count, and how far each counts.

A clause counts if it stands in a real sentence, is neither asked nor supposed, and has the reader's company
or its news for a subject, not the writer, a competitor or "many companies". What is negated or said to be
over does not count. Which problem a clause names is not judged here.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from contracts.wording import (
    NEGATION,
    Clause,
    Span,
    clauses_in,
    find_pattern,
    is_question,
    pattern_of,
    sentences_in,
    words_in,
)
from runtime.scopes import REFERENCES, SAYS, YOU, Names, is_careers, is_foreign, is_meant
from runtime.stems import stems_of

LONGEST_SENTENCE = 60
"""Words; what runs on for longer is no sentence."""
_FUNCTION_WORDS = frozenset(
    "a an the this that these those i i'd i'm i've you you're you've your yours we we'd we've our us my "
    "me he she it its they their them who whom which what when where how is are was were be been being am "
    "has have had do does did will would can could may might must should shall not no nor and or but "
    "because since while if as than so of in on at by to from for with without after before until during "
    "over under into out up off about between among through against per more most much many some any each "
    "every all both one two there here then just still again".split()
)
_SHARE_OF_FUNCTION_WORDS = 8
"""At least one word in so many is a function word."""
_LONGEST_FRAGMENT = 10
"""Words of a fragment that the sentence behind it makes a statement: "Late fees? Saw it in your news"."""
_SORRY = re.compile(
    r"\bnot (?=(?:\w+ )?(?:amused|happy|pleased|satisfied|impressed|glad|content|amusing)\b)", re.IGNORECASE
)
"""A denial that complains: "not amused"."""
_KEEN = re.compile(r"\bwith (?:\w+ )?interest\b(?! (?:rates?|on|of|charges?|payments?))", re.IGNORECASE)
"""Interest that nobody pays: "we read with interest"."""
_ECHOES = frozenset("it that this some them those one many so".split())
"""What points back at the sentence before."""
_PRONOUNS = frozenset("they them their it that which who he she his her its".split())
_LINKS = frozenset("too same such also either likewise similarly though them reminded alike again".split())
_LINKING = tuple(
    pattern_of(phrase)
    for phrase in (
        "as well|is one|are one|played out|plays out|happened to you|happens to you|happened at|happens at"
        "|thought of|think of|had to think|had it too|goes for you|the like|no different|familiar|few more",
    )
)
"""What applies a story to its reader: "your company collects them too"."""
_LINKED_WITHIN = 4
_CONDITION = frozenset({"if", "whether"})
_EVIDENCE = re.compile(
    r"\bif (?=(?:i|we) (?:read|understand|understood|got|get|see|saw|remember|recall|am not|gather|may "
    r"believe)"
    r"|(?:your|the|that) (?:\w+ ){0,2}(?:news|report|paper|article|press|letter|site|website|page"
    r"|statement)\b)"
    r"|\bif i were(?= you)",
    re.IGNORECASE,
)
"""Conditions that suppose nothing: "if I read your news right", "if I were you"."""
_TAG = re.compile(
    r",? (?:right|eh|huh|ok|okay|correct|no|yes|true|don't you think|(?:is|are|was|were|did|has|do"
    r"|does)n't (?:it|they|you)"
    r"|(?:is|are|was|were|did|has|do|does) not (?:it|they|you)|(?:were|are|did|do|is|was) (?:they|you|it)"
    r"|shall we)\?",
    re.IGNORECASE,
)
"""Questions behind a statement that ask nothing."""
_FIGURE = re.compile(r"[$€£]?\d[\d.,]*%?")
_VERBS = frozenset("paid lost gone sent went found said cost costs missed wait waits got says".split())
_SHORT_DENIAL = 4
_OVER = tuple(
    pattern_of(phrase)
    for phrase in (
        "free of|free from|rid of|done with|used to|no longer|zero|without any|a stop to|an end to|waived",
        "congratulations|congrats|kudos|bravo|compliments + ending|avoiding|stopping|eliminating|solving"
        "|beating|overcoming|removing|escaping|abolishing|curing|fixing|ended|avoided|stopped",
        "take every|takes every|take all|takes all|took every|use every|always pay|always pays|always "
        "take|is one company"
        "|only one company|a single company|pays on time|pay on time",
        "you|you've|company|team|firm|group|have|has|were|was + avoided|avoid|ended|eliminated|escaped"
        "|overcame|overcome|abolished|solved|removed|beat|beaten|conquered|prevented|spared|cured|fixed"
        "|eradicated|waived",
    )
)
"""What says, before it names a problem, that it is over."""
_OVER_WITHIN = 5
_DENIAL = tuple(
    pattern_of(phrase)
    for phrase in (
        "is not|are not|was not|were not|do not|does not|did not|has not|have not|is no|are no|is never"
        "|are never|was never|were never|has never|have never|cannot|never|will not|would not|need not",
    )
)
"""What denies a problem right behind its name."""
_PAST = tuple(
    pattern_of(phrase)
    for phrase in (
        "zero|nil|none|rare|seldom|absent|unknown|unheard|history|solved|nonexistent|elsewhere|avoided"
        "|waived",
        "thing of the past|least of|in the past|long ago|no longer|are over|is over|no more|a myth",
        "no topic|no issue|not an issue|no problem|not a problem|no concern",
        "in one system already|already in one|all in one system|already together|content|nothing to merge",
        "in your industry|in the industry|in your sector|in many firms|in many companies|in many teams"
        "|at many|in most|of others|at others",
    )
)
"""What says, behind a problem's name, that it is over, or others'."""
_PAST_WITHIN = 8
_PAINFUL = frozenset("small funny fun easy nice pleasant cheap good great little trivial pretty only".split())
"""What a denial leaves as it is: "the sum is not small"."""
_CAUSES = frozenset("because since while until when after before whose although as".split())
"""Words behind which the reasons of a problem stand, or what came with it."""
_LONGEST_REASON = 10
_NEAR = 3


class Statement(NamedTuple):
    """A clause that counts."""

    clause: Clause
    stems: tuple[str, ...]
    parts: tuple[int, ...]
    """Indexes of the words with which parts of the clause begin, behind a comma or an "and"."""
    colons: tuple[int, ...]
    """Those of them that stand behind a colon: no negation reaches across."""
    reasons: frozenset[int]
    """Indexes of the words that tell a reason or a circumstance."""
    over: tuple[Span, ...]
    denials: tuple[Span, ...]
    past: tuple[Span, ...]
    """What says that something is over, by where it stands: before, right behind, or behind its name."""
    wish: bool = False
    """It asks for a meeting, or asks at all."""
    turn: int = 0
    """How many clauses before it ask: what stands behind a question is another thought."""
    told: bool = False
    """It is of others or of what might be, and a later clause says that it is the reader's case as well."""

    def states(self, span: Span) -> bool:
        """Says whether a wording at a span is stated: not negated, and not said to be over."""
        words, start = self.clause.words, min(span.taken)
        if not self.told and _CONDITION.intersection(words[:start]):
            return False
        return not self.denies(span)

    def denies(self, span: Span) -> bool:
        """Says whether a wording at a span is negated, or said to be over."""
        words, start = self.clause.words, min(span.taken)
        if self.clause.negates(span, self._negation_since(start)):
            return True
        for over in self.over:
            named = min((at for at in span.taken if at >= over.end), default=-1)
            if named >= 0 and not over.taken & span.taken and named - over.end <= _OVER_WITHIN:
                return True
        if any(
            span.start < past.start and span.end < past.end <= span.end + _PAST_WITHIN for past in self.past
        ):
            return True
        return any(
            denial.start == span.end
            and denial.end < len(words)
            and not set(words[denial.end : denial.end + 2]) & _PAINFUL
            for denial in self.denials
        )

    def _negation_since(self, start: int) -> int:
        """Returns the index from which negations reach a word: a new part of the clause takes none along."""
        words = self.clause.words
        parts = [part for part in self.parts if part <= start]
        return next(
            (
                part
                for part in reversed(parts)
                if part in self.colons or not NEGATION & set(words[max(0, part - _NEAR) : part])
            ),
            0,
        )


def statements_in(text: str, asks: Callable[[Clause], bool], names: Names) -> list[Statement]:
    """Returns the clauses of a text that state something of its reader's company as a fact."""
    found: list[Statement] = []
    linked: set[int] = set()
    foreign, turn = False, 0
    sentences = sentences_in(_plain(text))
    words_of = [frozenset(words_in(sentence)) for sentence in sentences]
    for place, sentence in enumerate(sentences):
        echoed = place + 1 < len(sentences) and _is_echo(words_of[place + 1], sentences[place + 1])
        if not is_real(words_in(sentence), echoed=echoed):
            continue
        for clause in clauses_in(sentence):
            words = set(clause.words)
            wish = clause.question or asks(clause)
            turn += wish
            if found and _denies_what_was_said(clause):
                found.pop()
                continue
            followed = foreign and clause.words[0] in _PRONOUNS and not words & YOU
            foreign = is_foreign(clause, names) or followed
            counts = echoed or not (foreign or not is_meant(clause, words, asks))
            if not is_careers(clause, words):
                found.append(_statement(clause)._replace(told=not counts, wish=wish, turn=turn))
                if counts and (words & (YOU | names.companies | names.others)) and _links(clause):
                    first = max(0, len(found) - 1 - _LINKED_WITHIN)
                    linked.update(range(first, len(found) - 1))
    return [one for place, one in enumerate(found) if not one.told or place in linked]


def joined(statements: Sequence[Statement]) -> Statement:
    """Returns statements as one, in which no negation reaches from one into another."""
    starts = list(itertools.accumulate((len(one.stems) for one in statements), initial=0))
    placed = list(zip(statements, starts, strict=False))
    words = tuple(word for one in statements for word in one.clause.words)
    text = " ".join(one.clause.text for one in statements)
    over = tuple(_moved(span, start) for one, start in placed for span in one.over)
    denials = tuple(_moved(span, start) for one, start in placed for span in one.denials)
    past = tuple(_moved(span, start) for one, start in placed for span in one.past)
    return Statement(
        Clause(text, words, len(words), question=False, conditional=False),
        tuple(stem for one in statements for stem in one.stems),
        tuple(sorted({*starts[1:-1], *(at + start for one, start in placed for at in one.parts)})),
        tuple(sorted({*starts[1:-1], *(at + start for one, start in placed for at in one.colons)})),
        frozenset(at + start for one, start in placed for at in one.reasons),
        over,
        denials,
        past,
        turn=statements[0].turn,
        told=any(one.told for one in statements),
    )


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by, frozenset(at + by for at in span.taken))


def _plain(text: str) -> str:
    return _TAG.sub(".", _EVIDENCE.sub("as ", _KEEN.sub("", _SORRY.sub("", text))))


def _links(clause: Clause) -> bool:
    return bool(_LINKS & set(clause.words)) or any(find_pattern(clause.words, one) for one in _LINKING)


def _denies_what_was_said(clause: Clause) -> bool:
    """Says whether a clause only takes back the one before: "It doesn't."."""
    words = clause.words
    return len(words) <= _SHORT_DENIAL and words[0] in _PRONOUNS | YOU and words[-1] == "not"


def _statement(clause: Clause) -> Statement:
    words, parts = clause.words, _parts(clause)
    over, denials, past = (
        tuple(span for pattern in patterns for span in find_pattern(words, pattern))
        for patterns in (_OVER, _DENIAL, _PAST)
    )
    colons, reasons = _behind(r"[:;]\s", clause.text), _reasons(words, parts)
    return Statement(clause, stems_of(words), parts, colons, reasons, over, denials, past)


def _is_echo(words: frozenset[str], sentence: str) -> bool:
    """Says whether a sentence tells where the one before it was read."""
    if is_question(sentence) or words & NEGATION:
        return False
    return bool(words & REFERENCES and words & _ECHOES) or bool(words & SAYS and words & YOU)


def is_real(words: tuple[str, ...], *, echoed: bool = False) -> bool:
    """Says whether words make a sentence and no heap: enough of them are words of grammar."""
    grammar = sum(word in _FUNCTION_WORDS for word in words)
    if len(words) <= _LONGEST_FRAGMENT and (echoed or any(_carries(word) for word in words)):
        return True
    return len(words) <= LONGEST_SENTENCE and grammar > 0 and grammar * _SHARE_OF_FUNCTION_WORDS >= len(words)


def _carries(word: str) -> bool:
    """Says whether a word makes a fragment a sentence: a figure, a verb's form."""
    return bool(_FIGURE.fullmatch(word)) or word in _VERBS or (len(word) > 5 and word.endswith(("ed", "ing")))


def _parts(clause: Clause) -> tuple[int, ...]:
    """Returns where parts of a clause begin behind a comma or an "and"."""
    words = clause.words
    joined = [
        at + 1
        for at in range(1, len(words) - 1)
        if words[at] == "and" or words[at - 2 : at + 1] == ("as", "well", "as")
    ]
    return tuple(sorted({*_behind(r"[,:;]\s", clause.text), *joined}))


def _behind(marks: str, text: str) -> tuple[int, ...]:
    """Returns the indexes of the words that follow marks of a text."""
    return tuple(itertools.accumulate(len(words_in(part)) for part in re.split(marks, text)))[:-1]


def _reasons(words: tuple[str, ...], parts: tuple[int, ...]) -> frozenset[int]:
    """Returns the indexes behind "because" and its like, each up to the next part of the clause."""
    found: set[int] = set()
    for at, word in enumerate(words):
        compares = "as" in {words[at - 1], *words[at + 1 : at + 3]} or words[at - 1] == "well"
        lacks = words[at : at + 2] == ("for", "lack") or words[at : at + 2] == ("for", "want")
        if at and (lacks or (word in _CAUSES and not compares)):
            found.update(range(at, min([part for part in parts if part > at] + [at + _LONGEST_REASON])))
    return frozenset(found)
