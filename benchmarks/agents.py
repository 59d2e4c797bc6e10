"""What every scripted agent reaches, level by level: rewards, components, meetings, gates.

`python -m benchmarks.agents [--seeds 1-20] [--levels easy,standard,hard,brutal] [--parallel 2]`

Each agent works one shift in each world, as `rl-dojo run` has it. mean, min and max are of the reward;
meetings are those that stand at the end against those that were due, over all worlds; the components are
means before weights. Gates are counted by the runs that failed them. A run without a grade is no reward of
0: it is left out of the figures and shows as fewer runs.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import PROJECT, table
from evaluation.runs import Run, read_run
from evaluation.seeds import public_seeds
from evaluation.sweeping import Entrant, run_sweep
from runtime.agents.registry import agent_names

ENV = PROJECT / "environments" / "gtm-outbound"
LEVELS = "easy,standard,hard,brutal"
COMPONENTS = ("meetings", "qualification", "traps", "crm_hygiene")
HEADER = ("agent", "mean", "min", "max", "meetings", *COMPONENTS, "gates failed", "runs")


def played(level: str, seeds: str, parallel: int) -> dict[str, list[Run]]:
    """Returns the runs of every agent at a level."""
    runs: dict[str, list[Run]] = {name: [] for name in agent_names()}
    with tempfile.TemporaryDirectory() as home:
        entrants = [Entrant(name) for name in runs]
        for result in run_sweep(
            ENV, entrants, public_seeds(seeds), level, 1, Path(home), lambda *_: None, parallel
        ):
            runs[result.agent].append(read_run(Path(result.folder)))
    return runs


def row(agent: str, runs: Sequence[Run]) -> tuple[str, ...]:
    """Returns an agent's line of the table."""
    grades = [run.grade for run in runs if run.grade is not None]
    if not grades:
        return (agent, *("-" for _ in HEADER[2:]), f"0/{len(runs)}")
    rewards = [grade.reward for grade in grades]
    failed = Counter(gate for grade in grades for gate, passed in grade.gates.items() if not passed)
    return (
        agent,
        f"{statistics.mean(rewards):.3f}",
        f"{min(rewards):.3f}",
        f"{max(rewards):.3f}",
        f"{sum(grade.meetings for grade in grades)}/{sum(grade.meetings_due for grade in grades)}",
        *(
            f"{statistics.mean(grade.components_millionths[name] for grade in grades) / 1e6:.3f}"
            for name in COMPONENTS
        ),
        ", ".join(f"{gate} {n}" for gate, n in sorted(failed.items())) or "-",
        str(len(grades)) if len(grades) == len(runs) else f"{len(grades)}/{len(runs)}",
    )


def main() -> None:
    """Prints a table for each level."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--levels", default=LEVELS)
    parser.add_argument("--parallel", type=int, default=2)
    chosen = parser.parse_args()
    for level in chosen.levels.split(","):
        rows = [row(agent, runs) for agent, runs in played(level, chosen.seeds, chosen.parallel).items()]
        rows.sort(key=lambda cells: (-float(cells[1]) if cells[1] != "-" else 1.0, cells[0]))
        table(f"{level}, seeds {chosen.seeds}", HEADER, rows)


if __name__ == "__main__":
    main()
