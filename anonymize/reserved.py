"""Reserved forms: the real words and names that no surrogate may hold when it is assigned.

Belongs here: what the registry forbids. Does not belong here: what other surrogates took (`surrogates`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from anonymize.forms import ascii_text, company_forms, german_text, words_of
from anonymize.real_forms import FormSearch, real_forms
from anonymize.registry import Person, Registry, domain_stem
from anonymize.words import is_nickname, nicknames
from contracts.names import fold

SHORTEST_LOGIN = 7
"""Characters of a login that is searched wherever it stands."""
_GAPS = (" ", ", ", ".", ". ", "_", "-", "/", ";", ",")
_APART = " | "
"""Stands between forms that are searched at once; no real form holds it."""


class Reserved:
    """The real family names, company words, logins and names of one registry."""

    def __init__(self, registry: Registry) -> None:
        """Collects them once."""
        lasts = {name.last for person in registry.persons for name in person.names if name.last}
        words = {fold(last) for last in lasts} | {word for last in lasts for word in words_of(last)}
        words.update(
            word for company in registry.companies for name in company.names for word in words_of(name.core)
        )
        words.update(domain_stem(domain) for company in registry.companies for domain in company.domains)
        words.update(login.lower() for person in registry.persons for login in person.logins)
        words.update(a.partition("@")[0] for person in registry.persons for a in person.addresses)
        self.places = frozenset(word for city in registry.cities for word in words_of(city))
        """Words of real cities: a name drawn for a person must not be one."""
        logins = (login.lower() for person in registry.persons for login in person.logins)
        self.firsts = self.places | {login for login in logins if len(login) >= SHORTEST_LOGIN}
        """What no first name drawn for a person may be: words of cities, and logins that are searched."""
        self.words = frozenset(words) | self.places
        self._names = registry.by_name.keys()
        self._search = FormSearch(real_forms(registry))

    def barred_firsts(self, person: Person) -> frozenset[str]:
        """Returns what no first name drawn for a person may be: their own too, where they have no other."""
        return self.firsts | {fold(name.first) for name in person.names if not name.last}

    def holds_real_form(self, *texts: str) -> bool:
        """Says whether one of the texts holds a real form that the leak scan searches anywhere."""
        written = _APART.join(texts)
        if not written.isascii():
            written = _APART.join((written, german_text(written), ascii_text(written)))
        return next(self._search.hits(written), None) is not None

    def spells_real(self, first: str, middle: str, *families: str) -> bool:
        """Says whether a surrogate person would, in any form that is written of it, hold a real form.

        The pools of first and family names overlap, and both hold what others have as login, street or
        company: "Thomas James" turned is "James Thomas", and a middle name may be somebody's login.
        """
        firsts = called(first)
        turned = (f"{family} {given}" for family in families for given in (*firsts, middle))
        if any(fold(text) in self._names for text in turned):
            return True
        return self.holds_real_form(*_written(firsts, middle, families))

    def spells_company(self, core: str) -> bool:
        """Says whether a surrogate company, whole or cut after one of its words, holds a real form."""
        words = core.split()
        cut = (" ".join(words[:size]) for size in range(1, len(words) + 1))
        return self.holds_real_form(*(form for text in cut for form in company_forms(text).values()))


@cache
def called(first: str) -> tuple[str, ...]:
    """Returns a first name of the pools with its nicknames, and the full names of which it is one."""
    short = nicknames().get(fold(first), ())
    full = (name.title() for name in nicknames() if is_nickname(first, name))
    return tuple(dict.fromkeys((first, *short, *full)))


def _written(firsts: Iterable[str], middle: str, families: tuple[str, ...]) -> Iterator[str]:
    """Yields texts that hold every form of a name: parts in both orders, with initials, glued."""
    for first in firsts:
        for given in (first, first[:1]):
            for family in families:
                yield from (f"{given}{gap}{family}{gap}{given}" for gap in _GAPS)
                yield from (given + family, family + given)
        for family in families:
            for second in (middle, middle[:1], f"{middle[:1]}."):
                yield from (f"{first} {second} {family}", f"{family}, {first} {second}")
                yield f"{first}.{second}.{family}"
