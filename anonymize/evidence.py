"""Evidence: what typed columns and addresses say about persons, companies, places and identifiers.

Belongs here: reading canonical tables into mentions, one per distinct combination. Does not belong here:
deciding which mentions are one entity (`resolution`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import polars as pl

from anonymize.amounts import hundredths
from anonymize.display_names import Named, parse_typed, read_name
from anonymize.forms import PersonName, words_of
from anonymize.identifiers import plain_identifier
from anonymize.passages import passages
from anonymize.people_cells import handle_in
from anonymize.phones import is_international, number_key, without_extension
from anonymize.registry import registrable
from anonymize.table_shapes import (
    TableShape,
    listed_people,
    named_companies,
    person_parts,
    points_to_people,
    shape_of,
    strings,
    without_missing,
)
from anonymize.text_mentions import EVERY, looks_personal, mentions_of, searches_of
from anonymize.words import (
    called_names,
    is_free_mail,
    is_role,
    ordinary_words,
    word_list,
)
from contracts.manifest import ColumnSpec
from contracts.names import addresses_in, fold, split_address
from contracts.tables import FIXED_TABLES, ColumnKind

_BOX = re.compile(r"\s*(?P<name>.*?)\s*<(?P<address>[^<>]*)>\s*", re.DOTALL)
_WORD_LIMIT = 2
"""A word counts as ordinary when it stands in lower case in at least so many distinct texts."""
_FOLDERS = frozenset(
    word_list(
        """
    raw inbox sent outbox mail mails archive export all messages eml mbox data trash drafts
    """
    )
)
_MAILBOX_LOGIN = re.compile(r"[a-z][a-z0-9._-]{2,30}")
_MAIN_COMPANY = ("name", "company", "account name", "name1", "customer name")
_ADDRESSABLE = (ColumnKind.TEXT, ColumnKind.FILENAME)


TELLING_DIGITS = 9
"""Last digits of a phone number that are alike whether or not its country stands before them."""
FEWEST_SEARCHED = 64
"""Texts for which it pays to ask at once which searches could find anything."""
MOST_NAMED_IDS = 2_000
"""A column with more distinct ids without digits has codes for keys, not names."""
LONGEST_NAMED_ID = 5


class PersonMention(NamedTuple):
    """A person as one row or header shows one."""

    names: tuple[PersonName, ...] = ()
    addresses: tuple[str, ...] = ()
    logins: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    """Names of companies as written."""
    keys: tuple[str, ...] = ()
    """Record keys, "table|column|value": equal keys are one person."""
    company_keys: tuple[str, ...] = ()
    """Keys of records of companies that this row refers to."""
    phones: tuple[str, ...] = ()
    """Last digits of the numbers in the row."""


class CompanyMention(NamedTuple):
    """A company as one row shows it."""

    name: str
    domains: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass
class Evidence:
    """Everything that was seen, with counts; grows while tables are read."""

    persons: Counter[PersonMention] = field(default_factory=Counter)
    companies: Counter[CompanyMention] = field(default_factory=Counter)
    domains: Counter[str] = field(default_factory=Counter)
    streets: set[str] = field(default_factory=set)
    cities: set[str] = field(default_factory=set)
    phones: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    """Phones of which only national forms were seen, so that their country is a guess."""
    identifiers: set[str] = field(default_factory=set)
    amounts: set[int] = field(default_factory=set)
    words: Counter[str] = field(default_factory=Counter)

    def add_number(self, written: str, number: str | None) -> None:
        """Notes a phone number, and whether its country was written beside it."""
        if number is not None and (number not in self.phones or is_international(written)):
            (self.guessed.discard if is_international(written) else self.guessed.add)(number)
            self.phones.add(number)

    def add_domain(self, address: str) -> None:
        """Notes the domain of an address."""
        self.domains[registrable(address.partition("@")[2])] += 1

    def add_address(self, address: str, names: tuple[PersonName, ...] = (), *, typed: bool = False) -> None:
        """Notes an address with the names that stood beside it; role mailboxes are no persons.

        `typed` names come from a cell that holds nothing else: whoever they name is somebody.
        """
        parts = split_address(address)
        if parts is None:
            return
        self.domains[registrable(parts.domain)] += 1
        if is_role(parts.local):
            for name in names:
                if typed or looks_personal(name):
                    self.persons[PersonMention((name,))] += 1
            return
        self.persons[PersonMention(names, (f"{parts.local}@{parts.domain}",))] += 1


def collect_table(
    evidence: Evidence,
    name: str,
    frame: pl.DataFrame,
    columns: dict[str, ColumnSpec],
    keys: list[str],
    prefix: str,
) -> None:
    """Adds what a table's typed columns and addresses say; `prefix` is "source.table" for record keys."""
    columns = {column: columns[column] for column in frame.columns if column in columns}
    frame = without_missing(frame, columns)
    for column, spec in columns.items():
        _collect_values(evidence, spec, strings(frame[column]))
    if "mailboxes" in columns and name in FIXED_TABLES:
        for mailbox in strings(frame["mailboxes"]):
            if _MAILBOX_LOGIN.fullmatch(mailbox) and not is_role(mailbox) and mailbox not in _FOLDERS:
                evidence.persons[PersonMention(logins=(mailbox,))] += 1
    shape = shape_of(frame, columns, [key for key in keys if key in frame.columns])
    pointing = points_to_people(frame, shape)
    for row in _distinct_rows(frame, shape):
        _collect_row(evidence, shape, row, prefix, pointing)


