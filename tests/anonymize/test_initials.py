"""Initials in a login column are the one colleague who has them, or else other initials; never a new name."""

from __future__ import annotations

import string

import pytest

from anonymize.evidence import Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.handles import is_initials
from anonymize.keys import DatasetKey
from anonymize.resolution import build_registry
from anonymize.surrogates import Surrogates
from contracts.manifest import Company

KEY = DatasetKey(b"i" * 32, "initials")
OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
STAFF = (
    PersonMention((PersonName("Lena", "", "Vogel"),), ("lena.vogel@brightwater.com",)),
    PersonMention((PersonName("Greta", "", "Haverkamp"),), ("greta.haverkamp@brightwater.com",)),
    PersonMention((PersonName("Georg", "", "Hollmann"),), ("georg.hollmann@brightwater.com",)),
    PersonMention((PersonName("Karl", "Uwe", "Brandt"),), ("karl.brandt@brightwater.com",)),
    PersonMention((PersonName("Paula", "", "Quandt"),), ("paula.quandt@vertexvalves.com",)),
)


def surrogates(*logins: str) -> Surrogates:
    evidence = Evidence()
    for mention in (*STAFF, *(PersonMention(logins=(login,)) for login in logins)):
        evidence.persons[mention] += 1
        for address in mention.addresses:
            evidence.add_address(address)
    return Surrogates(build_registry(evidence, OWN), KEY)


@pytest.mark.parametrize(
    ("initials", "address"),
    [
        ("LV", "lena.vogel@brightwater.com"),
        ("KUB", "karl.brandt@brightwater.com"),
        ("KB", "karl.brandt@brightwater.com"),
        ("GH", None),  # two colleagues
        ("PQ", None),  # of another company
        ("XY", None),
        ("lv", None),  # no capitals: a login like any other
    ],
)
def test_who_alone_has_the_initials_is_meant(initials: str, address: str | None) -> None:
    registry = surrogates(initials).registry
    at = registry.by_login[initials.lower()]
    assert (address is not None and registry.by_address[address] == at) or not (
        address or registry.persons[at].addresses
    )
    assert len(registry.persons) == len(STAFF) + (address is None)


@pytest.mark.parametrize("initials", ["LV", "KUB", "GH", "PQ", "XYZ"])
def test_initials_stay_initials_and_are_others(initials: str) -> None:
    built = surrogates(initials)
    new = built.login(initials)
    assert is_initials(new) and len(new) == len(initials) and new != initials
    assert new.lower() not in {login.lower() for person in built.registry.persons for login in person.logins}


def test_of_many_no_two_become_one() -> None:
    logins = [one + other for one in string.ascii_uppercase[:12] for other in string.ascii_uppercase[:12]]
    built = surrogates(*logins)
    new = {built.login(login) for login in logins}
    assert len(new) == len(logins) and not new & set(logins)
