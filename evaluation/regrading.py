"""Grades computed again from log and truth, and what changed.

Belongs here: recomputing and comparing. What a grade says is the grader's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contracts.grade import Grade, Outcome, RunResult
from evaluation.errors import EvaluationError
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


def regrade(folders: Sequence[Path], truth: Path | None = None, write: bool = True) -> list[Regraded]:
    """Returns the new grades of stored runs with the differences to the old ones.

    Runs that ended without a log to grade (`infra_error`, `env_defect`, `aborted`) are left as they are.

    Args:
        folders: run folders.
        truth: the truth to grade by; by default the one beside each sweep's worlds.
        write: replaces grade and result in the run folders.

    Raises:
        EvaluationError: a log was cut or edited, or there is no truth for a run.
    """
    regraded = []
    for folder in folders:
        run = read_run(folder)
        if run.result.outcome is not Outcome.GRADED:
            continue
        events = read_events(run)
        if not events:
            raise EvaluationError(f"{folder} has no log: it cannot be graded again")
        grade = grade_shift(events, read_truth(run, truth))
        result = result_of(run.result, grade)
        if write:
            write_grade(folder, grade)
            write_result(folder, result)
        found = [*flips(folder, run.grade, grade), *_stated_otherwise(run, result)]
        regraded.append(Regraded(run, result, grade, tuple(found)))
    return regraded


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
