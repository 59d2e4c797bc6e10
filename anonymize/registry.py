"""The entity registry: which real persons, companies and places an archive speaks of.

Belongs here: entities with all their surface forms, and what evidence they rest on. Does not belong
here: how mentions were merged (`resolution`) and what replaces them (`surrogates`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from anonymize.forms import CompanyName, PersonName, words_of
from anonymize.words import known_names
from contracts.names import fold


class EntityKind(StrEnum):
    """The kinds of entity that get surrogates of their own."""

    PERSON = "person"
    COMPANY = "company"
    STREET = "street"
    CITY = "city"
    PHONE = "phone"
    IDENTIFIER = "identifier"


class Doubt(NamedTuple):
    """Two entities that may be one: not joined, or joined on weak evidence."""

    reason: str
    one: str
    """Anchor: "mail:...", "login:...", "key:...", "name:..."; of companies with "company:" before it."""
    other: str
    confidence: float = 0.5
    """Rough probability that they are one."""

    @property
    def told(self) -> bool:
        """Whether this tells of a verdict that cannot be kept."""
        return self.reason.startswith(CONTRADICTED)


@dataclass(frozen=True)
class Person:
    """One real person."""

    names: tuple[PersonName, ...]
    """The canonical name first; empty where only a login or address is known."""
    addresses: tuple[str, ...]
    logins: tuple[str, ...]
    companies: tuple[int, ...]
    """Indexes into the registry's companies."""
    records: tuple[str, ...]
    """Record keys that stand for this person."""
    anchors: tuple[str, ...]
    """All keys by which this person is found again in a later batch, sorted."""


@dataclass(frozen=True)
class Company:
    """One real company."""

    names: tuple[CompanyName, ...]
    domains: tuple[str, ...]
    """Registrable domains; the first is the main one."""
    records: tuple[str, ...]
    anchors: tuple[str, ...]


CONTRADICTED = "a verdict is contradicted"
SHORTEST_NAMING = 4
"""Letters of a word that names somebody by itself."""
_PERSON_PARTS = ("names", "addresses", "logins", "companies", "records", "anchors")
_COMPANY_PARTS = ("names", "domains", "records", "anchors")


