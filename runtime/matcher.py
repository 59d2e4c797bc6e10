"""What a mail says to a buyer: which problem it asserts, of whom, and whether it asks for a meeting.

Rules over words, nothing learned: the same text always gets the same judgement, with its evidence. The
wordings of the problems are the world's; what stands here is grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from contracts.names import fold, name_tokens
from contracts.wording import (
    DAYS,
    Clause,
    Pattern,
    clauses_in,
    find_pattern,
    pattern_of,
    without_hollow_negation,
    without_quotes_of_others,
    words_in,
)
from contracts.world import Server
from runtime.stems import find_loosely, stem_pattern, stems_in, stems_of

_GREETING = re.compile(
    r"^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day))"
    r"\s+([^,!:;\n]{1,50}?)\s*(?:[,!:;\n]|\s-|$)",
    re.IGNORECASE,
)
_TITLES = re.compile(r"\b(?:mr|mrs|ms|dr|prof)\b\.?", re.IGNORECASE)
_ANYBODY = frozenset(
    "there all team everyone everybody folks sir madam colleague colleagues friend again".split()
)
_CAREERS = frozenset(
    "hiring hire career careers vacancy vacancies recruit recruiting recruitment applicant applicants job "
    "jobs advertisement".split()
)
_CAREERS_PHRASES = tuple(
    pattern_of(phrase)
    for phrase in (
        "open position|open role|open post|new colleague|job ad",
        "look|looking|search|searching|seek|seeking|need "
        "+ clerk|accountant|analyst|auditor|officer|assistant|buyer",
    )
)
_REFERENCES = frozenset(
    "read saw seen news reported report announced announcement article noticed published statement "
    "disclosed mentioned press heard learned according".split()
)
_MEET = frozenset(
    "meeting meet call chat talk speak conversation demo walkthrough discuss minutes minute slot slots "
    "session appointment zoom sync coffee connect times word hour invite".split()
)
_WANT = frozenset(
    "could can would shall may might let let's happy love like open available free time suggest propose "
    "schedule book worth willing interested calendar suit suits please find offer set arrange glad grab "
    "how".split()
)
_WHEN = DAYS | frozenset("week time times slot slots calendar day days".split())
_FITS = frozenset(
    "work works suit suits free available good convenient open fine ok possible flexible around".split()
)
_SHOW = frozenset(
    "show explain walk present introduce tell hear see discuss demonstrate share illustrate propose".split()
)
_MAY = frozenset("may can could shall might would let let's".split())


class _Wording(NamedTuple):
    """A problem's wordings as stems."""

    id: str
    patterns: tuple[Pattern, ...]
    cues: frozenset[str]


class _Found(NamedTuple):
    """A problem asserted in a clause."""

    concept: str
    clause: int
    strong: bool
    """By a phrase word for word, not by its words in another order or by cues."""
    first: int
    end: int
    text: str


@dataclass(frozen=True)
class Judgement:
    """What a mail is to one buyer."""

    relevant: bool
    off_topic: bool
    """It asserts problems, but not this company's one."""
    asks: bool
    facts: tuple[str, ...]
    why: str
    """relevant, no_problem, other_problem, several_problems, other_company, other_name."""
    problems: tuple[str, ...]
    clause: str

    def evidence(self) -> dict[str, Any]:
        """Returns the judgement as the log keeps it."""
        return {
            "why": self.why,
            "problems": list(self.problems),
            "asks": self.asks,
            "facts": list(self.facts),
            "clause": self.clause,
        }


