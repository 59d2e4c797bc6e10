"""`rl-dojo export`: the clean archive of a dataset in its original formats, ready for any other tool."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rl_dojo.faults import told
from rl_dojo.inputs import Home
from rl_dojo.terminal import ExitCode, Stages, notice, output, print_json, say, stop

if TYPE_CHECKING:
    from archive.export import ExportReport


def export(
    name: Annotated[str, typer.Argument(help="Name of an onboarded dataset.", show_default=False)],
    to: Annotated[Path, typer.Option("--to", help="New folder for the clean archive.", show_default=False)],
    home: Home = Path(".rl-dojo"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Writes the clean archive in its original formats, with a manifest that onboards it again."""
    # Loaded here: the key is found by what Dagster's resources use, which takes seconds to load.
    from anonymize.clean_archive import ExportLeaks, export_clean_archive
    from anonymize.errors import AnonymizeError
    from archive.errors import ArchiveError
    from archive.home import DatasetHome
    from archive.loading import load_manifest
    from pipeline.errors import OnboardRefused
    from pipeline.resources import dataset_key

    try:
        kept = DatasetHome(home.resolve(), name)
        if not kept.manifest_path.is_file():
            stop(ExitCode.WRONG_USE, f"no dataset {name!r} under {home}: onboard it first")
        loaded = load_manifest(kept.manifest_path)
        key = dataset_key(kept, loaded, notice)
        with Stages() as stages:
            report, scan = export_clean_archive(
                kept,
                loaded,
                key,
                to.expanduser(),
                lambda step, done, total: stages("export", step, done, total),
            )
    except ExportLeaks as error:
        stop(ExitCode.FAILED_CHECK, told(error))
    except (ArchiveError, AnonymizeError, OnboardRefused) as error:
        stop(ExitCode.WRONG_USE, told(error))
    if json:
        searched = {"files": scan.files, "bytes": scan.bytes, "forms": scan.forms}
        figures = {"leaks": scan.leaks, "coincidences": scan.coincidences, "searched": searched}
        print_json({**report.to_json(), **figures, "folder": str(to)})
        return
    _print_table(report)
    extent = f"searched {scan.files:,} files, {scan.bytes:,} bytes"
    say(f"{extent}, for {scan.forms:,} real forms: {scan.leaks} found")
    say(f"{to}: onboard it again with `rl-dojo onboard {to} --name OTHER`")


def _print_table(report: ExportReport) -> None:
    table = Table("source", "format", title=f"clean archive of {report.dataset}", title_justify="left")
    for column in ("files", "units", "quarantined"):
        table.add_column(column, justify="right")
    for source in report.sources:
        written = source.written_as
        shown = written if written == source.format else f"{source.format} as {written}"
        table.add_row(source.name, shown, f"{source.files:,}", f"{source.units:,}", f"{source.quarantined:,}")
    output.print(table)
    for source in report.sources:
        if source.quarantined:
            output.print(f"{source.name}: {source.quarantined:,} in quarantine, not exported")
        for what, count in sorted(source.left_out.items()):
            output.print(f"{source.name}: {count:,} {what}")
