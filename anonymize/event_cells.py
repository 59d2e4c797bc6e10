"""Ticket events: fields whose values are people, addresses, companies or files, though the column holds text.

Belongs here: what each field of an event says, by its name (`archive.tickets_rows`), read as evidence and
replaced as a typed cell. Does not belong here: other text of events (`tables`).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

import polars as pl

from anonymize.cells import Cells
from anonymize.display_names import Named, read_name
from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.obfuscated import spelt_addresses, spelt_like
from anonymize.people_cells import is_nobody, mentions_in
from anonymize.registry import Registry
from archive.date_forms import EPOCH, EPOCH_MS
from contracts.manifest import ColumnSpec
from contracts.names import split_address
from contracts.tables import ColumnKind

VALUES = ("old_value", "new_value")
SHORTEST_IN_MILLISECONDS = 13
"""Digits of a count of milliseconds since 1970; one of seconds has ten."""
_ROLES = frozenset({"assignee", "reporter", "creator", "author", "requester", "submitter", "owner"})


class EventKind(StrEnum):
    """What the values of an event are."""

    NAME = "name"
    ADDRESS = "address"
    COMPANY = "company"
    LOGIN = "login"
    FILE = "file"
    ID = "id"
    MOMENT = "moment"
    TEXT = "text"


class Event(NamedTuple):
    """What an event's field says of its values."""

    kind: EventKind
    key: str
    """Login or address of the person of whom a name or address is told; empty for none."""


def event_of(field: str | None, author: str | None, at: str | None) -> Event:
    """Returns what the values of an event are, by its field; facts about people stand without time."""
    name = (field or "").strip().lower()
    if name in _ROLES:
        return Event(EventKind.NAME, "")
    if name == "mention":
        return Event(EventKind.LOGIN, "")
    if name == "attachment":
        return Event(EventKind.FILE, "")
    if name == "organization":
        return Event(EventKind.COMPANY, "")
    if name in ("id", "key") or name.endswith((" id", "_id")):
        return Event(EventKind.ID, "")
    if name.endswith("timestamp"):
        return Event(EventKind.MOMENT, "")
    if author and not at:
        told = {" name": EventKind.NAME, " e-mail": EventKind.ADDRESS, " organization": EventKind.COMPANY}
        for ending, kind in told.items():
            if name.endswith(ending):
                return Event(kind, author.strip())
    return Event(EventKind.TEXT, "")


def events_in(frame: pl.DataFrame) -> list[Event]:
    """Returns what each row of the ticket events says."""
    return [event_of(*row) for row in frame.select("field", "author", "at").iter_rows()]


def collect_events(evidence: Evidence, frame: pl.DataFrame) -> None:
    """Adds the people and companies that the fields of ticket events tell of."""
    distinct = frame.select("field", "author", pl.col("at").is_null().alias("told"), *VALUES).unique(
        maintain_order=True
    )
    for field, author, told, *values in distinct.iter_rows():
        event = event_of(field, author, None if told else "at")
        for value in filter(None, values):
            _collect(evidence, event, value)


def _collect(evidence: Evidence, event: Event, value: str) -> None:
    if event.kind is EventKind.COMPANY:
        evidence.companies[CompanyMention(value)] += 1
    elif event.kind is EventKind.LOGIN:
        evidence.persons[PersonMention(logins=(value.strip(),))] += 1
    elif event.kind is EventKind.ADDRESS:
        address = plain_address(value)
        if address is not None:
            _add(evidence, (), address, event.key)
    elif event.kind is EventKind.NAME:
        for name in _names(value):
            _add(evidence, (name,), "", event.key)


def _names(value: str) -> Iterator[PersonName]:
    for mention in mentions_in(value):
        typed = read_name(mention.text)
        if typed.named is Named.PERSON and typed.name is not None and not is_nobody(mention.text):
            yield typed.name


def _add(evidence: Evidence, names: tuple[PersonName, ...], address: str, key: str) -> None:
    addresses = tuple(dict.fromkeys(each.lower() for each in (address, key) if "@" in each))
    logins = (key,) if key and "@" not in key else ()
    evidence.persons[PersonMention(names, addresses, logins)] += 1
    for each in addresses:
        evidence.add_domain(each)


def plain_address(value: str) -> str | None:
    """Returns the address of a cell, spelt out or not, in lower case; None where it holds none."""
    spelt = next(spelt_addresses(value), None)
    parts = split_address(spelt.address if spelt is not None else value)
    return None if parts is None else f"{parts.local}@{parts.domain}"


def event_value(cells: Cells, registry: Registry, event: Event, value: str) -> str | None:
    """Returns the replacement of an event's value; None where it is text."""
    if event.kind is EventKind.LOGIN:
        return cells.login(value)
    if event.kind is EventKind.ID:
        return cells.whole(value, ColumnSpec(kind=ColumnKind.ID))
    if event.kind is EventKind.MOMENT and value.isdigit():
        form = EPOCH if len(value) < SHORTEST_IN_MILLISECONDS else EPOCH_MS
        return cells.whole(value, ColumnSpec(kind=ColumnKind.DATETIME, date_format=form))
    if event.kind is EventKind.COMPANY:
        return cells.company(value)
    if event.kind is EventKind.ADDRESS:
        address = plain_address(value)
        if address is None:
            return None
        new = cells.address(address)
        return spelt_like(value, new) if "@" not in value else new
    if event.kind is EventKind.NAME:
        key = event.key.lower()
        person = registry.by_login.get(key, registry.by_address.get(key)) if key else None
        return cells.person(value, person, "full")
    return None
