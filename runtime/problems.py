"""Which one problem a text is about: wordings of problems among its statements.

The answer depends on the text and the world's wordings alone, never on who reads it: whatever somebody
writes, it is about one problem at most. A text that asserts several is about none of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

from contracts.lexicon import Groups, Lexicon, moved
from contracts.wording import EMPTY, Span
from contracts.world import Concept
from runtime.statements import Statement, joined
from runtime.stems import stems_in

_LONGEST_SPAN = 14
"""Words from the first to the last word of a wording in parts: what lies further apart is not one thought."""
_LONGEST_JOINED = 28
_MOST_JOINED = 3
"""Clauses over which a problem may be told where none of them names one alone."""
_LISTED = 4
_FEW = 3
_LOOSE_SLACK = 5
_MOST_LOOSE = 3
_CUES_WITHIN = 6
_SOURCES = frozenset(
    stems_in("audit auditor auditors find finding found report say state show remark review")
)
"""Words of those who tell of a problem: "your audit says that discounts lapsed" is about discounts."""


class Topic(NamedTuple):
    """What a text is about."""

    problem: str
    """The one problem; empty for none or several."""
    named: tuple[str, ...]
    """All problems asserted, the one it is about first."""
    clause: str
    """The clause that asserts the first."""
    before: str = ""
    """What is stated up to its end."""
    sure: bool = True
    """Named word for word, or by a word of its own."""


class _Wording(NamedTuple):
    id: str
    lexicon: Lexicon
    phrases: tuple[bool | None, ...]
    """Of each wording of the lexicon whether it is one sequence of words; None for a hint."""
    loose: tuple[frozenset[str], ...]
    """Content words of short phrases, where they may stand in any order."""
    cues: frozenset[str]


class _Hit(NamedTuple):
    """A problem named in a statement."""

    problem: str
    place: int
    taken: frozenset[int]
    own: frozenset[int]
    """Those of its words that belong to this problem alone."""
    turn: int
    """Of the statement."""
    exact: bool
    """By a phrase word for word."""
    reasons: frozenset[int]
    """Indexes of the statement's words that tell a reason."""
    beside_source: int | None
    """How many words stand beside one that tells who found any problem; None where no such word does."""

    @property
    def strong(self) -> bool:
        return self.exact or bool(self.own)


