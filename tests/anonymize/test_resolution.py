"""Who is one person: what joins, what never does, what waits for a reviewer; in any order of the records."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.clusters import Clusters
from anonymize.evidence import CompanyMention, Evidence, PersonMention, phone_digits
from anonymize.forms import PersonName, parse_person
from anonymize.likeness import Likeness, likeness
from anonymize.loose_names import block_keys
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.verdicts import Verdict
from contracts.manifest import Company

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
FIRMS = {"Vertex Valves GmbH": "vertexvalves.com", "Nordfold Paper Ltd": "nordfold.com"}
OTHERS = tuple(
    f"{first} {first[::-1].title()}{family} <{first}.{family}@nordfold.com>".replace("  ", " ")
    for first in ("Ivan", "Rosalind", "Torvald", "Edmund", "Hedwig", "Quentin", "Ludmila")
    for family in ("berg", "holm", "strand", "quist", "dal", "vik", "moor", "stein")
)
"""Fifty-six people with names of their own, so that chance can be told from one person."""


def mention(written: str, number: int) -> PersonMention:
    """ "Name <address> / company / phone / login", parts other than the name left out at will."""
    name, *rest = (part.strip() for part in written.split("/"))
    name, _, address = name.partition("<")
    parsed = parse_person(name)
    names = (parsed,) if parsed is not None else ()
    phone = next((phone_digits(part) for part in rest if part[:1] == "+"), "")
    login = next((part for part in rest if part.startswith("@")), "")
    company = next((part for part in rest if part[:1] not in "+@"), "")
    key = () if address and not rest else (f"crm.contacts.id|{number}",)
    return PersonMention(
        names, (address.strip("<> "),) if address else (), (login[1:],) if login else (),
        (company,) if company else (), key, (), (phone,) if phone else (),
    )  # fmt: skip


def resolved(*written: str, verdicts: tuple[Verdict, ...] = ()) -> Registry:
    evidence = Evidence()
    for firm, domain in FIRMS.items():
        evidence.companies[CompanyMention(firm, (domain,))] += 1
        evidence.domains[domain] += 1
    for number, text in enumerate([*written, *OTHERS]):
        found = mention(text, number)
        evidence.persons[found] += 1
        for address in found.addresses:
            evidence.add_domain(address)
    return build_registry(evidence, OWN, verdicts=verdicts)


def groups(registry: Registry) -> int:
    """How many persons there are beside those who are always there."""
    return len(registry.persons) - len(OTHERS)


ONE_PERSON = [
    ("Robert Kowalski <rk@vertexvalves.com>", "Bob Kowalski / Vertex Valves"),
    ("Robert Kowalski <rk@vertexvalves.com>", "Robret Kowalski / Vertex Valves GmbH"),
    ("Robert Kowalski <rk@vertexvalves.com>", "Robert Kowaslki / Vertex Valves"),
    ("Robert Kowalski <rk@vertexvalves.com>", "R. Kowalski / Vertex Valves"),
    ("Robert Kowalski <rk@vertexvalves.com>", "KOWALSKI ROBERT / Vertex Valves"),
    ("Jürgen Müller <jm@vertexvalves.com>", "JUERGEN MUELLER / Vertex Valves"),
    ("Anna Meier-Schulz <ams@vertexvalves.com>", "Anna Schulz / Vertex Valves"),
    ("Anna Cook <anna.cook@vertexvalves.com>", "Anna Baker <anna.cook@vertexvalves.com>"),
    ("Tom Roe / Vertex Valves / +49 521 5550148", "Tom Roe / Vertex Valves GmbH"),
    ("Maria Kowalska <maria.kowalska@brightwater.com>", " / @mkowalska"),
    ("Ann Lee <ann.lee@vertexvalves.com>", "Ann Lee <frontdesk@vertexvalves.com>"),
    ("Ann Lee <ann.lee+orders@vertexvalves.com>", "A. Lee <ann.lee@vertexvalves.com>"),
    ("Tilda G. Torvik / Vertex Valves", " <g..torvik@vertexvalves.com>"),
    ("Piotr Ovesenlund <piotr.ovesenlund@vertexvalves.com>", " <povesen@vertexvalves.com>"),
    ("Piotr Ovesenlund <p.ovesenlund@vertexvalves.com>", "Piotr Ovesenlund", " <povesen@vertexvalves.com>"),
    ("Stefan Pallavicini", " <spallavi@vertexvalves.com>"),
    ("Maria Kowalska <mk@vertexvalves.com>", " <maria.kowalska@vertexvalves.com>"),
    ("Bob Hagelstrom", "Robert Hagelstrom"),
]


@pytest.mark.parametrize("written", ONE_PERSON)
def test_written_otherwise_is_one_person(written: tuple[str, ...]) -> None:
    assert groups(resolved(*written)) == 1
    assert groups(resolved(*reversed(written))) == 1


@pytest.mark.parametrize(
    ("written", "persons"),
    [
        (("Ann Lee <ann.lee@vertexvalves.com>", "Ann Lee <ann.lee@nordfold.com>"), 2),
        (("Ann Lee <ann.lee@vertexvalves.com>", "Ann Lee <ann.lee2@vertexvalves.com>"), 2),
        (("Ann Lee <ann.lee@vertexvalves.com>", "Ann Lee <ann.m.lee@vertexvalves.com>"), 2),
        (("John A. Smith / Vertex Valves", "John B. Smith / Vertex Valves"), 2),
        (("John Smith <j@vertexvalves.com>", "Jane Smith <k@vertexvalves.com>", "J. Smith/Vertex Valves"), 3),
        (("Maria Meyer <mm@vertexvalves.com>", "Marta Meyer <marta@vertexvalves.com>"), 2),
        (("Ann Lee <ann@vertexvalves.com> / +49 521 5550100", "Bo Roe / Vertex Valves / +49 521 5550100"), 2),
        (("A. Reader <a.reader@vertexvalves.com>", "ADP / Vertex Valves", "A / Vertex Valves"), 3),
        (("Ann Lee <ann.lee@vertexvalves.com>", " <ann.m.lee@vertexvalves.com>"), 2),
        (("Piotr Novakovic <pn@vertexvalves.com>", "Petra Novakovic/Ab", " <pnovako@vertexvalves.com>"), 3),
        (("Stefan Pallavicini", "Sven Pallavicini", " <spallavi@vertexvalves.com>"), 3),
        (("Stefan Pallavicini", " <pallavicini@vertexvalves.com>"), 2),
        (("Bob Hagelstrom", "Robert Hagelstrom", "Rupert Hagelstrom"), 3),
        (("Mary Lou Tallberg <mlt@vertexvalves.com>", "Mary Lou / Nordfold Paper"), 2),
    ],
)  # fmt: skip
def test_who_only_looks_alike_stays_apart(written: tuple[str, ...], persons: int) -> None:
    assert groups(resolved(*written)) == persons
    assert groups(resolved(*reversed(written))) == persons


def test_a_middle_initial_that_a_company_writes_by_habit_tells_no_namesakes_apart() -> None:
    habit = [f"Ann {last[0]}. {last} <ann.{last[0]}.{last}@vertexvalves.com>" for last in ("Ek", "Om", "Ur")]
    two = ("Jo Kowalski <jo.kowalski@vertexvalves.com>", "Jo R. Kowalski <jo.r.kowalski@vertexvalves.com>")
    assert groups(resolved(*two, *habit)) == 4
    assert groups(resolved(*two)) == 2


@pytest.mark.parametrize(("others", "persons"), [((), 1), (("Mary", "Lou", "Roth"), 3)])
def test_two_given_names_in_text_are_the_one_who_bears_both(others: tuple[str, ...], persons: int) -> None:
    evidence = Evidence()
    evidence.add_address("mlt@vertexvalves.com", (PersonName("Mary", "Lou", "Tallberg"),))
    if others:
        evidence.add_address("mlr@vertexvalves.com", (PersonName(*others),))
    assert len(build_registry(evidence, OWN, [PersonName("Mary", "", "Lou")]).persons) == persons


def test_a_phone_and_a_first_name_may_be_two_colleagues_at_one_switchboard() -> None:
    registry = resolved(
        "Anna Cook <anna.cook@vertexvalves.com> / +49 521 5550147",
        "Anna Baker <anna.baker@vertexvalves.com> / +49 521 5550147",
    )
    assert groups(registry) == 2
    assert [doubt.reason for doubt in registry.doubtful] == ["one phone and first name, another family name"]


def test_a_common_name_in_a_large_company_needs_more_than_the_name() -> None:
    crowd = [
        f"Ann {family} <ann.{family}@vertexvalves.com>".lower().title() for family in ("Roe", "Doe", "Fox")
    ]
    crowd += [f"{first} Lee <{first}.lee@vertexvalves.com>" for first in ("Tom", "Bob", "Eve")]
    registry = resolved("Ann Lee <ann.lee@vertexvalves.com>", "Ann Lee <alee@vertexvalves.com>", *crowd)
    assert len({registry.by_address[f"{local}@vertexvalves.com"] for local in ("ann.lee", "alee")}) == 2
    assert "one name twice in one company" in {doubt.reason for doubt in registry.doubtful}


def test_several_people_write_from_one_mailbox() -> None:
    own = ("Ann Lee <ann.lee@vertexvalves.com>", "Bo Roe <bo.roe@vertexvalves.com>")
    shared = ("Ann Lee <pumps@vertexvalves.com>", "Roe, Bo <pumps@vertexvalves.com>")
    registry = resolved(*own, *shared)
    found = [registry.by_address[f"{local}@vertexvalves.com"] for local in ("ann.lee", "bo.roe", "pumps")]
    assert len(set(found)) == 3 and registry.persons[found[2]].names == ()
    for name, person in (("Ann Lee", found[0]), ("Bo Roe", found[1])):
        parsed = parse_person(name)
        assert parsed is not None
        assert registry.person_at("pumps@vertexvalves.com", parsed) == person


def test_the_owner_of_a_mailbox_keeps_it_when_somebody_else_writes_from_it() -> None:
    registry = resolved("Ann Lee <ann.lee@vertexvalves.com>", "Bo Roe <ann.lee@vertexvalves.com>")
    owner = registry.persons[registry.by_address["ann.lee@vertexvalves.com"]]
    assert [name.full for name in owner.names] == ["Ann Lee"] and groups(registry) == 2


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Robert Lee", "Lee, Robert", Likeness.SAME),
        ("Lee Robertson", "Robertson Lee", Likeness.SAME),
        ("Jürgen Groß", "Juergen Gross", Likeness.SAME),
        ("Bob Lee", "Rob Lee", Likeness.SHORT),
        ("Uli Weber", "Ulrich Weber", Likeness.SHORT),
        ("Robert Kowalski", "Robert Kowaslki", Likeness.TYPO),
        ("Roberrt Kowalski", "Robert Kowalski", Likeness.TYPO),
        ("Anna Meier-Schulz", "Anna Schulz", Likeness.PART),
        ("R. Kowalski", "Robert Kowalski", Likeness.INITIAL),
        ("R. Kowalski", "Thomas Kowalski", Likeness.NONE),
        ("Maria Lee", "Marta Lee", Likeness.NONE),
        ("John A. Lee", "John B. Lee", Likeness.NONE),
        ("Robert Lee", "Robert Fox", Likeness.NONE),
        ("Lee", "Robert Lee", Likeness.NONE),
    ],
)
def test_names_are_alike_in_kinds(one: str, other: str, alike: Likeness) -> None:
    a, b = parse_person(one), parse_person(other)
    assert a is not None and b is not None
    assert likeness(a, b) is likeness(b, a) is alike


@given(
    st.text("abcdefgh", min_size=4, max_size=8), st.integers(0, 7), st.sampled_from("abcxyz"),
    st.sampled_from(("swap", "drop", "add", "change")),
)  # fmt: skip
def test_first_names_one_slip_apart_meet_in_a_block(first: str, at: int, letter: str, slip: str) -> None:
    at %= len(first) - 1
    written = {
        "swap": first[:at] + first[at + 1] + first[at] + first[at + 2 :],
        "drop": first[:at] + first[at + 1 :],
        "add": first[:at] + letter + first[at:],
        "change": first[:at] + letter + first[at + 1 :],
    }[slip]
    one, other = PersonName(first, "", "Kowalski"), PersonName(written, "", "Kowalski")
    assert block_keys([one]) & block_keys([other])


@pytest.mark.parametrize(
    ("one", "other"), [("Robert", "Bob"), ("Bob", "Rob"), ("Ulrich", "Uli"), ("Jo", "Jo")]
)
def test_short_first_names_meet_their_full_ones_in_a_block(one: str, other: str) -> None:
    assert block_keys([PersonName(one, "", "Lee")]) & block_keys([PersonName(other, "", "Lee")])
    assert not block_keys([PersonName(one, "", "Lee")]) & block_keys([PersonName(other, "", "Fox")])


RECORDS = [text for pair in ONE_PERSON[:6] for text in pair] + [
    "Ann Lee <ann.lee@nordfold.com>", "Ann Lee / Nordfold Paper", "J. Smith / Nordfold Paper",
    "Jane Smith <jane@nordfold.com>", "John Smith <john@nordfold.com>", "Ann Lee <ann.lee@gmail.com>",
]  # fmt: skip


@settings(max_examples=8, deadline=None)
@given(st.permutations(RECORDS))
def test_the_order_of_records_decides_nothing(order: list[str]) -> None:
    def shape(registry: Registry) -> list[tuple[object, ...]]:
        return sorted((one.addresses, tuple(sorted(one.names)), one.companies) for one in registry.persons)

    assert shape(resolved(*order)) == shape(resolved(*RECORDS))


def test_doubts_come_with_confidence_the_likeliest_first() -> None:
    doubts = resolved(*RECORDS).doubtful
    assert doubts and all(0 <= doubt.confidence <= 1 and doubt.one < doubt.other for doubt in doubts)
    assert [d.confidence for d in doubts] == sorted((d.confidence for d in doubts), reverse=True)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 11), st.integers(0, 11)), max_size=40),
)
def test_sets_that_must_stay_apart_never_meet(steps: list[tuple[bool, int, int]]) -> None:
    clusters, apart = Clusters(12), []
    for join, one, other in steps:
        if join:
            clusters.join(one, other)
        elif clusters.forbid(one, other):
            apart.append((one, other))
    assert all(clusters.find(one) != clusters.find(other) for one, other in apart)
    assert all(group[0] == min(group) for group in clusters.groups())


def test_a_company_is_one_in_every_spelling_of_its_name() -> None:
    evidence = Evidence()
    for written in ("Vertex Valves GmbH & Co. KG", "VERTEX VALVES", "Vertex-Valves", "Vertex Valve Ltd"):
        evidence.companies[CompanyMention(written)] += 1
    evidence.domains["vertexvalves.com"] += 1
    found = build_registry(evidence, OWN)
    assert [one.domains for one in found.companies if len(one.names) > 1] == [("vertexvalves.com",)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("+44 (20) 7946 0123", "020 7946 0123"),
        ("0049/5235/300147", "+49 5235 300147"),
        ("+1 508-555-0147 ext. 12", "(508) 555-0147"),
    ],
)
def test_two_layouts_of_a_number_meet(one: str, other: str) -> None:
    assert phone_digits(one) == phone_digits(other) != ""


def test_an_extension_or_a_few_digits_are_no_number() -> None:
    assert phone_digits("147") == phone_digits("ext. 12") == phone_digits(None) == ""
