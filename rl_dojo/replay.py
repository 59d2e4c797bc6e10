"""`rl-dojo replay`: stored runs played again from their actions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rl_dojo.faults import told
from rl_dojo.inputs import HiddenEnv, Home, hidden_worlds
from rl_dojo.terminal import ExitCode, print_json, say, stop


def replay(
    runs: Annotated[list[Path], typer.Argument(help="Run folders or sweeps.", show_default=False)],
    world: Annotated[
        Path | None, typer.Option(help="Folder of the world; the one beside the runs.", show_default=False)
    ] = None,
    env: HiddenEnv = None,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Plays stored runs again and says whether log and grade come out equal."""
    from evaluation.errors import EvaluationError
    from evaluation.replaying import replay_run
    from evaluation.runs import find_runs

    try:
        hidden = hidden_worlds(env, home)
        replayed = [replay_run(folder, world, hidden) for folder in find_runs(runs)]
    except EvaluationError as error:
        stop(ExitCode.WRONG_USE, told(error))
    if json:
        print_json(
            {
                "runs": [
                    {
                        "run": found.run.folder.name,
                        "log_sha256": found.log_sha256,
                        "log_equal": found.log_equal,
                        "grade_equal": found.grade_equal,
                        "reward": found.grade.reward,
                    }
                    for found in replayed
                ]
            }
        )
    else:
        for found in replayed:
            grade = "no grade stored" if found.grade_equal is None else f"grade {_word(found.grade_equal)}"
            say(f"{found.run.folder.name}: log {_word(found.log_equal)} ({found.log_sha256[:16]}), {grade}")
    if not all(found.equal for found in replayed):
        raise SystemExit(int(ExitCode.FAILED_CHECK))


def _word(equal: bool) -> str:
    return "equal" if equal else "differs"
