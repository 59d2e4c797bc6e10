"""`rl-dojo replay`: stored runs play again to the same log and grade; the command says where they do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from evaluation.runs import ACTIONS

Command = Callable[..., Any]


def test_every_run_of_a_sweep_plays_again(sweep: Path, command: Command) -> None:
    done = command("replay", sweep, "--json")
    assert (done.code, done.err) == (0, "")
    runs = done.json["runs"]
    assert len(runs) == 6
    assert all(run["log_equal"] and run["grade_equal"] for run in runs)
    rewards = {run["run"]: run["reward"] for run in runs}
    assert rewards["gtm-outbound-reference-none-1-standard-1"] == 1.0
    assert rewards["gtm-outbound-noop-none-1-standard-1"] == 0.0


def test_one_run_is_told_in_a_line_with_its_log(sweep: Path, command: Command) -> None:
    (folder,) = sweep.glob("*-reference-none-1-standard-1")
    done = command("replay", folder)
    assert done.code == 0
    assert done.out.startswith(f"{folder.name}: log equal (") and done.out.endswith("), grade equal\n")


def test_a_run_whose_actions_were_changed_fails_the_check_and_is_named(sweep: Path, command: Command) -> None:
    (folder,) = sweep.glob("*-reference-none-1-standard-1")
    path = folder / ACTIONS
    path.write_bytes(path.read_bytes().replace(b'"Qualified"', b'"Not a fit"', 1))
    done = command("replay", sweep)
    assert done.code == 1
    told = {line.partition(":")[0]: line for line in done.out.splitlines()}
    assert "log differs" in told[folder.name]
    assert sum("differs" in line for line in told.values()) == 1


def test_what_is_no_run_is_wrong_use_with_the_next_step(tmp_path: Path, command: Command) -> None:
    done = command("replay", tmp_path / "absent")
    assert done.code == 2 and "absent" in done.err
