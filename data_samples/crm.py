"""The CRM export: eight CSV files with 18-character ids; whether a field is true is history's business."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from random import Random

from data_samples.clock import Zone, local
from data_samples.history import Activity, History
from data_samples.market import Company, Person

Rows = list[list[str]]
_FACTS = (
    "NumberOfEmployees",
    "Industry",
    "Ledger_System__c",
    "Public_Body__c",
    "Competitor_Contract__c",
    "Ultimate_Owner__c",
    "Last_Verified__c",
    "Pain__c",
    "Status__c",
    "Disqualified_Reason__c",
)


def export(h: History) -> dict[str, bytes]:
    """The files by name."""
    number_records(h)
    tables = {
        "User": _users(h),
        "Account": _accounts(h),
        "Contact": _contacts(h),
        "Lead": _leads(h),
        "Opportunity": _opportunities(h),
        "OpportunityHistory": _stages(h),
        "Task": _activities(h, h.tasks, False),
        "Event": _activities(h, h.events, True),
    }
    return {f"{name}.csv": _csv(rows) for name, rows in tables.items()}


def number_records(h: History) -> None:
    """Give accounts, contacts and users their ids, once."""
    for person in h.staff.everyone:
        person.sf_id = person.sf_id or h.sf_id("005")
    for company in h.market.companies:
        company.sf_account = company.sf_account or h.sf_id("001")
        for person in company.people:
            person.sf_id = person.sf_id or h.sf_id("003")
    fitting = [company for company in h.market.leads if not company.flaw]
    for company in fitting[3::20] if not h.twins else []:
        h.twins.append((h.sf_id("003"), company.people[0]))
        h.traps.append(
            {
                "kind": "duplicate_contact",
                "contact": h.twins[-1][0],
                "person": company.people[0].id,
                "company": company.id,
            }
        )


def _csv(rows: Rows) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue().encode()


def _flag(value: bool) -> str:
    return "TRUE" if value else "FALSE"


def _time(at: datetime | None) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S.000Z}" if at else ""


def _facts(company: Company) -> list[str]:
    return [
        str(company.employees),
        company.industry,
        company.ledger,
        _flag(company.public_body),
        _flag(company.competitor_contract),
        company.owner,
        company.verified,
        company.pain,
        company.status,
        company.reason,
    ]


def _address(company: Company) -> list[str]:
    place = company.place
    return [company.street, place.city, place.state, place.postcode, place.country]


def _owners(h: History) -> dict[str, Person]:
    owners: dict[str, Person] = {}
    for case in h.cases:
        owners.setdefault(case.company.id, case.rep)
    return owners


def _begin(h: History, company: Company) -> datetime:
    return h.entered.get(company.id, datetime(2024, 1, 15, 15, 0, tzinfo=UTC))


def _users(h: History) -> Rows:
    rows = [
        [
            "Id",
            "Username",
            "FirstName",
            "LastName",
            "Email",
            "Alias",
            "Title",
            "UserRole",
            "Phone",
            "TimeZoneSidKey",
            "IsActive",
        ]
    ]
    for person in h.staff.everyone:
        rows.append(
            [
                person.sf_id,
                f"{person.login}@tarnwick.com",
                person.first,
                person.last,
                person.email,
                person.login[:8],
                person.title,
                person.title,
                person.phone,
                person.zone.value,
                _flag(person is not h.staff.former),
            ]
        )
    return rows


def _accounts(h: History) -> Rows:
    rows = [
        [
            "Id",
            "Name",
            "Website",
            "Phone",
            "BillingStreet",
            "BillingCity",
            "BillingState",
            "BillingPostalCode",
            "BillingCountry",
            *_FACTS,
            "ERP_Customer__c",
            "Group__c",
            "OwnerId",
            "CreatedDate",
        ]
    ]
    owners, rng = _owners(h), Random(f"{h.seed}:crm")
    for company in h.market.companies:
        shown = company.kunnr.lstrip("0") if rng.random() < 0.8 else ""
        rows.append(
            [
                company.sf_account,
                company.name,
                f"https://www.{company.domain}",
                company.people[0].crm_phone or company.people[0].phone,
                *_address(company),
                *_facts(company),
                shown,
                company.group,
                owners[company.id].sf_id,
                _time(_begin(h, company)),
            ]
        )
    return rows


def _contacts(h: History) -> Rows:
    rows = [
        [
            "Id",
            "AccountId",
            "FirstName",
            "LastName",
            "Email",
            "Phone",
            "Title",
            "DoNotCall",
            "HasOptedOutOfEmail",
            "Nickname__c",
            "CreatedDate",
        ]
    ]
    for company in h.market.companies:
        for person in company.people:
            rows.append(
                [
                    person.sf_id,
                    company.sf_account,
                    person.first,
                    person.last,
                    person.email,
                    person.crm_phone or person.phone,
                    person.title,
                    _flag(person.opted_out),
                    _flag(person.opted_out),
                    person.nick,
                    _time(_begin(h, company)),
                ]
            )
    for sf_id, person in h.twins:
        rows.append(
            [
                sf_id,
                person.company.sf_account,
                f"{person.first[0]}.",
                person.last.upper(),
                person.email,
                "",
                person.title,
                "FALSE",
                "FALSE",
                "",
                _time(datetime(2025, 3, 3, 16, 20, tzinfo=UTC)),
            ]
        )
    return rows


def _leads(h: History) -> Rows:
    rows = [
        [
            "Id",
            "FirstName",
            "LastName",
            "Company",
            "Title",
            "Email",
            "Phone",
            "Street",
            "City",
            "State",
            "PostalCode",
            "Country",
            *_FACTS,
            "LeadSource",
            "Status",
            "IsConverted",
            "ConvertedAccountId",
            "ConvertedContactId",
            "ConvertedOpportunityId",
            "OwnerId",
            "CreatedDate",
        ]
    ]
    sources = ("Web", "Trade Show", "Purchased List", "Partner")
    for number, (lead, (case, at, _)) in enumerate(h.leads.items()):
        company, person = case.company, case.company.people[0]
        opportunity = case.records.get("opportunities", [""])[0]
        status = (
            "Closed - Converted"
            if opportunity
            else "Closed - Not Converted"
            if company.status == "Disqualified"
            else "Working"
        )
        rows.append(
            [
                lead,
                person.first,
                person.last,
                company.name,
                person.title,
                person.email,
                person.crm_phone or person.phone,
                *_address(company),
                *_facts(company),
                sources[number % 4],
                status,
                _flag(bool(opportunity)),
                company.sf_account if opportunity else "",
                case.contact.sf_id if opportunity else "",
                opportunity,
                case.rep.sf_id,
                _time(at),
            ]
        )
    return rows


def _opportunities(h: History) -> Rows:
    rows = [
        [
            "Id",
            "AccountId",
            "Name",
            "StageName",
            "Amount",
            "CurrencyIsoCode",
            "Probability",
            "CloseDate",
            "IsClosed",
            "IsWon",
            "Loss_Reason__c",
            "Term_Months__c",
            "Description",
            "ContactId",
            "OwnerId",
            "CreatedDate",
            "LastModifiedDate",
        ]
    ]
    for item in h.opportunities:
        at, stage, chance = item.stages[-1]
        close: date = item.close or local(item.created + timedelta(days=60), Zone.EASTERN).date()
        rows.append(
            [
                item.sf_id,
                item.case.company.sf_account,
                item.name,
                stage,
                f"{item.amount / 100:.2f}" if item.amount else "",
                "USD",
                str(chance),
                close.isoformat(),
                _flag(stage.startswith("Closed")),
                _flag(stage == "Closed Won"),
                item.loss_reason,
                str(item.months) if item.amount else "",
                item.description,
                item.case.contact.sf_id,
                item.case.rep.sf_id,
                _time(item.created),
                _time(at),
            ]
        )
    return rows


def _stages(h: History) -> Rows:
    rows = [["Id", "OpportunityId", "StageName", "Probability", "Amount", "CreatedById", "CreatedDate"]]
    for item in h.opportunities:
        for at, stage, chance in item.stages:
            amount = f"{item.amount / 100:.2f}" if chance in (60, 100) else ""
            rows.append(
                [h.sf_id("008"), item.sf_id, stage, str(chance), amount, item.case.rep.sf_id, _time(at)]
            )
    return rows


def _activities(h: History, activities: list[Activity], timed: bool) -> Rows:
    end = ["StartDateTime", "EndDateTime"] if timed else ["ActivityDate"]
    rows = [["Id", "Subject", "OwnerId", "WhoId", "WhatId", *end, "Status", "Description", "CreatedDate"]]
    for entry in activities:
        when = (
            [_time(entry.at), _time(entry.end)]
            if timed
            else [local(entry.at, Zone.EASTERN).date().isoformat()]
        )
        rows.append(
            [
                entry.sf_id,
                entry.subject,
                entry.owner.sf_id,
                entry.who.sf_id if entry.who else "",
                entry.company.sf_account if entry.company else "",
                *when,
                entry.status,
                entry.text,
                _time(entry.at),
            ]
        )
    return rows
