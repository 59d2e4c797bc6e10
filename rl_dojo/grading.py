"""`rl-dojo grade`, `regrade` and `report`: stored runs judged again and shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rl_dojo.faults import told
from rl_dojo.inputs import HiddenEnv, Home, hidden_worlds
from rl_dojo.leaderboard import json_runs, print_leaderboard
from rl_dojo.terminal import ExitCode, errors, output, print_json, say, stop

if TYPE_CHECKING:
    from evaluation.regrading import Flip

_Runs = Annotated[list[Path], typer.Argument(help="Run folders or sweeps.", show_default=False)]
_Truth = Annotated[Path | None, typer.Option(help="truth.json of the world.", show_default=False)]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def grade(
    runs: _Runs,
    truth: _Truth = None,
    env: HiddenEnv = None,
    home: Home = Path(".rl-dojo"),
    json: _Json = False,
) -> None:
    """Grades stored runs from log and truth alone."""
    from evaluation.errors import EvaluationError
    from evaluation.regrading import regrade as grade_again
    from evaluation.runs import find_runs, read_run

    try:
        folders = find_runs(runs)
        grade_again(folders, truth, hidden=hidden_worlds(env, home))
        results = [read_run(folder).result for folder in folders]
    except EvaluationError as error:
        stop(ExitCode.WRONG_USE, told(error))
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
    env: HiddenEnv = None,
    home: Home = Path(".rl-dojo"),
    json: _Json = False,
) -> None:
    """Grades stored runs again and shows what flipped."""
    from evaluation.errors import EvaluationError
    from evaluation.regrading import regrade as grade_again
    from evaluation.runs import find_runs

    try:
        folders = find_runs(runs)
        regraded = grade_again(folders, truth, write=not keep, hidden=hidden_worlds(env, home))
    except EvaluationError as error:
        stop(ExitCode.WRONG_USE, told(error))
    flips = [flip for run in regraded for flip in run.flips]
    judged = {run.run.folder for run in regraded}
    ungraded = [folder.name for folder in folders if folder not in judged]
    if json:
        print_json(
            {
                **json_runs([run.result for run in regraded]),
                "flips": [_json_flip(flip) for flip in flips],
                "ungraded": ungraded,
            }
        )
    else:
        for run in regraded:
            if run.flips:
                say(run.run.folder.name)
                output.print(_flip_table(run.flips))
        say(f"graded again: {_count(len(regraded), 'run')}, {_count(len(flips), 'flip')}")
        for name in ungraded:
            errors.print(f"{name}: ended without a grade, left as it is", style="red", soft_wrap=True)
    if ungraded:
        raise SystemExit(int(ExitCode.FAILED_CHECK))


def report(
    runs: _Runs,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Folder of the pages; report/ of the first path.", show_default=False
        ),
    ] = None,
    home: Home = Path(".rl-dojo"),
    json: _Json = False,
) -> None:
    """Writes the leaderboard and a page per run as static HTML, each account beside the company's own rep."""
    from evaluation.errors import EvaluationError
    from evaluation.reality import recorded_under
    from evaluation.reporting import write_report
    from evaluation.runs import find_runs

    try:
        folders = find_runs(runs)
        page = write_report(folders, out or runs[0] / "report", recorded_under(home))
    except EvaluationError as error:
        stop(ExitCode.WRONG_USE, told(error))
    if json:
        print_json({"page": str(page), "runs": len(folders)})
    else:
        say(f"{_count(len(folders), 'run')}: {page}")


def _flip_table(flips: tuple[Flip, ...]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("what", overflow="fold")
    table.add_column("before", justify="right", no_wrap=True)
    table.add_column("after", justify="right", no_wrap=True)
    for flip in flips:
        table.add_row(flip.what, flip.before, flip.after)
    return table


def _json_flip(flip: Flip) -> dict[str, str]:
    return {"run": flip.folder.name, "what": flip.what, "before": flip.before, "after": flip.after}


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
