"""Registered forms in other spellings, glued to letters and digits, cut by marks, encoded, in lower case."""

from __future__ import annotations

import pytest

from anonymize.aligned import aligned
from anonymize.assignments import Assignments
from anonymize.boundaries import is_glued_match
from anonymize.evidence import CompanyMention, Evidence
from anonymize.findings import Context
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.resolution import build_registry
from anonymize.spellings import shortened, spellings
from contracts.manifest import Company, Manifest

KEY = DatasetKey(b"k" * 32, "test")
MANIFEST = Manifest(
    name="test",
    company=Company(names=["Brackmoor"], domains=["brackmoor.com"], zones=["UTC"], currency="USD"),
    sources=[],
)
PEOPLE = {
    "robert@abx-ag.com": PersonName("Robert", "", "Kowalczyk"),
    "jm@brackmoor.com": PersonName("Jörg", "", "Müller-Lüdenscheidt"),
    "so@brackmoor.com": PersonName("Siobhán", "", "O'Brien"),
    "rb@brackmoor.com": PersonName("Renée", "", "van der Bergfeld"),
    "ba@quorn.eu": PersonName("Björn", "", "Ångström"),
    "sa@quorn.eu": PersonName("Søren", "", "Ærøgaard"),
    "am@quorn.eu": PersonName("Anna-Lena", "", "Meier-Schulz"),
    "ng@abx-ag.com": PersonName("Ng", "", "Wu"),
    "js@brackmoor.com": PersonName("Jake", "", "Smithers"),
    "js@zellinger.de": PersonName("Jake", "", "Smithers"),
    "fz@quorn.eu": PersonName("Фёдор", "", "Зуков"),
    "wx@quorn.eu": PersonName("王小明", "", ""),
}


def kit() -> Kit:
    evidence = Evidence()
    for address, name in PEOPLE.items():
        evidence.add_address(address, (name,))
    for company, domain in (
        ("Zellinger Maschinenbau GmbH", "zellinger.de"),
        ("ABX AG", "abx-ag.com"),
        ("Quorn Ltd", "quorn.eu"),
        ("3Q Labs Inc.", "3qlabs.io"),
        ("Wexcombe International Holdings Ltd", "wexcombe-intl.co.uk"),
        ("Gurkhaus & Söhne GmbH", "gurkhaus.de"),
    ):
        evidence.companies[CompanyMention(company, (domain,))] += 1
        evidence.domains[domain] += 1
    evidence.identifiers.update({"4500012345", "DE811907980"})
    evidence.cities.add("Ulm")
    return Kit(Plan(KEY, MANIFEST, build_registry(evidence, MANIFEST.company), Assignments()))


KIT = kit()


def clean(text: str, *around: str) -> str:
    persons = tuple(KIT.registry.by_address[address] for address in around)
    companies = tuple(c for person in persons for c in KIT.registry.persons[person].companies)
    return KIT.detector.replace(text, Context(persons, companies)).text


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("see KowalczykContract.pdf", "kowalczyk"),
        ("see RobertKowalczyk2024.pdf", "kowalczyk"),
        ("see Offer_Kowalczyk2024.docx", "kowalczyk"),
        ("see Offer2024Zellinger.docx", "zellinger"),
        ("ZellingerWeb and BrackmoorPay 3.0", "zellinger brackmoor"),
        ("host BRACKMOORDC2", "brackmoor"),
        ("srv-ABX-01 and ABX01", "abx"),
        ("Bestellung B4500012345 and x4500012345y", "4500012345"),
        ("Kowalczyks Angebot, the Kowalczyks, Zellingers", "kowalczyk zellinger"),
        ("https://x.example.org/?q=Robert%20Kowalczyk&to=robert%40abx-ag.com", "kowalczyk abx"),
        ("M&uuml;ller-L&uuml;denscheidt", "denscheidt"),
        ("> we asked Robert\n> Kowalczyk about it", "robert kowalczyk"),
        ("kowalczyk,robert; kowalczykr.pdf", "kowalczyk"),
        ("we told kowalczyk", "kowalczyk"),
        ("KOWALCZYK R, R Kowalczyk, Kowalczyk R., r. kowalczyk", "kowalczyk"),
        ("Frau Lüdenscheidt, Mueller Luedenscheidt", "denscheidt"),
        ("Siobhan OBrien, Siobhan O Brien, Siobhán O’Brien", "brien"),
        ("Renee Bergfeld, Renee vd Bergfeld", "bergfeld"),
        ("Bjoern Aangstroem, Bjorn Angstrom, Bjoern Angstroem", "ngstr"),
        ("Soeren Aeroegaard, Soren Aerogaard", "gaard"),
        ("Anna Lena Meier Schulz, Annalena Meier, Lena Schulz", "meier schulz"),
        ("Mr Wu", "wu"),
        ("3Q wants it", "3q"),
        ("http://quorn/intra", "quorn"),
        ("our Ulm plant", "ulm"),
        ("Gurkhaus und Söhne, Gurkhaus+Söhne, Gurkhaus&Söhne", "gurkhaus"),
        ("спросите Фёдор Зуков", "зуков"),
        ("我们见到王小明了", "王小明"),
    ],
)
def test_a_registered_form_is_found_however_it_is_written(text: str, gone: str) -> None:
    written = clean(text).casefold()
    assert not [word for word in gone.split() if word in written], written


