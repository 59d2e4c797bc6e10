"""What extraction finds in the sample archive, judged by the answer key."""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from archive.home import DatasetHome
from contracts.company_model import CompanyModel, MinedRule
from contracts.tables import FIXED_TABLES
from extract.model import MODEL_FILE, OCEL_FILE, extract_dataset

NAMES = {
    "lead": "leads",
    "opportunity": "opportunities",
    "meeting": "events",
    "quote": "quotes",
    "order": "orders",
    "invoice": "invoices",
    "credit_memo": "credit_memos",
    "ticket": "tickets",
    "complaint": "tickets",
    "mail": "mails",
    "document": "drawings",
    "change_order": "change_orders",
}
Records = dict[tuple[str, str], str]


def found_records(home: DatasetHome) -> Records:
    rows = pl.read_parquet(home.model / "cases.parquet").select("kind", "record", "case_id").iter_rows()
    return {(NAMES[kind], record): case for kind, record, case in rows if kind in NAMES}


def true_records(truth: dict[str, Any]) -> Records:
    kinds = sorted(set(NAMES.values()))
    return {
        (kind, record): key for key, case in truth["cases"].items() for kind in kinds for record in case[kind]
    }


def pairs(records: Records) -> set[tuple[tuple[str, str], ...]]:
    by_case = defaultdict(list)
    for record, case in records.items():
        by_case[case].append(record)
    return {pair for group in by_case.values() for pair in combinations(sorted(group), 2)}


def rule_of(model: CompanyModel, decision: str) -> MinedRule:
    return next(rule for rule in model.rules if rule.rule.decision == decision)


def outcomes_of(model: CompanyModel) -> dict[str, int]:
    return {outcome.name: outcome.share.hits for outcome in model.outcomes}


def test_records_of_four_systems_meet_in_the_right_cases(sample: Any) -> None:
    true, found = pairs(true_records(sample.truth)), pairs(found_records(sample.home))
    hits = len(true & found)
    assert hits / len(found) >= 0.95
    assert hits / len(true) >= 0.95
    assert sample.model.cases == len(sample.truth["cases"])


def test_mails_find_their_case_without_the_numbers_they_name(sample: Any, tmp_path: Path) -> None:
    other = DatasetHome(tmp_path, "sample")
    shutil.copytree(sample.home.clean, other.clean)
    links = pl.read_parquet(other.clean / "links.parquet")
    named = pl.col("from_table").is_in(["messages", "attachments"]) & (pl.col("kind") == "identifier")
    links.filter(~named).write_parquet(other.clean / "links.parquet")
    extract_dataset(other, None, lambda step, done, total: None)
    true, found = pairs(true_records(sample.truth)), pairs(found_records(other))
    hits = len(true & found)
    assert hits / len(found) >= 0.95
    assert hits / len(true) >= 0.95


def test_the_approval_threshold_is_found_with_exemption_and_exceptions(sample: Any) -> None:
    truth, rule = sample.truth["rules"]["approval"], rule_of(sample.model, "approval")
    threshold = round(float(truth["threshold"]) * 100)
    assert rule.low is not None and rule.high is not None and rule.threshold is not None
    assert rule.low <= threshold < rule.high
    assert rule.low <= rule.threshold < rule.high
    assert rule.rule.outcome == "VP Sales"
    assert [(one.fact, one.value) for one in rule.rule.unless] == [
        ("segment", truth["standing_exemption"]["group"])
    ]
    cases = found_records(sample.home)
    assert rule.exceptions == sorted({cases["quotes", quote] for quote in truth["exceptions"]})
    assert rule.support == len(truth["decisions"]) - len(truth["standing_exemption"]["quotes"])


def test_who_decides_complaints_is_found_with_exceptions(sample: Any) -> None:
    truth, rule = sample.truth["rules"]["credit"], rule_of(sample.model, "complaint")
    assert rule.low is not None and rule.high is not None
    assert rule.low <= truth["limit_days"] < rule.high
    assert rule.rule.outcome == "Finance Controller"
    cases = found_records(sample.home)
    assert rule.exceptions == sorted({cases["tickets", ticket] for ticket in truth["exceptions"]})
    assert rule.support == len(truth["decisions"])


def test_criteria_are_the_planted_ones(sample: Any) -> None:
    found = {rule.rule.outcome: rule for rule in sample.model.qualification}
    facts = {reason: rule.rule.when[0].fact for reason, rule in found.items()}
    assert facts == {
        "too_small": "employees",
        "region": "region",
        "unsupported_ledger": "ledger_system",
        "public_body": "public_body",
        "acquired": "owned_by_competitor",
    }
    small = found["too_small"]
    assert small.low is not None and small.high is not None and small.low <= 119 < small.high
    cases = found_records(sample.home)
    exceptions = {cases["leads", lead] for lead in sample.truth["rules"]["qualification"]["exceptions"]}
    assert {case for rule in found.values() for case in rule.exceptions} == exceptions


def test_outcomes_are_the_true_ones(sample: Any) -> None:
    true: Counter[str] = Counter()
    for case in sample.truth["outcomes"].values():
        true.update(f"invoice.{state}" for state in case["payments"].values())
        true.update(f"complaint.{verdict}" for verdict in case["complaints"].values())
        if case["result"] == "disqualified":
            true[f"lead.disqualified.{case['reason']}"] += 1
        # A deal that was signed elsewhere, or a company that was bought, never became a deal of the CRM.
        if case["result"] in ("won", "lost") and case["reason"] not in ("signed_elsewhere", "acquired"):
            true[f"deal.{case['result']}"] += 1
            true[f"deal.lost.{case['reason']}"] += case["result"] == "lost"
    found = outcomes_of(sample.model)
    assert {name: found.get(name, 0) for name in +true} == dict(+true)


