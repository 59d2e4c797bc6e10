"""Whom a name means that several bear: suffixes, first names in scope, nicknames that were seen, couples."""

from __future__ import annotations

import polars as pl
import pytest

from anonymize.assignments import Assignments
from anonymize.evidence import Evidence, collect_table
from anonymize.findings import Context
from anonymize.forms import HANDLE_TEMPLATES, PersonName, handle_of, handles_of, parse_couple, parse_person
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.recognizers.full_names import new_full_names
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.surrogates import PersonSurrogate
from contracts.manifest import ColumnSpec, Company, Manifest
from contracts.tables import ColumnKind

KEY = DatasetKey(b"k" * 32, "test")
OWN = Company(names=["Preltova"], domains=["preltova.com"], zones=["UTC"], currency="EUR")
MANIFEST = Manifest(name="test", company=OWN, sources=[])
PEOPLE = (
    "Ann Marklund",
    "Ann Odenrik",
    "Orrin Quistgaard",
    "Hedda Orrin",
    "Robert Hagelstrom",
    "Robert Odderby",
)


def evidence() -> Evidence:
    found = Evidence()
    for written in PEOPLE:
        name = parse_person(written)
        assert name is not None
        found.add_address(f"{name.first}.{name.last}@preltova.com".lower(), (name,))
    return found


def kit(registry: Registry) -> Kit:
    return Kit(Plan(KEY, MANIFEST, registry, Assignments()))


KIT = kit(build_registry(evidence(), OWN))


def number(parts: Kit, written: str) -> int:
    return parts.registry.by_address[f"{written.replace(' ', '.').lower()}@preltova.com"]


def surrogate(parts: Kit, written: str) -> PersonSurrogate:
    return parts.surrogates.persons[number(parts, written)]


@pytest.mark.parametrize("suffix", ["Jr.", "Jr", "Sr.", "II", "III", "IV"])
@pytest.mark.parametrize("who", ["Ann Marklund", "Ann Odenrik"])
def test_a_suffix_parts_no_family_name_from_its_first_name(who: str, suffix: str) -> None:
    first, last = who.split()
    new = surrogate(KIT, who).name
    everybody = Context(tuple(range(len(PEOPLE))))
    for context in (everybody, Context()):
        text = KIT.detector.replace(f"To: {last} {suffix}, {first}; others", context).text
        assert text == f"To: {new.last} {suffix}, {new.first}; others"


def test_the_first_name_of_a_participant_outweighs_the_family_name_of_somebody_else() -> None:
    inside, outside = surrogate(KIT, "Orrin Quistgaard").name, surrogate(KIT, "Hedda Orrin").name
    assert inside.first != outside.last
    around = Context((number(KIT, "Orrin Quistgaard"),))
    assert KIT.detector.replace("sent to Orrin for it", around).text == f"sent to {inside.first} for it"
    both = Context((number(KIT, "Hedda Orrin"), number(KIT, "Orrin Quistgaard")))
    assert KIT.detector.replace("Ms Orrin has it", both).text == f"Ms {outside.last} has it"
    assert KIT.detector.replace("Orrin said so", Context()).text == f"{outside.last} said so"


def test_a_nickname_is_whose_full_name_was_seen_with_it() -> None:
    found = new_full_names(["From: Bob Hagelstrom"], KIT.recognizers, KIT.registry)
    assert found == {PersonName("Bob", "", "Hagelstrom")}
    parts = kit(build_registry(evidence(), OWN, sorted(found)))
    assert len(parts.registry.persons) == len(PEOPLE)
    both = Context((number(parts, "Robert Odderby"), number(parts, "Robert Hagelstrom")))
    called = parts.surrogates.variant(number(parts, "Robert Hagelstrom"), PersonName("Bob", "", "Hagelstrom"))
    assert parts.detector.replace("ask Bob about it", both).text == f"ask {called.first} about it"


@pytest.mark.parametrize(("short", "longer"), [("Dan", "Danny"), ("Art", "Artie"), ("Barb", "Barb")])
def test_a_short_name_is_lengthened_among_friends(short: str, longer: str) -> None:
    found = evidence()
    found.add_address("x@preltova.com", (PersonName(short, "", "Vindhagen"),))
    parts = kit(build_registry(found, OWN))
    person = parts.registry.by_address["x@preltova.com"]
    new = parts.surrogates.persons[person].name.first
    assert parts.detector.replace(f"Hi {longer},", Context((person,))).text == f"Hi {new},"


def test_a_nickname_that_two_may_bear_names_nobody_new() -> None:
    found = evidence()
    found.add_address("rob@elsewhere.com", (PersonName("Robert", "", "Hagelstrom"),))
    registry = build_registry(found, OWN)
    assert new_full_names(["From: Bob Hagelstrom"], kit(registry).recognizers, registry) == frozenset()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann & Bo Lindgreen", ("Ann Lindgreen", "Bo Lindgreen")),
        ("Ann Lee and Bo Roe", ("Ann Lee", "Bo Roe")),
        ("Ann und Bo", ("Ann", "Bo")),
        ("Ann + Bo Roe", ("Ann Roe", "Bo Roe")),
        ("Ann Lee", ()),
        ("Ann & ", ()),
        ("Ann & Bo & Cy Roe", ()),
        ("Sandy Andrews", ()),
    ],
)
def test_two_people_who_are_written_as_one_are_two(text: str, names: tuple[str, ...]) -> None:
    assert tuple(name.full for name in parse_couple(text)) == names
    assert not names or parse_person(text) is None


def test_a_couple_that_shares_an_address_owns_it_under_neither_name() -> None:
    found = evidence()
    frame = pl.DataFrame({"text": ['From: "Ida & Oskar" <lindgreens@home.net>']})
    collect_table(found, "t", frame, {"text": ColumnSpec(kind=ColumnKind.TEXT)}, [], "mail.t")
    registry = build_registry(found, OWN)
    owner = registry.persons[registry.by_address["lindgreens@home.net"]]
    assert owner.names == () and {"ida", "oskar"} <= registry.by_name.keys()
    assert registry.by_name["ida"] != registry.by_name["oskar"]


@pytest.mark.parametrize(
    "name",
    [
        PersonName("Jörg", "", "Müller-Lüdenscheidt"),
        PersonName("Ann", "B.", "O'Brien"),
        PersonName("Þor", "Æ", "Ærøgaard"),
        PersonName("", "", "Lee"),
        PersonName("Renée", "Q", "van der Berg"),
        PersonName("小明", "", "王"),
    ],
)
def test_handles_made_at_once_are_those_made_one_by_one(name: PersonName) -> None:
    assert handles_of(name, HANDLE_TEMPLATES) - {""} == {handle_of(t, name) for t in HANDLE_TEMPLATES} - {""}
