"""The backtest: archived cases replayed as shifts, their grades compared with how the records say they ended.

Belongs here: replaying a case, what decided, and the comparison. Does not belong here: reading the archive
(`archived`), a case's world (`casting`), arithmetic (`agreement`), pages and files (`backtest_report`).

The case: the rep's own actions go through buyers and grader, and the end state that they earn is compared
with the recorded one; the mark in the CRM with the one that facts and criteria give. The mail: whether a
world's buyer offers times is compared with whether its reader did; no later action tells the outcome there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from contracts.grade import Grade, Verdict
from contracts.shift_events import Action, EndReason
from contracts.world import Truth
from evaluation.agreement import Agreement, agreement_of
from evaluation.archived import ArchivedCase, RepAction
from evaluation.casting import ACCOUNT, TURN_MS, Casting
from evaluation.deciding import (
    IRRELEVANT,
    NOT_OFFERED,
    OFFERED,
    OPEN,
    RELEVANT,
    AnswerPair,
    Cause,
    Decider,
    Judged,
    cause_of,
    is_status,
)
from evaluation.end_states import EndState
from grader.grading import grade_shift
from runtime.core import Shift

SUCCESS, NO_SUCCESS = "success", "no success"
END, MARK = "end", "mark"


@dataclass(frozen=True)
class Replayed:
    """A case after its replay."""

    case: ArchivedCase
    grade: Grade
    graded: EndState
    decider: Decider
    mark: tuple[str, str]
    """The record's mark and the right one: "qualified", or the reason against it; "open" for none."""
    marked_by: Decider
    answers: tuple[AnswerPair, ...]
    refused: tuple[str, ...]
    """Actions of the rep that the shift's apps refuse, with why."""

    @property
    def ends_agree(self) -> bool:
        """Whether the replay ends as the records say."""
        return self.graded is self.case.recorded

    @property
    def marks_agree(self) -> bool:
        """Whether the record's mark is the right one; one that is still open is not judged."""
        return self.mark[0] in (OPEN, self.mark[1])

    @property
    def cause(self) -> Cause:
        """What kind of thing decided the end state."""
        return cause_of(self.decider, self.answers)


class Disagreement(NamedTuple):
    """One thing that the records and the replay say differently, with what decided."""

    replayed: Replayed
    about: str
    """"end" or "mark"."""
    recorded: str
    graded: str
    cause: Cause
    decider: Decider


@dataclass(frozen=True)
class Backtest:
    """All cases of a dataset, replayed and compared."""

    dataset: str
    environment: str
    replayed: tuple[Replayed, ...]
    left_out: dict[str, str]
    """Case -> why it cannot be replayed."""
    end_states: Agreement
    success: Agreement
    marks: Agreement
    """Of the record's mark and the right one by the criteria."""
    answers: Agreement
    readings: Agreement
    """Of the topic map and the matcher on what mails are about, names aside."""

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The cases that end otherwise than recorded, and those whose record bears another mark."""
        found = [
            Disagreement(one, END, one.case.recorded, one.graded, one.cause, one.decider)
            for one in self.replayed
            if not one.ends_agree
        ]
        found += [
            Disagreement(one, MARK, *one.mark, Cause.CRITERIA, one.marked_by)
            for one in self.replayed
            if not one.marks_agree
        ]
        return tuple(found)

    @property
    def rules(self) -> dict[str, list[str]]:
        """Deciding rule -> cases that disagree by it."""
        found: dict[str, list[str]] = {}
        for one in self.disagreements:
            cases = found.setdefault(one.decider.rule, [])
            if one.replayed.case.case_id not in cases:
                cases.append(one.replayed.case.case_id)
        return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))

    @property
    def answer_disagreements(self) -> tuple[AnswerPair, ...]:
        """The mails that a world's buyer answers otherwise."""
        return tuple(pair for one in self.replayed for pair in one.answers if len({*pair.pair}) > 1)


def backtest(dataset: str, environment: str, cases: Sequence[ArchivedCase], casting: Casting) -> Backtest:
    """Returns the comparison of all cases that can be replayed."""
    left_out = {case.case_id: why for case in cases if (why := _cannot(case, casting))}
    replayed = tuple(replay(case, casting) for case in cases if case.case_id not in left_out)
    marks = [one.mark for one in replayed if one.mark[0] != OPEN]
    return Backtest(
        dataset=dataset,
        environment=environment,
        replayed=replayed,
        left_out=left_out,
        end_states=agreement_of([(one.case.recorded, one.graded) for one in replayed], [*EndState]),
        success=agreement_of(
            [(_success(one.case.recorded), _success(one.graded)) for one in replayed], [SUCCESS, NO_SUCCESS]
        ),
        marks=agreement_of(marks, sorted({label for pair in marks for label in pair})),
        answers=agreement_of([pair.pair for one in replayed for pair in one.answers], [OFFERED, NOT_OFFERED]),
        readings=agreement_of(
            [pair.reading for one in replayed for pair in one.answers if pair.reading], [RELEVANT, IRRELEVANT]
        ),
    )


