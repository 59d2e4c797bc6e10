"""Scanning stations on customers' sites: plans with their revisions, change orders, visits."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from data_samples import memos
from data_samples.calendars import visit_invite
from data_samples.clock import Zone, instant_at, local, next_workday, work_after
from data_samples.history import Attachment, Case, History, Mail, Steps
from data_samples.ledger import Document, short_number, write_amount
from data_samples.market import Person
from data_samples.papers import pdf_page
from data_samples.styles import style_of, writes_german

CHANGE_LIMIT = 650_000
NEARNESS = 40_000
ROOMS = ("Post room", "Archive 2", "Loading bay", "Ground floor office", "Accounts office", "Annex B")
DISCIPLINES = (("L", "Layout"), ("E", "Electrical"), ("C", "Cabling"))
NEAR_COSTS = (620_000, 640_000, 650_000, 655_000, 660_000, 680_000)
MORE_PLANS = 0.45


@dataclass(eq=False)
class Revision:
    """One issue of a plan with what it shows and who drew, checked and judged it."""

    drawing: Drawing
    letter: str
    issued: date
    author: Person
    checker: Person
    checked: date
    room: str
    width: int
    length: int
    stations: int
    cable: int
    power: float
    cost: int
    approver: str = ""
    decided: date | None = None
    verdict: str = "open"
    remark: str = ""

    @property
    def id(self) -> str:
        """Drawing number and letter."""
        return f"{self.drawing.number}/{self.letter}"


@dataclass(eq=False)
class Drawing:
    """A plan of one discipline for one order's site."""

    number: str
    discipline: str
    case: Case
    order: Document
    created: date
    revisions: list[Revision] = field(default_factory=list)

    @property
    def title(self) -> str:
        """What stands in the title block."""
        return f"{self.discipline} plan {self.revisions[0].room}, {self.case.company.short}"


@dataclass(eq=False)
class ChangeOrder:
    """Extra work on a site; `confirmation` is the customer's signed answer where there is one."""

    number: str
    drawing: Drawing
    what: str
    cost: int
    requested: date
    by: str
    confirmation: str = ""
    confirmed: date | None = None
    started: date | None = None
    closed: date | None = None


def survey(h: History, case: Case, order: Document) -> Steps:
    """The plans of the order's site, one visit, and the changes that come up."""
    rng = case.rng
    if rng.random() < 0.55:
        h.spawn(h.now, visit(h, case, order))
    count = 2 if rng.random() < MORE_PLANS else 1
    for mark, discipline in rng.sample(DISCIPLINES, count):
        h.serial["drawing"] = h.serial.get("drawing", 411) + 1
        drawing = Drawing(f"DW-{h.serial['drawing']:04d}-{mark}", discipline, case, order, h.today())
        h.drawings.append(drawing)
        case.add("drawings", drawing.number)
        yield from _first_issue(h, drawing)
        h.spawn(h.now, _revise(h, drawing))
        for _ in range(rng.choice((0, 1, 1, 2, 2))):
            h.spawn(h.now + timedelta(days=rng.randrange(4, 60)), _change(h, drawing))


def visit(h: History, case: Case, order: Document) -> Steps:
    """An invitation to the site visit, sometimes corrected once (same time, another door)."""
    rng, engineer = case.rng, h.staff.site_engineer
    day = next_workday(h.today(), rng.randrange(4, 12))
    start = instant_at(day, rng.randrange(9, 16), 0, case.contact.zone)
    first = visit_invite(h, case, engineer, start, short_number(order), 0)
    yield work_after(h.now, rng.uniform(1, 9), Zone.EASTERN)
    if rng.random() < 0.3:
        visit_invite(h, case, engineer, start, short_number(order), 1, first)


def _first_issue(h: History, drawing: Drawing) -> Steps:
    rng = drawing.case.rng
    author = rng.choice(h.staff.drafters)
    yield work_after(h.now, rng.uniform(6, 30), Zone.EASTERN)
    stations = rng.randrange(2, 9)
    cable = stations * rng.randrange(14, 40) + rng.randrange(10, 60)
    _issue(
        h,
        Revision(
            drawing,
            "A",
            h.today(),
            author,
            author,
            h.today(),
            rng.choice(ROOMS),
            rng.randrange(36, 140) * 100,
            rng.randrange(36, 200) * 100,
            stations,
            cable,
            round(0.35 * stations + 0.4, 2),
            stations * 78_000 + cable * 1_150,
        ),
    )


def _issue(h: History, revision: Revision) -> None:
    """Check and issue a revision: A is checked by whoever drew it, later ones by somebody else."""
    drawing = revision.drawing
    rng = drawing.case.rng
    later = revision.letter != "A"
    odd = h.rules.deviates("plan_check", 13)
    other = [person for person in (*h.staff.drafters, h.staff.engineering) if person is not revision.author]
    revision.checker = rng.choice(other) if later is not odd else revision.author
    revision.checked = h.today()
    drawing.revisions.append(revision)
    h.rules.note(
        "plan_check",
        case_id=drawing.case.id,
        revision=revision.id,
        letter=revision.letter,
        author=revision.author.login,
        checker=revision.checker.login,
        side="above" if later else "below",
        basis="exception" if odd else "rule",
        channel="register",
        evidence=revision.id,
        cost=f"{revision.cost / 100:.2f}",
    )


