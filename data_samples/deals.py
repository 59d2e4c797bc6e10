"""From quote to order: amounts, who allows them, the customer's answer. What follows stands in billing."""

from __future__ import annotations

from datetime import timedelta

from data_samples import letters, memos, names
from data_samples.approvals import agree_terms, allow_discount, approve, draw_discount
from data_samples.billing import bill, ship
from data_samples.clock import Zone, work_after
from data_samples.forwards import bounce, forward
from data_samples.history import Attachment, Case, History, Mail, Opportunity, Steps
from data_samples.ledger import Document, compose, short_number, split
from data_samples.papers import pdf_page
from data_samples.selling import close_lead
from data_samples.sites import survey
from data_samples.styles import fill, writes_german

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
SITES = 0.5


def deal(h: History, case: Case, opportunity: Opportunity, parent: Mail | None) -> Steps:
    """Quote, approval, the customer's decision, and on success order, invoices and payment."""
    rng = case.rng
    yield work_after(h.now, rng.uniform(4, 35), Zone.EASTERN)
    target = _target(case)
    percent, months = draw_discount(case, target)
    if percent:
        yield from allow_discount(h, case, percent, months)
    opportunity.months, opportunity.discount = months, percent
    quote = _quote(h, case, opportunity, target)
    if percent:
        case.outcome.pop("discount_entry")["quote"] = quote.number
    while not (yield from approve(h, case, quote)):
        quote.rejected = True
        yield work_after(h.now, rng.uniform(3, 12), Zone.EASTERN)
        quote = _quote(h, case, opportunity, quote.net * rng.choice((104, 106, 108)) // 100 // 5000 * 5000)
    opportunity.stages.append((h.now, "Proposal", 60))
    sent = _send_quote(h, case, quote, parent)
    if rng.random() < 0.06:
        h.spawn(h.now + timedelta(minutes=rng.randrange(2, 300)), bounce(h, sent, "delayed", "4.4.1"))
    yield work_after(h.now, rng.uniform(10, 110), case.contact.zone)
    if rng.random() < (0.34 if case.kind == "lead" else 0.24):
        reason = rng.choice(("price", "price", "timing", "chose_competitor", "no_decision"))
        _lose(h, case, opportunity, reason, quote, sent)
        return
    po = str(4500001000 + rng.randrange(1, 88999))
    german = writes_german(case.rep, case.contact)
    words = memos.ACCEPTED_DE if german else letters.ORDERED
    text, amounts = fill(case.contact, rng.choice(words), quote, po=po)
    if rng.random() < 0.8:
        said = h.mail(
            "order",
            case.contact,
            [case.rep],
            "",
            [text],
            case=case,
            parent=sent,
            amounts=amounts,
            german=german,
        )
        if rng.random() < 0.3:
            yield work_after(h.now, rng.uniform(0.1, 2), Zone.EASTERN)
            forward(h, said, case.rep, [h.staff.controller], case)
    yield work_after(h.now, rng.uniform(0.5, 8), Zone.EASTERN)
    first_order = case.kind == "lead" and not case.company.customer
    order = h.document("C", case, case.rep, quote.items, quote, po)
    order.discount, order.months = quote.discount, quote.months
    opportunity.stages.append((h.now, "Closed Won", 100))
    opportunity.close = h.today()
    case.outcome.update(result="won")
    close_lead(h, case, "Customer")
    case.company.customer = True
    if rng.random() < 0.3:
        said_back = rng.choice(memos.ORDERED_DE if german else letters.ORDER_CONFIRMED)
        text, amounts = fill(case.rep, said_back, order, order=short_number(order))
        h.mail(
            "order_confirmed", case.rep, [case.contact], "", [text], case=case, parent=sent, amounts=amounts
        )
    yield from agree_terms(h, case, order)
    h.spawn(h.now, ship(h, case, order, first_order))
    if rng.random() < SITES:
        h.spawn(h.now + timedelta(days=rng.randrange(3, 12)), survey(h, case, order))
    first, services = split(order.items)
    if rng.random() < 0.55:
        h.spawn(h.now + timedelta(days=rng.randrange(1, 6)), bill(h, case, order, first))
        h.spawn(h.now + timedelta(days=rng.randrange(20, 45)), bill(h, case, order, services))
    else:
        h.spawn(h.now + timedelta(days=rng.randrange(1, 8)), bill(h, case, order, order.items))


def _target(case: Case) -> int:
    rng = case.rng
    if rng.random() < 0.27:
        return rng.choice(NEAR)
    target = int(min(64_000, max(4_200, rng.lognormvariate(9.78, 0.55)))) * 100 // 5000 * 5000
    return target + rng.choice((0, 0, 0, 0, 2550, 1475))


def _quote(h: History, case: Case, opportunity: Opportunity, target: int) -> Document:
    rng = case.rng
    quote = h.document("B", case, case.rep, compose(rng, target))
    quote.discount, quote.months = opportunity.discount, opportunity.months
    opportunity.amount = quote.net
    opportunity.stages.append((h.now, "Approval", 40))
    if rng.random() < 0.5:
        opportunity.description = f"see quote {short_number(quote)}"
    return quote


def _send_quote(h: History, case: Case, quote: Document, parent: Mail | None) -> Mail:
    rng = case.rng
    german = writes_german(case.rep, case.contact)
    text, amounts = fill(case.rep, rng.choice(memos.QUOTE_SENT_DE if german else letters.QUOTE_SENT), quote)
    mail = h.mail(
        "quote",
        case.rep,
        [case.contact],
        "" if parent else f"Quote {short_number(quote)}",
        [text],
        case=case,
        parent=parent,
        amounts=amounts,
        german=german,
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
    text, amounts = fill(
        case.contact, rng.choice(letters.LOST[reason]), quote, rival=rng.choice(names.COMPETITORS)
    )
    if rng.random() < 0.85:
        h.mail("refusal", case.contact, [case.rep], "", [text], case=case, parent=sent, amounts=amounts)
    opportunity.stages.append((h.now, "Closed Lost", 0))
    opportunity.loss_reason, opportunity.close = reason, h.today()
    case.outcome.update(result="lost", reason=reason)
