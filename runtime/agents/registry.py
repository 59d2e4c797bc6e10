"""Agents by name, and how one works a shift to its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from contracts.plan import ReferenceKnowledge
from contracts.shift_events import EndReason
from runtime.agents import personas, trivial
from runtime.agents.clicker import click_at_random
from runtime.agents.reference import Reference
from runtime.api import ApiDriver, ReferenceView
from runtime.core import Shift
from runtime.errors import UnknownAgent

_KNOWING: dict[str, type[Reference]] = {
    "reference": Reference,
    "scripted:generic-pitch": personas.GenericPitch,
    "scripted:careers-pitch": personas.CareersPitch,
    "scripted:list-to-fake-boss": personas.ListToFakeBoss,
    "scripted:quits-early": personas.QuitsEarly,
    "scripted:process-misses": personas.ProcessMisses,
}
_REASONS = 16
"""Length of the closed list of reasons for Not a fit; on a shorter list the last places begin anew."""
_TRIVIAL: dict[str, Callable[[ApiDriver], None]] = {
    "noop": trivial.noop,
    "scripted:waiter": trivial.waiter,
    "scripted:reader": trivial.reader,
    "scripted:spammer": trivial.spammer,
    "scripted:blanket-qualified": trivial.blanket("Qualified", "problems", 0),
    "scripted:blanket-not-a-fit": trivial.blanket("Not a fit", "disqualifiers", 0),
    **{
        f"scripted:blanket-not-a-fit:{place}": trivial.blanket("Not a fit", "disqualifiers", place - 1)
        for place in range(2, _REASONS + 1)
    },
    "scripted:invite-every-slot": trivial.invite_every_slot,
    "scripted:topic-guesser": trivial.topic_guesser,
    "scripted:claims-success": trivial.claims_success,
    "scripted:random-clicker": click_at_random,
}
BLIND_REPLAY = "scripted:blind-replay"
"""Needs knowledge that holds what the reference did elsewhere."""


class Agent(Protocol):
    """Something that works a shift."""

    def work(self, shift: Shift, knowledge: ReferenceKnowledge | None) -> EndReason:
        """Works the shift to its lock and returns how it ended."""


class _Knowing:
    def __init__(self, name: str) -> None:
        self._name = name

    def work(self, shift: Shift, knowledge: ReferenceKnowledge | None) -> EndReason:
        if knowledge is None:
            raise UnknownAgent(f"{self._name} needs the knowledge that worldgen writes for a world")
        driver = ApiDriver(shift)
        _KNOWING[self._name](knowledge).work(driver, ReferenceView(shift))
        return _ended(shift)


class _Blind:
    def work(self, shift: Shift, knowledge: ReferenceKnowledge | None) -> EndReason:
        if knowledge is None or not knowledge.elsewhere:
            raise UnknownAgent(
                f"{BLIND_REPLAY} needs what the reference did in another world: a sweep that it is "
                "entered in builds its worlds with that"
            )
        trivial.blind_replay(ApiDriver(shift), knowledge.elsewhere)
        return _ended(shift)


class _Unknowing:
    def __init__(self, name: str) -> None:
        self._name = name

    def work(self, shift: Shift, knowledge: ReferenceKnowledge | None) -> EndReason:
        del knowledge
        _TRIVIAL[self._name](ApiDriver(shift))
        return _ended(shift)


def agent_names() -> list[str]:
    """Returns the names of all scripted agents."""
    return sorted([*_KNOWING, *_TRIVIAL, BLIND_REPLAY])


def agent_named(name: str) -> Agent:
    """Returns a scripted agent: "reference", "noop", "scripted:<name>".

    Raises:
        UnknownAgent: there is none of this name.
    """
    if name in _KNOWING:
        return _Knowing(name)
    if name in _TRIVIAL:
        return _Unknowing(name)
    if name == BLIND_REPLAY:
        return _Blind()
    raise UnknownAgent(f"no agent {name!r} (have: {', '.join(agent_names())})")


def _ended(shift: Shift) -> EndReason:
    shift.lock(EndReason.AGENT_STOPPED)
    return shift.end_reason or EndReason.AGENT_STOPPED
