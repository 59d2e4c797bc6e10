"""The answer key: what truly happened, by case, rule, person and trap. Nothing here is ever a source."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

from data_samples import complaints, deals, erp, selling
from data_samples.crm import number_records
from data_samples.history import Case, History, Mail
from data_samples.mailbox import body_text
from data_samples.market import Company, Person
from data_samples.mboxes import Boxes
from data_samples.names import (
    COMPETITOR_OWNER,
    COMPETITORS,
    EXEMPT_COMPANIES,
    EXEMPT_GROUP,
)
from data_samples.styles import display_name

_WORD = re.compile(r"[^\W_]+")


def cases(h: History) -> dict[str, Any]:
    """Every record of every case."""
    number_records(h)
    return {case.id: _case(case) for case in h.cases}


def _case(case: Case) -> dict[str, Any]:
    company = case.company
    return {
        "kind": case.kind,
        "company": company.id,
        "account": company.sf_account,
        "customer": company.kunnr,
        "rep": case.rep.login,
        "contact": case.contact.id,
        **{
            name: case.records.get(name, [])
            for name in (
                "leads",
                "opportunities",
                "events",
                "quotes",
                "orders",
                "invoices",
                "credit_memos",
                "tickets",
                "mails",
            )
        },
    }


def rules(h: History) -> dict[str, Any]:
    """The unwritten rules with each decision that was taken under them."""
    staff = h.staff
    approvals = [entry for entry in h.approvals if "evidence" in entry]
    decided = [
        entry
        for entry in h.decisions
        if any(ticket.key == entry["ticket"] and ticket.resolved for ticket in h.tickets)
    ]
    return {
        "approval": {
            "rule": "quotes with a net total above the threshold are approved by the VP Sales, "
            "the others by the sales manager",
            "threshold": f"{deals.THRESHOLD / 100:.2f}",
            "currency": "USD",
            "above": staff.vp.login,
            "below": staff.manager.login,
            "standing_exemption": {
                "group": EXEMPT_GROUP,
                "companies": [name for name, _ in EXEMPT_COMPANIES],
                "approver": staff.manager.login,
                "quotes": [entry["quote"] for entry in approvals if entry["basis"] == "standing_exemption"],
            },
            "exceptions": [entry["quote"] for entry in approvals if entry["basis"] == "exception"],
            "decisions": approvals,
        },
        "credit": {
            "rule": "complaints up to the limit in days after the invoice are decided by the support lead, "
            "later ones by the "
            "finance controller",
            "limit_days": complaints.CREDIT_DAYS,
            "early": staff.support.login,
            "late": staff.controller.login,
            "exceptions": [entry["ticket"] for entry in decided if entry["basis"] == "exception"],
            "decisions": decided,
        },
        "qualification": {
            "criteria": {
                "too_small": "employees < 120",
                "region": "country not in US, CA, UK, DE",
                "unsupported_ledger": "Ledger_System__c in MAS 90, in-house COBOL, Exact Globe, Infor LN",
                "public_body": "Public_Body__c is TRUE",
                "acquired": "Competitor_Contract__c is TRUE",
            },
            "exceptions": [entry["lead_id"] for entry in h.qualification if entry["basis"] == "exception"],
            "decisions": h.qualification,
        },
    }


def outcomes(h: History) -> dict[str, Any]:
    """How each case ended; an unfinished one is open."""
    return {
        case.id: {
            "result": case.outcome.get("result", "open"),
            "reason": case.outcome.get("reason", ""),
            "meeting": case.outcome.get("meeting", ""),
            "rescheduled": bool(case.outcome.get("rescheduled")),
            "payments": case.outcome.get("payments", {}),
            "complaints": case.outcome.get("complaints", {}),
        }
        for case in h.cases
    }


def response(h: History) -> dict[str, Any]:
    """The response model's parameters and the label of each outreach mail."""
    return {"parameters": {name: str(value) for name, value in selling.RATES.items()}, "outreach": h.labels}


def forms(person: Person, company: Company) -> list[str]:
    """The ways in which a person may be written in the archive."""
    found: list[str] = []
    for last in filter(None, (person.last, person.old_last)):
        for first in filter(None, (person.first, person.nick)):
            found += [
                f"{first} {last}",
                f"{last}, {first}",
                f"{first} {last} ({company.short})",
                f"{first[0]}. {last}",
                f"{first[0]}. {last.upper()}",
                f"Mr {last}",
                f"Ms {last}",
            ]
    return [*dict.fromkeys([*found, display_name(person).strip('"')])]


