"""The command line: exit codes, and what stands on which stream."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


def rl_dojo(home: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    dagster = home.parent / "dagster"
    dagster.mkdir(exist_ok=True)
    (dagster / "dagster.yaml").write_text((PROJECT / "dagster_home" / "dagster.yaml").read_text())
    environment = {**os.environ, "DAGSTER_HOME": str(dagster), "RL_DOJO_HOME": str(home), **variables}
    environment.pop("RL_DOJO_KEY_FILE", None)
    return subprocess.run(
        [sys.executable, "-m", "rl_dojo", *arguments],
        cwd=PROJECT,
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.e2e
def test_the_sample_onboards_as_one_json_object(tmp_path: Path) -> None:
    done = rl_dojo(tmp_path / "home", "onboard", "data_samples/archive", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    truth = json.loads((PROJECT / "data_samples/truth/counts.json").read_bytes())
    assert {source["name"] for source in result["sources"]} == {"mail", "tickets", "crm", "erp"}
    for source in result["sources"]:
        assert source["read"] == source["kept"] + source["duplicates"] + source["quarantined"] > 0
    assert truth and result["leaks"] == 0 and result["cases"] > 0
    assert result["entities"]["person"] > 0 and result["rules"] and result["outcomes"]
    assert {"dataset", "coincidences", "canaries_leaked", "seconds"} <= result.keys()
    for stage in ("read", "pseudonymise", "audit", "extract"):
        assert stage in done.stderr
    assert "Tarnwick" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("onboard", "nowhere"), "no manifest"),
        (("onboard", "data_samples/archive", "--name", "Bad Name"), "lower-case"),
        (("onboard", "data_samples/archive", "--name", "tarnwick"), "company's own name"),
        (("onboard",), "Missing argument"),
        (("fly",), "No such command"),
    ],
)
def test_wrong_use_ends_with_two_and_one_clear_message(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = rl_dojo(tmp_path / "home", *arguments)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr
    assert done.stdout == "" and not (tmp_path / "home" / "datasets").exists()


def test_a_missing_key_file_is_wrong_input(tmp_path: Path) -> None:
    done = rl_dojo(
        tmp_path / "home", "onboard", "data_samples/archive", RL_DOJO_KEY_FILE=str(tmp_path / "no")
    )
    assert done.returncode == 2 and "RL_DOJO_KEY_FILE" in done.stderr


def test_help_names_the_commands_without_loading_dagster(tmp_path: Path) -> None:
    done = rl_dojo(tmp_path / "home", "--help")
    assert done.returncode == 0 and "onboard" in done.stdout
    loaded = subprocess.run(
        [sys.executable, "-c", "import rl_dojo.main, sys; print('dagster' in sys.modules)"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout.strip() == "False"
