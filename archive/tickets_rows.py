"""A ticket's rows in the three canonical tables, and how every reader builds them.

Belongs here: ids, places and the rule that nothing of a ticket is lost: what the canonical table lacks is a
ticket event, without time where the source tells only the state at export. Does not belong here: formats.

People stand in the LOGIN columns by the system's own key (login, e-mail or user id); their display names and
addresses are events "Reporter name", "Assignee e-mail" whose author is that key. Links are events "link"
("blocks ABC-12"), mentions events "mention" (new value: the login), files events "Attachment".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from zoneinfo import ZoneInfo

from archive.identifiers import content_digest, derived_id, row_id
from archive.times import ticket_time

COLUMNS = (
    "ticket_key",
    "project",
    "type",
    "status",
    "priority",
    "resolution",
    "reporter",
    "assignee",
    "creator",
    "created_at",
    "updated_at",
    "resolved_at",
    "due_at",
    "summary",
    "description",
)
_BETWEEN = "\x1e\x1f"
_MENTION = re.compile(r"(?<![\w@./`])@([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}[A-Za-z0-9])?)(?![\w@]|\.\w)")


@dataclass(frozen=True)
class Ticket:
    """A ticket's rows in the three canonical tables."""

    row: dict[str, object]
    comments: tuple[dict[str, object], ...]
    events: tuple[dict[str, object], ...]


class Place(NamedTuple):
    """Where a ticket was read, and the digest of its content."""

    source: str
    path: str
    locator: str
    digest: str


class TicketDraft:
    """Collects a ticket's rows; ids follow from source, key and content, not from the place."""

    def __init__(self, place: Place, zone: ZoneInfo, key: str) -> None:
        self.zone = zone
        self._place: dict[str, object] = {
            "source": place.source,
            "path": place.path,
            "locator": place.locator,
            "content_hash": place.digest,
        }
        self.ticket_id = derived_id("t", place.source, key, place.digest)
        self._row: dict[str, object] = {"ticket_id": self.ticket_id, **self._place}
        self._row |= dict.fromkeys(COLUMNS)
        self._row["ticket_key"] = key
        self._labels: list[str] = []
        self._comments: list[dict[str, object]] = []
        self._events: list[dict[str, object]] = []
        self._ids: dict[str, int] = {}
        self._people: set[tuple[str, str, str]] = set()

    def put(self, column: str, value: str | None, name: str = "") -> None:
        """Fills a column; a second value for it becomes an event under the source's own name of it."""
        if not value or not value.strip():
            return
        if self._row[column] is None:
            text = value.replace("\r\n", "\n")
            self._row[column] = text if column in ("summary", "description") else text.strip()
        else:
            self.state(name or column, value)

    def time(self, column: str, text: str | None, name: str = "") -> None:
        """Fills a time column; what is no time becomes an event."""
        if not text or not text.strip():
            return
        moment = self.moment(text)
        if moment is not None and self._row[column] is None:
            self._row[column] = moment
        else:
            self.state(name or column, text)

    def moment(self, text: str | None) -> str | None:
        """Returns a written time as ISO 8601, or None."""
        return ticket_time(text, self.zone) if text else None

    def person(self, role: str, login: str | None, names: Mapping[str, str | None]) -> str | None:
        """Fills a person column (or none, for "Author") and keeps the names of who that is; returns the key.

        Args:
            role: "Reporter", "Assignee", "Creator", or any other word for an event of its own.
            login: the system's key of the person; the first of the names where it has none.
            names: what is known of the person: "name", "e-mail", "organization".
        """
        key = (login or next((value for value in names.values() if value), None) or "").strip() or None
        if key is None:
            return None
        column = role.lower()
        if column in ("reporter", "assignee", "creator"):
            self.put(column, key, role)
        elif role != "Author":
            self.state(role, key)
        for word, name in names.items():
            mark = ("" if role == "Author" else role, key, f"{word} {name}")
            if name and name.strip() and name != key and mark not in self._people:
                self._people.add(mark)
                self.event(None, key, f"{role} {word}", None, name.strip())
        return key

    def label(self, text: str) -> None:
        """Adds a label once."""
        if text.strip() and text.strip() not in self._labels:
            self._labels.append(text.strip())

    def comment(self, at: str | None, author: str | None, body: str, own: str | None = None) -> None:
        """Adds a comment; `own` is the system's id of it."""
        body = body.replace("\r\n", "\n")
        parts = (own,) if own else (at or "", author or "", body)
        self._comments.append(
            {
                "comment_id": self._id("c", *parts),
                **self._place,
                "ticket_id": self.ticket_id,
                "at": at,
                "author": author,
                "body": body,
            }
        )

    def event(
        self,
        at: str | None,
        author: str | None,
        field: str,
        old: str | None,
        new: str | None,
        own: str | None = None,
    ) -> None:
        """Adds an event; `own` is the system's id of it."""
        parts = (own,) if own else (at or "", author or "", field, old or "", new or "")
        self._events.append(
            {
                "ticket_event_id": self._id("k", *parts),
                **self._place,
                "ticket_id": self.ticket_id,
                "at": at,
                "author": author,
                "field": field,
                "old_value": old,
                "new_value": new,
            }
        )

    def state(self, field: str, value: str | None) -> None:
        """Adds what the ticket says of itself at export as an event without time, unless it is empty."""
        if value is not None and value.strip():
            self.event(None, None, field, None, value)

    def mentions(self, at: str | None, author: str | None, logins: Iterable[str]) -> None:
        """Adds an event for everybody that a text calls."""
        for login in dict.fromkeys(logins):
            self.event(at, author, "mention", None, login)

    def value(self, column: str) -> object:
        """Returns what a column holds so far."""
        return self._row[column]

    def ticket(self) -> Ticket:
        """Returns the rows."""
        row = {**self._row, "labels": list(self._labels)}
        return Ticket(row, tuple(self._comments), tuple(self._events))

    def _id(self, prefix: str, *parts: str) -> str:
        told = _BETWEEN.join((self.ticket_id, *parts))
        count = self._ids[prefix + told] = self._ids.get(prefix + told, 0) + 1
        counted = told if count == 1 else f"{told}{_BETWEEN}{count}"
        return row_id(prefix, content_digest(counted.encode("utf-8", "surrogatepass")))


def plain(value: object) -> str:
    """Returns a JSON value as text: objects by their name or value, lists with commas, else as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list):
        return ", ".join(text for text in map(plain, value) if text)
    if isinstance(value, dict):
        for name in ("displayName", "name", "value", "title", "login", "key"):
            if isinstance(value.get(name), str) and not isinstance(value.get("child"), dict):
                return str(value[name])
        return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""
    return str(value)


def text_of(value: object) -> str | None:
    """Returns a string or number as text, None for anything else."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def objects_of(value: object) -> list[dict[str, object]]:
    """Returns the objects of a JSON list, or of a list under its usual names; nothing for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def object_of(value: object) -> dict[str, object]:
    """Returns a JSON object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def at_mentions(text: str) -> list[str]:
    """Returns the logins that a text calls with "@"."""
    return [match[1] for match in _MENTION.finditer(text)]
