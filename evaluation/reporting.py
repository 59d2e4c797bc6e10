"""Leaderboard and run pages as static HTML, rendered from run folders alone.

Belongs here: what stands on which page. Ranking is in `leaderboard`, formats in `pages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contracts.grade import CheckResult, Label, Verdict
from contracts.world import Truth
from evaluation.errors import EvaluationError
from evaluation.event_lines import LANES, EventLine, event_line
from evaluation.leaderboard import agent_name, boards_of
from evaluation.pages import write_page
from evaluation.reality import Reality, Side, compare
from evaluation.runs import Run, read_events, read_run, read_truth, run_name

MAX_EVENTS = 5_000
"""Log lines shown on a run page; the log itself is kept whole."""
_COMPONENTS = ("meetings", "qualification", "traps", "crm_hygiene")


@dataclass(frozen=True)
class Component:
    """One part of the reward with its checks."""

    name: str
    value: float
    weight: float | None
    """Share of the reward; None where the sweep's truth is not at hand."""
    checks: tuple[CheckResult, ...]

    @property
    def passed(self) -> int:
        """Number of checks that earned credit."""
        return sum(check.verdict == Verdict.PASS for check in self.checks)


def write_report(runs: Sequence[Path], out: Path, recorded: Mapping[str, Side] | None = None) -> Path:
    """Writes index.html (leaderboard) and a page per run, and returns the path of the leaderboard.

    Args:
        runs: run folders, as `evaluation.runs.find_runs` lists them.
        out: folder of the report; pages of the same name are replaced.
        recorded: what the company's own reps reached, by case (`evaluation.reality.recorded_under`), beside
            which run pages then set the agent.

    Raises:
        EvaluationError: there is no run, or a run folder cannot be read.
    """
    if not runs:
        raise EvaluationError("no runs to report: give run folders or a sweep")
    loaded = [read_run(folder) for folder in runs]
    names = [page_name(run) for run in loaded]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise EvaluationError(f"two runs are called {twice[0]}: report sweeps of one agent and seed apart")
    weights: dict[str, float] = {}
    for run, name in zip(loaded, names, strict=True):
        own = _weights(run)
        weights = weights or own
        _write_run_page(run, own, out / name, recorded or {})
    return write_page(
        out / "index.html",
        "leaderboard.html",
        boards=boards_of(loaded),
        weights=weights,
        page_name=page_name,
    )


def page_name(run: Run) -> str:
    """Returns the file name of a run's page."""
    return f"{run_name(run.result)}.html"


def components_of(run: Run, weights: dict[str, float]) -> list[Component]:
    """Returns the parts of a run's reward with their checks; empty where it was not graded."""
    if run.grade is None:
        return []
    return [
        Component(
            name=name,
            value=run.grade.components_millionths.get(name, 0) / 1_000_000,
            weight=weights.get(name),
            checks=tuple(check for check in run.grade.checks if check.component == name),
        )
        for name in _COMPONENTS
    ]


def _weights(run: Run) -> dict[str, float]:
    try:
        truth: Truth = read_truth(run)
    except EvaluationError:
        return {}  # a run folder may be reported without its world; shares are then left out
    return {name: truth.weights_ppm[name] / 1_000_000 for name in _COMPONENTS if name in truth.weights_ppm}


def _reality(run: Run, recorded: Mapping[str, Side]) -> Reality | None:
    if run.grade is None or not recorded:
        return None
    try:
        return compare(run.grade, read_events(run), read_truth(run), recorded)
    except EvaluationError:
        return None  # without its truth or whole log a run has no account to compare


def _write_run_page(run: Run, weights: dict[str, float], path: Path, recorded: Mapping[str, Side]) -> None:
    log_error = ""
    lines: list[EventLine] = []
    try:
        lines = [event_line(event) for event in read_events(run)]
    except EvaluationError:
        log_error = "The stored log is not the one that this run wrote: it was cut or edited."
    cited: dict[int, list[str]] = {}
    for check in [*run.grade.checks, *run.grade.collateral] if run.grade else []:
        for seq in check.evidence:
            cited.setdefault(seq, []).append(check.id)
    components = components_of(run, weights)
    shown = {check.id for component in components for check in component.checks}
    write_page(
        path,
        "run.html",
        title=f"{agent_name(run)}, seed {run.result.seed_label}",
        run=run,
        components=components,
        gates=[check for check in run.grade.checks if check.component == "gate"] if run.grade else [],
        others=[c for c in run.grade.checks if c.id not in shown and c.component != "gate"]
        if run.grade
        else [],
        lines=lines[:MAX_EVENTS],
        hidden=max(0, len(lines) - MAX_EVENTS),
        log_error=log_error,
        cited=cited,
        lanes=LANES,
        length_ms=max([line.at_ms for line in lines], default=0),
        noop_pass=Label.NOOP_PASS,
        reality=_reality(run, recorded),
    )
