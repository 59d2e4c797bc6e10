"""The response model: what buyers answered to outreach, by what the outreach said.

A pitch is relevant where it names the topic that the account's record reports, irrelevant where it names
another, generic where it names none; then by whether it asks for a meeting.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from contracts.company_model import ResponseModel
from contracts.manifest import TopicMap
from contracts.money import amounts_in
from contracts.names import fold
from contracts.wording import clauses_in
from extract import phrases
from extract.figures import quantiles, share, shares
from extract.objects import ObjectGraph
from extract.outreach import REFUSALS, Answer, Exchange

_CAPITALISED = re.compile(r"(?<![.!?:]\s)(?<!^)\b([A-Z][a-zà-ÿ]{3,})\b")
_MONTH = re.compile(
    r"\b(January|February|March|April|June|July|August|September|October|November|December)\b"
)


class PitchClass(StrEnum):
    """What an outreach mail says."""

    RELEVANT_ASK = "relevant_ask"
    RELEVANT_NO_ASK = "relevant_no_ask"
    IRRELEVANT = "irrelevant"
    GENERIC = "generic"


@dataclass(frozen=True)
class Pitch:
    """One judged exchange."""

    exchange: Exchange
    kind: PitchClass
    concept: str
    """Concept that the mail names, empty for none."""
    pain: str
    """Concept of the problem that the account's record reports, empty for none."""
    asked: bool
    fact: bool
    """Cites an amount, month or place of what the account's record reports."""
    after_refusal: bool


class Topics:
    """The topic map as a judge of text."""

    def __init__(self, topics: TopicMap) -> None:
        """Folds the wordings."""
        self._wordings = [
            (fold(wording), topic.concept) for topic in topics.topics.values() for wording in topic.wordings
        ]

    def concepts(self, text: str) -> set[str]:
        """Returns the concepts that a text names anywhere."""
        folded = fold(text)
        return {concept for wording, concept in self._wordings if wording in folded}

    def asserted(self, text: str) -> set[str]:
        """Returns the concepts that a text names outside clauses negated before the wording."""
        found: set[str] = set()
        for clause in clauses_in(text):
            folded = fold(clause.text)
            for wording, concept in self._wordings:
                place = folded.find(wording)
                if place >= 0 and len(folded[:place].split()) <= clause.negated_from:
                    found.add(concept)
        return found


def judge_pitches(exchanges: list[Exchange], topics: TopicMap, graph: ObjectGraph) -> list[Pitch]:
    """Returns every exchange with the class of its outreach mail."""
    judge = Topics(topics)
    refused: set[str] = set()
    own: dict[str, set[str]] = defaultdict(set)
    for lead in graph.of_type("lead"):
        own[lead.attributes.get("email", "").casefold()].add(lead.attributes.get("pain", ""))
    judged = []
    for exchange in exchanges:
        pains = account_pains(exchange, graph, own)
        wanted = {concept for pain in pains for concept in judge.concepts(pain)}
        text = f"{exchange.mail.subject}\n{exchange.mail.own}"
        # A reply carries the first mail's subject, so only its own words count from the second on.
        named = judge.asserted(text if exchange.attempt == 1 else exchange.mail.own)
        fact = exchange.attempt > 1 and any(cites(exchange.mail.own, pain) for pain in pains)
        relevant = bool(named & wanted) or fact
        asked = phrases.asks_meeting(exchange.mail.own) or fact
        if relevant:
            kind = PitchClass.RELEVANT_ASK if asked else PitchClass.RELEVANT_NO_ASK
            concept = min(named & wanted or wanted or {""})
        else:
            kind = PitchClass.IRRELEVANT if named else PitchClass.GENERIC
            concept = min(named or {""})
        pain = min(wanted or {""})
        judged.append(Pitch(exchange, kind, concept, pain, asked, fact, exchange.person in refused))
        if exchange.answer in REFUSALS:
            refused.add(exchange.person)
    return judged


def account_pains(exchange: Exchange, graph: ObjectGraph, own: Mapping[str, set[str]]) -> list[str]:
    """Returns what the records of an exchange's account report as its problem.

    Args:
        exchange: with the accounts of its mail.
        graph: objects of the dataset.
        own: problems that lead records report, by the lead's address.
    """
    found: set[str] = set()
    for account in sorted(exchange.mail.accounts):
        found.add(graph.objects[account].attributes.get("pain", ""))
        for lead in graph.sources(account, "lead"):
            found.add(lead.attributes.get("pain", ""))
    found |= own.get(exchange.person, set())
    return sorted(found - {""})


def cites(text: str, pain: str) -> bool:
    """Says whether a text repeats an amount, or a month and a place, of a reported problem."""
    amounts = {amount.minor for amount in amounts_in(pain)}
    if amounts and amounts & {amount.minor for amount in amounts_in(text)}:
        return True
    months = set(_MONTH.findall(pain))
    places = set(_CAPITALISED.findall(pain)) - months
    return bool(months & set(_MONTH.findall(text))) and bool(places & set(_CAPITALISED.findall(text)))


def response_model(pitches: list[Pitch]) -> ResponseModel | None:
    """Returns how buyers answered, or None where there was no outreach."""
    if not pitches:
        return None
    by_class: dict[str, list[Pitch]] = defaultdict(list)
    for pitch in pitches:
        by_class[pitch.kind].append(pitch)
    second = [pitch for pitch in pitches if pitch.fact and pitch.after_refusal]
    refusals = [
        (pitch.exchange.mail.message_id, phrases.refusal_wording(pitch.exchange.reply.own) or "other")
        for pitch in pitches
        if pitch.exchange.reply is not None and pitch.exchange.answer in REFUSALS
    ]
    return ResponseModel(
        outreach=len(pitches),
        offers_by_class={
            kind: share(_ids(one for one in by_class[kind] if _is_offer(one)), len(by_class[kind]))
            for kind in sorted(by_class)
        },
        answers_by_class={
            kind: shares(
                [(one.exchange.mail.message_id, one.exchange.answer.value) for one in by_class[kind]]
            )
            for kind in sorted(by_class)
        },
        reply_delay=quantiles(
            (delay for pitch in pitches if (delay := pitch.exchange.delay) is not None), "seconds"
        ),
        second_chance=share(_ids(one for one in second if _is_offer(one)), len(second)),
        refusal_wordings=shares(refusals),
        touches_to_meeting=quantiles(_touches(pitches), "mails"),
    )


def _touches(pitches: list[Pitch]) -> list[int]:
    """Returns how many outreach mails an account got up to the one that was answered with times."""
    sent: dict[frozenset[str], int] = defaultdict(int)
    found = []
    for pitch in pitches:
        key = pitch.exchange.mail.accounts or frozenset({pitch.exchange.person})
        sent[key] += 1
        if _is_offer(pitch):
            found.append(sent[key])
    return found


def _is_offer(pitch: Pitch) -> bool:
    return pitch.exchange.answer is Answer.OFFER


def _ids(pitches: Iterable[Pitch]) -> list[str]:
    return [pitch.exchange.mail.message_id for pitch in pitches]
