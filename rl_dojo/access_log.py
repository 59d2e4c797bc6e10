"""`rl-dojo access-log`: who used a dataset's key, when, for what and why."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rl_dojo.custody import Name, opened
from rl_dojo.faults import told
from rl_dojo.inputs import Home
from rl_dojo.terminal import ExitCode, output, print_json, say, stop

if TYPE_CHECKING:
    from anonymize.access_log import Access


def access_log(
    name: Name,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Shows the access log of a dataset once its chain and signatures are verified; the key is needed."""
    closed = _closed(home, name)
    if closed is not None:
        _show(name, closed, json, verified=False)
        return
    from pipeline.custody import accesses

    with opened(home, name) as held:
        found = accesses(held)
    _show(name, found, json, verified=True)


def _closed(home: Path, name: str) -> list[Access] | None:
    """Returns the log of a dataset whose vault was forgotten; None where there is a vault, or no such log."""
    from anonymize.access_log import CLOSED, read_closed_log
    from anonymize.envelope import KEYS_FILE
    from anonymize.errors import VaultError
    from archive.errors import ManifestError
    from archive.home import DatasetHome

    try:
        kept = DatasetHome(home.resolve(), name)
        if (kept.vault / KEYS_FILE).is_file() or not any(kept.vault.glob(CLOSED.format("*"))):
            return None
        return read_closed_log(kept)
    except (ManifestError, VaultError) as error:
        stop(ExitCode.WRONG_USE, told(error))


def _show(name: str, found: list[Access], json: bool, *, verified: bool) -> None:
    if json:
        accesses = [asdict(access) for access in found]
        print_json({"dataset": name, "verified": verified, "closed": not verified, "accesses": accesses})
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
    if verified:
        say(f"{len(found):,} lines, each signed and bound to the one before: none is missing or was edited")
    else:
        say(
            f"{len(found):,} lines of a log that was closed as its vault was forgotten: each is bound to the "
            "one before; signatures cannot be verified, nor reasons read, since their keys are gone"
        )
