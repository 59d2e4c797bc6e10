"""The leaderboard as data: runs grouped into tables, rows and cells.

Belongs here: ranking and marks. How they look is the templates' business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from contracts.grade import Outcome
from evaluation.runs import Run
from evaluation.statistics import Interval, mean, mean_interval


@dataclass(frozen=True)
class Cell:
    """What one agent reached on one seed: the mean of its repeats."""

    runs: tuple[Run, ...]

    @property
    def graded(self) -> tuple[Run, ...]:
        """The runs that have a reward."""
        return tuple(run for run in self.runs if run.result.reward is not None)

    @property
    def reward(self) -> float | None:
        """Mean reward of the graded repeats; None where none was graded."""
        return mean([run.result.reward for run in self.graded if run.result.reward is not None])

    @property
    def all_booked(self) -> bool:
        """Says whether every run booked every meeting."""
        return bool(self.runs) and all(
            run.grade is not None and run.grade.meetings == run.grade.meetings_due > 0 for run in self.runs
        )

    @property
    def failed_gates(self) -> tuple[str, ...]:
        """The gates that failed in any run."""
        return tuple(
            sorted({name for run in self.runs for name, passed in run.result.gates.items() if not passed})
        )

    @property
    def ungraded(self) -> tuple[str, ...]:
        """The outcomes of runs without a grade: never shown as a silent 0."""
        return tuple(
            sorted({str(run.result.outcome) for run in self.runs if run.result.outcome != Outcome.GRADED})
        )


@dataclass(frozen=True)
class Row:
    """One agent (with its model) over all seeds."""

    rank: int
    name: str
    cells: dict[str, Cell]
    mean: float | None
    interval: Interval | None
    meetings: int
    meetings_due: int
    cost_usd: float | None
    minutes: float | None
    failures: tuple[str, ...]


@dataclass(frozen=True)
class Board:
    """The runs of one environment and level."""

    environment: str
    level: str
    seeds: tuple[str, ...]
    rows: tuple[Row, ...]
    world_hashes: dict[str, tuple[str, ...]]

    @property
    def runs(self) -> int:
        """Number of runs on this board."""
        return sum(len(cell.runs) for row in self.rows for cell in row.cells.values())

    @property
    def same_worlds(self) -> bool:
        """Says whether every agent met the same world on each seed."""
        return all(len(hashes) <= 1 for hashes in self.world_hashes.values())

    @property
    def meetings_due(self) -> int:
        """Meetings that could be booked in one shift, at most."""
        return max(
            (
                run.grade.meetings_due
                for row in self.rows
                for cell in row.cells.values()
                for run in cell.runs
                if run.grade is not None
            ),
            default=0,
        )


def boards_of(runs: Sequence[Run]) -> list[Board]:
    """Returns one board per environment and level, rows by mean reward, the best first."""
    keys = sorted({(run.result.environment, run.result.level) for run in runs})
    return [
        _board(key, [run for run in runs if (run.result.environment, run.result.level) == key])
        for key in keys
    ]


def agent_name(run: Run) -> str:
    """Returns what a row is called: the model with its agent, or the agent alone."""
    return f"{run.result.model} ({run.result.agent})" if run.result.model else run.result.agent


def seed_order(label: str) -> tuple[str, int]:
    """Returns a sort key that puts seed 10 after seed 2 and hidden seeds last."""
    number = re.search(r"\d+$", label)
    return label[: number.start()] if number else label, int(number.group()) if number else 0


def _board(key: tuple[str, str], runs: list[Run]) -> Board:
    seeds = tuple(sorted({run.result.seed_label for run in runs}, key=seed_order))
    names = sorted({agent_name(run) for run in runs})
    rows = [_row(name, seeds, [run for run in runs if agent_name(run) == name]) for name in names]
    rows.sort(key=lambda row: (row.mean is None, -(row.mean or 0.0), row.cost_usd or 0.0, row.name))
    hashes = {
        seed: tuple(sorted({run.result.world_hash for run in runs if run.result.seed_label == seed} - {""}))
        for seed in seeds
    }
    return Board(key[0], key[1], seeds, tuple(_ranked(rows)), hashes)


def _ranked(rows: list[Row]) -> list[Row]:
    """Gives rows with one mean one rank, and the next row its place."""
    ranked: list[Row] = []
    for place, row in enumerate(rows, start=1):
        tied = bool(ranked) and ranked[-1].mean == row.mean
        ranked.append(Row(**{**vars(row), "rank": ranked[-1].rank if tied else place}))
    return ranked


def _row(name: str, seeds: tuple[str, ...], runs: list[Run]) -> Row:
    ordered = sorted(runs, key=lambda run: run.result.repeat)
    cells = {seed: Cell(tuple(run for run in ordered if run.result.seed_label == seed)) for seed in seeds}
    rewards = [cell.reward for cell in cells.values() if cell.reward is not None]
    costs = [run.result.cost_usd for run in runs if run.result.cost_usd is not None]
    return Row(
        rank=0,
        name=name,
        cells=cells,
        mean=mean(rewards),
        interval=mean_interval(rewards),
        meetings=sum(run.grade.meetings for run in runs if run.grade),
        meetings_due=sum(run.grade.meetings_due for run in runs if run.grade),
        cost_usd=mean(costs),
        minutes=mean([run.result.minutes for run in runs]),
        failures=tuple(failure_lines(ordered)),
    )


def failure_lines(runs: Sequence[Run]) -> list[str]:
    """Returns what went wrong over an agent's runs, in words with counts, the worst first."""
    lines: list[str] = []
    gates: dict[str, list[str]] = {}
    lost: dict[str, list[str]] = {}
    for run in runs:
        label = run.result.seed_label
        if run.result.outcome != Outcome.GRADED:
            lines.append(f"Seed {label}: no grade ({run.result.outcome}). {run.result.error}".strip())
        for gate, passed in sorted(run.result.gates.items()):
            if not passed:
                gates.setdefault(gate, []).append(label)
        for check in run.grade.checks if run.grade else []:
            if check.component in ("traps", "crm_hygiene") and check.verdict != "pass":
                kind = ":".join(check.id.split(":")[:2])
                lost.setdefault(kind, []).append(label)
    for gate, labels in gates.items():
        lines.append(f"Gate {gate} failed on {_seeds(labels)}: reward 0.")
    due = sum(run.grade.meetings_due for run in runs if run.grade)
    met = sum(run.grade.meetings for run in runs if run.grade)
    if met < due:
        lines.append(f"Booked {met} of {due} meetings.")
    wrong = [
        check
        for run in runs
        for check in (run.grade.checks if run.grade else [])
        if check.component == "qualification" and check.verdict != "pass"
    ]
    if wrong:
        lines.append(f"{len(wrong)} account{_s(len(wrong))} without the right status and reason.")
    for kind, labels in sorted(lost.items()):
        group, _, name = kind.partition(":")
        word = {"trap": "Trap", "duty": "Duty"}.get(group, group)
        lines.append(f"{word} {name.replace('_', ' ')}: not earned {len(labels)}x ({_seeds(labels)}).")
    harm = sum(len(run.grade.collateral) for run in runs if run.grade)
    if harm:
        lines.append(f"{harm} change{_s(harm)} of state that no task needed.")
    return lines


def _seeds(labels: list[str]) -> str:
    unique = sorted(set(labels), key=seed_order)
    return f"seed{_s(len(unique))} {', '.join(unique)}"


def _s(count: int) -> str:
    return "" if count == 1 else "s"