def replay(case: ArchivedCase, casting: Casting) -> Replayed:
    """Returns a case after the rep's actions went through the world of the case and its grader."""
    turns: list[tuple[int, int, Any]] = sorted(
        [
            *((one.second, 0, one) for one in case.notices),
            *((one.second, 1, one) for one in case.actions if not is_status(one)),
        ],
        key=lambda turn: turn[:2],
    )
    turns += [(0, 1, one) for one in case.actions if is_status(one)]
    notices = [(TURN_MS * at, one) for at, (_, kind, one) in enumerate(turns, start=1) if kind == 0]
    bundle = casting.bundle(case, len(turns), notices)
    shift = Shift(
        bundle.visible,
        bundle.server,
        world_hash=bundle.world_hash,
        environment=bundle.environment,
        level=bundle.level,
    )
    rep = _Rep(shift, case, bundle.truth.meeting_stage)
    for at, (_, kind, one) in enumerate(turns, start=1):
        if kind == 1:
            rep.act(one, TURN_MS * at)
    shift.tick_to(TURN_MS * (len(turns) + 1))
    shift.lock(EndReason.AGENT_STOPPED)
    grade = grade_shift(shift.events, bundle.truth)
    graded = end_state(grade, bundle.truth)
    judged = Judged(case, casting, shift.events, rep.evidence, grade)
    return Replayed(
        case=case,
        grade=grade,
        graded=graded,
        decider=judged.decider(graded),
        mark=judged.mark(),
        marked_by=judged.marked_by(),
        answers=tuple(pair for pitch in case.pitches if (pair := judged.answer(pitch)) is not None),
        refused=tuple(rep.refused),
    )


def end_state(grade: Grade, truth: Truth) -> EndState:
    """Returns the end state that a grade gives credit for."""
    if not all(grade.gates.values()):
        return EndState.NOTHING
    account = truth.accounts[0]
    wanted = f"{'meeting' if account.archetype == 'bookable' else 'qualification'}:{ACCOUNT}"
    passed = any(check.id == wanted and check.verdict is Verdict.PASS for check in grade.checks)
    if not passed:
        return EndState.NOTHING
    return EndState.MEETING if account.archetype == "bookable" else EndState.NOT_A_FIT


class _Rep:
    """Carries out a rep's archived actions in a shift."""

    def __init__(self, shift: Shift, case: ArchivedCase, meeting_stage: str) -> None:
        self._shift = shift
        self._case = case
        self._meeting_stage = meeting_stage
        self._threads: dict[str, str] = {}
        self._invites: dict[str, str] = {}
        self.evidence: dict[int, str] = {}
        """Number of an event -> row of the archive."""
        self.refused: list[str] = []

    def act(self, one: RepAction, at_ms: int) -> None:
        """Does at a time what the rep did."""
        action, data = self._mapped(one)
        if action is None:
            self.refused.append(f"{one.evidence}: {one.action}: {data['why']}")
            return
        result = self._shift.apply(action, data, at_ms)
        if result.event is None or result.refused:
            self.refused.append(f"{one.evidence}: {action}: {result.refused}")
            return
        self.evidence[result.event.seq] = one.evidence
        made = result.event.data
        if one.action is Action.MAIL_SEND:
            self._threads[one.data["thread"]] = made["mail_id"]
        elif one.action is Action.INVITE_SEND:
            self._invites[one.data["uid"]] = made["event_id"]

    def _mapped(self, one: RepAction) -> tuple[Action | None, dict[str, Any]]:
        data = one.data
        match one.action:
            case Action.MAIL_SEND:
                given = {"to": [*data["to"]], "subject": data["subject"], "body": data["body"]}
                known = self._threads.get(data["thread"])
                return (
                    (Action.MAIL_REPLY, {**given, "mail_id": known}) if known else (Action.MAIL_SEND, given)
                )
            case Action.INVITE_SEND:
                names = ("title", "starts_at", "ends_at", "text")
                given = {name: data[name] for name in names}
                return Action.INVITE_SEND, {**given, "attendees": [*data["attendees"]]}
            case Action.INVITE_CANCEL:
                event = self._invites.get(data["uid"])
                return (
                    (one.action, {"event_id": event}) if event else (None, {"why": "no such invite was sent"})
                )
            case Action.CRM_ADD_ACTIVITY:
                return one.action, {"account_id": ACCOUNT, "kind": "Task", "text": one.evidence}
        line: dict[str, Any] = {"record_id": ACCOUNT, "field": data["field"]}
        if not is_status(one):
            return one.action, {**line, "value": self._meeting_stage}
        fits = data["fits"]
        reason = self._case.concept if fits else data["reason"]
        return one.action, {**line, "value": "Qualified" if fits else "Not a fit", "reason": reason}


def _cannot(case: ArchivedCase, casting: Casting) -> str:
    """Returns why a case cannot be replayed, empty where it can."""
    if not case.actions:
        return "its records show no action of the rep"
    if casting.rule_of(case) is None and not case.concept:
        return "its record reports no problem that the topic map knows"
    return ""


def _success(state: EndState) -> str:
    return NO_SUCCESS if state is EndState.NOTHING else SUCCESS
