"""The shift log reads back what was written and shows every edit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import shift_events
from contracts.canonical import CHAIN_START, CanonicalError
from contracts.shift_events import Action, ShiftEvent, WorldEvent, log_lines, read_log, read_logged

EVENTS = [
    ShiftEvent(seq=1, at_ms=0, actor="world", type=WorldEvent.START, data={"world_hash": "0"}),
    ShiftEvent(seq=2, at_ms=900, actor="agent", type=Action.MAIL_OPEN, data={"mail_id": "mail-1"}),
    ShiftEvent(
        seq=3, at_ms=2_400_000, actor="world", type=WorldEvent.LOCK, data={"end_reason": "time_limit"}
    ),
]


def test_a_log_reads_back():
    assert read_log(log_lines(EVENTS)) == EVENTS


@pytest.mark.parametrize("change", [(b"mail-1", b"mail-2"), (b'"at_ms":900', b'"at_ms":800')])
def test_an_edited_log_is_refused(change):
    lines = [line.replace(*change) for line in log_lines(EVENTS)]
    with pytest.raises(CanonicalError, match="line 3"):
        read_log(lines)


def test_missing_numbers_are_refused():
    with pytest.raises(CanonicalError, match="number 3"):
        read_log(log_lines([EVENTS[0], EVENTS[2]]))


NUMBERS = st.sampled_from(["1", "2", "0", "-1", "1.0", "1.5", "1e0", "true", "null", '"1"', "[]", "01"])
STRINGS = st.sampled_from(['"agent"', '"\\ud800"', '"\u00e9"', "1", "null", "{}"])
DATA = st.sampled_from(
    ["{}", '{"a":1.5}', '{"a":{"b":[1,null]}}', '{"a":1,"a":2}', "[]", "null", '{"a":1e400}', "{"]
)
EXTRA = st.sampled_from(["", ',"more":1', ',"seq":2', ',"prev":"x"', "}"])


@given(seq=NUMBERS, at=NUMBERS, actor=STRINGS, data=DATA, extra=EXTRA, first=st.booleans())
def test_reading_fast_and_line_by_line_say_the_same(
    seq: str, at: str, actor: str, data: str, extra: str, first: bool
) -> None:
    held = f'"seq":{seq},"at_ms":{at},"actor":{actor},"type":"x","data":{data}'
    prev = f'"prev":"{CHAIN_START}"'
    line = "{" + (f"{prev},{held}" if first else f"{held},{prev}") + extra + "}\n"
    stored = [line.encode("utf-8")]
    fast, fastest = shift_events._read_whole(stored), shift_events._read_plain(stored)
    try:
        slow = shift_events._read_one_by_one(stored)
    except CanonicalError:
        slow = None
    assert fast is None or fast == slow
    assert fastest is None or (slow is not None and fastest == [tuple(dict(one).values()) for one in slow])


@pytest.mark.parametrize(
    "lines", [[], list(log_lines(EVENTS)), [line + b" " for line in log_lines(EVENTS[:1])]]
)
def test_a_log_read_for_grading_holds_the_same(lines: list[bytes]) -> None:
    assert read_logged(lines) == [tuple(dict(event).values()) for event in read_log(lines)]


@pytest.mark.parametrize(
    "change", [(b"mail-1", b"mail-2"), (b'"seq":3', b'"seq":4'), (b"{", b""), (b"900", b'"a"')]
)
def test_what_is_no_log_is_refused_for_grading_as_well(change: tuple[bytes, bytes]) -> None:
    lines = [line.replace(*change) for line in log_lines(EVENTS)]
    with pytest.raises(CanonicalError) as expected:
        read_log(lines)
    with pytest.raises(CanonicalError) as found:
        read_logged(lines)
    assert str(found.value) == str(expected.value)
