"""Whether a clause asks for a meeting, by a declared wording or by its grammar."""

from __future__ import annotations

from collections.abc import Iterable

from contracts.wording import DAYS, Clause, find_pattern
from runtime.stems import stem_pattern, stems_of

_MEET = frozenset(
    "meeting meet call chat talk speak conversation demo demonstration walkthrough discuss discussion "
    "minutes minute min mins slot slots session appointment zoom sync coffee connect word hour "
    "ring visit webinar preview lunch tea together interview conference "
    "invite sit telephone phone dates".split()
)
_WANT = frozenset(
    "could can would shall may might let let's happy love like open available free time suggest propose "
    "schedule book worth willing interested calendar suit suits please find offer set arrange glad grab "
    "how got have spare give grant request ask welcome appreciate appreciated honoured honored obliged "
    "grateful pleased fancy want up kindly say tell possible agreeable convenient ready wish here's".split()
)
_DAYS = DAYS | frozenset("mon tue tues wed thu thur thurs fri".split())
_WHEN = _DAYS | frozenset(
    "week fortnight time times slot slots calendar day days date dates moment diary convenience".split()
)
_FITS = frozenset(
    "work works suit suits free available good convenient open fine ok possible flexible around like look "
    "looks have got spare find found make give comfortable".split()
)
_SHOW = frozenset(
    "show look explain walk present introduce tell hear see discuss demonstrate share illustrate propose "
    "call invite".split()
)
_MAY = frozenset("may can could shall might would let let's want care fancy".split())
_OFFERING = frozenset("welcome grateful could can would i'd let happy glad love like may".split())


class Asks:
    """The ways of asking for a meeting in one world."""

    def __init__(self, phrases: Iterable[str]) -> None:
        patterns = [stem_pattern(phrase) for phrase in phrases]
        self._phrases = [
            (pattern, frozenset(form[0] for form in group if form))
            for pattern in patterns
            for group in pattern.groups[:1]
        ]

    def stand_in(self, clause: Clause) -> bool:
        """Says whether a clause asks for a meeting."""
        words = frozenset(clause.words[: clause.negated_from])
        meet, want, when = words & _MEET, words & _WANT, words & _WHEN
        if meet and want - meet:
            return True
        if clause.question:
            opens = frozenset(clause.words[:4])
            return bool(
                words & (_DAYS - {"today"})
                or (meet and len(clause.words) <= 6)
                or (when and words & ((_FITS | _MEET | _SHOW) - when))
                or (opens & _MAY and words & _SHOW)
                or self._is_declared(clause)
            )
        if words & _OFFERING and words & _SHOW and (when or words & {"opportunity", "chance"}):
            return True
        if words & _FITS and words & _DAYS:
            return True
        return self._is_declared(clause)

    def _is_declared(self, clause: Clause) -> bool:
        stems = stems_of(clause.words)
        held = frozenset(stems)
        return any(
            not clause.negates(span)
            for pattern, first in self._phrases
            if not first.isdisjoint(held)
            for span in find_pattern(stems, pattern)
        )
