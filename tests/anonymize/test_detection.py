"""Replacement in text: consistency over variants, and faults known from other tools."""

from __future__ import annotations

import re
from datetime import date

import pytest

from anonymize.detection import CleanText
from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.findings import Context, LinkedSpan
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest

KEY = DatasetKey(b"k" * 32, "test")
MANIFEST = Manifest(
    name="test",
    company=Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD"),
    sources=[],
)
MARIA, TOM, WILL = "maria.kowalska@brightwater.com", "tcook@vertexvalves.com", "will.may@brightwater.com"


def kit() -> Kit:
    evidence = Evidence()
    people = [
        (PersonName("Maria", "", "Kowalska"), MARIA, "mkowalska"),
        (PersonName("Tom", "", "Cook"), TOM, ""),
        (PersonName("Will", "", "May"), WILL, "wmay"),
        (PersonName("Anna", "", "Baker"), "anna@corp.local", ""),
    ]
    for name, address, login in people:
        evidence.add_address(address)
        evidence.persons[PersonMention((name,), (address,), (login,) if login else ())] += 1
    evidence.companies[CompanyMention("Vertex Valves GmbH & Co. KG", ("vertexvalves.com",))] += 1
    evidence.identifiers.update({"4500012345", "0000100255", "SO-10023"})
    evidence.amounts.add(1234567)
    evidence.phones.update({"+15085550147", "+442079460123"})
    for _ in range(2):
        evidence.words.update(["will", "may", "order", "please", "you", "the"])
    return Kit(Plan(KEY, MANIFEST, build_registry(evidence, MANIFEST.company), Assignments()))


KIT = kit()


def clean(text: str, *participants: str) -> CleanText:
    persons = tuple(KIT.registry.by_address[address] for address in participants)
    companies = tuple(c for p in persons for c in KIT.registry.persons[p].companies)
    return KIT.detector.replace(text, Context(persons, companies, date(2024, 9, 3)))


def surrogate(address: str) -> PersonName:
    return KIT.surrogates.persons[KIT.registry.by_address[address]].name


def core() -> str:
    return KIT.surrogates.cores[KIT.registry.company_by_name["vertex valves"]]


@pytest.mark.parametrize(
    ("mention", "template"),
    [
        ("Maria Kowalska", "{f} {l}"),
        ("Kowalska, Maria", "{l}, {f}"),
        ("KOWALSKA MARIA", "{L} {F}"),
        ("M. Kowalska", "{a}. {l}"),
        ("Ms Kowalska", "Ms {l}"),
        ("Ms Kowalska's", "Ms {l}'s"),
        ("Kowalska’s", "{l}’s"),
        ("maria.kowalska", "{lf}.{ll}"),
        ("Kowalska_Maria.pdf", "{l}_{f}.pdf"),
    ],
)
def test_variants_of_a_name_become_the_same_variant_of_one_surrogate(mention: str, template: str) -> None:
    name = surrogate(MARIA)
    parts = {
        "f": name.first,
        "l": name.last,
        "F": name.first.upper(),
        "L": name.last.upper(),
        "a": name.first[0],
    }
    parts |= {"lf": name.first.lower(), "ll": name.last.lower()}
    assert clean(f"Ask {mention} please").text == f"Ask {template.format(**parts)} please"


def test_neighbours_of_one_type_do_not_merge() -> None:
    tom, anna = surrogate(TOM), surrogate("anna@corp.local")
    assert clean("Anna Baker Tom Cook").text == f"{anna.full} {tom.full}"


def test_addresses_derive_from_person_and_company() -> None:
    name = surrogate(TOM)
    address = KIT.surrogates.address(TOM)
    assert address.startswith(f"{name.first[0]}{name.last}".lower())
    assert address.endswith("@" + "".join(core().lower().split()) + ".example")
    assert (
        clean(f"From: Cook, Tom [mailto:{TOM}]").text == f"From: {name.last}, {name.first} [mailto:{address}]"
    )


@pytest.mark.parametrize("address", ["anna@corp.local", "x@srv01", MARIA])
def test_internal_domains_are_addresses_too(address: str) -> None:
    new = clean(f"mail {address} now").text
    assert address not in new and "@" in new


@pytest.mark.parametrize(("local", "domain"), [("info", "vertexvalves.com"), ("ap-team", "vertexvalves.com")])
def test_role_mailboxes_keep_their_local_part(local: str, domain: str) -> None:
    new = KIT.surrogates.address(f"{local}@{domain}")
    assert new.startswith(f"{local}@") and not new.endswith(domain)


