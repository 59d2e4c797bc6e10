"""Disqualification criteria mined from leads: for every reason the one fact that best tells it apart.

A criterion is a threshold of a number, a yes/no fact, or a set of categories. Criteria come in the order in
which they decide where several hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from contracts.company_model import MinedRule
from contracts.decisions import FACTS, Condition, Decision, Operator, Rule
from extract.changepoint import ChangePoint, find_change_point
from extract.decisions import QUALIFIED, Decided
from extract.mined import condition_words, mined_rule

KIND = "qualification"


@dataclass(frozen=True)
class _Candidate:
    condition: Condition
    ratio: float
    """Likelihood ratio."""
    parameters: int
    point: ChangePoint | None = None

    def score(self, n: int) -> float:
        """Returns the likelihood ratio less the price of its parameters."""
        return self.ratio - self.parameters * log(n)


def mine_criteria(decided: Sequence[Decided]) -> list[MinedRule]:
    """Returns one criterion per disqualification reason that a fact explains, in deciding order."""
    known = [one for one in decided if one.decision.kind == KIND]
    qualified = [one for one in known if one.decision.outcome == QUALIFIED]
    found = []
    for reason in sorted({one.decision.outcome for one in known} - {QUALIFIED}):
        refused = [one for one in known if one.decision.outcome == reason]
        rule = _mine(reason, refused, qualified)
        if rule is not None:
            found.append(rule)
    return _in_deciding_order(found, [one.decision for one in known])


def _mine(reason: str, refused: Sequence[Decided], qualified: Sequence[Decided]) -> MinedRule | None:
    both = [*refused, *qualified]
    candidates = [
        candidate
        for fact, fact_type in FACTS[KIND].items()
        if (candidate := _candidate(fact, fact_type, reason, both)) is not None
    ]
    best = max(candidates, key=lambda one: (one.score(len(both)), one.condition.fact), default=None)
    if best is None or best.score(len(both)) <= 0:
        return None
    rule = Rule(id=f"{KIND}-{reason}", decision=KIND, when=[best.condition], outcome=reason)
    spoken = [one for one in both if best.condition.fact in one.decision.facts]
    exceptions = [one for one in spoken if rule.applies(one.decision) != (one.decision.outcome == reason)]
    return mined_rule(
        rule, _statement(reason, best.condition), best.point, best.ratio, spoken, exceptions, cited=refused
    )


def _candidate(fact: str, fact_type: type, reason: str, decided: Sequence[Decided]) -> _Candidate | None:
    with_fact = [one for one in decided if fact in one.decision.facts]
    known = [one.decision for one in with_fact]
    hits = [one.decision.outcome == reason or fact in one.waived for one in with_fact]
    if not known or all(hits) or not any(hits):
        return None
    if fact_type is int:
        point = find_change_point([int(one.facts[fact]) for one in known], hits)
        if point is None:
            return None
        falls = point.rate_below > point.rate_above
        operator = Operator.AT_MOST if falls else Operator.ABOVE
        condition = Condition(fact=fact, operator=operator, value=point.below_edge)
        return _Candidate(condition, point.likelihood_ratio, 3, point)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one, hit in zip(known, hits, strict=True):
        counts[str(one.facts[fact])][hit] += 1
    inside = sorted(value for value, (misses, found) in counts.items() if found > misses)
    outside = sorted(set(counts) - set(inside))
    if not inside or not outside:
        return None
    ratio = 2 * (
        _fit([counts[value] for value in inside])
        + _fit([counts[value] for value in outside])
        - _fit(list(counts.values()))
    )
    if fact_type is bool:
        yes = inside == ["True"]
        return _Candidate(Condition(fact=fact, operator=Operator.EQUALS, value=yes), ratio, 2)
    # The shorter list is the one that people keep in mind; on a tie, what is allowed.
    if len(outside) <= len(inside):
        condition = Condition(fact=fact, operator=Operator.NOT_IN, value=outside)
    else:
        condition = Condition(fact=fact, operator=Operator.IN, value=inside)
    return _Candidate(condition, ratio, 1 + min(len(inside), len(outside)))


def _fit(counts: Sequence[Sequence[int]]) -> float:
    misses, hits = sum(one[0] for one in counts), sum(one[1] for one in counts)
    n = misses + hits
    return sum(count * log(count / n) for count in (misses, hits) if count)


def _in_deciding_order(rules: list[MinedRule], decisions: Sequence[Decision]) -> list[MinedRule]:
    """Puts a criterion before those that held as well when it was the stated reason."""
    wins: dict[tuple[str, str], int] = defaultdict(int)
    for decision in decisions:
        holding = [rule.rule for rule in rules if rule.rule.applies(decision)]
        for winner in holding:
            if winner.outcome == decision.outcome:
                for loser in holding:
                    wins[winner.id, loser.id] += 1
    ordered: list[MinedRule] = []
    left = sorted(rules, key=lambda rule: (-rule.support, rule.rule.id))
    while left:
        first = min(
            left,
            key=lambda rule: sum(wins[other.rule.id, rule.rule.id] for other in left if other is not rule),
        )
        ordered.append(first)
        left.remove(first)
    return ordered


def _statement(reason: str, condition: Condition) -> str:
    return f"leads with {condition_words(condition)} are disqualified as {reason.replace('_', ' ')}"
