"""The answer key: what truly happened, by case, rule, person and trap. Nothing here is ever a source."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

from data_samples import selling
from data_samples.boxes import Boxes, source_of
from data_samples.crm import number_records
from data_samples.history import Case, History, Mail
from data_samples.market import Company, Person
from data_samples.names import COMPETITOR_OWNER, COMPETITORS
from data_samples.quoting import body_text
from data_samples.sheets import initials
from data_samples.styles import display_name
from data_samples.zendesk import user_id

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
                "deliveries",
                "drawings",
                "change_orders",
            )
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
    return {
        "parameters": {name: str(value) for name, value in selling.RATES.items()},
        "outreach": [*h.labels.values()],
    }


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
                f"Herr {last}",
                f"Frau {last}",
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
    heard: dict[str, list[str]] = {}
    lines = _Lines(text)
    keys = {company.id for company in h.key_accounts}
    seen = set(re.findall(r"\b3600\d{8}\b", text))
    for mail in h.mails:
        for person in filter(None, (mail.sender, *mail.to, *mail.cc)):
            heard.setdefault(person.id, []).append(body_text(mail))
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
            "streets": [street for street in (company.street, company.erp_street) if street],
            "key_account": company.id in keys,
        }
        for person in company.people:
            near = "\n".join(heard.get(person.id, []))
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
                "other_phones": [person.crm_phone] if person.crm_phone else [],
                "initials": initials(person) if person.login else "",
                "zendesk": user_id(person) if str(user_id(person)) in seen else None,
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
        "change_amounts": [{"text": text, "change_order": number} for text, number in mail.change_amounts],
        "copies": boxes.copies.get(mail.id, []),
        "attachments": [file.name for file in mail.attachments],
        "shape": mail.shape,
        "language": "de" if mail.german else "en",
        "forwarded": mail.forward,
    }


def counts(h: History, boxes: Boxes | None, files: dict[str, bytes], rows: dict[str, int]) -> dict[str, Any]:
    """What a reader of the archive must count, as far as the systems were written.

    Args:
        h: the history.
        boxes: the mailboxes, None where no mail was written.
        files: the CSV files of CRM and engineers by path.
        rows: rows of the ledger's tables.
    """
    found: dict[str, Any] = {"cases": len(h.cases)}
    if boxes is not None:
        found |= _mail_counts(h, boxes)
    systems = [ticket.system for ticket in h.tickets]
    found["tickets"] = len(systems)
    found["tickets_by_source"] = {"tickets": systems.count("jira"), "help-desk": systems.count("zendesk")}
    for folder in ("crm", "engineering"):
        found[folder] = {
            path.rpartition("/")[2].removesuffix(".csv"): _records(content, ";" if folder != "crm" else ",")
            for path, content in files.items()
            if path.startswith(f"{folder}/") and path.endswith(".csv")
        }
    found["plans"] = sum("/plans/" in path for path in files)
    found["erp"] = rows
    found["approvals"] = len([entry for entry in h.rules.of("approval") if "evidence" in entry])
    return found


def _mail_counts(h: History, boxes: Boxes) -> dict[str, Any]:
    ways: dict[str, int] = {}
    for copies in boxes.copies.values():
        for copy in copies:
            ways[copy["bytes"]] = ways.get(copy["bytes"], 0) + 1
    sources: dict[str, int] = {}
    for login, number in boxes.stored.items():
        sources[source_of(login)] = sources.get(source_of(login), 0) + number
    return {
        "mails": {
            "unique": len(h.mails),
            "duplicates": sum(ways.values()),
            "duplicates_by_kind": ways,
            "broken": len(boxes.broken),
            "mailboxes": boxes.stored,
            "by_source": sources,
        },
        "broken": boxes.broken,
    }


def _records(content: bytes, delimiter: str) -> int:
    text = io.StringIO(content.decode("utf-8-sig"))
    return sum(1 for _ in csv.reader(text, delimiter=delimiter)) - 1