def _distinct_rows(frame: pl.DataFrame, shape: TableShape) -> Iterator[dict[str, Any]]:
    people = [column for parts in shape.people.values() for group in parts.values() for column in group]
    wanted = [
        *people,
        *shape.emails,
        *shape.logins,
        *shape.owners,
        *shape.companies,
        *(shape.sites if shape.companies else []),
    ]
    if not wanted:
        return
    # Without own persons or companies the key and references of a row say nothing about identity.
    extra = [*shape.keys, *shape.references] if people or shape.companies or shape.emails else shape.keys
    phones = shape.phones if len(shape.own_people) == 1 else ()
    chosen = list(dict.fromkeys([*wanted, *extra, *phones]))
    yield from frame.select(chosen).unique(maintain_order=True).iter_rows(named=True)


def _collect_row(
    evidence: Evidence, shape: TableShape, row: dict[str, Any], prefix: str, pointing: bool
) -> None:
    ranked = sorted(shape.companies, key=lambda column: column.lower() not in _MAIN_COMPANY)
    companies = tuple(str(row[column]) for column in ranked if row.get(column))
    emails = tuple(
        dict.fromkeys(found for column in shape.emails for found in addresses_in(str(row.get(column) or "")))
    )
    logins = tuple(dict.fromkeys(str(row[column]).strip() for column in shape.logins if row.get(column)))
    keys = tuple(
        record_key(f"{prefix}.{key}", row[key])
        for key in shape.keys
        if row.get(key) and key not in shape.references
    )
    refs = tuple(
        record_key(target, row[column]) for column, target in shape.references.items() if row.get(column)
    )
    owned = shape.own_people
    beside = emails[0] if len(emails) == 1 and len(owned) == 1 else ""
    sets = {group: person_parts(row, parts, beside) for group, parts in owned.items()}
    for group in sorted(shape.pointing):
        _add_person(evidence, PersonMention(person_parts(row, shape.people[group])))
    for parts_of_set in shape.people.values():
        for named in named_companies(row, parts_of_set, beside):
            evidence.companies[CompanyMention(named, _company_domains(emails))] += 1
        for text in listed_people(row, parts_of_set):
            _collect_mention(evidence, text)
    sites = [host for column in shape.sites for host in [host_of(str(row.get(column) or ""))] if host]
    for login in (str(row[column]).strip() for column in shape.owners if row.get(column)):
        _add_login(evidence, login)
    if companies and (len(sets) != 1 or pointing):
        own = not owned
        domains = tuple(dict.fromkeys([*map(registrable, sites), *(_company_domains(emails) if own else ())]))
        evidence.companies[CompanyMention(companies[0], domains, keys if own else ())] += 1
        for name in companies[1:]:
            evidence.companies[CompanyMention(name)] += 1
    for address in emails:
        parts = split_address(address)
        if parts is not None and is_role(parts.local):
            evidence.add_address(address)
    personal = tuple(address for address in emails if not is_role(address.partition("@")[0]))
    if len(sets) == 1 and not pointing:
        names = next(iter(sets.values()))
        handles = tuple(login for login in logins if "@" not in login)
        personal = tuple(dict.fromkeys([*personal, *(login.lower() for login in logins if "@" in login)]))
        phones = tuple(dict.fromkeys(filter(None, (phone_digits(row.get(one)) for one in shape.phones))))
        if companies and not (names or personal or handles):  # the one person of the row is told by no name
            evidence.companies[CompanyMention(companies[0])] += 1
            evidence.companies.update(CompanyMention(name) for name in companies[1:])
        _add_person(evidence, PersonMention(names, personal, handles, companies, keys, refs, phones))
        return
    for names in sets.values():
        _add_person(evidence, PersonMention(names, (), (), (), (), ()))
    for address in personal:
        evidence.add_address(address)
    paired = len(shape.logins) == 1 and len(logins) == 1
    for login in logins:
        _add_login(evidence, login, keys if paired and not shape.people and not pointing else ())


