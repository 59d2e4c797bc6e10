"""Companies that stand in text alone: marks beside their names tell them, and both halves are replaced."""

from __future__ import annotations

import re

import pytest

from anonymize.assignments import Assignments
from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName, parse_company
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.prefilter import Prefilter
from anonymize.recognizers import marked_companies as module
from anonymize.recognizers.marked_companies import CompanyWords, marked_companies
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.typed_cells import Assigned, CellAudit, Verdict
from contracts.manifest import Company, Manifest

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="EUR")


def make_evidence() -> Evidence:
    evidence = Evidence()
    evidence.persons[PersonMention((PersonName("Maria", "", "Kowalczyk"),), ("mk@brightwater.com",))] += 1
    evidence.companies[CompanyMention("Oakbourne Freight Ltd", ("oakbourne.com",))] += 1
    evidence.domains["oakbourne.com"] += 1
    return evidence


REGISTRY = build_registry(make_evidence(), OWN)


def found(*texts: str) -> set[str]:
    names = map(parse_company, marked_companies(texts, REGISTRY))
    return {name.core for name in names if name is not None}


def kit_of(*texts: str) -> Kit:
    marked = tuple(sorted(marked_companies(texts, REGISTRY)))
    registry = build_registry(make_evidence(), OWN, (), marked)
    manifest = Manifest(name="x", company=OWN, sources=[])
    return Kit(Plan(DatasetKey(bytes(range(32)), "x"), manifest, registry, Assignments()))


def clean(text: str) -> str:
    return kit_of(text).detector.replace(text, Context()).text


MARKED = [
    ("Fa. Drossner hat geliefert.", "Drossner"),
    ("Bitte Fa Drossner anrufen", "Drossner"),
    ("Die Firma Kettelhack liefert.", "Kettelhack"),
    ("Firma: Kettelhack", "Kettelhack"),
    ("Fa. Kettelhack Maschinenbau", "Kettelhack"),
    ("Gruppe bei Drossner & Töchter", "Drossner"),
    ("Halbritter & Söhne schreibt", "Halbritter"),
    ("Halbritter und Söhne schreibt", "Halbritter"),
    ("We met Brackley & Sons.", "Brackley"),
    ("We met Brackley and Sons.", "Brackley"),
    ("Whitcombe & Partners will pay", "Whitcombe"),
    ("Gebr. Osterloh fragt an", "Osterloh"),
    ("die Osterloh Gruppe", "Osterloh"),
    ("Unser Lieferant Drossner GmbH hat", "Drossner"),
    ("Hallo Monika, Drossner GmbH hat", "Drossner"),
    ("Pay Salmon AS today", "Salmon"),
    ("Kvernberg ASA is late", "Kvernberg"),
    ("ask Lindqvist AB", "Lindqvist"),
    ("ask Jokinen Oy", "Jokinen"),
    ("DROSSNER GMBH ZAHLT", "DROSSNER"),
    ("Drossner KG und Drossner & Co. KG", "Drossner"),
    ("Novotný s.r.o. called", "Novotný"),
    ("Kowal sp. z o.o. called", "Kowal"),
    ("Nagy Kft. called", "Nagy"),
    ("Demir A.Ş. called", "Demir"),
    ("Ozols SIA called", "Ozols"),
    ("UAB Baltrunas called", "Baltrunas"),
    ("Horvatić d.o.o. called", "Horvatić"),
    ("Kowalczyk & Drossner GmbH", "Kowalczyk & Drossner"),
    ("Drossner & Kowalczyk GmbH", "Drossner & Kowalczyk"),
    ("Kowalczyk, Drossner & Partner", "Kowalczyk, Drossner"),
    ("bei Kowalczyk & Drossner", "Kowalczyk & Drossner"),
    ("with Oakbourne & Drossner", "Oakbourne & Drossner"),
    ("Brackley & Whitcombe Ltd", "Brackley & Whitcombe"),
]


@pytest.mark.parametrize(("text", "core"), MARKED)
def test_a_mark_tells_a_company_and_no_word_of_it_stays(text: str, core: str) -> None:
    assert core in found(text)
    new = clean(text)
    for word in re.findall(r"[^\W\d_]+", core):
        assert word not in new and word.lower() not in new.lower(), new


