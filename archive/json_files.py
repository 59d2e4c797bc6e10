"""JSON files as units: one object per line, or the elements of the lists in a document, gzip or not.

Belongs here: finding the objects of a file, each with its place, whatever is broken beside them. Does not
belong here: what an object means (the readers of tickets), tables of JSON lines (`archive.tables_json`).
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple, cast

from archive.bounded import BoundedFile, BoundError, Line
from archive.identifiers import content_digest
from archive.mailbox import relative_path
from archive.rejects import Reject
from contracts.canonical import canonical_bytes

MAX_DOCUMENT = 256 * 1024 * 1024
"""Bytes of one JSON document (not of JSON lines), which is held in memory as text."""
MAX_DEPTH = 100
"""Levels of nesting."""
_WHOLE = 16 * 1024 * 1024
"""Documents up to this size are decoded at once, longer ones element by element."""
_PEEKED = 5
_BREAKS = (OSError, EOFError, zlib.error)
"""What ends the reading of a file before its end; a bound that is passed is an OSError."""
_LONGEST_INTEGER = 18
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LONE = re.compile("[\ud800-\udfff]")

_IDS = frozenset(("id", "key", "number", "display_id", "helpdesk_ticket", "ticket"))

JsonObject = dict[str, object]


class JsonUnit(NamedTuple):
    """An object of a file; every number with a fraction, and every very long one, is a string."""

    path: str
    locator: str
    """"line 3" or "issues 3" (from 1)."""
    digest: str
    """SHA-256 of the object's canonical bytes: equal however it is written."""
    value: JsonObject
    name: str
    """The list that the object stands in ("issues"); the file's stem for bare lists and lines."""
    envelope: JsonObject
    """What stands beside the list in its document."""


def json_units(path: Path, base: Path, lists: Sequence[str]) -> Iterator[JsonUnit | Reject]:
    """Yields the objects of a file in order: of JSON lines, of a bare list, of the named lists of documents.

    A document that has none of the lists is one unit; several documents in a row are read one by one. What
    is not JSON, not an object, too long or too deep is a reject; what stands before a break is kept.
    """
    relative = relative_path(path, base)
    reason, last = "unreadable_file", 0
    try:
        with BoundedFile(path) as file:
            try:
                yield from _units(file, relative, path.name.split(".")[0].lower(), lists)
                return
            except _BREAKS:
                last = file.last
                raise
    except BoundError:
        reason = "too_large"
    except _BREAKS:
        pass
    digest, size = _file_mark(path)
    yield Reject(relative, f"after line {last}" if last else "file", digest, reason, size)


def _units(file: BoundedFile, path: str, stem: str, lists: Sequence[str]) -> Iterator[JsonUnit | Reject]:
    lines = file.lines()
    peeked: list[Line] = []
    objects = 0
    try:
        objects = _peeked(lines, peeked)
    except _BREAKS as error:
        # What stands before a break is kept where it is lines; a broken document has no whole one.
        if not any(isinstance(_loaded(line.data.strip()), dict) for line in peeked if not line.cut):
            file.last = 0
            raise
        yield from _lines(iter(peeked), path, stem, lists)
        raise error
    if not any(line.data.strip() for line in peeked):
        yield Reject(path, "file", content_digest(b""), "empty", 0)
    elif objects and len(peeked) > 1:
        yield from _lines(chain(peeked, lines), path, stem, lists)
    else:
        file.last = 0
        data = b"".join(line.data for line in peeked)
        data += file.rest(MAX_DOCUMENT - len(data))
        if len(data) > MAX_DOCUMENT:
            yield Reject(path, "file", content_digest(data), "too_large", len(data))
        else:
            yield from _documents(_decoded(data), path, stem, lists)


