from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation.errors import EvaluationError
from evaluation.runs import ACTIONS, EVENTS, RESULT, find_runs, read_actions, read_events, read_run

MakeRun = Callable[..., Path]


def test_a_run_reads_back_as_it_was_written(make_run: MakeRun) -> None:
    folder = make_run(reward=0.25, meetings=1)
    run = read_run(folder)
    assert (run.result.reward, run.result.meetings, run.result.folder) == (0.25, 1, str(folder))
    assert run.grade is not None
    assert run.grade.reward == 0.25
    assert [event.seq for event in read_events(run)] == [1, 2, 3, 4, 5, 6]


def test_the_folder_says_environment_agent_model_seed_level_repeat(make_run: MakeRun) -> None:
    folder = make_run("scripted:spammer", "test-4", model="a/b", repeat=2)
    assert folder.name == "gtm-outbound-scripted_spammer-a_b-test-4-standard-2"


def test_only_the_agents_own_actions_stand_in_the_action_file(make_run: MakeRun) -> None:
    lines = (make_run() / ACTIONS).read_text().splitlines()
    assert [json.loads(line).get("action") for line in lines] == ["mail.open", "mail.send", None]
    assert json.loads(lines[-1]) == {"at_ms": 120_000, "end_reason": "end_shift"}


@pytest.mark.parametrize("cut", [b"", b"{}\n", b"[]\n", b'{"at_ms":1,"action":"mail.fly"}\n', b"\xff"])
def test_actions_that_are_none_are_refused(make_run: MakeRun, cut: bytes) -> None:
    folder = make_run()
    (folder / ACTIONS).write_bytes(cut)
    with pytest.raises(EvaluationError, match="recording"):
        read_actions(read_run(folder))


def test_a_sweep_can_be_moved(make_run: MakeRun, tmp_path: Path) -> None:
    moved = make_run().parent.rename(tmp_path / "moved")
    (folder,) = find_runs([moved])
    assert read_run(folder).result.folder == str(folder)
    assert str(tmp_path) not in (folder / RESULT).read_text()


def test_runs_are_found_once_however_they_are_named(make_run: MakeRun) -> None:
    first, second = make_run(seed="1"), make_run(seed="2")
    relative = Path(os.path.relpath(first))
    assert find_runs([second, first.parent, relative]) == [relative, second]


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_path_without_runs_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(EvaluationError):
        find_runs([tmp_path / name])


def test_an_edited_log_is_refused(make_run: MakeRun) -> None:
    log = make_run() / EVENTS
    log.write_bytes(log.read_bytes().replace(b'"Qualified"', b'"Not a fit"'))
    with pytest.raises(EvaluationError, match="edited"):
        read_events(read_run(log.parent))


def test_a_broken_result_says_file_and_field(make_run: MakeRun) -> None:
    folder = make_run()
    (folder / RESULT).write_text('{"environment": "x"}')
    with pytest.raises(EvaluationError, match=r"result\.json is no RunResult: agent"):
        read_run(folder)
