"""`rl-dojo reviews`: the queue tells no names without a reason, and a verdict is kept with its reviewer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def home(onboarded: tuple[Path, Any], tmp_path: Path) -> Path:
    shutil.copytree(onboarded[0] / "datasets", tmp_path / "home" / "datasets")
    return tmp_path / "home"


def accesses(home: Path) -> list[str]:
    log = home / "datasets" / "sample" / "vault" / "access.jsonl"
    return [json.loads(line)["action"] for line in log.read_text().splitlines()] if log.is_file() else []


def test_names_are_shown_for_a_reason_only_and_the_log_tells_of_it(
    home: Path, command: Command, user: dict[str, str]
) -> None:
    listed = command("reviews", "sample", "--home", home, "--json", **user)
    assert listed.code == 0 and listed.json["pairs"] > 0 and accesses(home) == []
    assert all(row.keys() == {"id", "reason", "confidence", "verdict", "by"} for row in listed.json["shown"])
    refused = command("reviews", "sample", "--show", "--home", home, **user)
    assert refused.code == 2 and "--reason" in refused.err
    shown = command("reviews", "sample", "--show", "--reason", "quarterly", "--home", home, "--json", **user)
    assert all("<" in row["one"] or ":" in row["one"] for row in shown.json["shown"])
    assert accesses(home) == ["review"]


def test_a_verdict_needs_a_reviewer_and_is_listed_afterwards(
    home: Path, command: Command, user: dict[str, str]
) -> None:
    pair = command("reviews", "sample", "--home", home, "--json", **user).json["shown"][0]["id"]
    nobody = command("reviews", "sample", "--verdict", pair, "different", "--home", home, **user)
    unknown = command("reviews", "sample", "--verdict", "zzzz", "same", "--by", "Eve", "--home", home, **user)
    assert (nobody.code, unknown.code) == (2, 2)
    given = command(
        "reviews", "sample", "--verdict", pair, "different", "--by", "Eve", "--home", home, "--json", **user
    )
    assert given.code == 0 and given.json["verdict"] == "different"
    rows = command("reviews", "sample", "--home", home, "--json", **user).json["shown"]
    assert next(row for row in rows if row["id"] == pair)["by"].startswith("Eve, ")
    assert accesses(home) == ["verdict"]


def test_both_sides_of_a_pair_are_whole_on_any_terminal(
    home: Path, command: Command, user: dict[str, str]
) -> None:
    rows = command("reviews", "sample", "--show", "--reason", "why", "--home", home, "--json", **user).json
    narrow = command(
        "reviews", "sample", "--show", "--reason", "why", "--home", home, **user, COLUMNS="40"
    ).out.splitlines()
    for row in rows["shown"]:
        at = next(number for number, line in enumerate(narrow) if line.startswith(row["id"]))
        assert row["reason"] in narrow[at]
        assert [line.split(None, 1) for line in narrow[at + 1 : at + 3]] == [
            ["one", row["one"]],
            ["other", row["other"]],
        ]
    listed = command("reviews", "sample", "--home", home, **user, COLUMNS="40").out
    assert all(row["id"] in listed and row["one"] not in listed for row in rows["shown"])
