"""What `rl-dojo onboard --explain` prints: clean text with its replacements marked, and why each was made."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from rl_dojo.faults import told
from rl_dojo.terminal import ExitCode, notice, output, print_json, say, stop

if TYPE_CHECKING:
    from anonymize.explaining import CellStory, Story


def onboarded_name(home: Path, dataset: Path, name: str | None) -> str | None:
    """Returns the name of a dataset whose clean or audited pending tables are there; None for no such.

    What is given may be its name, also where a folder without a manifest is called the same.
    """
    from anonymize.explaining import is_blocked
    from archive.errors import ArchiveError
    from archive.home import DatasetHome
    from archive.loading import MANIFEST, load_manifest
    from contracts.manifest import NAME_PATTERN

    def is_there(called: str) -> bool:
        kept = DatasetHome(home, called)
        return (kept.clean.is_dir() or is_blocked(kept)) and kept.manifest_path.is_file()

    try:
        called = name or str(dataset)
        if name is None and dataset.exists():
            has_manifest = dataset.is_file() or (dataset / MANIFEST).is_file()
            if has_manifest or not (NAME_PATTERN.fullmatch(called) and is_there(called)):
                called = load_manifest(dataset).manifest.name
        return called if is_there(called) else None
    except ArchiveError as error:
        stop(ExitCode.WRONG_USE, told(error))


def print_explanation(home: Path, name: str, what: str, json: bool) -> None:
    """Prints the story of a column or message of an onboarded dataset; the key is needed, no reason is."""
    from anonymize.errors import AnonymizeError
    from anonymize.explaining import explain
    from archive.errors import ArchiveError
    from pipeline.custody import custody
    from pipeline.errors import PipelineError

    try:
        held = custody(home, name, notice)
        story = explain(held.home, held.key, what)
    except (AnonymizeError, ArchiveError, PipelineError) as error:
        stop(ExitCode.WRONG_USE, told(error))
    if json:
        print_json(explanation(name, story))
    else:
        _print(story)


def explanation(name: str, story: Story) -> dict[str, Any]:
    """Returns the object that `--explain --json` prints."""
    return {
        "dataset": name,
        "what": story.what,
        "blocked": story.blocked,
        "kind": story.kind,
        "cells": story.cells,
        "touched": story.touched,
        "leaking": story.leaking,
        "replacements": story.counts,
        "texts": [{**asdict(cell), "marked": cell.marked} for cell in story.stories],
    }


def _print(story: Story) -> None:
    if story.blocked:
        say("pending tables that the audit blocks: real names and numbers may stand in them")
    say(f"{story.what} ({story.kind}): {story.cells:,} cells, in {story.touched:,} something was replaced")
    say(", ".join(f"{count:,} {kind}" for kind, count in story.counts.items()) or "nothing was replaced")
    if story.leaking:
        say(f"{story.leaking:,} cells leak: the audit finds them as they were, or a real form in them")
    whole = [cell for cell in story.stories if _is_whole(cell)]
    for cell in story.stories:
        if _is_whole(cell):
            continue
        say("")
        say(f"{'LEAKS ' if cell.leaks else ''}{cell.table} {cell.row} {cell.column}")
        say(cell.marked)
        listed = Counter((one.surrogate, one.kind, one.rule, one.reason) for one in cell.replacements)
        for (surrogate, kind, rule, reason), count in listed.items():
            say(f"  {surrogate}{f' ({count}x)' if count > 1 else ''}: {kind}, {rule}: {reason}")
    if whole:
        say("")
        cells = Table("column", "written whole", "kind", "rule")
        for cell in whole:
            (one,) = cell.replacements
            cells.add_row(f"{cell.table}.{cell.column}", one.surrogate, one.kind, one.rule)
        output.print(cells)


def _is_whole(cell: CellStory) -> bool:
    """Says whether the kind of its column alone explains a cell, which does not leak."""
    return (
        not cell.leaks and len(cell.replacements) == 1 and cell.replacements[0].rule in ("column", "policy")
    )
