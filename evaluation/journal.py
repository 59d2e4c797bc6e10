"""A run's log and actions as they happen, so that a killed run leaves what it had.

Belongs here: writing lines while a shift is played. The whole files replace these when it has ended.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from contracts.canonical import CHAIN_START, chain_lines, sha256_hex
from contracts.recording import TakenAction, taken_line
from contracts.shift_events import ShiftEvent
from evaluation.hidden import seen_events
from evaluation.runs import ACTIONS, EVENTS


class Journal:
    """Appends lines to the two files of a run folder, each handed to the system at once."""

    def __init__(self, folder: Path, *, hidden: bool) -> None:
        self._folder = folder
        self._hidden = hidden
        self._last = CHAIN_START

    def __enter__(self) -> Journal:
        """Opens the files."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._events = (self._folder / EVENTS).open("wb", buffering=0)
        self._actions = (self._folder / ACTIONS).open("wb", buffering=0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes them."""
        self._events.close()
        self._actions.close()

    def event(self, event: ShiftEvent) -> None:
        """Writes a line of the log."""
        stored = seen_events([event])[0] if self._hidden else event
        (line,) = chain_lines([stored.model_dump(mode="json")], self._last)
        self._last = sha256_hex(line)
        self._events.write(line)

    def action(self, taken: TakenAction) -> None:
        """Writes an action before it is carried out."""
        self._actions.write(taken_line(taken))
