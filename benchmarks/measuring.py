"""One measured piece of work in a process of its own: seconds, peak memory, and what it counted.

Belongs here: the frame of every benchmark. What is measured stands in the benchmarks themselves.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[1]


class Measured(NamedTuple):
    """What a piece of work took."""

    seconds: float
    """By the clock on the wall."""
    cpu: float
    """Of all cores and child processes: what counts where others use the machine as well."""
    peak_mb: float
    """Largest resident memory of the process or, apart from it, of its largest child."""
    counted: dict[str, float]


class Watch:
    """Seconds since it was made."""

    def __init__(self) -> None:
        """Starts."""
        self._wall, self._cpu = time.perf_counter(), _cpu()

    def read(self) -> tuple[float, float]:
        """Returns seconds on the wall and of processors."""
        return time.perf_counter() - self._wall, _cpu() - self._cpu


def measure(module: str, work: str, *arguments: str) -> Measured:
    """Returns what `work` of a benchmark module took in a fresh interpreter."""
    command = [sys.executable, "-m", module, "--work", work, *arguments]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{work} failed:\n{done.stderr}")
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def perform(work: Callable[[], dict[str, float]]) -> None:
    """Does a piece of work in this process and prints its figures for `measure`.

    Work whose beginning does not count returns the "seconds" and "cpu" of the rest.
    """
    watch = Watch()
    counted = work()
    seconds, cpu = watch.read()
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    found = Measured(counted.pop("seconds", seconds), counted.pop("cpu", cpu), max(own, child), counted)
    print(json.dumps(found._asdict()))


def table(title: str, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Prints rows under a title, columns aligned."""
    widths = [max(len(row[at]) for row in [header, *rows]) for at in range(len(header))]
    print(f"\n{title}")
    for row in [header, tuple("-" * width for width in widths), *rows]:
        cells = (
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  " + "  ".join(cells).rstrip(), flush=True)


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
