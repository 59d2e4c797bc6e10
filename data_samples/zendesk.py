"""The help desk's incremental export: tickets, users and organisations, one JSON object per line."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from html import escape
from typing import Any

from data_samples.helpdesk import business_hours
from data_samples.history import END, History, Ticket
from data_samples.market import Company, Person

HOST = "https://tarnwick.zendesk.example/api/v2"
GROUP = 360_001_117
INVOICE_FIELD, RESULT_FIELD = 360_021_004, 360_021_005
CLOSES_AFTER = timedelta(days=6)
SYSTEM = -1
_PRIORITIES = {"Low": "low", "Medium": "normal", "High": "high"}


def export(h: History) -> dict[str, bytes]:
    """The three files by name."""
    tickets = [ticket for ticket in h.tickets if ticket.system == "zendesk"]
    people = {person.id: person for person in (h.staff.support, *h.staff.agents, h.staff.controller)}
    for ticket in tickets:
        for person in (ticket.requester, *(author for _, author, _ in ticket.comments)):
            if person is not None:
                people.setdefault(person.id, person)
    companies = {person.company.id: person.company for person in people.values()}
    return {
        "zendesk_tickets.ndjson": _lines(_ticket(h, ticket) for ticket in tickets),
        "zendesk_users.ndjson": _lines(_user(h, person) for person in people.values()),
        "zendesk_organizations.ndjson": _lines(_organization(company) for company in companies.values()),
    }


def user_id(person: Person) -> int:
    """The help desk's number of a person."""
    return 360_010_000_000 + int(person.id[1:]) * 7


def _organization_id(company: Company) -> int:
    return 360_900_000 + int(company.id[1:]) * 3


def _lines(rows: Any) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _time(at: datetime | None) -> str | None:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if at else None


def _user(h: History, person: Person) -> dict[str, Any]:
    agent = person.company is h.staff.company
    role = "admin" if person is h.staff.support else "agent" if agent else "end-user"
    number = user_id(person)
    return {
        "id": number,
        "url": f"{HOST}/users/{number}.json",
        "name": person.name,
        "email": person.email,
        "role": role,
        "phone": None if agent else person.phone,
        "time_zone": "Eastern Time (US & Canada)",
        "organization_id": _organization_id(person.company),
        "active": True,
        "verified": True,
    }


def _organization(company: Company) -> dict[str, Any]:
    number = _organization_id(company)
    return {
        "id": number,
        "url": f"{HOST}/organizations/{number}.json",
        "name": company.name,
        "domain_names": [company.domain],
        "external_id": company.kunnr.lstrip("0") or None,
    }


def _ticket(h: History, ticket: Ticket) -> dict[str, Any]:
    requester = ticket.requester or ticket.reporter
    complaint = ticket.kind == "Complaint"
    result = ticket.resolution.lower().replace(" ", "_").replace("'", "")
    invoice = ticket.summary.rpartition(" ")[2] if complaint else None
    closed = ticket.resolved is not None and ticket.resolved + CLOSES_AFTER < END
    end = ticket.resolved + CLOSES_AFTER if closed and ticket.resolved else ticket.updated
    tags = [*ticket.labels, *([f"result_{result}"] if result else [])]
    return {
        "id": ticket.number,
        "url": f"{HOST}/tickets/{ticket.number}.json",
        "external_id": None,
        "via": {"channel": "email" if ticket.number % 3 else "web", "source": {"rel": None}},
        "created_at": _time(ticket.created),
        "updated_at": _time(end),
        "generated_timestamp": int((end or ticket.created).timestamp()),
        "type": "problem" if complaint else ticket.kind,
        "subject": ticket.summary,
        "raw_subject": ticket.summary,
        "description": ticket.description,
        "priority": _PRIORITIES[ticket.priority],
        "status": "closed" if closed else ticket.status.lower(),
        "requester_id": user_id(requester),
        "submitter_id": user_id(ticket.reporter if complaint else requester),
        "assignee_id": user_id(ticket.assignee) if ticket.assignee else None,
        "organization_id": _organization_id(requester.company),
        "group_id": GROUP,
        "tags": tags,
        "custom_fields": [
            {"id": INVOICE_FIELD, "value": invoice},
            {"id": RESULT_FIELD, "value": result or None},
        ],
        "satisfaction_rating": {"score": ticket.score},
        "comments": _comments(ticket, requester),
        "audits": _audits(ticket, requester, closed),
        "metric_set": _metrics(ticket),
    }


def _comments(ticket: Ticket, requester: Person) -> list[dict[str, Any]]:
    base = ticket.number * 100
    rows = [(ticket.created, requester, ticket.description, True)]
    rows += [
        (at, author, text, place not in ticket.hidden)
        for place, (at, author, text) in enumerate(ticket.comments)
    ]
    return [
        {
            "id": base + place,
            "author_id": user_id(author),
            "body": text,
            "html_body": f'<div class="zd-comment"><p>{escape(text, quote=False)}</p></div>',
            "plain_body": text,
            "public": public,
            "created_at": _time(at),
            "attachments": _files(ticket, place),
        }
        for place, (at, author, text, public) in enumerate(rows)
    ]


def _files(ticket: Ticket, place: int) -> list[dict[str, Any]]:
    if place or ticket.number % 5:
        return []
    name = f"screen_{ticket.number}.png"
    return [{"file_name": name, "content_type": "image/png", "size": 4096 + ticket.number % 977}]


def _audits(ticket: Ticket, requester: Person, closed: bool) -> list[dict[str, Any]]:
    created = {"type": "Create", "field_name": "status", "value": "new"}
    rows: list[tuple[datetime, int, list[dict[str, Any]]]] = [(ticket.created, user_id(requester), [created])]
    for at, author, name, old, new in ticket.changes:
        change = {"type": "Change", "field_name": name, "value": new.lower(), "previous_value": old.lower()}
        rows.append((at, user_id(author), [change]))
    if closed and ticket.resolved is not None:
        change = {"type": "Change", "field_name": "status", "value": "closed", "previous_value": "solved"}
        rows.append((ticket.resolved + CLOSES_AFTER, SYSTEM, [change]))
    return [
        {
            "id": ticket.number * 1000 + place,
            "ticket_id": ticket.number,
            "created_at": _time(at),
            "author_id": author,
            "events": [{"id": ticket.number * 10_000 + place * 10 + 1, **event} for event in events],
        }
        for place, (at, author, events) in enumerate(rows)
    ]


def _metrics(ticket: Ticket) -> dict[str, Any]:
    first = next((at for at, who, _ in ticket.comments if who is not ticket.requester), None)
    minutes = round(business_hours(ticket.created, first) * 60) if first else None
    calendar = int((first - ticket.created).total_seconds() // 60) if first else None
    return {
        "reply_time_in_minutes": {"calendar": calendar, "business": minutes},
        "replies": len(ticket.comments),
        "solved_at": _time(ticket.resolved),
    }
