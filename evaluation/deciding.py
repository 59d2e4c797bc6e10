"""What decided in a replayed case: the check, criterion or buyer's rule, with the archive's rows behind it.

Belongs here: reading a replayed log and its grade. Not here: replaying and comparing (`backtest`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from contracts.grade import CheckResult, Grade, Verdict
from contracts.shift_events import Action, ShiftEvent, WorldEvent
from evaluation.archived import ArchivedCase, RepAction
from evaluation.casting import ACCOUNT, Casting
from evaluation.end_states import EndState
from extract.decisions import QUALIFIED
from extract.outreach import Answer
from extract.response import Pitch, PitchClass

OFFERED, NOT_OFFERED = "times offered", "no times"
RELEVANT, IRRELEVANT = "relevant", "not relevant"
OPEN = "open"
_BUYER = "buyer"
_DECLINED = "the invite is declined"


class Cause(StrEnum):
    """Where a disagreement comes from, so that a reader knows whose rule to look at."""

    GATE = "gate"
    CRITERIA = "criteria"
    READING = "reading"
    """The matcher does not read a mail as the topic map does."""
    BUYER = "buyer"
    """The mail is read alike; the people of the archive answered otherwise than the rule of the buyers."""
    MEETING = "meeting"


class Decider(NamedTuple):
    """What decided, in words, with the rows of the archive behind it."""

    rule: str
    """"gate:do_not_contact", "qualification-too_small", "buyer:refused:always:no_problem", ..."""
    why: str
    evidence: tuple[str, ...]


class AnswerPair(NamedTuple):
    """One outreach mail: what its reader answered and what the world's buyer answers."""

    case_id: str
    mail: str
    recorded: Answer
    world: str
    """Kind of the buyer's reply; "silence" for none."""
    reading: tuple[str, str] | None
    """Whether topic map and matcher take the mail as relevant; None where no buyer judged it."""
    decider: Decider

    @property
    def pair(self) -> tuple[str, str]:
        """Whether each of both offered times."""
        return (
            OFFERED if self.recorded is Answer.OFFER else NOT_OFFERED,
            OFFERED if self.world == "offer" else NOT_OFFERED,
        )


def cause_of(decider: Decider, answers: Sequence[AnswerPair]) -> Cause:
    """Returns what kind of thing a decider is, given how mails were read."""
    if decider.rule.startswith("gate:"):
        return Cause.GATE
    if not decider.rule.startswith(_BUYER):
        return Cause.CRITERIA if decider.rule.startswith("qualification") else Cause.MEETING
    readings = {pair.mail: pair.reading for pair in answers}
    reading = readings.get(decider.evidence[0])
    if reading is not None and reading[0] != reading[1]:
        return Cause.READING
    return Cause.MEETING if decider.why.startswith(_DECLINED) else Cause.BUYER


def is_status(one: RepAction) -> bool:
    """Says whether an action sets the mark of the account."""
    return one.action is Action.CRM_SET_FIELD and one.data["field"] == "status"