def test_answers_and_classes_of_outreach_are_the_true_ones(sample: Any) -> None:
    labels, response = sample.truth["response"]["outreach"], sample.model.response
    assert response is not None and response.outreach == len(labels)
    offered = sum(share.hits for share in response.offers_by_class.values())
    assert offered == sum(label["answer"] == "offers_times" for label in labels)
    relevant = sum(label["relevant"] and label["asked"] for label in labels)
    assert abs(response.offers_by_class["relevant_ask"].n - relevant) <= 0.05 * len(labels)
    facts = [label for label in labels if label["fact"]]
    assert response.second_chance.n <= len(facts)
    assert response.offers_by_class["relevant_ask"].ppm > 4 * response.offers_by_class["irrelevant"].ppm


def test_moved_meetings_are_the_true_ones(sample: Any) -> None:
    moved = sum(case["rescheduled"] for case in sample.truth["outcomes"].values())
    assert sample.model.meetings.rescheduled.hits == moved


@pytest.mark.parametrize(
    ("pattern", "true_kind"),
    [
        ("fake_boss", "fake_boss"),
        ("stale_crm", "stale_crm"),
        ("time_zone", "time_zone"),
        ("plan_changes", "plan_changes"),
        ("buyer_cancels", "buyer_cancels"),
        ("do_not_contact", "do_not_contact_request"),
    ],
)
def test_trap_patterns_occur_as_often_as_planted(sample: Any, pattern: str, true_kind: str) -> None:
    found = next(trap.share for trap in sample.model.traps if trap.kind == pattern)
    assert found.hits == sum(trap["kind"] == true_kind for trap in sample.truth["traps"])


def test_recorded_cases_share_their_traits_with_at_least_four_others(sample: Any) -> None:
    traits = Counter(tuple(sorted(case.traits.items())) for case in sample.model.recorded_cases)
    assert {case.archetype for case in sample.model.recorded_cases} == {
        "bookable",
        "acquired",
        "signed",
        "unfit",
    }
    assert all(count >= 5 or not combination for combination, count in traits.items())


def test_branch_probabilities_add_up(sample: Any) -> None:
    for workflow in sample.model.workflows:
        total: Counter[str] = Counter()
        for edge in workflow.edges:
            total[edge.source] += edge.probability_ppm
        assert all(abs(ppm - 1_000_000) <= len(workflow.edges) for ppm in total.values())
        assert sum(variant.n for variant in workflow.variants) == workflow.cases


def test_no_sentence_of_the_archive_stands_in_the_model(sample: Any) -> None:
    text = (sample.home.model / MODEL_FILE).read_text("utf-8")
    for name, column in (("messages", "body_own"), ("tickets", "description"), ("comments", "body")):
        for body in pl.read_parquet(sample.home.clean / f"{name}.parquet")[column].drop_nulls():
            assert not any(len(line) > 25 and line in text for line in body.split("\n"))


def test_a_second_run_writes_the_same_bytes(sample: Any, tmp_path: Path) -> None:
    other = DatasetHome(tmp_path, "sample")
    shutil.copytree(sample.home.clean, other.clean)
    (other.clean / OCEL_FILE).unlink()
    extract_dataset(other, sample.topics, lambda step, done, total: None)
    files = [*sorted(sample.home.model.iterdir()), sample.home.clean / OCEL_FILE]
    for path in files:
        assert (other.folder / path.relative_to(sample.home.folder)).read_bytes() == path.read_bytes(), (
            path.name
        )


@pytest.mark.parametrize(
    ("missing", "empty"),
    [
        (["messages", "calendar_items", "attachments"], "mail"),
        (["tickets", "comments", "ticket_events"], "tickets"),
        (["links"], "links"),
        ([name for name in FIXED_TABLES], "all fixed tables"),
        (["records-crm-lead", "records-crm-account", "records-crm-contact"], "crm"),
        (["records-erp-vbak", "records-erp-vbrk", "records-erp-kna1"], "erp"),
    ],
)
def test_what_is_missing_leaves_its_figures_empty(
    sample: Any, tmp_path: Path, missing: list[str], empty: str
) -> None:
    other = DatasetHome(tmp_path, "sample")
    shutil.copytree(sample.home.clean, other.clean)
    for name in missing:
        (other.clean / f"{name}.parquet").unlink()
    model = extract_dataset(other, sample.topics, lambda step, done, total: None)
    if empty == "mail":
        assert model.response is None
        assert model.texture.words_per_mail.n == 0 and model.meetings.rescheduled.n == 0
        assert [rule.rule.decision for rule in model.rules if rule.rule.decision == "complaint"] == [
            "complaint"
        ]
    if empty == "tickets":
        assert not any(outcome.name.startswith("complaint") for outcome in model.outcomes)
        assert model.response is not None
    if empty == "crm":
        assert model.qualification == [] and model.crm.age_days.n == 0 and model.industries == {}
    if empty == "erp":
        assert not any(outcome.name.startswith("invoice") for outcome in model.outcomes)
