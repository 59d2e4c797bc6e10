"""Which one problem a text is about: wordings of problems among its statements.

The answer depends on the text and the world's wordings alone, never on who reads it: whatever somebody
writes, it is about one problem at most. A text that asserts several is about none of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

from contracts.wording import EMPTY, Pattern, Span, find_pattern
from contracts.world import Concept
from runtime.statements import Statement
from runtime.stems import stem_pattern, stems_in

_LONGEST_SPAN = 14
"""Words from the first to the last word of a wording in parts: what lies further apart is not one thought."""
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


class _Form(NamedTuple):
    """A wording and the words without which it stands nowhere."""

    pattern: Pattern
    needs: tuple[tuple[frozenset[str], ...], ...]
    loose: frozenset[str]
    """Its content words, where they may stand in any order."""

    def may_stand(self, stems: frozenset[str]) -> bool:
        return all(any(form <= stems for form in group) for group in self.needs)


class _Wording(NamedTuple):
    id: str
    forms: tuple[_Form, ...]
    cues: frozenset[str]


class _Hit(NamedTuple):
    """A problem named in a statement."""

    problem: str
    place: int
    taken: frozenset[int]
    own: frozenset[int]
    """Those of its words that belong to this problem alone."""
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
        self._wordings = [
            _Wording(
                concept.id,
                tuple(_form(stem_pattern(phrase)) for phrase in concept.phrases),
                frozenset(stem for cue in concept.cues for stem in stems_in(cue)),
            )
            for concept in concepts
        ]

    def topic(self, statements: list[Statement]) -> Topic:
        """Returns the one problem that statements assert."""
        hits = [hit for place, statement in enumerate(statements) for hit in self._hits(place, statement)]
        hits = [hit for hit in hits if not any(_covers(other, hit) for other in hits)]
        left = [hit for hit in hits if not _is_source(hit, hits)]
        main = {hit.problem for hit in left if _is_main(hit, left)}
        named = sorted(dict.fromkeys(hit.problem for hit in left), key=lambda one: one not in main)
        firm = [one for one in named if one in main or any(hit.problem == one and hit.strong for hit in left)]
        problem = named[0] if len(named) == 1 else firm[0] if len(firm) == 1 else ""
        if problem:
            named = [problem]
        first = next((hit for hit in left if named and hit.problem == named[0]), None)
        return Topic(problem, tuple(named), statements[first.place].clause.text if first else "")

    def _hits(self, place: int, statement: Statement) -> Iterable[_Hit]:
        stems = statement.stems
        held = frozenset(stems)
        for wording in self._wordings:
            spans, exact = [], False
            for form in wording.forms:
                if form.may_stand(held):
                    found = _stated(statement, _places(stems, form.pattern))
                    exact = exact or (bool(found) and form.pattern.is_phrase)
                    spans += found
                if form.loose and form.loose <= held:
                    spans += _stated(statement, _loose_places(stems, form.loose, _LOOSE_SLACK))
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
                    exact,
                    statement.reasons,
                    None if exact or not any(sourced) else len(sourced) - sum(sourced),
                )


def _form(pattern: Pattern) -> _Form:
    needs = tuple(
        tuple(frozenset(part for part in form if part != "*") for form in group) for group in pattern.groups
    )
    loose = frozenset(part for part in pattern.groups[0][0] if part != "*" and part not in EMPTY)
    alone = (
        pattern.is_phrase
        and len(pattern.groups[0]) == 1
        and 1 < len(loose) <= _MOST_LOOSE
        and "not" not in loose
    )
    return _Form(pattern, needs, loose if alone else frozenset())


def _places(stems: tuple[str, ...], pattern: Pattern) -> list[Span]:
    return [span for span in find_pattern(stems, pattern) if span.end - span.start <= _LONGEST_SPAN]


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
