"""`rl-dojo run`: agents on the same worlds, graded, with a leaderboard at the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rl_dojo.faults import told
from rl_dojo.inputs import Home, chosen_seeds, entrants, require_environment
from rl_dojo.leaderboard import json_runs, print_leaderboard
from rl_dojo.terminal import ExitCode, Stages, print_json, say, stop

if TYPE_CHECKING:
    from evaluation.seeds import Seed
    from evaluation.sweeping import Entrant


def run(
    env: Annotated[Path, typer.Argument(help="Folder of an environment.", show_default=False)],
    agent: Annotated[str, typer.Option(help="Agents, separated by commas.", show_default=False)],
    seeds: Annotated[str, typer.Option(help="Seeds: 1,2,3 or 1-20.", show_default=False)] = "",
    split: Annotated[str, typer.Option(help="Seed split: train, validation, test (hidden).")] = "",
    count: Annotated[
        int | None, typer.Option(help="Seeds of the split; 3 by default.", min=1, show_default=False)
    ] = None,
    model: Annotated[str, typer.Option(help="Models of the agent, separated by commas.")] = "",
    level: Annotated[str, typer.Option(help="Level of the template.")] = "standard",
    repeat: Annotated[int, typer.Option(help="Runs per agent, model and seed.", min=1)] = 1,
    parallel: Annotated[int, typer.Option(help="Shifts played at a time.", min=1)] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Keep runs that are done already.")] = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder of the sweep.", show_default=False)
    ] = None,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Sends agents through shifts and grades what they did."""
    from evaluation.errors import EvaluationError
    from evaluation.reality import recorded_under
    from evaluation.reporting import write_report
    from evaluation.sweeping import forget_keys, run_sweep
    from worldgen.errors import WorldError

    require_environment(env)
    try:
        chosen = chosen_seeds(env, seeds, split, count, home)
        forget_keys()
        entered = entrants(agent, model)
        folder = out or home / "runs" / _sweep_name(env, entered, chosen, level)
        with Stages() as stages:
            results = run_sweep(env, entered, chosen, level, repeat, folder, stages, parallel, resume)
        played = [Path(result.folder) for result in results]
        page = write_report(played, folder / "report", recorded_under(home))
    except (EvaluationError, WorldError) as error:
        stop(ExitCode.WRONG_USE, told(error))
    if json:
        print_json(json_runs(results))
    else:
        print_leaderboard(played)
        say(f"report: {page}")
    if any(result.reward is None for result in results):
        raise SystemExit(int(ExitCode.FAILED_CHECK))


def _sweep_name(env: Path, entered: list[Entrant], seeds: list[Seed], level: str) -> str:
    """Returns a name that the same command gives again, so that a rerun can continue."""
    from contracts.canonical import digest

    asked = [[entrant.agent, entrant.model] for entrant in entered]
    return f"{env.resolve().name}-{digest([asked, [seed.label for seed in seeds], level])[:10]}"
