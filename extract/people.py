"""Who is who: the company's own people with their roles, and the accounts that outside addresses belong to.

Own people are groups of rows that link to each other (CRM user, ledger user, address row); outsiders are
known by contact, lead and ledger rows, or by their company's domain.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from contracts.names import is_in_domain, name_tokens, split_address
from contracts.tables import ColumnKind
from extract.dataset import Dataset, RecordTable, text_of
from extract.objects import ObjectGraph
from extract.unions import Unions

_SITE = re.compile(r"^(?:[a-z]+://)?(?:www\.)?([^/:?#]+)", re.I)


@dataclass
class Colleague:
    """One of the company's own people."""

    key: str
    role: str = ""
    logins: set[str] = field(default_factory=set)
    addresses: set[str] = field(default_factory=set)
    names: set[tuple[str, ...]] = field(default_factory=set)


class Staff:
    """The company's own people, found by login, address, name or user object."""

    def __init__(self, data: Dataset, graph: ObjectGraph) -> None:
        """Groups the rows of user tables and of the tables they point to."""
        self.domains = data.domains
        self.people: list[Colleague] = []
        self._by_login: dict[str, Colleague] = {}
        self._by_address: dict[str, Colleague] = {}
        self._by_name: dict[frozenset[str], Colleague] = {}
        self._by_object: dict[str, Colleague] = {}
        for rows in _user_groups(data):
            self._add(rows, graph)

    def is_inside(self, address: str) -> bool:
        """Says whether an address belongs to the company."""
        return any(is_in_domain(address, domain) for domain in self.domains)

    def by_login(self, login: str) -> Colleague | None:
        """Returns who uses a login: the start of one (systems with short logins), or an inside address."""
        written = login.strip().casefold()
        return self._by_login.get(written) or self.by_address(written)

    def by_object(self, object_id: str) -> Colleague | None:
        """Returns whom a user object stands for."""
        return self._by_object.get(object_id)

    def by_address(self, address: str, name: str = "") -> Colleague | None:
        """Returns who writes from an inside address; a changed address is recognised by name or login."""
        if not self.is_inside(address):
            return None
        parts = split_address(address)
        known = self._by_address.get(address.casefold())
        if known is None and parts is not None:
            known = self._by_login.get(parts.local)
        return known or self.by_name(name)

    def by_name(self, name: str) -> Colleague | None:
        """Returns who bears a full name, its words in any order."""
        tokens = frozenset(name_tokens(name))
        return self._by_name.get(tokens) if len(tokens) > 1 else None

    def role_of(self, person: Colleague | None) -> str:
        """Returns a person's role, empty where it is not known."""
        return person.role if person is not None else ""

    def _add(self, rows: list[tuple[RecordTable, dict[str, str | None]]], graph: ObjectGraph) -> None:
        person = Colleague(min(text_of(row["record_id"]) for _, row in rows))
        for table, row in rows:
            for column in table.columns_of(ColumnKind.LOGIN):
                person.logins.update(filter(None, [(row.get(column) or "").casefold()]))
            for column in table.columns_of(ColumnKind.EMAIL):
                parts = split_address(row.get(column) or "")
                if parts is not None:
                    person.addresses.add(f"{parts.local}@{parts.domain}")
                    person.logins.add(parts.local)
            person.names.update(_full_names(table, row))
            for object_id in graph.by_record.get(text_of(row["record_id"]), []):
                found = graph.objects[object_id]
                if found.type == "user":
                    self._by_object[object_id] = person
                    person.logins.add(found.ident.casefold())
                    role = found.attributes.get("role") or found.attributes.get("org_role") or ""
                    person.role = person.role or role
        self.people.append(person)
        for login in sorted(person.logins):
            self._by_login.setdefault(login, person)
        for address in sorted(person.addresses):
            self._by_address.setdefault(address, person)
        for name in sorted(person.names):
            self._by_name.setdefault(frozenset(name), person)


