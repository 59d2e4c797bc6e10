"""Run folders: what a run leaves on disk, read and written.

Belongs here: `{result,grade}.json events.jsonl actions.jsonl` and the truth's place beside the worlds.
Not here: how a run is made (`sweeping`) or shown (`reporting`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from contracts.canonical import CanonicalError, canonical_bytes
from contracts.grade import Grade, RunResult
from contracts.recording import Recording, RecordingError, read_recording, recording_lines
from contracts.shift_events import ShiftEvent, log_lines, read_log
from contracts.world import Truth
from evaluation.errors import EvaluationError

RESULT, GRADE, EVENTS, ACTIONS = "result.json", "grade.json", "events.jsonl", "actions.jsonl"
WORLDS = "worlds"
"""Folder of a sweep that holds its built worlds, truth included; no agent ever sees it."""
_M = TypeVar("_M", bound=BaseModel)
_UNSAFE = r"[^A-Za-z0-9._-]+"


@dataclass(frozen=True)
class Run:
    """A stored run: its result, and its grade where it was graded."""

    folder: Path
    result: RunResult
    grade: Grade | None


def run_name(result: RunResult) -> str:
    """Returns the folder name of a run: environment-agent-model-seed-level-repeat, safe for any disk."""
    parts = (
        result.environment,
        result.agent,
        result.model or "none",
        result.seed_label,
        result.level,
        str(result.repeat),
    )
    return "-".join(re.sub(_UNSAFE, "_", part) for part in parts)


def world_folder(sweep: Path, result: RunResult) -> Path:
    """Returns where a sweep keeps the world of a run, with the truth that its grade needs."""
    return sweep / WORLDS / f"{result.environment}-{result.seed_label}-{result.level}"


def write_bytes(path: Path, data: bytes) -> None:
    """Leaves a file that is either the old one or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.aside")
    aside.write_bytes(data)
    os.replace(aside, path)


def write_log(folder: Path, events: Sequence[ShiftEvent]) -> str:
    """Stores the hash-chained log of a run and returns the SHA-256 of its bytes, for the run's result."""
    lines = b"".join(log_lines(events))
    write_bytes(folder / EVENTS, lines)
    return sha256(lines).hexdigest()


def write_actions(folder: Path, recording: Recording) -> None:
    """Stores the actions that the agent took, as it asked for them, and how it stopped."""
    write_bytes(folder / ACTIONS, b"".join(recording_lines(recording)))


def write_grade(folder: Path, grade: Grade) -> None:
    """Stores a grade in its canonical form."""
    write_bytes(folder / GRADE, canonical_bytes(grade.model_dump(mode="json")) + b"\n")


def write_result(folder: Path, result: RunResult) -> None:
    """Stores a result; the folder is kept by name only, so that a sweep can be moved."""
    stored = result.model_copy(update={"folder": folder.name}).model_dump(mode="json")
    write_bytes(folder / RESULT, json.dumps(stored, indent=1, sort_keys=True).encode() + b"\n")


def result_of(result: RunResult, grade: Grade) -> RunResult:
    """Returns a result with the figures of its grade."""
    return result.model_copy(
        update={
            "end_reason": grade.end_reason,
            "reward": grade.reward,
            "components": {
                name: value / 1_000_000 for name, value in sorted(grade.components_millionths.items())
            },
            "gates": dict(sorted(grade.gates.items())),
            "meetings": grade.meetings,
        }
    )


def find_runs(paths: Iterable[Path]) -> list[Path]:
    """Returns the run folders at or below some paths, each once, by path.

    Raises:
        EvaluationError: a path does not exist or holds no run.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.is_dir():
            raise EvaluationError(f"{path} is no folder: give a run folder or a sweep")
        below = [path] if (path / RESULT).is_file() else sorted(file.parent for file in path.rglob(RESULT))
        if not below:
            raise EvaluationError(f"no run under {path}: a run folder holds {RESULT} (make one: rl-dojo run)")
        found.update((folder.resolve(), folder) for folder in below)
    return sorted(found.values())


def read_run(folder: Path) -> Run:
    """Returns a stored run.

    Raises:
        EvaluationError: a file is missing or is not what its name says.
    """
    result = _read_model(folder / RESULT, RunResult)
    grade = _read_model(folder / GRADE, Grade) if (folder / GRADE).is_file() else None
    return Run(folder, result.model_copy(update={"folder": str(folder)}), grade)


def read_events(run: Run) -> list[ShiftEvent]:
    """Returns the events of a run after checking them; none where no log was kept.

    Raises:
        EvaluationError: the log was cut or edited: its chain is broken, or it is not the one that was stored.
    """
    path = run.folder / EVENTS
    if not path.is_file():
        return []
    stored = path.read_bytes()
    try:
        events = read_log(stored.splitlines(keepends=True))
    except CanonicalError as error:
        raise EvaluationError(f"{path}: {error}") from error
    if run.result.log_sha256 not in ("", sha256(stored).hexdigest()):
        raise EvaluationError(f"{path} is not the log that this run stored: it was cut or edited")
    return events


def read_actions(run: Run) -> Recording:
    """Returns the actions of a run.

    Raises:
        EvaluationError: they are missing or are not what a run stores.
    """
    path = run.folder / ACTIONS
    try:
        return read_recording(path.read_bytes().splitlines())
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror}") from error
    except RecordingError as error:
        raise EvaluationError(f"{path}: {error}") from error


def read_truth(run: Run, given: Path | None = None) -> Truth:
    """Returns the truth of a run: the one given, or the one beside the sweep's worlds.

    Raises:
        EvaluationError: there is none, or it is not the one that belongs to the run's world.
    """
    path = given or world_folder(run.folder.parent, run.result) / "truth.json"
    if not path.is_file():
        raise EvaluationError(f"no truth for {run.folder}: {path} is missing (give it with --truth FILE)")
    truth = _read_model(path, Truth)
    if run.result.truth_sha256 not in ("", truth_digest(truth)):
        raise EvaluationError(f"{path} is not the truth of {run.folder}: another world's, or edited")
    return truth


def truth_digest(truth: Truth) -> str:
    """Returns the SHA-256 of a truth in its canonical form."""
    return sha256(canonical_bytes(truth.model_dump(mode="json"))).hexdigest()


def _read_model(path: Path, model: type[_M]) -> _M:
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise EvaluationError(f"{path} is no {model.__name__}: {place} {first['msg']}") from error
