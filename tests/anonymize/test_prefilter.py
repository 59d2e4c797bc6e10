"""A prefilter never leaves out a search that would have found anything."""

from __future__ import annotations

import re
from datetime import date

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize import bare_amounts, dates, initials, obfuscated, phones, text_mentions
from anonymize.company_codes import CompanyCodeRecognizer
from anonymize.detection import FEWEST_FORESEEN
from anonymize.evidence import Evidence, PersonMention
from anonymize.findings import Context, LinkedSpan
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan, one_of
from anonymize.passages import passages
from anonymize.prefilter import ODD, Prefilter, relaxed
from anonymize.recognizers import addressed, networks, numbers, postal, postcodes, registers
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest

COMPANY = Company(names=["Tarnwick"], domains=["tarnwick.com"], zones=["UTC"], currency="USD")


def kit() -> Kit:
    evidence = Evidence()
    for first, last in (("Dana", "Quistgaard"), ("Maria", "Odenrik")):
        login = (first[0] + last[0]).upper()
        mention = PersonMention((PersonName(first, "", last),), (f"{first}@tarnwick.com".lower(),), (login,))
        evidence.persons[mention] += 1
    evidence.phones.update({"+15085550147", "+497314960142"})
    evidence.identifiers.update({"4500012345", "TW-4711"})
    evidence.amounts.add(1_234_500)
    manifest = Manifest(name="test", company=COMPANY, sources=[])
    return Kit(
        Plan(DatasetKey(b"k" * 32, "test"), manifest, build_registry(evidence, COMPANY), Assignments())
    )


KIT = kit()
PIECES = (
    "2024-09-03", "20240903", "9/3/24", "03.09.", "am 3.9.", "3rd", "3. Sept. 2024", "September 3",
    "MÄRZ 24", "Sep '24", "KW 36", "W36/24", "2024-W36", "Q3/24", "3Q24", "FY24", "GJ 2024/25", "09/2024",
    "Ende 2024", "summer '24", "2024 budget", "calendar week 7", "HJ 1/24", "the 1st", "May 5", "5 may",
    "Mai 24", "$12.3k", "EUR 12.345,67", "12 345,00", "twelve thousand", "zwölftausend", "1.2 Mio.",
    "€ 5,-", "5 grand", "TEUR 12", "12'345", "10k", "3m", "5 bn", "kr 20", "dollars 7", "tel 0731 4960142",
    "+1 (508) 555-0147", "508.555.0147", "DW -17", "ext. 4711", "fax:0731/496 01 42",
    "DE89 3704 0044 0532 0130 00", "4111 1111 1111 1111", "3782-822463-10005", "378282246310005",
    "4500-012-345", "4500012345", "invoice 90008544", "Auftrag Nr. 4711", "id: 4711", "PO-2024-00123",
    "TW-4711", "tw4711", "TW-CORE", "DE 811907980", "https://x.example/orders/4711", "www.tarnwick.com",
    "10.1.2.3", "fe80::1ff:fe23:4567:890a", "00:1B:44:11:3A:B7", "srv01.corp", "smb://nas7/x",
    "\\\\nas7\\x", "acme.sharepoint.com", "TARN\\dq", "@dana", "dana@tarnwick.com",
    "dana at tarnwick dot com", "d%40x.com", '{"login": "DQ"}', "SSN 219-09-9999", "219-09-9999",
    "AB 12 34 56 C", "Steuer-Nr. 12/345/67890", "HRB 4711", "529900T8BM49AURSDO55", "passport C01X00T47",
    "Kennzeichen M-AB 123", "89073 Ulm", "SW1A 1AA", "PLZ 70173", "DQ", "Kürzel: DQ", "lt. DQ", "LG, D.",
    "Dana", "Hi Dana,", "Thanks,\nDana", "Mr. Quistgaard", "cc: Maria Odenrik", "Ansprechpartner: Maria",
    "On 3 May, Maria Odenrik wrote:", "my colleague Maria Odenrik", "From: Maria Odenrik",
    "Maria Odenrik said", "Name;Ort\nMaria;Ulm", "Main Street", "12 High Street, Ulm", "Hauptstraße 5",
    "ıſ", "İ", "½", "\x1c", "\u200b", "日本", "🙂", "x", "and", ",", ".", "\n", " ", "(", ")", "-", "/", "'",
    "7",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).flatmap(
    lambda words: st.sampled_from((" ", "", "\n", "\u00a0", " \t")).map(lambda gap: gap.join(words))
)
SEARCHES: tuple[re.Pattern[str], ...] = (
    dates.TEXT_DATE, dates.FILE_YEAR, bare_amounts.BARE, initials.TOKEN, obfuscated.SPELT, phones.CANDIDATE,
    phones.ANNOUNCED, phones.EXTENSION, text_mentions.STREET_IN_TEXT, postal.GERMAN_STREET,
    text_mentions.EMAIL, *addressed._SURE, *addressed._LIKELY, addressed.TITLED,
    addressed._GREETING, addressed._CLOSING, dates.GLUED_DATE, dates.BARE_YEAR,
    networks.IPV4, networks.IPV6, networks.MAC, networks.BARE, networks.TENANT, networks.SHARE,
    numbers.IBAN, numbers.IBAN_START, numbers.CARD, numbers.IdentifierRecognizer.NAMED,
    numbers.IdentifierRecognizer.KEYED, numbers.IdentifierRecognizer.SHAPED,
    numbers.IdentifierRecognizer.TAX_NUMBER, postcodes._CODE,
    *(rule.pattern for rule in registers._RULES if not rule.announced),
    re.compile(r"(?m)^(?P<mark>[-/])\d+(?P=mark)(\w)\2$"), re.compile(r"a(?=b)|c(?=[&~[d])\Z", re.I),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_a_pattern_finds_nothing_in_a_text_that_its_looser_form_leaves_out(texts: list[str]) -> None:
    masks = Prefilter([(search,) for search in SEARCHES]).masks(texts)
    for text, mask in zip(texts, masks, strict=True):
        for place, search in enumerate(SEARCHES):
            assert mask >> place & 1 or search.search(text) is None, (search.pattern, text)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5), st.booleans())
