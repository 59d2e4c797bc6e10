"""A rule is one predicate over decisions, whoever made them."""

import pytest

from contracts.decisions import Condition, Decision, DecisionError, Operator, Rule, check_facts

APPROVAL = Rule(
    id="approval-threshold",
    decision="approval",
    when=[Condition(fact="amount", operator=Operator.ABOVE, value=1_840_000)],
    outcome="VP Sales",
    unless=[Condition(fact="customer", operator=Operator.IN, value=["Strategic Group"])],
)


def approval(outcome="VP Sales", **facts):
    return Decision(kind="approval", subject="case-1", facts=facts, outcome=outcome)


@pytest.mark.parametrize(
    ("decision", "applies", "conforms"),
    [
        (approval(amount=1_840_001), True, True),
        (approval(amount=1_840_001, outcome="Sales Manager"), True, False),
        (approval(amount=1_840_000, outcome="Sales Manager"), False, True),
        (approval(amount=9_000_000, customer="Strategic Group", outcome="Sales Manager"), False, True),
        (approval(outcome="Sales Manager"), False, True),
        (Decision(kind="complaint", subject="c", facts={"amount": 9_000_000}, outcome="x"), False, True),
    ],
)
def test_threshold_with_standing_exemption(decision, applies, conforms):
    assert APPROVAL.applies(decision) is applies
    assert APPROVAL.conforms(decision) is conforms


@pytest.mark.parametrize(
    ("operator", "value", "fact", "holds"),
    [
        ("==", 3, 3, True),
        ("!=", 3, 3, False),
        (">", 3, 4, True),
        (">=", 3, 3, True),
        ("<", 3, 3, False),
        ("<=", 3, 3, True),
        ("in", ["a"], "a", True),
        ("not in", ["a"], "b", True),
        (">", 3, "4", False),
        ("in", "abc", "a", False),
    ],
)
def test_operators(operator, value, fact, holds):
    assert Condition(fact="f", operator=operator, value=value).holds({"f": fact}) is holds


@pytest.mark.parametrize(
    "decision",
    [
        Decision(kind="lunch", subject="s", facts={}, outcome="o"),
        approval(colour="red"),
        approval(amount="12"),
        approval(amount=True),
    ],
)
def test_facts_outside_the_vocabulary_are_refused(decision):
    with pytest.raises(DecisionError):
        check_facts(decision)
