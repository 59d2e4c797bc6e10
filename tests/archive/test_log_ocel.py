"""Object-centric logs: one small invented log in every layout gives the same tables."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path

import pytest

from archive.batches import TableBatch
from archive.json_members import json_members
from archive.log_ocel import read_ocel, type_table

JSON_2 = {
    "eventTypes": [{"name": "place order", "attributes": [{"name": "who", "type": "string"}]}],
    "objectTypes": [{"name": "order", "attributes": [{"name": "price", "type": "float"}]}],
    "events": [
        {
            "id": "e1",
            "type": "place order",
            "time": "2024-01-01T10:00:00Z",
            "attributes": [{"name": "who", "value": "Ada"}],
            "relationships": [{"objectId": "o1", "qualifier": "order"}],
        },
        {"id": "e2", "type": "pay", "time": "2024-01-02T10:00:00Z"},
    ],
    "objects": [
        {
            "id": "o1",
            "type": "order",
            "attributes": [
                {"name": "price", "value": "12.5", "time": "2024-01-05T00:00:00Z"},
                {"name": "price", "value": "10", "time": "1970-01-01T00:00:00Z"},
            ],
            "relationships": [{"objectId": "c1", "qualifier": "of"}],
        },
        {"id": "c1", "type": "customer"},
    ],
}
XML_2 = """<?xml version="1.0"?><log><object-types/><event-types/>
<objects><object id="o1" type="order"><attributes>
 <attribute name="price" time="1970-01-01T00:00:00Z">10</attribute>
 <attribute name="price" time="2024-01-05T00:00:00Z">12.5</attribute></attributes>
 <objects><relationship object-id="c1" qualifier="of"/></objects></object>
 <object id="c1" type="customer"/></objects>
<events><event id="e1" type="place order" time="2024-01-01T10:00:00Z">
 <attributes><attribute name="who">Ada</attribute></attributes>
 <objects><relationship object-id="o1" qualifier="order"/></objects></event>
 <event id="e2" type="pay" time="2024-01-02T10:00:00Z"/></events></log>"""
JSON_1 = {
    "ocel:global-log": {"ocel:version": "1.0"},
    "ocel:events": {
        "e1": {
            "ocel:activity": "place order",
            "ocel:timestamp": "2024-01-01T10:00:00Z",
            "ocel:omap": ["o1"],
            "ocel:vmap": {"who": "Ada"},
        },
        "e2": {
            "ocel:activity": "pay",
            "ocel:timestamp": "2024-01-02T10:00:00Z",
            "ocel:omap": [],
            "ocel:vmap": {},
        },
    },
    "ocel:objects": {
        "o1": {"ocel:type": "order", "ocel:ovmap": {"price": 10}},
        "c1": {"ocel:type": "customer", "ocel:ovmap": {}},
    },
}
XML_1 = """<log><global scope="event"><string key="activity" value="x"/></global><events>
<event><string key="id" value="e1"/><string key="activity" value="place order"/>
 <date key="timestamp" value="2024-01-01T10:00:00Z"/>
 <list key="omap"><string key="object-id" value="o1"/></list>
 <list key="vmap"><string key="who" value="Ada"/></list>
</event><event><string key="id" value="e2"/><string key="activity" value="pay"/>
 <date key="timestamp" value="2024-01-02T10:00:00Z"/></event></events>
