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
    GLUED_TEMPLATES,
    INITIAL_TEMPLATES,
    PERSON_TEMPLATES,
    PersonName,
    company_form,
    company_forms,
    flat,
    render,
    words_of,
)
from anonymize.identifiers import IdentifierMap
from anonymize.registry import Registry, domain_stem, shared_names
from anonymize.spellings import family_parts, letters_in, shortened, spellings, without_particle
from anonymize.surrogates import Surrogates
from anonymize.words import (
    diminutives,
    family_names,
    first_names,
    known_names,
    nicknames,
    ordinary_words,
    word_list,
    word_set,
)
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
    """"first" or "last" for single names, "initial" for a name with one, "code" for letters as they are."""
    guessed: bool = False
    """A nickname that nobody was seen to use for the person."""


SHORTEST_COMPANY = 4
SHORTEST_LOGIN = 4
SHORTEST_SINGLE = 4
"""Letters of a single family name that stands for its bearer outside its scope; shorter ones are scoped."""
SHORTEST_GLUED = 4


class KnownForms:
    """Search text -> forms, for all entities of a registry."""

    def __init__(self, surrogates: Surrogates, identifiers: IdentifierMap) -> None:
        """Renders all forms once."""
        self.forms: dict[str, list[Form]] = {}
        self._surrogates = surrogates
        self._registry: Registry = surrogates.registry
        self._ordinary = self._registry.vocabulary
        self._shared = shared_names(self._registry)
        self._named = [
            [(name, surrogates.variant(index, name)) for name in _variants(person.names)]
            for index, person in enumerate(self._registry.persons)
        ]
        for index in range(len(self._registry.persons)):
            self._add_person(index)
        for index in range(len(self._registry.companies)):
            self._add_company(index)
        for real in self._registry.streets:
            if len(real) >= 6:
                self._add(real, Form(FindingKind.STREET, 0, surrogates.kept.streets[real], Strength.STRONG))
        for real in self._registry.cities:
            if surrogates.kept.cities[real] != real and len(real) >= 3:
                strength = Strength.SCOPED if self._is_ordinary(real) else Strength.CAPITAL
                if strength is Strength.CAPITAL:
                    self._add(real, Form(FindingKind.CITY, 0, surrogates.kept.cities[real], strength))
        self._add_identifiers(identifiers)
        for index in range(len(self._registry.persons)):
            self._add_shortened(index)

    def _add(self, text: str, form: Form, *, derived: bool = False) -> None:
        """Adds a form in all its spellings; a `derived` one gives way to whoever is written so."""
        for spelling in spellings(text):
            held = self.forms.setdefault(spelling, [])
            single = form.part == "last"
            if derived and any(other.kind is form.kind or not single for other in held):
                continue
            if not _is_held(form, held):
                held.append(form)

    def _is_ordinary(self, text: str) -> bool:
        return all(word in self._ordinary for word in words_of(text))

    def _add_person(self, index: int) -> None:
        person = self._registry.persons[index]
        for name, new in self._named[index]:
            for template in PERSON_TEMPLATES if name.first and name.last else ():
                self._add_name(index, template, name, new, Strength.STRONG)
            for template in INITIAL_TEMPLATES if len(name.first) > 1 and name.last else ():
                bare = template in ("{a} {l}", "{l} {a}")
                if not (bare and (name.first[0] in "AI" or self._is_ordinary(name.last))):
                    self._add_name(index, template, name, new, Strength.CAPITAL, "initial")
        for name, new in self._named[index]:
            if len(name.first.rstrip(".")) > 1 and new.first:
                guessed = name not in person.names
                form = Form(FindingKind.PERSON, index, new.first, Strength.SCOPED, "first", guessed)
                self._add(name.first, form)
            if letters_in(name.last) > 1 and new.last:
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

        for address in person.addresses:
            new_address = self._surrogates.address(address)
            self._add(address, Form(FindingKind.EMAIL, index, new_address, Strength.STRONG))

    def _add_shortened(self, index: int) -> None:
        """Adds names as others write them: parts of double names, particles and hyphens left out."""
        for name, new in self._named[index]:
            for short in shortened(name):
                for template in PERSON_TEMPLATES:
                    text, replacement = render(template, short), render(template, new)
                    if text and replacement:
                        form = Form(FindingKind.PERSON, index, replacement, Strength.STRONG)
                        self._add(text, form, derived=True)
            for template in GLUED_TEMPLATES if len(name.first) > 1 and self._is_telling(name.last) else ():
                text = render(template, name)
                if fold(text) not in self._ordinary and fold(text) not in known_names():
                    form = Form(FindingKind.PERSON, index, render(template, new), Strength.STRONG)
                    self._add(text, form, derived=True)
            for part in (*family_parts(name.last), *without_particle(name.last)) if new.last else ():
                weak = self._weak_family(part) or fold(part) in known_names()
                form = Form(
                    FindingKind.PERSON, index, new.last, Strength.SCOPED if weak else Strength.CAPITAL, "last"
                )
                self._add(part, form, derived=True)

    def _weak_family(self, last: str) -> bool:
        return self._is_ordinary(last) or fold(last) in first_names() or len(last) < SHORTEST_SINGLE

    def _is_telling(self, last: str) -> bool:
        """Says whether a family name may be met glued to letters: long enough and no word or first name."""
        return letters_in(last) > SHORTEST_GLUED and not self._weak_family(last)

    def _add_name(
        self,
        index: int,
        template: str,
        name: PersonName,
        new: PersonName,
        strength: Strength,
        part: str = "",
    ) -> None:
        text = render(template, name)
        replacement = text if new is name else render(template, new)
        if text and replacement and letters_in(text) > 2:
            self._add(text, Form(FindingKind.PERSON, index, replacement, strength, part))

    def _add_company(self, index: int) -> None:
        company, core = self._registry.companies[index], self._surrogates.cores[index]
        for name in company.names:
            words = words_of(name.core)
            single = len(words) == 1
            called = single and (fold(name.core) in known_names() or fold(name.core) in self._shared)
            ordinary = self._is_ordinary(name.core) or called
            for template, text in company_forms(name.core).items():
                strength = Strength.STRONG
                if ordinary or len(text) < SHORTEST_COMPANY + 2:
                    weak = ordinary or len(text) < SHORTEST_COMPANY
                    strength = Strength.SCOPED if single and weak else Strength.CAPITAL
                code = "code" if single and not ordinary and is_code(text) else ""
                replacement = company_form(template, " ".join(core.split()[: len(words)]))
                self._add(text, Form(FindingKind.COMPANY, index, replacement, strength, code))
                if strength is not Strength.STRONG and name.legal:
                    full = Form(FindingKind.COMPANY, index, f"{replacement} {name.legal}", Strength.STRONG)
                    self._add(f"{text} {name.legal}", full)
                    for sign in _AND_SIGNS if name.legal.startswith("& ") else ():
                        kin = f"{sign}{name.legal[2:]}"
                        joined = full._replace(replacement=f"{replacement}{kin}")
                        self._add(f"{text}{kin}", joined, derived=True)
                for mark in _MARKS if single and strength is Strength.SCOPED else ():
                    marked = Form(FindingKind.COMPANY, index, f"{mark} {replacement}", Strength.STRONG)
                    self._add(f"{mark} {text}", marked, derived=True)
            for sign in _AND_SIGNS if "&" in name.core else ():
                text = re.sub(r"\s*&\s*", sign, name.core)
                self._add(text, Form(FindingKind.COMPANY, index, core, Strength.STRONG), derived=True)
            if len(words) > 2:
                initials = "".join(word[0] for word in words).upper()
                initials_new = "".join(word[0] for word in core.split()).upper()
                form = Form(FindingKind.COMPANY, index, initials_new, Strength.SCOPED, "initials")
                self._add(initials, form, derived=True)
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
        if len(words) < 2 or letters_in(words[0]) < 2:
            return
        weak = words[0] in self._ordinary or words[0] in known_names() or words[0] in word_set("zone_cities")
        strength = Strength.SCOPED if weak or len(words[0]) < 5 else Strength.CAPITAL
        code = not weak and any(is_code(word) for name in self._registry.companies[index].names
                                for word in name.core.split()[:1])  # fmt: skip
        part = "code" if code else "first"
        self._add(words[0], Form(FindingKind.COMPANY, index, core.split()[0], strength, part))

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


