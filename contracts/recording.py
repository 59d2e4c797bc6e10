"""What an agent did in a shift, as a replay needs it: actions as they were asked for, and how it stopped.

One line of `actions.jsonl` is one `TakenAction`; the last line is the `Stop` unless the run was killed.
Refused actions stand here as well. Fed to a shift in the same world at the same times, they give the same
log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from contracts.shift_events import Action
from contracts.world import ShiftMs

LONGEST_DATA = 1_000_000
"""Characters of an action's data as JSON; more than any action's fields may hold together."""


class RecordingError(ValueError):
    """Stored lines are no recording."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TakenAction(_Strict):
    """An action as it was asked for."""

    at_ms: ShiftMs
    action: Action
    data: dict[str, Any] | None
    """None where what was given is no data at all, see `plain_data`."""


class Stop(_Strict):
    """Where a recording ends."""

    at_ms: ShiftMs
    end_reason: str = ""
    """Empty where the shift was never locked."""


@dataclass(frozen=True)
class Recording:
    """All that an agent did in a shift, in order."""

    actions: tuple[TakenAction, ...]
    stop: Stop


def plain_data(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Returns data as JSON brings it back, in its order; None for what JSON does not hold or is too long."""
    try:
        text = _json(dict(data))
        return json.loads(text) if len(text) <= LONGEST_DATA else None
    except (TypeError, ValueError, RecursionError):
        return None


def taken_line(line: TakenAction | Stop) -> bytes:
    """Returns the stored line of an action or of the end."""
    # Order is kept: which field is complained about first depends on it.
    return _json(line.model_dump()).encode("ascii") + b"\n"


def recording_lines(recording: Recording) -> Iterator[bytes]:
    """Yields the stored lines of a recording."""
    yield from map(taken_line, recording.actions)
    yield taken_line(recording.stop)


def read_recording(lines: Iterable[bytes]) -> Recording:
    """Returns the recording of stored lines; one that a kill left without its end stops at its last action.

    Raises:
        RecordingError: there is no line, or one is none of a recording.
    """
    stored = list(lines)
    if not stored:
        raise RecordingError("a recording has at least one line")
    try:
        *held, last = (json.loads(line) for line in stored)
        if isinstance(last, dict) and "action" in last:
            held, last = [*held, last], {"at_ms": last.get("at_ms")}
        actions = [TakenAction.model_validate(line) for line in held]
        stop = Stop.model_validate(last)
    except (ValidationError, ValueError, RecursionError) as error:
        raise RecordingError(
            f"no recording: {type(error).__name__}; it was cut, edited or is older"
        ) from None
    return Recording(tuple(actions), stop)


def _json(value: object) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))
