"""Archived cases as the company's own rep worked them, from first mail to what the records say at the end.

Belongs here: reading clean tables and the rep's actions in the shift's vocabulary. Not here: what a world
makes of them (`casting`, `backtest`). The recorded end is read from CRM records alone; mails give what was
done, when, and what the people of the account answered.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from archive.home import DatasetHome
from contracts.decisions import FactValue
from contracts.instants import Instant
from contracts.manifest import TopicMap
from contracts.names import addresses_in, split_address
from contracts.shift_events import Action
from contracts.tables import ColumnKind
from evaluation.end_states import EndState
from evaluation.errors import EvaluationError
from evaluation.offered import times_named
from extract import phrases
from extract.cases import Case, CaseBook, link_cases
from extract.dataset import Dataset, open_dataset, text_of, texts
from extract.decisions import QUALIFIED, qualification_facts, qualification_outcome
from extract.documents import add_documents, document_events
from extract.errors import ExtractError
from extract.events import in_order, mail_events, record_events, spans, ticket_events
from extract.mails import Mail, MailKind, read_mails
from extract.meetings import Invitation, appointments, names_delegate, read_invitations
from extract.objects import BusinessObject, ObjectGraph, build_objects
from extract.outreach import Answer, answer_of, find_exchanges
from extract.people import Outsiders, Staff
from extract.response import Pitch, Topics, judge_pitches
from extract.tickets import read_tickets
from extract.traps import Found, find_patterns

_DISPLAY = re.compile(r'^\s*"?([^"<>@]+?)"?\s*<')
_HOUR = 3_600
_USUAL_MINUTES = 30
"""Of a meeting whose invite states no end."""
_REPLAYED = frozenset({MailKind.OUTREACH, MailKind.SENT})


@dataclass(frozen=True)
class RepAction:
    """Something that the rep did, as an action of the shift."""

    second: Instant
    action: Action
    evidence: str
    """Id of the mail or record that shows it."""
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Notice:
    """Something that the archive told the rep: who must not be written to, or that the account signed."""

    second: Instant
    what: str
    """"do_not_contact:<address>" or "signed"."""
    evidence: str


@dataclass
class Person:
    """Somebody at the account whom the rep wrote to, with what is known of them."""

    address: str
    name: str
    offset_minutes: int = 0
    """Of their clock."""
    machine: str = "bookable"
    """Of the world's kinds of buyers: bookable, out_of_office, delegate, wrong_person, cancels."""
    offers: list[tuple[Instant, ...]] = field(default_factory=list)
    """Times that they named, mail by mail."""
    replacement: Instant | None = None
    """The time asked for after cancelling."""
    delegate: str = ""
    """Address of who stands in for them."""


@dataclass(frozen=True)
class ArchivedCase:
    """A lead's case: what was known, what the rep did, how the records say it ended."""

    case_id: str
    lead: str
    """Id of the lead's record."""
    account: str
    """Name of the account."""
    rep: str
    """Address of the rep."""
    facts: dict[str, FactValue]
    concept: str
    """The problem that the record reports, as the topic map calls it; empty for none."""
    pain: str
    people: tuple[Person, ...]
    actions: tuple[RepAction, ...]
    notices: tuple[Notice, ...]
    waivers: tuple[str, ...]
    """Ids of inside mails that let the case pass against a rule."""
    reports: tuple[str, ...]
    """Ids of mails that report that the account was bought, where its record does not know."""
    recorded: EndState
    reason: str
    """The reason for "not a fit"."""
    evidence: tuple[str, ...]
    """Ids of the records that say how it ended."""
    pitches: tuple[Pitch, ...]
    touches: int
    """Mails and new invites that the account got."""
    seconds: int | None
    """From the first touch to the last one, None without any."""


def read_archived(home: DatasetHome, topics: TopicMap) -> list[ArchivedCase]:
    """Returns all cases that began as a lead, by case id.

    Raises:
        EvaluationError: the dataset has no readable clean tables.
    """
    try:
        data = open_dataset(home)
    except ExtractError as error:
        raise EvaluationError(str(error)) from error
    graph = build_objects(data)
    documents = add_documents(data, graph)
    staff, outsiders = Staff(data, graph), Outsiders(graph)
    mails = read_mails(data, graph, staff, outsiders)
    tickets = read_tickets(data, graph)
    exchanges = find_exchanges(mails)
    events = in_order(
        [
            *record_events(data, graph, staff),
            *document_events(data, graph, staff, documents),
            *ticket_events(tickets, staff),
            *mail_events(mails, exchanges, graph),
        ]
    )
    times = spans(events)
    book = link_cases(graph, times, outsiders, tickets, mails)
    invitations = read_invitations(data, mails)
    booked = appointments(invitations, exchanges)
    found = find_patterns(data, graph, staff, mails, exchanges, booked)
    pitches = judge_pitches(exchanges, topics, graph)
    reader = _Reader(data, graph, book, times, invitations, found, pitches, Topics(topics))
    return sorted(
        (reader.archived(case, leads[0]) for case in book.cases if (leads := case.of_type(graph, "lead"))),
        key=lambda one: one.case_id,
    )


