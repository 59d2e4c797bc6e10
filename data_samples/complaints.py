"""Complaints about invoices and the unwritten rule on who decides them; payment itself stands in deals."""

from __future__ import annotations

from datetime import timedelta

from data_samples import letters
from data_samples.clock import Zone, local, work_after
from data_samples.forwards import forward
from data_samples.history import MOVED, Case, History, Steps
from data_samples.ledger import Document, Item, Receivable, write_amount
from data_samples.styles import style_of

CREDIT_DAYS = 30
FIRSTS = {"late": 5, "early": 19}
NEARNESS = 6


def complain(h: History, case: Case, invoice: Document) -> Steps:
    """A complaint about the invoice: ticket, decision, credit memo where one is granted."""
    rng, staff, person = case.rng, h.staff, case.contact
    number = invoice.number.lstrip("0")
    said = rng.choice(letters.COMPLAINTS).format(invoice=number)
    if rng.random() < 0.5:
        mail = h.mail("complaint", person, [staff.support], f"Complaint invoice {number}", [said], case=case)
        if rng.random() < 0.4:
            yield work_after(h.now, rng.uniform(0.1, 2), Zone.EASTERN)
            forward(h, mail, staff.support, [staff.controller], case)
    agent = rng.choice(staff.agents)
    caller = f"Caller: {person.last}, {person.first} ({case.company.short}), {person.email}"
    ticket = h.ticket(
        "SUP",
        "Complaint",
        f"Complaint about invoice {number}",
        said if h.now >= MOVED else f"{said}\n{caller}",
        agent,
        staff.support,
        case,
        ("complaint", "billing"),
    )
    ticket.requester = person
    ticket.priority = rng.choice(("Medium", "High"))
    if rng.random() < 0.3:
        yield work_after(h.now, rng.uniform(0.5, 4), Zone.EASTERN)
        ticket.comment(h.now, agent, "Called back, customer insists.")
    age = (local(ticket.created, Zone.EASTERN).date() - local(invoice.created, Zone.EASTERN).date()).days
    side = "early" if age <= CREDIT_DAYS else "late"
    exception = h.rules.deviates(f"credit:{side}", FIRSTS[side], abs(age - CREDIT_DAYS) > NEARNESS)
    decider = staff.support if side == "early" else staff.controller
    if exception:
        decider = staff.support if side == "late" else staff.controller
    draw = rng.random()
    reject = 0.25 if side == "early" else 0.45
    verdict = "rejected" if draw < reject else "replaced" if draw < reject + 0.2 else "credited"
    entry: dict[str, object] = {
        "ticket": ticket.key,
        "invoice": invoice.number,
        "age_days": age,
        "decider": decider.login,
        "side": side,
        "basis": "exception" if exception else "rule",
        "verdict": verdict,
        "case_id": case.id,
    }
    h.rules.note("credit", **entry)
    credit = max(5000, invoice.net * rng.randrange(8, 40) // 100 // 2500 * 2500)
    amount = write_amount(credit, style_of(decider).amount)
    wording = {"credited": letters.CREDITED, "replaced": letters.REPLACED, "rejected": letters.REJECTED}[
        verdict
    ]
    text = rng.choice(wording).format(amount=amount, invoice=number)
    if exception:
        text = f"Covering today. {text}"
    yield work_after(h.now, min(24.0, rng.lognormvariate(1.7, 0.7)), Zone.EASTERN)
    memo: Document | None = None
    receivable: Receivable | None = None
    if verdict == "credited":
        memo = h.document(
            "O", case, staff.controller, (Item("TW-CRED", f"Credit for {number}", 1, credit),), invoice
        )
        receivable = h.ledger.book(memo, h.today())
        receivable.due = receivable.booked
    if rng.random() < 0.25 and ticket.system == "jira":
        asked = h.mail(
            "complaint_question",
            agent,
            [decider],
            f"{ticket.key} invoice {number}",
            [f"{case.company.short} complains about invoice {number} ({age} days old). What shall we do?"],
            case=case,
        )
        yield work_after(h.now, rng.uniform(0.2, 2), Zone.EASTERN)
        h.mail(
            "complaint_decision",
            decider,
            [agent],
            "",
            [f"{case.company.short}: {text}"],
            case=case,
            parent=asked,
            amounts=[(amount, memo.number)] if memo else [],
        )
        ticket.comment(h.now, agent, f"Decided by mail, see {decider.first}'s answer.")
    else:
        ticket.comment(h.now, decider, text)
    yield h.now + timedelta(minutes=rng.randrange(5, 200))
    ticket.resolve(h.now, verdict.capitalize())
    case.outcome.setdefault("complaints", {})[ticket.key] = verdict
    if receivable is not None:
        yield h.now + timedelta(days=rng.randrange(4, 20))
        receivable.cleared, receivable.clearing = h.today(), h.ledger.number("P")
