"""The company log as an OCEL 2.0 SQLite file that other process-mining tools open.

Written by hand: primary and foreign keys, one table per event and object type, times in UTC.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections import defaultdict
from pathlib import Path
from zoneinfo import ZoneInfo

from archive.row_groups import writing
from extract.log import CompanyLog
from extract.moments import read_moment

_UTC = ZoneInfo("UTC")
_BEGINNING = "1970-01-01T00:00:00Z"
_EVENT_COLUMNS = ("actor", "actor_role", "system", "seq")
_BASE = """
CREATE TABLE event_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT NOT NULL UNIQUE);
CREATE TABLE object_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT NOT NULL UNIQUE);
CREATE TABLE event (ocel_id TEXT PRIMARY KEY, ocel_type TEXT NOT NULL REFERENCES event_map_type(ocel_type));
CREATE TABLE object (ocel_id TEXT PRIMARY KEY, ocel_type TEXT NOT NULL REFERENCES object_map_type(ocel_type));
CREATE TABLE event_object (
 ocel_event_id TEXT NOT NULL REFERENCES event(ocel_id),
 ocel_object_id TEXT NOT NULL REFERENCES object(ocel_id),
 ocel_qualifier TEXT NOT NULL, PRIMARY KEY (ocel_event_id, ocel_object_id, ocel_qualifier));
CREATE TABLE object_object (
 ocel_source_id TEXT NOT NULL REFERENCES object(ocel_id),
 ocel_target_id TEXT NOT NULL REFERENCES object(ocel_id),
 ocel_qualifier TEXT NOT NULL, PRIMARY KEY (ocel_source_id, ocel_target_id, ocel_qualifier));
"""


def write_ocel(path: Path, log: CompanyLog) -> None:
    """Writes the file anew: aside first, then renamed; the same log gives the same bytes.

    Raises:
        StoreError: the disk is full or the like.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.aside")
    with writing(path.parent):
        _write(aside, log)
        os.replace(aside, path)


def _write(path: Path, log: CompanyLog) -> None:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    try:
        connection.executescript(_BASE)
        _write_events(connection, log)
        _write_objects(connection, log)
        connection.executemany(
            "INSERT INTO event_object VALUES (?, ?, ?)",
            log.event_objects.select("event_id", "object_id", "qualifier").iter_rows(),
        )
        connection.executemany(
            "INSERT INTO object_object VALUES (?, ?, ?)",
            log.object_objects.select("source_id", "target_id", "qualifier").iter_rows(),
        )
        connection.commit()
    finally:
        connection.close()


def _write_events(connection: sqlite3.Connection, log: CompanyLog) -> None:
    by_type: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for row in log.events.iter_rows(named=True):
        by_type[row["activity"]].append(
            (row["event_id"], _utc(row["timestamp"]), *(row[name] for name in _EVENT_COLUMNS))
        )
    names = _table_names(by_type)
    connection.executemany("INSERT INTO event_map_type VALUES (?, ?)", sorted(names.items()))
    for activity in sorted(by_type):
        rows = by_type[activity]
        connection.executemany("INSERT INTO event VALUES (?, ?)", [(row[0], activity) for row in rows])
        columns = ", ".join(f"{name} {'INTEGER' if name == 'seq' else 'TEXT'}" for name in _EVENT_COLUMNS)
        connection.execute(
            f'CREATE TABLE "event_{names[activity]}" '
            f"(ocel_id TEXT PRIMARY KEY REFERENCES event(ocel_id), ocel_time TIMESTAMP NOT NULL, {columns})"
        )
        marks = ", ".join("?" * (2 + len(_EVENT_COLUMNS)))
        connection.executemany(f'INSERT INTO "event_{names[activity]}" VALUES ({marks})', rows)


def _write_objects(connection: sqlite3.Connection, log: CompanyLog) -> None:
    attributes: dict[str, dict[str, str]] = defaultdict(dict)
    for object_id, name, value in log.attributes.iter_rows():
        attributes[object_id][_plain(name)] = value
    by_type: dict[str, list[str]] = defaultdict(list)
    for object_id, object_type in log.objects.select("object_id", "object_type").iter_rows():
        by_type[object_type].append(object_id)
    names = _table_names(by_type)
    connection.executemany("INSERT INTO object_map_type VALUES (?, ?)", sorted(names.items()))
    for object_type in sorted(by_type):
        ids = by_type[object_type]
        columns = sorted({name for object_id in ids for name in attributes[object_id]})
        connection.executemany("INSERT INTO object VALUES (?, ?)", [(one, object_type) for one in ids])
        extra = "".join(f', "{name}" TEXT' for name in columns)
        connection.execute(
            f'CREATE TABLE "object_{names[object_type]}" (ocel_id TEXT NOT NULL REFERENCES object(ocel_id), '
            f"ocel_time TIMESTAMP NOT NULL, ocel_changed_field TEXT{extra}, PRIMARY KEY (ocel_id, ocel_time))"
        )
        marks = ", ".join("?" * (3 + len(columns)))
        connection.executemany(
            f'INSERT INTO "object_{names[object_type]}" VALUES ({marks})',
            [(one, _BEGINNING, None, *(attributes[one].get(name) for name in columns)) for one in ids],
        )


def _table_names(types: dict[str, list[tuple[object, ...]]] | dict[str, list[str]]) -> dict[str, str]:
    names: dict[str, str] = {}
    for name in sorted(types):
        plain = "".join(word.capitalize() for word in _plain(name).split("_")) or "Other"
        while plain in names.values():
            plain += "X"
        names[name] = plain
    return names


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


def _utc(timestamp: str) -> str:
    moment = read_moment(timestamp, _UTC)
    return moment.utc if moment else _BEGINNING
