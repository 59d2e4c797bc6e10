"""CRM duties: what must be written down for every account where a meeting can be booked."""

from __future__ import annotations

from datetime import date

from contracts.grade import CheckResult, Label, Verdict
from contracts.shift_events import Action
from contracts.world import AccountTruth, Truth
from grader.days import names_instant
from grader.log_view import ContactAdded, FieldSet, Line, LogView, NoteAdded
from grader.meetings import Calendar, Meeting, bookable
from grader.people import plain_address

_Judgement = tuple[Verdict, str, list[int]]
_NO_MEETING: _Judgement = (Verdict.FAIL, "no right meeting stands, so there is nothing to record", [])


def check_duties(view: LogView, calendar: Calendar, truth: Truth) -> list[CheckResult]:
    """Returns one check per duty that is due; which are due does not depend on what was done."""
    checks = []
    for account in bookable(truth):
        meeting = calendar.right_meeting(account.buyer_address.lower())
        for duty in truth.duties:
            if duty == "contact_added" and not account.contact_missing:
                continue
            verdict, text, evidence = _judge(duty, view, account, meeting, truth)
            checks.append(
                CheckResult(
                    id=f"duty:{duty}:{account.account_id}",
                    component="crm_hygiene",
                    label=Label.NOOP_FAIL,
                    verdict=verdict,
                    explanation=text,
                    evidence=evidence,
                )
            )
    return checks


def _judge(
    duty: str, view: LogView, account: AccountTruth, meeting: Meeting | None, truth: Truth
) -> _Judgement:
    match duty:
        case "contact_added":
            return _contact_added(view, account)
        case "note":
            return _NO_MEETING if meeting is None else _note(view, account, meeting, truth)
        case "stage":
            return _NO_MEETING if meeting is None else _stage(view, account, truth)
        case "next_step":
            return _NO_MEETING if meeting is None else _next_step(view, account)
    return Verdict.UNKNOWN, f"nothing is known about a duty {duty!r}", []


def _note(view: LogView, account: AccountTruth, meeting: Meeting, truth: Truth) -> _Judgement:
    agreed = meeting.accepted[account.buyer_address.lower()]
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


def _stage(view: LogView, account: AccountTruth, truth: Truth) -> _Judgement:
    last = _last_set(view, account, "stage")
    if last is None:
        return Verdict.FAIL, "the stage was not set", []
    if last.data.value != truth.meeting_stage:
        return Verdict.FAIL, f"the stage is {last.data.value!r}, not {truth.meeting_stage!r}", [last.seq]
    return Verdict.PASS, f"the stage is {truth.meeting_stage!r}", [last.seq]


def _next_step(view: LogView, account: AccountTruth) -> _Judgement:
    last = _last_set(view, account, "next_step")
    if last is None:
        return Verdict.FAIL, "no next step was set", []
    if not last.data.value.strip() or not _is_day(last.data.on):
        return Verdict.FAIL, "the next step lacks its text or its date", [last.seq]
    return Verdict.PASS, f"a next step with the date {last.data.on}", [last.seq]


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == len("2026-01-01")


def _contact_added(view: LogView, account: AccountTruth) -> _Judgement:
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
