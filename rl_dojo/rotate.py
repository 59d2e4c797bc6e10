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
    reseal: Annotated[
        bool,
        typer.Option(
            "--reseal", help="Write vault and raw tables under new data keys too: no former copy opens them."
        ),
    ] = False,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Puts a dataset's keys under another key file; the present one no longer opens it."""
    from pipeline.custody import rotate as rewrap

    with opened(home, name, reason) as held:
        written = rewrap(held, new_key_file, reason, reseal=reseal)
    if json:
        print_json({"dataset": name, "rotated": True, "resealed": reseal, "written": written})
        return
    say(f"{name} opens with {new_key_file} only: set RL_DOJO_KEY_FILE to it")
    if reseal:
        count = sum(written.values())
        say(f"{count:,} files are written under new data keys: what the former key opened is not there now")
        say("surrogates stay, and with them what the former key told of them: a new dataset name breaks that")
        return
    say(
        "the former key still opens this with an old copy of vault/keys.bin: destroy both, or use --reseal "
        "to write everything under new data keys"
    )
