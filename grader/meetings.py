"""Meetings: what was offered, invited, accepted and stands at the end.

A meeting counts for an account if its buyer accepted it at a time that the buyer had named, if it stands
at the end of the shift, and if it is the only one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from contracts.grade import CheckResult, Label, Verdict
from contracts.instants import Instant
from contracts.shift_events import Action, WorldEvent
from contracts.world import AccountTruth, Truth
from grader.checks import Judgement, check_of
from grader.line_data import Answered, EventRef, MovedEvent, SentInvite
from grader.log_view import LogView


@dataclass
class Meeting:
    """An invite of this shift and what became of it."""

    event_id: str
    sent: int
    attendees: tuple[str, ...]
    starts_at: Instant
    ends_at: Instant
    accepted: dict[str, int] = field(default_factory=dict)
    """Guest -> number of the line in which the present time was accepted."""
    cancelled: int = 0
    """Number of the line in which the rep cancelled it."""
    moved: int = 0
    """Number of the line that last moved it."""

    def stands_for(self, address: str) -> bool:
        """Says whether a guest's acceptance holds at the end."""
        return not self.cancelled and address in self.accepted


@dataclass(frozen=True)
class Named:
    """Times that somebody named in a mail: two to choose from, or the one asked for after cancelling."""

    seq: int
    by: str
    instants: tuple[Instant, ...]
    asked: bool


@dataclass(frozen=True)
class Calendar:
    """The shift's meetings and the times that buyers named."""

    meetings: dict[str, Meeting]
    named: tuple[Named, ...]
    agreed: dict[tuple[str, Instant], int] = field(default_factory=dict)
    """Guest and instant -> number of the line in which that guest first accepted that instant."""

    def times_of(self, address: str, before: int) -> tuple[Instant, ...]:
        """Returns the times that count for a guest before a line: after an ask only the time asked for."""
        said = [named for named in self.named if named.by == address and named.seq < before]
        asked = [named for named in said if named.asked]
        return tuple(time for named in (asked[-1:] or said) for time in named.instants)

    def standing(self, address: str) -> list[Meeting]:
        """Returns the accepted meetings with a guest that stand at the end."""
        return [meeting for meeting in self.meetings.values() if meeting.stands_for(address)]

    def right_meeting(self, address: str) -> Meeting | None:
        """Returns the one right meeting with a guest, None where there is none or more than one."""
        standing = self.standing(address)
        if len(standing) != 1:
            return None
        meeting = standing[0]
        asked = [named for named in self.named if named.by == address and named.asked]
        before = max([meeting.accepted[address], *(named.seq + 1 for named in asked)])
        return meeting if meeting.starts_at in self.times_of(address, before) else None


def read_calendar(view: LogView) -> Calendar:
    """Returns the meetings of a shift as they stand after its last line."""
    meetings: dict[str, Meeting] = {}
    agreed: dict[tuple[str, Instant], int] = {}
    for line in view.lines:
        data = line.data
        if isinstance(data, SentInvite):
            guests = tuple(address.lower() for address in data.attendees)
            meetings.setdefault(
                data.event_id, Meeting(data.event_id, line.seq, guests, data.starts_at, data.ends_at)
            )
        elif isinstance(data, MovedEvent | EventRef | Answered) and data.event_id in meetings:
            _change(meetings[data.event_id], line.type, line.seq, data)
            if isinstance(data, Answered) and line.type == WorldEvent.ACCEPTED:
                agreed.setdefault((data.by.lower(), data.starts_at), line.seq)
    named = []
    for arrival in view.received():
        data = arrival.data
        by = data.mail.sender.address.lower()
        named.append(Named(arrival.seq, by, tuple(data.offers), asked=False))
        if data.asks is not None:
            named.append(Named(arrival.seq, by, (data.asks,), asked=True))
    return Calendar(meetings, tuple(named), agreed)


def _change(meeting: Meeting, kind: str, seq: int, data: MovedEvent | EventRef | Answered) -> None:
    if kind == Action.INVITE_CANCEL:
        meeting.cancelled = meeting.cancelled or seq
    elif isinstance(data, MovedEvent) and kind == Action.INVITE_UPDATE:
        if (meeting.starts_at, meeting.ends_at) != (data.starts_at, data.ends_at):
            # What stays as it was needs no new acceptance.
            meeting.starts_at, meeting.ends_at, meeting.moved = data.starts_at, data.ends_at, seq
            meeting.accepted.clear()
    elif isinstance(data, Answered):
        by = data.by.lower()
        if kind == WorldEvent.DECLINED:
            meeting.accepted.pop(by, None)
        elif by in meeting.attendees and data.starts_at == meeting.starts_at:
            meeting.accepted.setdefault(by, seq)


def bookable(truth: Truth) -> list[AccountTruth]:
    """Returns the accounts at which a meeting can be booked."""
    return [account for account in truth.accounts if account.archetype == "bookable"]


def check_meetings(calendar: Calendar, truth: Truth) -> list[CheckResult]:
    """Returns one check per bookable account: exactly one accepted, right, standing meeting."""
    return [
        check_of(
            f"meeting:{account.account_id}",
            "meetings",
            Label.NOOP_FAIL,
            partial(_judge, calendar, account),
        )
        for account in bookable(truth)
    ]


def _judge(calendar: Calendar, account: AccountTruth) -> Judgement:
    buyer = account.buyer_address.lower()
    standing = calendar.standing(buyer)
    right = calendar.right_meeting(buyer)
    evidence = [seq for meeting in standing for seq in (meeting.sent, meeting.accepted[buyer])]
    if right is not None:
        verdict, text = Verdict.PASS, "the buyer accepted one invite at a time the buyer had named"
    elif len(standing) > 1:
        verdict, text = Verdict.FAIL, f"{len(standing)} accepted meetings stand; there must be one"
    elif standing and not calendar.times_of(buyer, standing[0].accepted[buyer]):
        verdict, text = Verdict.UNKNOWN, "accepted, but the log names no time that the buyer offered"
    elif standing:
        verdict, text = Verdict.FAIL, "the meeting stands at a time that the buyer did not name"
    else:
        sent = [m for m in calendar.meetings.values() if buyer in m.attendees]
        evidence = [meeting.sent for meeting in sent]
        verdict = Verdict.FAIL
        text = "no invite to the buyer is accepted at the end" if sent else "the buyer was never invited"
    return verdict, text, evidence