class Judged:
    """A replayed log as what decided in it."""

    def __init__(
        self,
        case: ArchivedCase,
        casting: Casting,
        events: Sequence[ShiftEvent],
        evidence: Mapping[int, str],
        grade: Grade,
    ) -> None:
        self._case = case
        self._casting = casting
        self._events = events
        self._evidence = evidence
        self._seqs = {row: seq for seq, row in evidence.items()}
        self._grade = grade
        self._replies = {
            event.data["because"]["event"]: event
            for event in events
            if event.type == WorldEvent.DELIVER and "because" in event.data
        }

    def decider(self, graded: EndState) -> Decider:
        """Returns what decided the end state of the replay."""
        failed = [check for check in self._grade.checks if check.id.startswith("gate:")]
        failed = [check for check in failed if check.verdict is not Verdict.PASS]
        if failed:
            return self._by_check(failed[0].id, failed[0])
        if self._casting.rule_of(self._case) is not None or (
            graded is EndState.NOTHING and self._case.recorded is EndState.NOT_A_FIT
        ):
            return self.marked_by()
        if graded is EndState.NOTHING:
            said = self._last_word()
            if said is not None:
                return said
        return self._by_check("meeting", self._check("meeting"))

    def mark(self) -> tuple[str, str]:
        """Returns the mark that the record bears and the right one."""
        rule = self._casting.rule_of(self._case)
        marked = [one.data for one in self._case.actions if is_status(one)]
        borne = (QUALIFIED if marked[-1]["fits"] else marked[-1]["reason"]) if marked else OPEN
        return borne, rule.outcome if rule else QUALIFIED

    def marked_by(self) -> Decider:
        """Returns what decides which mark is right."""
        rule = self._casting.rule_of(self._case)
        check = self._check("qualification")
        if rule is None:
            return self._by_check("qualification:no_rule", check)
        facts = ", ".join(f"{one.fact} is {self._case.facts.get(one.fact)!r}" for one in rule.when)
        told = [one.evidence for one in self._case.notices if one.what == "signed"]
        decider = self._by_check(rule.id, check)
        evidence = (*decider.evidence, *told, *self._case.reports, *self._case.waivers)
        return Decider(rule.id, f"{facts}; {decider.why}", tuple(dict.fromkeys(evidence)))

    def answer(self, pitch: Pitch) -> AnswerPair | None:
        """Returns both answers to an outreach mail; None where the mail was not replayed."""
        mail = pitch.exchange.mail.message_id
        seq = self._seqs.get(mail)
        if seq is None:
            return None
        reply = self._replies.get(seq)
        recorded = pitch.exchange.reply
        decider = self._by_reply(reply) if reply else Decider("buyer:silent", "nobody answers", (mail,))
        rows = (mail, recorded.message_id) if recorded is not None else (mail,)
        return AnswerPair(
            self._case.case_id,
            mail,
            pitch.exchange.answer,
            reply.data["reply"] if reply else "silence",
            _reading(pitch, reply),
            decider._replace(evidence=rows),
        )

    def _check(self, component: str) -> CheckResult:
        return next(check for check in self._grade.checks if check.id == f"{component}:{ACCOUNT}")

    def _by_check(self, rule: str, check: CheckResult) -> Decider:
        rows = [self._evidence[seq] for seq in check.evidence if seq in self._evidence]
        # What a check cites and the rep did not do, the world did: its reason leads back to the rep's action.
        for event in self._events:
            cause = event.data.get("because", {}).get("event")
            if event.seq in check.evidence and cause in self._evidence:
                rows.append(self._evidence[cause])
        return Decider(rule, check.explanation, tuple(dict.fromkeys([*rows, *self._case.evidence])))

    def _last_word(self) -> Decider | None:
        """Returns the buyer's decision after which no meeting stood.

        It is the refusal of an invite where times had been offered, else the answer to the last mail before.
        """
        declined = [
            event
            for event in self._events
            if event.type == WorldEvent.DECLINED and not event.data.get("cancels")
        ]
        if declined:
            because = declined[-1].data["because"]
            row = self._evidence.get(because["event"], "")
            offered = any("offers" in event.data and event.seq < declined[-1].seq for event in self._events)
            if offered:
                rule = f"{_BUYER}:{because['state']}:{because['guard']}"
                why = f"{_DECLINED}: its time is none of those offered"
                return Decider(rule, why, (row, *self._case.evidence))
        before = declined[0].seq if declined else len(self._events) + 1
        answered = [
            event for event in self._replies.values() if event.seq < before and "why" in event.data["because"]
        ]
        return self._by_reply(answered[-1]) if answered else None

    def _by_reply(self, reply: ShiftEvent) -> Decider:
        because = reply.data["because"]
        row = self._evidence.get(because["event"], "")
        rule = ":".join([_BUYER, because["state"], because["guard"], because.get("why", "")]).rstrip(":")
        asked = "" if because.get("asks", True) else ", no meeting asked for"
        named = ", ".join(because.get("problems", [])) or "none"
        why = f"the buyer answers {reply.data['reply']!r}: problems named: {named}{asked}"
        return Decider(rule, why, tuple(dict.fromkeys([row, *self._case.evidence])))


def _reading(pitch: Pitch, reply: ShiftEvent | None) -> tuple[str, str] | None:
    why = reply.data["because"].get("why") if reply is not None else None
    if why is None:
        return None
    by_map = pitch.kind in (PitchClass.RELEVANT_ASK, PitchClass.RELEVANT_NO_ASK)
    return RELEVANT if by_map else IRRELEVANT, RELEVANT if why == "relevant" else IRRELEVANT
