"""`rl-dojo inspect`: an unknown folder to a drafted manifest and the questions that are open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from rl_dojo.terminal import ExitCode, Stages, notice, output, print_json, say, stop

if TYPE_CHECKING:
    from archive.findings import Check, Draft

_MOST_CHECKS = 40


def inspect(
    folder: Annotated[
        Path, typer.Argument(help="A folder with whatever the company handed over.", show_default=False)
    ],
    to: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Manifest to write; dataset.yaml where you are by default.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing manifest.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Looks at an unknown archive and drafts its manifest dataset.yaml."""
    # Loaded here: polars and the readers take time that `--help` and other commands should not pay.
    from archive.draft_text import draft_text
    from archive.drafting import draft_folder, slug
    from archive.store import replace_file

    target = _target(folder, to, force)
    name = slug(folder.resolve().name) or "dataset"
    with Stages() as stages:
        draft = draft_folder(folder, name, stages)
    if not draft.sources:
        told = "; ".join(f"{entry.path}: {entry.reason}" for entry in draft.unplaced[:3])
        stop(
            ExitCode.WRONG_USE,
            f"{folder} holds nothing that any reader knows"
            + (f" ({told})" if told else "")
            + ": unpack archives, or give the folder with the exports",
        )
    base = _base(folder, target)
    if base is not None:
        draft = draft.at(base)
    replace_file(target, draft_text(draft).encode(), private=True)  # it names the company
    if json:
        print_json(draft.to_json(str(folder), str(target)))
    else:
        _print(draft)
        say(f"draft: {target}")
        notice(f"next: read the lines '# check:' in it, then rl-dojo onboard {target}")


def _target(folder: Path, to: Path | None, force: bool) -> Path:
    """Returns the file to write; ends the command where folder or file cannot be used."""
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "does not exist"
        stop(ExitCode.WRONG_USE, f"{folder} {what}: give the folder that holds the exports")
    if not any(folder.iterdir()):
        stop(ExitCode.WRONG_USE, f"{folder} is empty: put the exports there first")
    target = to or Path("dataset.yaml")
    target = target / "dataset.yaml" if target.is_dir() else target
    if not target.parent.is_dir():
        stop(ExitCode.WRONG_USE, f"no folder {target.parent}: make it first")
    if target.exists() and not force:
        stop(ExitCode.WRONG_USE, f"{target} exists: give another path with -o, or --force to write over it")
    return target


def _base(folder: Path, target: Path) -> str | None:
    """Returns the manifest's base folder: relative where the manifest lies above or beside the archive."""
    place, archive = target.parent.resolve(), folder.resolve()
    if archive == place:
        return None
    if archive.is_relative_to(place):
        return archive.relative_to(place).as_posix()
    return str(archive)


def _print(draft: Draft) -> None:
    from archive.findings import in_brief

    sources = Table("source", "kind", "format", title=f"draft of {draft.manifest.name}", title_justify="left")
    for column in ("files", "rows seen", "sure"):
        sources.add_column(column, justify="right", no_wrap=True)
    for source in draft.sources:
        sources.add_row(
            source.name,
            source.kind,
            source.format + (f" ({source.preset})" if source.preset else ""),
            f"{source.files:,}",
            f"{source.rows_sampled:,}",
            f"{source.confidence:.0%}",
        )
    output.print(sources)
    for source in draft.sources:
        say(f"{source.name} ({source.path}): {source.why}")
    _print_checks(draft.checks)
    for title, entries in (("not placed", draft.unplaced), ("not data", draft.not_data)):
        if entries:
            say(f"{title}: {len(entries):,} {'file' if len(entries) == 1 else 'files'}")
            for line in in_brief(entries):
                say(f"  {line}")


def _print_checks(checks: tuple[Check, ...]) -> None:
    """Lists what a person should look at; what is said of many columns is said once."""
    columns: dict[str, list[Check]] = {}
    for check in checks:
        columns.setdefault(check.why, []).append(check)
    if checks:
        say(f"to check: {len(checks):,} {'proposal' if len(checks) == 1 else 'proposals'}")
    for shown, (why, alike) in enumerate(columns.items()):
        if shown == _MOST_CHECKS:
            say(f"  and {len(columns) - shown} more: they stand in the draft as lines '# check:'")
            break
        first = alike[0]
        more = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
        say(f"  {first.where}{more}: {first.what}: {why}")
