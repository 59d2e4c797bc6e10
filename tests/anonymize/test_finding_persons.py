"""Who is meant by a name: one person, nobody, or several, who are told apart by what the clean tables say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anonymize.assignments import Assignments
from anonymize.errors import AccessRefused
from anonymize.evidence import Evidence
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.persons import find_person
from anonymize.registry import Person
from anonymize.resolution import build_registry
from anonymize.surrogates import Surrogates
from contracts.manifest import Company

OWN = Company(names=["Preltova"], domains=["preltova.com"], zones=["UTC"], currency="EUR")
NAMESAKES = 3


@pytest.fixture(scope="module")
def surrogates() -> Surrogates:
    """Three persons of one name, of whom only the first has an address."""
    name = PersonName("Odette", "", "Marklund")
    found = Evidence()
    found.add_address("odette.marklund@preltova.com", (name,))
    first = build_registry(found, OWN)
    others = [Person((name,), (), (), (), (), (f"key:{number}",)) for number in range(1, NAMESAKES)]
    registry = replace(first, persons=(*first.persons, *others))
    return Surrogates(registry, DatasetKey(b"k" * 32, "test"), Assignments())


def test_namesakes_are_told_apart_by_their_surrogates(surrogates: Surrogates) -> None:
    with pytest.raises(AccessRefused, match=f"{NAMESAKES} persons are called so.*full name that stands for"):
        find_person(surrogates, "Odette Marklund")
    for number, person in enumerate(surrogates.persons):
        assert find_person(surrogates, person.name.full) == number