def _revise(h: History, drawing: Drawing) -> Steps:
    case, rng = drawing.case, drawing.case.rng
    head = h.staff.engineering
    while True:
        revision = drawing.revisions[-1]
        if revision.checker is not revision.author and rng.random() < 0.4:
            yield from _check_mails(h, case, revision)
        sent = None
        if rng.random() < 0.6:
            yield work_after(h.now, rng.uniform(0.5, 5), Zone.EASTERN)
            sent = _send_plan(h, drawing, revision)
        yield work_after(h.now, rng.uniform(8, 60), case.contact.zone)
        odds = (0.35, 0.3) if revision.author is h.staff.drafters[0] else (0.22, 0.18)
        draw = rng.random() + 0.18 * (len(drawing.revisions) - 1)
        revision.verdict = (
            "rejected" if draw < odds[0] else "approved with comments" if draw < sum(odds) else "approved"
        )
        german = case.company.place.country == "DE" and rng.random() < 0.5
        remark = rng.choice(memos.REMARKS_DE if german else memos.REMARKS)
        revision.remark = "" if revision.verdict == "approved" else remark
        revision.decided = h.today()
        revision.approver = case.contact.name if sent is not None else head.name
        if sent is not None:
            words = (memos.PLAN_ANSWERS_DE if german else memos.PLAN_ANSWERS)[revision.verdict]
            text = rng.choice(words).format(drawing=drawing.number, rev=revision.letter, remark=remark)
            h.mail("plan_answer", case.contact, [head], "", [text], case=case, parent=sent, german=german)
        if revision.verdict == "rejected" and rng.random() < 0.75:
            h.spawn(h.now, _redraw(h, drawing, revision))
        if revision.verdict == "approved" or len(drawing.revisions) == 4:
            return
        yield work_after(h.now, rng.uniform(6, 40), Zone.EASTERN)
        _issue(h, _next(h, revision))


def _redraw(h: History, drawing: Drawing, revision: Revision) -> Steps:
    """The engineers' ticket for a plan that came back."""
    case, rng = drawing.case, drawing.case.rng
    ticket = h.ticket(
        "ENG",
        "Task",
        f"Redraw {drawing.number} after revision {revision.letter}",
        f"{case.company.name} sent it back: {revision.remark}.\nOrder {short_number(drawing.order)}.",
        h.staff.engineering,
        revision.author,
        case,
        ("plans", drawing.discipline.lower()),
    )
    yield work_after(h.now, rng.uniform(2, 20), Zone.EASTERN)
    ticket.comment(h.now, revision.author, rng.choice(memos.REDRAW_WORDS).format(drawing=drawing.number))
    yield work_after(h.now, rng.uniform(1, 20), Zone.EASTERN)
    ticket.resolve(h.now, "Done")


def _next(h: History, before: Revision) -> Revision:
    rng = before.drawing.case.rng
    stations = max(1, before.stations + rng.choice((-1, 0, 0, 1, 1, 2)))
    cable = before.cable + rng.choice((-12, 0, 15, 24, 40))
    return Revision(
        before.drawing,
        chr(ord(before.letter) + 1),
        h.today(),
        before.author if rng.random() < 0.8 else rng.choice(h.staff.drafters),
        before.author,
        h.today(),
        before.room if rng.random() < 0.85 else rng.choice(ROOMS),
        before.width + rng.choice((0, 0, 0, 300, -200)),
        before.length + rng.choice((0, 0, 0, 450)),
        stations,
        cable,
        round(0.35 * stations + 0.4, 2),
        stations * 78_000 + cable * 1_150,
    )


def _check_mails(h: History, case: Case, revision: Revision) -> Steps:
    rng = case.rng
    names = {"drawing": revision.drawing.number, "rev": revision.letter}
    ask = f"{rng.choice(memos.CHECK_ASKS).format(**names)} It is for {case.company.name}, order "
    asked = h.mail(
        "plan_check",
        revision.author,
        [revision.checker],
        f"Check {revision.drawing.number} {revision.letter}",
        [f"{ask}{short_number(revision.drawing.order)}."],
        case=case,
        cc=[h.staff.engineering] if revision.checker is not h.staff.engineering else [],
    )
    yield work_after(h.now, rng.uniform(0.5, 6), Zone.EASTERN)
    h.mail(
        "plan_checked",
        revision.checker,
        [revision.author],
        "",
        [rng.choice(memos.CHECK_WORDS).format(company=case.company.short, **names)],
        case=case,
        parent=asked,
        bare=True,
        cc=[h.staff.site_engineer],
    )


