"""One swept and one onboarded home for all tests of the command line."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

PROJECT = Path(__file__).parents[2]
ENVIRONMENT = PROJECT / "environments" / "gtm-outbound"
AGENTS = ("reference", "noop", "scripted:list-to-fake-boss")
SEEDS = (1, 2)


@dataclass(frozen=True)
class Done:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on standard output; fails where anything else stands there."""
        content = json.loads(self.out)
        assert isinstance(content, dict)
        return content


Command = Callable[..., Done]


@dataclass(frozen=True)
class Swept:
    """A home with one sweep, and what the command printed."""

    home: Path
    folder: Path
    done: Done


def call(*arguments: object, **variables: str) -> Done:
    """Runs the entry point in this process; the environment is the caller's again afterwards."""
    from rl_dojo.main import main

    out, err = io.StringIO(), io.StringIO()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RL_DOJO_")}
    code = 0
    with (
        patch.dict(os.environ, clean | variables, clear=True),
        patch.object(sys, "argv", ["rl-dojo", *map(str, arguments)]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return Done(code, out.getvalue(), err.getvalue())


def process(*arguments: object, **variables: str) -> Done:
    """Runs the command as a process of its own, as a user does."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RL_DOJO_")}
    done = subprocess.run(
        [sys.executable, "-m", "rl_dojo", *map(str, arguments)],
        cwd=PROJECT,
        env={**clean, **variables},
        capture_output=True,
        timeout=240,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(scope="session")
def command() -> Command:
    return call


@pytest.fixture(scope="session")
def user(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Folders of a user who has never run the command: configuration and Dagster's."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "dagster").mkdir()
    shutil.copy(PROJECT / "dagster_home" / "dagster.yaml", folder / "dagster")
    return {"XDG_CONFIG_HOME": str(folder / "config"), "DAGSTER_HOME": str(folder / "dagster")}


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Swept:
    home = tmp_path_factory.mktemp("swept") / "home"
    seeds = ",".join(map(str, SEEDS))
    done = call("run", ENVIRONMENT, "--agent", ",".join(AGENTS), "--seeds", seeds, "--home", home, "--json")
    (folder,) = (home / "runs").iterdir()
    return Swept(home, folder, done)


@pytest.fixture(scope="session")
def onboarded(tmp_path_factory: pytest.TempPathFactory, user: dict[str, str]) -> tuple[Path, Done]:
    """The sample, onboarded once, also where several workers share the tests."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "onboarded"
    home, told = shared / "home", shared / "done.json"
    try:
        shared.mkdir()
    except FileExistsError:
        for _ in range(2_400):
            if told.is_file():
                return home, Done(**json.loads(told.read_bytes()))
            time.sleep(0.1)
        raise
    done = process("onboard", "data_samples/archive", "--json", RL_DOJO_HOME=str(home), **user)
    aside = shared / "aside.json"
    aside.write_text(json.dumps(asdict(done)))
    aside.replace(told)
    return home, done


@pytest.fixture
def sweep(swept: Swept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sweep that a test may damage, named `sweep` from the current folder."""
    shutil.copytree(swept.folder, tmp_path / "sweep")
    monkeypatch.chdir(tmp_path)
    return Path("sweep")


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the environment that a test may damage, named from the current folder."""
    shutil.copytree(ENVIRONMENT, tmp_path / ENVIRONMENT.name)
    monkeypatch.chdir(tmp_path)
    return Path(ENVIRONMENT.name)
