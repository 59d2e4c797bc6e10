"""From lead to meeting: outreach, answers, offers, invitations, cancellations. Quotes begin in deals."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from data_samples import letters, names
from data_samples.calendars import offer_times, schedule_mail, spoken
from data_samples.clock import Zone, local, work_after
from data_samples.history import Case, History, Mail, Opportunity, Steps
from data_samples.ledger import PRODUCT
from data_samples.market import Person
from data_samples.topics import (
    ASKS,
    GENERIC_PITCHES,
    GENERIC_SUBJECTS,
    NO_ASKS,
    TOPICS,
    by_key,
)

RATES = {
    "relevant_pitch": 0.56,
    "other_topic": 0.2,
    "asked": 0.78,
    "offers_if_relevant_and_asked": 0.7,
    "asks_back_if_relevant_unasked": 0.8,
    "not_priority_if_irrelevant": 0.75,
    "follow_up_after_refusal": 0.55,
    "follow_up_after_silence": 0.6,
    "fact_in_follow_up": 0.7,
    "second_chance_with_fact": 0.5,
    "second_chance_without_fact": 0.08,
    "out_of_office": 0.12,
    "wrong_person": 0.08,
    "stop_request_among_refusals": 0.2,
    "reschedule": 0.22,
    "no_show": 0.04,
    "reply_hours_mu": 1.6,
    "reply_hours_sigma": 0.9,
}


class Pitch(NamedTuple):
    """One outreach mail and what is true about it."""

    mail: Mail
    topic: str
    relevant: bool
    asked: bool
    fact: bool


Outcome = Generator[datetime, None, Mail | None]


def delay(case: Case, zone: Zone, now: datetime) -> datetime:
    """When the other side answers: lognormal working hours in its zone."""
    hours = min(45.0, case.rng.lognormvariate(RATES["reply_hours_mu"], RATES["reply_hours_sigma"]))
    return work_after(now, hours, zone)


def pitch(
    h: History,
    case: Case,
    person: Person,
    parent: Mail | None = None,
    attempt: int = 1,
    fact: bool = False,
    sure: bool = False,
) -> Pitch:
    """The outreach mail that the rep sends now; `sure` for one who has learnt what matters."""
    rng, company = case.rng, case.company
    draw = rng.random()
    key = company.topic if sure or draw < RATES["relevant_pitch"] else ""
    if not key and draw < RATES["relevant_pitch"] + RATES["other_topic"]:
        key = rng.choice([topic.key for topic in TOPICS if topic.key != company.topic])
    asked = sure or rng.random() < RATES["asked"]
    if key:
        topic = by_key(key)
        said, subject = rng.choice(topic.pitches), rng.choice(topic.subject)
    else:
        said, subject = rng.choice(GENERIC_PITCHES), rng.choice(GENERIC_SUBJECTS)
    paragraphs = [said.format(product=PRODUCT, company=company.short, industry=company.industry.lower())]
    if fact:
        key, sent = company.topic, rng.choice(by_key(company.topic).facts)
        paragraphs = [
            sent.format(figure=company.figure, place=company.place.city, month=company.month, product=PRODUCT)
        ]
        asked = True
    elif attempt > 1 and not sure:
        key, asked, paragraphs = "", False, [rng.choice(letters.BUMPS)]
    paragraphs.append(rng.choice(ASKS if asked else NO_ASKS)) if attempt == 1 or fact or sure else None
    title = subject.format(company=company.short)
    mail = h.mail(
        "outreach", case.rep, [person], "" if parent else title, paragraphs, case=case, parent=parent
    )
    relevant = key == company.topic
    if rng.random() < 0.7:
        h.task(f"Email: {mail.subject}", case.rep, person, company, paragraphs[0][:120])
    h.labels[mail.id] = {
        "message_id": mail.id,
        "case_id": case.id,
        "person": person.id,
        "topic": key,
        "relevant": relevant,
        "asked": asked,
        "fact": fact,
        "attempt": attempt,
        "answer": "silence",
        "answer_message_id": "",
    }
    return Pitch(mail, key, relevant, asked, fact)


def answer(
    h: History, case: Case, person: Person, sent: Pitch, kind: str, text: str, auto: bool = False
) -> Mail:
    """The buyer's answer, noted at the outreach mail that it answers."""
    mail = h.mail(
        "auto_reply" if auto else f"answer_{kind}",
        person,
        [case.rep],
        "",
        [text],
        case=case,
        parent=sent.mail,
        bare=auto,
    )
    if auto:
        mail.subject = f"Automatic reply: {sent.mail.subject}"
        mail.headers.append(("In-Reply-To", f"<{sent.mail.id}>"))
        mail.headers += [("Auto-Submitted", "auto-replied"), ("X-Auto-Response-Suppress", "All")]
        mail.parent, mail.threaded = None, False
    if sent.mail.id in h.labels:
        h.labels[sent.mail.id].update(answer=kind, answer_message_id=mail.id)
    return mail


