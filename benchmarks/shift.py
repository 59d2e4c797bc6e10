"""Worlds, shifts and grades: how long each takes and how much memory a world needs.

`python -m benchmarks.shift [--seeds 20] [--repeat 5]`

build: a world from template and seed, the template read before. restored: the world of a folder read from
the disk, checked against its hash and its shift started, as before every episode; the process has restored
one world before. At once: ten processes started as a sweep starts its workers, each with a world of its own,
are let go at the same moment, again and again; each times its own restore from then on, so that the ten share
the cores. reference: its whole shift in simulated time. API steps: one action applied to the core, over the
actions that agents took. pages: one request handed to the web application as a server does. memory: what a
started world adds to a process. grades: a stored log of 400 events read, its chain verified, and graded, in
a process of its own that has graded one log before. Every log is of another world, the four agents taking
turns, and is graded once: no text is read twice but those that an agent wrote twice or that worlds share.
Rates are of processor time. Each row stands beside its aim.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import PROJECT, table
from contracts.shift_events import VIEWS, ShiftEvent, log_lines
from contracts.world import Bundle
from grader.grading import grade_log
from runtime.agents.registry import agent_named
from runtime.core import Shift
from runtime.replay import replay
from worldgen.building import build
from worldgen.bundle import read_bundle, write_bundle
from worldgen.reference import reference_knowledge
from worldgen.template import load_template

ENV = PROJECT / "environments" / "gtm-outbound"
AGENTS = ("reference", "scripted:generic-pitch", "scripted:topic-guesser", "scripted:process-misses")
EVENTS = 400
AT_ONCE = 10
PATHS = ("/mail", "/crm", "/calendar", "/playbook", "/mail/new")
_CHILD = "import sys, benchmarks.shift as b; getattr(b, sys.argv[1])(sys.argv[2])"
WORLDS_HELD = 30


def started(bundle: Bundle) -> Shift:
    """Returns a world's shift at its beginning."""
    return Shift(bundle.visible, bundle.server, world_hash=bundle.world_hash)


def restored(folder: Path) -> Shift:
    """Returns the shift of a stored world, as an episode begins."""
    return started(read_bundle(folder))


class Spent(NamedTuple):
    """Milliseconds that work took."""

    wall: float
    cpu: float
    """Of this process: what counts where others use the machine as well."""


def timed(work: Callable[[], object]) -> Spent:
    """Returns what work took."""
    begun, cpu = time.perf_counter(), time.process_time()
    work()
    return Spent((time.perf_counter() - begun) * 1_000, (time.process_time() - cpu) * 1_000)


def shares(values: Sequence[float]) -> str:
    """Returns the values below which half and 95 of 100 lie."""
    below = statistics.quantiles(values, n=100, method="inclusive")
    return f"{below[49]:.1f} / {below[94]:.1f}"


def worked(bundle: Bundle, agent: str, template: object) -> Shift:
    """Returns the shift that an agent worked."""
    shift = started(bundle)
    agent_named(agent).work(shift, reference_knowledge(template, bundle))  # type: ignore[arg-type]
    return shift


def lengthened(events: list[ShiftEvent]) -> list[bytes]:
    """Returns the stored log with views put in before its end until it has 400 events."""
    *front, end, lock = events
    view = next(event for event in events if event.type in VIEWS)
    front += [view] * (EVENTS - len(events))
    moved, at = [], 0
    for number, event in enumerate([*front, end, lock], start=1):
        at = max(at, event.at_ms)
        moved.append(event.model_copy(update={"seq": number, "at_ms": at}))
    return list(log_lines(moved))


def restore_often(
    folder: Path, times: int, begin: Barrier, found: multiprocessing.Queue[list[Spent]]
) -> None:
    """Restores a world several times, each time when all are let go, and hands over how long each took."""
    restored(folder)
    spent = []
    for _ in range(times):
        gc.collect()
        begin.wait(timeout=120)
        spent.append(timed(lambda: restored(folder)))
    found.put(spent)


def restore_at_once(folders: Sequence[Path], times: int) -> list[Spent]:
    """Returns how long restoring took where ten processes do it at the same time."""
    context = multiprocessing.get_context("spawn")
    found: multiprocessing.Queue[list[Spent]] = context.Queue()
    begin = context.Barrier(AT_ONCE)
    workers = [
        context.Process(target=restore_often, args=(folders[place % len(folders)], times, begin, found))
        for place in range(AT_ONCE)
    ]
    for worker in workers:
        worker.start()
    values = [value for _ in workers for value in found.get(timeout=120)]
    for worker in workers:
        worker.join()
    return values


def print_memory(folder: str) -> None:
    """Prints what each started world of a folder adds to this process, in megabytes."""
    restored(Path(folder))
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    held = [restored(Path(folder)) for _ in range(WORLDS_HELD)]
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps((after - before) / 1024 / len(held)))


