"""Records that a company's systems hold of the same people, with the truth of who is who, from a seed.

Belongs here: an invented population and how each system writes its people. Nothing is shared with what
resolves them: nicknames, typos and names come from here and from Faker's lists. Does not belong here:
measuring.

People: 4 % own staff, 4 % private persons on free mail, the rest contacts of other companies (one company
per ten of them, sizes skewed, a third called after a family). Names follow Faker's census weights for
English and a Zipf law for eight other languages; a third of English family names is rare. 3 % have the full
name of a person of another company, 0.7 % that of a colleague (under another address). 5 % of women and 1 %
of men changed their family name: 40 % of them kept the old address. 35 % of those who could have a nickname
are called by it. 18 % have a second address (another shape, another domain of the company, or free mail),
65 % a phone of their own, of the rest half the company's switchboard.

Records, 3.1 a person: user directory (all staff: login, name, mail), CRM contact (80 % of contacts; 8 % of
them entered twice), ERP partner (35 %; ASCII, often capitals, sometimes family name first), mail headers
(76 %; one to four spellings per address), tickets (30 %). A record has a mail in 80 % (CRM), 50 % (ERP), 70
% (tickets), a phone in 60 % (CRM, ERP), a typo in 3 %, an initial for the first name in 5 %, "Last, First"
in 15 %, a middle initial in 8 %, folded or written-out diacritics in 30 %. 2 % of mail headers are shared
mailboxes.
"""

from __future__ import annotations

import random
import unicodedata
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import NamedTuple

import polars as pl

from anonymize.words import pool
from benchmarks.names import Names
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

OWN_DOMAIN = "brightwater.com"
_LEGAL = ("Ltd", "Inc.", "GmbH", "LLC", "AG", "Corp.", "S.A.", "")
_SHAPES = ("{f}.{l}", "{a}{l}", "{f}{z}", "{f}_{l}", "{a}.{l}", "{l}.{f}", "{f}", "{l}{a}")
_SHARED = ("frontdesk", "pumpshop", "werk2", "nightshift", "plant-east", "bidroom")
_FREE = ("gmail.com", "gmx.de", "yahoo.com", "outlook.com")
_NEAR = dict(zip("qwertyuiopasdfghjklzxcvbnm", "wertyuiopqsdfghjklaxcvbnmz", strict=True))
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


@dataclass
class Individual:
    """One invented person."""

    first: str
    family: str
    company: int
    """-1 for own staff, -2 for private persons."""
    middle: str = ""
    called: str = ""
    """Nickname; empty for most."""
    born: str = ""
    """Family name before it changed; empty for most."""
    addresses: list[str] = field(default_factory=list)
    old_address: str = ""
    phone: str = ""
    login: str = ""


class Firm(NamedTuple):
    """One invented company."""

    name: str
    domains: tuple[str, ...]
    shape: str
    switchboard: str


class Truth(NamedTuple):
    """Whose a record is and what makes it hard; the rest is how the registry is asked for it."""

    person: int
    traits: frozenset[str]
    key: str
    address: str
    login: str
    name: str
    company: str
    phone: str


@dataclass
class Population:
    """The tables of the systems, and who is who in them."""

    frames: dict[str, pl.DataFrame]
    specs: dict[str, dict[str, ColumnSpec]]
    keys: dict[str, list[str]]
    truth: list[Truth]
    persons: int
    companies: int


