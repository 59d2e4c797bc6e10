"""Evidence: what typed columns and addresses say about persons, companies, places and identifiers.

Belongs here: reading canonical tables into mentions, one per distinct combination. Does not belong here:
deciding which mentions are one entity (`resolution`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import polars as pl

from anonymize.forms import PersonName, parse_person, words_of
from anonymize.phones import CANDIDATE, e164
from anonymize.registry import registrable
from anonymize.words import first_names, is_free_mail, is_role, word_list, word_set
from contracts.manifest import ColumnSpec
from contracts.money import parse_number
from contracts.names import addresses_in, fold, split_address
from contracts.tables import CALENDAR_FACTS, FIXED_TABLES, RECORD_ID, ColumnKind, is_record_table

LOTUS = re.compile(r"(?<![\w/])([A-Z][\w.'-]*(?: [A-Z][\w.'-]*){1,3})/(?:[A-Za-z&]+/)+[A-Za-z]+@[A-Za-z]+")
"""Notes names: "Jane M Doe/HOU/ECT@ECT"."""
_NAMED_ADDRESS = re.compile(
    r"\"?([^\W\d_][^\"<>@\n\r:;\[\]()]{2,50}?)\"?\s*[<\[](?:mailto:)?([\w.%+'-]+@[\w.-]+\w)[>\]]"
)
EMAIL = re.compile(
    r"(?<![\w/.%+-])[A-Za-z0-9_%+][A-Za-z0-9._%+'-]*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
    r"(?:\.[A-Za-z0-9-]*[A-Za-z0-9])*"
)
_NAME_TAIL = re.compile(r"\d+|\b(?:AM|PM|am|pm|Uhr|wrote|schrieb|From|To|Cc|um)\b")
"""What stands before a name on the same line: the time of a quoted mail's date."""
STREET_IN_TEXT = re.compile(
    r"(?<![\w.])\d{1,5}[a-z]? (?:[A-Z][\w.'-]+ ){1,3}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Court|Boulevard|Blvd|Way|Place|"
    r"Square|Terrace|Parkway|Quay)\b"
    r"(?:, (?P<city>[A-Z][\w.'-]+(?: [A-Z][\w.'-]+)?)(?=[,\n]|$))?",
)
_LOWER_WORD = re.compile(r"(?<![\w@./-])[a-zà-ÿ]{2,}(?![\w@/]|\.\w)")
_WORD_LIMIT = 2
"""A word counts as ordinary when it stands in lower case in at least so many distinct texts."""
_ARTICLES = frozenset({"the", "of", "and", "for", "your", "our"})
_FOLDERS = frozenset(
    word_list(
        """
    raw inbox sent outbox mail mails archive export all messages eml mbox data trash drafts
    """
    )
)
_MAILBOX_LOGIN = re.compile(r"[a-z][a-z0-9._-]{2,30}")
_MAIN_COMPANY = ("name", "company", "account name", "name1", "customer name")
_ADDRESSABLE = (ColumnKind.TEXT, ColumnKind.FILENAME, ColumnKind.MAILBOX)


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
    identifiers: set[str] = field(default_factory=set)
    amounts: set[int] = field(default_factory=set)
    words: Counter[str] = field(default_factory=Counter)

    def add_address(self, address: str, names: tuple[PersonName, ...] = ()) -> None:
        """Notes an address with the names that stood beside it; role mailboxes are no persons."""
        parts = split_address(address)
        if parts is None:
            return
        self.domains[registrable(parts.domain)] += 1
        if is_role(parts.local):
            for name in names:
                if looks_personal(name):
                    self.persons[PersonMention((name,))] += 1
            return
        self.persons[PersonMention(names, (f"{parts.local}@{parts.domain}",))] += 1


def looks_personal(name: PersonName) -> bool:
    """Says whether a display name names a person rather than a team or a newsletter."""
    words = words_of(f"{name.first} {name.middle} {name.last}")
    if not name.last or any(word in word_set("roles") or word in _ARTICLES for word in words):
        return False
    common = word_set("common_words")
    return (words_of(name.first)[:1] and words_of(name.first)[0] in first_names()) or not any(
        w in common for w in words
    )


def table_specs(name: str, specs: dict[str, dict[str, ColumnSpec]]) -> dict[str, ColumnSpec]:
    """Returns what each column of a table holds, fixed tables and the head of record tables included."""
    fixed = CALENDAR_FACTS if name == CALENDAR_FACTS.name else FIXED_TABLES.get(name)
    if fixed is not None:
        return {column.name: ColumnSpec(kind=column.kind) for column in fixed.columns}
    head = ("path", "locator", "content_hash", RECORD_ID.name)
    own = dict.fromkeys(head, ColumnSpec(kind=ColumnKind.PROVENANCE)) if is_record_table(name) else {}
    return {**own, "source": ColumnSpec(kind=ColumnKind.CATEGORY), **specs.get(name, {})}


