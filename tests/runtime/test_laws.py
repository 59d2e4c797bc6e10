"""Laws of the core: nothing an agent does breaks it, and the same doing gives the same log."""

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
