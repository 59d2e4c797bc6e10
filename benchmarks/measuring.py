"""One measured piece of work in a process of its own: seconds, peak memory, and what it counted.

Belongs here: the frame of every benchmark. What is measured stands in the benchmarks themselves.
"""

from __future__ import annotations

import json
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
    peak_mb: float
    """Largest resident memory of the process and, apart from it, of its largest child."""
    counted: dict[str, float]


def measure(module: str, work: str, *arguments: str) -> Measured:
    """Returns what `work` of a benchmark module took in a fresh interpreter."""
    command = [sys.executable, "-m", module, "--work", work, *arguments]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{work} failed:\n{done.stderr}")
    content = json.loads(done.stdout.splitlines()[-1])
    return Measured(content["seconds"], content["peak_mb"], content["counted"])


def perform(work: Callable[[], dict[str, float]]) -> None:
    """Does a piece of work in this process and prints its figures for `measure`."""
    started = time.perf_counter()
    counted = work()
    seconds = counted.pop("seconds", time.perf_counter() - started)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak_mb": max(own, child), "counted": counted}))


def table(title: str, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Prints rows under a title, columns aligned."""
    widths = [max(len(row[at]) for row in [header, *rows]) for at in range(len(header))]
    print(f"\n{title}")
    for row in [header, tuple("-" * width for width in widths), *rows]:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
