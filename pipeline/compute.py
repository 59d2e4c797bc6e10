"""Where the heavy steps run: in this process, in several, or on a Dask cluster; the same bytes under each.

Belongs here: handing files to workers and taking results in order. Does not belong here: what is done with a
file.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from enum import StrEnum
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TypeVar

import dagster as dg

from pipeline.errors import PipelineError

Task = TypeVar("Task")
Result = TypeVar("Result")

_WORTHWHILE = 64 * 1024 * 1024
"""Bytes below which starting workers costs more than it saves."""


def _end_with_parent() -> None:
    """Lets a worker end when the process that started it is killed, so that no rerun meets it at work."""
    parent = parent_process()
    assert parent is not None
    Thread(target=lambda: (wait([parent.sentinel]), os._exit(1)), daemon=True).start()


class Workers(StrEnum):
    """How work on files is spread."""

    AUTO = "auto"
    """Processes where there is much to read, else this process."""
    INLINE = "inline"
    PROCESSES = "processes"
    DASK = "dask"


class ComputeResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The workers of one machine or of a Dask cluster."""

    workers: Workers = Workers.AUTO
    count: int = 0
    """Workers at most; 0 for one per core."""
    scheduler: str = ""
    """For Dask: the address of a running scheduler; empty for a cluster of this machine's own.

    Tasks carry the data key of raw tables: a scheduler on another machine needs TLS (`tls://`)."""

    def map_files(
        self, function: Callable[[Task], Result], tasks: Sequence[Task], size: int
    ) -> Iterator[Result]:
        """Yields a function's results in the order of its tasks, whichever worker made them.

        Args:
            function: importable by name; a task's result depends on the task alone.
            tasks: what travels to workers, hence small.
            size: bytes that all tasks read together.
        """
        workers = self.workers
        count = min(self.count or os.cpu_count() or 1, len(tasks))
        if workers is Workers.AUTO:
            heavy = size >= _WORTHWHILE and count > 1
            workers = Workers.PROCESSES if heavy else Workers.INLINE
        if workers is Workers.INLINE or not tasks:
            yield from map(function, tasks)
        elif workers is Workers.PROCESSES:
            # Polars has threads of its own, so that a forked child could wait for a lock for ever.
            with ProcessPoolExecutor(count, get_context("spawn"), _end_with_parent) as pool:
                try:
                    yield from pool.map(function, tasks)
                except BrokenExecutor:
                    raise PipelineError(
                        "a worker process was ended from outside, mostly for want of memory: run again with "
                        "fewer workers (`count`); what was finished is kept"
                    ) from None
        else:
            yield from self._dask(function, tasks, count)

    def _dask(
        self, function: Callable[[Task], Result], tasks: Sequence[Task], count: int
    ) -> Iterator[Result]:
        from distributed import Client

        own: dict[str, object] = {"n_workers": count, "threads_per_worker": 1, "dashboard_address": None}
        settings: dict[str, object] = {"address": self.scheduler} if self.scheduler else own
        with Client(**settings) as client:  # type: ignore[no-untyped-call]
            for future in client.map(function, tasks, pure=False):
                yield future.result()
