"""Who may allow what before a quote or an order stands: quotes, discounts, longer payment terms."""

from __future__ import annotations

from collections.abc import Generator
from datetime import datetime
from typing import NamedTuple

from data_samples import letters, memos, names
from data_samples.clock import Zone, work_after
from data_samples.forwards import away
from data_samples.history import Case, History, Steps
from data_samples.ledger import Document, short_number, write_amount
from data_samples.market import Person
from data_samples.styles import fill

THRESHOLD = 1_840_000
NEARNESS = 100_000
FIRSTS = {"above": 9, "below": 15}
DISCOUNT_LIMIT = 12
MULTI_YEAR = 24
TERMS_LIMIT = 45


class _Decision(NamedTuple):
    """What will be said of a quote, by whom and after how many hours."""

    quote: Document
    approver: Person
    remark: str
    hours: float
    entry: dict[str, str]
    """What is noted of it; where it was said is added."""


def _approver(h: History, case: Case, quote: Document) -> tuple[Person, str]:
    staff = h.staff
    if case.company.group == names.EXEMPT_GROUP:
        return staff.manager, "standing_exemption"
    side = "above" if quote.net > THRESHOLD else "below"
    far = abs(quote.net - THRESHOLD) > NEARNESS
    if h.rules.deviates(f"approval:{side}", FIRSTS[side], far):
        return (staff.manager if side == "above" else staff.vp), "exception"
    return (staff.vp if side == "above" else staff.manager), "rule"


def approve(h: History, case: Case, quote: Document) -> Generator[datetime, None, bool]:
    """True once the quote has been approved, in a ticket of the deal desk or by mail."""
    rng, staff = case.rng, h.staff
    approver, basis = _approver(h, case, quote)
    entry = h.rules.note(
        "approval",
        quote=quote.number,
        net=f"{quote.net / 100:.2f}",
        approver=approver.login,
        basis=basis,
        side="above" if quote.net > THRESHOLD else "below",
        case_id=case.id,
    )
    granted = rng.random() >= 0.07
    remark = rng.choice(letters.APPROVED if granted else letters.DECLINED)
    if basis == "exception":
        other = staff.vp if approver is staff.manager else staff.manager
        remark = f"{other.first} is travelling and asked me to take this one. {remark}"
    elif basis == "standing_exemption" and quote.net > THRESHOLD and rng.random() < 0.5:
        remark = f"{remark} {names.EXEMPT_GROUP} stays with me as always."
    entry["verdict"] = "approved" if granted else "declined"
    hours = min(22.0, rng.lognormvariate(1.2, 0.8))
    way = _by_ticket if rng.random() < 0.6 else _by_mail
    yield from way(h, case, _Decision(quote, approver, remark, hours, entry))
    return granted


def _by_ticket(h: History, case: Case, decision: _Decision) -> Steps:
    rng, staff, quote, approver = case.rng, h.staff, decision.quote, decision.approver
    amount = write_amount(quote.net, "plain")
    ticket = h.ticket(
        "DD",
        "Approval",
        f"Approval: quote {short_number(quote)} {case.company.short}",
        f"Quote {short_number(quote)} for {case.company.name}, net total {amount}.\n"
        f"Contact: {case.contact.last}, {case.contact.first}. Please approve.",
        case.rep,
        staff.manager if rng.random() < 0.5 else approver,
        case,
        ("deal-desk",),
    )
    if rng.random() < 0.2:
        ticket.attachment = f"Quote_{short_number(quote)}_{case.company.short.replace(' ', '_')}.pdf"
    if rng.random() < 0.25:
        yield work_after(h.now, 0.5, Zone.EASTERN)
        ticket.comment(h.now, case.rep, "Customer is waiting, can somebody look at this?")
    yield work_after(h.now, decision.hours, Zone.EASTERN)
    ticket.comment(h.now, approver, decision.remark)
    ticket.resolve(h.now, "Done" if decision.entry["verdict"] == "approved" else "Won't Do")
    decision.entry.update(channel="ticket", evidence=ticket.key)


