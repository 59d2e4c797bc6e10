"""Real forms: how the names and places of a registry are written, and the search for them as whole words.

Belongs here: which forms are telling enough to be searched anywhere. Both sides use them: no surrogate may
hold one when it is assigned (`reserved`), no clean cell may hold one when it is scanned (`leaks`). Does not
belong here: numbers and identifiers, which meet others by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from anonymize.forms import PersonName, flat, render, words_of
from anonymize.registry import Registry, shared_names
from anonymize.words import known_names, ordinary_words, word_set
from contracts.names import fold

STREET, CITY = "street", "city"


class NameKind(StrEnum):
    """What a whole real name names."""

    PERSON = "person"
    ADDRESS = "address"
    COMPANY = "company"
    DOMAIN = "domain"


class WholeName(NamedTuple):
    """A name that tells somebody, as the registry has it."""

    kind: NameKind
    text: str


SHORTEST_FORM = 7
"""Shorter forms occur by chance; single names and short ids are checked in their own columns only."""
FULL_TEMPLATES = ("{f} {l}", "{l}, {f}", "{l} {f}", "{f}.{l}", "{f}_{l}", "{f} {m} {l}", "{f}{l}")
_INITIAL_TEMPLATES = ("{f} {l}", "{l}, {f}")


def whole_names(registry: Registry) -> Iterator[WholeName]:
    """Yields every first and last name, mail address, company without its legal form, and domain."""
    for person in registry.persons:
        for name in person.names:
            if name.first and name.last:
                yield WholeName(NameKind.PERSON, name.full)
        for address in person.addresses:
            yield WholeName(NameKind.ADDRESS, address)
    for company in registry.companies:
        for company_name in company.names:
            yield WholeName(NameKind.COMPANY, company_name.core)
        for domain in company.domains:
            yield WholeName(NameKind.DOMAIN, domain)


def real_forms(registry: Registry) -> dict[str, str]:
    """Returns search text -> kind for every real form of a name or place that is searched anywhere."""
    forms: dict[str, str] = {}
    for person in registry.persons:
        for name in person.names:
            for form in forms_of_name(name):
                note_form(forms, form, NameKind.PERSON)
        for login in person.logins:
            if fold(login) not in ordinary_words():
                note_form(forms, login, "login")
    shared = shared_names(registry)
    for kind, text in whole_names(registry):
        common = kind is NameKind.COMPANY and (_is_common(text) or fold(text) in shared)
        if kind is not NameKind.PERSON and not common:
            note_form(forms, text, kind)
    for street in registry.streets:
        note_form(forms, street, STREET)
    for city in registry.cities:
        if fold(city) not in word_set("zone_cities") and not set(words_of(city)) <= ordinary_words():
            note_form(forms, city, CITY)
    return forms


def _is_common(company: str) -> bool:
    """Says whether a company is called by everyday words or first names alone."""
    words = set(words_of(company))
    return words <= ordinary_words() or words <= known_names()


def forms_of_name(name: PersonName) -> list[str]:
    """Returns the flat forms of a full name; "Ann B." names nobody, and "Lee A." is no form of "A. Lee"."""
    if not name.first or len(name.last.strip(".")) < 2:
        return []
    templates = FULL_TEMPLATES if len(name.first.strip(".")) > 1 else _INITIAL_TEMPLATES
    return [flat(form) for template in templates for form in [render(template, name)] if form]


def note_form(forms: dict[str, str], text: str, kind: str) -> None:
    """Adds a form where it is long enough; the first kind of a text stays."""
    if len(text) >= SHORTEST_FORM:
        forms.setdefault(flat(text), kind)


class FormSearch:
    """One automaton over search texts, each found as whole words only."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Takes flat texts."""
        self.texts = sorted(texts)
        self._automaton = AhoCorasick(self.texts) if self.texts else None

    def hits(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yields (start, end, index into `texts`) of every search text that stands in a text."""
        if self._automaton is None:
            return
        haystack = flat(text)
        for index, start, end in self._automaton.find_matches_as_indexes(haystack, overlapping=True):
            before = start > 0 and haystack[start - 1].isalnum()
            behind = end < len(haystack) and haystack[end].isalnum()
            if not before and not behind:
                yield start, end, index