def _peeked(lines: Iterator[Line], peeked: list[Line]) -> int:
    """Adds the first lines, as many as tell lines from a document; returns how many of them are objects."""
    objects = 0
    for line in lines:
        peeked.append(line)
        content = line.data.strip()
        if line.cut or content in (b"[", b"{"):
            break
        if content:
            objects += isinstance(_loaded(content), dict)
            if len(peeked) > _PEEKED or (objects and len(peeked) > 1) or content.startswith(b"["):
                break
    return objects


def _lines(lines: Iterator[Line], path: str, stem: str, lists: Sequence[str]) -> Iterator[JsonUnit | Reject]:
    for line in lines:
        locator = f"line {line.number}"
        content = line.data.strip()
        if not content:
            continue
        loaded = "too_large" if line.cut else _loaded(content)
        if isinstance(loaded, str):
            yield Reject(path, locator, content_digest(line.data), loaded, len(line.data))
            continue
        named = _named_lists(loaded, lists)
        if not named:
            yield JsonUnit(path, locator, object_digest(loaded), loaded, stem, {})
        envelope = {key: item for key, item in loaded.items() if key not in named}
        for name in named:
            yield from _elements(path, f"{locator} {name}", name, cast(list[object], loaded[name]), envelope)


def _documents(text: str, path: str, stem: str, lists: Sequence[str]) -> Iterator[JsonUnit | Reject]:
    decoder = _decoder()
    position = _after_space(text, 0)
    part = 0
    while position < len(text):
        part += 1
        prefix = f"document {part} " if part > 1 else ""
        end = 0
        if len(text) <= _WHOLE:
            try:
                value, end = decoder.raw_decode(text, position)
            except (ValueError, RecursionError):
                end = 0
        if not end:
            yield from _piecewise(text, position, path, prefix, stem, lists)
            return
        yield from _whole(path, prefix, stem, lists, _scrubbed(value, text))
        position = _after_space(text, end)


def _whole(
    path: str, prefix: str, stem: str, lists: Sequence[str], value: object
) -> Iterator[JsonUnit | Reject]:
    if isinstance(value, list):
        yield from _elements(path, f"{prefix}item", stem, value, {})
        return
    if not isinstance(value, dict):
        yield _refused(path, f"{prefix}file".strip(), value, "no_object")
        return
    named = _named_lists(value, lists)
    envelope = {key: item for key, item in value.items() if key not in named}
    for name in named:
        yield from _elements(path, prefix + name, name, cast(list[object], value[name]), envelope)
    if not named:
        yield from _elements(path, f"{prefix}object", stem, [value], {})


def _elements(
    path: str, place: str, name: str, items: Sequence[object], envelope: JsonObject
) -> Iterator[JsonUnit | Reject]:
    for number, item in enumerate(items, start=1):
        yield _unit(path, f"{place} {number}", name, item, envelope)


def _unit(path: str, locator: str, name: str, item: object, envelope: JsonObject) -> JsonUnit | Reject:
    if _depth(item) > MAX_DEPTH:
        return Reject(path, locator, content_digest(locator.encode()), "too_deep", 0)
    if not isinstance(item, dict):
        return _refused(path, locator, item, "no_object")
    return JsonUnit(path, locator, object_digest(item), item, name, envelope)


