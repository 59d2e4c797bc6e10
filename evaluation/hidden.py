"""Runs of hidden seeds: what of them may be stored, and how whoever holds the key gets the rest back.

A run folder of a hidden seed keeps what the agent itself saw and did, and figures. What the world thought
(why a buyer answered, which mail is a trap, what a check found) can only be made again from the key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from contracts.grade import Grade, RunResult
from contracts.shift_events import ShiftEvent, WorldEvent
from contracts.template import WorldTemplate
from contracts.world import Bundle
from evaluation.errors import EvaluationError
from evaluation.seeds import HIDDEN_SPLIT, SEED_KEY_VARIABLE, split_seeds
from worldgen.building import build
from worldgen.errors import WorldError
from worldgen.template import load_template

_SEEN: dict[str, frozenset[str]] = {
    WorldEvent.DELIVER: frozenset({"mail"}),
    WorldEvent.ACCEPTED: frozenset({"event_id", "by", "starts_at"}),
    WorldEvent.DECLINED: frozenset({"event_id", "by", "starts_at"}),
    WorldEvent.NOTICE: frozenset(),
}
"""What an agent can see of lines that the world writes."""


@dataclass(frozen=True)
class HiddenWorlds:
    """Worlds of hidden seeds, made again from template and key."""

    env: Path
    key: bytes = field(repr=False)

    def bundle(self, result: RunResult) -> Bundle:
        """Returns the world of a run, its truth included.

        Raises:
            EvaluationError: key, environment or template are not those of the run.
        """
        name = self.env.resolve().name
        index = result.seed_label.removeprefix(f"{HIDDEN_SPLIT}-")
        if name != result.environment or not index.isdecimal():
            raise EvaluationError(f"seed {result.seed_label} of {result.environment} is none of {name}")
        seed = split_seeds(name, HIDDEN_SPLIT, int(index), self.key)[-1]
        try:
            bundle = build(self._template, seed.value, result.level)
        except WorldError as error:
            raise EvaluationError(
                f"the world of {result.seed_label} cannot be made ({type(error).__name__})"
            ) from None
        if bundle.world_hash != result.world_hash:
            raise EvaluationError(
                f"{result.seed_label} gives another world: another key or template made the run"
            )
        return bundle

    @cached_property
    def _template(self) -> WorldTemplate:
        return load_template(self.env)


def is_hidden(result: RunResult) -> bool:
    """Says whether a run's seed is hidden."""
    return result.seed is None


def require_hidden_worlds(result: RunResult, hidden: HiddenWorlds | None) -> HiddenWorlds:
    """Returns the worlds of hidden seeds where they are at hand.

    Raises:
        EvaluationError: they are not; the text says what is needed.
    """
    if hidden is None:
        raise EvaluationError(
            f"seed {result.seed_label} is hidden: set {SEED_KEY_VARIABLE} to its key file and give --env"
        )
    return hidden


def seen_events(events: Iterable[ShiftEvent]) -> list[ShiftEvent]:
    """Returns a log with only what the agent could see; numbers and times stay."""
    return [
        event.model_copy(update={"data": {k: v for k, v in event.data.items() if k in _SEEN[event.type]}})
        if event.type in _SEEN
        else event
        for event in events
    ]


def figures_only(grade: Grade) -> Grade:
    """Returns a grade without its checks, which say what would have been right."""
    return grade.model_copy(update={"checks": [], "collateral": []})