def _add_login(evidence: Evidence, login: str, keys: tuple[str, ...] = ()) -> None:
    if "@" in login:
        evidence.add_address(login)
    else:
        _add_person(evidence, PersonMention(_named_by(login), (), (login,), (), keys, ()))


def _named_by(login: str) -> tuple[PersonName, ...]:
    """Returns the name that a system without logins uses as one."""
    typed = read_name(login) if " " in login else None
    return () if typed is None or typed.name is None else (typed.name,)


def _collect_mention(evidence: Evidence, text: str) -> None:
    """Notes one person of a list: by handle, mailbox or name."""
    handle = handle_in(text)
    if handle is not None:
        name = parse_typed(handle) if re.search(r"[._]", handle) else None
        names = (name,) if name is not None and name.last and fold(name.first) in called_names() else ()
        evidence.persons[PersonMention(names, logins=(handle,))] += 1
    else:
        _collect_mailbox(evidence, text.lstrip("@"))


def _add_person(evidence: Evidence, mention: PersonMention) -> None:
    if mention.names or mention.addresses or mention.logins:
        evidence.persons[mention] += 1
        for address in mention.addresses:
            evidence.add_domain(address)


def _company_domains(addresses: Iterable[str]) -> tuple[str, ...]:
    domains = (registrable(address.partition("@")[2]) for address in addresses)
    return tuple(dict.fromkeys(domain for domain in domains if "." in domain and not is_free_mail(domain)))


def _collect_values(evidence: Evidence, spec: ColumnSpec, values: list[str]) -> None:
    kind = spec.kind
    if kind is ColumnKind.STREET:
        evidence.streets.update(values)
    elif kind is ColumnKind.CITY:
        evidence.cities.update(values)
    elif kind is ColumnKind.PHONE:
        for value in values:
            evidence.add_number(value, number_key(value))
    elif kind is ColumnKind.ID:
        evidence.identifiers.update(plain_identifier(value) for value in values if "@" not in value)
        _collect_worded(evidence, [value for value in values if not any(char.isdigit() for char in value)])
    elif kind is ColumnKind.MONEY:
        evidence.amounts.update({hundredths(value, spec.decimal_mark) for value in values} - {0})
    elif kind is ColumnKind.DOMAIN or kind is ColumnKind.URL:
        for value in values:
            host = host_of(value)
            if host:
                evidence.domains[registrable(host)] += 1
    elif kind is ColumnKind.MAILBOX:
        for value in values:
            _collect_mailbox(evidence, value)
    elif kind in _ADDRESSABLE:
        _collect_texts(evidence, kind, values)


