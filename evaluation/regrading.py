"""Grades computed again from log and truth, and what changed.

Belongs here: recomputing and comparing. What a grade says is the grader's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contracts.grade import Grade, Outcome, RunResult
from contracts.shift_events import ShiftEvent
from evaluation.errors import EvaluationError
from evaluation.hidden import HiddenWorlds, figures_only, is_hidden, seen_events
from evaluation.replaying import played_again, world_of
from evaluation.runs import Run, read_events, read_run, read_truth, result_of, write_grade, write_result
from grader.grading import grade_shift

_STATED = ("reward", "components", "gates", "meetings", "end_reason")


@dataclass(frozen=True)
class Flip:
    """One figure or check of a run that another grade judges otherwise."""

    folder: Path
    what: str
    """"reward", "gate:data_leak", or the id of a check."""
    before: str
    after: str


@dataclass(frozen=True)
class Regraded:
    """A run with its new grade and the differences to the stored one."""

    run: Run
    result: RunResult
    grade: Grade
    flips: tuple[Flip, ...]


def regrade(
    folders: Sequence[Path],
    truth: Path | None = None,
    write: bool = True,
    hidden: HiddenWorlds | None = None,
) -> list[Regraded]:
    """Returns the new grades of stored runs with the differences to the old ones.

    Runs that broke off (`infra_error`, `env_defect`, `aborted`) keep their outcome without a reward; where
    they left a log, its partial grade is stored beside it.

    Args:
        folders: run folders.
        truth: the truth to grade by; by default the one beside each sweep's worlds.
        write: replaces grade and result in the run folders.
        hidden: makes the worlds of hidden seeds, whose runs are played again to be graded.

    Raises:
        EvaluationError: a log was cut or edited, or there is no truth for a run.
    """
    regraded = []
    for folder in folders:
        run = read_run(folder)
        if run.result.outcome is not Outcome.GRADED:
            if write:
                _grade_in_part(run, truth, hidden)
            continue
        events = read_events(run)
        if not events:
            raise EvaluationError(f"{folder} has no log: it cannot be graded again")
        grade = _grade(run, events, truth, hidden)
        result = result_of(run.result, grade)
        if write:
            write_grade(folder, grade)
            write_result(folder, result)
        found = [*flips(folder, run.grade, grade), *_stated_otherwise(run, result)]
        regraded.append(Regraded(run, result, grade, tuple(found)))
    return regraded


def _grade(run: Run, events: list[ShiftEvent], truth: Path | None, hidden: HiddenWorlds | None) -> Grade:
    if is_hidden(run.result):
        return _grade_hidden(run, events, hidden)
    return grade_shift(events, read_truth(run, truth))


def _grade_in_part(run: Run, truth: Path | None, hidden: HiddenWorlds | None) -> None:
    events = read_events(run)
    if events and not (is_hidden(run.result) and hidden is None):
        write_grade(run.folder, _grade(run, events, truth, hidden))


def _grade_hidden(run: Run, stored: list[ShiftEvent], hidden: HiddenWorlds | None) -> Grade:
    bundle = world_of(run, hidden=hidden)
    events = played_again(run, bundle)
    if seen_events(events) != stored:
        raise EvaluationError(f"{run.folder}: its actions do not give its log: one of them was edited")
    return figures_only(grade_shift(events, bundle.truth))


def flips(folder: Path, before: Grade | None, after: Grade) -> list[Flip]:
    """Returns what differs between two grades of one run; everything where there was none before."""
    old, new = _figures(before) if before else {}, _figures(after)
    return [
        Flip(folder, name, old.get(name, "none"), new.get(name, "none"))
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    ]


def _stated_otherwise(run: Run, result: RunResult) -> list[Flip]:
    """Returns the figures in which only the stored result, not the stored grade, differs from the new one."""
    if run.grade is None:
        return []
    graded = result_of(run.result, run.grade)
    return [
        Flip(run.folder, f"result:{name}", str(getattr(run.result, name)), str(getattr(result, name)))
        for name in _STATED
        if getattr(run.result, name) != getattr(result, name) == getattr(graded, name)
    ]


def _figures(grade: Grade) -> dict[str, str]:
    figures = {"reward": f"{grade.reward:.6f}"}
    figures |= {
        f"component:{name}": f"{v / 1_000_000:.6f}" for name, v in grade.components_millionths.items()
    }
    figures |= {check.id: str(check.verdict) for check in [*grade.collateral, *grade.checks]}
    return figures | {f"gate:{name}": "pass" if ok else "fail" for name, ok in grade.gates.items()}
