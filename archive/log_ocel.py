"""Object-centric event logs (OCEL 1.0 and 2.0; JSON, XML, SQLite) as the tables of OCEL 2.0's SQLite layout.

Tables: events, objects, event_object, object_object, object_changes, and one wide table per type of event and
object, named as in that layout ("place order": "event_PlaceOrder"). An object's first values stand in its
type's table; every later one is a row of object_changes.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from archive.batches import TableBatch
from archive.gathering import FileFault, FoundColumns, Gatherer, Pairs, plain
from archive.log_ocel_files import (
    Items,
    OcelBroken,
    OcelEvent,
    OcelItem,
    OcelLink,
    OcelObject,
    json_items,
    old_sqlite_items,
    xml_items,
)

FIXED = {
    "events": ("ocel_id", "ocel_type", "ocel_time"),
    "objects": ("ocel_id", "ocel_type"),
    "event_object": ("ocel_event_id", "ocel_object_id", "ocel_qualifier"),
    "object_object": ("ocel_source_id", "ocel_target_id", "ocel_qualifier"),
    "object_changes": ("ocel_id", "ocel_type", "ocel_time", "ocel_changed_field", "ocel_value"),
}
_KEYS = {"events": ("ocel_id",), "objects": ("ocel_id",)}
_TYPED = ("ocel_id", "ocel_time")
_MAX_TYPES = 400
"""Types whose times one SQL statement joins; of more, events have their times in their types' tables only."""
_Rows = Iterator[tuple[str, Pairs] | OcelBroken]


