"""People whom a text calls by one name only: closings, greetings, labels, words of speaking."""

from __future__ import annotations

import pytest

from anonymize.assignments import Assignments
from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.prefilter import Prefilter
from anonymize.recognizers.addressed import addressed_names
from anonymize.recognizers.lone_names import LoneNameRecognizer, lone_names, unborne
from anonymize.resolution import build_registry
from anonymize.surrogates import Surrogates
from anonymize.words import pool
from contracts.manifest import Company, Manifest

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")


def make_evidence() -> Evidence:
    evidence = Evidence()
    evidence.persons[PersonMention((PersonName("Maria", "", "Kowalska"),), ("mk@brightwater.com",))] += 1
    evidence.companies[CompanyMention("Oakbourne Freight Ltd", ("oakbourne.com",))] += 1
    evidence.domains["oakbourne.com"] += 1
    evidence.cities.add("Wexcombe")
    return evidence


REGISTRY = build_registry(make_evidence(), OWN)


def found(*texts: str) -> set[str]:
    return {name.full for name in lone_names(texts, REGISTRY, frozenset())}


@pytest.mark.parametrize("name", ["Irmela", "Tobi", "Zevonik"])
@pytest.mark.parametrize(
    "text",
    [
        "Viele Gruesse\n{}", "Viele Grüße\n\n{}", "Thanks,\n{}", "Best, {}", "LG {}", "LG, {}", "VG\n{}",
        "Danke und Gruß\n{}", "Beste Grüße aus Köln\n{}", "Cheers\n{}", "Please call. Thanks, {}",
        "Thank you!\n{}", "Thanks {}!", "Danke {}!", "Liebe Grüße, deine {}", "Bis morgen\n{}",
        "> See you tomorrow,\n> {}", "Kind regards\n{} (Einkauf)", "Viele Grüße\n{}, Einkauf",
        "Viele Grüße\ni. A. {}", "BR\n{}", "Mit freundlichem Gruß\n{}", "Best\n{}\nSales",
        "Hallo {},", "Hi {} -", "Hi {}", "Hey {}!", "Liebe {},", "hallo {},", "Guten Morgen {},",
        "Hello {} and Maria,", "Hallo Maria, hallo {},", "Hi Maria, {},", "Good morning {}",
        "Hallo liebe {},",
        "cc: {}", "CC: Maria, {}", "Ansprechpartner: {}", "Ansprechpartnerin: Frau {}", "gez. {}",
        "Bearbeiter: {}", "attn: {}", "z. Hd. {}", "c/o {}", "i.A. {}", "Signed by {}", "approved by {}",
        "Account manager: {}", "Verantwortlich: {}", "Assigned to: {}", "Fahrer: {}",
        "bitte an {} weiterleiten",
        "Bitte an {} weitergeben.", "@{} kannst du das?", "wie mit {} besprochen", "Gruß an {}",
        "Hi team, hi {},", "Hello again {},", "Hey there {},", "Hallo ihr beiden, Maria und {},", "Tag {},",
        "Besten Dank vorab\n{}", "Warmly,\n{}", "Liebe Grüße und bis Montag\n{}", "Danke, lg {}", "TIA, {}",
        "Viele Grüße\nEure {}", "Projektleiter: {}", "Project lead - {}", "Teilnehmer: Maria, {}, Maria",
        "Mein Vertreter ist {}.", "Anruf von {}, bitte zurückrufen", "gesehen: {}",
        "my colleague {} will call", "meine Kollegin {} ruft an", "Reported by: {}",
    ],
)  # fmt: skip
def test_a_name_that_nobody_knows_is_found_where_people_are_named(text: str, name: str) -> None:
    assert found(text.format(name)) == {name}


