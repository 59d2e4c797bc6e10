"""Decisions and rules: what the company decided, what an agent decided, and one predicate for both.

A `Rule` is a pure predicate over a `Decision`: extraction makes decisions from the company's log,
grading makes them from the shift's events, and both apply the same rule. `FACTS` is the one vocabulary.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

FactValue = bool | int | str


class DecisionError(ValueError):
    """A decision or rule uses a fact that the vocabulary lacks, or with a value of another type."""


FACTS: dict[str, dict[str, type]] = {
    "qualification": {
        "employees": int,
        "region": str,
        "ledger_system": str,
        "public_body": bool,
        "industry": str,
        "owned_by_competitor": bool,
        "already_customer": bool,
    },
    "contact": {
        "unsolicited_before": int,
        "do_not_contact": bool,
        "seconds_since_notice": int,
    },
    "approval": {
        "amount": int,
        "discount_percent": int,
        "segment": str,
        "customer": str,
        "new_customer": bool,
    },
    "complaint": {
        "amount": int,
        "days_after_invoice": int,
        "customer": str,
    },
}
"""Kind of decision -> fact -> type. Amounts are in the smallest currency unit."""


class Operator(StrEnum):
    """How a fact is compared with a value."""

    EQUALS = "=="
    DIFFERS = "!="
    ABOVE = ">"
    AT_LEAST = ">="
    BELOW = "<"
    AT_MOST = "<="
    IN = "in"
    NOT_IN = "not in"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Decision(_Strict):
    """Something that was decided: about whom, on what facts, how, and where that is written."""

    kind: str
    subject: str
    """Case, account or recipient that the decision is about."""
    facts: dict[str, FactValue]
    """Facts that are known; a missing fact satisfies no condition."""
    outcome: str
    """What was decided: a reason, an approver's role, "sent"."""
    actor: str = ""
    evidence: list[str] = Field(default_factory=list)
    """Ids of the records, messages or shift events that show it."""


class Condition(_Strict):
    """A comparison of one fact with a value."""

    fact: str
    operator: Operator
    value: FactValue | list[str]

    def holds(self, facts: dict[str, FactValue]) -> bool:
        """Says whether the condition holds; False where the fact is not known."""
        fact = facts.get(self.fact)
        if fact is None:
            return False
        value = self.value
        match self.operator:
            case Operator.EQUALS:
                return fact == value
            case Operator.DIFFERS:
                return fact != value
            case Operator.IN:
                return isinstance(value, list) and fact in value
            case Operator.NOT_IN:
                return isinstance(value, list) and fact not in value
        if not isinstance(fact, int) or not isinstance(value, int):
            return False
        match self.operator:
            case Operator.ABOVE:
                return fact > value
            case Operator.AT_LEAST:
                return fact >= value
            case Operator.BELOW:
                return fact < value
            case _:
                return fact <= value


class Rule(_Strict):
    """When all conditions hold, decisions of this kind end in this outcome."""

    id: str
    decision: str
    """Kind of the decisions it speaks of."""
    when: list[Condition]
    outcome: str
    unless: list[Condition] = Field(default_factory=list)
    """Standing exemptions: the rule is silent where one of them holds."""

    def applies(self, decision: Decision) -> bool:
        """Says whether the rule speaks about a decision: its kind, all conditions, no exemption."""
        return (
            decision.kind == self.decision
            and all(condition.holds(decision.facts) for condition in self.when)
            and not any(condition.holds(decision.facts) for condition in self.unless)
        )

    def conforms(self, decision: Decision) -> bool:
        """Says whether a decision obeys the rule: it does not apply, or the outcome is the rule's."""
        return not self.applies(decision) or decision.outcome == self.outcome


def check_facts(decision: Decision) -> Decision:
    """Returns the decision after checking its facts against the vocabulary.

    Raises:
        DecisionError: unknown kind or fact, or a value of another type.
    """
    vocabulary = FACTS.get(decision.kind)
    if vocabulary is None:
        raise DecisionError(f"no decision kind {decision.kind!r} (have: {', '.join(FACTS)})")
    for fact, value in decision.facts.items():
        expected = vocabulary.get(fact)
        if expected is None:
            raise DecisionError(f"{decision.kind} has no fact {fact!r} (have: {', '.join(vocabulary)})")
        if type(value) is not expected:
            raise DecisionError(f"{decision.kind}.{fact} is {expected.__name__}, not {type(value).__name__}")
    return decision