class _Lines:
    """The lines of a text by the words in them, so that a form is sought only where it can stand."""

    def __init__(self, text: str) -> None:
        self._by_word: dict[str, list[str]] = {}
        for line in dict.fromkeys(text.split("\n")):
            for word in dict.fromkeys(_WORD.findall(line)):
                self._by_word.setdefault(word, []).append(line)

    def found(self, shapes: Iterable[str]) -> list[str]:
        """The shapes that stand in the text, each once."""
        return [shape for shape in dict.fromkeys(shapes) if shape and self._holds(shape)]

    def _holds(self, shape: str) -> bool:
        # The rarest word of the shape decides which lines are worth reading.
        lists = [self._by_word.get(word, []) for word in _WORD.findall(shape)]
        return any(shape in line for line in min(lists, key=len))


def entities(h: History, text: str) -> dict[str, Any]:
    """Each real person and company with its forms in the archive, addresses, logins and records."""
    people: dict[str, Any] = {}
    companies: dict[str, Any] = {}
    heard: dict[str, str] = {}
    lines = _Lines(text)
    for mail in h.mails:
        for person in filter(None, (mail.sender, *mail.to, *mail.cc)):
            heard[person.id] = heard.get(person.id, "") + body_text(mail)
    for company in (h.staff.company, *h.market.companies):
        shapes = (
            company.name,
            company.short,
            company.name.upper()[:35],
            company.short.replace(" ", "_"),
            company.short.replace(" ", "-"),
        )
        companies[company.id] = {
            "name": company.name,
            "forms": lines.found(shapes),
            "domain": company.domain,
            "account": company.sf_account,
            "customer": company.kunnr,
            "group": company.group,
        }
        for person in company.people:
            near = heard.get(person.id, "")
            people[person.id] = {
                "name": person.name,
                "first": person.first,
                "last": person.last,
                "company": company.id,
                "title": person.title,
                "forms": lines.found(forms(person, company)),
                "short_forms": [
                    form for form in dict.fromkeys((person.first, person.nick)) if form and form in near
                ],
                "mails": lines.found([person.email, person.old_email]),
                "login": person.login,
                "crm": person.sf_id,
                "phone": person.phone,
            }
    names: dict[str, list[str]] = {}
    for key, person_entry in people.items():
        names.setdefault(person_entry["name"], []).append(key)
    twins = {person.id: sf_id for sf_id, person in h.twins}
    for key, sf_id in twins.items():
        people[key]["crm_duplicates"] = [sf_id]
    fakes = [trap for trap in h.traps if trap["kind"] == "fake_boss"]
    return {
        "impostors": [{"mail": trap["address"], "imitates": h.staff.manager.id} for trap in fakes],
        "mentioned_companies": [*COMPETITORS, COMPETITOR_OWNER, "Netherholt Office Rental"],
        "persons": people,
        "companies": companies,
        "namesakes": [keys for keys in names.values() if len(keys) > 1],
    }


def messages(h: History, boxes: Boxes) -> dict[str, Any]:
    """Kind, case and mailboxes of each mail, and the amounts it names with their document."""
    return {mail.id: _message(mail, boxes) for mail in h.mails}


def _message(mail: Mail, boxes: Boxes) -> dict[str, Any]:
    return {
        "kind": mail.kind,
        "case_id": mail.case.id if mail.case else "",
        "mailboxes": boxes.holders[mail.id],
        "sender": mail.sender.id if mail.sender else "",
        "sent": mail.sent.isoformat(),
        "parent": mail.parent.id if mail.parent else "",
        "amounts": [{"text": text, "document": document} for text, document in mail.amounts],
    }


def counts(h: History, boxes: Boxes, crm: dict[str, bytes]) -> dict[str, Any]:
    """What a reader of the archive must count."""
    return {
        "mails": {
            "unique": len(h.mails),
            "duplicates": boxes.copies,
            "broken": len(boxes.broken),
            "mailboxes": boxes.stored,
        },
        "broken": boxes.broken,
        "tickets": len(h.tickets),
        "crm": {name.removesuffix(".csv"): _records(content) for name, content in crm.items()},
        "erp": {name: len(content) for name, content in erp.rows(h).items()},
        "cases": len(h.cases),
        "approvals": len([entry for entry in h.approvals if "evidence" in entry]),
    }


def _records(content: bytes) -> int:

    return sum(1 for _ in csv.reader(io.StringIO(content.decode()))) - 1
