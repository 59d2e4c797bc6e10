"""Unwritten rules mined from decisions: a threshold, who decides on either side, exemptions, exceptions.

Belongs here: rules about who decides. Disqualification criteria are in `criteria`, the statistics in
`changepoint`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from contracts.company_model import MinedRule
from contracts.decisions import FACTS, Condition, Decision, FactValue, Operator, Rule
from extract.changepoint import ChangePoint, find_change_point
from extract.decisions import Decided
from extract.mined import mined_rule

EXEMPT_BY = {"segment": 2, "customer": 3}
"""Fact by which a standing exemption is sought, the wider first, and how many decisions against the rule make
one: segments are few and named on purpose, single customers are many and deviate by chance."""
MIN_GROUP = 3
"""Decisions about an exempt segment or customer, all with one outcome."""
_WORDING = {"approval": ("quotes", "approved"), "complaint": ("complaints", "decided")}


@dataclass(frozen=True)
class _Fit:
    fact: str
    point: ChangePoint
    above: str
    below: str

    def expected(self, decision: Decision) -> str:
        """Returns the outcome that the rule wants of a decision that has the fact."""
        value = decision.facts[self.fact]
        return self.above if isinstance(value, int) and value > self.point.below_edge else self.below


def mine_rules(decided: Sequence[Decided]) -> list[MinedRule]:
    """Returns at most one threshold rule per kind of decision, where the likelihood ratio is significant."""
    found = []
    for kind in _WORDING:
        rule = _mine(kind, [one for one in decided if one.decision.kind == kind])
        if rule is not None:
            found.append(rule)
    return found


def rule_expression(rule: Rule) -> pl.Expr:
    """Returns `rule.applies` as an expression over a frame with one column per fact and a column `kind`."""
    applies = pl.col("kind") == rule.decision
    for condition in rule.when:
        applies &= _condition_expression(condition)
    for condition in rule.unless:
        applies &= ~_condition_expression(condition)
    return applies


def decision_frame(decisions: Sequence[Decision]) -> pl.DataFrame:
    """Returns decisions as a frame for `rule_expression`: kind, outcome and every fact of their kinds."""
    types = {bool: pl.Boolean, int: pl.Int64, str: pl.String}
    facts = {name: types[kind] for kind_facts in FACTS.values() for name, kind in kind_facts.items()}
    rows = [
        {"kind": one.kind, "outcome": one.outcome, **{name: one.facts.get(name) for name in facts}}
        for one in decisions
    ]
    return pl.DataFrame(rows, schema={"kind": pl.String, "outcome": pl.String, **facts}, orient="row")


def _mine(kind: str, decided: list[Decided]) -> MinedRule | None:
    exempt: dict[str, list[str]] = {}
    remaining = decided
    fit = _best_fit(kind, remaining)
    while fit is not None:
        found = _exemption(fit, remaining)
        if found is None:
            break
        fact, value = found
        exempt.setdefault(fact, []).append(value)
        remaining = [one for one in remaining if one.decision.facts.get(fact) != value]
        fit = _best_fit(kind, remaining)
    if fit is None:
        return None
    spoken = [one for one in remaining if fit.fact in one.decision.facts]
    exceptions = [one for one in spoken if one.decision.outcome != fit.expected(one.decision)]
    unless = [
        Condition(fact=fact, operator=Operator.EQUALS, value=values[0])
        if len(values) == 1
        else Condition(fact=fact, operator=Operator.IN, value=sorted(values))
        for fact, values in sorted(exempt.items())
    ]
    point = fit.point
    rule = Rule(
        id=f"{kind}-{fit.fact}",
        decision=kind,
        when=[Condition(fact=fit.fact, operator=Operator.ABOVE, value=point.below_edge)],
        outcome=fit.above,
        unless=unless,
    )
    return mined_rule(
        rule, _statement(kind, fit, exempt), point, point.likelihood_ratio, spoken, exceptions, cited=spoken
    )


def _best_fit(kind: str, decided: Sequence[Decided]) -> _Fit | None:
    best: _Fit | None = None
    outcomes = sorted({one.decision.outcome for one in decided})
    for fact, fact_type in FACTS[kind].items():
        known = [one.decision for one in decided if fact in one.decision.facts]
        for outcome in outcomes if fact_type is int else ():
            values = [int(decision.facts[fact]) for decision in known]
            point = find_change_point(values, [decision.outcome == outcome for decision in known])
            if point is None or not point.is_significant or point.rate_above <= point.rate_below:
                continue
            below = _most_frequent(
                [one.outcome for one, value in zip(known, values, strict=True) if value <= point.below_edge]
            )
            if below == outcome:
                continue
            if best is None or point.likelihood_ratio > best.point.likelihood_ratio:
                best = _Fit(fact, point, outcome, below)
    return best


def _exemption(fit: _Fit, decided: Sequence[Decided]) -> tuple[str, str] | None:
    """Returns the fact and value whose decisions ignore the rule: one outcome, often against it."""
    for fact, least in EXEMPT_BY.items():
        groups: dict[FactValue, list[Decision]] = defaultdict(list)
        for one in decided:
            if fact in one.decision.facts and fit.fact in one.decision.facts:
                groups[one.decision.facts[fact]].append(one.decision)
        for value in sorted(groups, key=str):
            group = groups[value]
            against = [one for one in group if one.outcome != fit.expected(one)]
            constant = len({one.outcome for one in group}) == 1
            if constant and len(group) >= MIN_GROUP and len(against) >= least:
                return fact, str(value)
    return None


def _statement(kind: str, fit: _Fit, exempt: dict[str, list[str]]) -> str:
    noun, verb = _WORDING[kind]
    value = fit.point.below_edge
    if fit.fact == "amount":
        side = f"above {value // 100:,}.{value % 100:02d}"
    else:
        side = f"with more than {value} {fit.fact.replace('_', ' ')}"
    text = f"{noun} {side} are {verb} by {fit.above}, the others by {fit.below}"
    if exempt:
        named = ", ".join(f"{fact} {value}" for fact in sorted(exempt) for value in sorted(exempt[fact]))
        text += f"; not for {named}"
    return text


def _condition_expression(condition: Condition) -> pl.Expr:
    column, value = pl.col(condition.fact), condition.value
    if isinstance(value, list):
        inside = column.is_in(value)
        found = inside if condition.operator is Operator.IN else ~inside
        if condition.operator not in (Operator.IN, Operator.NOT_IN):
            found = pl.lit(condition.operator is Operator.DIFFERS) & column.is_not_null()
        return found.fill_null(value=False)
    literal = pl.lit(value)
    comparisons = {
        Operator.EQUALS: column == literal,
        Operator.DIFFERS: column != literal,
        Operator.ABOVE: column > literal,
        Operator.AT_LEAST: column >= literal,
        Operator.BELOW: column < literal,
        Operator.AT_MOST: column <= literal,
    }
    return comparisons.get(condition.operator, pl.lit(value=False)).fill_null(value=False)


def _most_frequent(outcomes: Sequence[str]) -> str:
    return min(set(outcomes), key=lambda outcome: (-outcomes.count(outcome), outcome))
