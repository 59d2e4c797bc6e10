"""OCEL 1.0 and 2.0 in JSON and XML, and OCEL 1.0 in SQLite: events, objects and their links one by one.

Belongs here: where each layout keeps them. Does not belong here: the tables that they become
(`archive.log_ocel`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from archive.gathering import FileFault, plain
from archive.json_members import json_members
from archive.xml_events import children, each, forget, xml_events

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped,unused-ignore]

Named = tuple[str, str | None]


class OcelEvent(NamedTuple):
    """An event with its attributes and the objects it is about."""

    event_id: str
    type: str | None
    time: str | None
    attributes: list[Named]
    objects: list[tuple[str, str | None]]
    """Object id and qualifier."""


class OcelObject(NamedTuple):
    """An object with its attributes, each with the time since which it holds, and related objects."""

    object_id: str
    type: str | None
    attributes: list[tuple[str, str | None, str | None]]
    """Name, value, time."""
    objects: list[tuple[str, str | None]]


class OcelLink(NamedTuple):
    """A link that stands apart from its event."""

    event_id: str
    object_id: str
    qualifier: str | None


class OcelBroken(NamedTuple):
    """An event or object without id."""

    place: str
    text: str


OcelItem = OcelEvent | OcelObject | OcelLink | OcelBroken


def json_items(path: Path) -> Iterator[OcelItem]:
    """Yields what an OCEL file in JSON holds, 1.0 or 2.0; FileFault where it breaks."""
    number = 0
    for member in json_members(path):
        number += 1
        value = member.value
        name = member.member.removeprefix("ocel:")
        if name not in ("events", "objects"):
            continue
        row = value if isinstance(value, dict) else {}
        identity = (
            member.key or plain(row.get("id")) or plain(row.get("ocel:eid")) or plain(row.get("ocel:oid"))
        )
        if not identity:
            yield OcelBroken(f"{name} {number}", plain(value) or "")
        elif name == "events":
            yield OcelEvent(
                identity,
                plain(row.get("type", row.get("ocel:activity"))),
                plain(row.get("time", row.get("ocel:timestamp"))),
                [(key, text) for key, text, _ in _attributes(row, "ocel:vmap")],
                _links(row),
            )
        else:
            kind = plain(row.get("type", row.get("ocel:type")))
            yield OcelObject(identity, kind, _attributes(row, "ocel:ovmap"), _links(row))


def _attributes(row: dict[str, object], old: str) -> list[tuple[str, str | None, str | None]]:
    listed = row.get("attributes", row.get(old))
    if isinstance(listed, dict):
        return [(str(key), plain(value), None) for key, value in listed.items()]
    found = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return [(str(item.get("name")), plain(item.get("value")), plain(item.get("time"))) for item in found]


def _links(row: dict[str, object]) -> list[tuple[str, str | None]]:
    listed = row.get("relationships", row.get("ocel:omap"))
    links: list[tuple[str, str | None]] = []
    for item in listed if isinstance(listed, list) else []:
        if isinstance(item, dict):
            links.append((plain(item.get("objectId")) or "", plain(item.get("qualifier"))))
        else:
            links.append((plain(item) or "", None))
    return links


def xml_items(path: Path) -> Iterator[OcelItem]:
    """Yields what an OCEL file in XML holds, 1.0 or 2.0; FileFault where it breaks."""
    number = 0
    found = False
    for step in xml_events(path, ("log", "event", "object")):
        listed = step.element.getparent()
        above = listed.getparent() if listed is not None else None
        found = found or (step.name == "log" and listed is None)
        if step.ends and above is not None and above.getparent() is None:
            number += 1
            yield _xml_item(step.name, step.element, number)
            forget(step.element)
    if not found:
        raise FileFault("no_event_log")


def _xml_item(name: str, element: _Element, number: int) -> OcelItem:
    old = {child.get("key"): child for _, child in children(element) if child.get("key")}

    def own(new: str, key: str) -> str | None:
        text = element.get(new) or (old[key].get("value") if key in old else None)
        return str(text) if text else None

    identity = own("id", "id")
    if identity is None:
        return OcelBroken(f"{name} {number}", "")
    attributes: list[tuple[str, str | None, str | None]] = [
        (
            found.get("name") or "unnamed",
            (found.text or "").strip() or None,
            found.get("time"),
        )
        for found in each(element, "attributes/attribute")
    ]
    for key in ("vmap", "ovmap"):
        if key in old:
            attributes += [
                (one.get("key") or "unnamed", one.get("value"), None) for _, one in children(old[key])
            ]
    links = [
        (found.get("object-id") or "", found.get("qualifier"))
        for found in each(element, "objects/relationship|relobj|object")
    ]
    if "omap" in old:
        links += [(one.get("value") or "", None) for _, one in children(old["omap"])]
    if name == "event":
        plain_attributes = [(key, value) for key, value, _ in attributes]
        return OcelEvent(identity, own("type", "activity"), own("time", "timestamp"), plain_attributes, links)
    return OcelObject(identity, own("type", "type"), attributes, links)


_OLD_IDS = {"events": "ocel:eid", "objects": "ocel:oid"}


def old_sqlite_items(connection: sqlite3.Connection, tables: dict[str, str]) -> Iterator[OcelItem]:
    """Yields what an OCEL 1.0 database holds; `tables` maps lower-case table names to their own."""
    for name, identity in _OLD_IDS.items():
        if name in tables:
            for number, row in enumerate(_named_rows(connection, tables[name]), start=1):
                key = row.pop(identity, None)
                if not key:
                    yield OcelBroken(f"{name} {number}", "")
                elif name == "events":
                    kind, time = row.pop("ocel:activity", None), row.pop("ocel:timestamp", None)
                    yield OcelEvent(key, kind, time, _filled(row), [])
                else:
                    kind = row.pop("ocel:type", None)
                    yield OcelObject(key, kind, [(*pair, None) for pair in _filled(row)], [])
    if "relations" in tables:
        for row in _named_rows(connection, tables["relations"]):
            event, related = row.get("ocel:eid") or "", row.get("ocel:oid") or ""
            yield OcelLink(event, related, row.get("ocel:qualifier"))


def _filled(row: dict[str, str | None]) -> list[Named]:
    return [(name, value) for name, value in row.items() if value is not None]


def _named_rows(connection: sqlite3.Connection, table: str) -> Iterator[dict[str, str | None]]:
    quoted = table.replace('"', '""')
    cursor = connection.execute(f'SELECT * FROM "{quoted}"')
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, map(plain, row), strict=True))


Items = Callable[[], Iterator[OcelItem]]
"""Reads a file from its beginning; the log's tables need two readings."""
