"""`rl-dojo onboard`: an archive to a company model, with a bar per stage and a table of counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rl_dojo.terminal import ExitCode, Stages, errors, output, print_json, stop

if TYPE_CHECKING:
    from pipeline.onboarding import OnboardResult


def onboard(
    dataset: Annotated[
        Path, typer.Argument(help="A manifest dataset.yaml, or the folder that holds it.", show_default=False)
    ],
    name: Annotated[
        str | None, typer.Option(help="Another dataset name than the manifest's.", show_default=False)
    ] = None,
    home: Annotated[Path, typer.Option(envvar="RL_DOJO_HOME", help="State folder.")] = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Reads, pseudonymises, audits and understands a company's archive."""
    # Loaded here: Dagster takes seconds that `--help` and other commands should not pay.
    from archive.home import DatasetHome
    from evaluation.archive_report import write_onboard_report
    from pipeline.errors import OnboardFailed, OnboardRefused
    from pipeline.onboarding import onboard as run

    try:
        with Stages() as stages:
            result = run(home, dataset, name, stages, lambda text: errors.print(text, markup=False))
    except OnboardRefused as error:
        stop(ExitCode.WRONG_USE, str(error))
    except OnboardFailed as error:
        stop(ExitCode.FAILED_CHECK, str(error))
    page = write_onboard_report(DatasetHome(home, result.dataset))
    if json:
        print_json(result.to_json())
    else:
        _print_tables(result, home)
        output.print(f"report: {page}", highlight=False, markup=False, soft_wrap=True)


def _print_tables(result: OnboardResult, home: Path) -> None:
    columns = ("read", "kept", "duplicates", "quarantined")
    sources = Table("source", title=f"dataset {result.dataset}", title_justify="left")
    for column in columns:
        sources.add_column(column, justify="right")
    for source in result.sources:
        sources.add_row(source["name"], *(f"{source[column]:,}" for column in columns))
    output.print(sources)
    found = Table("found", "n", show_header=False)
    entities = ", ".join(f"{count:,} {kind}" for kind, count in result.entities.items() if count)
    found.add_row("entities", entities)
    found.add_row("leaks", str(result.leaks))
    found.add_row("cases", f"{result.cases:,}")
    for rule in result.rules:
        exceptions = len(rule["exceptions"])
        found.add_row(
            "rule",
            f"{rule['condition']} (support {rule['support']}, confidence {rule['confidence']:.1%}, "
            f"exceptions {exceptions})",
        )
    found.add_row("outcomes", ", ".join(f"{key} {count:,}" for key, count in result.outcomes.items()))
    output.print(found)
    output.print(f"{home / 'datasets' / result.dataset} in {result.seconds:.0f} s", highlight=False)
