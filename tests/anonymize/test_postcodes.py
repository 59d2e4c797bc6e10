"""Postcodes in text become what they become in their column, where a city or a word tells of them."""

from __future__ import annotations

import pytest

from anonymize.evidence import Evidence
from anonymize.findings import Context
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest

COMPANY = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="EUR")
MANIFEST = Manifest(name="test", company=COMPANY, sources=[])


def kit() -> Kit:
    evidence = Evidence(
        cities={"Neu-Ulm", "Zwickau", "Reading", "Scranton", "Bad Homburg", "Lublin", "Ottawa"}
    )
    return Kit(
        Plan(DatasetKey(b"k" * 32, "test"), MANIFEST, build_registry(evidence, COMPANY), Assignments())
    )


KIT = kit()


def replaced(text: str) -> str:
    return KIT.detector.replace(text, Context()).text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Am Markt 3\n89231 Neu-Ulm", "89231"),
        ("Am Markt 3, D-08056 Zwickau", "08056"),
        ("CH-8005 Zürich", "8005"),
        ("8005 Zürich", "8005"),
        ("1017 KN Amsterdam", "1017 KN"),
        ("Scranton, PA 18503-1234", "18503-1234"),
        ("Scranton PA 18503", "18503"),
        ("Reading\nRG1 4PN", "RG1 4PN"),
        ("> Reading, RG1 4PN", "RG1 4PN"),
        ("20-950 Lublin", "20-950"),
        ("Ottawa ON K1A 0B1", "K1A 0B1"),
        ("61348 Bad Homburg v. d. H.", "61348"),
        ("our ZIP code is 12345.", "12345"),
        ("PLZ: 89231", "89231"),
        ("Location: 89231 Neu-Ulm, room 4", "89231"),
        ("Lieferadresse: Weg 3, 70173 Musterstadt", "70173"),
        ("Lieferadresse:\nFirma Klotz\nAm Tor\n70173 Musterstadt", "70173"),
        ("Rechnungsadresse: 70173 Musterstadt", "70173"),
        ("Ship to: Foo Ltd, 4711 Musterdorf", "4711"),
        ("ship to 12 Mill Road, Exville, CA 94107", "94107"),
        ("PLZ 70173", "70173"),
        ("Hauptstr. 12\n70173 Musterstadt", "70173"),
        ("Hauptstr. 12a, 8005 Musterdorf", "8005"),
        ("Klotz GmbH\n70173 Musterstadt\nTel. folgt", "70173"),
        ("70173 Musterstadt", "70173"),
        ("D-70173 Musterstadt am See", "70173"),
        ("A-1010 Musterstadt", "1010"),
        ("the office is at SW1A 1AA now", "SW1A 1AA"),
        ("M1 1AE", "M1 1AE"),
        ("Exville, CA 94107", "94107"),
        ("CA 94107-1234", "94107-1234"),
        ("NY 10001", "10001"),
        ("Exville, OR 97477", "97477"),
        ("1012 AB", "1012 AB"),
        ("1012 AB Grachtdam", "1012 AB"),
        ("it is K1A 0B1 there", "K1A 0B1"),
        ("Delivery address: 00-950 Musterowo", "00-950"),
    ],
)
def test_a_postcode_beside_its_city_or_word_is_the_one_of_its_column(text: str, code: str) -> None:
    new = replaced(text)
    assert code not in new and KIT.identifiers.postcode(code) in new


@pytest.mark.parametrize(
    "text",
    [
        "in 2024 Berlin was cold",
        "we sold 12345 units to Zwickaus Werke",
        "room 12345, then lunch",
        "see page 1234 of it",
        "In 1998 Zwickau had a fair",
        "we have 12345 Schrauben here",
        "Order 12345 Schrauben",
        "we need it in OR 97477 units",
        "ID 94107 is yours",
        "2024 EU rules",
        "1200 KG",
        "1500 Berlinale",
        "the address has 12345 units.\n\n70173 pieces",
        "10023 Rechnung",
        "10500 Dichtringe",
        "we need\n10500 Dichtringe\n300 Muttern",
    ],
)
def test_other_numbers_stay(text: str) -> None:
    number = next(word for word in text.replace(",", "").split() if word.isdigit())
    assert KIT.identifiers.postcode(number) not in replaced(text)
