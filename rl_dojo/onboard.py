"""`rl-dojo onboard`: an archive to a company model, with a bar per stage and a table of counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rl_dojo.explaining import onboarded_name, print_explanation
from rl_dojo.faults import in_short, told
from rl_dojo.inputs import Home
from rl_dojo.terminal import ExitCode, Stages, notice, output, print_json, say, stop

if TYPE_CHECKING:
    from pipeline.onboarding import OnboardResult


def onboard(
    dataset: Annotated[
        Path, typer.Argument(help="A manifest dataset.yaml, or the folder that holds it.", show_default=False)
    ],
    name: Annotated[
        str | None, typer.Option(help="Another dataset name than the manifest's.", show_default=False)
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN|MESSAGE",
            help="Show what was replaced there and why, in surrogates only; no archive is read twice.",
            show_default=False,
        ),
    ] = None,
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Reads, pseudonymises, audits and understands a company's archive."""
    # Loaded here: Dagster takes seconds that `--help` and other commands should not pay.
    from archive.home import DatasetHome
    from evaluation.archive_report import write_onboard_report
    from pipeline.errors import OnboardFailed, OnboardRefused
    from pipeline.onboarding import onboard as run

    known = onboarded_name(home, dataset, name) if explain is not None else None
    if explain is not None and known is not None:
        print_explanation(home, known, explain, json)
        return
    try:
        with Stages() as stages:
            result = run(home, dataset, name, stages, notice)
    except OnboardRefused as error:
        stop(ExitCode.WRONG_USE, told(error))
    except UnicodeDecodeError as error:
        stop(ExitCode.WRONG_USE, f"{dataset}: a manifest or topic map is {in_short(error)}: save it as UTF-8")
    except OnboardFailed as error:
        stop(ExitCode.FAILED_CHECK, told(error))
    page = write_onboard_report(DatasetHome(home, result.dataset))
    if explain is not None:
        print_explanation(home, result.dataset, explain, json)
    elif json:
        print_json(result.to_json())
    else:
        _print_tables(result, home)
        say(f"report: {page}")


def _print_tables(result: OnboardResult, home: Path) -> None:
    from archive.reasons import REASONS

    columns = ("read", "kept", "duplicates", "quarantined")
    sources = Table("source", title=f"dataset {result.dataset}", title_justify="left")
    for column in columns:
        sources.add_column(column, justify="right")
    for source in result.sources:
        sources.add_row(source["name"], *(f"{source[column]:,}" for column in columns))
    output.print(sources)
    for source in result.sources:
        for reason, count in source["reasons"].items():
            output.print(
                f"{source['name']}: {count:,} in quarantine, {reason}: {REASONS.get(reason, 'see its place')}"
            )
        if source["faults"]:
            told = ", ".join(f"{count:,} {fault}" for fault, count in source["faults"].items())
            total = sum(source["faults"].values())
            output.print(
                f"{source['name']}: attachments whose text was not read, or not all ({total:,}): {told}"
            )
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
    say(f"{home / 'datasets' / result.dataset} in {result.seconds:.0f} s")
