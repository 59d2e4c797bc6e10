"""The replay driver: a recording fed to a shift again.

Belongs here: giving recorded actions at their recorded times. Comparing logs and grades is evaluation's.
"""

from __future__ import annotations

from contracts.recording import Recording
from contracts.shift_events import EndReason
from runtime.core import Shift


def replay(shift: Shift, recording: Recording) -> None:
    """Carries out a recording's actions at their times and stops as it stopped.

    Raises:
        RuntimeShiftError: the recorded times run backwards.
    """
    for taken in recording.actions:
        shift.apply(taken.action, taken.data, taken.at_ms)
    shift.tick_to(max(recording.stop.at_ms, shift.now_ms))
    if recording.stop.end_reason == EndReason.AGENT_STOPPED:
        shift.lock(EndReason.AGENT_STOPPED)
