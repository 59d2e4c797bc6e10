"""Outcomes: how deals, invoices, complaints and leads ended, as their outcome columns say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from contracts.company_model import Outcome
from extract.dataset import Dataset, RecordTable, is_true, same_writing, text_of, whole_number
from extract.decisions import QUALIFIED, complaint_verdicts, qualification_outcome
from extract.figures import share
from extract.moments import Moment, read_moment
from extract.objects import BusinessObject, ObjectGraph
from extract.tickets import Ticket

_WON = re.compile(r"\bwon\b", re.IGNORECASE)
_LOST = re.compile(r"\blost\b", re.IGNORECASE)


def find_outcomes(data: Dataset, graph: ObjectGraph, tickets: list[Ticket]) -> list[Outcome]:
    """Returns the share of every outcome among the records that could have had it, by name."""
    found: list[Outcome] = []
    deals = {deal.ident: deal_outcome(deal) for deal in graph.of_type("opportunity")}
    found += _outcomes("deal", deals)
    reasons = {
        deal.ident: _plain(deal.outcomes["reason"])
        for deal in graph.of_type("opportunity")
        if deals[deal.ident] == "lost" and deal.outcomes.get("reason")
    }
    found += _outcomes("deal.lost", reasons)
    found += _outcomes("invoice", invoice_outcomes(data, graph))
    found += _outcomes("complaint", complaint_verdicts(tickets))
    leads = {lead.ident: qualification_outcome(lead) or "open" for lead in graph.of_type("lead")}
    decided = {
        key: value if value in (QUALIFIED, "open") else f"disqualified.{_plain(value)}"
        for key, value in leads.items()
    }
    found += _outcomes("lead", decided)
    return sorted(found, key=lambda outcome: outcome.name)


def deal_outcome(deal: BusinessObject) -> str:
    """Returns "won", "lost" or "open" as the deal's stage or flags say."""
    stage = deal.outcomes.get("deal_stage", "")
    if _WON.search(stage) or is_true(deal.outcomes.get("won")):
        return "won"
    if _LOST.search(stage) or is_true(deal.outcomes.get("closed")):
        return "lost"
    return "open"


def invoice_outcomes(data: Dataset, graph: ObjectGraph) -> dict[str, str]:
    """Returns "on_time", "late" or "open" for every invoice, from its own columns or its payments."""
    tables = {table.name: table for table in data.records}
    found: dict[str, str] = {}
    for invoice in graph.of_type("invoice"):
        items = [invoice, *graph.sources(invoice.object_id, "payment")]
        items += graph.sources(invoice.object_id, "open_item")
        states = [state for item in items if (state := _payment_state(data, tables[item.table], item))]
        found[invoice.ident] = next(
            (state for state in ("late", "open", "on_time") if state in states), "open"
        )
    return found


def _payment_state(data: Dataset, table: RecordTable, item: BusinessObject) -> str | None:
    said = item.outcomes
    late = whole_number(said.get("days_late"))
    if late is not None:
        return "late" if late > 0 else "on_time"
    cleared = _moment(data, table, item, "cleared_on")
    if cleared is None:
        return "open" if item.type == "open_item" else None
    due = _moment(data, table, item, "due_on") or _moment(data, table, item, "due_from")
    days = 0 if said.get("due_on") else whole_number(said.get("due_days")) or 0
    return None if due is None else "late" if cleared.day > due.day + days else "on_time"


def _moment(data: Dataset, table: RecordTable, item: BusinessObject, outcome: str) -> Moment | None:
    text = item.outcomes.get(outcome)
    for spec in table.spec.objects:
        column = spec.outcome_columns.get(outcome)
        if column is not None and spec.type == item.type:
            column_spec = table.columns.get(column)
            return read_moment(text, table.zone, column_spec.date_format if column_spec else None)
    return read_moment(text, data.zone)


def _outcomes(prefix: str, labels: Mapping[str, str]) -> Iterable[Outcome]:
    for label in sorted(set(labels.values())):
        hits = [key for key in sorted(labels) if labels[key] == label]
        yield Outcome(name=f"{prefix}.{label}", share=share(hits, len(labels)))


def _plain(text: str) -> str:
    return re.sub(r"\W+", "_", same_writing(text_of(text))).strip("_") or "unstated"
