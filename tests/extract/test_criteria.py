"""Disqualification criteria: the telling fact, its form, and the order in which criteria decide."""

from __future__ import annotations

from contracts.decisions import Decision, FactValue, Operator
from extract.criteria import mine_criteria
from extract.decisions import QUALIFIED, Decided

GOOD: dict[str, FactValue] = {
    "employees": 400,
    "region": "US",
    "ledger_system": "A",
    "public_body": False,
    "owned_by_competitor": False,
}


def lead(number: int, outcome: str, waived: frozenset[str] = frozenset(), **facts: FactValue) -> Decided:
    decision = Decision(kind="qualification", subject=f"l{number}", facts={**GOOD, **facts}, outcome=outcome)
    return Decided(decision, f"case-{number}", 1_700_000_000 + number, waived)


def archive() -> list[Decided]:
    regions, ledgers = ("US", "CA"), ("A", "B", "C")
    found = [
        lead(one, QUALIFIED, employees=130 + 7 * one, region=regions[one % 2], ledger_system=ledgers[one % 3])
        for one in range(60)
    ]
    found += [lead(100 + one, "too_small", employees=20 + 12 * one) for one in range(8)]
    found += [lead(200 + one, "region", region=("FR", "IT", "ES")[one % 3]) for one in range(6)]
    found += [lead(300 + one, "public_body", public_body=True) for one in range(6)]
    return found


def test_every_reason_gets_the_fact_that_tells_it() -> None:
    rules = {rule.rule.outcome: rule for rule in mine_criteria(archive())}
    conditions = {reason: rule.rule.when[0] for reason, rule in rules.items()}
    assert (conditions["too_small"].operator, conditions["too_small"].value) == (Operator.AT_MOST, 104)
    assert (conditions["region"].operator, conditions["region"].value) == (Operator.NOT_IN, ["CA", "US"])
    assert (conditions["public_body"].operator, conditions["public_body"].value) == (Operator.EQUALS, True)
    assert all(rule.exceptions == [] and rule.confidence_ppm == 1_000_000 for rule in rules.values())


def test_an_exception_that_somebody_granted_shows_where_the_threshold_is_not() -> None:
    granted = lead(500, QUALIFIED, frozenset({"employees"}), employees=118)
    small = next(rule for rule in mine_criteria([*archive(), granted]) if rule.rule.outcome == "too_small")
    assert small.threshold == 118
    assert small.exceptions == ["case-500"]


def test_the_criterion_that_decided_comes_first() -> None:
    both = [lead(600 + one, "public_body", public_body=True, region="FR") for one in range(4)]
    order = [rule.rule.outcome for rule in mine_criteria([*archive(), *both])]
    assert order.index("public_body") < order.index("region")


def test_a_reason_that_no_fact_explains_makes_no_criterion() -> None:
    unexplained = [lead(700 + one, "gut_feeling", employees=130 + 70 * one) for one in range(6)]
    assert "gut_feeling" not in {rule.rule.outcome for rule in mine_criteria([*archive(), *unexplained])}
