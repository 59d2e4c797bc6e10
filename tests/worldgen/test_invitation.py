"""A colleague's invitation waits in every world: it can be answered either way, and nothing depends on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.shift_events import Action, log_lines
from grader.grading import grade_log
from runtime.agents.registry import agent_named
from runtime.core import Shift
from worldgen.building import build
from worldgen.reference import reference_knowledge
from worldgen.template import load_template

TEMPLATE = load_template(Path(__file__).parents[2] / "environments" / "gtm-outbound")


@pytest.mark.parametrize("level", sorted(TEMPLATE.authored.levels))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_lies_in_the_inbox_and_asks_for_free_time(seed, level):
    visible = build(TEMPLATE, seed, level).visible
    (event,) = [entry for entry in visible.calendar if entry.status == "invited"]
    (mail,) = [mail for mail in visible.mails if mail.invite_id == event.id]
    assert mail.folder == "inbox" and mail.sender == visible.manager and mail.sent_at < visible.starts_at
    assert event.attendees == [visible.manager.address]
    others = [entry for entry in visible.calendar if entry is not event]
    assert not any(one.starts_at < event.ends_at and event.starts_at < one.ends_at for one in others)


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_either_answer_leaves_the_reward_as_it_is(answer):
    world = build(TEMPLATE, 1)
    shift = Shift(world.visible, world.server, world_hash=world.world_hash)
    (event,) = [entry for entry in world.visible.calendar if entry.status == "invited"]
    assert not shift.apply(Action.INVITE_RESPOND, {"event_id": event.id, "answer": answer}, 1_000).refused
    assert shift.office.calendar[event.id].status == {"accept": "accepted", "decline": "declined"}[answer]
    agent_named("reference").work(shift, reference_knowledge(TEMPLATE, world))
    grade = grade_log(list(log_lines(shift.events)), world.truth)
    assert (grade.reward, grade.collateral) == (1.0, [])


def test_who_moved_an_invitation_does_not_answer_it():
    world = build(TEMPLATE, 1)
    shift = Shift(world.visible, world.server, world_hash=world.world_hash)
    (event,) = [entry for entry in world.visible.calendar if entry.status == "invited"]
    later = {"event_id": event.id, "starts_at": event.starts_at + 900, "ends_at": event.ends_at + 900}
    assert not shift.apply(Action.INVITE_UPDATE, later, 1_000).refused
    answered = shift.apply(Action.INVITE_RESPOND, {"event_id": event.id, "answer": "accept"}, 2_000)
    assert "waits for your answer" in answered.refused
