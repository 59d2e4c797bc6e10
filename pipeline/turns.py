"""Turns: one run at a time for a dataset, whoever starts it.

Belongs here: the lock of a dataset's folder. It goes with its process, so that a kill leaves none behind.
Does not belong here: what a run does.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from archive.home import DatasetHome
from pipeline.errors import OnboardRefused

LOCK_FILE = ".run.lock"


@contextmanager
def own_turn(home: DatasetHome) -> Iterator[None]:
    """Keeps other runs away from a dataset while the block runs.

    Raises:
        OnboardRefused: another run of the dataset is under way.
    """
    folder = home.manifest_path.parent
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise OnboardRefused(
                f"another run of dataset {home.name!r} is under way: wait until it has ended, or stop it"
            ) from error
        yield
    finally:
        os.close(handle)
