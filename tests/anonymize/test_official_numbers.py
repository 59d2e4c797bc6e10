"""Numbers and names of offices, machines and clouds: found, replaced in their layout, as right as before."""

from __future__ import annotations

import ipaddress
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig
from presidio_anonymizer.entities import RecognizerResult as AnonymizerInput

from anonymize.check_digits import is_iban_shaped, luhn_digit, mod97, official_number
from anonymize.evidence import CompanyMention, Evidence
from anonymize.findings import Context, Finding, settle
from anonymize.identifiers import IdentifierMap, iban_check
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.operators import SurrogateOperator
from anonymize.recognizers.base import ContextRecognizer
from anonymize.recognizers.names import name_finder
from anonymize.recognizers.networks import NetworkRecognizer
from anonymize.recognizers.numbers import AccountRecognizer, IdentifierRecognizer, ibans_in
from anonymize.recognizers.registers import RegisterRecognizer, is_lei, is_ssn
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")


def make_kit() -> Kit:
    evidence = Evidence()
    evidence.companies[CompanyMention("Brackmoor Tooling Ltd", ("brackmoor.com",))] += 1
    evidence.domains["brackmoor.com"] += 1
    manifest = Manifest(name="test", company=OWN, sources=[])
    registry = build_registry(evidence, OWN)
    return Kit(Plan(DatasetKey(b"k" * 32, "test"), manifest, registry, Assignments()))


KIT = make_kit()
MAP: IdentifierMap = KIT.identifiers