class Problems:
    """The problems of one world by their wordings."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._wordings = [_wording(concept) for concept in concepts]
        self._groups: dict[tuple[str, ...], tuple[Groups, ...]] = {}

    def topic(self, statements: list[Statement]) -> Topic:
        """Returns the one problem that statements assert."""
        self._groups.clear()
        stated = [one for one in statements if not one.told]
        if listed := next(filter(None, (self._listed(one) for one in stated)), ()):
            return Topic("", listed, "")
        found = self._found([[one] for one in stated], _LONGEST_SPAN, hinted=False)
        if found.problem and not found.sure:
            broad = self._found([[one] for one in stated], _LONGEST_SPAN, hinted=True)
            found = broad if broad.problem else found
        if found.problem:
            # What nobody is named of asserts nothing, yet behind a question it makes a mail one of two.
            turns = {one.turn for one in stated if not one.nobodys}
            later = [one._replace(nobodys=frozenset()) if one.turn not in turns else one for one in stated]
            if later != stated:
                other = self._found([[one] for one in later], _LONGEST_SPAN, hinted=False)
                if not other.problem:
                    return other
        if found.problem and (beside := self._beside(found.problem, stated)):
            return Topic("", (found.problem, beside), "")
        if found.named or any(self._is_denied(one) for one in stated):
            return found
        plain = [one for one in statements if not one.wish]
        for size in range(1, _MOST_JOINED + 1):
            windows = [plain[at : at + size] for at in range(max(1, len(plain) - size + 1))]
            whole = [one for one in windows if one and not all(each.told for each in one)]
            found = self._found(whole, _LONGEST_JOINED, hinted=True)
            if found.named:
                break
        return found

    def _beside(self, problem: str, stated: list[Statement]) -> str:
        """Returns another problem that a statement of its own tells broadly; empty where none does."""
        found: list[str] = []
        for one in stated:
            if one.wish or one.nobodys:
                continue
            hits = list(self._hits(0, one, self._standing([one]), _LONGEST_SPAN, hinted=True))
            if all(hit.problem != problem for hit in hits):
                found += [hit.problem for hit in hits if len(hit.taken - hit.reasons) >= _FEW]
        return found[0] if found else ""

    def _is_denied(self, statement: Statement) -> bool:
        """Says whether a statement names a problem only to deny it.

        What stands between the words of a wording may be the problem itself: "fees, as nobody paid in time".
        A negation that is part of another wording denies nothing: "no second signature was found".
        """
        standing = [
            (wording.phrases[place] is not None, span)
            for wording, groups in zip(self._wordings, self._standing([statement]), strict=True)
            for place, span in wording.lexicon.spans(groups, _LONGEST_SPAN)
        ]
        stated = [span.taken for _, span in standing if not statement.denies(span)]
        return any(
            named
            and statement.denies(Span(span.start, span.start + 1, span.taken))
            and not any(span.taken < taken for taken in stated)
            for named, span in standing
        )

    def _standing(self, window: list[Statement]) -> list[Groups]:
        """Returns where the groups of each problem's wordings stand in statements one behind another."""
        standing: list[Groups] = [{} for _ in self._wordings]
        start = 0
        for one in window:
            if one.stems not in self._groups:
                self._groups[one.stems] = tuple(held.lexicon.groups(one.stems) for held in self._wordings)
            for held, groups in zip(standing, self._groups[one.stems], strict=True):
                for number, spans in moved(groups, start).items():
                    held[number] = held.get(number, []) + spans
            start += len(one.stems)
        return standing

    def _listed(self, statement: Statement) -> tuple[str, ...]:
        """Returns the problems of a list that has a word of most of them; nothing where it is none."""
        held = frozenset(statement.stems)
        named = tuple(wording.id for wording in self._wordings if wording.cues & held)
        return named if len(named) >= _LISTED else ()

    def _found(self, windows: list[list[Statement]], longest: int, *, hinted: bool) -> Topic:
        statements = [joined(window) if len(window) > 1 else window[0] for window in windows]
        hits = [
            hit
            for place, window in enumerate(windows)
            for hit in self._hits(place, statements[place], self._standing(window), longest, hinted=hinted)
        ]
        if any(not statements[hit.place].wish for hit in hits):
            hits = [hit for hit in hits if hit.strong or not statements[hit.place].wish]
        hits = [hit for hit in hits if not any(_covers(other, hit) for other in hits)]
        left = [hit for hit in hits if not _is_source(hit, hits)]
        main = {hit.problem for hit in left if _is_main(hit, left)}
        named = sorted(dict.fromkeys(hit.problem for hit in left), key=lambda one: one not in main)
        problem = named[0] if len(named) == 1 else _foremost(left)
        if problem:
            named = [problem]
        first = next((hit for hit in left if named and hit.problem == named[0]), None)
        if first is None:
            return Topic(problem, tuple(named), "")
        before = " ".join(one.clause.text for one in statements[: first.place + 1])
        sure = any(hit.strong for hit in left if hit.problem == problem)
        return Topic(problem, tuple(named), statements[first.place].clause.text, before, sure)

    def _hits(
        self, place: int, statement: Statement, standing: list[Groups], longest: int, *, hinted: bool
    ) -> Iterable[_Hit]:
        stems = statement.stems
        held = frozenset(stems)
        for wording, groups in zip(self._wordings, standing, strict=True):
            places: dict[int, list[Span]] = {}
            for number, span in wording.lexicon.spans(groups, longest):
                if hinted or wording.phrases[number] is not None:
                    places.setdefault(number, []).append(span)
            spans, exact = [], False
            for number, at in places.items():
                found = _stated(statement, at)
                exact = exact or (bool(found) and bool(wording.phrases[number]))
                spans += found
            for loose in wording.loose:
                if loose <= held:
                    spans += _stated(statement, _loose_places(stems, loose, _LOOSE_SLACK))
            if len(wording.cues & held) > 1:
                spans += _stated(statement, _cue_places(stems, wording.cues))
            if spans:
                taken = frozenset[int]().union(*(span.taken for span in spans))
                sourced = [stems[at] in _SOURCES for at in taken]
                yield _Hit(
                    wording.id,
                    place,
                    taken,
                    frozenset(at for at in taken if stems[at] in wording.cues - _SOURCES),
                    statement.turn,
                    exact,
                    statement.reasons,
                    None if exact or not any(sourced) else len(sourced) - sum(sourced),
                )


