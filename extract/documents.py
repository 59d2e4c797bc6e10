"""Drawings, plans and change orders: objects that name the records they belong to, and what was done to them.

Belongs here: rows of the tables documents, revisions and revision_events. Does not belong here: which rows of
a register are one document (`archive.revisions`), what a revision changed.
"""

from __future__ import annotations

from archive.identifiers import derived_id
from extract.dataset import Dataset, text_of
from extract.events import PAPERS, Event
from extract.moments import read_moment
from extract.objects import BusinessObject, ObjectGraph
from extract.people import Staff

CHANGE_ORDER = "change_order"
DOCUMENT = "document"
_STEPS = ("issued", "checked", "approved", "rejected")
"""Actions that are events, in the order in which one causes the next."""


def add_documents(data: Dataset, graph: ObjectGraph) -> dict[str, str]:
    """Adds all documents to the objects, related with the records that their rows name.

    Returns:
        Object ids by document id.
    """
    records = {
        (table.source.name, row["path"], row["locator"]): text_of(row["record_id"])
        for table in data.records
        if table.spec.documents is not None
        for row in table.rows
    }
    objects: dict[str, str] = {}
    for row in data.rows("documents"):
        kind, system = text_of(row["type"]), text_of(row["source"])
        key, document_id = text_of(row["document_key"]), text_of(row["document_id"])
        said = {"document_type": kind, "status": text_of(row["status"]), "revision": text_of(row["revision"])}
        found = BusinessObject(
            f"{system}.{CHANGE_ORDER if kind == CHANGE_ORDER else DOCUMENT}.{key}",
            CHANGE_ORDER if kind == CHANGE_ORDER else DOCUMENT,
            system,
            "documents",
            document_id,
            key,
            attributes={name: value for name, value in said.items() if value},
        )
        objects[document_id] = graph.add(found).object_id
    for table in ("documents", "revisions"):
        for row in data.rows(table):
            record = records.get((text_of(row["source"]), text_of(row["path"]), text_of(row["locator"])))
            name = objects.get(text_of(row["document_id"]))
            if record is not None and name is not None and name not in graph.by_record[record]:
                graph.by_record[record].append(name)
    _relate(data, graph, frozenset(objects.values()))
    return objects


def document_events(
    data: Dataset, graph: ObjectGraph, staff: Staff, documents: dict[str, str]
) -> list[Event]:
    """Returns what was done to documents, whose objects `add_documents` named, by the people who did it."""
    events = []
    for row in data.rows("revision_events"):
        action, name = text_of(row["action"]), documents.get(text_of(row["document_id"]))
        at = read_moment(text_of(row["at"]) or None, data.zone)
        if action not in _STEPS or name is None or at is None:
            continue
        found = graph.objects[name]
        person = staff.by_name(text_of(row["actor"]))
        record = text_of(row["revision_event_id"])
        about = [(one.target, one.qualifier, one.method, one.confidence) for one in graph.relations_of(name)]
        events.append(
            Event(
                derived_id("e", "revision_events", record),
                f"{'change order' if found.type == CHANGE_ORDER else 'revision'} {action}",
                at,
                person.key if person else text_of(row["actor"]),
                staff.role_of(person),
                text_of(row["source"]),
                "revision_events",
                record,
                (PAPERS, _STEPS.index(action)),
                [(name, "subject", "reference", 1.0), *about],
            )
        )
    return events


def _relate(data: Dataset, graph: ObjectGraph, documents: frozenset[str]) -> None:
    """Relates documents with what the columns of their rows refer to."""
    for link in data.rows("links"):
        if link["kind"] != "identifier":
            continue
        for name in graph.by_record.get(text_of(link["from_id"]), []):
            for target in graph.by_record.get(text_of(link["to_id"]), []) if name in documents else ():
                graph.relate(name, target, graph.objects[target].type, "reference")
