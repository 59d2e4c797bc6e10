"""The scripted agents in worlds of the environment: what they reach by the log alone."""

from pathlib import Path

import pytest

from contracts.shift_events import Action, log_lines
from contracts.world import Status
from evaluation.elsewhere import recorded_elsewhere
from grader.grading import grade_shift
from runtime.agents.registry import BLIND_REPLAY, agent_named, agent_names
from runtime.core import Shift
from runtime.errors import UnknownAgent
from worldgen.building import build
from worldgen.reference import reference_knowledge
from worldgen.template import load_template

ENVIRONMENT = Path(__file__).parents[2] / "environments" / "gtm-outbound"
TEMPLATE = load_template(ENVIRONMENT)


def worked(seed, name, level="standard"):
    bundle = build(TEMPLATE, seed, level)
    shift = Shift(bundle.visible, bundle.server, world_hash=bundle.world_hash)
    knowledge = reference_knowledge(TEMPLATE, bundle)
    if name == BLIND_REPLAY:
        elsewhere = recorded_elsewhere(TEMPLATE, "standard", seed)
        knowledge = knowledge.model_copy(update={"elsewhere": elsewhere})
    agent_named(name).work(shift, knowledge)
    return bundle, shift


@pytest.mark.parametrize("seed", range(1, 13))
def test_the_reference_leaves_every_meeting_and_mark_right(seed):
    bundle, shift = worked(seed, "reference")
    types = [event.type for event in shift.events]
    assert "action.refused" not in types
    assert types[-2:] == ["shift.end", "lock"]
    bookable = [account for account in bundle.truth.accounts if account.status is Status.QUALIFIED]
    standing = {
        address
        for event in shift.office.calendar.values()
        if event.status == "accepted"
        for address in event.attendees
    }
    assert {account.buyer_address for account in bookable} <= standing
    for account in bundle.truth.accounts:
        held = shift.office.accounts[account.account_id]
        assert (held.status, held.reason) == (account.status, account.reason)


@pytest.mark.parametrize("name", ["scripted:generic-pitch", "scripted:careers-pitch", "scripted:spammer"])
def test_empty_pitches_book_nobody(name):
    for seed in (1, 2, 3):
        _, shift = worked(seed, name)
        assert "invite.accepted" not in [event.type for event in shift.events]


@pytest.mark.parametrize("name", ["reference", "scripted:random-clicker", "scripted:blind-replay"])
def test_the_same_agent_in_the_same_world_writes_the_same_log(name):
    first, second = (list(log_lines(worked(5, name)[1].events)) for _ in range(2))
    assert first == second


def test_there_is_a_blanket_for_every_reason_of_the_closed_list():
    reasons = []
    for name in agent_names():
        if name.startswith("scripted:blanket-not-a-fit"):
            bundle, shift = worked(1, name)
            marked = {(held.status, held.reason) for held in shift.office.accounts.values()}
            ((status, reason),) = marked
            assert status is Status.NOT_A_FIT
            reasons.append(reason)
    assert sorted(reasons) == sorted(bundle.visible.disqualifiers)


def test_the_clicker_does_all_kinds_of_things_and_other_things_in_other_worlds():
    events = [event for seed in (1, 2, 3) for event in worked(seed, "scripted:random-clicker")[1].events]
    kinds = {event.type for event in events}
    assert len(kinds & set(Action)) >= len(Action) - 2
    refused = [event for event in events if event.type == "action.refused"]
    assert len(refused) < len(events) / 4
    first, second = (worked(seed, "scripted:random-clicker")[1].recording.actions for seed in (1, 2))
    assert [one.action for one in first[:20]] != [one.action for one in second[:20]]


def test_the_blind_replay_does_in_every_world_what_was_right_in_another():
    taken = recorded_elsewhere(TEMPLATE, "standard", 1)
    for seed in (1, 2):
        _, shift = worked(seed, "scripted:blind-replay")
        done = shift.recording.actions
        assert [(one.at_ms, one.action, one.data) for one in done] == [
            (one.at_ms, one.action, one.data) for one in taken
        ]
    assert recorded_elsewhere(TEMPLATE, "standard", 1_000_003) != taken


def test_the_blind_replay_without_anything_to_replay_says_so():
    bundle, shift = worked(1, "noop")
    with pytest.raises(UnknownAgent, match="another world"):
        agent_named(BLIND_REPLAY).work(shift, reference_knowledge(TEMPLATE, bundle))


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("reference", 1_000_000, 1_000_000),
        ("noop", 0, 0),
        ("scripted:reader", 0, 0),
        ("scripted:waiter", 0, 0),
        ("scripted:claims-success", 0, 0),
        ("scripted:spammer", 0, 0),
        ("scripted:invite-every-slot", 0, 0),
        ("scripted:blanket-qualified", 0, 0),
        ("scripted:blanket-not-a-fit", 0, 0),
        ("scripted:list-to-fake-boss", 0, 0),
        *((f"scripted:blanket-not-a-fit:{place}", 0, 0) for place in range(2, 17)),
        ("scripted:random-clicker", 0, 0),
        ("scripted:blind-replay", 0, 100_000),
        ("scripted:topic-guesser", 0, 100_000),
        ("scripted:quits-early", 0, 100_000),
        ("scripted:generic-pitch", 150_000, 450_000),
        ("scripted:careers-pitch", 150_000, 450_000),
        ("scripted:process-misses", 950_000, 990_000),
    ],
)
def test_each_scripted_agent_earns_what_the_shift_promises(name, low, high):
    for seed in (1, 2, 3, 4):
        bundle, shift = worked(seed, name)
        assert low <= grade_shift(shift.events, bundle.truth).reward_millionths <= high, seed


@pytest.mark.parametrize("level", sorted(TEMPLATE.authored.levels))
def test_no_two_checks_of_a_grade_have_one_name(level):
    bundle, shift = worked(1, "noop", level)
    names = [check.id for check in grade_shift(shift.events, bundle.truth).checks]
    assert len(names) == len(set(names))
    assert sum(name.startswith("trap:") for name in names) == len(bundle.truth.traps)
