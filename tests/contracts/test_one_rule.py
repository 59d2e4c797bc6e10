"""One case, two roads: extraction reads it off the company's records, grading off a shift's events.

Both make a Decision, and the same Rule says the same of both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from contracts.decisions import FACTS, Condition, Decision, FactValue, Operator, Rule, check_facts
from contracts.grade import Verdict
from contracts.shift_events import ShiftEvent
from contracts.world import AccountTruth, Status, Truth
from extract.cases import CaseBook
from extract.decisions import QUALIFIED, Sources, find_decisions
from extract.objects import BusinessObject, ObjectGraph
from extract.people import Staff
from grader import qualification
from grader.log_view import view_log
from worldgen.building import build
from worldgen.template import load_template

ENVIRONMENT = Path(__file__).parents[2] / "environments" / "gtm-outbound"
SUBJECT = "account-1"
GOOD: dict[str, FactValue] = {
    "employees": 400,
    "region": "US",
    "ledger_system": "NetSuite",
    "public_body": False,
    "owned_by_competitor": False,
}


def rule(fact: str, operator: Operator, value: Any, reason: str) -> Rule:
    when = [Condition(fact=fact, operator=operator, value=value)]
    return Rule(id=f"qualification-{reason}", decision="qualification", when=when, outcome=reason)


RULES = [
    rule("employees", Operator.AT_MOST, 104, "too_small"),
    rule("region", Operator.NOT_IN, ["CA", "US"], "unsupported_region"),
    rule("ledger_system", Operator.IN, ["Abacus"], "unsupported_ledger"),
    rule("public_body", Operator.EQUALS, True, "public_body"),
    rule("owned_by_competitor", Operator.EQUALS, True, "owned_by_competitor"),
]
CASES: list[tuple[dict[str, FactValue], str]] = [
    ({}, QUALIFIED),
    ({}, "too_small"),
    ({"employees": 104}, "too_small"),
    ({"employees": 105}, QUALIFIED),
    ({"employees": 12}, QUALIFIED),
    ({"region": "FR"}, "unsupported_region"),
    ({"region": "FR", "employees": 12}, "unsupported_region"),
    ({"ledger_system": "Abacus"}, "unsupported_ledger"),
    ({"public_body": True}, "public_body"),
    ({"public_body": True}, "no_budget"),
    ({"owned_by_competitor": True}, "owned_by_competitor"),
]


def read_by_extraction(facts: dict[str, FactValue], outcome: str) -> Decision:
    """The case as a lead of the company's CRM."""
    lead = BusinessObject(
        object_id="lead:1",
        type="lead",
        system="crm",
        table="leads",
        record="leads:1",
        ident=SUBJECT,
        attributes={
            "employees": f"{facts['employees']}",
            "region": str(facts["region"]),
            "ledger_system": str(facts["ledger_system"]),
            "public_body": "yes" if facts["public_body"] else "no",
            "competitor_contract": "true" if facts["owned_by_competitor"] else "false",
            "status": "Qualified" if outcome == QUALIFIED else "Disqualified",
            "reason": "" if outcome == QUALIFIED else outcome,
        },
    )
    graph = ObjectGraph()
    graph.add(lead)
    # A lead without an owner asks the staff nothing.
    staff = cast(Staff, None)
    sources = Sources(graph, staff, CaseBook([]), [], [], {}, ZoneInfo("UTC"))
    return next(one.decision for one in find_decisions(sources))


@pytest.fixture(scope="module")
def world() -> Truth:
    return build(load_template(ENVIRONMENT), 1).truth


def account_of(world: Truth, facts: dict[str, FactValue]) -> AccountTruth:
    return world.accounts[0].model_copy(update={"account_id": SUBJECT, "facts": facts})


def shift_of(outcome: str) -> list[ShiftEvent]:
    status = Status.QUALIFIED if outcome == QUALIFIED else Status.NOT_A_FIT
    data = {
        "record_id": SUBJECT,
        "account_id": SUBJECT,
        "field": "status",
        "value": status.value,
        "old": "New",
    }
    data["reason"] = "late_fees" if outcome == QUALIFIED else outcome
    return [ShiftEvent(seq=1, at_ms=0, actor="agent", type="crm.set_field", data=data)]


def read_by_grading(world: Truth, facts: dict[str, FactValue], outcome: str) -> Decision:
    """The case as an account of a shift."""
    truth = world.model_copy(update={"accounts": [account_of(world, facts)]})
    return qualification.decisions_in(view_log(shift_of(outcome)), truth)[SUBJECT]


@pytest.mark.parametrize(("change", "outcome"), CASES)
def test_both_roads_make_the_same_decision_and_every_rule_says_the_same(
    world: Truth, change: dict[str, FactValue], outcome: str
) -> None:
    facts = {**GOOD, **change}
    recorded, played = read_by_extraction(facts, outcome), read_by_grading(world, facts, outcome)
    assert check_facts(recorded).facts == check_facts(played).facts
    assert (recorded.kind, recorded.subject, recorded.outcome) == (
        played.kind,
        played.subject,
        played.outcome,
    )
    assert [one.applies(recorded) for one in RULES] == [one.applies(played) for one in RULES]
    assert [one.conforms(recorded) for one in RULES] == [one.conforms(played) for one in RULES]


def test_the_cases_reach_every_rule_kept_and_broken(world: Truth) -> None:
    made = [read_by_extraction({**GOOD, **change}, outcome) for change, outcome in CASES]
    assert all(any(one.applies(decision) for decision in made) for one in RULES)
    assert any(not one.conforms(decision) for one in RULES for decision in made)


def test_worlds_hold_facts_of_the_vocabulary_only(world: Truth) -> None:
    for account in world.accounts:
        decision = Decision(kind="qualification", subject=account.account_id, facts=account.facts, outcome="")
        assert set(check_facts(decision).facts) <= set(FACTS["qualification"])
        assert all(
            condition.fact in FACTS[one.decision] for one in world.contact_rules for condition in one.when
        )
    assert all(
        condition.fact in FACTS[one.decision] for one in world.qualification_rules for condition in one.when
    )


@pytest.mark.parametrize("mark", ["too_small", QUALIFIED])
def test_the_grade_follows_the_rule_that_extraction_mined(world: Truth, mark: str) -> None:
    facts: dict[str, FactValue] = {**GOOD, "employees": 12}
    account = account_of(world, facts).model_copy(
        update={"status": Status.NOT_A_FIT, "reason": "too_small", "archetype": "unfit", "buyer_address": ""}
    )
    truth = world.model_copy(update={"accounts": [account], "qualification_rules": RULES})
    check = qualification.check_qualification(view_log(shift_of(mark)), truth).checks[0]
    followed = RULES[0].conforms(read_by_extraction(facts, mark))
    assert (check.verdict is Verdict.PASS) is followed is (mark == "too_small")
