"""Which one problem a text is about: wordings of problems among its statements.

The answer depends on the text and the world's wordings alone, never on who reads it: whatever somebody
writes, it is about one problem at most. A text that asserts several is about none of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

from contracts.lexicon import Groups, Lexicon, moved
from contracts.wording import CONDITION, NEGATION, Span
from contracts.world import Concept
from runtime.concept_wordings import wording_of
from runtime.leanings import Leanings
from runtime.moods import might_be_from
from runtime.statements import Statement, joined
from runtime.stems import stems_in

_LONGEST_SPAN = 14
"""Words from the first to the last word of a wording in parts: what lies further apart is not one thought."""
_LONGEST_JOINED = 28
_MOST_JOINED = 3
"""Clauses over which a problem may be told where none of them names one alone."""
_LISTED = 4
_LEADS = 40
"""Sixteenths of a bit by which a part of a statement leans to one problem rather than to another."""
_OUTWEIGHS = 144
"""By how much more all words speak for another problem than the one whose wording was found."""
_SURELY = 144
"""By how much more they speak for one where no wording was found."""
_SECOND = 300
"""By how much more a part speaks for a second one."""
_PAIR = 2
_SPEAKS = 16
_MANY = 3
"""Words that speak for a problem of which no wording was found, at least."""
_FEW = 3
_LOOSE_SLACK = 5
_CUES_WITHIN = 6
_SOURCES = frozenset(
    stems_in("audit auditor auditors find finding found report say state show remark review")
)
"""Words of those who tell of a problem: "your audit says that discounts lapsed" is about discounts."""
_OURS = frozenset(stems_in("invoice supplier vendor payable creditor approval fraudster"))
"""Words of which no other topic speaks."""
_CORE = _OURS | frozenset(
    stems_in("pay bill audit discount ledger entity bank account interest fee money sum")
)
"""Words of which one at least stands where many words tell a problem together."""
_BUYERS = frozenset(stems_in("customer client debtor"))
"""Who gets bills from the reader's company: those are none of its suppliers'."""


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

    def __init__(self, concepts: Iterable[Concept], other_topics: Iterable[str] = ()) -> None:
        concepts = list(concepts)
        self._wordings = [wording_of(concept) for concept in concepts]
        self._leanings = Leanings(concepts)
        self._elsewhere = Lexicon(other_topics, None, stems_in)
        self._groups: dict[tuple[str, ...], tuple[Groups, ...]] = {}

    def topic(self, statements: list[Statement]) -> Topic:
        """Returns the one problem that statements assert."""
        self._groups.clear()
        statements = [one for one in statements if not self._is_elsewhere(one.stems)]
        stated = [one for one in statements if not one.told]
        return self._weighed(self._worded(statements, stated), statements, stated)

    def _is_elsewhere(self, stems: tuple[str, ...]) -> bool:
        """Says whether a clause speaks of another topic, and of no invoice or supplier beside it."""
        if not _BUYERS.isdisjoint(stems):
            return "supplier" not in stems
        return bool(self._elsewhere.groups(stems)) and _OURS.isdisjoint(stems)

    def _weighed(self, found: Topic, statements: list[Statement], stated: list[Statement]) -> Topic:
        """Returns what wordings tell, where the words of all statements do not speak for another problem."""
        plain = [one for one in stated if not one.wish and not one.nobodys]
        whole = self._leanings.of(stem for one in plain for stem in one.stems)
        if not whole:
            return found
        lead, *others = sorted(whole, key=lambda one: -whole[one])
        margin = min(whole[lead] - whole[other] for other in others)
        if not found.named:
            return self._broad(lead, margin, plain, found)
        if found.problem:
            said = [one for one in statements if not one.wish and not one.nobodys]
            for other in whole:
                if other != found.problem and self._tells(other, found.problem, said, _SECOND):
                    return Topic("", (found.problem, other), "")
        if found.problem == lead or margin < (_OUTWEIGHS if found.problem else _LEADS):
            return found
        rivals = [other for other in found.named if other != lead]
        if len(found.named) > _PAIR or any(self._tells(other, lead, stated, _LEADS) for other in rivals):
            return found
        return self._clearest(lead, plain)

    def _tells(self, other: str, lead: str, plain: list[Statement], least: int) -> bool:
        """Says whether a part of a statement tells another problem than the one that leads, by a wording."""
        number = next(at for at, wording in enumerate(self._wordings) if wording.id == other)
        lexicon = self._wordings[number].lexicon
        for one in plain:
            spans = [span for _, span in lexicon.spans(self._standing([one])[number], _LONGEST_SPAN)]
            starts = [0, *(at for at in one.parts if at), len(one.stems)]
            for start, end in itertools.pairwise(starts):
                held = self._leanings.of(stem for stem in one.stems[start:end] if stem not in _SOURCES)
                within = any(start <= span.start and span.end <= end for span in spans)
                if held and within and held[other] - held[lead] >= least:
                    return True
        return False

    def _broad(self, lead: str, margin: int, plain: list[Statement], found: Topic) -> Topic:
        """Returns what many words tell together of which no wording was found; nothing where few do."""
        if margin < _SURELY or any(self._is_denied(one) for one in plain):
            return found
        kept = [one for one in plain if _is_plain(one)]
        stems = frozenset(stem for one in kept for stem in one.stems)
        whole = self._leanings.of(stems)
        speaking = sum(self._leanings.of([stem]).get(lead, 0) >= _SPEAKS for stem in stems)
        if not whole or speaking < _MANY or _CORE.isdisjoint(stems):
            return found
        if any(whole[lead] - whole[other] < _SURELY for other in whole if other != lead):
            return found
        return self._clearest(lead, kept)

    def _clearest(self, problem: str, plain: list[Statement]) -> Topic:
        scores = [self._leanings.of(one.stems).get(problem, 0) for one in plain]
        place = scores.index(max(scores))
        before = " ".join(one.clause.text for one in plain[: place + 1])
        return Topic(problem, (problem,), plain[place].clause.text, before, sure=False)

    def _worded(self, statements: list[Statement], stated: list[Statement]) -> Topic:
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
            (wording.phrases[place] is not None, span, wording.excused(statement))
            for wording, groups in zip(self._wordings, self._standing([statement]), strict=True)
            for place, span in wording.lexicon.spans(groups, _LONGEST_SPAN)
        ]
        stated = [span.taken for _, span, excused in standing if not statement.denies(span, excused)]
        return any(
            named
            and statement.denies(Span(span.start, span.start + 1, span.taken), excused)
            and not any(span.taken < taken for taken in stated)
            for named, span, excused in standing
        )

    def _standing(self, window: list[Statement]) -> list[Groups]:
        """Returns where the groups of each problem's wordings stand in statements one behind another."""
        standing: list[Groups] = [{} for _ in self._wordings]
        start = 0
        for one in window:
            if one.stems not in self._groups:
                self._groups[one.stems] = tuple(held.lexicon.groups(one.stems) for held in self._wordings)
            for held, groups in zip(standing, self._groups[one.stems], strict=True):
                for number, spans in (moved(groups, start) if start else groups).items():
                    held[number] = [*held[number], *spans] if number in held else spans
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
            excused = wording.excused(statement)
            for number, at in places.items():
                found = _stated(statement, at, excused)
                exact = exact or (bool(found) and bool(wording.phrases[number]))
                spans += found
            for loose in wording.loose:
                if loose <= held:
                    spans += _stated(statement, _loose_places(stems, loose, _LOOSE_SLACK), excused)
            if len(wording.cues & held) > 1:
                spans += _stated(statement, _cue_places(stems, wording.cues), excused)
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


def _is_plain(statement: Statement) -> bool:
    """Says whether a statement denies nothing, and tells neither what is over nor what may be."""
    if statement.over or statement.past or (NEGATION | CONDITION).intersection(statement.clause.words):
        return False
    return might_be_from(statement.clause.text) is None


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


def _stated(statement: Statement, spans: list[Span], excused: frozenset[int]) -> list[Span]:
    stated = [span for span in spans if statement.states(span, excused)]
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