def test_free_mail_domains_stay_but_not_their_local_parts() -> None:
    assert re.fullmatch(r"u[0-9a-f]{10}@gmail\.com", KIT.surrogates.address("mkowalska99@gmail.com"))


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("Vertex Valves GmbH & Co. KG", "{c} GmbH & Co. KG"),
        ("VERTEX VALVES", "{C}"),
        ("Vertex-Valves", "{h}"),
        ("Offer_VertexValves_final.pdf", "Offer_{j}_final.pdf"),
        ("www.vertexvalves.com", "www.{d}.example"),
    ],
)
def test_company_variants(mention: str, expected: str) -> None:
    c = core()
    parts = {"c": c, "C": c.upper(), "h": "-".join(c.split()), "j": "".join(c.split())}
    assert clean(mention).text == expected.format(**parts, d="".join(c.lower().split()))


@pytest.mark.parametrize("text", ["Will you send the order?", "You may order", "Please order, will you"])
def test_names_that_are_words_stay_words(text: str) -> None:
    assert clean(text, WILL).text == text


def test_names_that_are_words_are_names_where_people_are_addressed() -> None:
    first = surrogate(WILL).first
    assert clean("Hi Will,\nthe order", WILL).text == f"Hi {first},\nthe order"
    assert "Will" not in clean("Hi Will,\nthe order").text
    assert clean("We hope it will. Will order").text == "We hope it will. Will order"


def test_full_names_that_are_words_are_replaced_anywhere() -> None:
    assert "Will May" not in clean("please ask Will May").text


def test_numbers_agree_with_the_tables() -> None:
    new = clean("Order 4500012345, customer 100255, ticket SO-10023.").text
    ids = KIT.identifiers.identifier
    expected = (
        f"Order {ids('4500012345')}, customer {ids('0000100255').lstrip('0')}, ticket {ids('SO-10023')}."
    )
    assert new == expected


def test_short_numbers_need_a_link_or_a_naming_word() -> None:
    assert clean("room 123 and 30 days net").text == "room 123 and 30 days net"
    text = "see 123"
    linked = KIT.detector.replace(text, Context(links=(LinkedSpan(4, 7, "identifier"),)))
    assert linked.text == f"see {KIT.identifiers.identifier('123')}"


def test_amount_in_text_equals_amount_in_the_ledger() -> None:
    factor = KIT.scale.factor
    assert clean("net EUR 12.345,67").text != "net EUR 12.345,67"
    assert clean("total $12,345.67").text == f"total ${12345.67 * factor:,.2f}"
    assert KIT.scale.cell("12345.67") == f"{12345.67 * factor:.2f}"


@pytest.mark.parametrize(
    "text",
    [
        "DE00370400440532013000",
        "4111111111111112",
        "+44 (0)20 7946 0123",
        "508-555-0147",
        "508-555-0147is",
        "508 . 555 0147",
        "Tel5085550147",
    ],
)
def test_mistyped_accounts_and_phones_do_not_survive(text: str) -> None:
    new = clean(f"use {text} now").text
    assert text not in new and len(new) == len(f"use {text} now")


@pytest.mark.parametrize(
    "text", ["BRIGHT\\mkowalska", "\\\\srv01\\home\\mkowalska\\plan.xlsx", "[~mkowalska]"]
)
def test_logins_in_paths_and_mentions(text: str) -> None:
    login = KIT.surrogates.login("mkowalska")
    assert clean(text).text == text.replace("mkowalska", login)


def test_spans_and_offsets_point_at_the_replacements() -> None:
    text = "Maria Kowalska and Tom Cook, order 4500012345."
    result = clean(text)
    start = text.index("4500012345")
    clean_start, clean_end = result.offset(start), result.offset(start + 10, end=True)
    assert result.text[clean_start:clean_end] == KIT.identifiers.identifier("4500012345")
    assert [span.kind for span in result.spans] == ["PERSON", "PERSON", "IDENTIFIER"]


def test_replacement_is_the_same_again_and_other_under_another_key() -> None:
    text = "Maria Kowalska, order 4500012345, $500.00"
    assert kit().detector.replace(text, Context()).text == clean(text).text
    plan = Plan(DatasetKey(b"o" * 32, "test"), MANIFEST, KIT.registry, Assignments())
    assert Kit(plan).detector.replace(text, Context()).text != clean(text).text
