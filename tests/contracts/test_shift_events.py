"""The shift log reads back what was written and shows every edit."""

import pytest

from contracts.canonical import CanonicalError
from contracts.shift_events import Action, ShiftEvent, WorldEvent, log_lines, read_log

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
