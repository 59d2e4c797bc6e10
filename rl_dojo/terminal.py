"""What commands share at the terminal: exit codes, one progress bar per stage, output as JSON or tables.

Belongs here: presentation. Progress and messages go to standard error, results to standard output.
"""

from __future__ import annotations

import io
import json
import sys
from enum import IntEnum
from types import TracebackType
from typing import Any, NoReturn, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from rl_dojo.stopping import stops

# Without markup and highlighting: "[mail]" in a value of a company or a template is text, no style.
errors = Console(stderr=True, markup=False, highlight=False)
"""Standard error, for people."""
output = Console(markup=False, highlight=False)
"""Standard output, for results."""
_BAR = 20
_BESIDE_STEP = 30
"""Width of stage, percentage and time beside a bar."""


class ExitCode(IntEnum):
    """How a command ended."""

    DONE = 0
    FAILED_CHECK = 1
    WRONG_USE = 2
    STOPPED = 130
    """By Ctrl-C, as shells say it."""


def stop(code: ExitCode, message: str) -> NoReturn:
    """Ends the command with one message on standard error."""
    errors.print(f"rl-dojo: {message}", style="red", soft_wrap=True)
    raise SystemExit(int(code))


def say(text: str) -> None:
    """Prints a line of results that no terminal width folds, so that a path in it can be copied."""
    output.print(text, soft_wrap=True)


def notice(text: str) -> None:
    """Prints what a person must know, beside the results."""
    errors.print(text, soft_wrap=True)


def print_json(content: dict[str, Any]) -> None:
    """Prints one JSON object and nothing else on standard output."""
    plain = "utf" not in (sys.stdout.encoding or "").lower()
    sys.stdout.write(json.dumps(content, ensure_ascii=plain, indent=1) + "\n")


def accept_any_text() -> None:
    """Lets a terminal without Unicode show a replacement where it would stop the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class Stages:
    """One bar per stage, added when the stage begins; call it with stage, step, done, total."""

    def __init__(self) -> None:
        """Draws on standard error; a pipe or file gets plain lines, at most one a percent of a stage."""
        self._bars = Progress(
            TextColumn("{task.fields[stage]:<13}"),
            BarColumn(bar_width=_BAR),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=errors,
        )
        self._tasks: dict[str, TaskID] = {}
        self._written: dict[str, tuple[int, str]] = {}
        """Stage -> percentage and step of its last plain line."""

    def __call__(self, stage: str, step: str, done: int, total: int) -> None:
        """Moves the bar of a stage.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed, and whatever ran then has swallowed it.
        """
        stops.check()
        if not errors.is_terminal:
            self._write(stage, step, done, total)
            return
        if not self._tasks:
            self._bars.start()  # not before: a command that is refused at once draws nothing
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task("", stage=stage, total=total)
        # A step is cut to what is left of the line: bars stay bars on a narrow terminal.
        shown = "" if done >= total else step[: max(0, errors.width - _BESIDE_STEP - _BAR)]
        self._bars.update(self._tasks[stage], completed=done, total=total, description=shown)

    def __enter__(self) -> Self:
        """Draws from the first call on."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leaves the bars as they stand; whatever an interruption became, it goes on as one.

        Raises:
            KeyboardInterrupt: the block ended by an interruption, or by what it led to.
        """
        if self._tasks:
            self._bars.stop()
        is_stop = error is not None and not isinstance(error, Exception | SystemExit | GeneratorExit)
        if is_stop or (error is not None and stops.pressed()):
            raise KeyboardInterrupt from None

    def _write(self, stage: str, step: str, done: int, total: int) -> None:
        share = 100 if done >= total else 100 * done // total
        line = (share, "" if share == 100 else step)
        former = self._written.get(stage)
        if former is None or (former[0] != share and former != line):
            self._written[stage] = line
            errors.print(f"{stage:<13} {share:>3} %  {line[1]}".rstrip(), soft_wrap=True)
