"""Shortcuts find what the whole search finds: what is left out could not have been anything."""

from __future__ import annotations

import gc
import re
from typing import NoReturn
from unittest.mock import patch

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.column_values import ByValue, ColumnValues, Outcome, Place
from anonymize.detection import CleanText, WrittenSpan
from anonymize.evidence import Evidence, PersonMention
from anonymize.findings import Context, Finding, settle
from anonymize.forms import PersonName, like
from anonymize.garbage import seldom_collected
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.ledger import NOTHING
from anonymize.phones import DigitScan
from anonymize.prefilter import Prefilter
from anonymize.recognizers import addressed, known
from anonymize.recognizers.registers import RegisterRecognizer
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest

COMPANY = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
MANIFEST = Manifest(name="test", company=COMPANY, sources=[])
FIRSTS = ("Dana", "Maria", "Robert")
FAMILIES = ("Quistgaard", "Odenrik", "Supertyk", "Marklund", "Dana")


def kit() -> Kit:
    evidence = Evidence()
    for first in FIRSTS:
        for last in FAMILIES:
            address = f"{first}.{last}@brightwater.com".lower()
            evidence.persons[PersonMention((PersonName(first, "", last),), (address,))] += 1
    evidence.phones.update({"+15085550147", "+497314960142"})
    evidence.identifiers.add("4500012345")
    return Kit(
        Plan(DatasetKey(b"k" * 32, "test"), MANIFEST, build_registry(evidence, COMPANY), Assignments())
    )


KIT = kit()
PEOPLE = st.lists(st.integers(0, len(KIT.registry.persons) - 1), max_size=3, unique=True).map(tuple)
WORDS = st.sampled_from(
    (
        *FIRSTS,
        *FAMILIES,
        "Hi",
        "wrote:",
        "from",
        "of",
        "Brightwater",
        "4500-012-345",
        "0731 4960142",
        "on 3 May",
        "USD 1,250.00",
        "dana.odenrik@brightwater.com",
    )
)
TEXTS = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)
ANNOUNCED = st.sampled_from(
    (
        "SSN",
        "Social Security No",
        "FEIN",
        "employer identification",
        "Tax ID",
        "taxpayer",
        "IRS",
        "TIN",
        "DUNS",
        "D-U-N-S",
        "du-ns",
        "Steuer-Nr",
        "Steuernummer",
        "St.-Nr.",
        "IdNr",
        "Steueridentifikationsnummer",
        "SV-Nummer",
        "Rentenversicherungsnr",
        "HRB",
        "hra",
        "GnR",
        "Handelsregister",
        "Company No",
        "registered in",
        "CRN",
        "Passport",
        "Pass-Nr",
        "Ausweisnummer",
        "driver's licence",
        "driving license",
        "Führerschein",
        "DL no",
        "license plate",
        "Kennzeichen",
        "reg plate",
        "national ID",
        "ID card",
        "identity card",
        "ſſN",
        "nothing",
    )
)
NUMBERS = st.sampled_from(
    (
        "123-45-6789",
        "12-3456789",
        "15-048-3782",
        "181/815/08155",
        "12 345 678 901",
        "12 345678 A 123",
        "HRB 12345",
        "SC123456",
        "C01X00T47",
        "D1234-56789",
        "M-AB 1234",
        "AB12 CDE",
        "QQ 12 34 56 C",
        "4711",
    )
)


def found(findings: list[Finding]) -> list[tuple[int, int, str, float, str]]:
    return [(f.start, f.end, f.entity_type, f.score, f.replacement) for f in findings]


@given(
    st.lists(
        st.tuples(ANNOUNCED, st.sampled_from((": ", " ", "=", " is ")), NUMBERS), min_size=1, max_size=3
    ),
    st.sampled_from((str, str.upper, str.lower)),
)
def test_an_official_number_is_found_though_only_texts_with_signs_are_read(
    parts: list[tuple[str, str, str]], cased: type[str]
) -> None:
    text = "; ".join(cased("".join(part)) for part in parts)
    recognizer = RegisterRecognizer(KIT.identifiers)
    (may_find,) = Prefilter([recognizer.signs()]).masks([text])
    assert may_find or not recognizer.find(text, Context())


@given(
    st.lists(
        st.sampled_from((*"0123456789", " ", ".", "-", "x", "tel ", "+49", "731", "4960142")), max_size=24
    )
)
def test_a_known_number_is_found_though_only_texts_with_enough_digits_are_read(parts: list[str]) -> None:
    text = "".join(parts)
    scan = DigitScan({"7314960142": "a", "07314960142": "b", "4960142": "c"})
    quick = list(scan.hits(text))
    scan.enough = re.compile("")
    scan._most = len(text) + 1
    assert quick == list(scan.hits(text))


