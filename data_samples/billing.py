"""From order to money: delivery with its credit check, invoices, reminders, payment."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from data_samples import letters, memos
from data_samples.clock import Zone, instant_at, is_workday, local, work_after
from data_samples.complaints import CREDIT_DAYS, complain
from data_samples.forwards import bounce
from data_samples.history import Attachment, Case, History, Mail, Steps
from data_samples.ledger import Delivery, Document, Item, short_number
from data_samples.selling import delay
from data_samples.styles import fill

LATE = 0.32
COMPLAINTS = 0.56
BOUNDARY_AGES = (CREDIT_DAYS, CREDIT_DAYS + 1)
CREDIT_LIMIT = 900_000


def ship(h: History, case: Case, order: Document, first_order: bool) -> Steps:
    """The starter kit leaves the house; large first orders of new customers wait for the credit check."""
    rng, staff = case.rng, h.staff
    needed = first_order and order.net > CREDIT_LIMIT
    fit = order.net > CREDIT_LIMIT
    odd = h.rules.deviates("credit_check", fit=fit)
    checked, reply = needed is not odd, ""
    yield work_after(h.now, rng.uniform(1, 6), Zone.EASTERN)
    if checked:
        text = rng.choice(memos.CREDIT_ASKS if first_order else memos.CREDIT_ASKS[1:]).format(
            company=case.company.name, order=short_number(order)
        )
        asked = h.mail(
            "credit_request",
            case.rep,
            [staff.controller],
            f"Credit check, order {short_number(order)}",
            [text],
            case=case,
        )
        yield work_after(h.now, rng.uniform(2, 12), Zone.EASTERN)
        text = rng.choice(memos.CREDIT_WORDS).format(company=case.company.name)
        reply = h.mail(
            "credit_reply", staff.controller, [case.rep], "", [text], case=case, parent=asked, bare=True
        ).id
    yield work_after(h.now, rng.uniform(2, 16), Zone.EASTERN)
    number = h.ledger.number("L")
    h.ledger.deliveries.append(Delivery(number, order, h.now, h.today()))
    case.add("deliveries", number)
    h.rules.note(
        "credit_check",
        case_id=case.id,
        order=order.number,
        delivery=number,
        net=f"{order.net / 100:.2f}",
        first_order=first_order,
        checked=checked,
        side="above" if needed else "below",
        basis="exception" if odd else "rule",
        channel="mail" if reply else "erp",
        evidence=reply or number,
    )


def bill(h: History, case: Case, order: Document, items: tuple[Item, ...]) -> Steps:
    """The invoice, what the customer says about it, reminders and the payment."""
    rng, staff = case.rng, h.staff
    invoice = h.document("M", case, staff.controller, items, order, order.reference)
    invoice.net_days = order.net_days
    receivable = h.ledger.book(invoice, h.today(), order.net_days)
    due = receivable.due
    if rng.random() < 0.17:
        _send_invoice(h, case, order, invoice, due)
    if rng.random() < COMPLAINTS:
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
        yield from _remind(h, case, invoice, due)
    yield instant_at(day, 15, 0, Zone.EASTERN)
    receivable.cleared, receivable.clearing = _clearing_day(h, due, late), h.ledger.number("P")
    outcome[invoice.number] = "late" if receivable.cleared > due else "on_time"


def _send_invoice(h: History, case: Case, order: Document, invoice: Document, due: date) -> None:
    rng, staff = case.rng, h.staff
    text, amounts = fill(
        staff.controller,
        rng.choice(letters.INVOICE_SENT).replace("30 days", f"{order.net_days} days"),
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
        f"{item.material};{item.text};{item.quantity};{item.net / 100:.2f}\n" for item in invoice.items
    )
    if rng.random() < 0.2:
        h.spawn(h.now + timedelta(minutes=rng.randrange(1, 30)), bounce(h, mail, "failed", "5.2.2"))
    name = f"{short_number(invoice)}_{case.company.short.replace(' ', '-')}"
    if rng.random() < 0.6:
        mail.attachments.append(Attachment(f"{name}.csv", "text/csv", table.encode()))


def _remind(h: History, case: Case, invoice: Document, due: date) -> Steps:
    rng, staff = case.rng, h.staff
    after = instant_at(due + timedelta(days=rng.randrange(5, 9)), 9, 0, Zone.EASTERN)
    yield work_after(after, rng.uniform(0, 6), Zone.EASTERN)
    number = short_number(invoice)
    text, amounts = fill(
        staff.controller,
        rng.choice(letters.DUNNING),
        invoice,
        invoice=number,
        due=f"{due:%B} {due.day}",
    )
    mail: Mail = h.mail(
        "dunning",
        staff.controller,
        [case.contact],
        f"Overdue: invoice {number}",
        [text],
        case=case,
        amounts=amounts,
    )
    if rng.random() < 0.4:
        said = memos.DUNNING_CALL.format(invoice=number, answer=rng.choice(memos.CALL_ANSWERS))
        h.task(f"Call: invoice {number}", staff.controller, case.contact, case.company, said)
    if rng.random() < 0.6:
        yield delay(case, case.contact.zone, h.now)
        text, amounts = fill(case.contact, rng.choice(letters.PAYING), invoice, invoice=number)
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