class Matcher:
    """Judges mails by the wordings of one world."""

    def __init__(self, server: Server) -> None:
        self._buyers = server.buyers
        self._asks = [stem_pattern(phrase) for phrase in server.ask_phrases]
        self._wordings = [
            _Wording(
                concept.id,
                tuple(stem_pattern(phrase) for phrase in concept.phrases),
                frozenset(stem for cue in concept.cues for stem in stems_in(cue)),
            )
            for concept in server.concepts
        ]
        self._companies = {buyer.account_id: tuple(buyer.company_words) for buyer in server.buyers}

    def judge(self, written: str, place: int) -> Judgement:
        """Returns what a text says to the buyer at a place of the world's list."""
        buyer = self._buyers[place]
        clauses = clauses_in(without_hollow_negation(without_quotes_of_others(written)))
        facts = self._facts(words_in(written), tuple(buyer.news_facts))
        found = [hit for index, clause in enumerate(clauses) for hit in self._asserted(index, clause, facts)]
        own = [hit for hit in found if hit.concept == buyer.concept]
        others = _others(found, own, buyer.concept)
        problems = tuple(dict.fromkeys([hit.concept for hit in own] + others))
        why = "relevant"
        if not _greets(written, buyer.party.name, buyer.company_words):
            why = "other_name"
        elif self._speaks_of_another(written, buyer.account_id, own):
            why = "other_company"
        elif not own or not buyer.concept:
            why = "other_problem" if others else "no_problem"
        elif others:
            why = "several_problems"
        return Judgement(
            relevant=why == "relevant",
            off_topic=why not in {"relevant", "no_problem"},
            asks=any(self._asks_to_meet(clause) for clause in clauses),
            facts=facts,
            why=why,
            problems=problems,
            clause=own[0].text[:200] if own else "",
        )

    def _asserted(self, index: int, clause: Clause, facts: tuple[str, ...]) -> list[_Found]:
        """Returns the problems that a clause states as facts."""
        words = set(clause.words)
        if words & _CAREERS or any(find_pattern(clause.words, one) for one in _CAREERS_PHRASES):
            return []
        refers = bool(words & _REFERENCES) or bool(self._facts(clause.words, facts))
        if clause.conditional and not refers:
            return []
        if clause.question and not refers and not self._asks_to_meet(clause):
            return []
        stems = stems_of(clause.words)
        stated = stems[: clause.negated_from]
        found = []
        for wording in self._wordings:
            placed = [
                (span, pattern)
                for pattern in wording.patterns
                for span in find_pattern(stems, pattern)
                if not clause.negates(span)
            ]
            exact = [(span.start, span.end) for span, pattern in placed if pattern.is_phrase]
            frame = [(span.start, span.end) for span, pattern in placed if not pattern.is_phrase]
            loose = frame + [
                place
                for pattern in wording.patterns
                if pattern.is_phrase
                for form in pattern.groups[0]
                if (place := find_loosely(stated, form)) is not None
            ]
            cued = [i for i, stem in enumerate(stated) if stem in wording.cues]
            if exact or loose:
                first, end = min(exact or loose)
                found.append(_Found(wording.id, index, bool(exact), first, end, clause.text))
            elif len({stated[i] for i in cued}) >= 2:
                found.append(_Found(wording.id, index, False, cued[0], cued[-1] + 1, clause.text))
        return found

    def _asks_to_meet(self, clause: Clause) -> bool:
        """Says whether a clause asks for a meeting, by a declared wording or by its grammar."""
        spans = (span for pattern in self._asks for span in find_pattern(stems_of(clause.words), pattern))
        if any(not clause.negates(span) for span in spans):
            return True
        words = set(clause.words[: clause.negated_from])
        meet, want, when = words & _MEET, words & _WANT, words & _WHEN
        if meet and want - meet:
            return True
        if clause.question:
            opens = set(clause.words[:4])
            return bool(
                words & (DAYS - {"today"})
                or (when and words & ((_FITS | _MEET | _SHOW) - when))
                or (opens & _MAY and words & _SHOW)
            )
        return bool(words & _FITS) and (len(when) > 1 or bool(words & DAYS))

    def _facts(self, words: tuple[str, ...], facts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(fact for fact in facts if find_pattern(words, pattern_of(fact)))

    def _speaks_of_another(self, written: str, account_id: str, own: list[_Found]) -> bool:
        """Says whether the text, or the clause with the problem, names another company and not this one."""
        here = self._companies[account_id]
        elsewhere = [
            word
            for other, words in self._companies.items()
            if other != account_id
            for word in words
            if fold(word) not in {fold(mine) for mine in here}
        ]
        clauses = [hit.text for hit in own]
        if any(_names(text, elsewhere) and not _names(text, here) for text in clauses):
            return True
        return _names(written, elsewhere) and not _names(written, here)


def _others(found: list[_Found], own: list[_Found], concept: str) -> list[str]:
    """Returns the other problems asserted; words that name this problem name no other one."""
    strong = [
        hit.concept
        for hit in found
        if hit.strong and hit.concept != concept and not any(_overlap(hit, mine) for mine in own)
    ]
    weak = {hit.concept for hit in found if hit.concept != concept and not hit.strong}
    if strong or len(weak - set(strong)) >= 3 or not own:
        return list(dict.fromkeys([*strong, *sorted(weak)]))
    return []


def _overlap(left: _Found, right: _Found) -> bool:
    return left.clause == right.clause and left.first < right.end and right.first < left.end


def _names(text: str, names: tuple[str, ...] | list[str]) -> bool:
    """Says whether a text holds a name, written with the capitals of a name."""
    return any(name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)


def _greets(written: str, name: str, company: list[str]) -> bool:
    """Says whether the greeting fits the person; no greeting and "Hi there" fit everybody."""
    greeting = _GREETING.match(written)
    if greeting is None:
        return True
    greeted = [word for word in name_tokens(_TITLES.sub(" ", greeting.group(1))) if word not in _ANYBODY]
    own = set(name_tokens(name)) | {token for word in company for token in name_tokens(word)}
    if not greeted or len(greeted) > 4:
        return True
    return any(_same_person(word, mine) for word in greeted for mine in own)


def _same_person(word: str, name: str) -> bool:
    shorter, longer = sorted((word, name), key=len)
    return word == name or (len(shorter) >= 3 and longer.startswith(shorter))