@pytest.mark.parametrize(
    "text",
    ["ask {} about it", "please forward to {}", "fyi {}", "bitte {} fragen", "{} hat das bestätigt",
     "{} said it is fine", "{} lässt grüßen", "please contact {} for details", "{} (Einkauf) weiß Bescheid",
     "{}'s desk is empty", "{},\nthe order is late", "Hi {} can you come", "- {}"],
)  # fmt: skip
def test_a_known_first_name_suffices_where_things_stand_too(text: str) -> None:
    assert found(text.format("Irmela")) == {"Irmela"}
    assert found(text.format("Zevonik")) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Der Monteur {} war da", "Betriebsrat: {}", "lt. {} passt das", "laut {}", "according to {}",
        "Maria Kowalska, geb. {}", "Frau Kowalska geb. {} hat", "Maria Kowalska (née {})",
        "Maria Kowalska (formerly {})", "Maria Kowalska, vormals {}.", "the driver {} called",
        "Der Fahrer {} Montag früh", "unsere Rechtsanwältin {}", "der Notar {}", "den Kollegen {}",
        "Fr. Mag. {} kommt", "Gutachter Prof. {}", "Nachname: {}", "Zeuge: {}", "Betriebsrat {}", "Witwe {}",
        "Our new plumber, {}", "Foreman {}", "site manager {}", "Sachbearb. {}", "Der Fahrer heißt {}",
        "Familie {}", "Rücksprache m. {}", "Tel. m. {}", "Nach Rückfrage bei {}", "Herrn {}s Büro",
        "our electrician {} found it", "Servicetechniker {} kommt", "Vorarbeiterin: {}", "Geburtsname: {}",
    ],
)  # fmt: skip
def test_an_unknown_family_name_is_found_behind_jobs_birth_marks_and_sources(text: str) -> None:
    texts = [text.format("Zevonik")]
    (name,) = lone_names(texts, REGISTRY, frozenset()) | addressed_names(texts, REGISTRY)
    assert name == PersonName("", "", "Zevonik")


@pytest.mark.parametrize(
    "text", ["A. Zevonik kommt", "Termin mit A.Zevonik am Montag", "A. R. Zevonik agreed", "ask A. Zevonik"]
)
def test_an_initial_announces_a_family_name_anywhere(text: str) -> None:
    assert found(text) == {"A. Zevonik"}


@pytest.mark.parametrize(
    "text",
    [
        "Techniker Krankenkasse", "laut Rechnung", "lt. Vertrag", "geb. Januar 1970", "Anlage B. Danach",
        "B. Zevonik & Söhne", "z. B. Zevonik", "Leiter Einkauf", "Monteur Handbuch", "Fahrer Zevonik-200",
        "laut Zevonik Handbuch", "(formerly Zevonik Tools)", "Variante A. Lieferzeit",
    ],
)  # fmt: skip
def test_things_beside_jobs_and_sources_are_nobody(text: str) -> None:
    assert found(text) == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bewerber: Tjark Zevonik, 34 J.", {"Tjark Zevonik"}),
        ("Geschäftsführer: Ludger Zevonik, Hauke Moltrup", {"Ludger Zevonik", "Hauke Moltrup"}),
        ("Prokuristin Tomke Zevonik", {"Tomke Zevonik"}),
        ("Lt. H. Zevonik", {"H. Zevonik"}),
        ("Irmelas Rechner", {"Irmela"}),
        ("Peters Meier kommt", set()),
        ("Status Bericht", set()),
    ],
)
def test_names_in_full_lists_and_genitives_are_read_as_they_are_meant(text: str, names: set[str]) -> None:
    assert found(text) == names


def test_two_people_who_are_greeted_and_told_of_are_two() -> None:
    assert found("Hallo Gisbert, Bogdan kommt morgen.") == {"Gisbert", "Bogdan"}


@pytest.mark.parametrize(
    "text", ["signed: J. Wesseling", "gez. J. Wesseling", "/s/ J. Wesseling", "Prepared by: J. Wesseling"]
)
def test_an_initial_before_a_family_name_is_part_of_it(text: str) -> None:
    assert found(text) == {"J. Wesseling"}


@pytest.mark.parametrize(
    "text",
    [
        "Viele Grüße\nDas Support-Team", "Best,\nYour IT team", "Hallo zusammen,", "Hi all,",
        "Dear customer,",
        "Liebe Kunden,", "Best regards\nSales Manager", "Mit freundlichen Grüßen\nEinkauf", "Hi there,",
        "Thanks,\nCustomer Service", "Viele Grüße\nKöln", "Viele Grüße\nWexcombe", "Hello everyone,",
        "Hallo Team,", "Dear colleagues,", "Liebe Kolleginnen und Kollegen,", "Viele Grüße aus Hamburg",
        "Thanks\nPlease see below", "Danke\nAnbei die Rechnung", "Danke, Angebot folgt", "Thanks, Monday",
        "bitte an Buchhaltung weiterleiten", "bitte an Zentrallager weiterleiten", "Contact: Support",
        "Kontakt: Hotline", "Ansprechpartner: Werkstatt", "cc: Purchasing", "Best\nQuality Department",
        "Mit freundlichen Grüßen\nAbteilung Versand", "Thanks,\nLogistics", "Viele Grüße\nIhr Vertriebsteam",
        "Verantwortlich: Produktion", "Owner: Engineering", "Empfänger: Lager Nord", "Hallo Herr Direktor,",
        "Dear Sir,", "Hallo miteinander,", "Moin Moin,", "Guten Tag,", "Status,", "Thanks, Great work",
        "gez. Geschäftsleitung", "signed: Management Board", "approved by Finance", "Hello World,",
        "Kind regards\nHead of Logistics", "Viele Grüße\nGeschäftsführer", "Danke\nBestellung folgt",
        "Mit freundlichen Grüßen\nWerksleitung", "Best regards,\nPlant Manager", "Best,\nOakbourne",
        "Viele Grüße\nIhre Personalabteilung",
        "Mit freundlichen Grüßen\nStadtwerke", "cc: Controlling", "Danke, Passt", "LG Elektronik",
        "an Lieferanten senden", "Fahrer: Spedition", "Thanks, Looks good",
        "we met in Austin and Virginia", "Thanks, May works for me", "Bearbeiter: offen",
    ],
)  # fmt: skip
def test_roles_teams_places_companies_and_phrases_are_nobody(text: str) -> None:
    assert found(text) == set()


