"""`rl-dojo reveal`: the map from real forms to surrogates, for who holds the key and has a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rl_dojo.custody import Name, Reason, opened
from rl_dojo.inputs import Home
from rl_dojo.terminal import print_json, say


def reveal(
    name: Name,
    reason: Reason,
    to: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File for the map (CSV, mode 0600).", show_default=False),
    ] = None,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Writes which surrogate stands for whom; without -o it only counts, as names belong on no terminal."""
    from pipeline.custody import reveal as write

    with opened(home, name, reason) as held:
        counts = write(held, reason, to)
    if json:
        print_json({"dataset": name, "file": None if to is None else str(to), "forms": counts})
        return
    say("pairs of real and surrogate, by kind")
    for kind, count in counts.items():
        say(f"{count:>9,}  {kind.replace('_', ' ')}")
    say(f"map: {to}" if to is not None else "nothing was written: real names go to a file only (-o map.csv)")
