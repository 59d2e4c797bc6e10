"""The settings under which tests run Dagster on a folder of their own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def own_settings(base: Path) -> Iterator[None]:
    """Names a key file and a Dagster folder below a base, both new, until it ends."""
    (base / "key").write_text("5a" * 32)
    (base / "key").chmod(0o600)
    (base / "dagster").mkdir()
    shutil.copy(Path(__file__).parents[2] / "dagster_home" / "dagster.yaml", base / "dagster")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RL_DOJO_KEY_FILE", str(base / "key"))
        patch.setenv("DAGSTER_HOME", str(base / "dagster"))
        yield
