"""Stored runs play again to the same log and grade; whatever was changed shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contracts.grade import RunResult
from evaluation.errors import EvaluationError
from evaluation.replaying import replay_run
from evaluation.runs import ACTIONS, GRADE
from evaluation.seeds import public_seeds
from evaluation.sweeping import Entrant, run_sweep

ENV = Path(__file__).parents[2] / "environments" / "gtm-outbound"
AGENTS = ("reference", "noop", "scripted:spammer", "scripted:topic-guesser", "scripted:list-to-fake-boss")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[RunResult]:
    out = tmp_path_factory.mktemp("sweep")
    return run_sweep(
        ENV, [Entrant(name) for name in AGENTS], public_seeds("3"), "standard", 1, out, lambda *_: None
    )


def test_the_same_actions_at_the_same_times_give_log_and_grade_again(results: list[RunResult]) -> None:
    for result in results:
        replayed = replay_run(Path(result.folder))
        assert (replayed.log_equal, replayed.grade_equal) == (True, True), result.agent
        assert replayed.log_sha256 == result.log_sha256


def test_a_changed_action_or_grade_shows(results: list[RunResult]) -> None:
    reference = Path(results[0].folder)
    actions, grade = (reference / ACTIONS).read_bytes(), (reference / GRADE).read_bytes()
    (reference / ACTIONS).write_bytes(actions.replace(b'"Qualified"', b'"Not a fit"', 1))
    assert not replay_run(reference).log_equal
    (reference / ACTIONS).write_bytes(actions)
    edited = {**json.loads(grade), "meetings": 4}
    (reference / GRADE).write_text(json.dumps(edited), "utf-8")
    assert replay_run(reference).grade_equal is False
    (reference / GRADE).write_bytes(grade)
    assert replay_run(reference).equal


def test_another_world_is_refused(results: list[RunResult], tmp_path: Path) -> None:
    run_sweep(ENV, [Entrant("noop")], public_seeds("4"), "standard", 1, tmp_path, lambda *_: None)
    with pytest.raises(EvaluationError, match="another world"):
        replay_run(Path(results[0].folder), tmp_path / "worlds" / "gtm-outbound-4-standard")
    with pytest.raises(EvaluationError, match="no world"):
        replay_run(Path(results[0].folder), tmp_path / "absent")