def approach(h: History, case: Case) -> Outcome:
    """The mail in which a buyer offers times, or None where nobody does."""
    rng, person = case.rng, case.contact
    others = [other for other in case.company.people if other is not person]
    draw = rng.random()
    sent = pitch(h, case, person)
    if draw < RATES["out_of_office"] and others:
        yield h.now + timedelta(seconds=rng.randrange(20, 200))
        back = h.today() + timedelta(days=rng.randrange(5, 16))
        text = rng.choice(letters.OUT_OF_OFFICE).format(
            back=f"{back:%B} {back.day}", name=others[0].name, email=others[0].email
        )
        mail = answer(h, case, person, sent, "out_of_office", text, auto=True)
        h.traps.append(
            {
                "kind": "out_of_office_delegate",
                "message_id": mail.id,
                "case_id": case.id,
                "delegate": others[0].id,
            }
        )
        yield work_after(h.now, rng.uniform(1, 12), Zone.EASTERN)
        person = case.contact = others[0]
        sent = pitch(h, case, person, sure=rng.random() < 0.6)
    elif draw < RATES["out_of_office"] + RATES["wrong_person"] and others:
        yield delay(case, person.zone, h.now)
        text = rng.choice(letters.WRONG_PERSON).format(
            title=rng.choice(("facilities", "tax", "payroll", "treasury")),
            name=others[0].name,
            email=others[0].email,
        )
        answer(h, case, person, sent, "wrong_person", text)
        yield work_after(h.now, rng.uniform(1, 10), Zone.EASTERN)
        person = case.contact = others[0]
        sent = pitch(h, case, person, sure=rng.random() < 0.6)
    return (yield from _converse(h, case, person, sent))


def _converse(h: History, case: Case, person: Person, sent: Pitch) -> Outcome:
    rng = case.rng
    for attempt in (2, 3):
        draw = rng.random()
        if sent.fact or attempt == 3:
            chance = RATES["second_chance_with_fact" if sent.fact else "second_chance_without_fact"]
            kind = "offers_times" if draw < chance else "silence"
        elif sent.relevant and sent.asked:
            good = RATES["offers_if_relevant_and_asked"]
            kind = "offers_times" if draw < good else "not_priority" if draw < (1 + good) / 2 else "silence"
        elif sent.relevant:
            kind = "asks_what_is_wanted" if draw < RATES["asks_back_if_relevant_unasked"] else "silence"
        else:
            kind = "not_priority" if draw < RATES["not_priority_if_irrelevant"] else "silence"
        if kind == "silence":
            yield work_after(h.now, rng.uniform(30, 60), Zone.EASTERN)
            if attempt == 3 or rng.random() >= RATES["follow_up_after_silence"]:
                return None
            sent = pitch(h, case, person, sent.mail, attempt, fact=rng.random() < RATES["fact_in_follow_up"])
            continue
        yield delay(case, person.zone, h.now)
        if kind == "offers_times":
            return _offer(h, case, person, sent)
        if kind == "asks_what_is_wanted":
            mail = answer(h, case, person, sent, kind, rng.choice(letters.ASK_BACK))
            yield work_after(h.now, rng.uniform(0.3, 5), Zone.EASTERN)
            mail = h.mail(
                "explains", case.rep, [person], "", [rng.choice(letters.ASK_NOW)], case=case, parent=mail
            )
            yield delay(case, person.zone, h.now)
            return (
                _offer(h, case, person, Pitch(mail, sent.topic, True, True, False))
                if rng.random() < 0.8
                else None
            )
        if rng.random() < RATES["stop_request_among_refusals"]:
            mail = answer(h, case, person, sent, "stop_request", rng.choice(letters.STOP))
            person.opted_out = True
            h.traps.append(
                {
                    "kind": "do_not_contact_request",
                    "message_id": mail.id,
                    "case_id": case.id,
                    "person": person.id,
                }
            )
            return None
        mail = answer(h, case, person, sent, kind, rng.choice(letters.NOT_PRIORITY))
        if attempt == 3 or rng.random() >= RATES["follow_up_after_refusal"]:
            return None
        yield work_after(h.now, rng.uniform(4, 30), Zone.EASTERN)
        sent = pitch(h, case, person, mail, attempt, fact=rng.random() < RATES["fact_in_follow_up"])
    return None