FOUND = [
    ("server at 10.1.2.3 now", "10.1.2.3", "IP_ADDRESS"),
    ("from 52.94.236.248:443", "52.94.236.248", "IP_ADDRESS"),
    ("see 2001:db8:85a3::8a2e:370:7334", "2001:db8:85a3::8a2e:370:7334", "IP_ADDRESS"),
    ("fe80::1ff:fe23:4567:890a%eth0", "fe80::1ff:fe23:4567:890a", "IP_ADDRESS"),
    ("mac 00:1A:2B:3C:4D:5E", "00:1A:2B:3C:4D:5E", "MAC_ADDRESS"),
    ("mac 001a.2b3c.4d5e", "001a.2b3c.4d5e", "MAC_ADDRESS"),
    ("pay DE89370400440532013000", "DE89370400440532013000", "IBAN_CODE"),
    ("pay de89 3704 0044 0532 0130 00 today", "de89 3704 0044 0532 0130 00", "IBAN_CODE"),
    ("pay GB82-WEST-1234-5698-7654-32.", "GB82-WEST-1234-5698-7654-32", "IBAN_CODE"),
    ("mistyped DE00 3704 0044 0532 0130 00", "DE00 3704 0044 0532 0130 00", "IBAN_CODE"),
    ("one short DE8937040044053201300", "DE8937040044053201300", "IBAN_CODE"),
    ("card 4111 1111 1111 1111", "4111 1111 1111 1111", "CREDIT_CARD"),
    ("card 4111-1111-1111-1112", "4111-1111-1111-1112", "CREDIT_CARD"),
    ("amex 3782 822463 10005", "3782 822463 10005", "CREDIT_CARD"),
    ("VAT DE811907980", "DE811907980", "IDENTIFIER"),
    ("VAT GB 980 7806 84", "GB 980 7806 84", "IDENTIFIER"),
    ("VAT NL004495445B01", "NL004495445B01", "IDENTIFIER"),
    ("UID CHE-116.281.710 MWST", "CHE-116.281.710", "IDENTIFIER"),
    ("EIN: 12-3456789", "12-3456789", "TAX_NUMBER"),
    ("SSN 219-09-9999", "219-09-9999", "TAX_NUMBER"),
    ("his social security number is 219099999", "219099999", "TAX_NUMBER"),
    ("D-U-N-S 15-048-3782", "15-048-3782", "TAX_NUMBER"),
    ("LEI 529900T8BM49AURSDO55", "529900T8BM49AURSDO55", "TAX_NUMBER"),
    ("Amtsgericht Ulm, HRB 12345", "12345", "TAX_NUMBER"),
    ("Registered in England, company no. 01234567", "01234567", "TAX_NUMBER"),
    ("Steuernummer 123/456/78901", "123/456/78901", "TAX_NUMBER"),
    ("AHV 756.1234.5678.97", "756.1234.5678.97", "TAX_NUMBER"),
    ("NIR 2 84 05 75 116 042 31", "2 84 05 75 116 042 31", "TAX_NUMBER"),
    ("BSN 123456782", "123456782", "TAX_NUMBER"),
    ("codice RSSMRA85T10A562S", "RSSMRA85T10A562S", "TAX_NUMBER"),
    ("DNI: 12345678Z", "12345678Z", "TAX_NUMBER"),
    ("PESEL 44051401458", "44051401458", "TAX_NUMBER"),
    ("personnummer 811228-9874", "811228-9874", "TAX_NUMBER"),
    ("CPR-nr 070761-4285", "070761-4285", "TAX_NUMBER"),
    ("hetu 131052-308T", "131052-308T", "TAX_NUMBER"),
    ("rodné číslo 736028/5163", "736028/5163", "TAX_NUMBER"),
    ("NHS number 943 476 5919", "943 476 5919", "TAX_NUMBER"),
    ("Aadhaar 2341 2341 2346", "2341 2341 2346", "TAX_NUMBER"),
    ("PAN AFZPK7190K", "AFZPK7190K", "TAX_NUMBER"),
    ("BIC MARKDEFF", "MARKDEFF", "IBAN_CODE"),
    ("SWIFT-Code: CHASUS33XXX", "CHASUS33XXX", "IBAN_CODE"),
    ("BLZ 370 400 44", "370 400 44", "IBAN_CODE"),
    ("sort code 30-98-74", "30-98-74", "IBAN_CODE"),
    ("routing number 021000021", "021000021", "IBAN_CODE"),
    ("passport no. C01X00T47", "C01X00T47", "ID_DOCUMENT"),
    ("Reisepass C01X00T47", "C01X00T47", "ID_DOCUMENT"),
    ("driver's license D1234567", "D1234567", "ID_DOCUMENT"),
    ("Führerschein B072RRE2I55", "B072RRE2I55", "ID_DOCUMENT"),
    ("Kennzeichen B-AB 1234", "B-AB 1234", "ID_DOCUMENT"),
    ("license plate 7ABC123", "7ABC123", "ID_DOCUMENT"),
    ("ask obscure-partner.biz", "obscure-partner.biz", "DOMAIN"),
    ("on crm01.corp.local", "crm01.corp.local", "DOMAIN"),
    ("in s3://oakbourne-backup/2024", "oakbourne-backup", "DOMAIN"),
    ("https unneeded: oakbourne.sharepoint.com/sites", "oakbourne", "DOMAIN"),
    (r"on \\oakbourne-files\home\x", "oakbourne-files", "DOMAIN"),
]
ORDINARY = [
    "version 1.2.3.4",
    "mask 255.255.255.0 and 127.0.0.1",
    "at 12:30:45",
    "std::vector and a::b",
    "done.it was fine",
    "readme.md, rpc.py, os.system, invoice.de.pdf",
    r"on \\srv01\home\plan.xlsx",
    "pay 12-3456789 pieces",
    "order of 000-12-3456",
    "the plate is hot",
    "passport control",
    "DE12 is a road",
    "mail me at once, gmail.com",
]


def clean(text: str) -> str:
    return KIT.detector.replace(text, Context()).text


@pytest.mark.parametrize(("text", "written", "kind"), FOUND)
def test_what_offices_and_machines_are_called_is_found_as_a_whole(text: str, written: str, kind: str) -> None:
    found = [(text[f.start : f.end], f.entity_type) for f in KIT.detector.find(text, Context())]
    assert (written, kind) in found


@pytest.mark.parametrize(("text", "written", "kind"), FOUND)
def test_replacements_keep_the_layout_and_are_the_same_again(text: str, written: str, kind: str) -> None:
    new = clean(text)
    assert written not in new and new == clean(text)
    if kind not in ("DOMAIN", "IP_ADDRESS"):
        assert re.sub(r"[A-Za-z]", "x", re.sub(r"\d", "0", new)).count("0") == sum(
            map(str.isdigit, text)
        ) or (kind in ("TAX_NUMBER", "MAC_ADDRESS"))
        assert len(new) == len(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    "right",
    ["DE811907980", "DE136695976", "ATU13585627", "CHE116281710", "GB980780684", "NL004495445B01",
     "FR83404833048", "BE0428759497", "IT00743110157", "SE556188840401", "PL5260001246", "DK13585628",
     "FI20774740", "LU15027442", "PT501964843"],
)  # fmt: skip
def test_right_vat_numbers_become_right_ones_and_wrong_ones_wrong(right: str) -> None:
    number = official_number(right)
    assert number is not None and number.right
    at = number.end - 1
    wrong = right[:at] + str((int(right[at]) + 1) % 10) + right[number.end :]
    for written, expected in ((right, True), (wrong, False)):
        image = official_number(MAP.identifier(written))
        assert image is not None and image.right is expected and MAP.identifier(written) != written