class Maker:
    """Makes one population."""

    def __init__(self, seed: int, records: int) -> None:
        """Takes the seed and about how many records are wanted."""
        self._rng = random.Random(seed)
        self._names = Names(self._rng)
        self._wanted = records
        self._taken: set[str] = set()
        self._rows: dict[str, list[dict[str, str | None]]] = {name: [] for name in SPECS}
        self._truth: list[Truth] = []
        self._phones = 0

    def make(self) -> Population:
        """Returns the population."""
        persons = max(60, int(self._wanted / 3.1))
        self._firms = self._make_firms(max(5, persons // 10))
        weights = list(accumulate(1 / (rank + 20) ** 0.7 for rank in range(len(self._firms))))
        members = self._rng.choices(range(len(self._firms)), cum_weights=weights, k=persons)
        people = [self._person(place, company) for place, company in enumerate(members)]
        by_company: dict[int, list[Individual]] = {}
        for person in people:
            by_company.setdefault(person.company, []).append(person)
        for person in people:
            self._double(person, people, by_company)
            self._reachable(person)
        for index, firm in enumerate(self._firms):
            self._rows["crm.accounts"].append(
                {"id": f"A{index:07d}", "name": firm.name, "website": f"www.{firm.domains[0]}"}
            )
        for index, person in enumerate(people):
            self._write(index, person)
        frames = {
            name: pl.DataFrame(rows, schema=dict.fromkeys(SPECS[name], pl.String))
            for name, rows in self._rows.items()
        }
        return Population(frames, SPECS, KEYS, self._truth, persons, len(self._firms))

    def _make_firms(self, count: int) -> list[Firm]:
        rng, seen, firms = self._rng, set[str](), list[Firm]()
        stems, endings = pool("company_stems"), pool("company_endings")
        while len(firms) < count:
            stem = self._names.family().replace(" ", "") if rng.random() < 0.33 else rng.choice(stems)
            ending = rng.choice(endings)
            joined = _plain(f"{stem}{ending}").lower().replace(" ", "")
            if joined in seen or not joined.isalnum():
                continue
            seen.add(joined)
            label = joined if rng.random() < 0.7 else f"{_plain(stem)}-{ending.split()[0]}".lower()
            tails = [".com"] if rng.random() < 0.88 else [".com", ".de"]
            legal = rng.choice(_LEGAL)
            shape = rng.choices(_SHAPES, weights=(40, 22, 8, 5, 10, 4, 7, 4))[0]
            firms.append(
                Firm(
                    f"{stem} {ending} {legal}".strip(), tuple(label + t for t in tails), shape, self._phone()
                )
            )
        return firms

    def _person(self, place: int, company: int) -> Individual:
        rng = self._rng
        first, family, female = self._names.draw()
        person = Individual(first, family, -1 if place % 25 == 0 else -2 if place % 25 == 1 else company)
        person.middle = self._names.draw()[0] if rng.random() < 0.4 else ""
        short = self._names.short.get(first)
        person.called = rng.choice(short) if short and rng.random() < 0.35 else ""
        if rng.random() < (0.05 if female else 0.01):
            person.born = self._names.family()
        return person

    def _double(
        self, person: Individual, people: list[Individual], by_company: dict[int, list[Individual]]
    ) -> None:
        chance = self._rng.random()
        if chance >= 0.037:
            return
        other = self._rng.choice(people if chance < 0.03 else by_company[person.company])
        person.first, person.family, person.called = other.first, other.family, ""

    def _reachable(self, person: Individual) -> None:
        rng = self._rng
        firm = self._firms[person.company] if person.company >= 0 else None
        domain = firm.domains[0] if firm else OWN_DOMAIN if person.company == -1 else rng.choice(_FREE)
        shape = firm.shape if firm else "{f}.{l}"
        person.addresses = [self._address(person, person.family, shape, domain)]
        if person.born:
            kept = rng.random() < 0.4
            person.old_address = self._address(person, person.born, shape, domain)
            person.addresses = [person.old_address] if kept else person.addresses
        if rng.random() < 0.18 and person.company != -2:
            kind = rng.random()
            if kind < 0.35 and firm and len(firm.domains) > 1:
                person.addresses.append(person.addresses[0].partition("@")[0] + "@" + firm.domains[1])
            elif kind < 0.7:
                other = rng.choice([one for one in _SHAPES if one != shape])
                person.addresses.append(self._address(person, person.family, other, domain))
            else:
                person.addresses.append(
                    self._address(person, person.family, rng.choice(_SHAPES[:4]), rng.choice(_FREE))
                )
        if person.company == -1:
            person.login = self._free(
                _plain(person.first[:1] + person.family).lower().replace(" ", "")[:12], ""
            )
        board = firm.switchboard if firm else ""
        person.phone = self._phone() if rng.random() < 0.65 else board if rng.random() < 0.5 else ""

    def _phone(self) -> str:
        self._phones += 1
        area, rest = divmod(self._phones, 10_000)
        return f"+1 {200 + area // 800 % 700}-{200 + area % 800}-{rest:04d}"

    def _address(self, person: Individual, family: str, shape: str, domain: str) -> str:
        parts = {"f": person.first, "l": family, "a": person.first[:1], "z": family[:1]}
        local = _plain(shape.format(**parts)).lower().replace(" ", "").replace("'", "")
        return self._free(local, domain, person.middle)

    def _free(self, local: str, domain: str, middle: str = "") -> str:
        first, dot, rest = local.partition(".")
        choices = [local, f"{first}.{middle[:1].lower()}.{rest}" if middle and dot else f"{local}2"]
        numbered = (f"{local}{number}" for number in range(2, 100_000))
        chosen = next(c for c in chain(choices, numbered) if f"{c}@{domain}" not in self._taken)
        self._taken.add(f"{chosen}@{domain}")
        return f"{chosen}@{domain}" if domain else chosen

    def _write(self, index: int, person: Individual) -> None:
        rng, before = self._rng, len(self._truth)
        if person.company == -1:
            self._row(index, person, "directory.users", mail=1, phone=0)
        elif rng.random() < 0.8:
            for _ in range(2 if rng.random() < 0.08 else 1):
                self._row(index, person, "crm.contacts", mail=0.8, phone=0.6)
        if person.company >= 0 and rng.random() < 0.35:
            self._row(index, person, "erp.partners", mail=0.5, phone=0.6)
        if rng.random() < 0.76:
            self._mailboxes(index, person)
        if rng.random() < 0.3 or len(self._truth) == before:
            self._row(index, person, "tickets.tickets", mail=0.7, phone=0)

    def _mailboxes(self, index: int, person: Individual) -> None:
        rng = self._rng
        addresses = [*person.addresses, *([person.old_address] if person.old_address else [])]
        for address in dict.fromkeys(addresses):
            for _ in range(rng.choices((1, 2, 3, 4), weights=(50, 30, 14, 6))[0]):
                family = (
                    person.born if address == person.old_address and rng.random() < 0.7 else person.family
                )
                written, traits = self._written(person, family, "mail.headers")
                shared = rng.random() < 0.02 and person.company >= 0
                at = f"{rng.choice(_SHARED)}@{address.partition('@')[2]}" if shared else address
                traits |= {"shared mailbox"} if shared else set()
                traits |= {"second address"} if address != person.addresses[0] else set()
                self._rows["mail.headers"].append({"from": f"{written} <{at}>"})
                self._note(index, traits, address=at, name=written)

    def _row(self, index: int, person: Individual, table: str, *, mail: float, phone: float) -> None:
        rng = self._rng
        old = bool(person.born) and rng.random() < 0.4
        written, traits = self._written(person, person.born if old else person.family, table)
        traits |= {"married name"} if person.born else set()
        address = ""
        if rng.random() < mail:
            address = person.old_address if old and person.old_address else rng.choice(person.addresses)
            traits |= {"second address"} if address != person.addresses[0] else set()
        number = person.phone if rng.random() < phone else ""
        traits |= {"no mail"} if not address else set()
        firm = self._firms[person.company] if person.company >= 0 else None
        company = "" if firm is None else firm.name if rng.random() < 0.5 else " ".join(firm.name.split()[:2])
        ident = f"{table[0].upper()}{len(self._rows[table]):08d}"
        row = {"id": ident, "name": written, "email": address or None, "phone": number or None}
        row |= {"account": f"A{person.company:07d}" if firm else None, "company": company or None}
        row |= {"login": person.login}
        login = person.login if "login" in SPECS[table] else ""
        self._rows[table].append({column: row[column] for column in SPECS[table]})
        self._note(index, traits, f"{table}.id|{ident}", address, login, written, company, number)

    def _note(
        self, person: int, traits: set[str], key: str = "", address: str = "", login: str = "",
        name: str = "", company: str = "", phone: str = "",
    ) -> None:  # fmt: skip
        plain = frozenset(traits) or frozenset({"plain"})
        self._truth.append(Truth(person, plain, key, address, login, name, company, phone))

    def _written(self, person: Individual, family: str, table: str) -> tuple[str, set[str]]:
        """Returns a name as one system has it, and what makes it hard to recognise."""
        rng, first, traits = self._rng, person.first, set[str]()
        if person.called and rng.random() < (0.1 if table == "erp.partners" else 0.6):
            first = person.called
            traits.add("nickname")
        if family != person.family:
            traits.add("married name")
        if rng.random() < 0.03:
            traits.add("typo")
            first, family = (
                (first, _mistyped(rng, family)) if rng.random() < 0.6 else (_mistyped(rng, first), family)
            )
        if table == "erp.partners" or (rng.random() < 0.3 and not f"{first}{family}".isascii()):
            out = rng.random() < 0.5
            folded = [_plain(part.translate(_WRITTEN_OUT) if out else part) for part in (first, family)]
            traits |= {"diacritics"} if folded != [first, family] else set()
            first, family = folded
        if rng.random() < 0.05 and table != "directory.users":
            traits.add("initial")
            first = first[0] + "."
        elif person.middle and rng.random() < 0.2:
            first = f"{first} {person.middle[0]}."
        name = f"{family}, {first}" if rng.random() < 0.15 else f"{first} {family}"
        if table == "erp.partners" and rng.random() < 0.5:
            turned = rng.random() < 0.3 and "." not in first
            traits |= {"family first"} if turned else set()
            name = f"{family} {first}".upper() if turned else name.upper()
        return name, traits


def _mistyped(rng: random.Random, word: str) -> str:
    if len(word) < 4:
        return word
    at = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    if kind == 2:
        return word[:at] + word[at] + word[at:]
    return word[:at] + _NEAR.get(word[at], "e") + word[at + 1 :]


def _plain(text: str) -> str:
    swapped = text.replace("ß", "ss").replace("ł", "l").replace("Ł", "L").replace("ø", "o").replace("Ø", "O")
    return "".join(char for char in unicodedata.normalize("NFKD", swapped) if char.isascii())


def _spec(kind: ColumnKind, references: str | None = None) -> ColumnSpec:
    return ColumnSpec(kind=kind, references=references)


_ID, _NAME, _MAIL = _spec(ColumnKind.ID), _spec(ColumnKind.PERSON), _spec(ColumnKind.EMAIL)
_PHONE, _FIRM = _spec(ColumnKind.PHONE), _spec(ColumnKind.COMPANY)
SPECS: dict[str, dict[str, ColumnSpec]] = {
    "crm.accounts": {"id": _ID, "name": _FIRM, "website": _spec(ColumnKind.URL)},
    "crm.contacts": {
        "id": _ID, "account": _spec(ColumnKind.ID, "crm.accounts.id"), "name": _NAME, "email": _MAIL,
        "phone": _PHONE,
    },
    "erp.partners": {"id": _ID, "company": _FIRM, "name": _NAME, "email": _MAIL, "phone": _PHONE},
    "directory.users": {"id": _ID, "login": _spec(ColumnKind.LOGIN), "name": _NAME, "email": _MAIL},
    "mail.headers": {"from": _spec(ColumnKind.MAILBOX)},
    "tickets.tickets": {
        "id": _ID, "login": _spec(ColumnKind.LOGIN), "name": _NAME, "email": _MAIL, "company": _FIRM,
    },
}  # fmt: skip
KEYS = {name: ["id"] for name in SPECS if name != "mail.headers"}


def population(seed: int, records: int) -> Population:
    """Returns about so many records of invented people; the same for the same seed."""
    return Maker(seed, records).make()
