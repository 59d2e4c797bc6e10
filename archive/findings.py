"""What `inspect` found, for people and programs: sources with reasons, files without place, things to check.

Belongs here: the form of the report. Does not belong here: how anything was found out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from archive.sniffing import FileGuess, Verdict
from contracts.manifest import Manifest


class Check(NamedTuple):
    """A proposal that a person should look at."""

    where: str
    """"company.currency", "crm.accounts.revenue", "mail"."""
    what: str
    """What was proposed."""
    why: str
    """What speaks for it and what against."""


class SourceFinding(NamedTuple):
    """What a source of the draft was taken for, and why."""

    name: str
    kind: str
    format: str
    path: str
    preset: str | None
    files: int
    rows_sampled: int
    confidence: float
    why: str


class Unplaced(NamedTuple):
    """A file, or some of one folder, that no source covers, with the reason."""

    path: str
    reason: str


@dataclass(frozen=True)
class Draft:
    """A drafted manifest with all that was found on the way to it."""

    manifest: Manifest
    sources: tuple[SourceFinding, ...]
    unplaced: tuple[Unplaced, ...]
    not_data: tuple[Unplaced, ...]
    checks: tuple[Check, ...]
    notes: Mapping[str, str]
    """Place in the manifest -> what speaks for a proposal that needs no check."""

    def at(self, base: str) -> Draft:
        """Returns this draft for a manifest that lies elsewhere than the archive."""
        return replace(self, manifest=self.manifest.model_copy(update={"base": base}))

    def to_json(self, folder: str, path: str) -> dict[str, Any]:
        """Returns the report as `--json` prints it."""
        return {
            "folder": folder,
            "sources": [source._asdict() for source in self.sources],
            "unplaced": [entry._asdict() for entry in self.unplaced],
            "not_data": [entry._asdict() for entry in self.not_data],
            "checks": [check._asdict() for check in self.checks],
            "manifest": path,
        }


def left_out(guesses: list[FileGuess], verdict: Verdict) -> tuple[Unplaced, ...]:
    """Returns the files of a verdict, by path."""
    chosen = (guess for guess in guesses if guess.verdict is verdict)
    return tuple(Unplaced(guess.path, guess.why) for guess in sorted(chosen, key=lambda guess: guess.path))


def in_brief(entries: tuple[Unplaced, ...], most: int = 12) -> list[str]:
    """Returns lines for a terminal: files of one folder and reason together, the most frequent first."""
    counted: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], str] = {}
    for entry in entries:
        key = (PurePosixPath(entry.path).parent.as_posix(), entry.reason)
        counted[key] += 1
        example.setdefault(key, entry.path)
    lines = []
    for key, count in counted.most_common(most):
        place, reason = key
        shown = (
            example[key] if count == 1 else f"{count:,} files in {'the folder' if place == '.' else place}"
        )
        lines.append(f"{shown}: {reason}")
    if len(counted) > most:
        lines.append(f"and {len(counted) - most} more kinds: --json lists all")
    return lines
