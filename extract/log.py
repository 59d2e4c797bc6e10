"""The company log as Parquet tables: events, objects, attributes and relations in OCEL 2.0 semantics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from archive.store import TableStore, polars_schema
from contracts.company_log import CASES, EVENT_OBJECTS, EVENTS, OBJECT_ATTRIBUTES, OBJECT_OBJECTS, OBJECTS
from contracts.tables import Table
from extract.cases import Case
from extract.events import Event
from extract.objects import BusinessObject, ObjectGraph


class CompanyLog(NamedTuple):
    """The five tables of the log."""

    events: pl.DataFrame
    objects: pl.DataFrame
    attributes: pl.DataFrame
    event_objects: pl.DataFrame
    object_objects: pl.DataFrame


def company_log(events: list[Event], graph: ObjectGraph) -> CompanyLog:
    """Returns the log of events in their order, every relation pointing at an object that exists."""
    event_rows = [
        (
            event.event_id,
            seq,
            event.activity,
            event.at.iso,
            event.actor,
            event.role,
            event.system,
            event.table,
            event.record,
        )
        for seq, event in enumerate(events)
    ]
    found = sorted(graph.objects.values(), key=lambda one: one.object_id)
    object_rows = [(one.object_id, one.type, one.system, one.table, one.record) for one in found]
    attributes = [(one.object_id, name, value) for one in found for name, value in _attributes(one)]
    touched: dict[tuple[str, str, str], tuple[str, float]] = {}
    for event in events:
        for name, qualifier, method, confidence in event.objects:
            if name in graph.objects:
                touched.setdefault((event.event_id, name, qualifier), (method, confidence))
    relations = sorted(graph.relations.values())
    return CompanyLog(
        _frame(EVENTS, event_rows),
        _frame(OBJECTS, object_rows),
        _frame(OBJECT_ATTRIBUTES, attributes),
        _frame(EVENT_OBJECTS, [(*key, *touched[key]) for key in sorted(touched)]),
        _frame(OBJECT_OBJECTS, [tuple(relation) for relation in relations]),
    )


def case_table(cases: list[Case], graph: ObjectGraph) -> pl.DataFrame:
    """Returns which records make up which case, records as their system writes them."""
    rows = []
    for case in cases:
        for name in sorted(case.members):
            found = graph.objects[name]
            rows.append((case.case_id, found.system, found.ident, found.type, case.members[name]))
    return _frame(CASES, sorted(rows))


def write_log(store: TableStore, log: CompanyLog) -> None:
    """Stores the tables of the log."""
    for table, frame in zip(
        (EVENTS, OBJECTS, OBJECT_ATTRIBUTES, EVENT_OBJECTS, OBJECT_OBJECTS), log, strict=True
    ):
        store.write(table.name, frame)


def _attributes(found: BusinessObject) -> list[tuple[str, str]]:
    values = {**found.attributes, **{f"outcome {name}": value for name, value in found.outcomes.items()}}
    if found.number:
        values["number"] = found.number
    if found.amount is not None:
        values["amount"] = str(found.amount)
    return sorted(values.items())


def _frame(table: Table, rows: Sequence[tuple[object, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=polars_schema(table), orient="row")
