"""`rl-dojo forget`: raw data and, where asked, what links surrogates to anybody."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from rl_dojo.custody import Name, Reason, opened
from rl_dojo.inputs import Home
from rl_dojo.terminal import ExitCode, Stages, notice, print_json, say, stop


def forget(
    name: Name,
    reason: Reason,
    raw: Annotated[bool, typer.Option("--raw", help="Drop all raw tables.")] = False,
    vault: Annotated[
        bool, typer.Option("--vault", help="With --raw: drop the vault too, so that nothing links back.")
    ] = False,
    expired: Annotated[
        bool, typer.Option("--expired", help="Drop raw rows older than their source may be kept.")
    ] = False,
    today: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="With --expired: the day to count from.", show_default=False),
    ] = None,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Drops raw data (--raw), the vault with it (--raw --vault), or what is past its time (--expired)."""
    if raw == expired or (vault and not raw) or (today is not None) != expired:
        stop(
            ExitCode.WRONG_USE,
            "say what to forget: --raw, --raw --vault, or --expired --today YYYY-MM-DD",
        )
    if today is not None:
        _expire(home, name, reason, today, json=json)
        return
    from pipeline.custody import forget as drop

    with opened(home, name, reason) as held:
        drop(held, reason, vault=vault)
    if json:
        print_json({"dataset": name, "raw": True, "vault": vault})
        return
    say(f"the raw tables of {name} are gone; clean tables and model stay")
    if vault:
        say("the vault is gone: destroy the key file too, and nothing links a surrogate to anybody")


def _expire(home: Path, name: str, reason: str, today: datetime, *, json: bool) -> None:
    from evaluation.archive_report import write_onboard_report
    from pipeline.custody import content, expire, told_templates

    with opened(home, name, reason) as held:
        with Stages() as stages:
            taken = expire(held, today.date(), reason, stages, notice)
        if taken.result is not None:
            write_onboard_report(held.home)
    if json:
        print_json({"dataset": name, **content(taken)})
        return
    for table, count in taken.withheld.rows.items():
        say(f"{table}: {count:,} rows taken out")
    for line in told_templates(taken.templates):
        say(line)
    say(f"{taken.withheld.undated:,} rows without a date stay")
    say("clean tables and model are rebuilt" if taken.result is not None else "nothing was past its time")