def read_ocel(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the batches of an OCEL file in any of its layouts, told by its first bytes."""
    gatherer = Gatherer(path, base)
    try:
        with path.open("rb") as stream:
            head = stream.read(1024)
        if head.startswith(b"SQLite format 3\x00"):
            yield from _read_sqlite(gatherer, path)
        else:
            is_json = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(
                b"{"
            ) or path.name.lower().endswith((".json.gz", ".jsonocel.gz"))
            items = json_items if is_json else xml_items
            yield from _read_items(gatherer, lambda: items(path))
    except FileFault as fault:
        gatherer.reject_file("events", fault)
    except (OSError, sqlite3.Error):
        gatherer.reject_file("events", FileFault("unreadable_file"))
    yield from gatherer.rest()


def type_table(prefix: str, name: str | None) -> str:
    """Returns the table of a type: "event_PlaceOrder" for the event type "place order"."""
    words = re.findall(r"\w+", name or "")
    return f"{prefix}_{''.join(word[:1].upper() + word[1:] for word in words)}"


def _read_items(gatherer: Gatherer, items: Items) -> Iterator[TableBatch]:
    found: dict[str, FoundColumns] = {name: FoundColumns(columns) for name, columns in FIXED.items()}
    try:
        for row in _rows(items()):
            if not isinstance(row, OcelBroken):
                found.setdefault(row[0], FoundColumns(_TYPED)).see(row[1])
    except FileFault:
        pass  # the second reading breaks at the same place, and tells it
    for name, columns in found.items():
        place = f"{name} {{}}".replace("events {}", "event {}").replace("objects {}", "object {}")
        gatherer.table(name, columns.names, place, _key(name, columns.names))
    for row in _rows(items()):
        if isinstance(row, OcelBroken):
            gatherer.reject(row.place.split()[0], row.place, row.text.encode(), "no_key")
        else:
            gatherer.add(row[0], found[row[0]].cells(row[1]))
        yield from gatherer.full()


def _rows(items: Iterator[OcelItem]) -> _Rows:
    for item in items:
        if isinstance(item, OcelBroken):
            yield item
        elif isinstance(item, OcelLink):
            yield "event_object", _pairs("event_object", item.event_id, item.object_id, item.qualifier)
        elif isinstance(item, OcelEvent):
            yield "events", _pairs("events", item.event_id, item.type, item.time)
            head = [("ocel_id", item.event_id), ("ocel_time", item.time)]
            yield type_table("event", item.type), [*head, *_aside(item.attributes)]
            for related, qualifier in item.objects:
                yield "event_object", _pairs("event_object", item.event_id, related, qualifier)
        else:
            yield from _object_rows(item)


def _object_rows(item: OcelObject) -> _Rows:
    yield "objects", _pairs("objects", item.object_id, item.type)
    first: dict[str, tuple[str | None, str | None]] = {}
    later: list[tuple[str, str | None, str | None]] = []
    for name, value, time in sorted(item.attributes, key=lambda one: one[2] or ""):
        if name in first:
            later.append((name, value, time))
        else:
            first[name] = (value, time)
    since = min((time for _, time in first.values() if time), default=None)
    for name, (value, time) in first.items():
        if time and time != since:
            later.append((name, value, time))
    initial = [(name, value) for name, (value, time) in first.items() if not time or time == since]
    yield (
        type_table("object", item.type),
        [("ocel_id", item.object_id), ("ocel_time", since), *_aside(initial)],
    )
    for name, value, time in sorted(later, key=lambda one: one[2] or ""):
        yield "object_changes", _pairs("object_changes", item.object_id, item.type, time, name, value)
    for related, qualifier in item.objects:
        yield "object_object", _pairs("object_object", item.object_id, related, qualifier)


def _pairs(table: str, *cells: str | None) -> Pairs:
    return list(zip(FIXED[table], cells, strict=True))


def _aside(pairs: Pairs) -> Pairs:
    return [(f"{name}_" if name in _TYPED else name, value) for name, value in pairs]


def _read_sqlite(gatherer: Gatherer, path: Path) -> Iterator[TableBatch]:
    frozen = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    uri = f"{path.resolve().as_uri()}?mode=ro{frozen}"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        listed = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        tables = {str(name).lower(): str(name) for (name,) in connection.execute(f"{listed} ORDER BY 1")}
        if "event" in tables and "object" in tables:
            yield from _read_new(gatherer, connection, tables)
        elif "events" in tables and "objects" in tables:
            yield from _read_items(gatherer, lambda: old_sqlite_items(connection, tables))
        else:
            raise FileFault("no_event_log")


def _read_new(
    gatherer: Gatherer, connection: sqlite3.Connection, tables: dict[str, str]
) -> Iterator[TableBatch]:
    kinds = _types(connection, tables)
    for name, fixed in FIXED.items():
        gatherer.table(name, fixed, f"{name} rowid {{}}", _KEYS.get(name, ()))
    yield from _copy(gatherer, connection, "events", _timed_events(connection, tables))
    for name in ("object", "event_object", "object_object"):
        if name in tables:
            target = "objects" if name == "object" else name
            wanted = ", ".join(_own(connection, tables[name], FIXED[target]))
            yield from _copy(
                gatherer, connection, target, f"SELECT rowid, {wanted} FROM {_quoted(tables[name])}"
            )
    for lower, name in tables.items():
        if not lower.startswith(("event_", "object_")) or lower in FIXED:
            continue
        columns = _columns(connection, name)
        gatherer.table(name, columns, f"{name} rowid {{}}", _key(name, columns))
        changed = columns.index("ocel_changed_field") if "ocel_changed_field" in columns else -1
        for number, *cells in connection.execute(f"SELECT rowid, * FROM {_quoted(name)}"):
            texts = [plain(cell) for cell in cells]
            if changed >= 0 and texts[changed]:
                row = dict(zip(columns, texts, strict=True))
                gatherer.add("object_changes", _change(row, kinds.get(lower, name)))
            else:
                gatherer.add(name, texts, int(number))
            yield from gatherer.full()


def _key(table: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The key that the standard gives a table: events, objects and rows of event types have one."""
    typed = table.startswith("event_") and "ocel_id" in columns
    return ("ocel_id",) if typed else _KEYS.get(table, ())


def _change(row: dict[str, str | None], kind: str) -> list[str | None]:
    field = row["ocel_changed_field"] or ""
    value = row.get(field)
    if value is None:
        others = [text for name, text in row.items() if not name.startswith("ocel_") and text is not None]
        value = others[0] if len(others) == 1 else None
    return [row.get("ocel_id"), kind, row.get("ocel_time"), field, value]


def _types(connection: sqlite3.Connection, tables: dict[str, str]) -> dict[str, str]:
    """Lower-case name of a type's table -> the type."""
    kinds = {}
    for side in ("event", "object"):
        if f"{side}_map_type" in tables:
            rows = connection.execute(f"SELECT * FROM {_quoted(tables[f'{side}_map_type'])}")
            kinds.update({f"{side}_{mapped}".lower(): str(kind) for kind, mapped, *_ in rows})
    return kinds


def _timed_events(connection: sqlite3.Connection, tables: dict[str, str]) -> str:
    """SQL for rowid, id, type and time of events; the times stand in the tables of their types."""
    timed = [
        name
        for lower, name in tables.items()
        if lower.startswith("event_")
        and lower not in FIXED
        and lower != "event_map_type"
        and {"ocel_id", "ocel_time"} <= set(_columns(connection, name))
    ]
    if not timed or len(timed) > _MAX_TYPES:
        return f"SELECT rowid, ocel_id, ocel_type, NULL FROM {_quoted(tables['event'])}"
    union = " UNION ALL ".join(f"SELECT ocel_id, ocel_time FROM {_quoted(name)}" for name in timed)
    return (
        f"SELECT e.rowid, e.ocel_id, e.ocel_type, MIN(t.ocel_time) FROM {_quoted(tables['event'])} e "
        f"LEFT JOIN ({union}) t ON t.ocel_id = e.ocel_id GROUP BY e.rowid ORDER BY e.rowid"
    )


def _own(connection: sqlite3.Connection, table: str, wanted: tuple[str, ...]) -> list[str]:
    here = set(_columns(connection, table))
    return [name if name in here else "NULL" for name in wanted]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [column[0] for column in connection.execute(f"SELECT * FROM {_quoted(table)} LIMIT 0").description]


def _copy(gatherer: Gatherer, connection: sqlite3.Connection, table: str, sql: str) -> Iterator[TableBatch]:
    for number, *cells in connection.execute(sql):
        gatherer.add(table, [plain(cell) for cell in cells], int(number))
        yield from gatherer.full()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