<objects><object><string key="id" value="o1"/><string key="type" value="order"/>
 <list key="ovmap"><float key="price" value="10"/></list></object>
 <object><string key="id" value="c1"/><string key="type" value="customer"/></object></objects></log>"""


def sqlite_2(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.executescript("""
            CREATE TABLE event(ocel_id TEXT, ocel_type TEXT);
            CREATE TABLE object(ocel_id TEXT, ocel_type TEXT);
            CREATE TABLE event_object(ocel_event_id TEXT, ocel_object_id TEXT, ocel_qualifier TEXT);
            CREATE TABLE object_object(ocel_source_id TEXT, ocel_target_id TEXT, ocel_qualifier TEXT);
            CREATE TABLE event_map_type(ocel_type TEXT, ocel_type_map TEXT);
            CREATE TABLE object_map_type(ocel_type TEXT, ocel_type_map TEXT);
            CREATE TABLE event_PlaceOrder(ocel_id TEXT, ocel_time TEXT, who TEXT);
            CREATE TABLE event_Pay(ocel_id TEXT, ocel_time TEXT);
            CREATE TABLE object_Order(ocel_id TEXT, ocel_time TEXT, ocel_changed_field TEXT, price REAL);
            CREATE TABLE object_Customer(ocel_id TEXT, ocel_time TEXT);
            INSERT INTO event VALUES ('e1', 'place order'), ('e2', 'pay');
            INSERT INTO object VALUES ('o1', 'order'), ('c1', 'customer');
            INSERT INTO event_object VALUES ('e1', 'o1', 'order');
            INSERT INTO object_object VALUES ('o1', 'c1', 'of');
            INSERT INTO event_map_type VALUES ('place order', 'PlaceOrder'), ('pay', 'Pay');
            INSERT INTO object_map_type VALUES ('order', 'Order'), ('customer', 'Customer');
            INSERT INTO event_PlaceOrder VALUES ('e1', '2024-01-01T10:00:00Z', 'Ada');
            INSERT INTO event_Pay VALUES ('e2', '2024-01-02T10:00:00Z');
            INSERT INTO object_Order VALUES ('o1', '1970-01-01T00:00:00Z', NULL, 1e1);
            INSERT INTO object_Order VALUES ('o1', '2024-01-05T00:00:00Z', 'price', 12.5);
            INSERT INTO object_Customer VALUES ('c1', NULL);
        """)
    database.close()


def sqlite_1(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.executescript("""
            CREATE TABLE EVENTS("ocel:eid" TEXT, "ocel:activity" TEXT, "ocel:timestamp" TEXT, who TEXT);
            CREATE TABLE OBJECTS("ocel:oid" TEXT, "ocel:type" TEXT, price INTEGER);
            CREATE TABLE RELATIONS("ocel:eid" TEXT, "ocel:oid" TEXT, "ocel:type" TEXT);
            INSERT INTO EVENTS VALUES ('e1', 'place order', '2024-01-01T10:00:00Z', 'Ada');
            INSERT INTO EVENTS VALUES ('e2', 'pay', '2024-01-02T10:00:00Z', NULL);
            INSERT INTO OBJECTS VALUES ('o1', 'order', 10), ('c1', 'customer', NULL);
            INSERT INTO RELATIONS VALUES ('e1', 'o1', 'order');
        """)
    database.close()


def read(path: Path) -> dict[str, list[TableBatch]]:
    found: dict[str, list[TableBatch]] = {}
    for batch in read_ocel(path, path.parent):
        found.setdefault(batch.table, []).append(batch)
    return found


def rows(found: dict[str, list[TableBatch]], table: str) -> list[tuple[str | None, ...]]:
    return [row for batch in found.get(table, []) for row in batch.frame.rows()]


@pytest.fixture
def logs(tmp_path: Path) -> dict[str, Path]:
    texts = {
        "two.json": json.dumps(JSON_2),
        "two.xml": XML_2,
        "one.jsonocel": json.dumps(JSON_1),
        "one.xml": XML_1,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "packed.json.gz").write_bytes(gzip.compress(json.dumps(JSON_2).encode(), mtime=0))
    sqlite_2(tmp_path / "two.sqlite")
    sqlite_1(tmp_path / "one.sqlite")
    return {path.name: path for path in tmp_path.iterdir()}


ALL = ["two.json", "packed.json.gz", "two.xml", "two.sqlite", "one.jsonocel", "one.xml", "one.sqlite"]
SECOND = ALL[:4]


@pytest.mark.parametrize("name", ALL)
def test_events_objects_and_links_are_the_same_in_every_layout(logs: dict[str, Path], name: str) -> None:
    found = read(logs[name])
    assert rows(found, "events") == [
        ("e1", "place order", "2024-01-01T10:00:00Z"),
        ("e2", "pay", "2024-01-02T10:00:00Z"),
    ]
    assert rows(found, "objects") == [("o1", "order"), ("c1", "customer")]
    assert [row[:2] for row in rows(found, "event_object")] == [("e1", "o1")]
    assert rows(found, "event_PlaceOrder") == [("e1", "2024-01-01T10:00:00Z", "Ada")]
    assert rows(found, "event_Pay") == [("e2", "2024-01-02T10:00:00Z")]
    (order,) = [
        dict(zip(batch.frame.columns, row, strict=True))
        for batch in found["object_Order"]
        for row in batch.frame.rows()
    ]
    assert float(order["price"] or "") == 10
    assert {batch.key for name in ("events", "objects", "event_Pay") for batch in found[name]} == {
        ("ocel_id",)
    }
    assert not [one for batches in found.values() for batch in batches for one in batch.rejects]


@pytest.mark.parametrize("name", SECOND)
def test_later_values_and_links_of_objects_are_rows(logs: dict[str, Path], name: str) -> None:
    found = read(logs[name])
    assert rows(found, "object_changes") == [("o1", "order", "2024-01-05T00:00:00Z", "price", "12.5")]
    assert rows(found, "object_object") == [("o1", "c1", "of")]
    assert rows(found, "event_object") == [("e1", "o1", "order")]


def test_what_has_no_id_is_rejected_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"events": [{"type": "a"}, {"id": "e", "type": "a"}, 7], "objects": []}')
    found = read(path)
    assert rows(found, "events") == [("e", "a", None)]
    rejects = [
        (one.locator, one.reason) for batches in found.values() for batch in batches for one in batch.rejects
    ]
    assert rejects == [("events 1", "no_key"), ("events 3", "no_key")]


def test_what_stands_before_a_break_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"events": [{"id": "e1"}, {"id": "e2"}, {"id": ')
    found = read(path)
    assert [row[0] for row in rows(found, "events")] == ["e1", "e2"]
    assert [one.reason for batch in found["events"] for one in batch.rejects] == ["malformed_json"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "malformed_xml"),
        (b"[1]", "malformed_xml"),
        (b"{", "malformed_json"),
        (b'{"events": ' + b"[" * 200_000, "malformed_json"),
        (b'{"events": [{"id": "\xff"}]}', "malformed_json"),
        (b"SQLite format 3\x00" + b"\x07" * 3_000, "unreadable_file"),
        (b'<!DOCTYPE log [<!ENTITY a "b">]><log/>', "entity_declared"),
    ],
)
def test_hostile_files_are_one_reject(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    found = read(path)
    assert [one.reason for batches in found.values() for batch in batches for one in batch.rejects] == [
        reason
    ]


def test_a_database_of_something_else_is_one_reject(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "x.sqlite") as database:
        database.execute("CREATE TABLE a(b)")
    database.close()
    found = read(tmp_path / "x.sqlite")
    assert [one.reason for batch in found["events"] for one in batch.rejects] == ["no_event_log"]


def test_elements_are_found_across_the_buffer_whatever_their_size(tmp_path: Path) -> None:
    sizes = [1, 10, 1_048_576 - 60, 1_048_576, 3_000_000, 5]
    path = tmp_path / "big.json"
    path.write_text(
        json.dumps({"a": [{"n": size, "x": "é" * size} for size in sizes], "b": 12, "c": {"k": 1.5}})
    )
    members = list(json_members(path))
    assert [len(member.value["x"]) for member in members if isinstance(member.value, dict)] == sizes
    assert members[-1] == ("c", "k", "1.5")


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("place order", "event_PlaceOrder"),
        ("ItemOut", "event_ItemOut"),
        ("a-b_c", "event_AB_c"),
        ("", "event_"),
    ],
)
def test_tables_of_types_are_named_as_in_the_standard(name: str, table: str) -> None:
    assert type_table("event", name) == table
