"""Faults that other tools are known for, each as a case of its kind; names that are words; role mailboxes."""

from __future__ import annotations

from datetime import date

import pytest
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry

from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.recognizers.names import name_finder
from anonymize.recognizers.postal import GERMAN_STREET, PostalRecognizer, addresses_in
from anonymize.recognizers.prose import ProseRecognizer
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from anonymize.words import is_role
from contracts.manifest import Company, Manifest

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
PEOPLE = (
    (PersonName("Maria", "", "Kowalska"), "maria.kowalska@brightwater.com"),
    (PersonName("Adam", "", "Reader"), "areader@brightwater.com"),
    (PersonName("Will", "", "Harmsen"), "will.harmsen@brightwater.com"),
    (PersonName("Mark", "", "Price"), "mark.price@brightwater.com"),
    (PersonName("Jan", "", "May"), "jan.may@brightwater.com"),
)


def make_kit() -> Kit:
    evidence = Evidence()
    for name, address in PEOPLE:
        evidence.add_domain(address)
        evidence.persons[PersonMention((name,), (address,))] += 1
    for company, domain in (("Vertex Valves GmbH", "vertexvalves.de"), ("Target Inc.", "target-retail.com")):
        evidence.companies[CompanyMention(company, (domain,))] += 1
        evidence.domains[domain] += 1
    evidence.identifiers.update({"4500012345", "INC0012345"})
    evidence.add_number("Tel. 22 555 01 23", "225550123")
    for _ in range(2):
        evidence.words.update(["will", "mark", "price", "may", "target", "order", "the", "our"])
    manifest = Manifest(name="test", company=OWN, sources=[])
    return Kit(Plan(DatasetKey(b"k" * 32, "test"), manifest, build_registry(evidence, OWN), Assignments()))


KIT = make_kit()


def clean(text: str, *participants: str) -> str:
    persons = tuple(KIT.registry.by_address[address] for address in participants)
    return KIT.detector.replace(text, Context(persons, (), date(2024, 9, 3))).text


def test_one_value_has_one_surrogate_in_every_place_of_a_text() -> None:
    text = "Maria Kowalska met us. Maria Kowalska left; mail maria.kowalska@brightwater.com twice: "
    new = clean(text + "maria.kowalska@brightwater.com")
    first, _, rest = new.partition(" met us. ")
    assert rest.startswith(first) and new.split("twice: ")[1] == rest.split("mail ")[1].split(" ")[0]


def test_surrogates_do_not_depend_on_what_stands_before() -> None:
    parts = ["Maria Kowalska", "order 4500012345", "Adam Reader"]
    alone = {part: clean(part) for part in parts}
    for order in (parts, parts[::-1]):
        assert clean("; ".join(order)) == "; ".join(alone[part] for part in order)


@pytest.mark.parametrize("text", ["ADP pays A and B", "see A. and R.", "plan A", "AR and AP"])
def test_an_initial_is_no_magnet(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Sehr geehrte Damen und Herren",
        "die Rechnung von gestern",
        "Bitte um Rückruf in KW 14",
        "Mit freundlichen Grüßen",
    ],
)  # fmt: skip
def test_german_is_no_name(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    "text", ["invoice.de.pdf", "rpc.py", "os.system", "part 603 and 0.96", "net 30", "10:30 am"]
)
def test_files_code_and_small_numbers_stay(text: str) -> None:
    assert clean(text) == text


def test_a_ticket_number_is_neither_company_nor_phone() -> None:
    assert clean("INC0012345 is open") == f"{KIT.identifiers.identifier('INC0012345')} is open"


def test_a_number_of_a_plan_that_no_rule_knows_is_found_in_every_layout() -> None:
    new = {
        "".join(filter(str.isdigit, clean(text))) for text in ("22 555 01 23", "22-555-01-23", "225550123")
    }
    assert len(new) == 1 and new != {"225550123"}


@pytest.mark.parametrize(
    "text", ["Vertex-Valves plant", "VERTEX VALVES", "www.vertexvalves.de", "x@vertexvalves.de"]
)
def test_a_company_is_not_readable_from_projects_and_domains(text: str) -> None:
    assert "vertex" not in clean(text).lower()


