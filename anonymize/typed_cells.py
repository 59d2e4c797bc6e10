"""Typed cells before and after: what the audit demands of columns whose kind names somebody or something.

Belongs here: the verdict on one pair of cells, by kind, from the raw value, the clean one and what the vault
assigned. No pattern, boundary or learned word of replacement is used. Does not belong here: walking over
tables and bounds (`column_audit`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from anonymize.constants import (
    LEGAL_FORMS,
    MACHINE_WORDS,
    NAME_PARTS,
    TEAM_WORDS,
    bare,
    digits,
    is_mark,
    is_public_host,
    is_role_local,
    listed,
    spelt,
    words,
)
from anonymize.surrogates import Assignments
from anonymize.words import nicknames, pool
from contracts.tables import ColumnKind

_FIRST_NAMES = ("first_female_en", "first_male_en", "first_female_de", "first_male_de")
SHORTEST_NUMBER = 7
"""Digits from which a number is told by its digits alone."""
LONGEST_TOKEN = 10


class Verdict(StrEnum):
    """What became of one cell."""

    MOVED = "moved"
    CONSTANT = "constant"
    """It may stay: empty, a word for a function, a public provider, a city that names a time zone."""
    MET = "met"
    """Something real stands there that was assigned to somebody else: chance, up to a bound."""
    KEPT = "kept"
    """Something real stands there that nobody was assigned."""
    FOREIGN = "foreign"
    """What stands there is no surrogate of this kind."""


_GRAVITY = [Verdict.CONSTANT, Verdict.MOVED, Verdict.MET, Verdict.FOREIGN, Verdict.KEPT]


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Returns the gravest of several verdicts on parts of one cell."""
    return max(verdicts, key=_GRAVITY.index, default=Verdict.CONSTANT)


@dataclass(frozen=True)
class Assigned:
    """What the vault says was given out, as compared words and values."""

    names: frozenset[str]
    companies: frozenset[str]
    handles: frozenset[str]
    hosts: frozenset[str]
    streets: frozenset[str]
    cities: frozenset[str]
    phones: frozenset[str]

    @classmethod
    def of(cls, kept: Assignments) -> Assigned:
        """Returns the surrogates of a vault."""
        given = {word for parts in kept.persons.values() for part in parts for word in words(part)}
        shorts = {
            *(short for first in given for short in nicknames().get(first, ())),
            *(full for full, known in nicknames().items() if given & {bare(short) for short in known}),
        }
        loose = {name for list_name in _FIRST_NAMES for name in pool(list_name)}
        texts = {*(part for parts in kept.persons.values() for part in parts), *shorts, *loose}
        return cls(
            frozenset(word for text in texts for form in spelt(text) for word in words(form)),
            frozenset(word for core in kept.companies.values() for word in words(core)),
            frozenset(bare(handle) for handle in kept.handles.values()),
            frozenset(kept.domains.values()),
            frozenset(bare(street) for street in kept.streets.values()),
            frozenset(bare(city) for city in kept.cities.values()),
            frozenset(digits(number) for number in kept.phones.values()),
        )


Judge = Callable[[str, str], Verdict]


