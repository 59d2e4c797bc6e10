"""The scripted agents in worlds of the environment: what they reach by the log alone."""

from pathlib import Path

import pytest

from contracts.shift_events import log_lines
from contracts.world import Status
from grader.grading import grade_shift
from runtime.agents.registry import agent_named
from runtime.core import Shift
from worldgen.building import build
from worldgen.reference import reference_knowledge
from worldgen.template import load_template

ENVIRONMENT = Path(__file__).parents[2] / "environments" / "gtm-outbound"
TEMPLATE = load_template(ENVIRONMENT)


def worked(seed, name):
    bundle = build(TEMPLATE, seed)
    shift = Shift(bundle.visible, bundle.server, world_hash=bundle.world_hash)
    agent_named(name).work(shift, reference_knowledge(TEMPLATE, bundle))
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


def test_the_same_agent_in_the_same_world_writes_the_same_log():
    first, second = (list(log_lines(worked(5, "reference")[1].events)) for _ in range(2))
    assert first == second


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
