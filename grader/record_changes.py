"""CRM records: which changes state what is true.

Fields are judged by their final value, each against the truth of that very record, so that putting right
what was set wrong heals it. The status has its own component. Notes and activities cannot be read for their
meaning: an account is explained as many of them as things happened there, and a few about what was read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from contracts.names import fold
from contracts.shift_events import Action, WorldEvent
from contracts.world import AccountTruth, PersonTruth
from grader.hygiene import day_of, is_step, step_days
from grader.line_data import (
    ActivityAdded,
    Answered,
    ContactAdded,
    Data,
    Delivered,
    FieldSet,
    Merged,
    NoteAdded,
    Notice,
    SentInvite,
    SentMail,
)
from grader.log_view import Line
from grader.people import leads_to, names_alike, people_of
from grader.unexplained import Item, Shift

NOTES_ON_READING = 2
"""Notes and activities on an account that need nothing but its website."""
_CALL = re.compile(r"call|phone|dial")
_NOTHING = re.compile(r"(?:no|none|nothing|not|n a|na|closed?|done|drop(?:ped)?|stop(?:ped)?|do not)\b")


def records_changed_wrongly(shift: Shift) -> list[Item]:
    """Returns one item per change of a record that states what is not true or nothing explains."""
    return [*_fields(shift), *_contacts(shift), *_notes(shift), *_merges(shift)]


def _fields(shift: Shift) -> Iterable[Item]:
    final: dict[tuple[str, str], Line[FieldSet]] = {}
    for line in shift.view.of(FieldSet, Action.CRM_SET_FIELD):
        final[line.data.record_id, line.data.field] = line
    for (record, name), line in final.items():
        account = shift.accounts.get(line.data.account)
        if account is None:
            text = "a record of no account of this shift was changed"
        elif name == "stage":
            text = _wrong_stage(shift, account, line)
        elif name == "next_step":
            text = _wrong_step(shift, account, line)
        elif name == "status" and record == account.account_id:
            text = ""
        else:
            text = _wrong_value(shift, account, line)
        if text:
            yield Item(line.seq, "record", text)


def _wrong_stage(shift: Shift, account: AccountTruth, line: Line[FieldSet]) -> str:
    """Says what is wrong with a stage: it must be the old one, or its meaning must hold at the end."""
    value, truth = line.data.value, shift.truth
    if any(held.id == account.account_id and held.stage == value for held in truth.records):
        return ""
    if value == truth.meeting_stage:
        text = f"the stage of {account.domain} claims a meeting that does not stand"
        return "" if _has_met(shift, account) else text
    order = {stage: number for number, stage in enumerate(truth.stages)}
    place, met = order.get(value, len(order)), order.get(truth.meeting_stage, len(order))
    written = any(
        shift.people.account_of(address) == account
        for mail in shift.view.outgoing()
        for address in mail.recipients
    )
    if place == 0 or (place < met and written):
        return ""
    if value == truth.stages[-1] and account.archetype == "signed" and _is_told(shift, account):
        return ""
    return f"the stage {value!r} of {account.domain} does not hold"


def _is_told(shift: Shift, account: AccountTruth) -> bool:
    what = f"signed:{account.account_id}"
    return any(line.data.what == what for line in shift.view.of(Notice, WorldEvent.NOTICE))


def _has_met(shift: Shift, account: AccountTruth) -> bool:
    if account.archetype == "bookable":
        return shift.calendar.right_meeting(account.buyer_address.lower()) is not None
    meetings = shift.calendar.meetings.values()
    return account.archetype == "signed" and any(
        shift.people.account_of(guest) == account for meeting in meetings for guest in meeting.accepted
    )


def _wrong_step(shift: Shift, account: AccountTruth, line: Line[FieldSet]) -> str:
    """Says what is wrong with a next step: with whom nothing is planned there is none."""
    value, on = fold(line.data.value), line.data.on
    if not value or any(
        held.id == account.account_id and (held.next_step, held.next_step_on) == (line.data.value, on)
        for held in shift.truth.records
    ):
        return ""
    day = day_of(on)
    if not is_step(value) or (on and day is None):
        return f"the next step of {account.domain} says nothing"
    meeting = shift.calendar.right_meeting(account.buyer_address.lower())
    if meeting is not None and day is not None:
        first, final = step_days(shift.view, shift.truth, meeting.starts_at)
        return "" if first <= day <= final else f"the next step's date {on} is of no use"
    if account.archetype in {"unfit", "acquired"} and not _NOTHING.match(value.replace("/", " ")):
        return f"a next step was set at {account.domain}, with whom nothing is planned"
    return ""


def _person_of(shift: Shift, account: AccountTruth, line: Line[FieldSet]) -> PersonTruth | None:
    """Returns whom a contact's record is about, by its address or name before it was changed."""
    record = line.data.record_id
    known = [(held.address, held.name) for held in shift.truth.crm_contacts if held.id == record]
    known += [
        (added.data.address, added.data.name)
        for added in shift.view.of(ContactAdded, Action.CRM_ADD_CONTACT)
        if added.data.contact_id == record
    ]
    return next(
        (
            person
            for address, name in known
            for person in people_of(account)
            if leads_to(address, person.address) or names_alike(name, person.name)
        ),
        None,
    )


