"""T40-T44: no network, honest outcomes, whole packages, and a reference that proves the full score."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from starlette.testclient import TestClient

from contracts.grade import Label, Outcome
from contracts.shift_events import read_log
from evaluation.leaderboard import boards_of
from evaluation.regrading import regrade
from evaluation.runs import EVENTS, read_actions, read_run
from evaluation.seeds import public_seeds
from evaluation.sweeping import Entrant, run_sweep
from grader.grading import grade_shift
from runtime.agents import registry
from runtime.agents.reference import Reference
from runtime.apps.app import create_app
from worldgen.building import build

KILLED = """
import sys, time
from pathlib import Path
from evaluation.seeds import public_seeds
from evaluation.sweeping import Entrant, run_sweep
from runtime.agents import registry
def hangs(driver):
    for line in driver.mails("inbox"):
        driver.open_mail(line["id"])
    driver.wait(60_000)
    print("working", flush=True)
    time.sleep(60)
registry._TRIVIAL["noop"] = hangs
env, out = Path("environments/gtm-outbound"), Path(sys.argv[1])
run_sweep(env, [Entrant("noop")], public_seeds("1"), "standard", 1, out, lambda *_: None)
"""


def test_T40_worlds_shifts_and_grades_need_no_network(kit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("something asked for the network")

    for name in ("connect", "connect_ex", "sendto", "bind"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert build(kit.TEMPLATE, 1).world_hash == kit.world(1).world_hash
    assert kit.grade(1).reward_millionths == 1_000_000


class _Breaks(Reference):
    def book(self, *_: object) -> None:
        raise RuntimeError("the model is gone")


def test_T41_a_broken_run_is_counted_and_never_a_zero_or_left_out(
    kit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._KNOWING, "scripted:quits-early", _Breaks)
    results = run_sweep(
        kit.ENV,
        [Entrant("scripted:quits-early"), Entrant("reference")],
        public_seeds("1"),
        "standard",
        1,
        tmp_path,
        lambda *_: None,
    )
    broken, whole = results
    assert (broken.outcome, broken.reward) == (Outcome.INFRA_ERROR, None)
    assert "the model is gone" in broken.error
    assert (whole.outcome, whole.reward) == (Outcome.GRADED, 1.0)
    (board,) = boards_of([read_run(Path(result.folder)) for result in results])
    assert "infra" in repr(board).lower()


def test_T42_a_run_that_is_killed_leaves_log_actions_and_a_partial_grade(kit: Any, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], cwd=kit.ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "working\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (folder,) = [path.parent for path in tmp_path.glob("*/result.json")]
    run = read_run(folder)
    assert (run.result.outcome, run.result.reward) == (Outcome.INFRA_ERROR, None)
    events = read_log((folder / EVENTS).read_bytes().splitlines(keepends=True))
    assert events[-1].type == "wait" or events[-1].at_ms <= 120_000
    assert [taken.action for taken in read_actions(run).actions][-1] == "wait"
    regrade([folder])
    partial = read_run(folder)
    assert partial.result.reward is None, "a broken run never gets a reward"
    assert partial.grade is not None and partial.grade.end_reason == "unfinished"


def test_T42_a_shift_cut_by_its_limit_is_graded(kit: Any) -> None:
    grade = kit.grade(1, "scripted:waiter")
    assert (grade.end_reason, grade.reward_millionths) == ("time_limit", 0)


def test_T43_an_environment_is_whole(kit: Any) -> None:
    for seed in (1, 2, 3):
        truth = kit.world(seed).truth
        assert sum(truth.weights_ppm.values()) == 1_000_000
        grade = kit.grade(seed, "noop")
        labels = [check.label for check in grade.checks]
        assert labels.count(Label.NOOP_FAIL) >= 30 and labels.count(Label.NOOP_PASS) == 4
        assert {a.account_id for a in kit.knowledge(seed).accounts} == {a.account_id for a in truth.accounts}
    for name in (
        "task.toml",
        "instruction.md",
        "environment/Dockerfile",
        "tests/test.sh",
        "solution/solve.sh",
    ):
        assert (kit.ENV / name).is_file(), name
    mirrors = yaml.safe_load((kit.ROOT / "tests/cases/grader/mirrors.yaml").read_text("utf-8"))
    assert len(mirrors) >= 40


@pytest.mark.parametrize("seed", range(1, 6))
def test_T44_the_reference_earns_the_whole_through_the_api(kit: Any, seed: int) -> None:
    assert kit.lost(grade_shift(kit.reference(seed).events, kit.world(seed).truth)) == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_T44_the_reference_earns_the_whole_through_the_pages(kit: Any, seed: int) -> None:
    shift, present = kit.new_shift(seed), 0
    with TestClient(create_app(shift, lambda: present), follow_redirects=False) as browser:
        for taken in kit.reference(seed).recording.actions:
            present = taken.at_ms
            request = kit.posted(shift.visible.zone, taken.action, taken.data)
            if request is None:
                continue
            method, path, form = request
            answer = browser.request(method, path, data=form or None)
            assert answer.status_code in (200, 303), (path, answer.text[:300])
            assert "said refused" not in answer.text, path
    assert [event for event in shift.events if event.type == "action.refused"] == []
    assert kit.lost(grade_shift(shift.events, kit.world(seed).truth)) == []


@pytest.mark.parametrize(
    ("step", "lost"),
    [
        ("write_note", "duty:note:"),
        ("set_stage", "duty:stage:"),
        ("set_next_step", "duty:next_step:"),
        ("add_contact", "duty:contact_added:"),
    ],
)
def test_T44_a_step_left_out_loses_exactly_its_checks(kit: Any, step: str, lost: str) -> None:
    agent = type("_Leaves", (Reference,), {step: lambda *_: None})
    found = kit.lost(kit.grade(1, agent))
    assert found and all(name.startswith(lost) for name in found)