@given(st.integers(0, 10**9 - 1), st.integers(0, 10**9 - 1))
def test_vat_numbers_stay_distinct(one: int, other: int) -> None:
    images = {MAP.identifier(f"DE{number:09d}") for number in (one, other)}
    assert len(images) == len({one, other})


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_machines_stay_distinct_and_in_their_networks(one: int, other: int) -> None:
    addresses = [ipaddress.IPv4Address(number) for number in (one, other)]
    usable = [a for a in addresses if a.is_global or any(a in ipaddress.ip_network(n) for n in
              ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))]  # fmt: skip
    images = [ipaddress.IPv4Address(MAP.ipv4(str(address))) for address in usable]
    assert len(set(images)) == len(set(usable))
    assert all(image.is_private is address.is_private for image, address in zip(images, usable, strict=True))


@given(st.from_regex(r"[A-Z0-9]{18}", fullmatch=True), st.integers(0, 96))
def test_entity_identifiers_stay_as_right_as_they_were(body: str, error: int) -> None:
    check = (98 - mod97(body + "00") - 2 + error) % 97 + 2
    lei = f"{body}{check:02d}"
    assert is_lei(MAP.lei(lei)) is is_lei(lei)


@given(st.integers(0, 10**9 - 1))
def test_social_security_numbers_stay_as_possible_as_they_were(number: int) -> None:
    written = f"{number:09d}"
    assert is_ssn(MAP.digits(written, is_ssn)) is is_ssn(written)


def test_one_account_in_three_layouts_is_one_account_in_text_and_in_an_id_column() -> None:
    layouts = ["DE89370400440532013000", "de89 3704 0044 0532 0130 00", "DE89-3704-0044-0532-0130-00"]
    images = {re.sub(r"[ -]", "", clean(layout)).upper() for layout in layouts}
    assert images == {MAP.identifier(layouts[0])}
    image = images.pop()
    assert is_iban_shaped(image) and int(image[2:4]) == iban_check("DE", image[4:])


def test_ibans_end_where_their_country_says() -> None:
    text = "de89 3704 0044 0532 0130 00 and more words"
    assert [text[start:end] for start, end in ibans_in(text)] == ["de89 3704 0044 0532 0130 00"]


def test_wrong_cards_stay_wrong() -> None:
    for written, right in (("378282246310005", True), ("378282246310006", False)):
        image = clean(f"card {written}")[5:]
        assert (luhn_digit(image[:-1]) == int(image[-1])) is right


def test_a_known_company_in_a_bucket_keeps_its_surrogate() -> None:
    core = KIT.surrogates.cores[0].split()[0].lower()
    assert core in clean("s3://brackmoor-backup/x") and core in clean("brackmoor.sharepoint.com")


RECOGNIZERS: list[ContextRecognizer] = [
    AccountRecognizer(MAP),
    NetworkRecognizer(MAP, KIT.surrogates),
    RegisterRecognizer(MAP),
    IdentifierRecognizer(MAP, frozenset()),
]


@pytest.fixture(scope="module")
def stock() -> AnalyzerEngine:
    registry = RecognizerRegistry(recognizers=list(RECOGNIZERS))
    return AnalyzerEngine(registry=registry, nlp_engine=name_finder().engine, supported_languages=["en"])


@pytest.mark.parametrize(("text", "written", "kind"), FOUND)
def test_stock_presidio_finds_and_writes_the_same(
    stock: AnalyzerEngine, text: str, written: str, kind: str
) -> None:
    found = settle(result for result in stock.analyze(text, language="en") if isinstance(result, Finding))
    mine = [finding for finding in found if text[finding.start : finding.end] == written]
    assert [finding.entity_type for finding in mine] == [kind]
    engine = AnonymizerEngine()  # type: ignore[no-untyped-call]
    engine.add_anonymizer(SurrogateOperator)
    finding = mine[0]
    config = OperatorConfig(SurrogateOperator.NAME, {SurrogateOperator.REPLACEMENT: finding.replacement})
    spans = [AnonymizerInput(kind, finding.start, finding.end, finding.score)]
    new = engine.anonymize(text, spans, {kind: config}).text
    assert new == text.replace(written, finding.replacement)
