"""Surrogates: who stands in place of whom, assigned once and kept.

Belongs here: the assignment of names, handles, domains, places and numbers to registry entities, and the
lookup of a surrogate by form. Does not belong here: finding mentions in text (`detection`).
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import JaroWinkler

from anonymize.assignments import Assignments as Assignments
from anonymize.errors import PoolExhausted
from anonymize.forms import PersonName, ascii_text, handle_of, handle_shape, words_of
from anonymize.given_names import GivenNames
from anonymize.handles import is_initials
from anonymize.kept_names import keep_names, real_handles, staying_names
from anonymize.keys import DatasetKey
from anonymize.permutation import Derangement, Permutation
from anonymize.phones import relaid
from anonymize.places import assign_places
from anonymize.registry import Company, Person, Registry, domain_stem, registrable
from anonymize.reserved import Reserved
from anonymize.words import first_names, is_free_mail, is_nickname, is_role, nicknames, pool, word_list
from contracts.names import fold, split_address

GENERIC_LABELS = frozenset(
    word_list(
        """
    www mail smtp imap mx email news info m portal web en de us uk eu na list lists
    """
    )
)
TAG_DIGITS = 6
_MOST_INITIALS = 200
"""Letters that are tried in place of initials; then a whole handle stands for them."""
_SCHEME = re.compile(r"^(?:mailto|smtp|sip|x500):")
_FEMALE_ENDINGS = ("a", "ie", "ine", "elle", "ette", "lyn", "lynn")
_SAME_FAMILY = 0.9
"""Family names at least so alike are spellings of one name, not a change of name."""


@dataclass(frozen=True)
class PersonSurrogate:
    """Who stands in place of a person."""

    name: PersonName
    second_family: str


class Surrogates:
    """The surrogates of every entity of a registry."""

    def __init__(self, registry: Registry, key: DatasetKey, kept: Assignments | None = None) -> None:
        """Assigns what is new in the order of an HMAC of each entity's anchor; keeps what is old."""
        self.registry = registry
        self.kept = kept or Assignments()
        self._key = key.derive("surrogates")
        self._reserved = Reserved(registry)
        self._real = self._reserved.words
        self._used: dict[str, set[str]] = {
            "person": {fold(f"{value[0]} {value[2]}") for value in self.kept.persons.values()},
            "stem": {fold(core.split()[0]) for core in self.kept.companies.values()},
            "handle": {f"{value}" for value in self.kept.handles.values()},
            "domain": set(self.kept.domains.values()),
        }
        self.persons = self._assign_persons()
        self.cores = self._assign_companies()
        self._assign_domains()
        self._assign_handles()
        assign_places(registry, self.kept, self._key, self._reserved)

    def _ordered(self, anchors: Iterable[tuple[str, int]]) -> list[int]:
        return [index for _, index in sorted((self._mac(anchor), index) for anchor, index in anchors)]

    def _mac(self, text: str) -> bytes:
        return hmac.digest(self._key, text.encode("utf-8", "surrogatepass"), "sha256")

    def _next(self, name: str) -> int:
        index = self.kept.cursors.get(name, 0)
        self.kept.cursors[name] = index + 1
        return index

    def _assign_persons(self) -> list[PersonSurrogate]:
        people = self.registry.persons
        order = self._ordered((person.anchors[0], index) for index, person in enumerate(people))
        staying = staying_names(self.registry, self.kept, order)
        names: list[list[str]] = [[]] * len(people)
        for index in order:
            names[index] = staying[index] or self._new_person(people[index])
        keep_names(self.registry, self.kept, names)
        return [PersonSurrogate(PersonName(*parts[:3]), parts[3]) for parts in names]

    def _new_person(self, person: Person) -> list[str]:
        gender, locale = self._kind(person)
        firsts, families = pool(f"first_{gender}_{locale}"), pool(f"family_{locale}")
        to_first = Permutation(self._key, len(firsts), f"{gender}|{locale}|first".encode())
        to_family = Permutation(self._key, len(families), f"{locale}|family".encode())
        for _ in range(len(families) * len(firsts)):
            number = self._next(f"family|{locale}")
            turn, place = divmod(number, len(families))
            family = families[to_family(place)]
            first = firsts[to_first((place + 7 * turn) % len(firsts))]
            full = fold(f"{first} {family}")
            if fold(family) in self._real or full in self._used["person"]:
                continue
            if fold(first) in self._reserved.barred_firsts(person):
                continue
            middle = firsts[to_first((place + turn + len(firsts) // 2) % len(firsts))]
            if self._reserved.spells_real(first, middle, family):
                continue
            self._used["person"].add(full)
            others = (families[to_family((place + step) % len(families))] for step in _turn(len(families)))
            second = next(
                (
                    other
                    for other in others
                    if other != family
                    and fold(other) not in self._real
                    and not self._reserved.spells_real(first, middle, other)
                ),
                family,
            )
            return [first, middle, family, second]
        raise PoolExhausted(
            f"no name left in the {locale} pool for {len(self.registry.persons)} persons: add names"
        )

    def _kind(self, person: Person) -> tuple[str, str]:
        known = [first_names().get(fold(name.first)) for name in person.names]
        found = next((first for first in known if first is not None), None)
        german = any(address.endswith(".de") for address in person.addresses)
        locale = "de" if german and (found is None or found.locale == "de" or _has_umlaut(person)) else "en"
        if found is None:
            first = next(
                (fold(name.first) for name in person.names if len(name.first) > 2), person.anchors[0]
            )
            return self._guessed_gender(first), "de" if _has_umlaut(person) else locale
        return found.gender, "de" if _has_umlaut(person) else locale

    def _guessed_gender(self, first: str) -> str:
        if first.endswith(_FEMALE_ENDINGS):
            return "female"
        return ("female", "male")[self._mac("gender|" + first)[0] % 2]

    def _assign_companies(self) -> list[str]:
        companies = self.registry.companies
        result = [""] * len(companies)
        taken: set[str] = set()
        for index in self._ordered((company.anchors[0], index) for index, company in enumerate(companies)):
            company = companies[index]
            core = next((self.kept.companies[a] for a in company.anchors if a in self.kept.companies), None)
            is_new = core is None or core in taken
            if core is None or is_new:
                core = self._new_core(company)
            for anchor in company.anchors:
                self.kept.companies[anchor] = core if is_new else self.kept.companies.get(anchor, core)
            result[index] = core
            taken.add(core)
        return result

    def _new_core(self, company: Company) -> str:
        stems, endings, middles = pool("company_stems"), pool("company_endings"), pool("company_middles")
        to_stem = Permutation(self._key, len(stems), b"stems")
        while True:
            number = self._next("stems")
            if number >= len(stems):
                raise PoolExhausted(
                    f"no company name left for {len(self.registry.companies)} companies: add stems"
                )
            stem = stems[to_stem(number)]
            # Coined companies of other datasets share the pool; a stem inside a real word would point at it.
            if fold(stem) in self._real or fold(stem) in self._used["stem"]:
                continue
            self._used["stem"].add(fold(stem))
            mac = self._mac(f"ending|{number}")
            words = len(words_of(company.names[0].core)) if company.names else 1
            middle = middles[mac[1] % len(middles)]
            for step in range(len(endings)):
                ending = endings[(mac[0] + step) % len(endings)]
                core = (
                    stem if words == 1 else f"{stem} {ending}" if words == 2 else f"{stem} {middle} {ending}"
                )
                if not self._reserved.spells_company(core):
                    return core

    def _assign_domains(self) -> None:
        companies = self.registry.companies
        for index in self._ordered((company.anchors[0], index) for index, company in enumerate(companies)):
            words = words_of(self.cores[index])
            for domain in companies[index].domains:
                if domain in self.kept.domains:
                    continue
                first_only = bool(companies[index].names) and all(
                    domain_stem(domain) != name.joined for name in companies[index].names
                )
                base = words[0] if first_only else "".join(words)
                tail = domain.rpartition(".")[2]
                choices = [base, f"{base}-{tail}", *(f"{base}-{number}" for number in range(2, 500))]
                taken = self._used["domain"] | self.registry.company_by_domain.keys()
                chosen = next(choice for choice in choices if f"{choice}.example" not in taken)
                self.kept.domains[domain] = f"{chosen}.example"
                self._used["domain"].add(f"{chosen}.example")

    def _assign_handles(self) -> None:
        people = self.registry.persons
        for index in self._ordered((person.anchors[0], index) for index, person in enumerate(people)):
            person = people[index]
            anchor = person.anchors[0]
            handles = real_handles(person)
            spelt = {h: any(handle_shape(h, name) for name in person.names) for h in handles}
            for real in sorted(handles, key=lambda handle: (not spelt[handle], handle)):
                known = next(
                    (f"{a}|{real}" for a in person.anchors if f"{a}|{real}" in self.kept.handles), None
                )
                if known is not None:
                    self.kept.handles[f"{anchor}|{real}"] = self.kept.handles[known]
                    continue
                handle = self._new_handle(index, real)
                self._used["handle"].add(handle)
                for each in person.anchors:
                    self.kept.handles[f"{each}|{real}"] = handle

    def _new_handle(self, index: int, real: str) -> str:
        person = self.registry.persons[index]
        initials = self._initials(index, real) if real.upper() in filter(is_initials, person.logins) else ""
        if initials:
            return initials
        handle = digits = ""
        for name in person.names:
            shape = handle_shape(real, name)
            if shape is not None:
                handle, digits = shape.of(self.variant(index, name)), shape.digits
                break
        handle = handle or self._composed_handle(index, real)
        if self._reserved.holds_real_form(handle):
            handle = f"u{self._mac('handle|' + real).hex()[:10]}"
        number = 1
        while f"{handle}{digits}" in self._used["handle"] or f"{handle}{digits}" in self._real:
            number += 1
            digits = str(number)
        return f"{handle}{digits}"

    def _initials(self, index: int, real: str) -> str:
        """Returns as many letters for initials: the surrogate's own, others where those are taken."""
        first, middle, last = (fold(part)[:1] for part in self.persons[index].name)
        macs = (self._mac(f"initials|{real}|{number}") for number in range(_MOST_INITIALS))
        others = ("".join(chr(97 + byte % 26) for byte in mac[: len(real)]) for mac in macs)
        choices = [first + middle * (len(real) > 2) + last, *others]
        barred = self._used["handle"] | self._real
        return next((one for one in choices if one not in barred and len(one) == len(real)), "")

    def _composed_handle(self, index: int, real: str) -> str:
        """Replaces the words of a handle that no template explains: "ann.lee.acme" -> "eve.roe.zentova"."""
        person, surrogate = self.registry.persons[index], self.persons[index]
        words: dict[str, str] = {}
        for name in person.names:
            variant = self.variant(index, name)
            words.setdefault(handle_of("{f}", name), handle_of("{f}", variant))
            words.setdefault(handle_of("{l}", name), handle_of("{l}", variant))
        parts = re.split(r"([._-]+)", real.lower())
        if not any(part in words or part in self._company_stems for part in filter(None, parts)):
            return handle_of("{f}.{l}", surrogate.name)
        stems = self._company_stems
        kept = (
            x if not x.isalnum() or x.isdigit() or is_role(x) else words.get(x) or stems.get(x, "")
            for x in parts
        )
        return re.sub(r"[._-]{2,}", ".", "".join(kept)).strip("._-")

    @cached_property
    def _company_stems(self) -> dict[str, str]:
        """Joined words of a company -> first word of its surrogate."""
        stems: dict[str, str] = {}
        for company, core in zip(self.registry.companies, self.cores, strict=True):
            for company_name in company.names:
                stems.setdefault(company_name.joined, fold(core).split()[0])
        return stems

    def variant(self, index: int, real: PersonName) -> PersonName:
        """Returns the surrogate in the same variant as one of a person's real names."""
        person, surrogate = self.registry.persons[index], self.persons[index]
        canonical = person.names[0] if person.names else real
        name = surrogate.name
        first, middle, last = name.first, "", name.last
        bare = real.first.rstrip(".")
        if not real.first:
            first = ""
        elif len(bare) == 1:
            first = name.first[0] + real.first[1:]
        elif is_nickname(bare, canonical.first):
            first = next(iter(nicknames().get(fold(name.first), ())), name.first)
        elif is_nickname(canonical.first, bare):
            first = next((full.title() for full in nicknames() if is_nickname(name.first, full)), name.first)
        if real.middle:
            bare = real.middle.rstrip(".")
            middle = name.middle[0] + real.middle[1:] if len(bare) == 1 else name.middle
        if not real.last:
            last = ""
        elif canonical.last and not _same_family(real.last, canonical.last):
            last = surrogate.second_family
        return PersonName(first, middle, last)

    def domain(self, host: str) -> str:
        """Returns the surrogate of a host name; free-mail providers and generic labels stay."""
        host = host.lower().strip(".")
        base = registrable(host)
        if is_free_mail(base):
            return host
        if "." not in base:
            return host if host == "localhost" else "host" + self._mac("host|" + host).hex()[:8]
        known = self.kept.domains.get(base) or f"d{self._mac('domain|' + base).hex()[:10]}.example"
        labels = host[: -len(base)].strip(".").split(".") if host != base else []
        kept = [x if x in GENERIC_LABELS else "h" + self._mac("label|" + x).hex()[:6] for x in labels]
        return ".".join([*kept, known])

    def address_key(self, address: str) -> str:
        """Returns the form under which the registry knows an address, if it does."""
        bare = address.lower().strip().strip("<>").strip()
        return bare if bare in self.registry.by_address else _SCHEME.sub("", bare).strip(" .'")

    def address(self, address: str) -> str:
        """Returns the surrogate of a mail address, whatever it is made of; role mailboxes keep their name.

        What no address grammar explains becomes a token, as a whole; so does the tag of a plus address.
        """
        key = self.address_key(address)
        parts = split_address(key)
        if parts is None:
            _, at, host = key.rpartition("@")
            known = at and registrable(host) in self.kept.domains
            domain = self.domain(host) if known else "address.example"
            return f"u{self._mac('address|' + key).hex()[:10]}{at}{domain if at else ''}"
        local, domain = parts
        base, plus, tag = local.partition("+")
        mark = f"+{self._mac('tag|' + tag).hex()[:TAG_DIGITS]}" if plus else ""
        person = self.registry.by_address.get(key, self.registry.by_address.get(f"{base}@{domain}"))
        if person is not None:
            anchor = self.registry.persons[person].anchors[0]
            handle = self.kept.handles.get(f"{anchor}|{base}", "")
            if handle:
                return f"{handle}{mark}@{self.domain(domain)}"
        if is_role(base):
            return f"{base}{mark}@{self.domain(domain)}"
        return f"u{self._mac('local|' + base).hex()[:10]}{mark}@{self.domain(domain)}"

    def login(self, login: str) -> str:
        """Returns the surrogate of a login, in its letter case."""
        if "@" in login:
            return self.address(login)
        person = self.registry.by_login.get(login.lower())
        if person is None:
            return login if is_role(login) else f"u{self._mac('login|' + login.lower()).hex()[:8]}"
        handle = self.kept.handles[f"{self.registry.persons[person].anchors[0]}|{login.lower()}"]
        return handle.upper() if login.isupper() else handle

    def phone(self, written: str, real: str) -> str:
        """Returns a registered number's surrogate in the layout of a written one, extension and all."""

        def extension(digits: str) -> str:
            to_other = Derangement(self._key, 10 ** len(digits), f"extension|{real}".encode())
            return f"{to_other(int(digits)):0{len(digits)}d}"

        return relaid(written, real, self.kept.phones[real], extension)

    def given_name(self, first: str, other: int = 0) -> str:
        """Returns the surrogate of a first name that stands for nobody in particular, or its nth `other`."""
        known = first_names().get(fold(first))
        gender = known.gender if known else self._guessed_gender(fold(first))
        return self._given.of(fold(first), gender, other)

    @cached_property
    def _given(self) -> GivenNames:
        names = (person.name for person in self.persons)
        borne = frozenset(fold(part) for name in names for part in (name.first, name.middle) if part)
        return GivenNames(self._key, frozenset(self._reserved.firsts), borne)


def _turn(size: int) -> Iterable[int]:
    """Returns the steps from a place to all others of a list, the farthest first."""
    return (*range(size // 2, size), *range(size // 2))


def _same_family(one: str, other: str) -> bool:
    a, b = fold(ascii_text(one)), fold(ascii_text(other))
    return a == b or (len(a) > 4 and JaroWinkler.similarity(a, b) >= _SAME_FAMILY)


def _has_umlaut(person: Person) -> bool:
    return any(char in "äöüß" for name in person.names for char in name.full.lower())
