"""Contexts: who takes part in a thread, a ticket or a record row, and when it was written.

Belongs here: turning rows into `Context`s, so that "Dana" means the Dana of that thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

import polars as pl

from anonymize.date_cells import cell_day
from anonymize.evidence import record_key
from anonymize.findings import Context
from anonymize.forms import parse_company
from anonymize.recognizers.known import KnownEntityRecognizer
from anonymize.registry import Registry, registrable
from anonymize.table_shapes import TableShape, person_parts
from archive.store import TableStore
from contracts.names import addresses_in

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_HEADERS = ("from_address", "to", "cc", "bcc", "reply_to")
_TICKET_LOGINS = ("reporter", "assignee", "creator")
LARGEST_SCOPE = 200
"""Participants of one thread beyond this number are no scope any more: a mailing list."""


class Participants:
    """The persons and companies of every thread and ticket of an archive."""

    def __init__(self, registry: Registry, known: KnownEntityRecognizer, raw: TableStore) -> None:
        """Reads headers of mails and logins of tickets once."""
        self._registry = registry
        self._threads: dict[str, list[int]] = {}
        self._messages: dict[str, Context] = {}
        self._tickets: dict[str, Context] = {}
        self._read_messages(raw)
        self._read_tickets(raw, known)

    def message(self, message_id: str) -> Context:
        """Returns the context of a mail: sender, recipients, then the rest of its thread."""
        return self._messages.get(message_id, Context())

    def ticket(self, ticket_id: str) -> Context:
        """Returns the context of a ticket: its users and the persons that it names in full."""
        return self._tickets.get(ticket_id, Context())

    def companies_of(self, persons: Iterable[int]) -> tuple[int, ...]:
        """Returns the companies of persons, in their order."""
        return tuple(dict.fromkeys(c for index in persons for c in self._registry.persons[index].companies))

    def _addresses(self, row: dict[str, Any]) -> Iterator[str]:
        for column in _HEADERS:
            value = row.get(column)
            for text in value if isinstance(value, list) else [value]:
                yield from addresses_in(text or "")

    def _read_messages(self, raw: TableStore) -> None:
        if not raw.has("messages"):
            return
        rows = raw.read("messages").select("message_id", "thread_id", "sent_at", *_HEADERS)
        own: list[tuple[str, str, date | None, list[int], list[int]]] = []
        for row in rows.iter_rows(named=True):
            addresses = list(dict.fromkeys(self._addresses(row)))
            found = [self._registry.by_address[a] for a in addresses if a in self._registry.by_address]
            hosts = [registrable(address.partition("@")[2]) for address in addresses]
            companies = [
                self._registry.company_by_domain[h] for h in hosts if h in self._registry.company_by_domain
            ]
            persons = list(dict.fromkeys(found))
            self._threads.setdefault(row["thread_id"] or "", []).extend(persons)
            own.append(
                (row["message_id"], row["thread_id"] or "", day_of(row["sent_at"]), persons, companies)
            )
        for message_id, thread_id, day, persons, companies in own:
            thread = list(dict.fromkeys([*persons, *self._threads[thread_id]]))
            scope = tuple(thread if thread_id and len(thread) <= LARGEST_SCOPE else persons)
            around = tuple(dict.fromkeys([*companies, *self.companies_of(scope)]))
            self._messages[message_id] = Context(scope, around, day)

    def _read_tickets(self, raw: TableStore, known: KnownEntityRecognizer) -> None:
        if not raw.has("tickets"):
            return
        people: dict[str, list[int]] = {}
        days: dict[str, date | None] = {}
        texts: dict[str, list[str]] = {}
        for row in raw.read("tickets").iter_rows(named=True):
            ticket = row["ticket_id"]
            logins = [row[column] for column in _TICKET_LOGINS if row[column]]
            people[ticket] = [p for login in logins for p in [self._login(login)] if p is not None]
            days[ticket] = day_of(row["created_at"])
            texts[ticket] = [row["summary"] or "", row["description"] or ""]
        if raw.has("comments"):
            for row in raw.read("comments").select("ticket_id", "author", "body").iter_rows(named=True):
                person = self._login(row["author"] or "")
                people.setdefault(row["ticket_id"], []).extend([] if person is None else [person])
                texts.setdefault(row["ticket_id"], []).append(row["body"] or "")
        for ticket, persons in people.items():
            named = [person for text in texts.get(ticket, []) for person in known.mentioned(text)]
            scope = tuple(dict.fromkeys([*persons, *named]))
            self._tickets[ticket] = Context(scope, self.companies_of(scope), days.get(ticket))

    def _login(self, login: str) -> int | None:
        bare = login.strip().lower()
        return self._registry.by_login.get(bare, self._registry.by_address.get(bare))


def day_of(text: str | None) -> date | None:
    """Returns the date at the start of an ISO text, or None."""
    match = _DAY.match(text or "")
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None


class RecordScope:
    """Who a row of a company's own table speaks of."""

    def __init__(
        self, registry: Registry, shape: TableShape, prefix: str, dates: dict[str, str | None]
    ) -> None:
        """`dates` are the columns that may tell when the row was written, with their forms."""
        self._registry = registry
        self._shape = shape
        self._prefix = prefix
        self._dates = dates
        people = [column for parts in shape.people.values() for group in parts.values() for column in group]
        named = [*shape.emails, *shape.logins, *shape.owners, *shape.companies]
        self.columns = list(dict.fromkeys([*people, *named, *shape.keys, *shape.references, *dates]))

    def person(self, row: dict[str, Any], group: str) -> int | None:
        """Returns the person of one person set in a row: by key, address or login, else by name."""
        parts = self._shape.people[group]
        if len(self._shape.own_people) == 1 and group in self._shape.own_people:
            for person in self._certain(row):
                return person
        for name in person_parts(row, parts):
            candidates = self._registry.by_name.get(name.key, ())
            if candidates:
                around = set(self._companies(row))
                near = [c for c in candidates if around & set(self._registry.persons[c].companies)]
                return (near or list(candidates))[0]
        return None

    def context(self, row: dict[str, Any]) -> Context:
        """Returns the context of a row: its own person first, then those it refers to."""
        persons = list(self._certain(row))
        for group in self._shape.people:
            person = self.person(row, group)
            persons.extend([] if person is None else [person])
        for key in self._references(row):
            if key in self._registry.by_record:
                persons.append(self._registry.by_record[key])
        owners = (str(row.get(column) or "").strip().lower() for column in self._shape.owners)
        persons.extend(self._registry.by_login[owner] for owner in owners if owner in self._registry.by_login)
        companies = self._companies(row)
        for person in dict.fromkeys(persons):
            companies.extend(self._registry.persons[person].companies)
        day = next(
            (day for column, form in self._dates.items() if (day := cell_day(row.get(column) or "", form))),
            None,
        )
        return Context(tuple(dict.fromkeys(persons)), tuple(dict.fromkeys(companies)), day)

    def _certain(self, row: dict[str, Any]) -> Iterator[int]:
        registry = self._registry
        for key in self._shape.keys:
            found = registry.by_record.get(record_key(f"{self._prefix}.{key}", row.get(key)))
            if found is not None:
                yield found
        for column in self._shape.emails:
            for address in addresses_in(str(row.get(column) or "")):
                if address in registry.by_address:
                    yield registry.by_address[address]
        for column in self._shape.logins:
            login = str(row.get(column) or "").strip().lower()
            if login in registry.by_login:
                yield registry.by_login[login]

    def _references(self, row: dict[str, Any]) -> Iterator[str]:
        for column, target in self._shape.references.items():
            if row.get(column):
                yield record_key(target, row[column])

    def _companies(self, row: dict[str, Any]) -> list[int]:
        registry = self._registry
        found = [registry.company_by_record.get(key) for key in self._references(row)]
        found += [
            registry.company_by_record.get(record_key(f"{self._prefix}.{key}", row.get(key)))
            for key in self._shape.keys
        ]
        for column in self._shape.companies:
            name = parse_company(str(row.get(column) or ""))
            found.append(registry.company_by_name.get(name.key) if name is not None else None)
        return [company for company in found if company is not None]


def with_sender(context: Context, login_person: int | None) -> Context:
    """Returns a context with one person moved to the front."""
    if login_person is None:
        return context
    rest = tuple(person for person in context.persons if person != login_person)
    return Context((login_person, *rest), context.companies, context.reference, context.links)


def rows_of(frame: pl.DataFrame, columns: list[str]) -> list[dict[str, Any]]:
    """Returns rows as dictionaries over the columns that exist."""
    chosen = [column for column in columns if column in frame.columns]
    return frame.select(chosen).to_dicts() if chosen else [{} for _ in range(frame.height)]
