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
    sentences_in,
    words_in,
)
from runtime.asides import is_link, without_asides
from runtime.moods import DENIAL, OVER, PAST, is_careers, is_meant, is_solved, might_be_from
from runtime.parties import REFERENCES, SAYS, YOU, Names, Party, party_of
from runtime.stems import stems_of

LONGEST_SENTENCE = 60
"""Words; what runs on for longer is no sentence."""
FUNCTION_WORDS = frozenset(
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
_ECHOES = frozenset("it's that's it that this some them those one many so".split())
"""What points back at the sentence before."""
_HEARD = frozenset("read saw noticed found heard learned".split())
_PRONOUNS = frozenset("they them their it that which who he she his her its".split())
_LINKED_WITHIN = 4
_CONDITION = frozenset({"if", "whether"})
_FIGURE = re.compile(r"[$€£]?\d[\d.,]*%?")
_VERBS = frozenset("paid lost gone sent went found said cost costs missed wait waits got says".split())
_SHORT_DENIAL = 4
_PROOFS = frozenset(
    "proof proofs evidence approval approvals signature signatures trace record records answer trail".split()
)
"""What ought to be there: "there was none" denies nothing of it."""
_ASKED_THERE = frozenset("is are was were".split())
_NOTHING = frozenset("none any no not".split())
_DENIED_OF = frozenset("at in with by here you yours so true did".split())
_OVER_WITHIN = 5
_PAST_WITHIN = 10
_SUBJECT = 3
"""Words that stand before the verb at most: what may be is then all that a clause tells."""
_PAINFUL = frozenset("small funny fun easy nice pleasant cheap good great little trivial pretty only".split())
"""What a denial leaves as it is: "the sum is not small"."""
_COUNTING = frozenset({Party.READER, Party.HEARD, Party.NOBODY})
_NONE = frozenset[int]()
_DEFINITE = frozenset("the those these".split())
_CAUSAL = frozenset("because although though whereas".split())
"""Words behind which no negation reaches: "not moving, because suppliers complain"."""
_JOINS = frozenset("and because although though whereas while".split())
_CAUSES = frozenset("because since while until when after before whose although as".split())
"""Words behind which the reasons of a problem stand, or what came with it."""
_LONGEST_REASON = 10
_NEAR = 3
_LIST = re.compile(r"\b(?:[\w'-]+, ){2,}[\w'-]+,? (?:and|or) [\w'-]+", re.IGNORECASE)


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
    nobodys: frozenset[int] = frozenset()
    """Indexes of words of which nobody is named: only what they call "the" counts, as known to its reader."""
    listed: tuple[frozenset[int], ...] = ()
    """Indexes of the words of a list of bare names, item by item: "invoices, payments, taxes and fees"."""
    told: bool = False
    """It is of others or of what might be, and a later clause says that it is the reader's case as well."""

    def states(self, span: Span, excused: frozenset[int] = _NONE) -> bool:
        """Says whether a wording at a span is stated: not negated, and not said to be over.

        Negations at excused indexes deny nothing.
        """
        words, start = self.clause.words, min(span.taken)
        if not self.told and _CONDITION.intersection(words[:start]):
            return False
        inside = sum(bool(item & span.taken) for item in self.listed)
        if inside > 1 or (inside and len(span.taken) == 1):
            return False
        part = max((part for part in self.parts if part <= start), default=0)
        before = words[max(part, start - _NEAR) : start]
        if start in self.nobodys and (not _DEFINITE.intersection(before) or "same" in before):
            return False
        may = None if self.told else might_be_from(self.clause.text)
        if may is not None and (may < max(span.taken) or may <= _SUBJECT):
            return False
        return not self.denies(span, excused)

    def denies(self, span: Span, excused: frozenset[int] = _NONE) -> bool:
        """Says whether a wording at a span is negated, or said to be over."""
        words, start = self.clause.words, min(span.taken)
        if self.clause.negates(span._replace(taken=span.taken | excused), self._negation_since(start)):
            return True
        for over in self.over:
            if over.taken & excused:
                continue
            named = min((at for at in span.taken if at >= over.end), default=-1)
            if named >= 0 and not over.taken >= span.taken and named - over.end <= _OVER_WITHIN:
                return True
        if any(
            span.start < past.start and span.end < past.end <= span.end + _PAST_WITHIN for past in self.past
        ):
            return True
        return any(
            denial.start == span.end
            and not denial.taken & excused
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


def statements_in(text: str, asks: Callable[[Clause], bool], names: Names | None) -> list[Statement]:
    """Returns the clauses of a text that state something of its reader's company as a fact.

    Without names everything is taken as said of the reader.

    A clause about nobody goes on about the party of the one before. What stands before any party is named,
    or is of others or supposed, counts where a later clause says that it is the reader's case.
    """
    found: list[Statement] = []
    linked: set[int] = set()
    party, turn = Party.NOBODY, 0
    sentences = [
        [clause for clause in clauses_in(sentence) if any(word.isalpha() for word in clause.words)]
        for sentence in sentences_in(without_asides(text))
    ]
    for place, clauses in enumerate(sentences):
        following = sentences[place + 1] if place + 1 < len(sentences) else []
        echoes = [_echo(one, names) if names else None for one in (*clauses, *following)]
        words_said = tuple(word for clause in clauses for word in clause.words)
        if not is_real(words_said, echoed=any(echoes) or _is_named(clauses, names)):
            if party in _COUNTING and any(is_solved(clause) for clause in clauses):
                found.clear()
                linked.clear()
            continue
        careers = any(is_careers(clause, set(clause.words)) for clause in clauses)
        for at, clause in enumerate(clauses):
            words = set(clause.words)
            wish = clause.question or asks(clause)
            turn += wish
            if _denies_what_was_said(clause):
                if found and _PROOFS & set(found[-1].clause.words):
                    continue
                del found[-1:]
                party = Party.OTHERS
                continue
            if careers:
                party = Party.OTHERS
                continue
            own = party_of(clause, names) if names else Party.READER
            party = party if own is Party.NOBODY else own
            if party in _COUNTING and not asks(clause) and is_solved(clause):
                found.clear()
                linked.clear()
                party = Party.OTHERS
                continue
            echoed = (
                any(echo is Party.READER or party is Party.NOBODY for echo in echoes[at + 1 :] if echo)
                and party is not Party.STRANGER
            )
            meant = is_meant(clause, words, asks)
            if own is Party.READER and not meant:
                party = Party.NOBODY
            counts = meant and (own if own is Party.READER else party) in _COUNTING
            unknown = counts and party is Party.NOBODY and not echoed
            nobodys = frozenset(range(len(clause.words))) if unknown else _NONE
            told = clause.conditional if echoed else not counts
            found.append(_statement(clause)._replace(told=told, wish=wish, turn=turn, nobodys=nobodys))
            here = len(found) - 1
            if echoed:
                linked.add(here)
            if own is Party.READER and meant and not asks(clause):
                for before in range(here - 1, max(-1, here - 1 - _LINKED_WITHIN), -1):
                    if not (found[before].nobodys or found[before].told):
                        break
                    found[before] = found[before]._replace(nobodys=_NONE)
            if own is Party.READER and meant and is_link(clause, _linking(names)):
                linked.update(range(max(0, here - _LINKED_WITHIN), here))
    return [one for place, one in enumerate(found) if not one.told or place in linked]


def _linking(names: Names | None) -> frozenset[str]:
    return YOU | _PRONOUNS | (names.companies if names else frozenset())


def _is_named(clauses: list[Clause], names: Names | None) -> bool:
    known = names.companies | names.facts if names else frozenset[str]()
    return any(known & set(clause.words) for clause in clauses)


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
        nobodys=frozenset(at + start for one, start in placed for at in one.nobodys),
        listed=tuple(frozenset(at + start for at in item) for one, start in placed for item in one.listed),
    )


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by, frozenset(at + by for at in span.taken))


