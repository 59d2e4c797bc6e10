"""XES event logs: one row per case and per event, wide, attributes under the keys that the log gives them.

The standard's own attributes have plain names (concept:name of an event is "activity", time:timestamp
"timestamp", org:resource "resource", lifecycle:transition "lifecycle"); concept:name of a trace is "case_id".
Children of attributes and members of lists stand as "key/child". A file is read twice: first for its columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from archive.batches import TableBatch
from archive.gathering import FileFault, FoundColumns, Gatherer
from archive.xml_events import children, forget, local_name, xml_events

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped,unused-ignore]

_TYPED = frozenset(("string", "date", "int", "float", "boolean", "id", "list", "container"))
_EVENT = {
    "concept:name": "activity",
    "time:timestamp": "timestamp",
    "org:resource": "resource",
    "lifecycle:transition": "lifecycle",
}
EVENT_COLUMNS = ("case_id", "activity", "timestamp", "resource", "lifecycle")
_NAME = "concept:name"


class _Row(NamedTuple):
    table: str
    pairs: list[tuple[str, str | None]]


def read_xes(path: Path, base: Path) -> Iterator[TableBatch]:
    """Yields the batches of "cases", "events" and "log" (one row: attributes, classifiers, globals).

    A case without concept:name, or with one that comes after its events, is called "trace N". Where the
    file breaks off, the rows before are kept and one reject tells the line.
    """
    columns = {
        "cases": FoundColumns(("case_id",)),
        "events": FoundColumns(EVENT_COLUMNS),
        "log": FoundColumns(),
    }
    gatherer = Gatherer(path, base)
    try:
        for row in _rows(path):
            columns[row.table].see(row.pairs)
    except FileFault as fault:
        gatherer_fault: FileFault | None = fault
    else:
        gatherer_fault = None
    gatherer.table("cases", columns["cases"].names, "trace {}", ("case_id",))
    gatherer.table("events", columns["events"].names, "event {}")
    gatherer.table("log", columns["log"].names, "log {}")
    try:
        for row in _rows(path):
            gatherer.add(row.table, columns[row.table].cells(row.pairs))
            yield from gatherer.full()
    except FileFault as fault:
        gatherer_fault = fault
    if gatherer_fault is not None:
        gatherer.reject_file("events", gatherer_fault)
    yield from gatherer.rest()


def _rows(path: Path) -> Iterator[_Row]:
    """Yields cases after their events, and the log last; memory holds one case's attributes and one event."""
    number = 0
    case: str | None = None
    inside = found = False
    for step in xml_events(path, ("log", "trace", "event")):
        element = step.element
        parent = element.getparent()
        if not step.ends:
            found = found or (step.name == "log" and parent is None)
            if step.name == "trace":
                number, case, inside = number + 1, None, True
        elif step.name == "event" and parent is not None:
            if inside and case is None:
                case = _own(element.itersiblings(preceding=True), _NAME) or f"trace {number}"
            pairs = [("case_id", case if inside else None)]
            pairs += [(_EVENT.get(key, _aside(key)), value) for key, value in _attributes(element)]
            yield _Row("events", pairs)
            forget(element)
        elif step.name == "trace":
            case = case or _own(element, _NAME) or f"trace {number}"  # a trace without events
            pairs = [(_aside(key), value) for key, value in _attributes(element)]
            if (_NAME, case) in pairs:
                pairs.remove((_NAME, case))
            yield _Row("cases", [("case_id", case), *pairs])
            forget(element)
            inside, case = False, None
        elif step.name == "log" and parent is None:
            log = [pair for name, child in children(element) for pair in _of_log(name, child)]
            if log:
                yield _Row("log", log)
    if not found:
        raise FileFault("no_event_log")


def _aside(key: str) -> str:
    """A key of the log that one of our own columns has gets "_" appended."""
    return f"{key}_" if key in EVENT_COLUMNS else key


def _own(elements: Iterable[_Element], key: str) -> str | None:
    """The value of the attribute of that key among elements, which may be all children of one."""
    for child in elements:
        if local_name(child) in _TYPED and child.get("key") == key:
            value: str | None = child.get("value")
            return value
    return None


def _attributes(element: _Element, prefix: str = "") -> list[tuple[str, str | None]]:
    pairs: list[tuple[str, str | None]] = []
    for name, child in children(element):
        if name == "values":
            pairs.extend(_attributes(child, prefix))
        elif name in _TYPED:
            key = f"{prefix}{child.get('key') or 'unnamed'}"
            if child.get("value") is not None or not len(child):
                pairs.append((key, child.get("value")))
            if len(child):
                pairs.extend(_attributes(child, f"{key}/"))
    return pairs


def _of_log(name: str, element: _Element) -> list[tuple[str, str | None]]:
    """What the log says of itself: its attributes, classifiers and global defaults."""
    if name in _TYPED:
        key = element.get("key") or "unnamed"
        own = [(key, element.get("value"))] if element.get("value") is not None else []
        return own + _attributes(element, f"{key}/")
    if name == "classifier":
        return [(f"classifier {element.get('name') or ''}".strip(), element.get("keys"))]
    if name == "global":
        scope = element.get("scope") or "event"
        return [(f"global {scope}/{key}", value) for key, value in _attributes(element)]
    return []
