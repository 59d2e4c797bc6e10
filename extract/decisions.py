"""Decisions that the company took, with the facts they rested on: approvals, complaints, qualification.

Who decided is read from mails and ticket comments by their wording; what the facts were, from the records.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from contracts.decisions import Decision, FactValue, check_facts
from extract import phrases
from extract.cases import Case, CaseBook
from extract.dataset import is_true, whole_number
from extract.mails import Mail
from extract.moments import local_day
from extract.objects import BusinessObject, ObjectGraph
from extract.people import Colleague, Staff
from extract.phrases import Verdict
from extract.tickets import Ticket

QUALIFIED = "qualified"
_QUALIFIED_WORDS = frozenset({"qualified", "customer", "converted", "won", "client"})
_DISQUALIFIED_WORDS = ("disqualif", "unqualif", "not a fit", "rejected", "unfit")


@dataclass(frozen=True)
class Decided:
    """A decision with the case it was taken in and when."""

    decision: Decision
    case_id: str
    second: int
    waived: frozenset[str] = frozenset()
    """Facts that a note named when it granted an exception: the rule would have decided otherwise."""


@dataclass(frozen=True)
class Sources:
    """What decisions are read from."""

    graph: ObjectGraph
    staff: Staff
    book: CaseBook
    mails: list[Mail]
    tickets: list[Ticket]
    spans: dict[str, tuple[int, int]]
    zone: ZoneInfo


def find_decisions(sources: Sources) -> list[Decided]:
    """Returns all decisions whose maker or result is known, by time."""
    found = [*_approvals(sources), *_complaints(sources), *_qualifications(sources)]
    for one in found:
        check_facts(one.decision)
    return sorted(found, key=lambda one: (one.second, one.decision.kind, one.decision.subject))


def _approvals(sources: Sources) -> list[Decided]:
    makers: dict[str, tuple[int, Colleague, str]] = {}
    graph = sources.graph
    for ticket in sources.tickets:
        quotes = [name for name in sorted(ticket.named) if graph.objects[name].type == "quote"]
        if ticket.is_complaint or len(quotes) != 1 or not phrases.asks_approval(ticket.text):
            continue
        made = _last_verdict(ticket, sources.staff)
        if made is not None:
            makers[quotes[0]] = made
    threads: dict[str, list[Mail]] = defaultdict(list)
    for mail in sources.mails:
        if mail.inside and not mail.outside:
            threads[mail.thread].append(mail)
    for thread in threads.values():
        for position, mail in enumerate(thread):
            about = {name for name in mail.named | mail.quoted_names if graph.objects[name].type == "quote"}
            asked = [one for one in thread[:position] if one.sender != mail.sender]
            if (
                len(about) == 1
                and mail.colleague is not None
                and any(phrases.asks_approval(f"{one.subject}\n{one.own}") for one in asked)
                and phrases.verdict(mail.own) is not None
            ):
                makers.setdefault(about.pop(), (mail.second, mail.colleague, mail.message_id))
    return [
        found
        for quote, made in sorted(makers.items())
        if (found := _approval(sources, graph.objects[quote], made)) is not None
    ]


def _approval(sources: Sources, quote: BusinessObject, made: tuple[int, Colleague, str]) -> Decided | None:
    second, maker, evidence = made
    case = sources.book.of_object(quote.object_id)
    if quote.amount is None or not maker.role:
        return None
    facts: dict[str, FactValue] = {"amount": quote.amount, **_customer(sources.graph, case)}
    discount = whole_number(quote.attributes.get("discount_percent"))
    if discount is not None:
        facts["discount_percent"] = discount
    if case is not None and case.accounts:
        facts["new_customer"] = any(sources.graph.objects[name].type == "lead" for name in case.members)
    return _decided("approval", quote, facts, maker, [quote.record, evidence], case, second)


def _complaints(sources: Sources) -> list[Decided]:
    by_ticket: dict[str, list[Mail]] = defaultdict(list)
    for mail in sources.mails:
        for ticket_id in mail.tickets:
            by_ticket[ticket_id].append(mail)
    found = []
    for ticket in sources.tickets:
        invoices = [name for name in sorted(ticket.named) if sources.graph.objects[name].type == "invoice"]
        if not ticket.is_complaint or ticket.opened is None or ticket.resolved is None or not invoices:
            continue
        made = _last_verdict(ticket, sources.staff)
        for mail in by_ticket.get(ticket.ticket_id, []) if made is None else []:
            if mail.inside and mail.colleague and phrases.verdict(mail.own) is not None:
                made = (mail.second, mail.colleague, mail.message_id)
        if made is None or not made[1].role:
            continue
        invoice = sources.graph.objects[invoices[0]]
        case = sources.book.of_object(invoice.object_id)
        facts: dict[str, FactValue] = dict(_customer(sources.graph, case))
        facts.pop("segment", None)
        if invoice.amount is not None:
            facts["amount"] = invoice.amount
        issued = sources.spans.get(invoice.object_id)
        if issued is not None:
            facts["days_after_invoice"] = local_day(ticket.opened, sources.zone) - _day(
                issued[0], sources.zone
            )
        evidence = [ticket.ticket_id, made[2], invoice.record]
        found.append(
            _decided(
                "complaint", sources.graph.objects[ticket.object_id], facts, made[1], evidence, case, made[0]
            )
        )
    return found


def _qualifications(sources: Sources) -> list[Decided]:
    found = []
    for lead in sources.graph.of_type("lead"):
        outcome = qualification_outcome(lead)
        if outcome is None:
            continue
        facts = qualification_facts(lead)
        case = sources.book.of_object(lead.object_id)
        owners = sources.graph.targets(lead.object_id, "user")
        maker = sources.staff.by_object(owners[0].object_id) if owners else None
        second = sources.spans.get(lead.object_id, (0, 0))[0]
        made = _decided("qualification", lead, facts, maker, [lead.record], case, second, outcome)
        found.append(replace(made, waived=_waived(facts, case)))
    return found


def _waived(facts: dict[str, FactValue], case: Case | None) -> frozenset[str]:
    notes = [mail.own for mail in (case.mails if case else []) if mail.inside and not mail.outside]
    named = {word for note in notes if phrases.grants_exception(note) for word in re.findall(r"\d+", note)}
    return frozenset(name for name, value in facts.items() if type(value) is int and str(value) in named)


def qualification_outcome(lead: BusinessObject) -> str | None:
    """Returns "qualified", the reason of a disqualified lead, or None while nothing is decided."""
    said = {**lead.attributes, **lead.outcomes}
    status = said.get("status", said.get("crm_status", "")).strip().casefold()
    if any(word in status for word in _DISQUALIFIED_WORDS):
        return said.get("reason") or "unstated"
    return QUALIFIED if status in _QUALIFIED_WORDS else None


def qualification_facts(lead: BusinessObject) -> dict[str, FactValue]:
    """Returns what a lead's record says about the facts that qualification rests on."""
    said = lead.attributes
    facts: dict[str, FactValue] = {}
    employees = whole_number(said.get("employees"))
    if employees is not None:
        facts["employees"] = employees
    for name in ("region", "ledger_system", "industry"):
        if said.get(name):
            facts[name] = said[name]
    if "public_body" in said:
        facts["public_body"] = is_true(said["public_body"])
    if "competitor_contract" in said or "owned_by" in said:
        facts["owned_by_competitor"] = is_true(said.get("competitor_contract")) or (
            "competitor_contract" not in said and bool(said.get("owned_by"))
        )
    return facts


