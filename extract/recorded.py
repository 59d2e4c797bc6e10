"""Recorded cases as patterns for a world's accounts: how they ended, with traits that many cases share."""

from __future__ import annotations

from collections import Counter, defaultdict

from contracts.company_model import RecordedCase
from extract.cases import Case, CaseBook
from extract.dataset import whole_number
from extract.decisions import QUALIFIED, qualification_outcome
from extract.figures import tally
from extract.mails import MailKind
from extract.moments import DAY_SECONDS
from extract.objects import ObjectGraph
from extract.response import Pitch
from extract.traps import Found

MIN_SHARING = 5
"""No combination of traits is stored that fewer cases have."""
ANY = "any"
_BANDS = ((50, "1-49"), (120, "50-119"), (250, "120-249"), (500, "250-499"), (1000, "500-999"))
_TRAITS = ("region", "size", "industry")
"""Given up from the last to the first until enough cases share what is left."""
_ACQUIRED = "acquired"


def recorded_cases(
    book: CaseBook, graph: ObjectGraph, pitches: list[Pitch], found: Found
) -> list[RecordedCase]:
    """Returns the cases that ended in a way a world's account can end, by case id."""
    signed = {case.case_id for mail in found.notices if (case := book.of_mail(mail)) is not None}
    stale = {case.case_id for one in found.stale if (case := book.of_object(one.object_id)) is not None}
    concepts: dict[str, list[str]] = defaultdict(list)
    for pitch in pitches:
        case = book.of_mail(pitch.exchange.mail)
        if case is not None and pitch.pain:
            concepts[case.case_id].append(pitch.pain)
    ended = []
    for case in book.cases:
        archetype, reason = _ending(case, graph, signed, stale)
        if archetype == "bookable":
            named = tally(concepts.get(case.case_id, []))
            reason = max(named, key=lambda concept: (named[concept], concept), default="")
        if archetype:
            ended.append((case, archetype, reason))
    traits = _generalised({case.case_id: _traits(case, graph) for case, _, _ in ended})
    return sorted(
        (
            RecordedCase(
                case_id=case.case_id,
                archetype=archetype,
                reason=reason,
                traits=traits[case.case_id],
                touches=sum(mail.kind is MailKind.OUTREACH for mail in case.mails),
                days=_days(case),
            )
            for case, archetype, reason in ended
        ),
        key=lambda one: one.case_id,
    )


def _ending(case: Case, graph: ObjectGraph, signed: set[str], stale: set[str]) -> tuple[str, str]:
    outcomes = [
        outcome
        for lead in case.of_type(graph, "lead")
        if (outcome := qualification_outcome(lead)) not in (None, QUALIFIED)
    ]
    if case.case_id in signed:
        return "signed", "signed"
    if case.case_id in stale or _ACQUIRED in outcomes:
        return "acquired", _ACQUIRED
    if outcomes:
        return "unfit", str(outcomes[0])
    booked = any(mail.kind is MailKind.INVITE for mail in case.mails)
    return ("bookable", "") if booked and case.of_type(graph, "lead") else ("", "")


def _traits(case: Case, graph: ObjectGraph) -> dict[str, str]:
    said: dict[str, str] = {}
    for found in (*case.of_type(graph, "lead"), *(graph.objects[name] for name in sorted(case.accounts))):
        for name, value in found.attributes.items():
            said.setdefault(name, value)
    size = whole_number(said.get("employees"))
    band = ANY if size is None else next((name for limit, name in _BANDS if size < limit), "1000+")
    return {"region": said.get("region", ANY), "size": band, "industry": said.get("industry", ANY)}


def _generalised(traits: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Gives up traits, the last first, until every stored combination is shared by enough cases."""
    current = {key: dict(value) for key, value in traits.items()}
    for trait in reversed(_TRAITS):
        counts = Counter(tuple(value[name] for name in _TRAITS) for value in current.values())
        for value in current.values():
            if counts[tuple(value[name] for name in _TRAITS)] < MIN_SHARING:
                value[trait] = ANY
    counts = Counter(tuple(value[name] for name in _TRAITS) for value in current.values())
    rare = {combination for combination, count in counts.items() if count < MIN_SHARING}
    return {
        key: {} if tuple(value[name] for name in _TRAITS) in rare else value for key, value in current.items()
    }


def _days(case: Case) -> int:
    seconds = [mail.second for mail in case.mails if mail.second] + [
        second for second in (case.first, case.last) if second
    ]
    return (max(seconds) - min(seconds)) // DAY_SECONDS if seconds else 0