def print_grading(home: str) -> None:
    """Prints how long the grade of each log took that lies in a folder beside the folder of its world."""
    stored = [
        (path.read_bytes().splitlines(keepends=True), read_bundle(path.with_suffix("")).truth)
        for path in sorted(Path(home).glob("*.jsonl"))
    ]
    grade_log(*stored[0])
    gc.collect()
    # What waits to be graded lies on the disk elsewhere; here it must not slow what is graded now.
    gc.freeze()
    spent = []
    for log, truth in stored[1:]:
        spent.append(timed(lambda log=log, truth=truth: grade_log(log, truth)))  # type: ignore[misc]
    print(json.dumps(spent))


def measured_apart(work: str, folder: Path) -> Any:
    """Returns what a function of this module prints of a folder in a process of its own."""
    command = [sys.executable, "-c", _CHILD, work, str(folder)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def steps_per_second(bundle: Bundle, shifts: Sequence[Shift]) -> float:
    """Returns how many recorded actions a core takes in a second."""
    count = sum(len(shift.recording.actions) for shift in shifts)
    fresh = [started(bundle) for _ in shifts]

    def play() -> None:
        for new, old in zip(fresh, shifts, strict=True):
            replay(new, old.recording)

    spent = timed(play)
    return count / spent.cpu * 1_000


def requests_per_second(bundle: Bundle, rounds: int) -> float:
    """Returns how many page requests one core answers in a second, each handed over as a server does."""
    from runtime.apps.app import create_app

    shift = started(bundle)
    app = create_app(shift, lambda: shift.now_ms)

    async def ask(path: str) -> None:
        answers: list[Any] = []
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"localhost")],
            "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 80),
        }

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(answer: Any) -> None:
            answers.append(answer)

        await app(scope, receive, send)
        if answers[0]["status"] != HTTPStatus.OK:
            raise SystemExit(f"{path} answers {answers[0]['status']}")

    async def browse(times: int) -> None:
        for _ in range(times):
            for path in PATHS:
                await ask(path)

    asyncio.run(browse(1))
    return rounds * len(PATHS) / timed(lambda: asyncio.run(browse(rounds))).cpu * 1_000


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=5, help="restores per seed")
    chosen = parser.parse_args()
    template = load_template(ENV)
    bundles: list[Bundle] = []
    building = [
        timed(lambda at=seed: bundles.append(build(template, at)))  # type: ignore[misc]
        for seed in range(1, chosen.seeds + 1)
    ]
    with tempfile.TemporaryDirectory() as home:
        folders = [write_bundle(bundle, Path(home) / str(place)) for place, bundle in enumerate(bundles)]
        restoring = [
            timed(lambda at=folder: restored(at))  # type: ignore[misc]
            for folder in folders
            for _ in range(chosen.repeat)
        ]
        at_once = restore_at_once(folders, chosen.repeat)
        memory = float(measured_apart("print_memory", folders[0]))
        for place, (folder, bundle) in enumerate(zip(folders, bundles, strict=True)):
            shift = worked(bundle, AGENTS[place % len(AGENTS)], template)
            folder.with_suffix(".jsonl").write_bytes(b"".join(lengthened(shift.events)))
        grading = [Spent(*spent) for spent in measured_apart("print_grading", Path(home))]
    reference = [timed(lambda at=bundle: worked(at, "reference", template)) for bundle in bundles]  # type: ignore[misc]
    own = [worked(bundles[0], agent, template) for agent in AGENTS]
    rows = [
        ("world built, p50 / p95 ms", building, "<= 500"),
        ("world restored, p50 / p95 ms", restoring, "<= 20 / <= 30"),
        (f"{AT_ONCE} restored at once, p50 / p95 ms", at_once, "- / <= 80"),
        ("reference shift, p50 / p95 ms", reference, "<= 2,000"),
        ("log graded, p50 / p95 ms", grading, ""),
    ]
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, {chosen.seeds} seeds")
    shown: list[tuple[str, ...]] = [
        (name, shares([one.wall for one in held]), shares([one.cpu for one in held]), aim)
        for name, held, aim in rows
    ]
    shown += [
        ("API steps per second and core", "", f"{steps_per_second(bundles[0], own):,.0f}", ">= 1,000"),
        ("page requests per second and core", "", f"{requests_per_second(bundles[0], 20):,.0f}", ""),
        ("MB per world", "", f"{memory:.1f}", "<= 10"),
        (
            f"grades per second and core, {EVENTS} events",
            "",
            f"{1_000 / statistics.mean(one.cpu for one in grading):,.0f}",
            ">= 300",
        ),
    ]
    table("Shift", ("what", "wall", "CPU", "aim"), shown)


if __name__ == "__main__":
    main()
