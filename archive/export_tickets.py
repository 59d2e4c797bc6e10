"""Ticket exports written back: the raw files' objects and rows, every value under its clean form.

Belongs here: walking JSON documents, JSON lines and CSV rows of all ticket systems. Names of fields are those
of the systems' own vocabulary; what has no clean form is left empty and counted, ids that only join are
numbered anew.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, cast

from archive.export_csv import csv_form, write_csv
from archive.export_objects import Literal, dumped
from archive.export_sides import Places, Sides, SourceExport
from archive.export_ticket_values import TicketValues
from archive.export_ticket_words import CODED, CODES, FIELDS, FILES, LISTS
from archive.formats import TICKETS, source_files
from archive.json_files import MAX_DOCUMENT
from archive.mailbox import relative_path
from archive.portions import is_readable_file
from archive.tables_csv import read_csv
from archive.tickets_jira_json import body_text
from archive.tickets_rows import plain
from contracts.manifest import Source

_CUSTOM = re.compile(r"customfield_\d{3,6}|cf_[a-z0-9_]{1,40}")
_JOINS = re.compile(r"(?:.*_)?ids?|accountId|node_id|sys_id|element_id|documentkey|key")
_KEYS = (
    "key",
    "number",
    "display_id",
    "ticket_id",
    "id",
    "documentkey",
    "element_id",
    "Issue key",
    "Ticket ID",
)
_STAMPED = re.compile(r"^\s*([^;\n]{6,40});([^;\n]*);(.*)$", re.DOTALL)
_JOURNAL = re.compile(
    r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d\d[/.-]\d\d[/.-]\d{4} \d\d:\d\d:\d\d)"
    r" - (.{1,80}?) \(([^()\n]{1,40})\)[ \t]*$",
    re.MULTILINE,
)
_SMALL = 100
_MISSING = frozenset(("", "?", "NULL", "null"))
"""What stands for no value."""


class TicketExport(NamedTuple):
    """How a source of tickets is written."""

    source: Source
    base: Path
    target: Path
    values: TicketValues
    sides: Sides
    skipped: frozenset[tuple[str, str]]
    """Path and locator of what is in quarantine."""

    def write(self, told: SourceExport) -> str:
        """Writes all files of the source and returns the path by which a manifest names them."""
        places = Places(self.source, [self.sides])
        walk = _Walk(self.values, told)
        for file in source_files(self.source, self.base, TICKETS[self.source.format]):
            if not is_readable_file(file, self.base):
                continue
            relative = relative_path(file, self.base)
            place = self.target / places.file(relative, stem=_stem(file, self.source.format))
            if re.search(r"\.(?:csv|tsv)$", file.name, re.IGNORECASE):
                self._csv(file, relative, place, walk, told)
            else:
                self._json(file, relative, place, walk)
            told.files += 1
        told.units = sum(self.sides.raw["source"] == self.source.name)
        return self.source.name

    def _csv(self, file: Path, relative: str, place: Path, walk: _Walk, told: SourceExport) -> None:
        form = csv_form(file)
        content = read_csv(file)
        rows = [
            walk.row(content.header, row.cells)
            for row in content.rows
            if not row.fault and (relative, f"row {row.number}") not in self.skipped
        ]
        names = tuple(walk.column(name, at) for at, name in enumerate(content.header, start=1))
        kept = form._replace(header=form.header._replace(names=names))
        write_csv(place, kept, rows, told.left_out)

    def _json(self, file: Path, relative: str, place: Path, walk: _Walk) -> None:
        with file.open("rb") as head:
            packed = head.read(2) == b"\x1f\x8b"
        with gzip.open(file) if packed else file.open("rb") as stream:
            text = stream.read(MAX_DOCUMENT).decode("utf-8-sig", "replace")
        objects = list(_documents(text))
        lines = len(objects) > 1 or (objects and "\n" not in text.strip())
        inner = re.search(r"\n( +)[\"{]", text)
        indent = None if lines or inner is None else len(inner[1])
        ascii_only = text.isascii() and "\\u" in text
        written = []
        for number, value in objects:
            if (relative, f"line {number}") not in self.skipped:
                kept = self._kept(value, relative) if not lines else value
                written.append(dumped(walk.clean(kept, "", None), ascii_only, indent) + "\n")
        data = "".join(written).encode("utf-8", "replace")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(gzip.compress(data, mtime=0) if packed else data)

    def _kept(self, value: object, relative: str) -> object:
        """A document without the elements that are in quarantine."""
        if isinstance(value, list):
            return self._without(value, relative, "item")
        if isinstance(value, dict):
            return {
                key: self._without(item, relative, key) if key in LISTS and isinstance(item, list) else item
                for key, item in value.items()
            }
        return value

    def _without(self, items: Sequence[object], relative: str, name: str) -> list[object]:
        return [
            item for number, item in enumerate(items, 1) if (relative, f"{name} {number}") not in self.skipped
        ]


class _Walk:
    """Goes through objects and rows; ids that only join are numbered in the order in which they come."""

    def __init__(self, values: TicketValues, told: SourceExport) -> None:
        self._values = values
        self._left_out = told.left_out
        self._numbers: dict[str, int] = {}

    def clean(self, value: object, key: str, ticket: str | None) -> object:
        """Returns a JSON value with every leaf clean."""
        if isinstance(value, dict):
            return self._object(cast("dict[str, object]", value), key, ticket)
        if isinstance(value, list):
            told = self._values.value(plain(value), ticket) if value and _is_plain(value) else None
            if told is not None and len(told.split(", ")) == len(value):
                return told.split(", ")
            items = [(item, self.clean(item, key, ticket)) for item in value]
            return [clean for item, clean in items if clean is not None or item is None]
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, Literal | int):
            return self._number(value.text if isinstance(value, Literal) else str(value), key, ticket)
        return self._text(str(value), key, ticket)

    def column(self, name: str, number: int) -> str:
        """Returns the name of a column as it leaves."""
        known = name.strip().lower().replace(" ", "_") in FIELDS
        return self._values.fields.get(name) or (name if known else f"Column {number}")

    def row(self, header: Sequence[str], cells: Sequence[str]) -> list[str]:
        """Returns the clean cells of a CSV row."""
        ticket = self._ticket(dict(zip(header, cells, strict=False)))
        return [self._cell(cell, name, ticket) for name, cell in zip(header, cells, strict=False)]

    def _object(self, value: dict[str, object], key: str, ticket: str | None) -> object:
        ticket = self._ticket(value) or ticket
        if value.get("type") == "doc" and "content" in value:
            self._left_out["rich documents as text"] += 1
            text = body_text(value)[0]
            return self._values.value(text, ticket) if text else text
        told = plain(value)
        if told.startswith("{"):
            clean = self._values.value(told, ticket)
            if clean is not None:
                try:
                    return json.loads(clean)
                except (ValueError, RecursionError):
                    return clean
        return {
            name: self.clean(item, own, ticket)
            for own, item in value.items()
            if (name := self._name(own)) is not None
        }

    def _name(self, name: str) -> str | None:
        """A field's name as it leaves; None for one that is neither the system's nor was replaced."""
        if name in FIELDS or _CUSTOM.fullmatch(name):
            return name
        clean = self._values.fields.get(name)
        if clean is None:
            self._left_out["fields of unknown names"] += 1
        return clean

    def _ticket(self, value: dict[str, object] | dict[str, str]) -> str | None:
        for name in _KEYS:
            found = value.get(name)
            if isinstance(found, Literal):
                found = found.text
            if isinstance(found, str | int) and self._values.knows(str(found).strip()):
                return str(found).strip()
        for name in ("repository_url", "issue_url", "html_url", "url"):
            match = re.search(r"([^/]+)/(?:issues|pull)/(\d+)", str(value.get(name, "")))
            if match and self._values.knows(f"{match[1]}#{match[2]}"):
                return f"{match[1]}#{match[2]}"
        return None

    def _number(self, text: str, key: str, ticket: str | None) -> object:
        clean = self._id(text, key) if _JOINS.fullmatch(key) else self._values.value(text, ticket)
        if key == "number" and ticket is not None and "#" in ticket:
            clean = self._values.projects[ticket][1].rpartition("#")[2]
        if clean is not None:
            return Literal(clean) if re.fullmatch(r"-?(?:0|[1-9]\d*)", clean) else clean
        if key in CODED and text.isdigit() and (int(text) < _SMALL or key in ("total", "count")):
            return int(text)
        self._left_out["values"] += 1
        return None

    def _text(self, text: str, key: str, ticket: str | None) -> str | None:
        if text.strip() in _MISSING:
            return text
        if key in ("url", "self", "html_url", "repository_url", "issue_url", "api_url"):
            return self._values.value(text, ticket) or self._address(text, ticket)
        if _JOINS.fullmatch(key) and (text in self._values.ids or text.isdigit()):
            return self._id(text, key)
        clean = self._values.value(text, ticket)
        if clean is not None:
            return clean
        if _JOURNAL.search(text):
            return self._journal(text, ticket)
        if key in CODED and text in CODES:
            return text
        if text in self._values.fields:
            return self._values.fields[text]
        if text in self._values.ids or _JOINS.fullmatch(key):
            return self._id(text, key)
        self._left_out["values"] += 1
        return None

    def _id(self, text: str, key: str) -> str:
        """An id that joins objects: as replacement wrote it, of a custom field as in its name, else anew."""
        named = self._values.fields.get(f"custom field {text}") if key == "id" else None
        if named is not None:
            return named.rpartition(" ")[2]
        return self._values.ids.get(text) or str(self._joined(text))

    def _cell(self, cell: str, name: str, ticket: str | None) -> str:
        if cell.strip() in _MISSING:
            return cell
        key = name.strip().lower().replace(" ", "_")
        clean = None if _JOINS.fullmatch(key) else self._values.value(cell, ticket)
        if clean is not None:
            return clean
        stamped = _STAMPED.match(cell)
        if stamped is not None and (at := self._values.value(stamped[1], ticket)) is not None:
            author = self._values.value(stamped[2], ticket) if stamped[2].strip() else ""
            body = self._values.value(stamped[3], ticket) or self._values.value(
                stamped[3].split(";")[0], ticket
            )
            self._left_out["values"] += body is None and bool(stamped[3].strip())
            return f"{at};{author or ''};{body or ''}"
        return self._text(cell, key, ticket) or ""

    def _journal(self, text: str, ticket: str | None) -> str:
        heads = list(_JOURNAL.finditer(text))
        pieces = []
        for head, following in zip(heads, [*heads[1:], None], strict=True):
            body = text[head.end() : following.start() if following else len(text)].strip("\n")
            at, author, told = (self._values.value(one, ticket) for one in (head[1], head[2], body))
            label = "Work notes" if "work" in head[3].lower() else "Additional comments"
            pieces.append(f"{at or ''} - {author or 'unknown'} ({label})\n{told or ''}\n")
        return "\n".join(pieces)

    def _address(self, text: str, ticket: str | None) -> str | None:
        """An address of the system: only that of an issue says something that reading needs."""
        if ticket is None or "#" not in ticket or ("/repos" not in text and "github" not in text):
            return None
        project, key = self._values.projects[ticket]
        kind = "pull" if "/pull/" in text else "issues"
        return f"https://api.github.com/repos/{project}/{kind}/{key.rpartition('#')[2]}"

    def _joined(self, text: str) -> int:
        """A number for an id that only joins objects."""
        return self._numbers.setdefault(text, 900_000_001 + len(self._numbers))


def _is_plain(value: list[object]) -> bool:
    """Says whether a list of several texts is told as one text."""
    return len(value) > 1 and all(isinstance(item, str) and ", " not in item for item in value)


def _documents(text: str) -> Iterator[tuple[int, object]]:
    """The JSON values of a file with the lines in which they begin; what is none is passed over."""
    decoder = json.JSONDecoder(parse_float=Literal, parse_constant=str)
    try:
        yield 1, decoder.decode(text)
        return
    except (ValueError, RecursionError):
        pass
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            if line.strip():
                yield number, decoder.decode(line.strip())
        except (ValueError, RecursionError):
            continue


def _stem(file: Path, system: str) -> str:
    """The file's name where it is the system's own name of a list, else the system's name."""
    stem = file.name.split(".")[0].lower()
    return stem if stem.removeprefix(f"{system}_").removesuffix("_data") in FILES else system