def object_digest(value: object) -> str:
    """Returns the SHA-256 of a value's canonical bytes; those of this module need no check."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return content_digest(text.encode())


def _refused(path: str, locator: str, value: object, reason: str) -> Reject:
    data = canonical_bytes(value)
    return Reject(path, locator, content_digest(data), reason, len(data))


def _piecewise(
    text: str, position: int, path: str, prefix: str, stem: str, lists: Sequence[str]
) -> Iterator[JsonUnit | Reject]:
    """Yields the elements of the first list of a long or broken document, and the break as a reject."""
    decoder = _decoder()
    start = _list_start(text, position, lists)
    if start is None:
        data = text[position:].encode("utf-8", "replace")
        yield Reject(path, f"{prefix}file".strip(), content_digest(data), _fault(text[position:]), len(data))
        return
    name, opening = start
    envelope: JsonObject = {}
    if len(text) > _WHOLE:
        ending = _list_end(text, opening, decoder)
        try:
            beside = json.loads(text[position:opening] + "null" + text[ending:]) if ending else {}
        except (ValueError, RecursionError):
            beside = {}
        if isinstance(beside, dict):  # beside a bare list is nothing
            envelope = {key: value for key, value in beside.items() if key != name}
    place, at, number = prefix + (name or "item"), opening + 1, 0
    while True:
        at = _after_space(text, at)
        if text[at : at + 1] == "]":
            return
        number += 1
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            data = text[at:].encode("utf-8", "replace")
            yield Reject(path, f"{place} {number}", content_digest(data), _fault(text[at:]), len(data))
            return
        yield _unit(path, f"{place} {number}", name or stem, _scrubbed(value, text[at:end]), envelope)
        at = _after_space(text, end)
        at += text[at : at + 1] == ","


def _list_start(text: str, position: int, lists: Sequence[str]) -> tuple[str, int] | None:
    if text[position] == "[":
        return "", position
    names = "|".join(map(re.escape, lists))
    match = re.compile(rf'"({names})"\s*:\s*\[').search(text, position) if lists else None
    return (match[1], match.end() - 1) if match else None


def _list_end(text: str, opening: int, decoder: json.JSONDecoder) -> int:
    at = opening + 1
    while True:
        at = _after_space(text, at)
        if text[at : at + 1] == "]":
            return at + 1
        try:
            _, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return 0
        at = _after_space(text, at)
        at += text[at : at + 1] == ","


def _after_space(text: str, position: int) -> int:
    while text[position : position + 1].isspace():
        position += 1
    return position


def _named_lists(value: JsonObject, lists: Sequence[str]) -> list[str]:
    """Returns the named lists that an object wraps; one with an id is a record, whatever lists it has."""
    if not _IDS.isdisjoint(value):
        return []
    return [name for name in lists if isinstance(value.get(name), list)]


def _loaded(line: bytes) -> JsonObject | str:
    """Returns the object that a line is, or why it is none."""
    text = _decoded(line).strip()
    try:
        value = _decoder().decode(text)
    except RecursionError:
        return "too_deep"
    except ValueError:
        return _fault(text)
    value = _scrubbed(value, text)
    if _depth(value) > MAX_DEPTH:
        return "too_deep"
    return value if isinstance(value, dict) else "no_object"


def _fault(text: str) -> str:
    """Returns why a text is no JSON: "too_deep" where brackets are opened and opened, else "broken_json"."""
    head = text[:_WHOLE]
    return "too_deep" if head.count("[") + head.count("{") > 50 * (1 + head.count('"')) else "broken_json"


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(parse_float=str, parse_int=_integer, parse_constant=str)


def _integer(text: str) -> int | str:
    return int(text) if len(text) <= _LONGEST_INTEGER else text


def _depth(value: object) -> int:
    level, depth = [value], 0
    while level and depth <= MAX_DEPTH:
        following: list[object] = []
        for item in level:
            if isinstance(item, dict):
                following.extend(item.values())
            elif isinstance(item, list):
                following.extend(item)
        level = [item for item in following if isinstance(item, dict | list)]
        depth += 1
    return depth


def _scrubbed(value: object, text: str) -> object:
    """Returns a value without halves of surrogate pairs, which no encoding can write."""
    if not _SURROGATE.search(text) or _depth(value) > MAX_DEPTH:
        return value
    return _without_lone(value)


def _without_lone(value: object) -> object:
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_lone(item) for item in value]
    if isinstance(value, dict):
        return {str(_without_lone(key)): _without_lone(item) for key, item in value.items()}
    return value


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _file_mark(path: Path) -> tuple[str, int]:
    try:
        with path.open("rb") as file:
            return content_digest(file.read(_WHOLE)), path.stat().st_size
    except OSError:
        return content_digest(b""), 0
