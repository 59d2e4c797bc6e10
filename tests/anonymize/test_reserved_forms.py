"""No surrogate, in any form that is written of it, holds a real form that the leak scan searches.

The pools are words that people, companies, streets and logins of an archive bear as well: whatever is drawn
must be another word there, under every key.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.findings import FindingKind
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.known_forms import KnownForms
from anonymize.real_forms import FormSearch, real_forms
from anonymize.registry import Registry
from anonymize.reserved import Reserved
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from anonymize.words import pool
from contracts.manifest import Company, Manifest

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
MANIFEST = Manifest(name="test", company=OWN, sources=[])
FIRSTS = (*pool("first_female_en"), *pool("first_male_en"))
FAMILIES = pool("family_en")


def registry() -> Registry:
    """Returns people, companies and streets that are made of the pools' own words."""
    evidence = Evidence()

    def add(name: PersonName, login: str = "") -> None:
        evidence.persons[PersonMention((name,), (), (login,) if login else ())] += 1

    for first in FIRSTS[::3]:
        evidence.persons[PersonMention((), (), (first.lower(),))] += 1  # a first name alone as login
    for first, last in zip(FIRSTS[::14], FIRSTS[1::14], strict=False):
        add(PersonName(first, "", last))  # a first name as family name
    for number, family in enumerate(FAMILIES[::8]):
        add(PersonName(FIRSTS[number % len(FIRSTS)], "", f"van {family}"))  # one word of a longer name
    for number, family in enumerate(FAMILIES[1::12]):
        add(PersonName(f"Olu{family}", FIRSTS[number], f"Ade{family}"), f"{family.lower()}.lists")
    for middle in pool("company_middles"):
        for ending in pool("company_endings")[::8]:
            evidence.companies[CompanyMention(f"{middle} {ending} GmbH")] += 1
    for number in range(20):
        evidence.companies[CompanyMention(f"Quorvex{number} Plum Trading Ltd")] += 1
        evidence.add_address(f"{FIRSTS[number].lower()}@quorvex{number}.com")
    evidence.streets.update(f"{number + 3} {street}" for number, street in enumerate(pool("streets")[:40]))
    evidence.cities.update(pool("cities")[::90])
    evidence.persons[PersonMention((), (), (pool("streets")[50].split()[0].lower() + "s",))] += 1
    return build_registry(evidence, OWN)


REGISTRY = registry()
SEARCH = FormSearch(real_forms(REGISTRY))


def kit(number: int) -> Kit:
    return Kit(Plan(DatasetKey(bytes([number]) * 32, "test"), MANIFEST, REGISTRY, Assignments()))


def written(made: Kit) -> Iterator[tuple[FindingKind, str]]:
    """Yields all that replacement may write of persons, companies and places."""
    surrogates = made.surrogates
    for forms in KnownForms(surrogates, made.identifiers).forms.values():
        yield from ((form.kind, form.replacement) for form in forms)
    for first in FIRSTS:
        yield FindingKind.PERSON, surrogates.given_name(first)
    for person in REGISTRY.persons:
        yield from ((FindingKind.LOGIN, surrogates.login(login)) for login in person.logins)
        yield from ((FindingKind.EMAIL, surrogates.address(address)) for address in person.addresses)
    for kept in (surrogates.kept.domains, surrogates.kept.streets, surrogates.kept.cities):
        yield from ((FindingKind.DOMAIN, new) for real, new in kept.items() if real != new)


@pytest.mark.parametrize("number", range(4))
def test_nothing_that_is_written_holds_a_real_form(number: int) -> None:
    found = {
        (kind, text) for kind, text in set(written(kit(number))) for _ in SEARCH.hits(text)
        if kind is not FindingKind.IDENTIFIER
    }  # fmt: skip
    assert found == set()


@pytest.mark.parametrize("number", range(4))
def test_nobody_gets_a_real_name_as_middle_or_second_family(number: int) -> None:
    reserved = Reserved(REGISTRY)
    persons = kit(number).surrogates.persons
    for name, second in ((person.name, person.second_family) for person in persons):
        assert name.last != second and second not in name.last.split("-")
        assert {name.last.casefold(), second.casefold()}.isdisjoint(reserved.words)
        assert not reserved.spells_real(name.first, name.middle, name.last, second)


@pytest.mark.parametrize(
    ("name", "held"),
    [
        (PersonName("Betty", "Oluchime", "Roe"), True),  # a middle name that is somebody's login
        (PersonName("Oluchime", "Eve", "Roe"), True),
        (PersonName("Eve", "Betty", "Oluchime"), True),
        (PersonName("Jo", "Ann", "Belmontes"), True),  # glued: the login "jobelmontes"
        (PersonName("Jane", "Ann", "Belmontes"), False),
        (PersonName("Belmontes", "Eve", "Jo"), True),  # the same turned
        (PersonName("Elm", "Eve", "Harrow"), True),  # a street, both names together
        (PersonName("Rosa", "Elm", "Harrow"), True),
        (PersonName("Harrow", "Eve", "Rosa"), False),
        (PersonName("Rosa", "Eve", "Zündorf"), True),  # as it is written without umlauts
        (PersonName("Rosa", "Eve", "Vogel"), False),
    ],
)
def test_every_form_of_a_name_is_compared(name: PersonName, held: bool) -> None:
    evidence = Evidence()
    for login in ("oluchime", "jobelmontes", "zuendorf"):
        evidence.persons[PersonMention((), (), (login,))] += 1
    evidence.streets.add("Elm Harrow")
    reserved = Reserved(build_registry(evidence, OWN))
    assert reserved.spells_real(name.first, name.middle, name.last) == held


@pytest.mark.parametrize(
    ("core", "held"),
    [
        ("Zentova", False),
        ("Zentova Works", False),
        ("Zentova Grand Works", True),
        ("Zentova North Works", False),
        ("Plumridge Works", True),
        ("Plum Ridge", True),  # written in one word
    ],
)
def test_every_form_of_a_company_is_compared(core: str, held: bool) -> None:
    evidence = Evidence()
    evidence.companies[CompanyMention("Grand Works GmbH")] += 1
    evidence.persons[PersonMention((), (), ("plumridge",))] += 1
    assert Reserved(build_registry(evidence, OWN)).spells_company(core) == held
