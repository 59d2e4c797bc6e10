"""Mined rules with what every one of them states: support, confidence, interval, exceptions, evidence.

Belongs here: how a rule and the decisions it speaks of become one entry of the company model, and how a
condition reads. Which rule it is is found in `rules` and `criteria`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from contracts.company_model import MinedRule
from contracts.decisions import Condition, Operator, Rule
from extract.changepoint import ChangePoint, roundest
from extract.decisions import Decided
from extract.figures import EVIDENCE, ppm

_COMPARED = {
    Operator.ABOVE: "more than",
    Operator.AT_LEAST: "at least",
    Operator.BELOW: "less than",
    Operator.AT_MOST: "at most",
}


def mined_rule(
    rule: Rule,
    statement: str,
    point: ChangePoint | None,
    likelihood_ratio: float,
    spoken: Sequence[Decided],
    exceptions: Sequence[Decided],
    cited: Sequence[Decided],
) -> MinedRule:
    """Returns a rule as the company model states it.

    Args:
        rule: the predicate.
        statement: the rule as a person would say it.
        point: where a threshold lies; None for a rule without one.
        likelihood_ratio: of the rule against none.
        spoken: the decisions that the rule speaks of; its support.
        exceptions: those of them that went otherwise.
        cited: those that are evidence and give the days of first and last sight; at least one.
    """
    seconds = [one.second for one in cited]
    return MinedRule(
        rule=rule,
        statement=statement,
        threshold=point.below_edge if point else None,
        low=point.low if point else None,
        high=point.high if point else None,
        suggestion=roundest(point.low, point.high, point.below_edge) if point else None,
        support=len(spoken),
        confidence_ppm=ppm(len(spoken) - len(exceptions), len(spoken)),
        likelihood_ratio_milli=round(1000 * likelihood_ratio),
        exceptions=sorted({one.case_id or one.decision.subject for one in exceptions}),
        evidence=sorted({name for one in cited for name in one.decision.evidence})[:EVIDENCE],
        first_seen=_written_day(min(seconds)),
        last_seen=_written_day(max(seconds)),
    )


def condition_words(condition: Condition) -> str:
    """Returns a condition as a phrase that follows "with": "at most 113 employees", "public body"."""
    fact, value, operator = condition.fact.replace("_", " "), condition.value, condition.operator
    if isinstance(value, list):
        listed = " or ".join(value)
        return f"{fact} {listed}" if operator is Operator.IN else f"{fact} other than {listed}"
    if isinstance(value, bool):
        return fact if value is (operator is Operator.EQUALS) else f"no {fact}"
    if operator in _COMPARED:
        return f"{_COMPARED[operator]} {value} {fact}"
    return f"{fact} {value}" if operator is Operator.EQUALS else f"{fact} other than {value}"


def _written_day(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).date().isoformat()
