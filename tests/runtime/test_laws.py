"""Laws of the core: nothing an agent does breaks it, and the same doing gives the same log."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.shift_events import Action, log_lines, read_log
from runtime.core import Shift

WORDS = st.sampled_from(
    (
        "m-1 m-2 e-1 event-new-1 acc-Acme con-delegate status stage Qualified late_fees accept 2026-10-14 "
        "bookable@company0.example You·paid·suppliers·twice.·Could·we·meet? \ud800 \u0000é·>"
    ).split(" ")
)
VALUES = (
    WORDS.map(lambda word: word.replace("·", " "))
    | st.integers(-5, 2_000_000_000)
    | st.lists(WORDS, max_size=3)
    | st.booleans()
    | st.none()
)
FIELDS = st.sampled_from(
    "mail_id to cc body subject quote title starts_at ends_at attendees event_id answer record_id account_id "
    "field value reason on text name role address kind into domain path query ms odd".split()
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(list(Action)), st.dictionaries(FIELDS, VALUES, max_size=6), st.integers(0, 90_000)
    ),
    max_size=12,
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(steps=STEPS)
def test_no_action_breaks_a_shift_and_its_log_repeats(small_visible, small_server, steps):
    logs = []
    for _ in range(2):
        shift = Shift(small_visible, small_server, world_hash="0" * 64)
        for action, data, wait in steps:
            shift.apply(action, data, shift.now_ms + wait)
        shift.tick_to(small_visible.length_ms)
        logs.append(list(log_lines(shift.events)))
    assert logs[0] == logs[1]
    assert read_log(logs[0])[-1].type == "lock"


TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
JSON_LIKE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda held: st.lists(held, max_size=3) | st.dictionaries(TEXT | st.integers(), held, max_size=3),
    max_leaves=6,
)
NAMES = FIELDS | TEXT | st.integers() | st.none() | st.binary(max_size=3) | st.tuples(TEXT)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(action=st.sampled_from(list(Action)), data=st.dictionaries(NAMES, JSON_LIKE, max_size=5))
def test_no_data_of_any_shape_breaks_an_action_or_the_log(small_visible, small_server, action, data):
    shift = Shift(small_visible, small_server, world_hash="0" * 64)
    shift.apply(action, data, 0)
    assert read_log(list(log_lines(shift.events)))


@pytest.mark.parametrize("key", ["\ud800", 1, None, ("a",), "x" * 10_000, "line\nbreak"])
def test_an_unknown_field_is_refused_by_a_safe_text(small_visible, small_server, key):
    shift = Shift(small_visible, small_server, world_hash="0" * 64)
    result = shift.apply(Action.MAIL_SEND, {key: "x", "to": ["a@b.example"], "body": "x"}, 0)
    assert result.refused.startswith("mail.send takes no ")
    assert len(result.refused) < 200 and result.refused.isascii() and result.refused.isprintable()
