"""The events of the company: rows with a date, mails, tickets and their comments, with actor and role.

Belongs here: what happened, when, by whom, to which objects. Files are written by `log`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from archive.identifiers import derived_id
from contracts.manifest import EventSpec, ObjectSpec
from extract import phrases
from extract.dataset import Dataset, RecordTable, Row
from extract.mails import MAIL, Mail, MailKind
from extract.moments import Moment
from extract.objects import BusinessObject, ObjectGraph, object_id, spec_rows
from extract.outreach import Answer, Exchange
from extract.people import Colleague, Staff
from extract.tickets import Ticket

RECORDS, PAPERS, TICKETS, MAILS = range(4)
"""First part of `Event.rank`: records, documents, tickets, mails name what stands before them here."""
_ACTIVITIES = {
    MailKind.OUTREACH: "outreach sent",
    MailKind.SENT: "mail sent",
    MailKind.RECEIVED: "mail received",
    MailKind.DOCUMENT: "document sent",
    MailKind.INVITE: "meeting invited",
    MailKind.INVITE_ANSWER: "invitation answered",
    MailKind.INVITE_CANCELLED: "invitation cancelled",
    MailKind.AUTO_REPLY: "absence reported",
    MailKind.APPROVAL: "approval asked",
    MailKind.INTERNAL: "internal mail",
}
_ANSWERS = {
    Answer.OFFER: "times offered",
    Answer.ASK_BACK: "question asked back",
    Answer.NOT_A_PRIORITY: "refused",
    Answer.STOP_REQUEST: "contact forbidden",
    Answer.WRONG_PERSON: "other person named",
    Answer.DOES_NOT_FIT: "misfit reported",
}


@dataclass
class Event:
    """Something that happened."""

    event_id: str
    activity: str
    at: Moment
    actor: str
    role: str
    system: str
    table: str
    record: str
    rank: tuple[int, ...]
    """Order among events of one instant: a cause before its effect."""
    objects: list[tuple[str, str, str, float]] = field(default_factory=list)
    """Object id, qualifier, method, confidence."""


def record_events(data: Dataset, graph: ObjectGraph, staff: Staff) -> list[Event]:
    """Returns the events that the rows of the company's own tables tell of.

    At one instant an object's events follow those of the objects it names, and its own stand in the order
    of the manifest.
    """
    depths = _depths([spec for table in data.records for spec in table.spec.objects])
    stated = (
        (table, spec, event) for table in data.records for spec in table.spec.objects for event in spec.events
    )
    events = []
    for position, (table, spec, event) in enumerate(stated):
        for row in spec_rows(table, {**spec.where, **event.where}):
            rank = (RECORDS, depths[spec.type], position)
            found = _row_event(table, spec, event, row, rank, graph, staff)
            if found is not None:
                events.append(found)
    return events


def ticket_events(tickets: list[Ticket], staff: Staff) -> list[Event]:
    """Returns the events of all tickets: opened, commented, decided, resolved."""
    events = []
    for ticket in tickets:
        objects = [(ticket.object_id, "subject", "reference", 1.0)]
        objects += [(name, "about", "identifier", 1.0) for name in sorted(ticket.named)]
        kind = "complaint" if ticket.is_complaint else ticket.type
        moments = [(f"{kind} opened", ticket.opened, ticket.reporter, "tickets", ticket.ticket_id)]
        for comment in ticket.comments:
            decided = phrases.verdict(comment.body)
            activity = (
                f"{kind} {decided.value}"
                if decided and comment.author != ticket.reporter
                else f"{kind} commented"
            )
            moments.append((activity, comment.at, comment.author, "comments", comment.comment_id))
        moments.append((f"{kind} resolved", ticket.resolved, ticket.assignee, "tickets", ticket.ticket_id))
        for step, (activity, at, login, table, record) in enumerate(moments):
            if at is not None:
                person = staff.by_login(login)
                event_id = derived_id("e", table, record, activity)
                actor = person.key if person else login
                events.append(
                    Event(
                        event_id,
                        activity,
                        at,
                        actor,
                        staff.role_of(person),
                        ticket.system,
                        table,
                        record,
                        (TICKETS, step),
                        objects,
                    )
                )
    return events


def mail_events(mails: list[Mail], exchanges: list[Exchange], graph: ObjectGraph) -> list[Event]:
    """Returns one event per mail of the company's business and adds the mails to the objects."""
    answers = {one.reply.message_id: one.answer for one in exchanges if one.reply is not None}
    asked: set[str] = set()
    events = []
    for mail in mails:
        activity = _ANSWERS.get(answers.get(mail.message_id, Answer.OTHER)) or _ACTIVITIES.get(mail.kind)
        if mail.kind is MailKind.APPROVAL:
            activity = "approval answered" if mail.thread in asked else activity
            asked.add(mail.thread)
        if activity is None or mail.at is None:
            continue
        found = BusinessObject(mail.object_id, MAIL, mail.system, "messages", mail.message_id, mail.header_id)
        graph.add(found)
        objects = [(found.object_id, "subject", "reference", 1.0)]
        for name in sorted(mail.named):
            graph.relate(found.object_id, name, graph.objects[name].type, "identifier")
            objects.append((name, "about", "identifier", 1.0))
        for name in sorted(mail.quoted_names - mail.named):
            objects.append((name, "about", "quoted identifier", 0.95))
        if len(mail.accounts) == 1:
            objects.append((next(iter(mail.accounts)), "participant", "address", 0.9))
        actor = mail.colleague.key if mail.colleague else mail.sender
        role = mail.colleague.role if mail.colleague else ("buyer" if mail.accounts else "")
        event_id = derived_id("e", "messages", mail.message_id)
        place = (mail.system, "messages", mail.message_id)
        events.append(Event(event_id, activity, mail.at, actor, role, *place, (MAILS,), objects))
    return events