def _wrong_value(shift: Shift, account: AccountTruth, line: Line[FieldSet]) -> str:
    name, value = line.data.field, line.data.value
    text = f"the field {name!r} was set to what is nowhere written"
    if not shift.truth.crm_contacts:
        # Without the records of the start nobody can tell whose field it was.
        people = people_of(account)
        return "" if name == "role" or any(_is_true(name, value, held) for held in people) else text
    before = [
        getattr(held, name, None) for held in shift.truth.crm_contacts if held.id == line.data.record_id
    ]
    person = _person_of(shift, account, line)
    return "" if value in before or (person and _is_true(name, value, person)) else text


def _is_true(name: str, value: str, person: PersonTruth) -> bool:
    match name:
        case "name":
            return names_alike(value, person.name)
        case "address":
            return value.strip().lower() == person.address.lower()
        case "role":
            return person.kind == "delegate" or fold(value) == fold(person.role)
        case "phone":
            return bool(_digits(value)) and _digits(value) == _digits(person.phone)
    return False


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _contacts(shift: Shift) -> Iterable[Item]:
    there = {(held.account_id, held.address.lower()) for held in shift.truth.crm_contacts}
    for line in shift.view.of(ContactAdded, Action.CRM_ADD_CONTACT):
        data = line.data
        account = shift.accounts.get(data.account_id)
        if account is None:
            yield Item(line.seq, "record", "a contact was added to no account of this shift")
            continue
        people = [held for held in people_of(account) if _is_true("address", data.address, held)]
        known = [held for held in people if _is_true("name", data.name, held)]
        key = (data.account_id, data.address.strip().lower())
        if not known:
            text = f"{data.name} <{data.address}> is nobody of {account.domain}"
        elif key in there:
            text = f"{data.name} stood among the contacts of {account.domain} already"
        else:
            wrong = [
                name
                for name, value in (("role", data.role), ("phone", data.phone))
                if account.people and value.strip() and not _is_true(name, value, known[0])
            ]
            text = f"{data.name} was added with a wrong {' and '.join(wrong)}" if wrong else ""
        there.add(key)
        if text:
            yield Item(line.seq, "record", text)


def _notes(shift: Shift) -> Iterable[Item]:
    happened: dict[str, int] = defaultdict(int)
    written: dict[str, int] = defaultdict(int)
    later: list[tuple[int, NoteAdded | ActivityAdded]] = []
    fields: set[tuple[str, str]] = set()
    for line in shift.view.lines:
        # A field that is set again and again is one thing to note.
        if isinstance(line.data, FieldSet):
            if (line.data.record_id, line.data.field) in fields:
                continue
            fields.add((line.data.record_id, line.data.field))
        for account_id in _concerned(shift, line):
            happened[account_id] += 1
        if isinstance(line.data, NoteAdded | ActivityAdded):
            later.append((line.seq, line.data))
    for seq, data in later:
        account = shift.accounts.get(data.account_id)
        if account is None:
            yield Item(seq, "record", "a note was written on no account of this shift")
            continue
        written[data.account_id] += 1
        if isinstance(data, ActivityAdded) and _CALL.search(fold(data.kind)) and not _met(shift, account):
            yield Item(seq, "record", f"an activity claims a call with {account.domain}")
        elif written[data.account_id] > NOTES_ON_READING + happened[data.account_id]:
            text = f"{account.domain} has more notes than there was to note"
            yield Item(seq, "record", text)


def _met(shift: Shift, account: AccountTruth) -> bool:
    meetings = shift.calendar.meetings.values()
    return any(
        shift.people.account_of(guest) == account for meeting in meetings for guest in meeting.accepted
    )


def _concerned(shift: Shift, line: Line[Data]) -> set[str]:
    """Returns the accounts that a line is about, notes themselves left out."""
    data = line.data
    if isinstance(data, FieldSet | ContactAdded):
        return {data.account if isinstance(data, FieldSet) else data.account_id}
    addresses: list[str] = []
    if isinstance(data, Delivered):
        addresses = [data.mail.sender.address]
    elif isinstance(data, Answered):
        addresses = [data.by]
    elif isinstance(data, SentInvite):
        addresses = data.attendees
    elif isinstance(data, SentMail):
        addresses = [*data.to, *data.cc]
    found = (shift.people.account_of(address) for address in addresses)
    return {account.account_id for account in found if account is not None}


def _merges(shift: Shift) -> Iterable[Item]:
    records = {held.id: (held.account_id, held.name) for held in shift.truth.crm_contacts}
    for added in shift.view.of(ContactAdded, Action.CRM_ADD_CONTACT):
        records[added.data.contact_id] = (added.data.account_id, added.data.name)
    for line in shift.view.of(Merged, Action.CRM_MERGE):
        one, other = records.get(line.data.record_id), records.get(line.data.into)
        if not (one and other and one[0] == other[0] and names_alike(one[1], other[1])):
            yield Item(line.seq, "record", "two contacts were merged who are not one person")