def _by_mail(h: History, case: Case, decision: _Decision) -> Steps:
    rng, staff, quote, approver = case.rng, h.staff, decision.quote, decision.approver
    text, amounts = fill(case.rep, rng.choice(letters.APPROVAL_ASKS), quote, company=case.company.short)
    copied = [staff.manager] if approver is staff.vp and rng.random() < 0.4 else []
    asked = h.mail(
        "approval_request",
        case.rep,
        [approver],
        f"Approval {short_number(quote)} {case.company.short}",
        [text],
        case=case,
        cc=copied,
        amounts=amounts,
    )
    if rng.random() < 0.12:
        away(h, asked, approver, case)
    yield work_after(h.now, decision.hours, Zone.EASTERN)
    bare = rng.random() < 0.6
    reply = h.mail(
        "approval_reply", approver, [case.rep], "", [decision.remark], case=case, parent=asked, bare=bare
    )
    decision.entry.update(channel="mail", evidence=reply.id)


def draw_discount(case: Case, target: int) -> tuple[int, int]:
    """Discount in percent and term in months; bigger deals get more of both."""
    rng = case.rng
    months = rng.choice((12, 12, 12, 12, 24, 36) if target < 2_000_000 else (12, 12, 12, 24, 36))
    if rng.random() < 0.36:
        return 0, months
    low, high = (5, 8, 10, 12, 12, 13, 14, 15), (8, 10, 12, 14, 15, 16, 18, 20)
    return rng.choice(low if target < 2_000_000 else high), months


def allow_discount(h: History, case: Case, percent: int, months: int) -> Generator[datetime, None, None]:
    """The word of whoever may allow the discount, by mail or only in the hand-kept workbook."""
    rng, staff = case.rng, h.staff
    needs_cfo = percent > DISCOUNT_LIMIT and months < MULTI_YEAR
    odd = h.rules.deviates("discount")
    decider = staff.cfo if needs_cfo is not odd else staff.manager
    entry = h.rules.note(
        "discount",
        case_id=case.id,
        opportunity=case.records["opportunities"][-1],
        quote="",
        percent=percent,
        months=months,
        decider=decider.login,
        side="above" if needs_cfo else "below",
        basis="exception" if odd else "rule",
        channel="sheet",
        evidence="",
    )
    case.outcome["discount_entry"] = entry
    if rng.random() < 0.7:
        ask = rng.choice(memos.DISCOUNT_ASKS).format(
            percent=percent, months=months, company=case.company.name, first=decider.first
        )
        asked = h.mail(
            "discount_request", case.rep, [decider], f"{case.company.short}: {percent} %", [ask], case=case
        )
        yield work_after(h.now, min(9.0, rng.lognormvariate(0.6, 0.7)), Zone.EASTERN)
        remark = rng.choice(memos.DISCOUNT_WORDS).format(percent=percent)
        if odd:
            other = staff.manager if decider is staff.cfo else staff.cfo
            remark = f"{other.first} is off today, so from me: {remark}"
        reply = h.mail(
            "discount_reply",
            decider,
            [case.rep],
            "",
            [remark],
            case=case,
            parent=asked,
            bare=rng.random() < 0.7,
        )
        entry.update(channel="mail", evidence=reply.id)


def agree_terms(h: History, case: Case, order: Document) -> Generator[datetime, None, None]:
    """The days to pay that the customer asked for, and the word of whoever may grant them."""
    rng, staff = case.rng, h.staff
    if rng.random() < 0.1:
        return
    far = case.company.place.country in ("DE", "UK")
    days = rng.choice((40, 45, 60, 60, 75, 90) if far else (35, 40, 45, 45, 45, 50, 60, 75))
    long = days > TERMS_LIMIT
    odd = h.rules.deviates("payment_terms")
    decider = staff.controller if long is not odd else staff.manager
    ask = rng.choice(memos.TERMS_ASKS).format(
        days=days, company=case.company.short, order=short_number(order)
    )
    asked = h.mail(
        "terms_request",
        case.rep,
        [decider],
        f"Order {short_number(order)}: {days} days",
        [ask],
        case=case,
    )
    yield work_after(h.now, min(7.0, rng.lognormvariate(0.5, 0.7)), Zone.EASTERN)
    remark = rng.choice(memos.TERMS_WORDS).format(days=days, company=case.company.short)
    if odd:
        other = staff.manager if decider is staff.controller else staff.controller
        remark = f"In place of {other.first}, who is out: {remark}"
    reply = h.mail("terms_reply", decider, [case.rep], "", [remark], case=case, parent=asked, bare=True)
    order.net_days = days
    h.rules.note(
        "payment_terms",
        case_id=case.id,
        order=order.number,
        days=days,
        country=case.company.place.country,
        decider=decider.login,
        side="above" if long else "below",
        basis="exception" if odd else "rule",
        channel="mail",
        evidence=reply.id,
    )