def strings(series: pl.Series) -> list[str]:
    """Returns the distinct non-empty strings of a string, list or number column, sorted."""
    if isinstance(series.dtype, pl.List):
        series = series.explode()
    values = series.drop_nulls().unique().cast(pl.String).to_list()
    return sorted(value for value in values if value and value.strip())


class TableShape(NamedTuple):
    """Which columns of a table tell of persons and companies."""

    people: dict[str, dict[str, list[str]]]
    """Person set -> part -> columns."""
    emails: list[str]
    logins: list[str]
    companies: list[str]
    sites: list[str]
    """Columns with a web address or domain."""
    keys: list[str]
    references: dict[str, str]
    """Column -> "source.table.column" that it points to."""


def table_shape(columns: dict[str, ColumnSpec], keys: list[str]) -> TableShape:
    """Returns the person sets, addresses, companies and references of a table's columns."""
    people: dict[str, dict[str, list[str]]] = {}
    for column, spec in columns.items():
        if spec.kind is ColumnKind.PERSON:
            group = spec.person or ("" if spec.part in ("first", "last") else column)
            people.setdefault(group, {}).setdefault(spec.part, []).append(column)
    return TableShape(
        people,
        [column for column, spec in columns.items() if spec.kind is ColumnKind.EMAIL],
        [column for column, spec in columns.items() if spec.kind is ColumnKind.LOGIN],
        [column for column, spec in columns.items() if spec.kind is ColumnKind.COMPANY],
        [column for column, spec in columns.items() if spec.kind in (ColumnKind.URL, ColumnKind.DOMAIN)],
        keys,
        {column: spec.references for column, spec in columns.items() if spec.references},
    )


def person_parts(row: dict[str, Any], parts: dict[str, list[str]]) -> tuple[PersonName, ...]:
    """Returns the names that a person set's columns spell in one row."""
    names: list[PersonName] = []
    for column in [*parts.get("full", []), *parts.get("last_first", [])]:
        name = parse_person(str(row.get(column) or ""))
        if name is not None:
            names.append(name)
    firsts = [str(row.get(column) or "").strip() for column in parts.get("first", [])]
    last = " ".join(str(row.get(column) or "") for column in parts.get("last", [])).strip()
    for first in filter(None, firsts):
        given = parse_person(f"{last}, {first}") if last else PersonName(first, "", "")
        names.extend([given] if given is not None else [])
    if last and not any(firsts):
        names.append(PersonName("", "", last))
    return tuple(dict.fromkeys(names))


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
    for column, spec in columns.items():
        _collect_values(evidence, spec, strings(frame[column]))
    if "mailboxes" in columns and name in FIXED_TABLES:
        for mailbox in strings(frame["mailboxes"]):
            if _MAILBOX_LOGIN.fullmatch(mailbox) and not is_role(mailbox) and mailbox not in _FOLDERS:
                evidence.persons[PersonMention(logins=(mailbox,))] += 1
    shape = table_shape(columns, [key for key in keys if key in frame.columns])
    for row in _distinct_rows(frame, shape):
        _collect_row(evidence, shape, row, prefix)


def _distinct_rows(frame: pl.DataFrame, shape: TableShape) -> Iterator[dict[str, Any]]:
    people = [column for parts in shape.people.values() for group in parts.values() for column in group]
    wanted = [
        *people,
        *shape.emails,
        *shape.logins,
        *shape.companies,
        *(shape.sites if shape.companies else []),
    ]
    if not wanted:
        return
    # Without own persons or companies the key and references of a row say nothing about identity.
    extra = [*shape.keys, *shape.references] if people or shape.companies or shape.emails else shape.keys
    chosen = list(dict.fromkeys([*wanted, *extra]))
    yield from frame.select(chosen).unique(maintain_order=True).iter_rows(named=True)


