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
from runtime.statements import Statement, joined
from runtime.stems import stem_pattern, stems_in

_LONGEST_SPAN = 14
"""Words from the first to the last word of a wording in parts: what lies further apart is not one thought."""
_LONGEST_JOINED = 28
_MOST_JOINED = 3
"""Clauses over which a problem may be told where none of them names one alone."""
_LISTED = 4
_MOST_BESIDE = 1
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


class _Form(NamedTuple):
    """A wording and the words without which it stands nowhere."""

    pattern: Pattern
    needs: tuple[tuple[frozenset[str], ...], ...]
    loose: frozenset[str]
    """Its content words, where they may stand in any order."""

    def standing(self, stems: frozenset[str]) -> Pattern | None:
        """Returns the pattern with those of its forms that words may hold, None where a group has none."""
        groups = tuple(
            tuple(form for form, needed in zip(group, needs, strict=True) if needed <= stems)
            for group, needs in zip(self.pattern.groups, self.needs, strict=True)
        )
        return Pattern(groups) if all(groups) else None


class _Wording(NamedTuple):
    id: str
    forms: tuple[_Form, ...]
    hints: tuple[_Form, ...]
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
        self._wordings = [
            _Wording(
                concept.id,
                tuple(_form(stem_pattern(phrase)) for phrase in concept.phrases),
                tuple(_form(stem_pattern(hint)) for hint in concept.hints),
                frozenset(stem for cue in concept.cues for stem in stems_in(cue)),
            )
            for concept in concepts
        ]

    def topic(self, statements: list[Statement]) -> Topic:
        """Returns the one problem that statements assert."""
        stated = [one for one in statements if not one.told]
        if listed := next(filter(None, (self._listed(one) for one in stated)), ()):
            return Topic("", listed, "")
        found = self._found(stated, _LONGEST_SPAN, hinted=False)
        if found.named or any(self._is_denied(one) for one in stated):
            return found
        plain = [one for one in statements if not one.wish]
        for size in range(1, _MOST_JOINED + 1):
            windows = [plain[at : at + size] for at in range(max(1, len(plain) - size + 1))]
            whole = [joined(one) for one in windows if one and not all(each.told for each in one)]
            found = self._found(whole, _LONGEST_JOINED, hinted=True)
            if found.named:
                break
        return found

    def _is_denied(self, statement: Statement) -> bool:
        """Says whether a statement names a problem only to deny it.

        What stands between the words of a wording may be the problem itself: "fees, as nobody paid in time".
        """
        held = frozenset(statement.stems)
        return any(
            statement.denies(Span(span.start, span.start + 1, span.taken))
            for wording in self._wordings
            for form in wording.forms
            if (pattern := form.standing(held))
            for span in _places(statement.stems, pattern, _LONGEST_SPAN)
        )

    def _listed(self, statement: Statement) -> tuple[str, ...]:
        """Returns the problems of a list that has a word of most of them; nothing where it is none."""
        held = frozenset(statement.stems)
        named = tuple(wording.id for wording in self._wordings if wording.cues & held)
        return named if len(named) >= _LISTED else ()

    def _found(self, statements: list[Statement], longest: int, *, hinted: bool) -> Topic:
        hits = [
            hit
            for place, statement in enumerate(statements)
            for hit in self._hits(place, statement, longest, hinted=hinted)
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
        return Topic(problem, tuple(named), statements[first.place].clause.text if first else "")

    def _hits(self, place: int, statement: Statement, longest: int, *, hinted: bool) -> Iterable[_Hit]:
        stems = statement.stems
        held = frozenset(stems)
        for wording in self._wordings:
            spans, exact = [], False
            for form in wording.forms + wording.hints if hinted else wording.forms:
                if pattern := form.standing(held):
                    found = _stated(statement, _places(stems, pattern, longest))
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
                    statement.turn,
                    exact,
                    statement.reasons,
                    None if exact or not any(sourced) else len(sourced) - sum(sourced),
                )


def _foremost(hits: list[_Hit]) -> str:
    """Returns the problem beside which at most one other is named, and that one by much less; or nothing."""
    weights = {
        one: _weight([hit for hit in hits if hit.problem == one]) for one in {hit.problem for hit in hits}
    }
    if len(weights) != _MOST_BESIDE + 1:
        return ""
    less, more = sorted(weights, key=lambda one: (weights[one], one))
    (strong, words, places), (other_strong, other_words, other_places) = weights[more], weights[less]
    turns = [{hit.turn for hit in hits if hit.problem == one} for one in (more, less)]
    much = strong > other_strong and other_words <= _FEW and words >= other_words
    return more if much and places >= other_places == 1 and turns[1] <= turns[0] else ""


def _weight(hits: list[_Hit]) -> tuple[bool, int, int]:
    """Returns whether a problem is named by more than common words, by how many, in how many statements."""
    words = {(hit.place, at) for hit in hits for at in hit.taken}
    return any(hit.strong for hit in hits), len(words), len({hit.place for hit in hits})


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


def _places(stems: tuple[str, ...], pattern: Pattern, longest: int) -> list[Span]:
    return [span for span in find_pattern(stems, pattern) if span.end - span.start <= longest]


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