def in_order(events: list[Event]) -> list[Event]:
    """Returns the events by time; ties by rank, activity and id, so that the order is one."""
    unique = {event.event_id: event for event in events}
    return sorted(
        unique.values(), key=lambda event: (event.at.second, event.rank, event.activity, event.event_id)
    )


def spans(events: list[Event]) -> dict[str, tuple[int, int]]:
    """Returns for every object the instants of its first and last event as their subject."""
    found: dict[str, list[int]] = defaultdict(list)
    for event in events:
        for name, qualifier, _, _ in event.objects:
            if qualifier == "subject":
                found[name].append(event.at.second)
    return {name: (min(seconds), max(seconds)) for name, seconds in found.items()}


def _row_event(
    table: RecordTable,
    spec: ObjectSpec,
    event: EventSpec,
    row: Row,
    rank: tuple[int, ...],
    graph: ObjectGraph,
    staff: Staff,
) -> Event | None:
    at = table.moment(row, event.at, event.at_time)
    name = object_id(table, spec, (row.get(spec.id_column) or "").strip())
    activity = (row.get(event.activity_column) or "").strip() if event.activity_column else event.activity
    if at is None or not activity or name not in graph.objects:
        return None
    written = (row.get(event.actor) or "") if event.actor else ""
    person = _actor(table, written, staff, graph)
    record = row["record_id"] or ""
    objects = [(name, "subject", "reference", 1.0)]
    for parent_type in sorted(spec.parents):
        for parent in graph.targets(name, parent_type):
            relation = graph.relations[name, parent.object_id, parent_type]
            objects.append((parent.object_id, parent_type, relation.method, relation.confidence))
    return Event(
        derived_id("e", table.name, record, spec.type, activity),
        activity,
        at,
        person.key if person else written,
        staff.role_of(person),
        table.source.name,
        table.name,
        record,
        rank,
        objects,
    )


def _depths(specs: Iterable[ObjectSpec]) -> dict[str, int]:
    """Returns how many types stand above each type in the longest chain of what objects name."""
    named: dict[str, set[str]] = defaultdict(set)
    for spec in specs:
        named[spec.type] |= set(spec.parents)

    depths: dict[str, int] = {}

    def depth(name: str) -> int:
        if name not in depths:
            depths[name] = 0  # of a type that names itself, over others too
            depths[name] = max((1 + depth(parent) for parent in sorted(named[name] - {name})), default=0)
        return depths[name]

    return {name: depth(name) for name in sorted(named)}


def _actor(table: RecordTable, written: str, staff: Staff, graph: ObjectGraph) -> Colleague | None:
    if not written:
        return None
    found = staff.by_object(f"{table.source.name}.user.{written}")
    return found or staff.by_login(written)
