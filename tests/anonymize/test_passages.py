"""Texts are read by passages: cut where nothing goes on, remembered by what of their context matters."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName, parse_company
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.passages import passages
from anonymize.recognizers.names import Stems, candidate_lines, may_name, name_finder, plausible_person
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from anonymize.unassigned import explaining_recognizers
from contracts.manifest import Company, Manifest

KEY = DatasetKey(b"k" * 32, "test")
COMPANY = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
MANIFEST = Manifest(name="test", company=COMPANY, sources=[])
PEOPLE = ("Maria Kowalska", "Dana Quistgaard", "Dana Odenrik", "Will Supertyk", "Will Marklund")


def kit() -> Kit:
    evidence = Evidence()
    for written in PEOPLE:
        first, last = written.split()
        name, login = PersonName(first, "", last), f"{first[0]}{last}".lower()
        evidence.persons[PersonMention((name,), (f"{login}@brightwater.com",), (login,))] += 1
    evidence.companies[CompanyMention("Vertex Valves GmbH", ("vertexvalves.com",))] += 1
    evidence.domains["vertexvalves.com"] += 1
    evidence.identifiers.update({"4500012345", "SO-10023"})
    evidence.streets.add("14 Bobbin Street")
    evidence.cities.update({"Zwickau", "Berlin"})
    evidence.phones.add("+15085550147")
    evidence.amounts.add(1_234_567)
    return Kit(Plan(KEY, MANIFEST, build_registry(evidence, COMPANY), Assignments()))


KIT = kit()
NOBODY = Context(reference=date(2024, 9, 3))
LINES = (
    "Hi Dana,",
    "Maria Kowalska wrote on 3 September 2024:",
    "> Quistgaard, Dana",
    "order 4500012345 of Vertex Valves GmbH is USD 12,345.67",
    "SO-10023 goes to 14 Bobbin Street, Zwickau",
    "From: Will Supertyk <wsupertyk@brightwater.com>",
    "To: Dana Odenrik",
    "call +1 508 555 0147 on the 3rd, Berlin time",
    "thanks",
)


def person(written: str) -> int:
    return KIT.registry.by_name[written.lower()][0]


def first(written: str) -> str:
    return KIT.surrogates.persons[person(written)].name.first


@given(st.text(alphabet="ab>| \t\r\n:FromTo", max_size=80))
def test_passages_hold_everything_but_blank_lines(text: str) -> None:
    place = 0
    for start, passage in passages(text):
        assert text[start : start + len(passage)] == passage
        assert not text[place:start].strip(" \t\r\n>|\u00a0")
        place = start + len(passage)
    assert not text[place:].strip(" \t\r\n>|\u00a0")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("one\ntwo", 1),
        ("one\n\ntwo", 2),
        ("one\n> \n>\n> two", 2),
        ("one\r\n\r\ntwo", 2),
        ("On Monday Ann wrote:\n> From: a\n> To: b\n> c", 3),
        ("the list:\nFrom here on", 1),
        ('{"a": 1,\n\n"b": 2}', 1),
        ("", 1),
    ],
)
def test_a_text_is_cut_at_blank_lines_and_headers(text: str, count: int) -> None:
    assert len(passages(text)) == count


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=6), st.sampled_from(["\n", "\n\n", "\n> \n"]))
def test_spans_of_a_whole_text_are_those_of_its_passages(lines: list[str], gap: str) -> None:
    text = gap.join(lines)
    clean = KIT.detector.replace(text, NOBODY)
    for finding, span in zip(KIT.detector.find(text, NOBODY), clean.spans, strict=True):
        assert (finding.start, finding.end) == (span.raw_start, span.raw_end)
        assert clean.text[span.start : span.end] == finding.replacement
    unchanged = text
    for span in reversed(clean.spans):
        unchanged = (
            unchanged[: span.raw_start] + clean.text[span.start : span.end] + unchanged[span.raw_end :]
        )
    assert unchanged == clean.text


@pytest.mark.parametrize("who", ["Dana Quistgaard", "Dana Odenrik"])
def test_the_same_passage_means_whom_its_own_text_names(who: str) -> None:
    for text in (f"Dear {who},\n\nthanks, Dana", f"thanks, Dana\n\n{who}"):
        assert f"thanks, {first(who)}" in KIT.detector.replace(text, Context()).text


@pytest.mark.parametrize("who", ["Will Supertyk", "Will Marklund"])
def test_the_same_passage_means_who_takes_part(who: str) -> None:
    clean = KIT.detector.replace("Hello Maria,\n\nWill", Context((person("Maria Kowalska"), person(who))))
    assert clean.text.endswith(first(who))


def test_the_same_passage_has_the_year_of_its_mail() -> None:
    text = "Hello\n\nuntil 29 February then"
    moved = {KIT.shift.moved(date(year, 2, 29)) for year in (2020, 2024)}
    written = {KIT.detector.replace(text, Context(reference=date(y, 3, 1))).text for y in (2020, 2024)}
    assert {any(f"{day.day} {day:%B}" in one for one in written) for day in moved} == {True}


@pytest.mark.parametrize("line", LINES)
def test_what_only_explains_finds_what_replacement_finds(line: str) -> None:
    explaining = explaining_recognizers(MANIFEST, KIT.registry)
    found = [sorted({(f.start, f.end) for f in one.find(line, NOBODY)}) for one in explaining]
    assert found == [sorted({(f.start, f.end) for f in one.find(line, NOBODY)}) for one in KIT.recognizers]


NAMED = (
    ("Please ask Arthur Tillinghurst about it.", True),
    ("Yours, Wilhelmina van der Berg", True),
    ("We bought it from Ostrava Gears GmbH last year.", True),
    ("The Vertex Valves pump arrived.", True),
    ("Plan DW-0887-E A, Auftrag 30003666", False),
    ("Great. I have sent the invite for Tuesday 6 May.", False),
)


@pytest.mark.parametrize(("line", "named"), NAMED)
def test_a_model_reads_lines_that_may_name_somebody(line: str, named: bool) -> None:
    assert may_name(line, Stems(["vertexvalves", "up"])) is named


@given(st.lists(st.sampled_from("Ann Tom van Berg de Acme GmbH Inc. vertex Valves Will, June's A.".split())))
def test_lines_left_out_hold_nothing_that_would_be_kept(words: list[str]) -> None:
    line = " ".join(words)
    if may_name(line, Stems(["vertexvalves"])):
        return
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            mention = " ".join(words[start:end])
            assert plausible_person(mention, frozenset()) is None
            company = parse_company(mention)
            assert company is None or not company.legal or not company.core[:1].isupper()


def test_the_model_reads_no_more_than_it_must() -> None:
    texts = ["Ann Lee met Zyxquar.\nsee Plan DW-0887-E A, Auftrag 30003666", "so and so\n\nInvoice Total"]
    registry = build_registry(Evidence(), COMPANY)
    found = name_finder().find(texts, explaining_recognizers(MANIFEST, registry), registry)
    assert found.lines == 1
    assert len(list(candidate_lines(texts, frozenset({"so", "and"})))) == 3


@pytest.mark.parametrize("gap", ["  ", "\t", " \t ", "\u00a0\u00a0", "\n> "])
@pytest.mark.parametrize("written", ["Vertex Valves", "Dana Quistgaard"])
def test_a_name_is_known_over_any_gap(written: str, gap: str) -> None:
    clean = KIT.detector.replace(f"see {written.replace(' ', gap)} now", NOBODY).text
    assert not any(word in clean for word in written.split())


@pytest.mark.parametrize("key", ['"order_no": ', "id=", "Nr: ", "no. #", "'number' : '"])
def test_a_short_id_is_known_behind_its_key(key: str) -> None:
    evidence = Evidence()
    evidence.identifiers.update({"4711", "0815"})
    parts = Kit(Plan(KEY, MANIFEST, build_registry(evidence, COMPANY), Assignments()))
    for number in ("4711", "0815"):
        clean = parts.detector.replace(f"{{{key}{number}}}", NOBODY).text
        assert clean == f"{{{key}{parts.identifiers.identifier(number)}}}"
    assert parts.detector.replace(f"{key}4712", NOBODY).text == f"{key}4712"