@pytest.mark.parametrize(
    ("text", "around", "gone"),
    [
        ("Wu said so", "ng@abx-ag.com", "wu"),
        ("ask bergfeld", "rb@brackmoor.com", "bergfeld"),
        ("abx said no to ABX", "ng@abx-ag.com", "ABX"),
    ],
)
def test_short_and_lower_forms_count_among_their_own_people(text: str, around: str, gone: str) -> None:
    assert gone not in clean(text, around)


@pytest.mark.parametrize(
    "text",
    [
        "wu-tang and NG filters",
        "a quorning",
        "the abx",
        "Wuhan",
        "Kowalczykowski",
    ],
)
def test_words_that_only_hold_a_form_stay(text: str) -> None:
    assert clean(text) == text


def test_the_company_behind_a_name_tells_namesakes_apart() -> None:
    own, other = (
        KIT.surrogates.persons[KIT.registry.by_address[a]].name
        for a in ("js@brackmoor.com", "js@zellinger.de")
    )
    text = clean("Jake Smithers of Zellinger met Jake Smithers (Brackmoor) there")
    assert own.full != other.full
    assert text.index(other.full) < text.index(own.full)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Ærøgaard", {"aeroegaard", "aerogaard"}),
        ("Ångström", {"angstrom", "angstroem", "aangstroem"}),
        ("O'Brien", {"o'brien", "obrien", "o brien"}),
        ("Зуков", {"зуков"}),
        ("Ж", set()),
        ("", set()),
    ],
)
def test_spellings_hold_what_people_type_and_nothing_empty(text: str, forms: set[str]) -> None:
    found = set(spellings(text))
    assert forms <= found and all(sum(char.isalnum() for char in form) > 1 for form in found)


def test_double_names_are_shortened_to_their_parts() -> None:
    found = {name.full.lower() for name in shortened(PersonName("Anna-Lena", "", "Meier-Schulz"))}
    assert {"anna lena meier schulz", "annalena meier", "lena schulz"} <= found
    assert {name.last for name in shortened(PersonName("A", "", "van der Berg"))} == {
        "Berg",
        "vd Berg",
        "v.d. Berg",
    }


@pytest.mark.parametrize(
    ("text", "word", "is_told"),
    [
        ("AcmePay", "Acme", True),
        ("Offer2024Acme", "Acme", True),
        ("ACMEDC2", "ACME", True),
        ("Acmes", "Acme", True),
        ("McAcme", "Acme", False),
        ("Acmelike", "Acme", False),
    ],
)
def test_digits_capitals_and_a_final_s_tell_a_word_from_its_neighbours(
    text: str, word: str, is_told: bool
) -> None:
    start = text.index(word)
    assert is_glued_match(text, start, start + len(word)) is is_told


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("ask Robert%20Kowalczyk", "ask {f}%20{l}"),
        ("to=robert%40abx-ag.com", "to={mail40}"),
        ("ask Robert\n> Kowalczyk", "ask {f}\n> {l}"),
        ("IMCEANOTES-+22Robert+20Kowalczyk+22 x", "IMCEANOTES-+22{f}+20{l}+22 x"),
        ("robert+20ab@abx-ag.com\n> x", "{tagged}\n> x"),
    ],
)
def test_a_replacement_is_encoded_as_what_it_replaces(text: str, layout: str) -> None:
    mail = "robert@abx-ag.com"
    new, address = KIT.surrogates.persons[KIT.registry.by_address[mail]].name, KIT.surrogates.address(mail)
    tagged = KIT.surrogates.address("robert+20ab@abx-ag.com")
    names = {"f": new.first, "l": new.last, "mail40": address.replace("@", "%40"), "tagged": tagged}
    assert clean(text) == layout.format(**names)


def test_a_view_leads_every_place_back_to_the_text() -> None:
    text = "a%20b\n> c &auml; 100%"
    view = aligned(text)
    assert view.text == "a b c ä 100%"
    assert text[slice(*view.raw(1, 2))] == "%20" and text[slice(*view.raw(3, 4))] == "\n> "
    assert [text[slice(*view.raw(at, at + 1))] for at in (0, 2, 4)] == ["a", "b", "c"]