def complaint_verdicts(tickets: list[Ticket]) -> dict[str, str]:
    """Returns how every resolved complaint ended, by ticket key: the resolution in lower case."""
    return {
        ticket.key: ticket.resolution.strip().casefold().replace(" ", "_") or "unstated"
        for ticket in tickets
        if ticket.is_complaint and ticket.resolved is not None
    }


def _last_verdict(ticket: Ticket, staff: Staff) -> tuple[int, Colleague, str] | None:
    for comment in reversed(ticket.comments):
        person = staff.by_login(comment.author)
        decided: Verdict | None = phrases.verdict(comment.body)
        if decided is not None and person is not None and person is not staff.by_login(ticket.reporter):
            return comment.at.second if comment.at else 0, person, comment.comment_id
    return None


def _customer(graph: ObjectGraph, case: Case | None) -> dict[str, FactValue]:
    if case is None or not case.accounts:
        return {}
    account = graph.objects[min(case.accounts)]
    facts: dict[str, FactValue] = {"customer": account.ident}
    if account.attributes.get("customer_group"):
        facts["segment"] = account.attributes["customer_group"]
    return facts


def _decided(
    kind: str,
    about: BusinessObject,
    facts: dict[str, FactValue],
    maker: Colleague | None,
    evidence: list[str],
    case: Case | None,
    second: int,
    outcome: str | None = None,
) -> Decided:
    decision = Decision(
        kind=kind,
        subject=about.ident,
        facts=facts,
        outcome=outcome or (maker.role if maker else ""),
        actor=maker.key if maker else "",
        evidence=evidence,
    )
    return Decided(decision, case.case_id if case else "", second)


def _day(second: int, zone: ZoneInfo) -> int:
    return datetime.fromtimestamp(second, zone).toordinal()