def _collect_worded(evidence: Evidence, ids: list[str]) -> None:
    """Notes whom ids without digits name: some systems have people's or companies' names for keys."""
    for value in ids if len(ids) <= MOST_NAMED_IDS else ():
        words = words_of(value)
        if not 2 <= len(words) <= LONGEST_NAMED_ID or not value[:1].isupper() or "@" in value:
            continue
        typed = read_name(value)
        if typed.name is not None and any(word in called_names() for word in words):
            evidence.persons[PersonMention((typed.name,))] += 1
        elif not all(word in ordinary_words() for word in words):
            evidence.companies[CompanyMention(value)] += 1


def record_key(place: str, value: object) -> str:
    """Returns the key by which a record is found: "source.table.column|value", floats as whole numbers."""
    return f"{place}|{plain_identifier(str(value))}"


def phone_digits(written: object) -> str:
    """Returns the last digits of a phone number, alike in national and international form, or ""."""
    digits = re.sub(r"\D", "", without_extension(str(written or "")))
    return digits[-TELLING_DIGITS:] if len(digits) >= TELLING_DIGITS - 2 else ""


def host_of(url: str) -> str:
    """Returns the host of a web address or bare domain, or "" where there is none."""
    host = re.sub(r"^[a-z]+://", "", url.strip().lower()).split("/")[0].split(":")[0].removeprefix("www.")
    return host if "." in host and " " not in host else ""


def _collect_mailbox(evidence: Evidence, text: str) -> None:
    """Notes the name and the address of a typed cell: "Name <address>", or either alone."""
    match = _BOX.fullmatch(text)
    name = (match["name"] if match is not None else "" if "@" in text else text).strip("\"' ")
    addresses = addresses_in(match["address"] if match is not None else text)
    typed = read_name(name, addresses[0] if addresses else "")
    if typed.named is Named.COMPANY:
        evidence.companies[CompanyMention(typed.core, _company_domains(addresses))] += 1
    names = (typed.name,) if typed.name is not None and "@" not in name else ()
    if not addresses and names:
        evidence.persons[PersonMention(names)] += 1
    for address in addresses:
        evidence.add_address(address, names, typed=True)


def _collect_texts(evidence: Evidence, kind: ColumnKind, values: list[str]) -> None:
    texts = [[passage.text for passage in passages(value)] for value in values]
    searches: dict[str, int] = {}
    if kind is ColumnKind.TEXT and len(texts) >= FEWEST_SEARCHED:
        distinct = list(dict.fromkeys(chain.from_iterable(texts)))
        searches = dict(zip(distinct, searches_of(distinct), strict=True))
    for text in texts:
        _collect_text(evidence, kind, text, searches)


def _collect_text(evidence: Evidence, kind: ColumnKind, text: list[str], searches: dict[str, int]) -> None:
    """Notes what the passages of a text say; which searches each needs is known of some."""
    words: set[str] = set()
    for passage in text:
        found = mentions_of(passage, prose=kind is ColumnKind.TEXT, searches=searches.get(passage, EVERY))
        evidence.persons.update(PersonMention((name,)) for name in found.persons)
        for address, name in found.addresses:
            evidence.add_address(address, () if name is None else (name,))
        evidence.streets.update(found.streets)
        evidence.cities.update(found.cities)
        for written, number in found.numbers:
            evidence.add_number(written, number)
        words.update(found.words)
    evidence.words.update(words)


def learned_words(evidence: Evidence) -> frozenset[str]:
    """Returns the words that the archive often writes in lower case; some may be somebody's name."""
    return frozenset(word for word, count in evidence.words.items() if count >= _WORD_LIMIT)