class CellAudit:
    """The demand on every kind of typed cell."""

    def __init__(self, assigned: Assigned) -> None:
        """Takes what was given out."""
        self._assigned = assigned
        self._kind = ColumnKind.TEXT
        self.met: dict[ColumnKind, set[str]] = {}
        """Kind -> real words and handles that stand where others' surrogates are expected."""
        self._judges: dict[ColumnKind, Judge] = {
            ColumnKind.PERSON: self.name,
            ColumnKind.COMPANY: self.company,
            ColumnKind.EMAIL: self.address,
            ColumnKind.MAILBOX: self.mailbox,
            ColumnKind.LOGIN: self.login,
            ColumnKind.DOMAIN: self.host,
            ColumnKind.URL: self.url,
            ColumnKind.STREET: lambda raw, clean: self._place(raw, clean, assigned.streets),
            ColumnKind.CITY: lambda raw, clean: self._place(raw, clean, assigned.cities),
        }

    def judge(self, kind: ColumnKind, raw: str, clean: str) -> Verdict | None:
        """Returns the verdict on a pair of cells, or None where the kind is judged by whole columns."""
        judge = self._judges.get(kind)
        if judge is None:
            return None
        self._kind = kind
        return judge(raw, clean) if raw.strip() else Verdict.CONSTANT

    def name(self, raw: str, clean: str) -> Verdict:
        """A person's name, whole or in part, several in a list, or whatever stands for one."""
        raws, cleans = _people(raw), _people(clean)
        if len(raws) > 1 and len(raws) == len(cleans) and ("@" in raw or all(map(_is_login, raws))):
            return worst(map(self.name, raws, cleans))
        if is_mark(raw) and raw == clean:
            return Verdict.CONSTANT
        if "://" in raw:
            return self.url(raw, clean)
        if raw.strip().startswith("@") and raw.count("@") == 1:
            handle, _, rest = raw.strip()[1:].partition(" ")
            new, _, new_rest = clean.strip().removeprefix("@").partition(" ")
            return worst([self._local(handle, new), self.name(rest, new_rest) if new_rest else Verdict.MOVED])
        if _is_login(raw) and bare(clean.strip()) in self._assigned.handles:
            return self._local(raw.strip(), clean.strip())
        if "@" in raw:
            return self.mailbox(raw, clean)
        free = NAME_PARTS | TEAM_WORDS | MACHINE_WORDS | listed("roles") | LEGAL_FORMS
        return self._by_words(raw, clean, free, self._assigned.names | self._assigned.companies)

    def company(self, raw: str, clean: str) -> Verdict:
        """A company's name; only its legal form and the generic second words of surrogates may agree."""
        generic = listed("company_endings") | listed("company_middles")
        same = bare(raw) == bare(clean) and not set(words(raw)) <= LEGAL_FORMS
        verdict = self._by_words(raw, clean, LEGAL_FORMS | generic, self._assigned.companies)
        return Verdict.KEPT if same else verdict

    def _by_words(self, raw: str, clean: str, free: frozenset[str], given: frozenset[str]) -> Verdict:
        real = {form for word in words(raw) for form in spelt(word)}
        verdicts = []
        for word in words(clean):
            if len(word) < 2 or word in free:
                verdicts.append(Verdict.CONSTANT)
            elif word in real:
                verdicts.append(self._met(word) if word in given else Verdict.KEPT)
            else:
                verdicts.append(Verdict.MOVED if word in given or _is_token(word) else Verdict.FOREIGN)
        return worst(verdicts)

    def _met(self, word: str) -> Verdict:
        self.met.setdefault(self._kind, set()).add(word)
        return Verdict.MET

    def mailbox(self, raw: str, clean: str) -> Verdict:
        """A name with an address, or either alone."""
        raw_name, raw_address = split_mailbox(raw)
        name, address = split_mailbox(clean)
        verdicts = []
        if raw_address:
            verdicts.append(self.address(raw_address, address) if address else Verdict.FOREIGN)
        if raw_name:
            verdicts.append(self.name(raw_name, name))
        return worst(verdicts)

    def address(self, raw: str, clean: str) -> Verdict:
        """A mail address, or what stands where one is expected."""
        raw, clean = raw.strip().strip("<>"), clean.strip().strip("<>")
        raw_local, raw_at, raw_host = raw.rpartition("@")
        local, at, host = clean.rpartition("@")
        if not raw_at:
            return self._local(raw, local if at else clean)
        if not at:
            return Verdict.FOREIGN if _overlap(raw, clean) else Verdict.MOVED
        return worst([self._local(raw_local, local), self.host(raw_host, host)])

    def _local(self, raw: str, clean: str) -> Verdict:
        if is_role_local(raw) and bare(raw) == bare(clean):
            return Verdict.CONSTANT
        base, _, tag = clean.partition("+")
        raw_tag = raw.partition("+")[2]
        if tag and bare(tag) == bare(raw_tag) and not is_role_local(tag) and not tag.isdigit():
            return Verdict.KEPT
        if bare(base) == bare(raw.partition("+")[0]):
            return self._met(bare(base)) if bare(base) in self._assigned.handles else Verdict.KEPT
        known = bare(base) in self._assigned.handles or _is_hashed(base) or is_role_local(base)
        return Verdict.MOVED if known else Verdict.FOREIGN

    def login(self, raw: str, clean: str) -> Verdict:
        """A login, or an address used as one."""
        if "@" in raw:
            return self.address(raw, clean)
        if " " in raw.strip():
            return self.name(raw, clean)
        return self._local(raw.strip(), clean.strip())

    def host(self, raw: str, clean: str) -> Verdict:
        """A domain or host name."""
        raw, clean = raw.lower().strip(". "), clean.lower().strip(". ")
        if raw == clean:
            return Verdict.CONSTANT if is_public_host(raw) or raw == "localhost" else Verdict.KEPT
        given = clean.endswith(".example") or _is_hashed(clean) or is_public_host(clean)
        return Verdict.MOVED if given else Verdict.FOREIGN

    def url(self, raw: str, clean: str) -> Verdict:
        """A web address or bare host: its host must be another one."""
        raw_host, host = _host(raw), _host(clean)
        if "." not in raw_host:
            return Verdict.CONSTANT
        if raw_host == host:
            return Verdict.CONSTANT if is_public_host(raw_host) else Verdict.KEPT
        return Verdict.MOVED

    def _place(self, raw: str, clean: str, given: frozenset[str]) -> Verdict:
        if bare(raw) == bare(clean):
            named = bare(raw) in {bare(city) for city in pool("zone_cities")}
            return Verdict.CONSTANT if named or not any(char.isalpha() for char in raw) else Verdict.KEPT
        return Verdict.MOVED if bare(clean) in given else Verdict.FOREIGN


