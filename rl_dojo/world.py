"""`rl-dojo world`: one world from a template and a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rl_dojo.faults import told
from rl_dojo.inputs import require_environment
from rl_dojo.terminal import ExitCode, print_json, say, stop


def world(
    env: Annotated[Path, typer.Argument(help="Folder of an environment.", show_default=False)],
    seed: Annotated[int, typer.Option(help="Seed of the world.", min=0, show_default=False)],
    out: Annotated[Path, typer.Option("-o", "--output", help="Folder to build into.", show_default=False)],
    level: Annotated[str, typer.Option(help="Level of the template.")] = "standard",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Builds one world: what the agent sees, what drives it and, apart, the truth."""
    from evaluation.seeds import Seed
    from evaluation.sweeping import build_world, forget_keys
    from worldgen.errors import WorldError

    forget_keys()
    require_environment(env)
    try:
        bundle = build_world(env, Seed(str(seed), seed), level, out)
    except WorldError as error:
        stop(ExitCode.WRONG_USE, told(error))
    card = {
        "environment": bundle.environment,
        "seed": bundle.seed,
        "level": bundle.level,
        "world_hash": bundle.world_hash,
    }
    if json:
        print_json(card)
        return
    visible = bundle.visible
    say(
        f"{bundle.environment} seed {seed} {level}: {len(visible.accounts)} accounts, "
        f"{len(visible.mails)} mails, {len(visible.sites)} sites in {out}"
    )
    say(f"world hash {bundle.world_hash}")
