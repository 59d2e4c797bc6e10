"""People whom only the way of speaking of them gives away: English and German, no list of names needed."""

from __future__ import annotations

import pytest

from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.recognizers.addressed import addressed_names
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from contracts.manifest import Company

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")


def make_registry() -> Registry:
    evidence = Evidence()
    evidence.persons[PersonMention((PersonName("Maria", "", "Kowalska"),), ("mk@brightwater.com",))] += 1
    evidence.companies[CompanyMention("Oakbourne Freight Ltd", ("oakbourne.com",))] += 1
    evidence.domains["oakbourne.com"] += 1
    for _ in range(2):
        evidence.words.update(["team", "order", "please", "invoice", "price"])
    return build_registry(evidence, OWN)


REGISTRY = make_registry()


def found(text: str) -> set[tuple[str, str]]:
    return {(name.first, name.last) for name in addressed_names([text], REGISTRY)}


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Dear Mr. Okonkwo,", "", "Okonkwo"),
        ("Sehr geehrte Frau Quasthoff,", "", "Quasthoff"),
        ("Sehr geehrter Herr Dr. Quasthoff,", "", "Quasthoff"),
        ("Bitte Herrn Quasthoff fragen.", "", "Quasthoff"),
        ("as Dr. Chidi Okonkwo said", "Chidi", "Okonkwo"),
        ("Von: Quasthoff, Edeltraut", "Edeltraut", "Quasthoff"),
        ("> From: Xanthe Vrbova <xv@abc.example>", "Xanthe", "Vrbova"),
        ("An: Quasthoff, Edeltraut; Vrbova, Xanthe", "Xanthe", "Vrbova"),
        ("On Monday Xanthe Vrbova wrote:", "Xanthe", "Vrbova"),
        ("On Fri, 3 May 2024, Xanthe Vrbova <x@y.example> wrote:", "Xanthe", "Vrbova"),
        ("Am 3. Mai 2024 schrieb Xanthe Vrbova:", "Xanthe", "Vrbova"),
        ("That is it.\n\nKind regards,\nXanthe Vrbova\nCounsel", "Xanthe", "Vrbova"),
        ("Mit freundlichen Grüßen\n\nXanthe Vrbova", "Xanthe", "Vrbova"),
        ("Hi Xanthe Vrbova,", "Xanthe", "Vrbova"),
        ("I spoke with Xanthe Vrbova yesterday.", "Xanthe", "Vrbova"),
        ("Ich habe mit Xanthe Vrbova gesprochen.", "Xanthe", "Vrbova"),
        ("our lawyer Xanthe Vrbova agrees", "Xanthe", "Vrbova"),
        ("Unsere Anwältin Xanthe Vrbova prüft das.", "Xanthe", "Vrbova"),
        ("Xanthe Vrbova from our legal department has it", "Xanthe", "Vrbova"),
        ("Xanthe Vrbova's team knows", "Xanthe", "Vrbova"),
        ("Vrbova, Xanthe signed it.", "Xanthe", "Vrbova"),
        ("cc Xanthe Vrbova", "Xanthe", "Vrbova"),
        ("I spoke with Frank Vrbova.", "Frank", "Vrbova"),
        ("I spoke with Xanthe Green.", "Xanthe", "Green"),
        ("The contract was prepared by Xanthe Frank.", "Xanthe", "Frank"),
        ("Please ask Danning Vrbova for the key.", "Danning", "Vrbova"),
    ],
)  # fmt: skip
def test_people_are_found_by_the_words_around_them(text: str, first: str, last: str) -> None:
    assert (first, last) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dear Team,",
        "Dear Sir or Madam,",
        "Sehr geehrte Damen und Herren,",
        "From: Accounts Payable",
        "To: undisclosed recipients",
        "Vielen Dank für Ihren Auftrag, er läuft.",
        "We spoke with Oakbourne Freight.",
        "On Monday Morning we meet",
        "Kind regards,\nThe Support Team",
        "Please ask Maria Kowalska.",
        "Mr. Kowalska called",
        "met with Invoice Price",
        "9:40 AM, Kowalska",
        "Please ask Danning Vrbova for the key.\nThe danning has it.",
        "Bitte bei Danning Vrbova und Team fragen.",
        "Please ask Team Vrbova for the key.",
    ],
)
def test_roles_companies_words_and_the_known_are_nobody_new(text: str) -> None:
    assert found(text) == set()


def test_a_family_name_alone_gives_way_to_the_full_name() -> None:
    assert found("Dear Mr. Okonkwo,\nI spoke with Chidi Okonkwo.") == {("Chidi", "Okonkwo")}


@pytest.mark.parametrize("name", ["Dagmar Nord", "Montserrat Manso", "Anna Kaplan"])
def test_a_place_or_an_ending_of_things_is_a_family_name_behind_a_first_name(name: str) -> None:
    assert found(f"From: {name}\nTo: us\n\nWe hired {name} as a consultant.") == {tuple(name.split())}