def _send_plan(h: History, drawing: Drawing, revision: Revision) -> Mail:
    case, rng, head = drawing.case, drawing.case.rng, h.staff.engineering
    german = writes_german(head, case.contact)
    text = rng.choice(memos.PLAN_SENT_DE if german else memos.PLAN_SENT).format(
        drawing=drawing.number,
        rev=revision.letter,
        order=short_number(drawing.order),
        stations=revision.stations,
        cable=revision.cable,
        room=revision.room,
    )
    title = f"Plan {drawing.number} {revision.letter}, {'Auftrag' if german else 'order'} "
    mail = h.mail(
        "plan_sent",
        head,
        [case.contact],
        f"{title}{short_number(drawing.order)}",
        [text],
        case=case,
        german=german,
        cc=[h.staff.site_engineer] if rng.random() < 0.4 else [],
    )
    if rng.random() < 0.5:
        name = f"{drawing.number}_{revision.letter}{'_zur_Prüfung' if german else ''}.pdf"
        mail.attachments.append(Attachment(name, "application/pdf", pdf_page(plan_lines(revision))))
    return mail


def plan_lines(revision: Revision) -> list[str]:
    """The title block and the notes of a plan as plain lines."""
    drawing = revision.drawing
    return [
        f"DRAWING {drawing.number}   REVISION {revision.letter}",
        f"Title: {drawing.title}",
        f"Customer: {drawing.case.company.name}",
        f"Site: {drawing.case.company.street}, {drawing.case.company.place.city}",
        f"Order: {short_number(drawing.order)}",
        f"Room: {revision.room}, {revision.width} x {revision.length} mm",
        f"Stations: {revision.stations}",
        f"Cable: {revision.cable} m",
        f"Power rating: {revision.power:.2f} kW",
        f"Cost estimate: {write_amount(revision.cost, 'iso')}",
        f"Drawn: {revision.author.name}, {revision.issued:%d.%m.%Y}",
        f"Checked: {revision.checker.name}, {revision.checked:%d.%m.%Y}",
    ]


def _cost(by_customer: bool, rng: Random) -> int:
    if rng.random() < 0.2:
        return rng.choice(NEAR_COSTS)
    mean = 8.95 if by_customer else 8.35
    return int(min(24_000, max(480, rng.lognormvariate(mean, 0.6)))) * 100 // 5000 * 5000


def _change(h: History, drawing: Drawing) -> Steps:
    case, rng, head = drawing.case, drawing.case.rng, h.staff.engineering
    h.serial["change"] = h.serial.get("change", 1140) + 1
    by_customer = rng.random() < 0.5
    cost = _cost(by_customer, rng)
    english, german_words = rng.choice(memos.CHANGES)
    change = ChangeOrder(
        f"CO-{h.serial['change']}",
        drawing,
        english,
        cost,
        h.today(),
        case.contact.name if by_customer else h.staff.site_engineer.name,
    )
    h.changes.append(change)
    case.add("change_orders", change.number)
    above = cost > CHANGE_LIMIT
    odd = h.rules.deviates("change_order", 8, abs(cost - CHANGE_LIMIT) > NEARNESS)
    signed = above is not odd
    entry = h.rules.note(
        "change_order",
        case_id=case.id,
        change_order=change.number,
        cost=f"{cost / 100:.2f}",
        requested_by="customer" if by_customer else "site",
        confirmed_before_work=signed,
        side="above" if above else "below",
        basis="exception" if odd else "rule",
        channel="register",
        evidence=change.number,
    )
    german = writes_german(head, case.contact)
    words = (
        (memos.CHANGE_ASKS_DE if german else memos.CHANGE_ASKS)
        if signed
        else (memos.CHANGE_NOTICES_DE if german else memos.CHANGE_NOTICES)
    )
    amount = write_amount(cost, "german" if german else style_of(head).amount)
    yield work_after(h.now, rng.uniform(1, 10), Zone.EASTERN)
    asked = None
    if signed or rng.random() < 0.5:
        text = rng.choice(words).format(
            co=change.number,
            drawing=drawing.number,
            order=short_number(drawing.order),
            what=german_words if german else english,
            amount=amount,
        )
        title = f"{'Nachtrag' if german else 'Change order'} {change.number}"
        asked = h.mail("change_order", head, [case.contact], title, [text], case=case, german=german)
        asked.change_amounts.append((amount, change.number))
    if signed and asked is not None:
        yield work_after(h.now, rng.uniform(2, 30), case.contact.zone)
        reply_german = german and rng.random() < 0.8
        said = rng.choice(memos.CHANGE_CONFIRMED_DE if reply_german else memos.CHANGE_CONFIRMED)
        reply = h.mail(
            "change_confirmed",
            case.contact,
            [head],
            "",
            [said.format(co=change.number)],
            case=case,
            parent=asked,
            german=reply_german,
        )
        lines = [f"Change order {change.number}", english, write_amount(cost, "iso"), "Signed:"]
        lines.append(f"{case.contact.name}, {local(h.now, Zone.EASTERN):%Y-%m-%d}")
        reply.attachments.append(
            Attachment(f"{change.number}_signed.pdf", "application/pdf", pdf_page(lines))
        )
        change.confirmation, change.confirmed = reply.id, h.today()
        entry.update(channel="mail", evidence=reply.id)
    yield work_after(h.now, rng.uniform(4, 40), Zone.EASTERN)
    change.started = h.today()
    yield h.now + timedelta(days=rng.randrange(3, 25))
    change.closed = h.today()
