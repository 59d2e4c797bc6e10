"""Every searchable form of every entity, and its replacement.

Belongs here: which forms exist and how sure each is on its own. Does not belong here: searching
(`recognizers.known`).
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from anonymize.findings import FindingKind
from anonymize.forms import (
    INITIAL_TEMPLATES,
    PERSON_TEMPLATES,
    PersonName,
    company_form,
    company_forms,
    flat,
    render,
    spellings,
    words_of,
)
from anonymize.identifiers import IdentifierMap
from anonymize.registry import Registry, domain_stem
from anonymize.surrogates import Surrogates
from anonymize.words import family_names, first_names, known_names, nicknames, word_set
from contracts.names import fold


class Strength(IntEnum):
    """How much a form needs besides itself."""

    STRONG = 3
    """Stands for its entity anywhere, in any letter case."""
    CAPITAL = 2
    """Needs a capital letter."""
    SCOPED = 1
    """Needs a capital letter and its entity among the participants, or a form of address before it."""


class Form(NamedTuple):
    """One form of one entity."""

    kind: FindingKind
    entity: int
    replacement: str
    strength: Strength
    part: str = ""
    """"first" or "last" for single names, else empty."""


SHORTEST_COMPANY = 4
SHORTEST_LOGIN = 4


class KnownForms:
    """Search text -> forms, for all entities of a registry."""

    def __init__(self, surrogates: Surrogates, identifiers: IdentifierMap) -> None:
        """Renders all forms once."""
        self.forms: dict[str, list[Form]] = {}
        self._surrogates = surrogates
        self._registry: Registry = surrogates.registry
        self._ordinary = self._registry.vocabulary
        for index in range(len(self._registry.persons)):
            self._add_person(index)
        for index in range(len(self._registry.companies)):
            self._add_company(index)
        for real, new in surrogates.kept.streets.items():
            if len(real) >= 6 and real in set(self._registry.streets):
                self._add(real, Form(FindingKind.STREET, 0, new, Strength.STRONG))
        for real in self._registry.cities:
            if surrogates.kept.cities[real] != real and len(real) >= 4:
                strength = Strength.SCOPED if self._is_ordinary(real) else Strength.CAPITAL
                if strength is Strength.CAPITAL:
                    self._add(real, Form(FindingKind.CITY, 0, surrogates.kept.cities[real], strength))
        self._add_identifiers(identifiers)

    def _add(self, text: str, form: Form) -> None:
        for spelling in spellings(text):
            held = self.forms.setdefault(spelling, [])
            if not any(other.kind is form.kind and other.entity == form.entity for other in held):
                held.append(form)

    def _is_ordinary(self, text: str) -> bool:
        return all(word in self._ordinary for word in words_of(text))

    def _add_person(self, index: int) -> None:
        person = self._registry.persons[index]
        for name in self._variants(person.names):
            new = self._surrogates.variant(index, name)
            for template in PERSON_TEMPLATES if name.first and name.last else ():
                self._add_name(index, template, name, new, Strength.STRONG)
            for template in INITIAL_TEMPLATES if len(name.first) > 1 and name.last else ():
                plain = template == "{a} {l}" and (name.first[0] in "AI" or self._is_ordinary(name.last))
                if not plain:
                    self._add_name(index, template, name, new, Strength.CAPITAL)
        for name in self._variants(person.names):
            new = self._surrogates.variant(index, name)
            if len(name.first.rstrip(".")) > 1 and new.first:
                self._add(name.first, Form(FindingKind.PERSON, index, new.first, Strength.SCOPED, "first"))
            if len(name.last) > 2 and new.last:
                strength = Strength.SCOPED if self._weak_family(name.last) else Strength.CAPITAL
                self._add(name.last, Form(FindingKind.PERSON, index, new.last, strength, "last"))
        for login in person.logins:
            if len(login) >= SHORTEST_LOGIN and "@" not in login:
                plain = (
                    login.lower() in self._ordinary
                    or fold(login) in first_names()
                    or fold(login) in family_names()
                )
                strength = Strength.SCOPED if plain else Strength.STRONG
                self._add(login, Form(FindingKind.LOGIN, index, self._surrogates.login(login), strength))

    def _weak_family(self, last: str) -> bool:
        return self._is_ordinary(last) or fold(last) in first_names() or len(last) < 4

    def _variants(self, names: tuple[PersonName, ...]) -> list[PersonName]:
        found = dict.fromkeys(names)
        for name in names:
            for nickname in nicknames().get(fold(name.first), ()):
                found.setdefault(name._replace(first=nickname))
        return list(found)

    def _add_name(
        self, index: int, template: str, name: PersonName, new: PersonName, strength: Strength
    ) -> None:
        text, replacement = render(template, name), render(template, new)
        if text and replacement and len(text) > 3:
            self._add(text, Form(FindingKind.PERSON, index, replacement, strength))

    def _add_company(self, index: int) -> None:
        company, core = self._registry.companies[index], self._surrogates.cores[index]
        for name in company.names:
            words = words_of(name.core)
            single = len(words) == 1
            ordinary = self._is_ordinary(name.core) or (single and fold(name.core) in known_names())
            for template, text in company_forms(name.core).items():
                if len(text) < SHORTEST_COMPANY and not name.legal:
                    continue
                strength = Strength.STRONG
                if ordinary or len(text) < SHORTEST_COMPANY + 2:
                    strength = Strength.SCOPED if single else Strength.CAPITAL
                replacement = company_form(template, " ".join(core.split()[: len(words)]))
                self._add(text, Form(FindingKind.COMPANY, index, replacement, strength))
                if strength is not Strength.STRONG and name.legal:
                    full = Form(FindingKind.COMPANY, index, f"{replacement} {name.legal}", Strength.STRONG)
                    self._add(f"{text} {name.legal}", full)
            self._add_first_word(index, words, core)
        for domain in company.domains:
            new = self._surrogates.domain(domain)
            self._add(domain, Form(FindingKind.DOMAIN, index, new, Strength.STRONG))
            stem = domain_stem(domain)
            if len(stem) >= 5 and not company.names:
                strength = Strength.SCOPED if stem in self._ordinary else Strength.CAPITAL
                self._add(stem, Form(FindingKind.COMPANY, index, core, strength))
            elif len(stem) >= 6 and stem not in self._ordinary:
                self._add(stem, Form(FindingKind.COMPANY, index, new.rpartition(".")[0], Strength.STRONG))

    def _add_first_word(self, index: int, words: list[str], core: str) -> None:
        if len(words) < 2 or len(words[0]) < SHORTEST_COMPANY:
            return
        weak = words[0] in self._ordinary or words[0] in known_names() or words[0] in word_set("zone_cities")
        strength = Strength.SCOPED if weak or len(words[0]) < 5 else Strength.CAPITAL
        self._add(words[0], Form(FindingKind.COMPANY, index, core.split()[0], strength, "first"))

    def _add_identifiers(self, identifiers: IdentifierMap) -> None:
        for value in self._registry.identifiers:
            if not searchable_identifier(value):
                continue
            new = identifiers.identifier(value)
            self.forms.setdefault(flat(value), []).append(
                Form(FindingKind.IDENTIFIER, 0, new, Strength.STRONG)
            )
            bare = value.lstrip("0")
            if bare != value and searchable_identifier(bare):
                short = Form(FindingKind.IDENTIFIER, 0, identifiers.identifier(bare), Strength.STRONG)
                self.forms.setdefault(flat(bare), []).append(short)


_DATE_LIKE = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")


def searchable_identifier(value: str) -> bool:
    """Says whether an id may be searched in text on its own: long enough, and no date or plain word."""
    digits = sum(char.isdigit() for char in value)
    if not value.isascii() or digits == 0 or _DATE_LIKE.fullmatch(value):
        return False
    return (len(value) >= 6 and digits >= 4) or bool(re.fullmatch(r"[A-Z]{2,10}-\d+", value)) or (
        len(value) >= 8 and any(char.isalpha() for char in value) and digits >= 2)  # fmt: skip
