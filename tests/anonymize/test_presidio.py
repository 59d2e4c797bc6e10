"""Our recognisers and operator in Presidio's own engines: the same spans and texts as in production."""

from __future__ import annotations

import pytest
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, RecognizerResult
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig
from presidio_anonymizer.entities import RecognizerResult as AnonymizerInput

from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.findings import Context, Finding, FindingKind, settle
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.operators import SurrogateOperator
from anonymize.recognizers.names import name_finder
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest

KEY = DatasetKey(b"k" * 32, "test")
OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")


def make_kit() -> Kit:
    evidence = Evidence()
    for name, address, login in (
        (PersonName("Maria", "", "Kowalska"), "maria.kowalska@brightwater.com", "mkowalska"),
        (PersonName("Tom", "", "Cook"), "tcook@vertexvalves.com", ""),
    ):
        evidence.add_address(address)
        evidence.persons[PersonMention((name,), (address,), (login,) if login else ())] += 1
    evidence.companies[CompanyMention("Vertex Valves GmbH", ("vertexvalves.com",))] += 1
    evidence.identifiers.update({"4500012345", "SO-10023"})
    evidence.phones.add("+15085550147")
    evidence.streets.add("12 Mill Lane")
    evidence.cities.add("Brackendale")
    registry = build_registry(evidence, OWN)
    return Kit(Plan(KEY, Manifest(name="test", company=OWN, sources=[]), registry, Assignments()))


KIT = make_kit()
TEXTS = [
    "Ask Maria Kowalska or Cook, Tom about order 4500012345.",
    "Maria Kowalska Tom Cook",
    "From: Tom Cook [mailto:tcook@vertexvalves.com] to mkowalska, SO-10023",
    "Vertex Valves GmbH, 12 Mill Lane, Brackendale, Tel. (508) 555-0147 x12",
    "DE89370400440532013000 paid $1,234.50 on September 3, 2024 by 4111 1111 1111 1111",
    "see https://www.vertexvalves.com/start and BRIGHT\\mkowalska",
    "Ms Kowalska\u2019s note, M. Kowalska, KOWALSKA MARIA, Kowalska_Maria.pdf",
    "nothing to see here",
]


@pytest.fixture(scope="module")
def engine() -> AnalyzerEngine:
    return AnalyzerEngine(
        registry=KIT.detector.registry, nlp_engine=name_finder().engine, supported_languages=["en"]
    )


def spans(results: list[RecognizerResult] | list[Finding]) -> list[tuple[str, int, int]]:
    return [(result.entity_type, result.start, result.end) for result in results]


@pytest.mark.parametrize("text", TEXTS)
def test_the_stock_analyzer_finds_what_production_finds(engine: AnalyzerEngine, text: str) -> None:
    results = engine.analyze(text, language="en")
    found = settle(result for result in results if isinstance(result, Finding))
    assert len(results) >= len(found) and all(isinstance(result, Finding) for result in results)
    assert spans(found) == spans(KIT.detector.find(text, Context()))


@pytest.mark.parametrize("text", TEXTS)
def test_the_stock_anonymizer_writes_what_production_writes(engine: AnalyzerEngine, text: str) -> None:
    found = settle(result for result in engine.analyze(text, language="en") if isinstance(result, Finding))
    stock = AnonymizerEngine()  # type: ignore[no-untyped-call]
    stock.add_anonymizer(SurrogateOperator)
    inputs, operators = [], {}
    for number, finding in enumerate(found):
        name = f"{finding.entity_type}|{number}"
        inputs.append(AnonymizerInput(name, finding.start, finding.end, finding.score))
        parameters = {SurrogateOperator.REPLACEMENT: finding.replacement}
        operators[name] = OperatorConfig(SurrogateOperator.NAME, parameters)
    written = stock.anonymize(text, inputs, operators).text
    assert written == KIT.detector.replace(text, Context()).text
    assert (written == text) == (not found)


def test_the_stock_analyzer_knows_all_our_entities(engine: AnalyzerEngine) -> None:
    assert {kind.value for kind in FindingKind} <= set(engine.get_supported_entities("en"))


def test_entities_can_be_chosen_as_presidio_users_do(engine: AnalyzerEngine) -> None:
    chosen = engine.analyze(TEXTS[2], language="en", entities=["EMAIL_ADDRESS"])
    assert {result.entity_type for result in chosen} == {"EMAIL_ADDRESS"}


def test_stock_recognizers_load_beside_ours() -> None:
    """Presidio finds its recognizers by class name: none of ours may be called like one of them."""
    ours = {type(recognizer).__name__ for recognizer in KIT.recognizers}
    stock = RecognizerRegistry()
    stock.load_predefined_recognizers(languages=["en"], nlp_engine=name_finder().engine)
    assert stock.recognizers and ours.isdisjoint(type(one).__name__ for one in stock.recognizers)
