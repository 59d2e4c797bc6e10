"""Events of one instant stand in the order of cause and effect, whatever they are called."""

from __future__ import annotations

from extract.events import in_order, record_events
from extract.objects import build_objects
from extract.people import Staff
from tests.extract.small_datasets import small_dataset, source

NOON = "2024-05-02T12:00:00+00:00"


def test_a_cause_stands_before_its_effect() -> None:
    meeting = {
        "type": "meeting",
        "id_column": "id",
        "events": [
            {"activity": "meeting planned", "at": "made"},
            {"activity": "meeting held", "at": "began"},
        ],
    }
    order = {"type": "order", "id_column": "id", "parents": {"quote": "quote"}}
    data = small_dataset(
        [
            source(
                "crm",
                "crm",
                meetings={"objects": [meeting]},
                # The tables stand in the order of their names.
                orders={"objects": [{**order, "events": [{"activity": "agreed", "at": "made"}]}]},
                quotes={
                    "objects": [
                        {"type": "quote", "id_column": "id", "events": [{"activity": "sent", "at": "made"}]}
                    ]
                },
            )
        ],
        {
            "meetings": [{"id": "m", "made": NOON, "began": NOON}],
            "orders": [{"id": "o", "made": NOON, "quote": "q"}],
            "quotes": [{"id": "q", "made": NOON}],
        },
    )
    graph = build_objects(data)
    found = [event.activity for event in in_order(record_events(data, graph, Staff(data, graph)))]
    assert found.index("meeting planned") < found.index("meeting held")
    assert found.index("sent") < found.index("agreed")


def test_types_that_name_each_other_have_an_order_too() -> None:
    def table(kind: str, parent: str) -> dict[str, object]:
        events = [{"activity": f"{kind} made", "at": "made"}]
        return {"objects": [{"type": kind, "id_column": "id", "parents": {parent: "of"}, "events": events}]}

    data = small_dataset(
        [source("crm", "crm", leads=table("lead", "deal"), deals=table("deal", "lead"))],
        {"leads": [{"id": "l", "of": "d", "made": NOON}], "deals": [{"id": "d", "of": "l", "made": NOON}]},
    )
    graph = build_objects(data)
    events = record_events(data, graph, Staff(data, graph))
    assert [one.event_id for one in in_order(events)] == [one.event_id for one in in_order(events[::-1])]
