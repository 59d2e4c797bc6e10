"""What a person gives on the command line, checked before any work starts.

Belongs here: environments, entrants and seeds as commands name them. Does not belong here: work on them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rl_dojo.terminal import ExitCode, stop

if TYPE_CHECKING:
    from evaluation.hidden import HiddenWorlds
    from evaluation.seeds import Seed
    from evaluation.sweeping import Entrant


def _expanded(path: Path) -> Path:
    return path.expanduser()


# A shell leaves "~" in a variable as it is; a folder of that name would surprise.
Home = Annotated[Path, typer.Option(envvar="RL_DOJO_HOME", help="State folder.", callback=_expanded)]
"""The option `--home`."""
HiddenEnv = Annotated[
    Path | None,
    typer.Option(
        "--env", help="Environment of runs with hidden seeds; needs the seed key.", show_default=False
    ),
]
"""The option `--env` of commands on stored runs."""
_WITHOUT_MODEL = ("reference", "noop", "human")
_SCRIPTED = "scripted:"
_DEFAULT_COUNT = 3


def require_environment(env: Path) -> None:
    """Does nothing for the folder of an environment; ends the command for any other path."""
    if not env.is_dir():
        stop(ExitCode.WRONG_USE, f"no folder {env}: give an environment such as environments/gtm-outbound")
    if not (env / "authored").is_dir():
        stop(ExitCode.WRONG_USE, f"{env} is no environment: it has no folder authored/ with the template")


def names(text: str) -> list[str]:
    """Returns the parts of a list with commas, each once."""
    return list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def entrants(agents: str, models: str) -> list[Entrant]:
    """Returns who works the shifts; an agent that uses no language model enters once, without any.

    Raises:
        EvaluationError: no agent, or models that no agent uses.
    """
    from evaluation.errors import EvaluationError
    from evaluation.sweeping import Entrant

    entered: list[Entrant] = []
    brains = names(models)
    for agent in names(agents):
        modelless = agent in _WITHOUT_MODEL or agent.startswith(_SCRIPTED)
        entered += [Entrant(agent, brain) for brain in ([None] if modelless or not brains else brains)]
    if not entered:
        raise EvaluationError("--agent names no agent: try --agent reference,noop")
    if brains and all(entrant.model is None for entrant in entered):
        raise EvaluationError(f"--model {models}: no agent of {agents} uses a model; leave --model out")
    return entered


def chosen_seeds(env: Path, seeds: str, split: str, count: int | None, home: Path) -> list[Seed]:
    """Returns the seeds that are listed, or the first ones of a split.

    Raises:
        EvaluationError: both or none are given, the list is malformed, or the seed key may not be used.
    """
    from evaluation.errors import EvaluationError
    from evaluation.seeds import HIDDEN_SPLIT, public_seeds, split_seeds

    if bool(seeds) == bool(split):
        raise EvaluationError("give either --seeds 1,2,3 or --split train|validation|test with --count N")
    if seeds and count is not None:
        raise EvaluationError("--count belongs to --split: --seeds lists every seed itself")
    if seeds:
        return public_seeds(seeds)
    key = _seed_key(home) if split == HIDDEN_SPLIT else None
    return split_seeds(env.resolve().name, split, count or _DEFAULT_COUNT, key)


def hidden_worlds(env: Path | None, home: Path) -> HiddenWorlds | None:
    """Returns what makes the worlds of hidden seeds again, None where no environment or no key is given.

    Raises:
        EvaluationError: the seed key may not be used.
    """
    from evaluation.hidden import HiddenWorlds
    from evaluation.sweeping import forget_keys

    if env is None:
        return None
    require_environment(env)
    key = _seed_key(home)
    forget_keys()
    return None if key is None else HiddenWorlds(env, key)


def _seed_key(home: Path) -> bytes | None:
    """Returns the seed key, kept as strictly as the other key: for one user only, never with the data."""
    from evaluation.errors import EvaluationError
    from evaluation.seeds import SEED_KEY_VARIABLE, read_seed_key

    named = os.environ.get(SEED_KEY_VARIABLE)
    if not named:
        return None
    path = Path(named).expanduser()
    if path.resolve().is_relative_to(home.resolve()):
        raise EvaluationError(f"the seed key file {path.name} lies inside the state folder: keep them apart")
    if path.is_file() and path.stat().st_mode & 0o077:
        raise EvaluationError(f"the seed key file {path.name} is open to other users: run chmod 600 on it")
    return read_seed_key(path)