@pytest.mark.parametrize(
    "text",
    [
        "Firma hat geliefert", "Fa. ist zu", "Firma Kunde", "Die Firma Ihres Kunden", "unsere Firma",
        "Firma Rechnung 12", "Lieferschein AB", "Rechnung AB 123", "Kunden und Partner", "Freunde & Partner",
        "Forschung & Entwicklung", "Terms & Conditions", "Sales & Partners", "Anna & Partner kommen",
        "Kowalczyk & Team", "Maria & Anna", "Kowalczyk & Kowalczyk", "the AS team", "PERCEIVED AS URGENT",
        "Tom and Sons", "Velmora State AG",
        "Oakbourne Freight Ltd", "Vertrieb & Co. KG", "",
    ],
)  # fmt: skip
def test_ordinary_words_beside_a_mark_are_no_company(text: str) -> None:
    assert found(text) == set()


def test_a_thing_is_no_company_behind_a_doubtful_mark() -> None:
    assert found("Die Zwischenlage fehlt.", "Zwischenlage AB fehlt", "Lindqvist AB", "der Kunde") == {
        "Lindqvist"
    }


def test_one_company_has_one_surrogate_behind_all_marks() -> None:
    text = "Fa. Drossner, Drossner & Töchter und Drossner GmbH. Drossner zahlt."
    new = clean(text)
    (name,) = set(re.findall(r"(?:Fa\. |(?<=, )|und |\. )([A-Z]\w+)", new.replace("und ", ", ")))
    assert new == text.replace("Drossner", name)


@pytest.mark.parametrize("sign", ["&", " & ", " und ", "+", " u. "])
def test_a_firm_called_by_a_first_name_is_replaced_with_any_sign(sign: str) -> None:
    kit = kit_of("Marlon & Söhne zahlt")
    new = kit.detector.replace(f"Gestern zahlte Marlon{sign}Söhne.", Context()).text
    firm = kit.surrogates.cores[kit.registry.company_by_name["marlon"]].split()[0]
    assert new == f"Gestern zahlte {firm}{sign}Söhne."


def test_a_firm_called_as_a_person_does_not_take_the_person_s_name() -> None:
    text = "Frau Kowalczyk war bei Fa. Kowalczyk. Maria Kowalczyk grüßt, Kowalczyk & Söhne zahlt."
    kit = kit_of(text)
    new = kit.detector.replace(text, Context()).text
    person = kit.surrogates.variant(0, PersonName("Maria", "", "Kowalczyk"))
    firm = kit.surrogates.cores[kit.registry.company_by_name["kowalczyk"]].split()[0]
    assert new == (f"Frau {person.last} war bei Fa. {firm}. {person.full} grüßt, {firm} & Söhne zahlt.")


@pytest.mark.parametrize(("text", "core"), MARKED)
def test_searches_of_companies_are_foreseen(text: str, core: str) -> None:
    words = CompanyWords(REGISTRY)
    (mask,) = module._PREFILTER.masks([text])
    assert set(words.named(text, mask)) == set(words.named(text, 7))
    assert isinstance(module._PREFILTER, Prefilter) and isinstance(REGISTRY, Registry) and core


GIVEN = frozenset({"velmont", "works"})


@pytest.mark.parametrize(
    "cell",
    ["Knäckhult AB", "Lyngvik Sjømat AS", "Kvernberg ASA", "Jokinen Oy", "Novotný s.r.o.", "Demir A.Ş.",
     "Kowal sp. z o.o.", "Nagy Kft.", "JOKINEN OY", "Halbritter & Söhne", "Whitcombe & Partners"],
)  # fmt: skip
def test_the_audit_lets_legal_forms_stay_in_cells(cell: str) -> None:
    name = parse_company(cell)
    assert name is not None and name.legal and len(name.core.split()) < len(cell.split())
    nothing: frozenset[str] = frozenset()
    judge = CellAudit(Assigned(**{**dict.fromkeys(Assigned.__annotations__, nothing), "companies": GIVEN}))
    assert judge.company(cell, f"Velmont Works {name.legal}") in (Verdict.MOVED, Verdict.CONSTANT)
    assert judge.company(cell, cell) is Verdict.KEPT
