"""The tickets of a dataset with their comments and the records that they name."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from extract import phrases
from extract.dataset import Dataset, text_of, texts
from extract.moments import Moment, read_moment
from extract.objects import BusinessObject, ObjectGraph

COMPLAINT = "complaint"
TICKET = "ticket"
_RESULT = re.compile(r"(?:result|resolution|outcome)[\W_]+(\w+)", re.I)


@dataclass(frozen=True)
class Comment:
    """One comment of a ticket."""

    comment_id: str
    at: Moment | None
    author: str
    body: str


@dataclass
class Ticket:
    """One ticket."""

    object_id: str
    ticket_id: str
    key: str
    system: str
    type: str
    reporter: str
    assignee: str
    opened: Moment | None
    resolved: Moment | None
    resolution: str
    text: str
    is_complaint: bool = False
    comments: list[Comment] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    """Objects that the ticket names by number."""


def read_tickets(data: Dataset, graph: ObjectGraph) -> list[Ticket]:
    """Returns all tickets by time and adds them to the objects, complaints about an invoice as such."""
    named: dict[str, set[str]] = defaultdict(set)
    owner = {text_of(row["comment_id"]): text_of(row["ticket_id"]) for row in data.rows("comments")}
    owner |= {
        text_of(row["ticket_event_id"]): text_of(row["ticket_id"]) for row in data.rows("ticket_events")
    }
    for link in data.rows("links"):
        if link["kind"] == "identifier" and link["from_table"] in ("tickets", "comments", "ticket_events"):
            ticket_id = owner.get(text_of(link["from_id"]), text_of(link["from_id"]))
            named[ticket_id].update(graph.by_record.get(text_of(link["to_id"]), []))
    comments: dict[str, list[Comment]] = defaultdict(list)
    for row in data.rows("comments"):
        at = read_moment(text_of(row["at"]) or None, data.zone)
        comment = Comment(text_of(row["comment_id"]), at, text_of(row["author"]), text_of(row["body"]))
        comments[text_of(row["ticket_id"])].append(comment)
    tickets = [_ticket(row, data, graph, named, comments) for row in data.rows("tickets")]
    return sorted(
        tickets, key=lambda ticket: (ticket.opened.second if ticket.opened else 0, ticket.object_id)
    )


def _ticket(
    row: dict[str, object],
    data: Dataset,
    graph: ObjectGraph,
    named: dict[str, set[str]],
    comments: dict[str, list[Comment]],
) -> Ticket:
    ticket_id, key, system = (text_of(row[name]) for name in ("ticket_id", "ticket_key", "source"))
    text = f"{text_of(row['summary'])}\n{text_of(row['description'])}"
    kind = text_of(row["type"])
    found = {
        name for name in named.get(ticket_id, set()) if graph.objects[name].type not in ("user", "customer")
    }
    about_invoice = any(graph.objects[name].type == "invoice" for name in found)
    marks = " ".join([kind, *texts(row["labels"])])
    complaint = about_invoice and (phrases.is_complaint(marks) or phrases.is_complaint(text))
    ticket = Ticket(
        f"{system}.ticket.{key or ticket_id}",
        ticket_id,
        key or ticket_id,
        system,
        kind.casefold() or TICKET,
        text_of(row["reporter"]),
        text_of(row["assignee"]),
        read_moment(text_of(row["created_at"]) or None, data.zone),
        read_moment(text_of(row["resolved_at"]) or None, data.zone),
        text_of(row["resolution"]) or _labelled_result(texts(row["labels"])),
        text,
        complaint,
        sorted(comments.get(ticket_id, []), key=lambda one: (one.at.second if one.at else 0, one.comment_id)),
        found,
    )
    graph.add(
        BusinessObject(
            ticket.object_id,
            COMPLAINT if complaint else TICKET,
            system,
            "tickets",
            ticket_id,
            ticket.key,
            attributes={"ticket_type": ticket.type},
        )
    )
    for name in sorted(found):
        graph.relate(ticket.object_id, name, graph.objects[name].type, "identifier")
    return ticket


def _labelled_result(labels: list[str]) -> str:
    """Returns the resolution that a label states, as help desks without a field for it write it."""
    found = (_RESULT.fullmatch(label.strip()) for label in labels)
    return next((result[1] for result in found if result is not None), "")