def _denies_what_was_said(clause: Clause) -> bool:
    """Says whether a clause only takes back the one before: "It doesn't."."""
    words = clause.words
    if words[0] == "there" and _ASKED_THERE.intersection(words[1:2]) and _NOTHING.intersection(words[2:4]):
        return len(words) <= _SHORT_DENIAL
    if words[0] in {"not", "never"} and words[1:2] and words[1] in _DENIED_OF:
        return len(words) <= _SHORT_DENIAL + 2
    return len(words) <= _SHORT_DENIAL and words[0] in _PRONOUNS | YOU and words[-1] == "not"


def _statement(clause: Clause) -> Statement:
    words, parts = clause.words, _parts(clause)
    over, denials, past = (
        tuple(span for pattern in patterns for span in find_pattern(words, pattern))
        for patterns in (OVER, DENIAL, PAST)
    )
    causes = (at for at, word in enumerate(words) if word in _CAUSAL and at and words[at - 1] not in NEGATION)
    colons = tuple(sorted({*_behind(r"[:;]\s", clause.text), *(at + 1 for at in causes)}))
    reasons = _reasons(words, parts)
    listed = _listed(clause.text)
    return Statement(clause, stems_of(words), parts, colons, reasons, over, denials, past, listed=listed)


def _echo(clause: Clause, names: Names) -> Party | None:
    """Returns the party by which a clause tells where what stands before was read, or of whom it is true."""
    words = set(clause.words)
    if clause.question or words & NEGATION:
        return None
    party = party_of(clause, names)
    if party is Party.HEARD and words & _HEARD and words & _ECHOES:
        return party
    points = (words & REFERENCES and words & _ECHOES) or (words & SAYS and words & YOU)
    if not points or party is not Party.READER:
        return None
    return party if words & (YOU | names.companies | names.facts) else Party.HEARD


def is_real(words: tuple[str, ...], *, echoed: bool = False) -> bool:
    """Says whether words make a sentence and no heap: enough of them are words of grammar."""
    grammar = sum(word in FUNCTION_WORDS for word in words)
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
        if words[at] in _JOINS or words[at - 2 : at + 1] == ("as", "well", "as")
    ]
    return tuple(sorted({*_behind(r"[,:;]\s", clause.text), *joined}))


def _behind(marks: str, text: str) -> tuple[int, ...]:
    """Returns the indexes of the words that follow marks of a text."""
    return tuple(itertools.accumulate(len(words_in(part)) for part in re.split(marks, text)))[:-1]


def _listed(text: str) -> tuple[frozenset[int], ...]:
    """Returns the indexes of the words of each item of the first list of at least four single words."""
    found = _LIST.search(text)
    if not found:
        return ()
    first = len(words_in(text[: found.start()]))
    count = len(words_in(found.group()))
    return tuple(frozenset({at}) for at in range(first, first + count))


def _reasons(words: tuple[str, ...], parts: tuple[int, ...]) -> frozenset[int]:
    """Returns the indexes behind "because" and its like, each up to the next part of the clause."""
    found: set[int] = set()
    for at, word in enumerate(words):
        compares = "as" in {words[at - 1], *words[at + 1 : at + 3]} or words[at - 1] == "well"
        lacks = words[at : at + 2] == ("for", "lack") or words[at : at + 2] == ("for", "want")
        if at and (lacks or (word in _CAUSES and not compares)):
            found.update(range(at, min([part for part in parts if part > at] + [at + _LONGEST_REASON])))
    return frozenset(found)