def _variants(names: tuple[PersonName, ...]) -> list[PersonName]:
    """Returns names as written, then with the nicknames of their first names."""
    found = dict.fromkeys(names)
    for name in names:
        first = fold(name.first)
        for nickname in (*nicknames().get(first, ()), *diminutives().get(first, ())):
            found.setdefault(name._replace(first=nickname))
    return list(found)


def _is_held(form: Form, held: list[Form]) -> bool:
    """Says whether the entity's form of this kind is there; an entity's forms come one after the other."""
    for other in reversed(held):
        if other.entity != form.entity:
            return False
        if other.kind is form.kind:
            return True
    return False


def is_code(text: str) -> bool:
    """Says whether a company's word is letters and digits that no word looks like: "ABX", "3Q"."""
    if fold(text) in ordinary_words() or fold(text) in _KNOWN_CODES:
        return False
    letters = sum(char.isupper() for char in text)
    return text.isalnum() and (
        (text.isupper() and letters > 2) or (letters > 0 and any(c.isdigit() for c in text))
    )


_MARKS = ("Fa.", "Firma", "Gebr.", "Gebrüder")
"""What makes a word before which it stands a company's name, whatever it means besides."""
_AND_SIGNS = (" und ", " and ", "&", "+", " + ", " u. ")
_KNOWN_CODES = frozenset(
    word_list(
        "pdf csv xml html url usa usd eur gbp vat ceo faq api fyi eod asap tbd ltd gmbh inc llc dhl ups"
    )
)
_DATE_LIKE = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")


def searchable_identifier(value: str) -> bool:
    """Says whether an id may be searched in text on its own: long enough, and no date or plain word."""
    digits = sum(char.isdigit() for char in value)
    if not value.isascii() or digits == 0 or _DATE_LIKE.fullmatch(value):
        return False
    return (len(value) >= 6 and digits >= 4) or bool(re.fullmatch(r"[A-Z]{2,10}-\d+", value)) or (
        len(value) >= 8 and any(char.isalpha() for char in value) and digits >= 2)  # fmt: skip
