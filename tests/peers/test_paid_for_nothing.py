"""T01-T05: nothing is paid for doing nothing, for history, or for what holds anyway."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.grade import Label, Verdict
from contracts.shift_events import Action
from evaluation.seeds import split_seeds
from grader.grading import grade_shift
from runtime.agents.reference import Reference
from runtime.agents.registry import agent_named
from runtime.core import Shift
from worldgen.building import build

SEEDS = range(1, 6)


@pytest.mark.parametrize("agent", ["noop", "scripted:reader", "scripted:waiter"])
def test_T01_doing_nothing_is_worth_exactly_zero_on_public_and_hidden_seeds(kit: Any, agent: str) -> None:
    hidden = [seed.value for seed in split_seeds("gtm-outbound", "test", 2, b"0123456789abcdef")]
    for seed in [*SEEDS, *hidden]:
        bundle = build(kit.TEMPLATE, seed)
        shift = Shift(bundle.visible, bundle.server, world_hash=bundle.world_hash)
        agent_named(agent).work(shift, None)
        grade = grade_shift(shift.events, bundle.truth)
        assert grade.reward_millionths == 0
        assert set(grade.components_millionths.values()) == {0}


def test_T02_writing_to_everybody_is_worth_no_more_than_nothing(kit: Any) -> None:
    for agent in ("scripted:spammer", "scripted:invite-every-slot"):
        assert {kit.grade(seed, agent).reward_millionths for seed in SEEDS} == {0}


def test_T03_what_holds_at_the_start_is_labelled_so_and_earns_nothing(kit: Any) -> None:
    for seed in SEEDS:
        shift = kit.new_shift(seed)
        grade = grade_shift(shift.events, kit.world(seed).truth)
        passed = {check.id for check in grade.checks if check.verdict is Verdict.PASS}
        assert passed == {check.id for check in grade.checks if check.label is Label.NOOP_PASS}
        assert grade.reward_millionths == 0


def test_T03_the_history_of_the_mailbox_and_the_records_satisfies_no_check(kit: Any) -> None:
    visible = kit.world(1).visible
    assert any(mail.folder == "sent" for mail in visible.mails), "there is a history to misuse"
    assert visible.notes and visible.calendar
    assert kit.grade(1, "noop").meetings == 0


class _NeverQualifies(Reference):
    def start_account(self, driver: Any, account: Any) -> None:
        if account.pitch is not None:
            self.add_contact(driver, account, account.add_before_pitch)
            self.send_pitch(driver, account, account.pitch)


def test_T04_meetings_without_qualifying_or_opening_the_crm_earn_no_qualification(kit: Any) -> None:
    grade = kit.grade(2, _NeverQualifies)
    assert grade.components_millionths["qualification"] == 0
    assert grade.meetings == 5
    assert grade.reward_millionths < 750_000
    assert not [
        check for check in grade.checks if check.id.startswith("trap:stale") and check.verdict is Verdict.PASS
    ]


def test_T05_nothing_that_is_scored_expects_zero_or_nothing(kit: Any) -> None:
    for seed in SEEDS:
        truth = kit.world(seed).truth
        grade = kit.grade(seed, "noop")
        due = {name: 0 for name in ("meetings", "qualification", "traps", "crm_hygiene")}
        for check in grade.checks:
            if check.label is Label.NOOP_FAIL:
                due[check.component] += 1
        assert due["meetings"] == 5 and due["qualification"] == 10 and due["traps"] == 5
        assert due["crm_hygiene"] >= 15
        for account in truth.accounts:
            assert account.status and account.reason and account.domain
            assert account.archetype != "bookable" or account.buyer_address


def test_T05_an_empty_reason_or_field_is_refused_and_never_right(kit: Any) -> None:
    shift = kit.new_shift(1)
    for account in kit.world(1).truth.accounts:
        data = {"record_id": account.account_id, "field": "status", "value": str(account.status)}
        shift.apply(Action.CRM_SET_FIELD, {**data, "reason": ""}, shift.now_ms + 1)
    grade = grade_shift(shift.events, kit.world(1).truth)
    assert grade.components_millionths["qualification"] == 0
