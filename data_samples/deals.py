"""From quote to payment: amounts, the unwritten approval rule with exceptions, order, invoices, dunning."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date, datetime, timedelta
from random import Random

from data_samples import letters, names
from data_samples.clock import Zone, instant_at, is_workday, local, work_after
from data_samples.complaints import CREDIT_DAYS, complain
from data_samples.history import Attachment, Case, History, Mail, Opportunity, Steps
from data_samples.ledger import Document, Item, compose, split, write_amount
from data_samples.market import Person
from data_samples.papers import pdf_page
from data_samples.selling import close_lead, delay
from data_samples.styles import style_of

THRESHOLD = 1_840_000
NEAR = (
    1_790_000,
    1_815_000,
    1_825_050,
    1_830_000,
    1_840_000,
    1_840_000,
    1_841_500,
    1_845_000,
    1_865_000,
    1_890_000,
    1_920_000,
)
EXCEPTIONS = {("above", 9): "manager", ("above", 21): "manager", ("below", 15): "vp"}
LATE = 0.32
BOUNDARY_AGES = (CREDIT_DAYS, CREDIT_DAYS + 1)


def deal(h: History, case: Case, opportunity: Opportunity, parent: Mail | None) -> Steps:
    """Quote, approval, the customer's decision, and on success order, invoices and payment."""
    rng = case.rng
    yield work_after(h.now, rng.uniform(4, 35), Zone.EASTERN)
    quote = _quote(h, case, opportunity)
    while not (yield from _approve(h, case, quote)):
        quote.rejected = True
        yield work_after(h.now, rng.uniform(3, 12), Zone.EASTERN)
        quote = _quote(h, case, opportunity, quote)
    opportunity.stages.append((h.now, "Proposal", 60))
    sent = _send_quote(h, case, quote, parent)
    yield work_after(h.now, rng.uniform(10, 110), case.contact.zone)
    if rng.random() < (0.34 if case.kind == "lead" else 0.24):
        reason = rng.choice(("price", "price", "timing", "chose_competitor", "no_decision"))
        _lose(h, case, opportunity, reason, quote, sent)
        return
    po = str(4500001000 + rng.randrange(1, 88999))
    text, amounts = _fill(case.contact, rng.choice(letters.ORDERED), quote, po=po)
    if rng.random() < 0.8:
        h.mail("order", case.contact, [case.rep], "", [text], case=case, parent=sent, amounts=amounts)
    yield work_after(h.now, rng.uniform(0.5, 8), Zone.EASTERN)
    order = h.document("C", case, case.rep, quote.items, quote, po)
    opportunity.stages.append((h.now, "Closed Won", 100))
    opportunity.close = h.today()
    case.outcome.update(result="won")
    close_lead(h, case, "Customer")
    case.company.customer = True
    if rng.random() < 0.3:
        text, amounts = _fill(case.rep, rng.choice(letters.ORDER_CONFIRMED), order, order=short_number(order))
        h.mail(
            "order_confirmed", case.rep, [case.contact], "", [text], case=case, parent=sent, amounts=amounts
        )
    first, services = split(order.items)
    if rng.random() < 0.55:
        h.spawn(h.now + timedelta(days=rng.randrange(1, 6)), _bill(h, case, order, first))
        h.spawn(h.now + timedelta(days=rng.randrange(20, 45)), _bill(h, case, order, services))
    else:
        h.spawn(h.now + timedelta(days=rng.randrange(1, 8)), _bill(h, case, order, order.items))


def short_number(document: Document) -> str:
    """The number as people write it, without leading zeros."""
    return document.number.lstrip("0")


def _fill(author: Person, wording: str, document: Document, **more: str) -> tuple[str, list[tuple[str, str]]]:
    amount = write_amount(document.net, style_of(author).amount)
    text = wording.format(amount=amount, quote=short_number(document), **more)
    return text, [(amount, document.number)] if amount in text else []


