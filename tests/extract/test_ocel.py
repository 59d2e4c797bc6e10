"""The OCEL 2.0 file: the relational rules that readers of the format rely on."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

from extract.model import OCEL_FILE

BASE = {
    "event": {"ocel_id", "ocel_type"},
    "object": {"ocel_id", "ocel_type"},
    "event_map_type": {"ocel_type", "ocel_type_map"},
    "object_map_type": {"ocel_type", "ocel_type_map"},
    "event_object": {"ocel_event_id", "ocel_object_id", "ocel_qualifier"},
    "object_object": {"ocel_source_id", "ocel_target_id", "ocel_qualifier"},
}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture(scope="module")
def ocel(sample: Any) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"file:{sample.home.clean / OCEL_FILE}?mode=ro", uri=True)
    yield connection
    connection.close()


def columns(ocel: sqlite3.Connection, table: str) -> dict[str, int]:
    """Returns the columns of a table with their place in the primary key."""
    return {row[1]: row[5] for row in ocel.execute(f'PRAGMA table_info("{table}")')}


@pytest.mark.parametrize("table", sorted(BASE))
def test_base_tables_have_their_columns_and_keys(ocel: sqlite3.Connection, table: str) -> None:
    found = columns(ocel, table)
    assert set(found) == BASE[table]
    wanted = {"ocel_id"} if table in ("event", "object") else BASE[table] - {"ocel_type_map"}
    assert {name for name, place in found.items() if place} == wanted


def test_foreign_keys_are_declared_and_hold(ocel: sqlite3.Connection) -> None:
    assert ocel.execute("PRAGMA foreign_key_check").fetchall() == []
    assert len(ocel.execute("PRAGMA foreign_key_list(event_object)").fetchall()) == 2
    assert len(ocel.execute("PRAGMA foreign_key_list(object_object)").fetchall()) == 2


@pytest.mark.parametrize("side", ["event", "object"])
def test_every_type_has_one_table_with_exactly_its_ids(ocel: sqlite3.Connection, side: str) -> None:
    types = dict(ocel.execute(f"SELECT ocel_type, ocel_type_map FROM {side}_map_type"))
    assert len(set(types.values())) == len(types)
    assert set(types) == {row[0] for row in ocel.execute(f"SELECT DISTINCT ocel_type FROM {side}")}
    for name, mapped in types.items():
        ids = {row[0] for row in ocel.execute(f"SELECT ocel_id FROM {side} WHERE ocel_type = ?", (name,))}
        rows = ocel.execute(f'SELECT ocel_id, ocel_time FROM "{side}_{mapped}"').fetchall()
        assert {row[0] for row in rows} == ids and len(rows) == len(ids)
        assert all(TIME.fullmatch(row[1]) for row in rows)
        assert {"ocel_id", "ocel_time"} <= set(columns(ocel, f"{side}_{mapped}"))


def test_the_file_says_what_the_tables_say(ocel: sqlite3.Connection, sample: Any) -> None:
    for table, stored in (
        ("event", "log-events"),
        ("object", "log-objects"),
        ("event_object", "log-event-objects"),
        ("object_object", "log-object-objects"),
    ):
        rows = pl.read_parquet(sample.home.model / f"{stored}.parquet").height
        assert ocel.execute(f"SELECT count(*) FROM {table}").fetchone() == (rows,)


def test_events_are_stored_in_the_order_of_time(sample: Any) -> None:
    events = pl.read_parquet(sample.home.model / "log-events.parquet")
    moments = events["timestamp"].str.to_datetime(time_zone="UTC")
    assert moments.is_sorted()
    assert events["seq"].to_list() == list(range(events.height))
