"""Initials in a login column are the one colleague who has them, or else other initials; never a new name."""

from __future__ import annotations

import string

import pytest

from anonymize.assignments import Assignments
from anonymize.evidence import Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName
from anonymize.handles import is_initials
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.resolution import build_registry
from anonymize.surrogates import Surrogates
from anonymize.tombstones import BLOT, Tombstones
from contracts.manifest import Company, Manifest

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


def kit(*logins: str) -> Kit:
    manifest = Manifest(name="initials", company=OWN, sources=[])
    return Kit(Plan(KEY, manifest, surrogates(*logins).registry, Assignments()))


KIT = kit("EQ", "OBI", "FZW", "IT", "KB")


@pytest.mark.parametrize(
    ("text", "initials"),
    [
        ("Gilbert Blair, Kst EQ-01", "EQ"),
        ("freigegeben OBI, Tel", "OBI"),
        ("freigegeben von OBI", "OBI"),
        ("Vertretung: EQ", "EQ"),
        ("Kürzel OBI", "OBI"),
        ("initials: OBI", "OBI"),
        ("approved by KB.", "KB"),
        ("FZW ok", "FZW"),
        ("Kürzel IT", "IT"),
    ],
)
def test_labelled_initials_become_what_their_cell_becomes(text: str, initials: str) -> None:
    clean = KIT.detector.replace(text, Context()).text
    assert clean == text.replace(initials, KIT.surrogates.login(initials)) != text


@pytest.mark.parametrize("text", ["see EQ about it", "EQ, please", "(EQ) 12.3.", "asked EQ"])
def test_initials_alone_are_those_of_somebody_in_scope(text: str) -> None:
    scope = Context((KIT.registry.by_login["eq"],))
    other = Context((KIT.registry.by_login["obi"],))
    assert KIT.detector.replace(text, scope).text == text.replace("EQ", KIT.surrogates.login("EQ"))
    assert KIT.detector.replace(text, other).text == KIT.detector.replace(text, Context()).text == text


@pytest.mark.parametrize(
    "text",
    [
        "ask IT and HR", "IT ok", "approved by IT", "Kst IT-01", "VAT GH USD", "eq and obi", "vertretung: eq",
        "Eq. 4", "EQ-47", "EQUAL", "xEQ", "Kürzel XYZ", "approved by HR",
    ],
)  # fmt: skip
def test_ordinary_capitals_stay(text: str) -> None:
    everybody = Context(tuple(range(len(KIT.registry.persons))))
    for context in (Context(), everybody):
        clean = KIT.detector.replace(text, context).text
        assert clean.replace("EQ", "") == text.replace("EQ", "") and KIT.surrogates.login("EQ") not in clean


@pytest.mark.parametrize(
    ("text", "near", "left"),
    [
        ("Vertretung: EQ", False, "Vertretung: ##"),
        ("Kst EQ-01", False, "Kst ##-01"),
        ("asked EQ", True, "asked ##"),
        ("asked EQ", False, "asked EQ"),
        ("asked eq", True, "asked eq"),
        ("ask IT", True, "ask IT"),
    ],
)
def test_the_initials_of_the_erased_are_blotted(text: str, near: bool, left: str) -> None:
    person = KIT.registry.persons[KIT.registry.by_login["eq"]]
    stones = Tombstones(b"k" * 32, Tombstones(b"k" * 32).of_person(person, KIT.registry, ()))
    assert stones.blotted(text, near=near).replace(BLOT, "#") == left
