"""`rl-dojo access-log`: who used a dataset's key, when, for what and why."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from rl_dojo.custody import Name, opened
from rl_dojo.inputs import Home
from rl_dojo.terminal import output, print_json, say


def access_log(
    name: Name,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Shows the access log of a dataset once its chain and signatures are verified; the key is needed."""
    from pipeline.custody import accesses

    with opened(home, name) as held:
        found = accesses(held)
    if json:
        print_json({"dataset": name, "verified": True, "accesses": [asdict(access) for access in found]})
        return
    if not found:
        say(f"nobody has used the key of {name} for anything that is logged")
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for title in ("n", "time (UTC)", "who", "what"):
        table.add_column(title, no_wrap=True)
    table.add_column("counts", overflow="fold")
    table.add_column("why", overflow="fold")
    for access in found:
        counts = ", ".join(f"{count:,} {what}" for what, count in access.counts.items())
        when = access.time.removesuffix("+00:00").replace("T", " ")
        table.add_row(str(access.number), when, access.user, access.action, counts, access.reason)
    output.print(table)
    say(f"{len(found):,} lines, each signed and bound to the one before: none is missing or was edited")
