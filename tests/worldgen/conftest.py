"""A copy of the environment that a test may change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

ENV = Path(__file__).parents[2] / "environments" / "gtm-outbound"


@pytest.fixture
def env(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ENV, tmp_path / "gtm-outbound"))