def test_a_recognizer_finds_and_reads_nothing_where_none_of_its_signs_stands(
    texts: list[str], dated: bool
) -> None:
    context = Context(persons=(0, 1), reference=date(2024, 9, 3) if dated else None)
    parts = [part.text for text in texts for part in passages(text)]
    masks = Prefilter([one.signs() for one in KIT.recognizers]).masks(parts)
    for part, mask in zip(parts, masks, strict=True):
        for place, one in enumerate(KIT.recognizers):
            if not mask >> place & 1:
                assert one.find(part, context) == [], (type(one).__name__, part)
                assert not any(one.reading(part)), (type(one).__name__, part)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_what_was_foreseen_is_replaced_as_what_was_not(texts: list[str]) -> None:
    plain, foreseeing = kit(), kit()
    filler = [f"line {number}" for number in range(FEWEST_FORESEEN)]
    for text in texts[:2]:  # some are read before
        foreseeing.detector.find(text, Context((0,), (), date(2024, 9, 3)))
    foreseeing.detector.foresee([*texts, *filler])
    assert foreseeing.detector._foreseen
    for text in texts:
        links = (LinkedSpan(0, min(4, len(text)), "identifier"),)
        plainly = (Context(), Context((0,), (), date(2024, 9, 3)), Context(filename=True))
        for context in (*plainly, Context(links=links)):
            assert foreseeing.detector.replace(text, context) == plain.detector.replace(text, context)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_a_passage_says_the_same_whichever_idle_searches_are_left_out(texts: list[str]) -> None:
    for text, searches in zip(texts, text_mentions.searches_of(texts), strict=True):
        some = text_mentions.mentions_of(text, prose=True, searches=searches)
        assert some == text_mentions.mentions_of(text, prose=True)


def test_both_engines_think_alike_of_every_character_that_is_not_odd() -> None:
    every = [chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000]
    odd = pl.Series(every).str.contains(ODD)
    chars = [char for char, is_odd in zip(every, odd, strict=True) if not is_odd]
    assert len(chars) > 900
    column = pl.Series(chars)
    for sign in (r"\w", r"\d", r"\s", r"\W", r"[^\W\d_]", r"(?i)[a-zß]", r"(?i)[à-ÿ]", r"(?i)k|s|i|ä|é"):
        theirs = column.str.contains(sign)
        differ = [
            (sign, char)
            for char, found in zip(chars, theirs, strict=True)
            if found != bool(re.search(sign, char))
        ]
        assert differ == []


def test_an_odd_text_is_read_by_every_search() -> None:
    assert Prefilter([("a",), ("b",), ()]).masks(["a", "b", "c", "ı", ""]) == [5, 6, 4, 7, 4]


@pytest.mark.parametrize("source", [r"(a)?(?(1)b|c)", r"(?#a)b"])
def test_a_pattern_with_an_unknown_construct_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="no looser form"):
        relaxed(re.compile(source))


def test_codes_of_companies_have_signs() -> None:
    assert one_of(KIT.recognizers, CompanyCodeRecognizer).signs()
