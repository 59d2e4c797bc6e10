from __future__ import annotations

import json
from pathlib import Path

import pytest

from archive.home import DatasetHome
from contracts.company_model import (
    CompanyModel,
    CrmCondition,
    Edge,
    Meetings,
    MinedRule,
    Outcome,
    Quantiles,
    Share,
    Texture,
    Variant,
    Workflow,
)
from contracts.decisions import Condition, Operator, Rule
from evaluation.archive_report import condition_text, interval_text, share_text, write_onboard_report
from evaluation.errors import EvaluationError

NONE = Quantiles(unit="days", n=0, q=[])
UNSEEN = Share(hits=0, n=0)
RULE = MinedRule(
    rule=Rule(
        id="approval-amount",
        decision="approval",
        when=[Condition(fact="amount", operator=Operator.ABOVE, value=1_840_000)],
        outcome="VP <Sales>",
        unless=[Condition(fact="customer", operator=Operator.IN, value=["Jevon", "Marl"])],
    ),
    statement="quotes above 18,400.00 are approved by VP Sales",
    threshold=1_840_000,
    low=1_836_000,
    high=1_851_000,
    suggestion=1_840_000,
    support=67,
    confidence_ppm=955_000,
    likelihood_ratio_milli=40_000,
    exceptions=["case-17", "case-31"],
)


def model() -> CompanyModel:
    times = Quantiles(unit="seconds", n=9, q=[1, 2, 3, 7_200, 5, 172_800, 7, 8])
    edge = Edge(source="quote sent", target="quote approved", n=9, probability_ppm=640_000, seconds=times)
    return CompanyModel(
        dataset="sample",
        currency="EUR",
        counts={"messages": 12},
        cases=161,
        linked={"crm": Share(hits=3, n=4)},
        workflows=[
            Workflow(
                name="order_to_cash",
                cases=9,
                edges=[edge],
                variants=[Variant(activities=["quote sent", "quote approved"], n=9)],
            )
        ],
        rules=[RULE],
        outcomes=[Outcome(name="deal.won", share=Share(hits=42, n=78))],
        response=None,
        meetings=Meetings(
            rescheduled=Share(hits=1, n=8),
            out_of_office=UNSEEN,
            delegate_named=UNSEEN,
            other_zone=UNSEEN,
            duration_minutes=NONE,
            busy_per_day=NONE,
        ),
        crm=CrmCondition(age_days=NONE, stale=UNSEEN, do_not_contact=UNSEEN, contacts_per_account=NONE),
        texture=Texture(
            words_per_mail=NONE, mails_per_thread=NONE, greetings={}, sign_offs={}, quoting={}, noise={}
        ),
        qualification=[],
        industries={},
        sizes=NONE,
        regions={},
        traps=[],
        recorded_cases=[],
    )


@pytest.fixture
def home(tmp_path: Path) -> DatasetHome:
    home = DatasetHome(tmp_path, "sample")
    home.model.mkdir(parents=True)
    (home.model / "company_model.json").write_text(model().model_dump_json())
    return home


def test_the_page_shows_rules_with_interval_support_and_exceptions(home: DatasetHome) -> None:
    html = write_onboard_report(home).read_text()
    for shown in (
        RULE.statement,
        "[18,360.00, 18,510.00)",
        ">18,400.00<",
        ">67<",
        "95.5 %",
        "case-17",
        "case-31",
    ):
        assert shown in html
    assert "amount &gt; 1,840,000" in html
    assert "unless customer in Jevon, Marl" in html
    assert "VP &lt;Sales&gt;" in html


def test_the_page_shows_workflow_edges_and_outcomes(home: DatasetHome) -> None:
    html = write_onboard_report(home).read_text()
    for shown in ("quote approved", "64.0 %", "2.0 h", "2.0 d", "deal.won", "42 of 78", "53.8 %"):
        assert shown in html


def test_sources_entities_and_leaks_come_from_the_stored_reports(home: DatasetHome) -> None:
    home.reports.mkdir()
    sources = [
        {"name": "mail", "read": 724, "kept": 687, "duplicates": 35, "quarantined": 2},
        {"name": "crm", "read": 9, "kept": 7, "duplicates": 1, "quarantined": 0},
    ]
    onboard = {"sources": sources, "entities": {"person": 352, "place": 0}, "canaries_leaked": None}
    audit = {"passed": False, "leaks": 3, "leak_places": {"messages.body": 3}, "coincidences": 8}
    audit |= {"registry_complete": True, "unregistered": 0, "shared_surrogates": 0, "cells": 5, "forms": 6}
    (home.reports / "onboard.json").write_text(json.dumps(onboard))
    (home.reports / "audit.json").write_text(json.dumps(audit))
    html = write_onboard_report(home).read_text()
    for shown in ("724", "352", "messages.body (3)", "failed", '<span class="bad">no</span>'):
        assert shown in html
    assert "Canaries" not in html


def test_sections_without_data_are_left_out(home: DatasetHome) -> None:
    html = write_onboard_report(home).read_text()
    for title in ("Sources", "Entities", "Leak scan", "How buyers answer", "Qualification"):
        assert f"<h2>{title}" not in html
    assert "not seen (n = 0)" in html


def test_a_dataset_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="onboard"):
        write_onboard_report(DatasetHome(tmp_path, "sample"))


@pytest.mark.parametrize("name", ["audit.json", "onboard.json"])
def test_a_broken_report_is_refused_by_name(home: DatasetHome, name: str) -> None:
    home.reports.mkdir()
    (home.reports / name).write_text("[")
    with pytest.raises(EvaluationError, match=name):
        write_onboard_report(home)


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition(fact="employees", operator=Operator.BELOW, value=1_200), "employees < 1,200"),
        (Condition(fact="public_body", operator=Operator.EQUALS, value=True), "public body == True"),
        (Condition(fact="region", operator=Operator.NOT_IN, value=["UK", "US"]), "region not in UK, US"),
    ],
)
def test_conditions_read_as_people_write_them(condition: Condition, text: str) -> None:
    assert condition_text(condition) == text


def test_figures_say_what_they_rest_on() -> None:
    assert share_text(Share(hits=1, n=3)) == "33.3 % (1 of 3)"
    assert interval_text(RULE.model_copy(update={"low": None})) == "–"
