"""Keys: where they may lie, who may use them, and that neither worlds nor agents can find them."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluation.seeds import split_seeds

PROJECT = Path(__file__).parents[2]
ENVIRONMENT = PROJECT / "environments" / "gtm-outbound"
SAMPLE = PROJECT / "data_samples" / "archive"
DEMO_KEY = PROJECT / "data_samples" / "demo.key"
VARIABLES = ("RL_DOJO_KEY_FILE", "RL_DOJO_SEED_KEY_FILE")
Command = Callable[..., Any]


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "keys" / "key"
    path.parent.mkdir()
    path.write_text(secrets.token_hex(32))
    path.chmod(0o600)
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def onboard(command: Command, home: Path, user: dict[str, str], *arguments: object, **variables: str) -> Any:
    """Asks to onboard; a relative DAGSTER_HOME refuses it after the key is taken, before any work."""
    return command("onboard", *arguments, "--home", home, **{**user, "DAGSTER_HOME": "relative", **variables})


TAKEN = "DAGSTER_HOME must be the absolute path"


@pytest.mark.parametrize(
    "command_line", [("world", "--seed", "1"), ("run", "--agent", "noop", "--seeds", "1")]
)
def test_both_variables_are_gone_before_worlds_and_agents_start(
    command: Command,
    key: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command_line: tuple[str, ...],
) -> None:
    from runtime.agents import registry
    from worldgen.building import build

    seen: dict[str, list[str]] = {}
    noop = registry._TRIVIAL["noop"]

    def watch(who: str) -> None:
        seen[who] = [name for name in os.environ if name in VARIABLES]

    def watched_build(*asked: Any) -> object:
        watch("world")
        return build(*asked)

    def watched_noop(driver: Any) -> None:
        watch("agent")
        noop(driver)

    monkeypatch.setattr("evaluation.sweeping.build", watched_build)
    monkeypatch.setitem(registry._TRIVIAL, "noop", watched_noop)
    name, *options = command_line
    done = command(name, ENVIRONMENT, *options, "-o", tmp_path / "out", **dict.fromkeys(VARIABLES, str(key)))
    assert done.code == 0
    assert seen == ({"world": []} if name == "world" else {"world": [], "agent": []})


def test_the_default_key_is_made_with_a_notice_for_its_user_only(
    command: Command, home: Path, tmp_path: Path, user: dict[str, str]
) -> None:
    own = {**user, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    done = onboard(command, home, own, SAMPLE, "--name", "other")
    path = tmp_path / "config" / "rl-dojo" / "key"
    assert TAKEN in done.err and f"made a new pseudonymisation key at {path}" in done.err
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert re.fullmatch(r"[0-9a-f]{64}\n", path.read_text())
    assert path.read_text().strip() not in done.err + done.out
    made = path.read_bytes()
    again = onboard(command, home, own, SAMPLE, "--name", "other")
    assert "made a new" not in again.err and path.read_bytes() == made
    for file in home.rglob("*"):
        assert not file.is_file() or made.strip() not in file.read_bytes()


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda key: key.unlink(), "RL_DOJO_KEY_FILE names a file that does not exist"),
        (lambda key: key.chmod(0o640), "open to other users: run chmod 600"),
        (lambda key: key.chmod(0o604), "open to other users: run chmod 600"),
        (lambda key: key.write_text("Felicity Marchbanks"), "is not 64 hex digits"),
        (lambda key: key.write_text("ab" * 16), "has 16 bytes, a key has 32"),
        (lambda key: key.write_bytes(b"\xff" * 64), "is not 64 hex digits"),
        (lambda key: (key.unlink(), key.mkdir()), "cannot be read (is a directory)"),
        (lambda key: shutil.copy(DEMO_KEY, key), "the published demo key is for the dataset 'sample' only"),
    ],
)
def test_a_key_file_that_may_not_be_used_is_refused(
    command: Command,
    home: Path,
    key: Path,
    user: dict[str, str],
    prepare: Callable[[Path], object],
    message: str,
) -> None:
    prepare(key)
    done = onboard(command, home, user, SAMPLE, "--name", "other", RL_DOJO_KEY_FILE=str(key))
    assert done.code == 2 and message in done.err and "Traceback" not in done.err
    assert "Felicity" not in done.err and done.out == "" and not home.exists()


@pytest.mark.parametrize("variable", ["RL_DOJO_KEY_FILE", "XDG_CONFIG_HOME"])
def test_a_key_never_lies_in_the_state_folder(
    command: Command, home: Path, key: Path, user: dict[str, str], variable: str
) -> None:
    place = home / "rl-dojo" / "key" if variable == "RL_DOJO_KEY_FILE" else home
    if variable == "RL_DOJO_KEY_FILE":
        place.parent.mkdir(parents=True)
        key.rename(place)
    done = onboard(command, home, {**user, variable: str(place)}, SAMPLE, "--name", "other")
    assert done.code == 2 and "inside the data folder: keep key and data apart" in done.err


def test_the_sample_under_its_own_name_needs_no_key_of_the_user(
    command: Command, home: Path, tmp_path: Path, user: dict[str, str]
) -> None:
    own = {**user, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    done = onboard(command, home, own, SAMPLE)
    assert TAKEN in done.err and not (tmp_path / "config").exists()


def test_a_copy_of_the_sample_is_another_dataset_and_gets_no_demo_key(
    command: Command, home: Path, tmp_path: Path, user: dict[str, str]
) -> None:
    shutil.copytree(SAMPLE, tmp_path / "data" / "archive")
    shutil.copy(SAMPLE.parent / "topics.yaml", tmp_path / "data")
    own = {**user, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    done = onboard(command, home, own, tmp_path / "data" / "archive")
    assert TAKEN in done.err and (tmp_path / "config" / "rl-dojo" / "key").is_file()


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda key: key.unlink(), "the seed key file of RL_DOJO_SEED_KEY_FILE cannot be read"),
        (lambda key: key.write_text("short"), "it needs at least 16"),
        (lambda key: key.chmod(0o644), "open to other users: run chmod 600"),
        (lambda key: key.chmod(0o620), "open to other users: run chmod 600"),
        (lambda key: (key.unlink(), key.mkdir()), "cannot be read"),
    ],
)
def test_a_seed_key_that_may_not_be_used_is_refused(
    command: Command, home: Path, key: Path, prepare: Callable[[Path], object], message: str
) -> None:
    prepare(key)
    ask = ("run", ENVIRONMENT, "--agent", "noop", "--split", "test", "--home", home)
    done = command(*ask, RL_DOJO_SEED_KEY_FILE=str(key))
    assert done.code == 2 and message in done.err and done.out == "" and not home.exists()


def test_a_seed_key_never_lies_in_the_state_folder(command: Command, home: Path, key: Path) -> None:
    home.mkdir()
    inside = key.rename(home / "seed.key")
    ask = ("run", ENVIRONMENT, "--agent", "noop", "--split", "test", "--home", home)
    done = command(*ask, RL_DOJO_SEED_KEY_FILE=str(inside))
    assert done.code == 2 and "keep them apart" in done.err


def test_hidden_seeds_stand_in_no_file_and_no_line_of_output(command: Command, home: Path, key: Path) -> None:
    """I15."""
    ask = ("run", ENVIRONMENT, "--agent", "noop", "--split", "test", "--count", "2", "--home", home)
    done = command(*ask, "--json", RL_DOJO_SEED_KEY_FILE=str(key))
    assert done.code == 0
    assert [(run["seed"], run["seed_label"]) for run in done.json["runs"]] == [
        (None, "test-1"),
        (None, "test-2"),
    ]
    shown = command(*ask, RL_DOJO_SEED_KEY_FILE=str(key))
    written = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    everything = written.decode() + done.out + done.err + shown.out + shown.err
    names = " ".join(path.name for path in home.rglob("*"))
    for seed in split_seeds("gtm-outbound", "test", 2, key.read_bytes().strip()):
        assert seed.value.bit_length() > 64
        for form in (str(seed.value), f"{seed.value:x}"):
            assert form not in everything and form not in names
    assert key.read_text() not in everything


def test_another_split_needs_no_seed_key(command: Command, home: Path) -> None:
    ask = ("run", ENVIRONMENT, "--agent", "noop", "--split", "validation", "--count", "1", "--home", home)
    done = command(*ask, "--json", RL_DOJO_SEED_KEY_FILE="nowhere")
    assert done.code == 0 and len(done.json["runs"]) == 1
