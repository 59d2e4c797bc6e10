"""Reveal, rotate, erase and forget as typed: what they print, where files go, and how refusals end."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("reveal", "none", "--reason", "why"), "no dataset 'none'"),
        (("reveal", "none", "--reason", " "), "a reason is needed"),
        (("reveal", "none"), "Missing option"),
        (("reveal", "../x", "--reason", "why"), "lower-case letters"),
        (("rotate", "none", "--reason", "why"), "Missing option"),
        (("rotate", "none", "--reason", "why", "--new-key-file", "k"), "no dataset 'none'"),
        (("erase", "none", "--reason", "why"), "Missing option"),
        (("erase", "none", "--person", "Zebulon", "--reason", ""), "a reason is needed"),
        (("forget", "none", "--reason", "why"), "say what to forget"),
        (("forget", "none", "--reason", "why", "--vault"), "say what to forget"),
        (("forget", "none", "--reason", "why", "--expired"), "say what to forget"),
        (("forget", "none", "--reason", "why", "--raw", "--today", "2025-01-01"), "say what to forget"),
        (("forget", "none", "--reason", "why", "--expired", "--today", "soon"), "does not match"),
        (("forget", "none", "--reason", "why", "--raw"), "no dataset 'none'"),
    ],
)
def test_wrong_use_is_told_in_one_message(
    command: Command, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = command(*arguments, "--home", tmp_path / "home")
    assert done.code == 2 and said in done.err and done.out == ""
    assert "Traceback" not in done.err and "Zebulon" not in done.err
    assert not (tmp_path / "home").exists()


def test_the_sample_is_revealed_to_a_file_only(
    command: Command, onboarded: tuple[Path, Any], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(onboarded[0], home)
    counted = command("reveal", "sample", "--reason", "how many", "--home", home)
    assert counted.code == 0 and "real names go to a file only" in counted.out and "@" not in counted.out
    done = command(
        "reveal", "sample", "--reason", "audit", "-o", tmp_path / "map.csv", "--home", home, "--json"
    )
    assert done.code == 0 and done.json["file"] == str(tmp_path / "map.csv")
    assert (tmp_path / "map.csv").stat().st_mode & 0o777 == 0o600
    lines = (tmp_path / "map.csv").read_text().splitlines()
    assert lines[0] == "kind,real,surrogate" and len(lines) - 1 == sum(done.json["forms"].values())
    (home / "datasets" / "sample" / "vault" / "access.jsonl").write_text("")
    broken = command("reveal", "sample", "--reason", "audit", "--home", home)
    assert broken.code == 2 and "the access log is broken" in broken.err
