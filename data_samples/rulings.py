"""The answer key's rules: what nobody wrote down, every decision under it, its exceptions, what misleads."""

from __future__ import annotations

from typing import Any, NamedTuple

from data_samples import approvals, billing, complaints, helpdesk, sites
from data_samples.history import History
from data_samples.names import EXEMPT_COMPANIES, EXEMPT_GROUP

Entry = dict[str, Any]


class Ruling(NamedTuple):
    """A rule with the fact that decides, the record that names a decision, and what merely goes along."""

    text: str
    parameters: dict[str, Any]
    record: str
    confounder: tuple[str, str]


def rules(h: History) -> dict[str, Any]:
    """The unwritten rules with each decision that was taken under them."""
    decided = {name: _entry(ruling, _finished(h, name)) for name, ruling in _rulings(h).items()}
    exempt = [entry for entry in decided["approval"]["decisions"] if entry["basis"] == "standing_exemption"]
    decided["approval"]["standing_exemption"] = {
        "group": EXEMPT_GROUP,
        "companies": [name for name, _ in EXEMPT_COMPANIES],
        "approver": h.staff.manager.login,
        "quotes": [entry["quote"] for entry in exempt],
    }
    return decided | {
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


def _entry(ruling: Ruling, decisions: list[Entry]) -> Entry:
    fact, why = ruling.confounder
    exceptions = [entry[ruling.record] for entry in decisions if entry["basis"] == "exception"]
    return {
        "rule": ruling.text,
        **ruling.parameters,
        "exceptions": exceptions,
        "confounder": {"fact": fact, "why": why},
        "decisions": decisions,
    }


def _finished(h: History, name: str) -> list[Entry]:
    """The decisions that had been taken, with their evidence, when the archive was made."""
    entries = [entry for entry in h.rules.of(name) if entry.get("evidence", "") or name == "credit"]
    if name == "credit":
        resolved = {ticket.key for ticket in h.tickets if ticket.resolved}
        return [entry for entry in entries if entry["ticket"] in resolved]
    if name == "discount":
        return [entry for entry in entries if entry["quote"]]
    if name == "change_order":
        begun = {change.number for change in h.changes if change.started}
        return [entry for entry in entries if entry["change_order"] in begun]
    return entries


def _money(cents: int) -> str:
    return f"{cents / 100:.2f}"


def _rulings(h: History) -> dict[str, Ruling]:
    staff = h.staff
    return {
        "approval": Ruling(
            "quotes with a net total above the threshold are approved by the VP Sales, "
            "the others by the sales manager",
            {
                "threshold": _money(approvals.THRESHOLD),
                "currency": "USD",
                "above": staff.vp.login,
                "below": staff.manager.login,
            },
            "quote",
            ("discount", "bigger quotes carry deeper discounts; at equal amounts the discount is no reason"),
        ),
        "credit": Ruling(
            "complaints up to the limit in days after the invoice are decided by the support lead, "
            "later ones by the finance controller",
            {
                "limit_days": complaints.CREDIT_DAYS,
                "early": staff.support.login,
                "late": staff.controller.login,
            },
            "ticket",
            ("verdict", "late complaints are rejected more often, whoever decides them"),
        ),
        "discount": Ruling(
            "a discount above the limit is allowed by the CFO unless the deal runs for two years or more; "
            "all others by the sales manager",
            {
                "limit_percent": approvals.DISCOUNT_LIMIT,
                "multi_year_months": approvals.MULTI_YEAR,
                "above": staff.cfo.login,
                "below": staff.manager.login,
            },
            "quote",
            ("amount", "bigger deals get deeper discounts, so that the CFO is seen at big amounts"),
        ),
        "payment_terms": Ruling(
            "payment terms longer than the limit in days are granted by the finance controller, "
            "shorter ones by the sales manager",
            {
                "limit_days": approvals.TERMS_LIMIT,
                "above": staff.controller.login,
                "below": staff.manager.login,
            },
            "order",
            ("country", "customers in Germany and the UK ask for longer terms"),
        ),
        "credit_check": Ruling(
            "the first order of a new customer above the limit ships only after the controller's credit "
            "check; all other orders ship at once",
            {
                "limit": _money(billing.CREDIT_LIMIT),
                "currency": "USD",
                "above": "checked",
                "below": "unchecked",
                "checked_by": staff.controller.login,
            },
            "order",
            ("amount", "large orders of known customers ship unchecked, small first orders too"),
        ),
        "change_order": Ruling(
            "work on a change order above the limit begins only with the customer's signed confirmation; "
            "smaller ones begin without",
            {
                "limit": _money(sites.CHANGE_LIMIT),
                "currency": "USD",
                "above": "confirmed",
                "below": "unconfirmed",
            },
            "change_order",
            ("requested_by", "what the customer asks for costs more on average than what the site asks for"),
        ),
        "plan_check": Ruling(
            "revision A of a plan is checked by whoever drew it, every later revision by somebody else",
            {"from_revision": "B", "above": "other", "below": "author"},
            "revision",
            ("cost", "later revisions are bigger and dearer; the cost alone changes nothing"),
        ),
        "key_account_support": Ruling(
            "tickets of key accounts (first sheet of the workbook) are answered by the support lead within "
            "the limit in business hours, all others by an agent",
            {
                "limit_hours": helpdesk.KEY_HOURS,
                "above": staff.support.login,
                "below": [agent.login for agent in staff.agents],
                "key_accounts": [company.id for company in h.key_accounts],
            },
            "ticket",
            ("priority", "tickets of key accounts have a high priority more often"),
        ),
    }
