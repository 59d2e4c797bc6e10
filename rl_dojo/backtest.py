"""`rl-dojo backtest`: what the company's own reps did, replayed through world and grader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from rl_dojo.faults import told
from rl_dojo.inputs import Home, require_environment
from rl_dojo.terminal import ExitCode, output, print_json, say, stop

if TYPE_CHECKING:
    from archive.home import DatasetHome

_SHOWN = 5
"""Cases named per rule at the terminal; the report lists all."""


def backtest(
    name: Annotated[str, typer.Argument(help="Name of an onboarded dataset.", show_default=False)],
    env: Annotated[
        Path | None,
        typer.Option(
            "--env", help="Folder of the environment; else the one its manifest names.", show_default=False
        ),
    ] = None,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Replays a dataset's archived cases and compares their grades with the recorded outcomes."""
    from archive.errors import ArchiveError
    from archive.home import DatasetHome
    from evaluation.backtest_report import report_of, run_backtest, write_backtest
    from evaluation.errors import EvaluationError

    try:
        dataset = DatasetHome(home, name)
        folder = env or _named_environment(dataset)
        require_environment(folder)
        result = run_backtest(dataset, folder)
        page = write_backtest(result, dataset.reports)
    except (ArchiveError, EvaluationError) as error:
        stop(ExitCode.WRONG_USE, told(error))
    content = report_of(result)
    if json:
        print_json({**content, "page": str(page)})
        return
    _print(content)
    say(f"report: {page}")


def _named_environment(dataset: DatasetHome) -> Path:
    from archive.loading import load_manifest
    from pipeline.resources import PROJECT

    named = load_manifest(dataset.manifest_path).manifest.environment
    if not named:
        stop(
            ExitCode.WRONG_USE,
            f"{dataset.name!r} names no environment: give one, such as --env environments/gtm-outbound",
        )
    return PROJECT / named


def _print(content: dict[str, Any]) -> None:
    from evaluation.backtest_report import COMPARISONS

    say(f"{content['dataset']} in {content['environment']}: {content['replayed']:,} cases replayed")
    table = _table("compared", "n", "agree", "95 %", "kappa", "95 %")
    for name, (title, _, _) in COMPARISONS.items():
        one = content["comparisons"][name]
        kappa = "–" if one["kappa"] is None else f"{one['kappa']:.3f}"
        share = "–" if one["share"] is None else f"{one['share']:.1%}"
        spans = [_span(one["share_interval"]), _span(one["kappa_interval"])]
        table.add_row(title, f"{one['n']:,}", share, spans[0], kappa, spans[1])
    output.print(table)
    ends = content["comparisons"]["end_state"]
    confusion = _table("recorded / replayed", *ends["labels"])
    for label in ends["labels"]:
        confusion.add_row(label, *(f"{ends['confusion'][label][other]:,}" for other in ends["labels"]))
    output.print(confusion)
    rules = _table("rule that decided a disagreement", "cases")
    rules.add_column("which", overflow="fold")
    for rule in content["rules"]:
        more = f" and {rule['n'] - _SHOWN} more" if rule["n"] > _SHOWN else ""
        rules.add_row(rule["rule"], f"{rule['n']:,}", ", ".join(rule["cases"][:_SHOWN]) + more)
    output.print(rules)
    if content["left_out"]:
        say(f"left out: {len(content['left_out']):,} cases, see the report")


def _table(first: str, *figures: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(first, overflow="fold")
    for column in figures:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _span(pair: list[float] | None) -> str:
    return "–" if pair is None else f"{pair[0]:.2f} to {pair[1]:.2f}"