def _foremost(hits: list[_Hit]) -> str:
    """Returns the problem beside which no other is more than words that happened to be used; or nothing.

    A problem is surely meant where a phrase stands word for word or with a word of its own.
    """
    words = {
        one: {(hit.place, at) for hit in hits if hit.problem == one for at in hit.taken}
        for one in sorted({hit.problem for hit in hits})
    }
    sure = {hit.problem for hit in hits if hit.strong}
    if len(sure) > 1 or not words:
        return ""
    turns = {one: {hit.turn for hit in hits if hit.problem == one} for one in words}
    most = max(words, key=lambda one: (one in sure, len(words[one])))
    for other, named in words.items():
        beside = len(named - words[most])
        equal = most not in sure and 3 * beside > 2 * len(words[most] - named)
        if other != most and (beside > _FEW or equal or not turns[other] <= turns[most]):
            return ""
    return most


def _wording(concept: Concept) -> _Wording:
    loose = (
        frozenset(stems_in(phrase.replace("*", " "))) - EMPTY
        for phrase in concept.phrases
        if not set("|+{") & set(phrase)
    )
    return _Wording(
        concept.id,
        Lexicon([*concept.phrases, *concept.hints], concept.slots, stems_in),
        tuple(" + " not in phrase for phrase in concept.phrases) + (None,) * len(concept.hints),
        tuple(words for words in loose if 1 < len(words) <= _MOST_LOOSE and "not" not in words),
        frozenset(stem for cue in concept.cues for stem in stems_in(cue)),
    )


def _stated(statement: Statement, spans: list[Span]) -> list[Span]:
    stated = [span for span in spans if statement.states(span)]
    nearest = min((span.end - span.start for span in stated), default=0)
    return [span for span in stated if span.end - span.start == nearest]


def _loose_places(stems: tuple[str, ...], wanted: frozenset[str], slack: int) -> list[Span]:
    """Returns where the words stand in any order, close together."""
    return [
        Span(start, max(taken) + 1, taken)
        for start, part in enumerate(stems)
        if part in wanted
        and (end := min(len(stems), start + len(wanted) + slack))
        and wanted <= set(stems[start:end])
        and (taken := frozenset(at for at in range(start, end) if stems[at] in wanted))
    ]


def _cue_places(stems: tuple[str, ...], cues: frozenset[str]) -> list[Span]:
    """Returns where two different cues stand close together."""
    at = [place for place, stem in enumerate(stems) if stem in cues]
    return [
        Span(left, right + 1, frozenset({left, right}))
        for left, right in itertools.pairwise(at)
        if stems[left] != stems[right] and right - left <= _CUES_WITHIN
    ]


def _covers(outer: _Hit, inner: _Hit) -> bool:
    """Says whether words of one problem belong to another one named by more words in the same statement.

    At least half of them must, and none of the rest may be a word of the first problem's own.
    """
    return (
        outer.place == inner.place
        and outer.problem != inner.problem
        and len(outer.taken) > len(inner.taken)
        and 2 * len(inner.taken & outer.taken) >= len(inner.taken)
        and inner.own <= outer.taken
    )


def _is_main(hit: _Hit, hits: list[_Hit]) -> bool:
    """Says whether a problem is named by more than reasons and words of another one."""
    others = (one for one in hits if one.place == hit.place and one.problem != hit.problem and one.strong)
    return not hit.taken <= hit.reasons.union(*(one.taken for one in others))


def _is_source(hit: _Hit, hits: list[_Hit]) -> bool:
    """Says whether words only tell who found another problem: "that was the finding of an audit"."""
    others = [one for one in hits if one.problem != hit.problem and one.strong and one.beside_source is None]
    near = any(one.place == hit.place for one in others)
    return bool(others) and (hit.beside_source == 0 or (hit.beside_source == 1 and near))