@given(TEXTS, PEOPLE, st.booleans())
def test_what_no_context_changes_is_found_once_for_all_contexts(
    text: str, persons: tuple[int, ...], filename: bool
) -> None:
    context = Context(persons, filename=filename)
    apart = settle(finding for one in KIT.recognizers for finding in one.find(text, context))
    KIT.detector.find(text, Context(filename=filename))
    assert found(KIT.detector.find(text, context)) == found(apart)


@given(TEXTS, PEOPLE)
def test_of_many_namesakes_the_same_one_wins_as_if_all_were_compared(
    text: str, persons: tuple[int, ...]
) -> None:
    few = found(KIT.known.find(text, Context(persons)))
    with patch.object(known, "FEW_FORMS", 1_000):
        assert few == found(KIT.known.find(text, Context(persons)))


@given(
    st.lists(
        st.sampled_from(
            (
                "Wanda Ostrowiak",
                "wrote:",
                "schrieb",
                "a écrit",
                "cc",
                "Attn:",
                "z. Hd.",
                "my",
                "colleague",
                "On 3 May,",
                "FAO",
                "said",
                "hello",
                "\n",
                ", ",
            )
        ),
        max_size=8,
    )
)
def test_people_are_met_though_only_the_patterns_are_tried_whose_words_are_there(words: list[str]) -> None:
    text = " ".join(words)
    judge = addressed._Judge(KIT.registry, frozenset())
    (searches,) = addressed._PREFILTER.masks([text])
    assert set(judge.names(text, searches)) == set(judge.names(text))


@given(st.text(alphabet="aBcDéÜß .1", max_size=5), st.sampled_from(("Jürgen Weiß", "Ann Lee", "x")))
def test_a_surrogate_takes_the_case_of_its_mention(mention: str, surrogate: str) -> None:
    letters = [char for char in mention if char.isalpha()]
    new = like(mention, surrogate)
    if len(letters) > 1 and all(char.isupper() for char in letters):
        assert new == new.upper()
    elif letters and all(char.islower() for char in letters):
        assert new == new.lower()
    else:
        assert any(char.isupper() for char in new) or surrogate == "x"


CELLS = st.sampled_from((None, "", "whole", "alike", "text", "by row"))


def replaced(value: str) -> Outcome | None:
    spans = (WrittenSpan(0, 4, 1, 5, "PERSON"),)
    known: dict[str, Outcome] = {
        "whole": "W",
        "alike": CleanText("alike", ()),
        "text": CleanText("+text", spans),
    }
    return known.get(value)


@given(
    st.one_of(
        st.lists(CELLS, max_size=8), st.lists(st.one_of(st.none(), st.lists(CELLS, max_size=3)), max_size=5)
    )
)
def test_a_column_comes_out_cell_by_cell_with_a_ledger_of_each(
    cells: list[str | None] | list[list[str | None] | None],
) -> None:
    listed = any(isinstance(cell, list) for cell in cells)
    dtype = pl.List(pl.String) if listed else pl.String()
    done = ColumnValues(pl.Series("c", cells, dtype=dtype)).replaced(
        Place("t", "c", "id"), ByValue(replaced, lambda value, row: f"{value} {row}")
    )
    expected = {"whole": "W", "text": "+text"}

    def new(value: str | None, row: int) -> str | None:
        return f"by row {row}" if value == "by row" else expected.get(value or "", value)

    rows = list(enumerate(cells))
    assert done.series.to_list() == [
        [new(one, row) for one in cell] if isinstance(cell, list) else new(cell, row) for row, cell in rows
    ]
    spans = {"whole": (0, 1, "id"), "text": (1, 5, "PERSON"), "alike": (NOTHING, NOTHING, "")}
    wanted = [
        (row, item, *spans.get(value, (0, len(f"by row {row}"), "id")))
        for row, cell in rows
        for item, value in enumerate(cell if isinstance(cell, list) else [cell])
        if value
    ]
    assert sorted(done.ledger.select("row", "item", "start", "end", "kind").rows()) == sorted(wanted)


def test_cycles_are_sought_as_before_when_the_work_is_done_or_fails() -> None:
    before = gc.get_threshold()

    @seldom_collected()
    def fails() -> NoReturn:
        assert gc.get_threshold() != before
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fails()
    assert gc.get_threshold() == before