@dataclass(frozen=True)
class Registry:
    """All entities of one dataset, in an order that no input order decides."""

    persons: tuple[Person, ...]
    companies: tuple[Company, ...]
    streets: tuple[str, ...]
    cities: tuple[str, ...]
    phones: tuple[str, ...]
    """Numbers in E.164 form."""
    identifiers: tuple[str, ...]
    """Values of id columns that may be searched in text."""
    amounts: frozenset[int]
    """Values of money columns, in hundredths."""
    vocabulary: frozenset[str]
    """Ordinary words: the frozen ones, and those of the archive that are no word of a registered name."""
    doubtful: tuple[Doubt, ...] = ()
    """Pairs that were not merged, or only weakly, the likeliest first."""
    by_address: dict[str, int] = field(default_factory=dict)
    by_login: dict[str, int] = field(default_factory=dict)
    by_name: dict[str, tuple[int, ...]] = field(default_factory=dict)
    by_record: dict[str, int] = field(default_factory=dict)
    """Record value -> person."""
    company_by_domain: dict[str, int] = field(default_factory=dict)
    company_by_name: dict[str, int] = field(default_factory=dict)
    company_by_record: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Returns the registry as JSON content, for the vault."""
        content = asdict(self)
        content["amounts"] = sorted(self.amounts)
        content["vocabulary"] = sorted(self.vocabulary)
        return content

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Registry:
        """Returns the registry that was stored."""
        persons = tuple(
            Person(tuple(PersonName(*name) for name in names), *(tuple(part) for part in rest))
            for names, *rest in ([person[part] for part in _PERSON_PARTS] for person in content["persons"])
        )
        companies = tuple(
            Company(tuple(CompanyName(*name) for name in names), *(tuple(part) for part in rest))
            for names, *rest in (
                [company[part] for part in _COMPANY_PARTS] for company in content["companies"]
            )
        )
        indexes: dict[str, Any] = {
            part: content[part] for part in content if part.startswith(("by_", "company_by_"))
        }
        indexes["by_name"] = {key: tuple(found) for key, found in content["by_name"].items()}
        return cls(
            persons=persons,
            companies=companies,
            amounts=frozenset(content["amounts"]),
            vocabulary=frozenset(content["vocabulary"]),
            doubtful=tuple(Doubt(*doubt) for doubt in content["doubtful"]),
            streets=tuple(content["streets"]),
            cities=tuple(content["cities"]),
            phones=tuple(content["phones"]),
            identifiers=tuple(content["identifiers"]),
            **indexes,
        )

    def person_at(self, address: str, name: PersonName) -> int | None:
        """Returns who writes under a name from an address; several people may share a mailbox.

        That is its owner, where the mailbox is somebody's own or the name tells several people or nobody.
        """
        owner = self.by_address.get(address)
        named = self.by_name.get(name.key, ())
        if owner is None:
            return next(iter(named), None)
        is_shared = not self.persons[owner].names and len(named) == 1 and bool(name.last)
        return named[0] if is_shared else owner

    def counts(self) -> dict[str, int]:
        """Returns how many entities of each kind there are."""
        return {
            EntityKind.PERSON.value: len(self.persons),
            EntityKind.COMPANY.value: len(self.companies),
            EntityKind.STREET.value: len(self.streets),
            EntityKind.CITY.value: len(self.cities),
            EntityKind.PHONE.value: len(self.phones),
            EntityKind.IDENTIFIER.value: len(self.identifiers),
        }


def shared_names(registry: Registry) -> frozenset[str]:
    """Returns the folded single names of companies without domain and record that people bear as well.

    They name a company only beside a mark ("Fa. Koch", "Koch & Sons"), and are audited there alone.
    """
    families = {fold(name.last) for person in registry.persons for name in person.names if name.first}
    borne = families | known_names()
    return frozenset(
        fold(name.core)
        for company in registry.companies
        if not (company.domains or company.records)
        for name in company.names
        if " " not in name.core and fold(name.core) in borne
    )


def only(person: Person) -> Registry:
    """Returns a registry that knows one person and nobody else."""
    return Registry((person,), (), (), (), (), (), frozenset(), frozenset())


def registered_words(persons: Iterable[Person], companies: Iterable[Company]) -> frozenset[str]:
    """Returns every folded word of the names, logins, addresses and domains of registered entities."""
    texts: list[str] = []
    for person in persons:
        texts += [part for name in person.names for part in name]
        texts += [*person.logins, *(address.partition("@")[0] for address in person.addresses)]
    for company in companies:
        texts += [name.core for name in company.names]
        texts += [domain_stem(domain) for domain in company.domains]
    words = {word for text in texts for word in words_of(text)}
    return frozenset(words | {fold(text) for text in texts if text})


def naming_words(registry: Registry) -> frozenset[str]:
    """Returns the family names and companies' words of a registry that are no ordinary words."""
    words = {word for person in registry.persons for name in person.names for word in words_of(name.last)}
    words |= {
        word for company in registry.companies for name in company.names for word in words_of(name.core)
    }
    return frozenset(word for word in words - registry.vocabulary if len(word) >= SHORTEST_NAMING)


def registrable(host: str) -> str:
    """Returns the part of a host name that is registered: "mail.x.co.uk" -> "x.co.uk"."""
    if host.startswith("["):
        return host.lower()  # an address literal is whole
    labels = host.lower().strip(".").split(".")
    second_level = {"co", "com", "org", "net", "ac", "gov", "edu"}
    keep = 3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in second_level else 2
    return ".".join(labels[-keep:])


def domain_stem(domain: str) -> str:
    """Returns the naming label of a registrable domain, letters and digits only."""
    return "".join(char for char in domain.split(".")[0] if char.isalnum())
