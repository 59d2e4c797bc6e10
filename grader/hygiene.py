"""CRM duties: what must be written down for every account where a meeting can be booked."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import partial

from contracts.grade import CheckResult, Label, Verdict
from contracts.instants import Instant
from contracts.shift_events import Action
from contracts.world import AccountTruth, Truth
from grader.checks import Judgement, check_of
from grader.days import names_instant
from grader.line_data import ContactAdded, FieldSet, NoteAdded
from grader.log_view import Line, LogView
from grader.meetings import Calendar, Meeting, bookable
from grader.people import plain_address

_LONGEST_LEAD, _LONGEST_FOLLOW_UP = timedelta(days=60), timedelta(days=14)
_WORD = re.compile(r"[^\W\d_]{2,}")
_NO_MEETING: Judgement = (Verdict.FAIL, "no right meeting stands, so there is nothing to record", [])


def check_duties(view: LogView, calendar: Calendar, truth: Truth) -> list[CheckResult]:
    """Returns one check per duty that is due; which are due does not depend on what was done."""
    checks = []
    for account in bookable(truth):
        meeting = calendar.right_meeting(account.buyer_address.lower())
        for duty in truth.duties:
            if duty == "contact_added" and not account.contact_missing:
                continue
            judge = partial(_judge, duty, view, calendar, account, meeting, truth)
            checks.append(
                check_of(f"duty:{duty}:{account.account_id}", "crm_hygiene", Label.NOOP_FAIL, judge)
            )
    return checks


def _judge(
    duty: str,
    view: LogView,
    calendar: Calendar,
    account: AccountTruth,
    meeting: Meeting | None,
    truth: Truth,
) -> Judgement:
    match duty:
        case "contact_added":
            return _contact_added(view, account)
        case "note":
            return _NO_MEETING if meeting is None else _note(view, calendar, account, meeting, truth)
        case "stage":
            return _NO_MEETING if meeting is None else _stage(view, account, truth)
        case "next_step":
            return _NO_MEETING if meeting is None else _next_step(view, account, meeting, truth)
    return Verdict.UNKNOWN, f"nothing is known about a duty {duty!r}", []


def _note(
    view: LogView, calendar: Calendar, account: AccountTruth, meeting: Meeting, truth: Truth
) -> Judgement:
    # An instant that was agreed stays noted when the same instant is accepted once more.
    agreed = calendar.agreed[account.buyer_address.lower(), meeting.starts_at]
    zones = [truth.zone] if account.buyer_zone is None else [truth.zone, account.buyer_zone]
    notes = [n for n in view.of(NoteAdded, Action.CRM_ADD_NOTE) if n.data.account_id == account.account_id]
    for note in notes:
        if note.seq > agreed and names_instant(note.data.text, meeting.starts_at, zones):
            return (
                Verdict.PASS,
                "a note written after the acceptance names the agreed time",
                [agreed, note.seq],
            )
    if not notes:
        return Verdict.FAIL, "no note was written", [agreed]
    text = "no note written after the acceptance names the agreed day or time"
    return Verdict.FAIL, text, [agreed, *(note.seq for note in notes)]


def _last_set(view: LogView, account: AccountTruth, field: str) -> Line[FieldSet] | None:
    lines = view.of(FieldSet, Action.CRM_SET_FIELD)
    found = [n for n in lines if n.data.record_id == account.account_id and n.data.field == field]
    return found[-1] if found else None


def _stage(view: LogView, account: AccountTruth, truth: Truth) -> Judgement:
    last = _last_set(view, account, "stage")
    if last is None:
        return Verdict.FAIL, "the stage was not set", []
    if last.data.value != truth.meeting_stage:
        return Verdict.FAIL, f"the stage is {last.data.value!r}, not {truth.meeting_stage!r}", [last.seq]
    return Verdict.PASS, f"the stage is {truth.meeting_stage!r}", [last.seq]


def _next_step(view: LogView, account: AccountTruth, meeting: Meeting, truth: Truth) -> Judgement:
    last = _last_set(view, account, "next_step")
    if last is None:
        return Verdict.FAIL, "no next step was set", []
    day = day_of(last.data.on)
    if not is_step(last.data.value) or day is None:
        return Verdict.FAIL, "the next step lacks its text or its date", [last.seq]
    first, final = step_days(view, truth, meeting.starts_at)
    if not first <= day <= final:
        return Verdict.FAIL, f"the next step's date {day} does not belong to the meeting", [last.seq]
    return Verdict.PASS, f"a next step with the date {last.data.on}", [last.seq]


def is_step(text: str) -> bool:
    """Says whether a text names something to do: it has a word."""
    return _WORD.search(text) is not None


def day_of(text: str) -> date | None:
    """Returns the date of "2026-10-14", None where the text is none."""
    try:
        return date.fromisoformat(text) if len(text) == len("2026-01-01") else None
    except ValueError:
        return None


def step_days(view: LogView, truth: Truth, meeting: Instant) -> tuple[date, date]:
    """Returns the first and last day that the next step about a meeting can have.

    It prepares the meeting or follows it up: from the day of the shift, or two months before the meeting
    where the log does not tell that day, to two weeks after the meeting.
    """
    held = truth.zone.local(meeting).date()
    started = view.started_at()
    first = held - _LONGEST_LEAD if started is None else truth.zone.local(started).date()
    return min(first, held), held + _LONGEST_FOLLOW_UP


def _contact_added(view: LogView, account: AccountTruth) -> Judgement:
    wanted = plain_address(account.contact_missing)
    added = [
        line.seq
        for line in view.of(ContactAdded, Action.CRM_ADD_CONTACT)
        if line.data.account_id == account.account_id and plain_address(line.data.address) == wanted
    ]
    mailed = [m.seq for m in view.outgoing() if wanted in {plain_address(a) for a in m.recipients}]
    if not added:
        return Verdict.FAIL, "the missing contact was not added", mailed[:1]
    if not mailed:
        return Verdict.FAIL, "the contact was added but never written to", added[:1]
    if mailed[0] < added[0]:
        return Verdict.FAIL, "the contact was added after the first mail to it", [mailed[0], added[0]]
    return Verdict.PASS, "the contact was added before the first mail to it", [added[0], mailed[0]]