def _quote(h: History, case: Case, opportunity: Opportunity, before: Document | None = None) -> Document:
    rng = case.rng
    if before is not None:
        target = before.net * rng.choice((104, 106, 108)) // 100 // 5000 * 5000
    elif rng.random() < 0.27:
        target = rng.choice(NEAR)
    else:
        target = int(min(64_000, max(4_200, rng.lognormvariate(9.78, 0.55)))) * 100 // 5000 * 5000
        target += rng.choice((0, 0, 0, 0, 2550, 1475))
    quote = h.document("B", case, case.rep, compose(rng, target))
    opportunity.amount = quote.net
    opportunity.stages.append((h.now, "Approval", 40))
    if rng.random() < 0.5:
        opportunity.description = f"see quote {short_number(quote)}"
    return quote


def _approver(h: History, case: Case, quote: Document) -> tuple[Person, str]:
    staff = h.staff
    if case.company.group == names.EXEMPT_GROUP:
        return staff.manager, "standing_exemption"
    side = "above" if quote.net > THRESHOLD else "below"
    count = 1 + sum(entry["side"] == side and entry["basis"] != "standing_exemption" for entry in h.approvals)
    exception = EXCEPTIONS.get((side, count))
    if exception:
        return (staff.manager if exception == "manager" else staff.vp), "exception"
    return (staff.vp if side == "above" else staff.manager), "rule"


def _approve(h: History, case: Case, quote: Document) -> Generator[datetime, None, bool]:
    rng, staff = case.rng, h.staff
    approver, basis = _approver(h, case, quote)
    entry = {
        "quote": quote.number,
        "net": f"{quote.net / 100:.2f}",
        "approver": approver.login,
        "basis": basis,
        "side": "above" if quote.net > THRESHOLD else "below",
        "case_id": case.id,
    }
    h.approvals.append(entry)
    granted = rng.random() >= 0.07
    remark = rng.choice(letters.APPROVED if granted else letters.DECLINED)
    if basis == "exception":
        away = staff.vp if approver is staff.manager else staff.manager
        remark = f"{away.first} is travelling and asked me to take this one. {remark}"
    elif basis == "standing_exemption" and quote.net > THRESHOLD and rng.random() < 0.5:
        remark = f"{remark} {names.EXEMPT_GROUP} stays with me as always."
    entry["verdict"] = "approved" if granted else "declined"
    hours = min(22.0, rng.lognormvariate(1.2, 0.8))
    if rng.random() < 0.6:
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
        yield work_after(h.now, hours, Zone.EASTERN)
        ticket.comment(h.now, approver, remark)
        ticket.resolve(h.now, "Done" if granted else "Won't Do")
        entry.update(channel="ticket", evidence=ticket.key)
    else:
        text, amounts = _fill(case.rep, rng.choice(letters.APPROVAL_ASKS), quote, company=case.company.short)
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
        yield work_after(h.now, hours, Zone.EASTERN)
        reply = h.mail(
            "approval_reply",
            approver,
            [case.rep],
            "",
            [remark],
            case=case,
            parent=asked,
            bare=rng.random() < 0.6,
        )
        entry.update(channel="mail", evidence=reply.id)
    return granted


def _send_quote(h: History, case: Case, quote: Document, parent: Mail | None) -> Mail:
    rng = case.rng
    text, amounts = _fill(case.rep, rng.choice(letters.QUOTE_SENT), quote)
    mail = h.mail(
        "quote",
        case.rep,
        [case.contact],
        "" if parent else f"Quote {short_number(quote)}",
        [text],
        case=case,
        parent=parent,
        amounts=amounts,
    )
    if rng.random() < 0.3:
        lines = [f"Quote {short_number(quote)}", f"for {case.company.name}"]
        lines += [f"{item.quantity} x {item.text}: {item.net / 100:.2f} USD" for item in quote.items]
        lines.append(f"Net total: {quote.net / 100:.2f} USD")
        name = f"Quote_{short_number(quote)}_{case.company.short.replace(' ', '_')}"
        if rng.random() < 0.6:
            mail.attachments.append(Attachment(f"{name}.pdf", "application/pdf", pdf_page(lines)))
        else:
            mail.attachments.append(Attachment(f"{name}.txt", "text/plain", "\n".join(lines).encode()))
    return mail