_BETWEEN = re.compile(r"\s*[;|\n\[\]\"]+\s*|\s*,\s*")


def _people(cell: str) -> list[str]:
    """Returns the people of a list: between semicolons, bars, line breaks, quote marks or commas."""
    return [piece for piece in _BETWEEN.split(cell) if piece.strip()]


def _is_login(text: str) -> bool:
    bare_text = text.strip()
    return (
        bare_text == bare_text.lower()
        and bare_text.isascii()
        and all(char.isalnum() or char in "._-" for char in bare_text)
    )


def split_mailbox(text: str) -> tuple[str, str]:
    """Returns the name and the address of a mailbox; either may be empty."""
    before, opened, inside = text.rpartition("<")
    if opened:
        return before.strip(" \"'"), inside.partition(">")[0].strip()
    return ("", text.strip()) if "@" in text else (text.strip(" \"'"), "")


def _host(text: str) -> str:
    rest = text.strip().lower()
    rest = rest.partition("://")[2] or rest
    return rest.partition("/")[0].partition(":")[0].removeprefix("www.")


def _is_hashed(text: str) -> bool:
    """Says whether a value is a keyed digest behind a letter or word of ours."""
    tail = text.lower()
    for head in ("host", "u", "x", "d", "h"):
        rest = tail.removeprefix(head)
        if rest != tail and len(rest) >= 6 and all(char in "0123456789abcdef" for char in rest):
            return True
    return False


def _is_token(word: str) -> bool:
    """Says whether a word is a piece of a keyed digest."""
    return all(char in "abcdefux" for char in word) and len(word) <= LONGEST_TOKEN


def _overlap(raw: str, clean: str) -> bool:
    return bool({word for word in words(raw) if len(word) > 2} & set(words(clean)))


def number_core(value: str) -> str:
    """Returns what of a number counts: its digits where there are seven, else letters and digits."""
    if "@" in value:
        return bare(value.rpartition("@")[0].strip(" <>"))
    numbers = digits(value).lstrip("0")
    if len(numbers) >= SHORTEST_NUMBER and not any(char.isalpha() for char in value):
        return numbers
    return "".join(char for char in bare(value) if char.isalnum()).lstrip("0")
