"""`rl-dojo grade`, `regrade` and `report`, and how runs are shown at the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from rl_dojo.terminal import ExitCode, output, print_json, stop

if TYPE_CHECKING:
    from contracts.grade import RunResult
    from evaluation.regrading import Flip

_Runs = Annotated[list[Path], typer.Argument(help="Run folders or sweeps.", show_default=False)]
_Truth = Annotated[Path | None, typer.Option(help="truth.json of the world.", show_default=False)]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def grade(runs: _Runs, truth: _Truth = None, json: _Json = False) -> None:
    """Grades stored runs from log and truth alone."""
    from evaluation.errors import EvaluationError
    from evaluation.regrading import regrade as grade_again
    from evaluation.runs import find_runs, read_run

    try:
        folders = find_runs(runs)
        grade_again(folders, truth)
        results = [read_run(folder).result for folder in folders]
    except EvaluationError as error:
        stop(ExitCode.WRONG_USE, str(error))
    if json:
        print_json(json_runs(results))
    else:
        print_leaderboard(folders)
    if any(result.reward is None for result in results):
        raise SystemExit(int(ExitCode.FAILED_CHECK))


def regrade(
    runs: _Runs,
    truth: _Truth = None,
    keep: Annotated[bool, typer.Option("--keep", help="Show flips only, leave the stored grades.")] = False,
    json: _Json = False,
) -> None:
    """Grades stored runs again and shows what flipped."""
    from evaluation.errors import EvaluationError
    from evaluation.regrading import regrade as grade_again
    from evaluation.runs import find_runs

    try:
        regraded = grade_again(find_runs(runs), truth, write=not keep)
    except EvaluationError as error:
        stop(ExitCode.WRONG_USE, str(error))
    flips = [flip for run in regraded for flip in run.flips]
    if json:
        print_json({**json_runs([run.result for run in regraded]), "flips": [_json_flip(f) for f in flips]})
        return
    if not flips:
        output.print(f"{len(regraded)} runs graded again: nothing flipped", highlight=False)
        return
    table = Table("run", "what", "before", "after", title=f"{len(flips)} flips", title_justify="left")
    for flip in flips:
        table.add_row(flip.folder.name, flip.what, flip.before, flip.after)
    output.print(table)


def report(
    runs: _Runs,
    out: Annotated[Path | None, typer.Option("-o", "--output", help="Folder of the pages.")] = None,
    json: _Json = False,
) -> None:
    """Writes the leaderboard and a page per run as static HTML."""
    from evaluation.errors import EvaluationError
    from evaluation.reporting import write_report
    from evaluation.runs import find_runs

    try:
        folders = find_runs(runs)
        page = write_report(folders, out or runs[0] / "report")
    except EvaluationError as error:
        stop(ExitCode.WRONG_USE, str(error))
    if json:
        print_json({"page": str(page), "runs": len(folders)})
    else:
        output.print(f"{len(folders)} runs: {page}", highlight=False, markup=False, soft_wrap=True)


def json_runs(results: Sequence[RunResult]) -> dict[str, Any]:
    """Returns the object that `run` and `grade` print."""
    return {"runs": [result.model_dump(mode="json") for result in results]}


def print_leaderboard(folders: Sequence[Path]) -> None:
    """Prints ranks, rewards per seed, means and meetings."""
    from evaluation.leaderboard import boards_of
    from evaluation.pages import dollars, two, whole
    from evaluation.runs import read_run

    for board in boards_of([read_run(folder) for folder in folders]):
        title = f"{board.environment}, {board.level}"
        table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
        priced = any(row.cost_usd is not None for row in board.rows)
        table.add_column("#", justify="right")
        table.add_column("agent", overflow="fold", min_width=26)
        for column in (
            *(f"seed {seed}" for seed in board.seeds),
            "mean",
            "met",
            "min",
            *["cost"] * priced,
        ):
            table.add_column(column, justify="right", no_wrap=True)
        for row in board.rows:
            cells = []
            for cell in (row.cells[seed] for seed in board.seeds):
                mark = (
                    "gate"
                    if cell.failed_gates
                    else "none"
                    if cell.ungraded
                    else "✓"
                    if cell.all_booked
                    else ""
                )
                cells.append(f"{two(cell.reward)} {mark}".strip())
            figures = (two(row.mean), f"{row.meetings}/{row.meetings_due}")
            cost = [dollars(row.cost_usd)] if priced else []
            table.add_row(str(row.rank), row.name, *cells, *figures, whole(row.minutes), *cost)
        output.print(table)
        if not board.same_worlds:
            output.print("world hashes differ between agents: do not compare them", style="red")


def _json_flip(flip: Flip) -> dict[str, str]:
    return {"run": flip.folder.name, "what": flip.what, "before": flip.before, "after": flip.after}
