"""`rl-dojo rotate`: another key file for a dataset; surrogates stay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rl_dojo.custody import Name, Reason, opened
from rl_dojo.inputs import Home
from rl_dojo.terminal import print_json, say


def rotate(
    name: Name,
    reason: Reason,
    new_key_file: Annotated[
        Path, typer.Option(help="Key file that opens the dataset from now on.", show_default=False)
    ],
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Puts a dataset's keys under another key file; the present one no longer opens it."""
    from pipeline.custody import rotate as rewrap

    with opened(home, name, reason) as held:
        rewrap(held, new_key_file, reason)
    if json:
        print_json({"dataset": name, "rotated": True})
        return
    say(f"{name} opens with {new_key_file} only: set RL_DOJO_KEY_FILE to it")
    say(
        "destroy the former key file once no other dataset needs it, and old copies of vault/keys.bin with it"
    )
