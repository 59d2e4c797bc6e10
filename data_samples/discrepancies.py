"""Where two systems disagree about one fact; each place is planted here and stands in the answer key."""

from __future__ import annotations

from data_samples.history import Case, History
from data_samples.market import Company, Person
from data_samples.names import STREETS, STREETS_DE

EVERY_PHONE, EVERY_STREET, EVERY_AMOUNT, EVERY_REGISTER = 16, 6, 9, 9


def plant(h: History) -> None:
    """Let the CRM keep old phone numbers, the ledger old streets, the registers an old state."""
    people = [company.people[0] for company in h.market.companies]
    for person in people[5::EVERY_PHONE]:
        _phone(h, person)
    known = [company for company in h.market.companies if company.kunnr]
    for company in known[4::EVERY_STREET]:
        _street(h, company)
    led = [item for item in h.opportunities if item.case.kind == "lead" and item.amount]
    for item in led[3::EVERY_AMOUNT]:
        rounded = item.amount // 100_000 * 100_000
        if rounded != item.amount:
            _note(h, "amount", item.sf_id, item.case, crm=_money(rounded), erp=_money(item.amount))
            item.amount = rounded
    later = [drawing for drawing in h.drawings if len(drawing.revisions) > 1]
    for drawing in later[2::EVERY_REGISTER]:
        shown, last = drawing.revisions[-2].letter, drawing.revisions[-1].letter
        h.stale_registers[drawing.number] = shown
        _note(h, "revision", drawing.number, drawing.case, true="revisions", register=shown, revisions=last)
    done = [change for change in h.changes if change.closed and change.confirmation]
    for change in done[1::EVERY_REGISTER]:
        h.stale_registers[change.number] = "requested"
        case = change.drawing.case
        _note(h, "status", change.number, case, true="mail", register="requested", mail=change.confirmation)


def _phone(h: History, person: Person) -> None:
    digits = person.phone[-2:]
    old = f"{person.phone[:-2]}{(int(digits) + 37) % 100:02d}"
    person.crm_phone = old
    _note(h, "phone", person.id, None, true="mail", crm=old, mail=person.phone)


def _street(h: History, company: Company) -> None:
    streets = STREETS_DE if company.place.country == "DE" else STREETS
    number = int(company.id[1:])
    other = [street for street in streets if street not in company.street]
    word = other[number % len(other)]
    company.erp_street = f"{word} {number % 80 + 2}" if streets is STREETS_DE else f"{number % 80 + 2} {word}"
    _note(h, "address", company.id, None, true="crm", crm=company.street, erp=company.erp_street)


def _money(cents: int) -> str:
    return f"{cents / 100:.2f}"


def _note(h: History, kind: str, record: str, case: Case | None, true: str = "erp", **values: str) -> None:
    h.contradictions.append(
        {
            "kind": kind,
            "record": record,
            "case_id": case.id if case else "",
            "values": values,
            "true": true,
        }
    )