def _lose(h: History, case: Case, opportunity: Opportunity, reason: str, quote: Document, sent: Mail) -> None:
    rng = case.rng
    text, amounts = _fill(
        case.contact, rng.choice(letters.LOST[reason]), quote, rival=rng.choice(names.COMPETITORS)
    )
    if rng.random() < 0.85:
        h.mail("refusal", case.contact, [case.rep], "", [text], case=case, parent=sent, amounts=amounts)
    opportunity.stages.append((h.now, "Closed Lost", 0))
    opportunity.loss_reason, opportunity.close = reason, h.today()
    case.outcome.update(result="lost", reason=reason)


def _bill(h: History, case: Case, order: Document, items: tuple[Item, ...]) -> Steps:
    rng, staff = case.rng, h.staff
    invoice = h.document("M", case, staff.controller, items, order, order.reference)
    receivable = h.ledger.book(invoice, h.today())
    due = receivable.due
    mail: Mail | None = None
    if rng.random() < 0.17:
        text, amounts = _fill(
            staff.controller,
            rng.choice(letters.INVOICE_SENT),
            invoice,
            invoice=short_number(invoice),
            order=short_number(order),
            due=f"{due:%B} {due.day}",
        )
        mail = h.mail(
            "invoice",
            staff.controller,
            [case.contact],
            f"Invoice {short_number(invoice)}",
            [text],
            case=case,
            cc=[case.rep],
            amounts=amounts,
        )
        table = "material;text;quantity;net\n" + "".join(
            f"{item.material};{item.text};{item.quantity};{item.net / 100:.2f}\n" for item in items
        )
        name = f"{short_number(invoice)}_{case.company.short.replace(' ', '-')}"
        if rng.random() < 0.5:
            mail.attachments.append(Attachment(f"{name}.csv", "text/csv", table.encode()))
    if rng.random() < 0.52:
        day = _complaint_day(h, rng)
        at = instant_at(day, rng.randrange(9, 17), rng.randrange(60), Zone.EASTERN)
        h.spawn(at, complain(h, case, invoice))
    outcome = case.outcome.setdefault("payments", {})
    outcome[invoice.number] = "open"
    late = rng.random() < LATE
    day = due + timedelta(days=rng.randrange(3, 34)) if late else due - timedelta(days=rng.randrange(0, 16))
    while not is_workday(day):
        day += timedelta(days=1 if late else -1)
    if late and (day - due).days > 12:
        yield work_after(
            instant_at(due + timedelta(days=rng.randrange(5, 9)), 9, 0, Zone.EASTERN),
            rng.uniform(0, 6),
            Zone.EASTERN,
        )
        text, amounts = _fill(
            staff.controller,
            rng.choice(letters.DUNNING),
            invoice,
            invoice=short_number(invoice),
            due=f"{due:%B} {due.day}",
        )
        mail = h.mail(
            "dunning",
            staff.controller,
            [case.contact],
            f"Overdue: invoice {short_number(invoice)}",
            [text],
            case=case,
            amounts=amounts,
        )
        if rng.random() < 0.6:
            yield delay(case, case.contact.zone, h.now)
            text, amounts = _fill(
                case.contact, rng.choice(letters.PAYING), invoice, invoice=short_number(invoice)
            )
            h.mail(
                "promise_to_pay",
                case.contact,
                [staff.controller],
                "",
                [text],
                case=case,
                parent=mail,
                amounts=amounts,
            )
    yield instant_at(day, 15, 0, Zone.EASTERN)
    receivable.cleared, receivable.clearing = _clearing_day(h, due, late), h.ledger.number("P")
    outcome[invoice.number] = "late" if receivable.cleared > due else "on_time"


def _clearing_day(h: History, due: date, late: bool) -> date:
    day = local(h.now, Zone.EASTERN).date()
    return max(day, due + timedelta(days=1)) if late else min(day, due)


def _complaint_day(h: History, rng: Random) -> date:
    """A workday on which the customer complains; the first four land on both sides of the limit."""
    today = h.today()
    for days in BOUNDARY_AGES:
        if h.boundary.get(days, 0) < 2 and is_workday(today + timedelta(days=days)):
            h.boundary[days] = h.boundary.get(days, 0) + 1
            return today + timedelta(days=days)
    days = rng.randrange(3, CREDIT_DAYS) if rng.random() < 0.58 else rng.randrange(CREDIT_DAYS + 2, 75)
    day = today + timedelta(days=days)
    while not is_workday(day):
        day += timedelta(days=-1 if days <= CREDIT_DAYS else 1)
    return day
