"""Mined rules: threshold, exemption, exceptions; and bulk evaluation equal to the one predicate."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.decisions import Condition, Decision, Operator, Rule
from extract.decisions import Decided
from extract.rules import decision_frame, mine_rules, rule_expression

SEGMENTS = ["north", "south", "group"]
FACTS = st.fixed_dictionaries(
    {},
    optional={
        "amount": st.integers(0, 20),
        "segment": st.sampled_from(SEGMENTS),
        "new_customer": st.booleans(),
    },
)
DECISIONS = st.lists(
    st.builds(
        Decision,
        kind=st.sampled_from(["approval", "complaint"]),
        subject=st.just("s"),
        facts=FACTS,
        outcome=st.sampled_from(["a", "b"]),
    ),
    min_size=1,
    max_size=12,
)
CONDITIONS = st.one_of(
    st.builds(
        Condition,
        fact=st.just("amount"),
        operator=st.sampled_from([one for one in Operator if one not in (Operator.IN, Operator.NOT_IN)]),
        value=st.integers(0, 20),
    ),
    st.builds(
        Condition,
        fact=st.just("segment"),
        operator=st.sampled_from([Operator.IN, Operator.NOT_IN]),
        value=st.lists(st.sampled_from(SEGMENTS), max_size=2),
    ),
    st.builds(
        Condition,
        fact=st.just("new_customer"),
        operator=st.sampled_from([Operator.EQUALS, Operator.DIFFERS]),
        value=st.booleans(),
    ),
)
RULES = st.builds(
    Rule,
    id=st.just("r"),
    decision=st.just("approval"),
    when=st.lists(CONDITIONS, max_size=2),
    outcome=st.just("a"),
    unless=st.lists(CONDITIONS, max_size=2),
)


@given(DECISIONS, RULES)
@settings(max_examples=150, deadline=None)
def test_bulk_evaluation_equals_the_predicate(decisions: list[Decision], rule: Rule) -> None:
    found = decision_frame(decisions).select(applies=rule_expression(rule))["applies"].to_list()
    assert found == [rule.applies(decision) for decision in decisions]


def approval(number: int, amount: int, outcome: str, **facts: Any) -> Decided:
    decision = Decision(
        kind="approval", subject=f"q{number}", facts={"amount": amount, **facts}, outcome=outcome
    )
    return Decided(decision, f"case-{number}", 1_700_000_000 + number)


def policy(n: int) -> list[Decided]:
    """Amounts up to 600 go to the manager, others to the VP."""
    return [approval(one, 10 * one, "vp" if 10 * one > 600 else "manager") for one in range(1, n + 1)]


def test_a_threshold_is_found_with_its_exception() -> None:
    decided = policy(100)
    decided[79] = approval(80, 800, "manager")
    (rule,) = mine_rules(decided)
    assert (rule.threshold, rule.rule.outcome, rule.exceptions) == (600, "vp", ["case-80"])
    assert rule.support == 100 and rule.confidence_ppm == 990_000
    assert all(rule.rule.conforms(one.decision) for one in decided if one.case_id != "case-80")
    assert rule.statement == "quotes above 6.00 are approved by vp, the others by manager"


def test_a_standing_exemption_is_no_exception() -> None:
    exempt = [approval(200 + one, 700 + one, "manager", segment="group") for one in range(4)]
    (rule,) = mine_rules(policy(100) + exempt)
    assert [(one.fact, one.value) for one in rule.rule.unless] == [("segment", "group")]
    assert rule.exceptions == [] and rule.support == 100
    assert not any(rule.rule.applies(one.decision) for one in exempt)


def test_two_deviations_of_one_customer_are_exceptions() -> None:
    twice = [approval(200 + one, 700 + one, "manager", customer="c") for one in range(2)]
    (rule,) = mine_rules(policy(100) + twice)
    assert rule.rule.unless == []
    assert rule.exceptions == ["case-200", "case-201"]


def test_decisions_without_a_pattern_make_no_rule() -> None:
    mixed = [approval(one, 10 * one, ("vp", "manager")[one % 2]) for one in range(60)]
    assert mine_rules(mixed) == []
    assert mine_rules([]) == []
