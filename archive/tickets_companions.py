"""What stands beside the tickets of an export: users, groups, comments and histories in lists of their own.

Belongs here: units of JSON and CSV files alike, and the people of an export by id. Does not belong here:
what the fields of one system mean.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from archive.batches import unique_names
from archive.identifiers import content_digest, row_digest
from archive.json_files import JsonObject, JsonUnit, json_units
from archive.mailbox import relative_path
from archive.rejects import Reject
from archive.tables_csv import CsvFile, file_reject, read_csv
from archive.text_blocks import BombError
from archive.tickets_rows import TicketDraft, text_of
from contracts.canonical import canonical_bytes

_BETWEEN = "\x1e\x1f"
_CSV_NAMES = re.compile(r"\.(?:csv|tsv)$", re.IGNORECASE)


def source_units(files: Iterable[Path], base: Path, lists: Sequence[str]) -> Iterator[JsonUnit | Reject]:
    """Yields the objects of JSON files and the rows of CSV files (as objects without empty cells) in order.

    A row's list is the file's stem in lower case.
    """
    for path in files:
        if _CSV_NAMES.search(path.name):
            yield from csv_units(path, base)
        else:
            yield from json_units(path, base, lists)


def csv_content(path: Path, base: Path) -> CsvFile | Reject:
    """Returns the records of a CSV file, or the reject of one that cannot be read or is empty."""
    relative = relative_path(path, base)
    try:
        content = read_csv(path)
    except BombError:
        return file_reject(path, relative, "bomb")
    except (OSError, EOFError, zlib.error):
        return file_reject(path, relative, "unreadable_file")
    return content if content.header or content.rows else file_reject(path, relative, "empty")


def csv_units(path: Path, base: Path) -> Iterator[JsonUnit | Reject]:
    """Yields the rows of a CSV file as objects without their empty cells."""
    content = csv_content(path, base)
    if isinstance(content, Reject):
        yield content
        return
    relative, name = relative_path(path, base), path.stem.lower()
    header = unique_names(content.header)
    for row in content.rows:
        locator = f"row {row.number}"
        if row.fault:
            size = sum(len(cell.encode()) for cell in row.cells)
            yield Reject(relative, locator, row_digest([list(row.cells)]), row.fault, size)
            continue
        value: JsonObject = {
            column: cell for column, cell in zip(header, row.cells, strict=True) if cell.strip()
        }
        told = _BETWEEN.join(f"{column}={cell}" for column, cell in value.items())
        digest = content_digest(told.encode("utf-8", "surrogatepass"))
        yield JsonUnit(relative, locator, digest, value, name, {})


def unit_reject(unit: JsonUnit, reason: str) -> Reject:
    """Returns a unit as a reject."""
    return Reject(unit.path, unit.locator, unit.digest, reason, len(canonical_bytes(unit.value)))


@dataclass
class People:
    """The users of an export by id: their e-mail address, name and organization."""

    _known: dict[str, dict[str, str | None]] = field(default_factory=dict)

    def add(self, key: object, name: object, mail: object, organization: str | None = None) -> None:
        """Takes in a user; what was known before is kept where the new entry is silent."""
        own = text_of(key)
        if own is None:
            return
        entry = self._known.setdefault(own, {"name": None, "e-mail": None, "organization": None})
        for word, value in (
            ("name", text_of(name)),
            ("e-mail", text_of(mail)),
            ("organization", organization),
        ):
            if value and value.strip():
                entry[word] = value.strip()

    def login(self, key: object) -> str | None:
        """Returns the address of a user, else the name, else the id."""
        own = text_of(key)
        if not own or own in ("0", "-1"):
            return None
        entry = self._known.get(own, {})
        return entry.get("e-mail") or entry.get("name") or own

    def place(self, draft: TicketDraft, role: str, key: object) -> str | None:
        """Names a user on a ticket in that role; returns the login."""
        login = self.login(key)
        if login is None:
            return None
        entry = self._known.get(text_of(key) or "", {})
        return draft.person(role, login, {**entry, "id": text_of(key)})
