"""Runs the company: gives each lead and customer its story and starts the office around them."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from data_samples import office
from data_samples.calendars import standing_meetings
from data_samples.clock import Zone, instant_at, work_after
from data_samples.deals import deal
from data_samples.history import BEGIN, Case, History, Steps
from data_samples.market import Company, build_market
from data_samples.selling import (
    approach,
    close_lead,
    lead_day,
    meet,
    open_opportunity,
    pitch,
    reveal_flaw,
)

RELEASED = (17, 61)
REFUSED = 38
STALE = 2
SIGNED = (12, 31, 47, 58, 74)


def simulate(seed: int, scale: int) -> History:
    """The history of eighteen months, the same for the same seed and scale."""
    h = History(seed, build_market(seed, scale))
    rng = Random(f"{seed}:world")
    standing_meetings(h, 78)
    fitting = stale = 0
    for number, company in enumerate(h.market.leads):
        case = _case(h, f"CASE-{number + 1:04d}", "lead", company)
        kind = "normal" if not company.flaw else "unfit"
        if not company.flaw:
            fitting += 1
            turn = fitting % 92
            if turn in RELEASED:
                company.employees, kind = 96 + turn % 20, "released"
            elif turn == REFUSED:
                kind = "refused"
            elif turn in SIGNED:
                kind = "signed"
        elif company.flaw == "acquired" and stale < STALE * scale:
            stale, kind = stale + 1, "stale"
        start = instant_at(
            lead_day(number, len(h.market.leads)), rng.randrange(9, 16), rng.randrange(60), Zone.EASTERN
        )
        h.spawn(start, _lead(h, case, kind))
    for number, company in enumerate(h.market.customers):
        turns, apart = (3, 200) if company.group else (2, 330)
        for turn in range(turns):
            case = _case(h, f"CASE-C{number + 1:03d}{'abc'[turn]}", "customer", company)
            h.spawn(BEGIN + timedelta(days=rng.uniform(2, 80) + apart * turn), _renewal(h, case))
    h.spawn(instant_at(date(2025, 2, 10), 9, 0, Zone.EASTERN), _marriage(h))
    office.noise(h, scale)
    h.run()
    return h


def _marriage(h: History) -> Steps:
    """A rep takes another family name: new address, same login, the old address still arrives."""
    rep = h.staff.reps[2]
    rep.old_last, rep.old_email = rep.last, rep.email
    rep.last, rep.email = "Delahunt", "shauna.delahunt@tarnwick.com"
    return
    yield


def _case(h: History, name: str, kind: str, company: Company) -> Case:
    rng = Random(f"{h.seed}:{name}")
    rep = rng.choice(h.staff.reps)
    case = Case(name, kind, company, rep, company.people[0], rng)
    h.cases.append(case)
    return case


def _lead(h: History, case: Case, kind: str) -> Steps:
    rng, company = case.rng, case.company
    company.owner = "Vantiro Holdings" if company.flaw == "acquired" and kind != "stale" else ""
    company.competitor_contract = False
    lead = h.sf_id("00Q")
    h.leads[lead] = (case, h.now, "Open - Not Contacted")
    h.entered[company.id] = h.now
    case.add("leads", lead)
    yield work_after(h.now, rng.uniform(2, 20), Zone.EASTERN)
    if kind in ("unfit", "stale"):
        if kind == "stale" or rng.random() < 0.33:
            yield from reveal_flaw(h, case)
        else:
            h.task(
                "Research: company website",
                case.rep,
                case.contact,
                company,
                f"Not a fit: {company.flaw.replace('_', ' ')}.",
            )
        if kind == "stale":
            company.status, company.verified = "Qualified", (h.today() - timedelta(days=310)).isoformat()
            case.outcome.update(result="lost", reason="acquired")
            h.traps.append(
                {"kind": "stale_crm", "case_id": case.id, "company": company.id, "truth": "acquired"}
            )
            return
        company.competitor_contract = company.flaw == "acquired"
        _disqualify(h, case, company.flaw)
        return
    if kind == "refused":
        _disqualify(h, case, "unsupported_ledger", "exception")
        return
    if kind == "released":
        h.mail(
            "exception_note",
            h.staff.manager,
            [case.rep],
            f"{company.short}",
            [
                (
                    f"I know that {company.short} has only {company.employees} people. Take them anyway, "
                    "I gave my word."
                )
            ],
            case=case,
        )
        yield work_after(h.now, rng.uniform(1, 6), Zone.EASTERN)
    h.qualification.append(
        {
            "case_id": case.id,
            "lead_id": lead,
            "qualified": True,
            "reason": "",
            "basis": "exception" if kind == "released" else "rule",
        }
    )
    close_lead(h, case, "Qualified")
    if kind == "signed":
        pitch(h, case, case.contact)
        yield from office.signed_elsewhere(h, case)
        return
    offer = yield from approach(h, case)
    if offer is None:
        case.outcome.update(result="no_meeting")
        return
    opportunity = open_opportunity(h, case, f"{company.short} - new business", "Qualification", 10)
    held = yield from meet(h, case, offer)
    opportunity.stages.append((h.now, "Meeting Held" if held else "Closed Lost", 25 if held else 0))
    if not held or rng.random() < 0.1:
        if held:
            opportunity.stages.append((h.now, "Closed Lost", 0))
        opportunity.loss_reason, opportunity.close = "no_decision", h.today()
        case.outcome.update(result="lost", reason="no_decision")
        return
    case.outcome.update(meeting="held")
    yield from deal(h, case, opportunity, offer)


def _disqualify(h: History, case: Case, reason: str, basis: str = "rule") -> None:
    close_lead(h, case, "Disqualified", reason)
    h.qualification.append(
        {
            "case_id": case.id,
            "lead_id": case.records["leads"][0],
            "qualified": False,
            "reason": reason,
            "basis": basis,
        }
    )
    case.outcome.update(result="disqualified", reason=reason)


def _renewal(h: History, case: Case) -> Steps:
    yield work_after(h.now, case.rng.uniform(0, 7), Zone.EASTERN)
    if not case.company.kunnr:
        case.company.kunnr = h.ledger.number("K")
    kind = case.rng.choice(("renewal", "more users", "second entity"))
    opportunity = open_opportunity(h, case, f"{case.company.short} - {kind}", "Qualification", 30)
    yield from deal(h, case, opportunity, None)
