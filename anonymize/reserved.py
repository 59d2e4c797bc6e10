"""Reserved forms: the real words and names that no surrogate may equal when it is assigned.

Belongs here: what the registry forbids. Does not belong here: what other surrogates took (`surrogates`).
"""

from __future__ import annotations

from anonymize.forms import words_of
from anonymize.registry import Registry, domain_stem
from anonymize.words import is_nickname, nicknames
from contracts.names import fold

SHORTEST_LOGIN = 7
"""Characters of a login that is searched wherever it stands."""


class Reserved:
    """The real family names, company words, logins and names of one registry."""

    def __init__(self, registry: Registry) -> None:
        """Collects them once."""
        words = {fold(name.last) for person in registry.persons for name in person.names if name.last}
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

    def spells_turned(self, family: str, *firsts: str) -> bool:
        """Says whether a surrogate, written family name first, would spell a real person's name.

        The pools of first and family names overlap: "Thomas James" turned is "James Thomas".
        """
        given = {*firsts, *(short for first in firsts for short in nicknames().get(fold(first), ()))}
        given |= {full for first in firsts for full in nicknames() if is_nickname(first, full)}
        return any(fold(f"{family} {first}") in self._names for first in given)
