"""Stored runs played again: the recorded actions at their times, in the same world.

Belongs here: making a log again and comparing it and its grade with what is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from contracts.grade import Grade
from contracts.shift_events import ShiftEvent, log_lines
from contracts.world import Bundle
from evaluation.errors import EvaluationError
from evaluation.hidden import HiddenWorlds, figures_only, is_hidden, require_hidden_worlds, seen_events
from evaluation.runs import EVENTS, Run, read_actions, read_run, world_folder
from grader.grading import grade_shift
from runtime.core import Shift
from runtime.errors import RuntimeShiftError
from runtime.replay import replay
from worldgen.bundle import read_bundle
from worldgen.errors import WorldError


@dataclass(frozen=True)
class Replayed:
    """A run played again, beside what is stored of it."""

    run: Run
    log_sha256: str
    """Of the log as it would be stored now."""
    log_equal: bool
    grade: Grade
    grade_equal: bool | None
    """None where the run has no grade."""

    @property
    def equal(self) -> bool:
        """Whether everything that is stored came out again."""
        return self.log_equal and self.grade_equal is not False


def replay_run(folder: Path, world: Path | None = None, hidden: HiddenWorlds | None = None) -> Replayed:
    """Returns what a stored run's actions give when they are played again.

    Args:
        folder: a run folder.
        world: the folder of its world; by default the one beside the sweep's runs.
        hidden: makes the worlds of hidden seeds.

    Raises:
        EvaluationError: world, actions or log are missing, or the world is another one.
    """
    run = read_run(folder)
    bundle = world_of(run, world, hidden)
    log = folder / EVENTS
    if not log.is_file():
        raise EvaluationError(f"{folder} has no log to compare with")
    events = played_again(run, bundle)
    grade = grade_shift(events, bundle.truth)
    if is_hidden(run.result):
        events, grade = seen_events(events), figures_only(grade)
    lines = b"".join(log_lines(events))
    stated = run.result.log_sha256 in ("", sha256(log.read_bytes()).hexdigest())
    return Replayed(
        run=run,
        log_sha256=sha256(lines).hexdigest(),
        log_equal=stated and lines == log.read_bytes(),
        grade=grade,
        grade_equal=None if run.grade is None else grade == run.grade,
    )


def world_of(run: Run, given: Path | None = None, hidden: HiddenWorlds | None = None) -> Bundle:
    """Returns the world of a run: the one given, the one beside the sweep's runs, or made from the key.

    Raises:
        EvaluationError: there is none, or it is not the one of the run.
    """
    if is_hidden(run.result) and given is None:
        return require_hidden_worlds(run.result, hidden).bundle(run.result)
    try:
        bundle = read_bundle(given or world_folder(run.folder.parent, run.result))
    except WorldError as error:
        raise EvaluationError(f"no world for {run.folder} (give it with --world FOLDER): {error}") from error
    if bundle.world_hash != run.result.world_hash:
        raise EvaluationError(f"{run.folder} was played in another world than this one")
    return bundle


def played_again(run: Run, bundle: Bundle) -> list[ShiftEvent]:
    """Returns the log that a run's recorded actions give in its world.

    Raises:
        EvaluationError: there are no usable actions.
    """
    shift = Shift(
        bundle.visible,
        bundle.server,
        world_hash=bundle.world_hash,
        environment=bundle.environment,
        level=bundle.level,
    )
    try:
        replay(shift, read_actions(run))
    except RuntimeShiftError as error:
        raise EvaluationError(f"{run.folder}: the recorded actions cannot be played: {error}") from error
    return shift.events
