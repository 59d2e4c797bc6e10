"""One law for all drivers: the same actions at the same shift times give the same log."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.recording import plain_data, read_recording, recording_lines
from contracts.shift_events import Action, log_lines
from runtime.api import ApiDriver
from runtime.apps.access import Access
from runtime.core import Shift
from runtime.errors import RuntimeShiftError
from runtime.replay import replay

BUYER = "bookable@company0.example"
PITCH = {"to": [BUYER], "subject": "s", "body": "You paid suppliers twice. Could we meet?"}
ASKED = st.sampled_from(
    [
        (Action.MAIL_SEND, PITCH),
        (Action.MAIL_SEND, {**PITCH, "to": ["cancels@company1.example"]}),
        (Action.MAIL_SEND, {**PITCH, "to": ["out_of_office@acme.example"]}),
        (Action.MAIL_REPLY, {"mail_id": "m-1", "body": "Done.", "quote": True}),
        (Action.MAIL_OPEN, {"mail_id": "m-2"}),
        (Action.MAIL_SEND, {**PITCH, "files": ["f-2", "f-1"]}),
        (Action.MAIL_FORWARD, {"mail_id": "m-1", "to": [BUYER], "body": "See."}),
        (Action.FILE_OPEN, {"file_id": "f-1"}),
        (Action.FILE_OPEN, {"file_id": "f-9"}),
        (Action.CRM_ADD_NOTE, {"account_id": "acc-Acme", "text": "é \ud83d\ude00"}),
        (Action.WAIT, {"ms": 2_000}),
        (Action.SHIFT_END, {}),
        (Action.MAIL_SEND, {"body": 1.5, "to": "x"}),
        (Action.MAIL_SEND, {"\ud800": "x"}),
        (Action.MAIL_OPEN, {"mail_id": b"bytes"}),
        (Action.MAIL_OPEN, {"b": 1, "a": float("nan")}),
    ]
)
STEPS = st.lists(st.tuples(ASKED, st.integers(0, 240_000)), max_size=14)


def _timed(steps):
    """Returns the steps with their times; each lies behind the one before by at least its cost."""
    at, timed = 0, []
    for (action, data), wait in steps:
        at += wait + 20_000
        timed.append((action, data, at))
    return timed


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS, stop=st.integers(0, 400_000), stops_itself=st.booleans(), ticks=st.integers(1, 7))
def test_every_driver_writes_the_same_log(small_visible, small_server, steps, stop, stops_itself, ticks):
    timed = _timed(steps)
    end = (timed[-1][2] if timed else 0) + stop

    def shift():
        return Shift(small_visible, small_server, world_hash="0" * 64)

    simulated = shift()
    driver = ApiDriver(simulated)
    for action, data, at in timed:
        cost = 0 if action is Action.WAIT else small_server.action_cost_ms.get(str(action), 1_000)
        driver.charge(at - cost - driver.now_ms)
        driver.perform(action, data)
    driver.charge(end - driver.now_ms)

    paged, present = shift(), 0
    access = Access(paged, lambda: present)
    for action, data, at in timed:
        for step in range(ticks):  # pages poll in between
            present += (at - present) * step // ticks
            access.catch_up()
        present = at
        access.perform(action, data)
    present = simulated.now_ms
    access.catch_up()

    if stops_itself:
        driver.stop()
        ApiDriver(paged).stop()
    replayed = shift()
    replay(replayed, read_recording(list(recording_lines(simulated.recording))))
    logs = [list(log_lines(played.events)) for played in (simulated, paged, replayed)]
    assert logs[0] == logs[1] == logs[2]
    assert replayed.recording == simulated.recording


def test_a_shift_in_real_time_replays(small_visible, small_server):
    shift = Shift(small_visible, small_server, world_hash="0" * 64)
    began = time.monotonic()
    access = Access(shift, lambda: int((time.monotonic() - began) * 1_000_000))  # a thousand times as fast
    access.perform(Action.MAIL_SEND, PITCH)
    while len(shift.office.mails) < 4 and not access.over:
        access.catch_up()
        access.perform(Action.MAIL_OPEN, {"mail_id": "m-1"})
    shift.tick_to(small_visible.length_ms)
    again = Shift(small_visible, small_server, world_hash="0" * 64)
    replay(again, shift.recording)
    assert again.events == shift.events
    assert "offers" in str(shift.events)


def test_times_that_run_backwards_are_refused(small_visible, small_server):
    shift = Shift(small_visible, small_server, world_hash="0" * 64)
    shift.apply(Action.WAIT, {"ms": 1}, 5_000)
    shift.apply(Action.WAIT, {"ms": 1}, 6_000)
    swapped = shift.recording.__class__(shift.recording.actions[::-1], shift.recording.stop)
    with pytest.raises(RuntimeShiftError, match="before"):
        replay(Shift(small_visible, small_server, world_hash="0" * 64), swapped)


@pytest.mark.parametrize(
    "data", [{"a": object()}, {"a": float("inf")}, {("a",): 1}, {"a": "x" * 2_000_000}, {"a": 10**5_000}]
)
def test_data_that_no_recording_holds_is_none(data):
    assert plain_data(data) is None


def test_data_keeps_its_order():
    assert list(plain_data({"b": (1, 2), "a": None})) == ["b", "a"]
