"""Ordinary support: who reports what, who answers first and how fast; complaints have their own module."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from data_samples import letters, memos
from data_samples.clock import CLOSES, OPENS, Zone, is_workday, local, work_after
from data_samples.history import MOVED, History, Steps, Ticket
from data_samples.market import Company, Person

KEY_HOURS = 4.0
KEY_SHARE = 0.36


def support(h: History, rng: Random) -> Steps:
    """One ordinary ticket from its report to its end, answered first by whoever the rule names."""
    key = rng.random() < KEY_SHARE
    company: Company = rng.choice(h.key_accounts if key else h.other_accounts)
    person = rng.choice(company.people)
    summary, text = rng.choice(letters.SUPPORT_NOISE)
    agent = rng.choice(h.staff.agents)
    odd = h.rules.deviates("key_account_support", 17)
    first: Person = h.staff.support if key is not odd else agent
    ticket = _open(h, person, agent, summary, text, rng)
    ticket.priority = rng.choice(
        ("High", "High", "Medium", "Low") if key else ("Low", "Medium", "Medium", "High")
    )
    opened = h.now
    hours = rng.uniform(0.3, KEY_HOURS - 0.4) if first is h.staff.support else rng.uniform(1.5, 15)
    yield work_after(h.now, hours, Zone.EASTERN)
    ticket.set("status", "Open" if ticket.system == "zendesk" else "In Progress", h.now, first)
    ticket.comment(h.now, first, rng.choice(memos.SUPPORT_FIRST).format(first=person.first))
    h.rules.note(
        "key_account_support",
        ticket=ticket.key,
        system=ticket.system,
        company=company.id,
        priority=ticket.priority,
        first_answer=first.login,
        business_hours=round(business_hours(opened, h.now), 2),
        side="above" if key else "below",
        basis="exception" if odd else "rule",
        channel="ticket",
        evidence=ticket.key,
        case_id="",
    )
    yield from _go_on(h, ticket, person, agent, rng)


def _open(h: History, person: Person, agent: Person, summary: str, text: str, rng: Random) -> Ticket:
    new = h.now >= MOVED
    caller = "" if new else f"\nCaller: {person.last}, {person.first} ({person.company.short})"
    ticket = h.ticket(
        "SUP",
        rng.choice(("incident", "question", "problem") if new else ("Bug", "Question", "Task")),
        summary,
        f"{text}{caller}",
        agent,
        agent,
        None,
        ("product",),
    )
    ticket.requester = person
    return ticket


def _go_on(h: History, ticket: Ticket, person: Person, agent: Person, rng: Random) -> Steps:
    for _ in range(rng.randrange(0, 3)):
        yield work_after(h.now, rng.uniform(0.5, 14), Zone.EASTERN)
        if ticket.system == "zendesk" and rng.random() < 0.5:
            ticket.comment(h.now, person, rng.choice(memos.SUPPORT_CUSTOMER))
            continue
        author = rng.choice([agent, h.staff.support])
        ticket.comment(
            h.now,
            author,
            rng.choice(
                (
                    "Reproduced here.",
                    f"{person.first} confirms that it works now.",
                    "Waiting for the log file.",
                    "Passed to development.",
                )
            ),
            public=rng.random() < 0.4,
        )
    if rng.random() < 0.85:
        yield work_after(h.now, rng.uniform(1, 30), Zone.EASTERN)
        end = rng.choice(("Done", "Done", "Won't Do", "Cannot Reproduce"))
        ticket.resolve(h.now, end)
        ticket.score = rng.choice(("offered", "good", "good", "bad", "unoffered"))


def business_hours(start: datetime, end: datetime) -> float:
    """Working hours on the Eastern wall clock between two instants."""
    total, at = 0.0, local(start, Zone.EASTERN)
    first = at.date()
    last = local(end, Zone.EASTERN)
    while at.date() <= last.date():
        if is_workday(at.date()):
            low = max(OPENS, _minute(at)) if at.date() == first else OPENS
            high = min(CLOSES, _minute(last)) if at.date() == last.date() else CLOSES
            total += max(0.0, high - low)
        at += timedelta(days=1)
    return total / 60


def _minute(wall: datetime) -> float:
    return wall.hour * 60 + wall.minute + wall.second / 60