def _offer(h: History, case: Case, person: Person, sent: Pitch) -> Mail:
    rng = case.rng
    first, second, taken = offer_times(h, case, person)
    short = rng.random() < 0.5
    text = rng.choice(letters.OFFERS).format(
        first=spoken(first, person.zone, short), second=spoken(second, person.zone, short)
    )
    mail = answer(h, case, person, sent, "offers_times", text)
    case.outcome["offered"] = [first, second]
    if person.zone is not Zone.EASTERN:
        h.traps.append(
            {
                "kind": "time_zone",
                "message_id": mail.id,
                "case_id": case.id,
                "zone": person.zone.value,
                "offered": [first.isoformat(), second.isoformat()],
                "collides_with_event": taken,
            }
        )
    return mail


def meet(h: History, case: Case, offer: Mail) -> Generator[datetime, None, bool]:
    """True once the meeting has been held."""
    rng, person = case.rng, case.contact
    yield work_after(h.now, rng.uniform(0.2, 4), Zone.EASTERN)
    offered: list[datetime] = case.outcome.pop("offered")
    start = next((at for at in offered if not h.busy(case.rep, at)), offered[-1])
    invite, event = schedule_mail(h, case, person, offer, start, rng.choice(letters.INVITES), "REQUEST")
    yield min(delay(case, person.zone, h.now), h.now + (start - h.now) / 3)
    accepted = None
    if h.now < start and rng.random() < 0.36:
        accepted = schedule_mail(h, case, person, invite, start, "", "REPLY")[0]
    if rng.random() < RATES["reschedule"] and h.now + timedelta(hours=3) < start:
        yield h.now + (start - h.now) * 0.6
        moved = offer_times(h, case, person, after=start)[0]
        text = rng.choice(letters.BUYER_CANCELS).format(
            old=spoken(start, person.zone, False), new=spoken(moved, person.zone, False)
        )
        mail = h.mail("buyer_cancels", person, [case.rep], "", [text], case=case, parent=accepted or invite)
        yield work_after(h.now, rng.uniform(0.2, 3), Zone.EASTERN)
        if event is not None:
            event.status = "Cancelled"
        schedule_mail(h, case, person, invite, start, "The old appointment is cancelled.", "CANCEL")
        invite, event = schedule_mail(h, case, person, mail, moved, rng.choice(letters.MOVED), "REQUEST")
        h.traps.append(
            {
                "kind": "buyer_cancels",
                "message_id": mail.id,
                "case_id": case.id,
                "old": start.isoformat(),
                "new": moved.isoformat(),
                "event_id": event.sf_id if event else "",
            }
        )
        case.outcome["rescheduled"] = True
        start = moved
    yield max(h.now, start) + timedelta(minutes=rng.randrange(25, 50))
    if rng.random() < RATES["no_show"]:
        h.task("Call: no show", case.rep, person, case.company, "Nobody joined.")
        return False
    h.task(
        "Call: meeting held",
        case.rep,
        person,
        case.company,
        rng.choice(
            (
                "Good call, wants numbers.",
                "Showed the demo tenant. Quote next.",
                "Two people joined, asked about the connector.",
            )
        ),
    )
    return True


def open_opportunity(h: History, case: Case, name: str, stage: str, chance: int) -> Opportunity:
    """The opportunity of the case, opened now."""
    opportunity = Opportunity(h.sf_id("006"), case, name, h.now)
    opportunity.stages.append((h.now, stage, chance))
    h.opportunities.append(opportunity)
    case.add("opportunities", opportunity.sf_id)
    return opportunity


def close_lead(h: History, case: Case, status: str, reason: str = "") -> None:
    """Write what became of the company into its CRM record."""
    case.company.status, case.company.reason = status, reason
    case.company.verified = h.today().isoformat()


def reveal_flaw(h: History, case: Case) -> Steps:
    """An outreach to a company that does not fit: its answer says why."""
    rng, company, person = case.rng, case.company, case.contact
    sent = pitch(h, case, person)
    yield delay(case, person.zone, h.now)
    wording = {
        "too_small": letters.TOO_SMALL,
        "region": letters.REGION_ANSWER,
        "unsupported_ledger": letters.LEDGER_ANSWER,
        "public_body": letters.PUBLIC_ANSWER,
        "acquired": letters.ACQUIRED_ANSWER,
    }[company.flaw]
    text = rng.choice(wording).format(
        count=company.employees,
        ledger=company.ledger,
        owner=names.COMPETITOR_OWNER,
        tool=rng.choice(names.COMPETITORS),
        country=company.place.country,
    )
    answer(h, case, person, sent, "does_not_fit", text)
    yield work_after(h.now, rng.uniform(1, 9), Zone.EASTERN)


def lead_day(number: int, total: int) -> date:
    """Leads arrive evenly over the first sixteen months."""
    return date(2024, 3, 5) + timedelta(days=number * 490 // total)


def local_day(at: datetime, zone: Zone = Zone.EASTERN) -> date:
    """The date of an instant on the zone's wall clock."""
    return local(at, zone).date()
