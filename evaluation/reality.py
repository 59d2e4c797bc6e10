"""An agent beside the company's own rep: per account what each reached, with how many touches, in what time.

Belongs here: the comparison for people who read reports. Nothing of it enters a world or a run folder: case
ids stand in the truth only, and accounts without a case of their own (synthetic) are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from archive.home import DatasetHome
from contracts.company_model import RecordedCase
from contracts.grade import Grade, Verdict
from contracts.shift_events import Action, ShiftEvent, WorldEvent
from contracts.world import AccountTruth, Truth
from evaluation.end_states import BACKTEST_FILE, EndState
from evaluation.pages import clock, seconds

_BOOKABLE = "bookable"
_MAILS = frozenset({Action.MAIL_SEND, Action.MAIL_REPLY, Action.MAIL_FORWARD})


@dataclass(frozen=True)
class Side:
    """What somebody reached at an account."""

    reached: str
    right: bool
    """Whether it is the end that an account of this kind should have."""
    touches: int
    """Mails and new invites to its people."""
    time: str
    evidence: tuple[str, ...] = ()
    """Events of the shift, or the case."""


@dataclass(frozen=True)
class AccountPair:
    """One account: the agent in the shift and the rep in the case behind it."""

    account_id: str
    archetype: str
    agent: Side
    rep: Side


@dataclass(frozen=True)
class Reality:
    """A run beside what really happened."""

    pairs: tuple[AccountPair, ...]
    synthetic: int
    """Accounts without a recorded case."""

    def count(self, *, agent: bool, rep: bool) -> int:
        """Returns at how many accounts agent and rep reached the right end, or did not."""
        return sum((pair.agent.right, pair.rep.right) == (agent, rep) for pair in self.pairs)


def recorded_under(home: Path) -> dict[str, Side]:
    """Returns by case what the reps of all datasets under a state folder reached; unreadable models are none.

    Touches and time are those up to the meeting where a backtest tells them, else those of the whole case.
    """
    found: dict[str, Side] = {}
    for dataset in DatasetHome.all_under(home):
        replayed = _replayed(dataset)
        found.update(
            (case.case_id, _rep_side(case, replayed.get(case.case_id))) for case in _recorded_cases(dataset)
        )
    return found


def compare(
    grade: Grade, events: Sequence[ShiftEvent], truth: Truth, recorded: Mapping[str, Side]
) -> Reality | None:
    """Returns a run beside its cases; None where no account's case is known."""
    pairs = [
        AccountPair(account.account_id, account.archetype, _agent_side(account, grade, events), rep)
        for account in truth.accounts
        if not account.synthetic and (rep := recorded.get(account.case_id)) is not None
    ]
    if not pairs:
        return None
    return Reality(tuple(pairs), sum(account.synthetic for account in truth.accounts))


def _agent_side(account: AccountTruth, grade: Grade, events: Sequence[ShiftEvent]) -> Side:
    people = {party.address.lower() for party in account.contacts}
    touches = [event for event in events if people & set(_recipients(event))]
    name = f"{'meeting' if account.archetype == _BOOKABLE else 'qualification'}:{account.account_id}"
    check = next((check for check in grade.checks if check.id == name), None)
    right = check is not None and check.verdict is Verdict.PASS
    mark = _last_mark(account, events)
    if right and account.archetype == _BOOKABLE:
        reached = "meeting booked"
    elif mark is not None:
        reason = str(mark.data.get("reason", "")).replace("_", " ")
        reached = f"marked {mark.data['value']}" + (f": {reason}" if reason else "")
    else:
        reached = "mailed, nothing reached" if touches else "nothing"
    ends = _done(account, events) if account.archetype == _BOOKABLE else mark
    starts = touches[0].at_ms if touches and account.archetype == _BOOKABLE else 0
    took = clock(ends.at_ms - starts) if right and ends is not None else "–"
    return Side(
        reached, right, len(touches), took, tuple(str(seq) for seq in check.evidence) if check else ()
    )


def _recipients(event: ShiftEvent) -> Iterable[str]:
    if event.type in _MAILS:
        return [address.lower() for box in ("to", "cc", "bcc") for address in event.data.get(box, [])]
    if event.type == Action.INVITE_SEND:
        return [address.lower() for address in event.data.get("attendees", [])]
    return []


def _last_mark(account: AccountTruth, events: Sequence[ShiftEvent]) -> ShiftEvent | None:
    marks = [
        event
        for event in events
        if event.type == Action.CRM_SET_FIELD
        and event.data.get("account_id") == account.account_id
        and event.data.get("field") == "status"
    ]
    return marks[-1] if marks else None


def _done(account: AccountTruth, events: Sequence[ShiftEvent]) -> ShiftEvent | None:
    buyer = account.buyer_address.lower()
    accepted = [
        event
        for event in events
        if event.type == WorldEvent.ACCEPTED and str(event.data.get("by", "")).lower() == buyer
    ]
    return accepted[-1] if accepted else None


def _rep_side(case: RecordedCase, replayed: Mapping[str, object] | None) -> Side:
    reason = case.reason.replace("_", " ")
    reached = {
        _BOOKABLE: "meeting booked",
        "signed": "signed meanwhile",
        "acquired": "lost to a purchase",
    }.get(case.archetype, f"disqualified: {reason}")
    right = True
    touches, time = case.touches, f"{case.days} d (whole case)"
    if replayed is not None:
        recorded = str(replayed["recorded"])
        right = recorded == (EndState.MEETING if case.archetype == _BOOKABLE else EndState.NOT_A_FIT)
        if not right:
            reached = {
                EndState.MEETING: "meeting booked",
                EndState.NOT_A_FIT: f"disqualified: {replayed['reason']}",
            }.get(EndState(recorded), "no meeting, not marked")
        touches, took = int(str(replayed["touches"])), replayed["seconds"]
        time = "–" if took is None else seconds(int(str(took))) if touches > 1 else "one touch"
    return Side(reached, right, touches, time, (case.case_id,))


def _recorded_cases(dataset: DatasetHome) -> list[RecordedCase]:
    try:
        content = json.loads((dataset.model / "company_model.json").read_bytes())
        return [RecordedCase.model_validate(one) for one in content["recorded_cases"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []  # nothing was extracted, or by another version: its cases are not known


def _replayed(dataset: DatasetHome) -> dict[str, Mapping[str, object]]:
    try:
        content = json.loads((dataset.reports / BACKTEST_FILE).read_bytes())
        return {one["case_id"]: one for one in content["cases"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # no backtest was made, or an older one: the model's figures stand
