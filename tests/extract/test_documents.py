"""Drawings and change orders in the company log: what they name, what was done to them, by whom."""

from __future__ import annotations

from extract.documents import add_documents, document_events
from extract.events import in_order
from extract.objects import build_objects
from extract.people import Staff
from tests.extract.small_datasets import small_dataset, source

PERSON = {"kind": "person", "person": "user"}
SOURCES = [
    source(
        "crm", "crm", users={"columns": {"name": PERSON}, "objects": [{"type": "user", "id_column": "id"}]}
    ),
    source("erp", "erp", orders={"objects": [{"type": "order", "id_column": "id"}]}),
    source(
        "plans",
        "engineering",
        register={"documents": {"role": "register", "document": "no", "type": "drawing"}},
        changes={"documents": {"role": "change_order", "document": "no", "type": "change_order"}},
    ),
]
ROWS = {
    "users": [{"id": "u1", "name": "Ann Lee"}],
    "orders": [{"id": "77"}],
    "register": [{"no": "D-1", "path": "register.csv", "locator": "row 1"}],
    "changes": [{"no": "C-1", "path": "changes.csv", "locator": "row 1"}],
}


def document(key: str, kind: str, path: str) -> dict[str, str]:
    place = {"source": "plans", "path": path, "locator": "row 1"}
    return {"document_id": f"d-{key}", "document_key": key, "type": kind, "revision": "B", **place}


def done(number: int, key: str, action: str, at: str | None, actor: str = "Ann Lee") -> dict[str, object]:
    names = {"revision_event_id": f"u-{number}", "document_id": f"d-{key}", "source": "plans"}
    return {**names, "action": action, "at": at, "actor": actor}


def link(source_id: str, target_id: str) -> dict[str, str]:
    return {"link_id": source_id + target_id, "kind": "identifier", "from_id": source_id, "to_id": target_id}


DATA = small_dataset(
    SOURCES,
    ROWS,
    documents=[document("D-1", "drawing", "register.csv"), document("C-1", "change_order", "changes.csv")],
    links=[link("register-0", "orders-0"), link("changes-0", "register-0")],
    revision_events=[
        done(1, "D-1", "approved", "2024-05-02T00:00:00+00:00", "Somebody Else"),
        done(2, "D-1", "checked", "2024-05-02T00:00:00+00:00"),
        done(3, "D-1", "issued", "2024-05-02T00:00:00+00:00"),
        done(4, "C-1", "rejected", "2024-05-03T00:00:00+00:00"),
        done(5, "D-1", "changed", "2024-05-02T00:00:00+00:00"),
        done(6, "D-1", "checked", None),
        done(7, "D-9", "issued", "2024-05-02T00:00:00+00:00"),
    ],
)


def test_documents_are_objects_that_name_their_records() -> None:
    graph = build_objects(DATA)
    assert add_documents(DATA, graph) == {"d-D-1": "plans.document.D-1", "d-C-1": "plans.change_order.C-1"}
    drawing, change = graph.objects["plans.document.D-1"], graph.objects["plans.change_order.C-1"]
    assert (drawing.ident, drawing.attributes) == ("D-1", {"document_type": "drawing", "revision": "B"})
    assert [one.ident for one in graph.targets(drawing.object_id, "order")] == ["77"]
    assert [one.ident for one in graph.targets(change.object_id, "document")] == ["D-1"]


def test_what_was_done_to_a_document_is_an_event_with_its_maker() -> None:
    graph = build_objects(DATA)
    documents = add_documents(DATA, graph)
    events = in_order(document_events(DATA, graph, Staff(DATA, graph), documents))
    assert [(event.activity, event.actor) for event in events] == [
        ("revision issued", "users-0"),
        ("revision checked", "users-0"),
        ("revision approved", "Somebody Else"),
        ("change order rejected", "users-0"),
    ]
    about = [(name, qualifier) for name, qualifier, _, _ in events[0].objects]
    assert about == [("plans.document.D-1", "subject"), ("erp.order.77", "order")]
