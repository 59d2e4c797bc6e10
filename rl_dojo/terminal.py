"""What commands share at the terminal: exit codes, one progress bar per stage, output as JSON or tables.

Belongs here: presentation. Progress and messages go to standard error, results to standard output.
"""

from __future__ import annotations

import json
import sys
from enum import IntEnum
from types import TracebackType
from typing import Any, NoReturn, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

errors = Console(stderr=True)
"""Standard error, for people."""
output = Console()
"""Standard output, for results."""


class ExitCode(IntEnum):
    """How a command ended."""

    DONE = 0
    FAILED_CHECK = 1
    WRONG_USE = 2


def stop(code: ExitCode, message: str) -> NoReturn:
    """Ends the command with one message on standard error."""
    errors.print(f"rl-dojo: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    raise SystemExit(int(code))


def print_json(content: dict[str, Any]) -> None:
    """Prints one JSON object and nothing else on standard output."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


class Stages:
    """One bar per stage, added when the stage begins; call it with stage, step, done, total."""

    def __init__(self) -> None:
        """Draws on standard error; a pipe gets no bars, only the finished lines."""
        self._bars = Progress(
            TextColumn("{task.fields[stage]:<13}"),
            BarColumn(bar_width=30),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=errors,
        )
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, stage: str, step: str, done: int, total: int) -> None:
        """Moves the bar of a stage."""
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task("", stage=stage, total=total)
        finished = done >= total
        self._bars.update(
            self._tasks[stage], completed=done, total=total, description="" if finished else step
        )

    def __enter__(self) -> Self:
        """Starts drawing."""
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leaves the bars as they stand."""
        self._bars.stop()
