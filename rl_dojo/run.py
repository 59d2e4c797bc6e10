"""`rl-dojo run`: agents on the same worlds, graded, with a leaderboard at the end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rl_dojo.grading import json_runs, print_leaderboard
from rl_dojo.terminal import ExitCode, Stages, output, print_json, stop

if TYPE_CHECKING:
    from evaluation.seeds import Seed
    from evaluation.sweeping import Entrant


def run(
    env: Annotated[Path, typer.Argument(help="Folder of an environment.", show_default=False)],
    agent: Annotated[str, typer.Option(help="Agents, separated by commas.", show_default=False)],
    seeds: Annotated[str, typer.Option(help="Seeds: 1,2,3 or 1-20.", show_default=False)] = "",
    split: Annotated[str, typer.Option(help="Seed split: train, validation, test (hidden).")] = "",
    count: Annotated[int, typer.Option(help="Seeds of the split.", min=1)] = 3,
    model: Annotated[str, typer.Option(help="Models of the agent, separated by commas.")] = "",
    level: Annotated[str, typer.Option(help="Level of the template.")] = "standard",
    repeat: Annotated[int, typer.Option(help="Runs per agent, model and seed.", min=1)] = 1,
    parallel: Annotated[int, typer.Option(help="Shifts played at a time.", min=1)] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Keep runs that are done already.")] = False,
    out: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder of the sweep.", show_default=False)
    ] = None,
    home: Annotated[Path, typer.Option(envvar="RL_DOJO_HOME", help="State folder.")] = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Sends agents through shifts and grades what they did."""
    from evaluation.errors import EvaluationError
    from evaluation.reporting import write_report
    from evaluation.sweeping import Entrant, forget_keys, run_sweep
    from worldgen.errors import WorldError

    try:
        chosen = _seeds(env, seeds, split, count)
        forget_keys()
        models: list[str | None] = [*_names(model)] or [None]
        entrants = [Entrant(name, brain) for name in _names(agent) for brain in models]
        folder = out or home / "runs" / _sweep_name(env, entrants, chosen, level)
        with Stages() as stages:
            results = run_sweep(env, entrants, chosen, level, repeat, folder, stages, parallel, resume)
        page = write_report([Path(result.folder) for result in results], folder / "report")
    except (EvaluationError, WorldError) as error:
        stop(ExitCode.WRONG_USE, str(error))
    if json:
        print_json(json_runs(results))
    else:
        print_leaderboard([Path(result.folder) for result in results])
        output.print(f"report: {page}", highlight=False, markup=False, soft_wrap=True)
    if any(result.reward is None for result in results):
        raise SystemExit(int(ExitCode.FAILED_CHECK))


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _seeds(env: Path, seeds: str, split: str, count: int) -> list[Seed]:
    from evaluation.errors import EvaluationError
    from evaluation.seeds import HIDDEN_SPLIT, SEED_KEY_VARIABLE, public_seeds, read_seed_key, split_seeds

    if bool(seeds) == bool(split):
        raise EvaluationError("give either --seeds 1,2,3 or --split train|validation|test with --count N")
    if seeds:
        return public_seeds(seeds)
    key_file = os.environ.get(SEED_KEY_VARIABLE)
    key = read_seed_key(Path(key_file)) if key_file and split == HIDDEN_SPLIT else None
    return split_seeds(env.resolve().name, split, count, key)


def _sweep_name(env: Path, entrants: list[Entrant], seeds: list[Seed], level: str) -> str:
    """Returns a name that the same command gives again, so that a rerun can continue."""
    from contracts.canonical import digest

    asked = [[entrant.agent, entrant.model] for entrant in entrants]
    return f"{env.resolve().name}-{digest([asked, [seed.label for seed in seeds], level])[:10]}"
