"""What was done before the shift agrees: import, notes, stage and next step of every record."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldgen.building import build
from worldgen.template import load_template

TEMPLATE = load_template(Path(__file__).parents[2] / "environments" / "gtm-outbound")
OFFICE = TEMPLATE.authored.office
PAST = {one.text: one for one in OFFICE.past_contacts}
WORLDS = [build(TEMPLATE, seed) for seed in range(1, 13)]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: f"seed {world.seed}")
def test_stage_and_next_step_follow_from_the_notes(world):
    visible = world.visible
    for account in visible.accounts:
        notes = [note for note in visible.notes if note.account_id == account.id]
        assert notes[0].text == OFFICE.import_note
        local = visible.zone.local(notes[0].written_at)
        assert local.date().isoformat() == account.fields["imported_on"]
        contacts = [PAST[note.text] for note in notes[1:]]
        furthest = max((OFFICE.stages.index(one.stage) for one in contacts), default=0)
        assert account.stage == OFFICE.stages[furthest]
        assert account.next_step == (contacts[-1].next_step if contacts else "")


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: f"seed {world.seed}")
def test_notes_are_in_order_between_import_and_the_shift(world):
    for account in world.visible.accounts:
        times = [note.written_at for note in world.visible.notes if note.account_id == account.id]
        assert times == sorted(times) and times[-1] < world.visible.starts_at
        places = [
            OFFICE.past_contacts.index(PAST[note.text])
            for note in world.visible.notes
            if note.account_id == account.id and note.text in PAST
        ]
        assert places == sorted(set(places))


def test_worlds_have_records_in_several_stages_and_the_stage_tells_nothing_of_the_truth():
    stages = {}
    for world in WORLDS:
        for account, truth in zip(world.visible.accounts, world.truth.accounts, strict=True):
            stages.setdefault(truth.status, set()).add(account.stage)
    assert all(len(held) > 1 for held in stages.values())


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: f"seed {world.seed}")
def test_appointments_lie_on_working_days_and_leave_the_shift_free(world):
    visible = world.visible
    ends_at = visible.starts_at + visible.length_ms // 1_000
    during = [one for one in visible.calendar if one.starts_at < ends_at and visible.starts_at < one.ends_at]
    assert during == []
    for entry in visible.calendar:
        assert visible.zone.local(entry.starts_at).weekday() < 5


def test_old_meetings_fill_the_weeks_before():
    old = [
        entry
        for world in WORLDS
        for entry in world.visible.calendar
        if entry.starts_at < world.visible.starts_at
    ]
    assert len(old) >= 2 * len(WORLDS)