@pytest.mark.parametrize(
    ("text", "participant", "gone"),
    [
        ("Will you send it?", "will.harmsen@brightwater.com", ""),
        ("They will. Will that do?", "will.harmsen@brightwater.com", ""),
        ("Hi Will,\nthanks", "will.harmsen@brightwater.com", "Will"),
        ("Hi Will,\nthanks", "", "Will"),
        ("ask Will Harmsen", "", "Will"),
        ("Mark the price", "mark.price@brightwater.com", ""),
        ("Thanks Mark", "mark.price@brightwater.com", "Mark"),
        ("Mark Price called", "", "Price"),
        ("Mr Price called", "mark.price@brightwater.com", "Price"),
        ("the Price list", "", ""),
        ("in May we meet", "jan.may@brightwater.com", ""),
        ("May I ask", "jan.may@brightwater.com", ""),
        ("Jan May asked", "", "May"),
        ("our Target is clear", "", ""),
        ("Target Inc. pays", "", "Target"),
    ],
)
def test_names_that_are_words_need_evidence(text: str, participant: str, gone: str) -> None:
    new = clean(text, *([participant] if participant else []))
    assert (new == text) if not gone else (gone not in new)


@pytest.mark.parametrize(
    "local",
    ["info", "ap-team", "accounts.payable", "no-reply", "noreply", "support", "hr", "purchasing", "office",
     "buchhaltung", "einkauf", "kontakt", "postmaster", "mailer-daemon", "orders-2"],
)  # fmt: skip
def test_role_mailboxes_are_nobody(local: str) -> None:
    assert is_role(local)
    evidence = Evidence()
    evidence.add_address(f"{local}@vertexvalves.de")
    assert not evidence.persons


@pytest.mark.parametrize(
    "local", ["maria", "mkowalska", "maria.kowalska", "m.support-kowalska", "kowalska-hr"]
)
def test_people_s_mailboxes_are_somebody_s(local: str) -> None:
    assert not is_role(local)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("lives at 12 Mill Lane, Ulm", "12 Mill Lane, Ulm"),
        ("Adresse: Mühlengasse 21, 89073 Ulm", "Mühlengasse 21, 89073 Ulm"),
        ("to 5 Rue Lilas 12\nSuite 24\nLyon\nFrance 25173.", "5 Rue Lilas 12\nSuite 24\nLyon\nFrance 25173"),
        ("PO Box 1234, Cork", "PO Box 1234, Cork"),
        ("ZIP: 7412 SL", "7412 SL"),
    ],
)  # fmt: skip
def test_postal_addresses_are_found_as_blocks(text: str, address: str) -> None:
    assert [text[start:end] for start, end in addresses_in(text)] == [address]


@pytest.mark.parametrize("text", ["at 12 o'clock", "3 new Orders", "Please call 5 People", "the 21 day plan"])
def test_other_numbers_with_words_are_no_addresses(text: str) -> None:
    assert list(addresses_in(text)) == []


@pytest.mark.parametrize(
    ("text", "written", "entity"),
    [
        ("Dear Mr. Okonkwo, hello", "Okonkwo", "PERSON"),
        ("my name is vitoria", "vitoria", "PERSON"),
        ("I just turned 64", "64", "AGE"),
        ("a 54 year old man", "54", "AGE"),
        ("call 71-33-52-22", "71-33-52-22", "PHONE_NUMBER"),
        ("I work for Aunt Zelda", "Aunt Zelda", "ORGANIZATION"),
        ("moved here from Greenlander", "Greenlander", "LOCATION"),
        ("at 12 Mill Lane, Ulm", "12 Mill Lane, Ulm", "STREET"),
    ],
)
def test_rules_for_free_text_run_in_a_stock_analyzer(text: str, written: str, entity: str) -> None:
    registry = RecognizerRegistry(recognizers=[ProseRecognizer(), PostalRecognizer()])
    engine = AnalyzerEngine(registry=registry, nlp_engine=name_finder().engine, supported_languages=["en"])
    found = {(text[r.start : r.end], r.entity_type) for r in engine.analyze(text, language="en")}
    assert (written, entity) in found


@pytest.mark.parametrize("text", ["During 1999-03", "Engineering 12", "Monitoring 3", "Offering 2024"])
def test_words_before_numbers_are_no_streets(text: str) -> None:
    assert GERMAN_STREET.search(text) is None


@pytest.mark.parametrize("text", ["Mühlengasse 21", "Altstadtring 5", "Lange Straße 14a", "Am Weg 2"])
def test_streets_with_their_numbers_are_streets(text: str) -> None:
    assert GERMAN_STREET.search(text) is not None