def _collect_row(evidence: Evidence, shape: TableShape, row: dict[str, Any], prefix: str) -> None:
    ranked = sorted(shape.companies, key=lambda column: column.lower() not in _MAIN_COMPANY)
    companies = tuple(str(row[column]) for column in ranked if row.get(column))
    emails = tuple(
        dict.fromkeys(found for column in shape.emails for found in addresses_in(str(row.get(column) or "")))
    )
    logins = tuple(dict.fromkeys(str(row[column]).strip() for column in shape.logins if row.get(column)))
    keys = tuple(
        f"{prefix}.{key}|{row[key]}" for key in shape.keys if row.get(key) and key not in shape.references
    )
    refs = tuple(f"{target}|{row[column]}" for column, target in shape.references.items() if row.get(column))
    sets = {group: person_parts(row, parts) for group, parts in shape.people.items()}
    sites = [host for column in shape.sites for host in [host_of(str(row.get(column) or ""))] if host]
    if companies and not shape.people:
        domains = tuple(dict.fromkeys([*map(registrable, sites), *_company_domains(emails)]))
        evidence.companies[CompanyMention(companies[0], domains, keys)] += 1
        for name in companies[1:]:
            evidence.companies[CompanyMention(name)] += 1
    for address in emails:
        parts = split_address(address)
        if parts is not None and is_role(parts.local):
            evidence.add_address(address)
    personal = tuple(address for address in emails if not is_role(address.partition("@")[0]))
    if len(sets) == 1:
        names = next(iter(sets.values()))
        if not personal and emails and not all(looks_personal(name) for name in names):
            if names and companies == ():
                evidence.companies[CompanyMention(names[0].full, _company_domains(emails))] += 1
            return
        handles = tuple(login for login in logins if "@" not in login)
        personal = tuple(dict.fromkeys([*personal, *(login.lower() for login in logins if "@" in login)]))
        _add_person(evidence, PersonMention(names, personal, handles, companies, keys, refs))
        return
    for names in sets.values():
        _add_person(evidence, PersonMention(names, (), (), (), (), ()))
    for address in personal:
        evidence.add_address(address)
    paired = len(shape.logins) == 1 and len(logins) == 1
    for login in logins:
        if "@" in login:
            evidence.add_address(login)
        else:
            own = keys if paired and not shape.people and shape.keys else ()
            _add_person(evidence, PersonMention((), (), (login,), (), own, ()))


def _add_person(evidence: Evidence, mention: PersonMention) -> None:
    if mention.names or mention.addresses or mention.logins:
        evidence.persons[mention] += 1
        for address in mention.addresses:
            evidence.domains[registrable(address.partition("@")[2])] += 1


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
        evidence.phones.update(number for value in values for number in [e164(value)] if number)
    elif kind is ColumnKind.ID:
        evidence.identifiers.update(value for value in values if "@" not in value)
    elif kind is ColumnKind.MONEY:
        evidence.amounts.update(minor for value in values for minor in [_hundredths(value)] if minor)
    elif kind is ColumnKind.DOMAIN or kind is ColumnKind.URL:
        for value in values:
            host = host_of(value)
            if host:
                evidence.domains[registrable(host)] += 1
    elif kind in _ADDRESSABLE:
        for value in values:
            _collect_text(evidence, kind, value)


def host_of(url: str) -> str:
    """Returns the host of a web address or bare domain, or "" where there is none."""
    host = re.sub(r"^[a-z]+://", "", url.strip().lower()).split("/")[0].split(":")[0].removeprefix("www.")
    return host if "." in host and " " not in host else ""


def _collect_text(evidence: Evidence, kind: ColumnKind, text: str) -> None:
    if "@" in text:
        named = {
            address.lower(): _NAME_TAIL.split(name)[-1] for name, address in _NAMED_ADDRESS.findall(text)
        }
        for address in EMAIL.findall(text) if kind is ColumnKind.TEXT else addresses_in(text):
            address = address.lower()
            if kind is ColumnKind.TEXT and "." not in address.partition("@")[2]:
                continue  # "x@ECT" in prose is no address; headers do hold internal ones
            name = parse_person(named.get(address, ""))
            usable = name is not None and name.last and looks_personal(name)
            evidence.add_address(address, (name,) if usable and name is not None else ())
        for lotus in LOTUS.findall(text):
            name = parse_person(lotus)
            if name is not None and name.last:
                evidence.persons[PersonMention((name,))] += 1
    if kind is ColumnKind.TEXT:
        for match in STREET_IN_TEXT.finditer(text):
            city = match["city"]
            evidence.streets.add(match.group().split(",")[0] if city else match.group())
            if city and fold(city) not in word_set("common_words"):
                evidence.cities.add(city)
        for candidate in CANDIDATE.findall(text):
            number = e164(candidate)
            if number is not None:
                evidence.phones.add(number)
        evidence.words.update(set(_LOWER_WORD.findall(text)))


def _hundredths(value: str) -> int:
    bare = value.strip().lstrip("-+")
    if not re.fullmatch(r"\d[\d.,' ]*", bare):
        return 0
    if re.fullmatch(r"\d+\.\d+", bare):
        whole, _, fraction = bare.partition(".")
        return int(whole) * 100 + int((fraction + "00")[:2])
    try:
        return parse_number(bare)[0]
    except ValueError:
        return 0


def vocabulary(evidence: Evidence) -> frozenset[str]:
    """Returns the words that count as ordinary because the archive often writes them in lower case."""
    return frozenset(word for word, count in evidence.words.items() if count >= _WORD_LIMIT) | word_set(
        "common_words"
    )