def test_a_word_behind_an_article_is_a_thing_unless_people_are_called_so() -> None:
    assert found("Viele Grüße\nZevonik", "Der Zevonik läuft wieder.") == set()
    assert found("Viele Grüße\nIrmela", "Die Irmela kommt.") == {"Irmela"}


def test_who_is_known_by_more_needs_no_second_entity() -> None:
    assert found("Hallo Maria,", "Frau Kowalska: gez. Kowalska") == set()
    lone, full = PersonName("Irmela", "", ""), PersonName("Irmela", "", "Wesseling")
    assert unborne({lone, full}) == {full} and unborne({lone}, {full}) == set()
    assert unborne({PersonName("", "", "Wesseling"), full}) == {full}


def make_kit(*texts: str) -> Kit:
    names = sorted(lone_names(texts, REGISTRY, frozenset()))
    registry = build_registry(make_evidence(), OWN, names)
    manifest = Manifest(name="lone", company=OWN, sources=[])
    return Kit(Plan(DatasetKey(b"l" * 32, "lone"), manifest, registry, Assignments()))


def test_a_lone_name_has_one_surrogate_wherever_it_stands() -> None:
    kit = make_kit("Viele Grüße\nIrmela", "gez. Wesseling")
    new = kit.detector.replace("Viele Grüße\nIrmela", Context()).text.split("\n")[1]
    assert new != "Irmela"
    assert kit.detector.replace("I think Irmela knows, IRMELA too.", Context()).text == (
        f"I think {new} knows, {new.upper()} too."
    )
    assert "Wesseling" not in kit.detector.replace("Das hat Wesseling so gesagt.", Context()).text


@pytest.mark.parametrize("key", range(3))
def test_no_lone_name_stands_for_itself(key: int) -> None:
    firsts = [*pool("first_female_en")[:120], *pool("first_male_de")[:120]]
    registry = build_registry(make_evidence(), OWN, [PersonName(first, "", "") for first in firsts])
    surrogates = Surrogates(registry, DatasetKey(bytes([key]) * 32, "lone"))
    for index, person in enumerate(registry.persons):
        for name in person.names if not person.addresses else ():
            assert surrogates.variant(index, name).full != name.full


@pytest.mark.parametrize(
    "text", ["Thanks,\nWill", "Hi Mark,", "Best, Hope", "cc: Jo", "ask Jo", "Dear Grace,"]
)
def test_names_that_are_words_or_short_are_replaced_in_such_places_alone(text: str) -> None:
    kit = make_kit(text)
    name = text.replace(",", "").split()[-1]
    new = kit.detector.replace(text, Context()).text
    assert name not in new and new != text
    prose = f"we will {name.lower()} it. {name} it is"
    assert kit.detector.replace(prose, Context()).text == prose


def test_its_signs_stand_wherever_it_finds_anything() -> None:
    recognizer = LoneNameRecognizer(make_kit("Hi Jo,").surrogates)
    texts = ["Thanks,\nWill", "Hi Mark,", "Best, Hope", "cc: Jo", "ask Jo", "gez. Will", "Gruß an Jo",
             "Geprüft von;Menge\nJo;3\n", "Name,Tel\nJo,3\n", "Menge|Ansprechpartner\n3|Jo"]  # fmt: skip
    assert all(recognizer.find(text, Context()) for text in texts)
    assert all(Prefilter([recognizer.signs()]).masks(texts))