class _Reader:
    """Everything that cases are read from."""

    def __init__(
        self,
        data: Dataset,
        graph: ObjectGraph,
        book: CaseBook,
        times: Mapping[str, tuple[int, int]],
        invitations: Sequence[Invitation],
        found: Found,
        pitches: Sequence[Pitch],
        topics: Topics,
    ) -> None:
        self._graph = graph
        self._topics = topics
        self._times = times
        self._stated: dict[str, dict[Instant, Instant]] = defaultdict(dict)
        for one in invitations:
            for time in times_named(one.mail.own, one.mail.second, 0) if one.method == "REQUEST" else ():
                self._stated[one.guest][time] = one.starts.second
        self._names = _display_names(data)
        self._stale = {one.object_id for one in found.stale}
        self._signed = {mail.message_id for mail in found.notices}
        self._cancelling = {mail.message_id for mail in found.cancellations}
        self._invitations: dict[str, list[Invitation]] = defaultdict(list)
        for one in invitations:
            self._invitations[one.mail.message_id].append(one)
        self._pitches: dict[str, list[Pitch]] = defaultdict(list)
        for pitch in pitches:
            case = book.of_mail(pitch.exchange.mail)
            if case is not None:
                self._pitches[case.case_id].append(pitch)

    def archived(self, case: Case, lead: BusinessObject) -> ArchivedCase:
        """Returns a case as its rep worked it."""
        mails = sorted(case.mails, key=lambda mail: (mail.second, mail.message_id))
        sold = next((mail.second for mail in mails if mail.inside and mail.kind is MailKind.DOCUMENT), None)
        early = [mail for mail in mails if sold is None or mail.second < sold]
        actions = [action for mail in early for action in self._actions_of(mail)]
        last = max([action.second for action in actions], default=case.first)
        recorded, reason, evidence = self._recorded(case, lead)
        actions += [one for one in self._notes_of(case) if sold is None or one.second < sold]
        actions.sort(key=lambda one: (one.second, one.action != Action.INVITE_CANCEL, one.evidence))
        actions += self._record_actions(lead, last)
        sent = [one for one in actions if one.action in (Action.MAIL_SEND, Action.INVITE_SEND)]
        pitches = tuple(self._pitches.get(case.case_id, []))
        facts = qualification_facts(lead)
        signed = [mail for mail in early if mail.message_id in self._signed]
        if lead.object_id in self._stale:
            facts["owned_by_competitor"] = True
        if signed:
            facts["already_customer"] = True
        return ArchivedCase(
            case_id=case.case_id,
            lead=lead.record,
            account=lead.attributes.get("name", ""),
            rep=next((mail.sender for mail in early if mail.inside and mail.outside), ""),
            facts=facts,
            concept=min(self._topics.concepts(lead.attributes.get("pain", "")), default=""),
            pain=lead.attributes.get("pain", ""),
            people=tuple(self._people(early)),
            actions=tuple(actions),
            notices=tuple(self._notices(early, signed)),
            waivers=tuple(
                mail.message_id
                for mail in early
                if mail.inside and not mail.outside and phrases.grants_exception(mail.own)
            ),
            reports=tuple(
                mail.message_id
                for mail in (early if lead.object_id in self._stale else [])
                if not mail.inside and phrases.says_acquired(mail.own)
            ),
            recorded=recorded,
            reason=reason,
            evidence=evidence,
            pitches=pitches,
            touches=len(sent),
            seconds=sent[-1].second - sent[0].second if sent else None,
        )

    def _recorded(self, case: Case, lead: BusinessObject) -> tuple[EndState, str, tuple[str, ...]]:
        outcome = qualification_outcome(lead)
        if outcome is not None and outcome != QUALIFIED:
            return EndState.NOT_A_FIT, outcome, (lead.record,)
        standing = [
            meeting.record
            for meeting in case.of_type(self._graph, "meeting")
            if "cancel" not in meeting.attributes.get("status", "").casefold()
        ]
        if standing:
            return EndState.MEETING, "", (lead.record, *standing)
        return EndState.NOTHING, "", (lead.record,)

    def _notes_of(self, case: Case) -> list[RepAction]:
        """Returns what the rep noted in the CRM on the way: tasks done, the stage when a deal was opened."""
        found = []
        for one in case.of_type(self._graph, "task", "opportunity"):
            second = self._times.get(one.object_id, (case.first, 0))[0]
            action = Action.CRM_ADD_ACTIVITY if one.type == "task" else Action.CRM_SET_FIELD
            found.append(RepAction(second, action, one.record, {"field": "stage"}))
        return found

    def _record_actions(self, lead: BusinessObject, second: Instant) -> list[RepAction]:
        """Returns what the rep wrote into the CRM; a record keeps no time of its status: it comes last."""
        outcome = qualification_outcome(lead)
        if outcome is None:
            return []
        data = {
            "field": "status",
            "fits": outcome == QUALIFIED,
            "reason": "" if outcome == QUALIFIED else outcome,
        }
        return [RepAction(second, Action.CRM_SET_FIELD, lead.record, data)]

    def _actions_of(self, mail: Mail) -> list[RepAction]:
        if not mail.inside or not mail.outside:
            return []
        if mail.kind in _REPLAYED:
            data = {"thread": mail.thread, "to": mail.outside, "subject": mail.subject, "body": mail.own}
            return [RepAction(mail.second, Action.MAIL_SEND, mail.message_id, data)]
        return [
            _invite_action(one, mail)
            for one in self._invitations.get(mail.message_id, [])
            if one.method == "CANCEL" or (one.method == "REQUEST" and one.guest)
        ]

    def _people(self, mails: Sequence[Mail]) -> list[Person]:
        people: dict[str, Person] = {}
        for mail in mails:
            if mail.inside and (mail.kind in _REPLAYED or mail.message_id in self._invitations):
                for address in mail.outside:
                    people.setdefault(address, Person(address, self._names.get(address) or _spelt(address)))
        for mail in mails:
            person = people.get(mail.sender)
            if mail.inside or person is None or mail.at is None:
                continue
            person.offset_minutes = mail.at.offset_minutes or 0
            self._note(person, mail, people)
        return list(people.values())

    def _note(self, person: Person, mail: Mail, people: Mapping[str, Person]) -> None:
        """Notes what a mail tells of its writer."""
        answer = answer_of(mail)
        if mail.message_id in self._cancelling:
            named = self._times_named(mail, person.offset_minutes)
            person.machine, person.replacement = "cancels", named[-1] if named else None
        elif answer is Answer.AUTO_REPLY and phrases.is_absence(mail.own) and names_delegate(mail):
            written = [one for one in addresses_in(mail.own) if one in people and one != person.address]
            if written:
                person.machine, person.delegate = "out_of_office", written[0]
                people[written[0]].machine = "delegate"
        elif answer is Answer.WRONG_PERSON and person.machine == "bookable":
            person.machine = "wrong_person"
        elif answer is Answer.OFFER:
            times = self._times_named(mail, person.offset_minutes)
            if times:
                person.offers.append(times)

    def _times_named(self, mail: Mail, offset: int) -> tuple[Instant, ...]:
        """Returns the times that a mail names, by the clock that its writer will have then.

        That clock may move between the mail and the time. An invite that repeats the wall-clock time in words
        tells the instant, as long as it lies within that hour.
        """
        stated = self._stated.get(mail.sender, {})
        named = times_named(mail.own, mail.second, 0)
        instants = [(time - 60 * offset, stated.get(time)) for time in named]
        return tuple(said if said and abs(said - time) <= _HOUR else time for time, said in instants)

    def _notices(self, mails: Sequence[Mail], signed: Sequence[Mail]) -> list[Notice]:
        found = [Notice(mail.second, "signed", mail.message_id) for mail in signed]
        found += [
            Notice(mail.second, f"do_not_contact:{mail.sender}", mail.message_id)
            for mail in mails
            if not mail.inside and mail.kind is MailKind.RECEIVED and answer_of(mail) is Answer.STOP_REQUEST
        ]
        return sorted(found, key=lambda one: (one.second, one.evidence))


