"""`rl-dojo erase`: one person out of raw tables, vault, clean tables and model, and out of later batches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rl_dojo.custody import Name, Reason, opened
from rl_dojo.inputs import Home
from rl_dojo.terminal import Stages, notice, print_json, say


def erase(
    name: Name,
    person: Annotated[
        str,
        typer.Option(help="Full name, mail address or login, real or surrogate.", show_default=False),
    ],
    reason: Reason,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Erases a person: their mails leave, their cells are emptied, mentions in text are blotted out."""
    from evaluation.archive_report import write_onboard_report
    from pipeline.custody import content, told_templates
    from pipeline.custody import erase as take_out

    with opened(home, name, reason) as held:
        with Stages() as stages:
            taken = take_out(held, person, reason, stages, notice)
        write_onboard_report(held.home)
    if json:
        print_json({"dataset": name, **content(taken)})
        return
    for table, count in taken.withheld.rows.items():
        say(f"{table}: {count:,} rows taken out")
    for table, count in taken.withheld.cells.items():
        say(f"{table}: {count:,} cells emptied or blotted out")
    say("clean tables and model are rebuilt; the source files are the company's own to correct")
    for line in told_templates(taken.templates):
        say(line)
