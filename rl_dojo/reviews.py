"""`rl-dojo reviews`: pairs that may be one person or company, and the verdicts of reviewers on them."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_dojo.custody import Name, opened
from rl_dojo.inputs import Home
from rl_dojo.terminal import ExitCode, print_json, say, stop

if TYPE_CHECKING:
    from anonymize.reviews import ReviewItem
    from pipeline.custody import Custody

_LISTED = "the queue without names"


class Said(StrEnum):
    """What a reviewer may say of a pair."""

    SAME = "same"
    DIFFERENT = "different"


def reviews(
    name: Name,
    show: Annotated[bool, typer.Option("--show", help="Show real names; needs --reason.")] = False,
    reason: Annotated[str, typer.Option(help="Why names are shown; it stands in the access log.")] = "",
    verdict: Annotated[
        tuple[str, Said] | None,
        typer.Option(metavar="ID same|different", help="Give a verdict; needs --by.", show_default=False),
    ] = None,
    by: Annotated[str, typer.Option(help="Who gives the verdict.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="Pairs that are listed, the likeliest first.")] = 50,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Lists pairs of entities in doubt, or keeps a verdict, which counts from the next onboarding on."""
    if show and not reason.strip():
        stop(ExitCode.WRONG_USE, "--show prints real names: give --reason, it stands in the access log")
    with opened(home, name, reason or _LISTED) as held:
        if verdict is not None:
            _judge(held, verdict[0], verdict[1], by, json)
        else:
            _list(held, reason if show else "", limit, json)


def _judge(held: Custody, ident: str, said: Said, by: str, json: bool) -> None:
    from anonymize.access_log import record_access
    from anonymize.reviews import give_verdict, review_id
    from anonymize.vault import Vault

    today = datetime.now(UTC).date().isoformat()
    new = give_verdict(
        Vault(held.home.vault, held.key), held.key, ident, same=said is Said.SAME, by=by, on=today
    )
    record_access(held.home, held.key, "verdict", f"{said} by {new.by}", {"pairs": 1})
    if json:
        print_json({"id": review_id(held.key, *new.pair), "verdict": said.value, "by": new.by, "on": new.on})
    else:
        say(
            f"{review_id(held.key, *new.pair)}: {said}; it counts from the next onboarding of this dataset on"
        )


def _list(held: Custody, reason: str, limit: int, json: bool) -> None:
    from anonymize.access_log import record_access
    from anonymize.pseudonymize import registry_of
    from anonymize.reviews import named, review_items
    from anonymize.vault import Vault

    vault = Vault(held.home.vault, held.key)
    items = review_items(vault, held.key)
    shown = items[:limit]
    rows = [_row(item) for item in shown]
    if reason:
        registry = registry_of(vault)
        record_access(held.home, held.key, "review", reason, {"pairs": len(shown)})
        for row, item in zip(rows, shown, strict=True):
            pair = item.pair
            row |= {"one": named(pair[0], registry), "other": named(pair[1], registry)}
    if json:
        print_json({"dataset": held.home.name, "pairs": len(items), "shown": rows})
        return
    say(f"{len(items):,} pairs of {held.home.name}")
    for row in rows:
        _print_pair(row)
    if len(items) > len(shown):
        say(f"{len(items) - len(shown):,} more: --limit")


def _print_pair(row: dict[str, Any]) -> None:
    """Prints a pair as a block, its two sides below each other and whole: they differ somewhere."""
    verdict = f", {row['verdict']} ({row['by']})" if row["verdict"] else ""
    say("")
    say(f"{row['id']}  {row['reason']}, confidence {row['confidence']}{verdict}")
    for side in ("one", "other"):
        if side in row:
            say(f"  {side:<6}{row[side]}")


def _row(item: ReviewItem) -> dict[str, Any]:
    said = "" if item.verdict is None else Said.SAME.value if item.verdict.same else Said.DIFFERENT.value
    by = "" if item.verdict is None else f"{item.verdict.by}, {item.verdict.on}"
    return {"id": item.ident, "reason": item.reason, "confidence": item.confidence, "verdict": said, "by": by}