def _invite_action(one: Invitation, mail: Mail) -> RepAction:
    starts_at = one.starts.second
    if one.method == "CANCEL":
        return RepAction(mail.second, Action.INVITE_CANCEL, mail.message_id, {"uid": one.uid})
    data = {
        "uid": one.uid,
        "starts_at": starts_at,
        "ends_at": starts_at + 60 * (one.minutes or _USUAL_MINUTES),
        "attendees": mail.outside,
        "title": mail.subject,
        "text": mail.own,
    }
    return RepAction(mail.second, Action.INVITE_SEND, mail.message_id, data)


def _display_names(data: Dataset) -> dict[str, str]:
    """Returns by address the name in the company's own records, else the longest one in a mail's header."""
    found: dict[str, str] = {}
    for row in data.rows("messages"):
        shown = [f"{text_of(row['from_name'])} <{text_of(row['from_address'])}>"]
        for box in [*shown, *texts(row["to"]), *texts(row["cc"])]:
            named = _DISPLAY.match(box)
            for address in addresses_in(box)[-1:]:
                name = named.group(1).strip() if named else ""
                if len(name) > len(found.get(address, "")):
                    found[address] = name
    for table in data.records:
        people = table.columns_of(ColumnKind.PERSON)
        for record in table.rows:
            name = " ".join(filter(None, (record.get(column) for column in people)))
            for column in table.columns_of(ColumnKind.EMAIL):
                if name and record.get(column):
                    found[(record[column] or "").casefold()] = name
    return found


def _spelt(address: str) -> str:
    parts = split_address(address)
    return re.sub(r"[._+-]+", " ", parts.local).title() if parts else address
