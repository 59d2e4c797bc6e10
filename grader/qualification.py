"""Qualification: is each account marked with the right status and reason at the end.

The right mark follows from the account's facts by the same rules that were read out of the company's past.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from contracts.decisions import Decision
from contracts.grade import CheckResult, Label, Verdict
from contracts.shift_events import Action
from contracts.world import AccountTruth, Status, Truth
from grader.checks import Judgement, check_of
from grader.line_data import FieldSet
from grader.log_view import Line, LogView

QUALIFIED = "qualified"
"""Outcome of a decision for an account, as extraction calls it."""


class Marks(NamedTuple):
    """The checks of all accounts, and which accounts were given a wrong status."""

    checks: list[CheckResult]
    right: frozenset[str]
    wrong: frozenset[str]


def check_qualification(view: LogView, truth: Truth) -> Marks:
    """Returns one check per account on the final mark set during the shift."""
    last = _final_marks(view)
    checks, right, wrong = [], set(), set()
    for account in truth.accounts:
        mark = last.get(account.account_id)
        check = check_of(
            f"qualification:{account.account_id}",
            "qualification",
            Label.NOOP_FAIL,
            partial(_judge, account, mark, truth),
        )
        checks.append(check)
        if check.verdict is Verdict.PASS:
            right.add(account.account_id)
        if mark is not None and mark.data.value not in {Status.NEW, account.status}:
            wrong.add(account.account_id)
    return Marks(checks, frozenset(right), frozenset(wrong))


def decisions_in(view: LogView, truth: Truth) -> dict[str, Decision]:
    """Returns the decision that each account's final mark makes, by account, in the shared vocabulary."""
    marks = _final_marks(view)
    return {
        account.account_id: decision_of(account, marks.get(account.account_id)) for account in truth.accounts
    }


def decision_of(account: AccountTruth, mark: Line[FieldSet] | None) -> Decision:
    """Returns what a mark decides: "qualified" or the reason against it, on the account's facts."""
    outcome = ""
    if mark is not None:
        outcome = QUALIFIED if mark.data.value == Status.QUALIFIED else mark.data.reason
    return Decision(
        kind="qualification",
        subject=account.account_id,
        facts=account.facts,
        outcome=outcome,
        actor="agent",
        evidence=[str(mark.seq)] if mark is not None else [],
    )


def _final_marks(view: LogView) -> dict[str, Line[FieldSet]]:
    lines = view.of(FieldSet, Action.CRM_SET_FIELD)
    return {line.data.record_id: line for line in lines if line.data.field == "status"}


def _judge(account: AccountTruth, mark: Line[FieldSet] | None, truth: Truth) -> Judgement:
    reason = mark.data.reason if mark is not None else ""
    evidence = [mark.seq] if mark is not None else []
    decision = decision_of(account, mark)
    rule = next((rule for rule in truth.qualification_rules if rule.applies(decision)), None)
    known = (Status.NOT_A_FIT, rule.outcome) if rule else (Status.QUALIFIED, account.reason)
    if known != (account.status, account.reason):
        return (
            Verdict.UNKNOWN,
            "the world contradicts itself: its facts and rules give another mark",
            evidence,
        )
    if mark is None:
        return Verdict.FAIL, "the status was not set", evidence
    if mark.data.value != account.status:
        return Verdict.FAIL, f"set to {mark.data.value!r}; right is {account.status.value!r}", evidence
    if reason != account.reason:
        return (
            Verdict.FAIL,
            f"right status, but the reason is {reason!r}; right is {account.reason!r}",
            evidence,
        )
    because = f" by the rule {rule.id}" if rule else ": no rule speaks against it"
    return Verdict.PASS, f"{account.status.value} with the right reason{because}", evidence
