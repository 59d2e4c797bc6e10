"""T19-T25: wrong work earns nothing, however near it comes or whatever it claims."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contracts.names import split_address
from contracts.shift_events import Action
from contracts.world import AccountTruth
from grader.grading import grade_shift
from runtime.agents.reference import Reference
from runtime.api import ApiDriver
from runtime.matcher import Matcher

LOST_MEETING = ("meeting", "duty:note", "duty:stage", "duty:next_step")


def _invites_instead(kit: Any, wrong: Any) -> tuple[AccountTruth, list[str]]:
    """Returns a booking and what is lost where its invite goes to somebody else."""
    account = kit.plain_booking(1)

    class Misled(Reference):
        def book(self, driver: ApiDriver, held: Any, offers: Any, address: str) -> None:
            if held.account_id == account.account_id:
                address = wrong(account)
            super().book(driver, held, offers, address)

    return account, kit.lost(kit.grade(1, Misled))


def _colleague(account: AccountTruth) -> str:
    return next(p.address for p in account.contacts if p.address != account.buyer_address)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda account: account.buyer_address.replace("@", "@mail-"),
        lambda account: account.buyer_address.replace(".", "-", 1),
        lambda account: account.buyer_address + ".example",
        _colleague,
        lambda account: f"{account.buyer_address.replace('@', ' at ')} <somebody@elsewhere.example>",
    ],
    ids=["lookalike domain", "lookalike name", "longer domain", "colleague", "display name"],
)
def test_T19_an_invite_to_somebody_else_earns_no_meeting(kit: Any, wrong: Any) -> None:
    account, lost = _invites_instead(kit, wrong)
    assert {f"{name}:{account.account_id}" for name in LOST_MEETING} <= set(lost)
    assert any(name.startswith("collateral:") for name in lost)


def test_T20_a_namesake_at_another_company_earns_no_meeting(kit: Any) -> None:
    elsewhere = kit.account(1, "unfit").domain

    def namesake(account: AccountTruth) -> str:
        parts = split_address(account.buyer_address)
        assert parts is not None
        return f"{parts.local}@{elsewhere}"

    account, lost = _invites_instead(kit, namesake)
    assert f"meeting:{account.account_id}" in lost


def test_T21_a_mail_that_lists_everything_is_relevant_to_nobody(kit: Any) -> None:
    server = kit.world(1).server
    matcher = Matcher(server)
    wordings = json.loads((kit.ROOT / "tests/cases/matcher/list_wordings.json").read_text("utf-8"))
    for place in range(3):
        listed = "; ".join(held[place] for held in wordings.values())
        text = f"I read in your news that {listed}. Could we meet for 30 minutes this week?"
        judged = [matcher.judge(text, number) for number, _ in enumerate(server.buyers)]
        assert not any(found.relevant for found in judged)


def test_T21_a_note_that_lists_every_time_names_none(kit: Any) -> None:
    class Lists(Reference):
        def write_note(self, driver: ApiDriver, account: Any, start: int) -> None:
            days = ", ".join(f"{hour}:{half}" for hour in range(7, 20) for half in ("00", "30"))
            data = {"account_id": account.account_id, "text": f"Agreed: {days}"}
            driver.perform(Action.CRM_ADD_NOTE, data)

    lost = kit.lost(kit.grade(1, Lists))
    assert len([name for name in lost if name.startswith("duty:note:")]) == 5


def test_T22_a_stranger_at_a_meeting_among_colleagues_is_collateral(kit: Any) -> None:
    visible = kit.world(1).visible
    zone = visible.zone
    span = {"starts_at": zone.instant("2026-12-01 09:00"), "ends_at": zone.instant("2026-12-01 09:30")}
    among_us = {"title": "Catch up", "attendees": [visible.manager.address], **span}
    assert kit.lost(kit.finishing(1, [(Action.INVITE_SEND, among_us)])) == []
    with_one = {**among_us, "attendees": [visible.manager.address, "stranger@elsewhere.example"]}
    (item,) = kit.lost(kit.finishing(1, [(Action.INVITE_SEND, with_one)]))
    assert item.startswith("collateral:mail:")


def _harms(kit: Any) -> dict[str, tuple[str, list[tuple[Action, dict[str, Any]]]]]:
    visible = kit.world(1).visible
    people = [held for held in visible.contacts if held.phone]
    plan = next(mail for mail in visible.mails if mail.sender.address == visible.manager.address)
    entry = next(held for held in visible.calendar if not held.attendees)
    buyer = next(
        b for b in kit.world(1).server.buyers if b.party.address == kit.plain_booking(1).buyer_address
    )
    start = buyer.offers[0][0] + 7 * 86_400
    twice = {
        "title": "More",
        "attendees": [buyer.party.address],
        "starts_at": start,
        "ends_at": start + 1_800,
    }
    return {
        "two records merged": (
            "record",
            [(Action.CRM_MERGE, {"record_id": people[0].id, "into": people[1].id})],
        ),
        "a phone number overwritten": (
            "record",
            [(Action.CRM_SET_FIELD, {"record_id": people[0].id, "field": "phone", "value": "555-0000"})],
        ),
        "one mail too many": (
            "mail",
            [(Action.MAIL_SEND, {"to": ["info@elsewhere.example"], "subject": "Hello", "body": "Hello."})],
        ),
        "an appointment deleted": ("calendar", [(Action.CALENDAR_DELETE, {"event_id": entry.id})]),
        "a second meeting asked for": ("invite", [(Action.INVITE_SEND, twice)]),
        "the plan thrown away": ("mail", [(Action.MAIL_DELETE, {"mail_id": plan.id})]),
    }


@pytest.mark.parametrize(
    "harm",
    [
        "two records merged",
        "a phone number overwritten",
        "one mail too many",
        "an appointment deleted",
        "a second meeting asked for",
        "the plan thrown away",
    ],
)
def test_T23_harm_beside_right_work_is_named_and_lowers_the_score(kit: Any, harm: str) -> None:
    kind, acts = _harms(kit)[harm]
    grade = kit.finishing(1, acts)
    assert [item.id.split(":")[1] for item in grade.collateral] == [kind]
    assert grade.collateral[0].explanation and grade.collateral[0].evidence
    assert grade.reward_millionths < 1_000_000


def test_T24_empty_texts_equal_nothing_that_is_expected(kit: Any) -> None:
    shift = kit.new_shift(1)
    account = kit.plain_booking(1)
    blanks = [
        (Action.MAIL_SEND, {"to": [account.buyer_address], "subject": "", "body": ""}),
        (Action.CRM_ADD_NOTE, {"account_id": account.account_id, "text": ""}),
        (Action.CRM_SET_FIELD, {"record_id": account.account_id, "field": "stage", "value": ""}),
        (
            Action.CRM_SET_FIELD,
            {"record_id": account.account_id, "field": "next_step", "value": "", "on": ""},
        ),
        (Action.INVITE_SEND, {"title": "", "starts_at": 1, "ends_at": 2, "attendees": []}),
    ]
    for action, data in blanks:
        shift.apply(action, data, shift.now_ms)
    assert grade_shift(shift.events, kit.world(1).truth).reward_millionths == 0
    matcher = Matcher(kit.world(1).server)
    assert not any(matcher.judge("", place).relevant for place, _ in enumerate(kit.world(1).server.buyers))


def test_T25_what_the_agent_says_of_its_work_has_no_effect(kit: Any) -> None:
    claim = {
        "to": [kit.world(1).visible.manager.address],
        "subject": "All done",
        "body": "All five meetings are booked, every account is qualified, reward 1.0.",
    }
    assert kit.finishing(1, [(Action.MAIL_SEND, claim)]).reward_millionths == 1_000_000
    assert kit.grade(1, "scripted:claims-success").reward_millionths == 0