class Outsiders:
    """The accounts that outside addresses belong to."""

    def __init__(self, graph: ObjectGraph) -> None:
        """Reads contacts, leads, ledger contacts and websites."""
        self._accounts: dict[str, set[str]] = defaultdict(set)
        self._domains: dict[str, set[str]] = defaultdict(set)
        self.contacts: dict[str, list[str]] = defaultdict(list)
        for contact in graph.of_type("contact", "customer_contact", "lead"):
            address = contact.attributes.get("email", "").casefold()
            if not address:
                continue
            self.contacts[address].append(contact.object_id)
            for account in graph.targets(contact.object_id, "account"):
                self._accounts[address].add(account.object_id)
            for customer in graph.targets(contact.object_id, "customer"):
                for account in graph.targets(customer.object_id, "account"):
                    self._accounts[address].add(account.object_id)
        for account in graph.of_type("account"):
            site = _SITE.match(account.attributes.get("website", ""))
            if site:
                self._domains[site[1].casefold()].add(account.object_id)

    def accounts_of(self, address: str) -> frozenset[str]:
        """Returns the accounts of an address: its own contact rows first, else its domain's."""
        known = self._accounts.get(address.casefold())
        if known:
            return frozenset(known)
        parts = split_address(address)
        domain = parts.domain if parts is not None else ""
        while "." in domain:
            if domain in self._domains:
                return frozenset(self._domains[domain])
            domain = domain.split(".", 1)[1]
        return frozenset()


def _user_groups(
    data: Dataset,
) -> list[list[tuple[RecordTable, dict[str, str | None]]]]:
    own = {
        table.name: table
        for table in data.records
        if any(spec.type == "user" for spec in table.spec.objects) or not table.spec.objects
    }
    users = {name for name, table in own.items() if table.spec.objects}
    groups = Unions()
    for link in data.rows("links"):
        source, target = text_of(link["from_table"]), text_of(link["to_table"])
        # A row of another table that names a user says who acted on it, not who the user is.
        acted = link["kind"] == "identifier" and target in users and source not in users
        if link["kind"] in ("identifier", "participant") and source in own and target in own and not acted:
            groups.join(text_of(link["from_id"]), text_of(link["to_id"]))
    for name in sorted(users):
        for row in own[name].rows:
            for column in own[name].columns_of(ColumnKind.LOGIN):
                if row.get(column):
                    groups.join(text_of(row["record_id"]), f"~login {text_of(row[column]).casefold()}")
    _join_by_mailbox_name(groups, [own[name] for name in sorted(users)])
    rows: dict[str, list[tuple[RecordTable, dict[str, str | None]]]] = defaultdict(list)
    with_user: set[str] = set()
    for name in sorted(own):
        for row in own[name].rows:
            root = groups.root(text_of(row["record_id"]))
            rows[root].append((own[name], row))
            if name in users:
                with_user.add(root)
    return [rows[root] for root in sorted(with_user)]


def _join_by_mailbox_name(groups: Unions, tables: list[RecordTable]) -> None:
    """Joins users whose login is the local part of the other's address: a name and its address may change."""
    for table in tables:
        for row in table.rows:
            for column in table.columns_of(ColumnKind.EMAIL):
                parts = split_address(row.get(column) or "")
                if parts is not None:
                    groups.join(text_of(row["record_id"]), f"~login {parts.local}")


def _full_names(table: RecordTable, row: dict[str, str | None]) -> set[tuple[str, ...]]:
    names: set[tuple[str, ...]] = set()
    parts: dict[str, dict[str, str]] = defaultdict(dict)
    for column in table.columns_of(ColumnKind.PERSON):
        spec, value = table.columns[column], row.get(column)
        if not value:
            continue
        if spec.part in ("full", "last_first"):
            names.add(tuple(sorted(name_tokens(value))))
        else:
            parts[spec.person or ""][spec.part] = value
    for found in parts.values():
        if "first" in found and "last" in found:
            names.add(tuple(sorted(name_tokens(f"{found['first']} {found['last']}"))))
    return {name for name in names if len(name) > 1}
