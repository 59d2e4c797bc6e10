"""One shift of one agent in one world, from start to lock.

Belongs here: the agent's side of a run only. Neither truth nor seed nor key is in reach of this module's
agents; grading comes after the lock, elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from contracts.plan import ReferenceKnowledge
from contracts.recording import Recording
from contracts.shift_events import ShiftEvent
from contracts.world import Bundle
from evaluation.errors import EvaluationError
from runtime.agents.registry import agent_named
from runtime.core import Journal, Shift
from runtime.errors import UnknownAgent

REFERENCE = "reference.json"
"""Beside the truth: what the reference and its personas know of a world."""


@dataclass(frozen=True)
class Played:
    """A shift that was played, whole or up to a crash."""

    events: list[ShiftEvent]
    recording: Recording
    """The actions as the agent asked for them."""
    minutes: float
    """Shift time, not machine time."""
    error: str = ""
    """Why it broke off; empty where it ended by itself."""


def require_agent(name: str) -> None:
    """Does nothing for an agent that exists.

    Raises:
        EvaluationError: there is none of this name; the text lists those that there are.
    """
    try:
        agent_named(name)
    except UnknownAgent as error:
        raise EvaluationError(str(error)) from error


def play(bundle: Bundle, reference: Path, agent: str, journal: Journal | None = None) -> Played:
    """Returns the log of an agent's shift; an agent that crashes leaves the log so far and the reason."""
    shift = Shift(
        bundle.visible,
        bundle.server,
        world_hash=bundle.world_hash,
        environment=bundle.environment,
        level=bundle.level,
        journal=journal,
    )
    error = ""
    try:
        knowledge = ReferenceKnowledge.model_validate_json(reference.read_bytes())
        agent_named(agent).work(shift, knowledge)
    except Exception as crash:  # whatever an agent does must end as a stored outcome
        error = f"the agent broke off: {type(crash).__name__}: {crash}"
    return Played(shift.events, shift.recording, round(shift.now_ms / 60_000, 2), error)
