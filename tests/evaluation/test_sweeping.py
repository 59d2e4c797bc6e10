from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from contracts.grade import Outcome, RunResult
from contracts.template import WorldTemplate
from contracts.world import Bundle
from evaluation import sweeping
from evaluation.errors import EvaluationError
from evaluation.regrading import regrade
from evaluation.runs import EVENTS, GRADE, RESULT
from evaluation.seeds import Seed, public_seeds
from evaluation.sweeping import Entrant, run_sweep
from runtime.agents.registry import agent_named
from runtime.core import Shift
from worldgen.building import build as real_build
from worldgen.errors import WorldError

ENV = Path(__file__).parents[2] / "environments" / "gtm-outbound"


def sweep(
    out: Path,
    agents: str = "noop",
    seeds: str = "1",
    repeat: int = 1,
    parallel: int = 1,
    resume: bool = False,
) -> list[RunResult]:
    entrants = [Entrant(name) for name in agents.split(",")]
    drawn = public_seeds(seeds)
    return run_sweep(ENV, entrants, drawn, "standard", repeat, out, _silent, parallel, resume)


def _silent(stage: str, step: str, done: int, total: int) -> None:
    assert 0 < done <= total, (stage, step)


def test_every_agent_meets_the_same_worlds(tmp_path: Path) -> None:
    results = sweep(tmp_path, "reference,noop", "1,2")
    assert [(result.agent, result.seed) for result in results] == [
        ("reference", 1),
        ("reference", 2),
        ("noop", 1),
        ("noop", 2),
    ]
    assert results[0].world_hash == results[2].world_hash != results[1].world_hash
    assert {result.outcome for result in results} == {Outcome.GRADED}


def test_the_reference_beats_doing_nothing_which_earns_nothing(tmp_path: Path) -> None:
    reference, noop = sweep(tmp_path, "reference,noop")
    assert (reference.reward, noop.reward) == (1.0, 0.0)


def test_truth_and_reference_lie_beside_the_world_and_not_in_the_run(tmp_path: Path) -> None:
    (result,) = sweep(tmp_path)
    assert {path.name for path in Path(result.folder).iterdir()} == {
        "result.json",
        "grade.json",
        "events.jsonl",
        "actions.jsonl",
    }
    assert (tmp_path / "worlds" / "gtm-outbound-1-standard" / "truth.json").is_file()


def test_results_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    one = sweep(tmp_path / "one", "noop,scripted:quits-early", repeat=2)
    two = sweep(tmp_path / "two", "noop,scripted:quits-early", repeat=2, parallel=2)
    for left, right in zip(one, two, strict=True):
        for name in (EVENTS, GRADE, RESULT):
            assert (Path(left.folder) / name).read_bytes() == (Path(right.folder) / name).read_bytes()


def test_grading_again_changes_nothing(tmp_path: Path) -> None:
    (result,) = sweep(tmp_path, "reference")
    before = (Path(result.folder) / GRADE).read_bytes()
    (again,) = regrade([Path(result.folder)])
    assert again.flips == ()
    assert (Path(result.folder) / GRADE).read_bytes() == before


def test_another_grade_shows_as_flips_and_is_kept_only_when_asked(tmp_path: Path) -> None:
    (result,) = sweep(tmp_path)
    path = Path(result.folder) / GRADE
    grade = json.loads(path.read_bytes())
    edited = {**grade, "reward_millionths": 500_000, "gates": {**grade["gates"], "data_leak": False}}
    path.write_text(json.dumps(edited))
    (shown,) = regrade([Path(result.folder)], write=False)
    assert {flip.what for flip in shown.flips} == {"reward", "gate:data_leak"}
    assert json.loads(path.read_bytes())["reward_millionths"] == 500_000
    regrade([Path(result.folder)])
    assert json.loads(path.read_bytes()) == grade


def test_a_result_that_states_another_reward_than_its_grade_shows_as_flip(tmp_path: Path) -> None:
    (result,) = sweep(tmp_path)
    path = Path(result.folder) / "result.json"
    path.write_text(path.read_text().replace('"reward": 0.0', '"reward": 1.0'))
    (again,) = regrade([Path(result.folder)])
    assert [(flip.what, flip.before, flip.after) for flip in again.flips] == [("result:reward", "1.0", "0.0")]
    assert regrade([Path(result.folder)])[0].flips == ()


@pytest.mark.parametrize("kept", [0, 1, -1])
def test_a_log_whose_end_was_cut_off_is_refused(tmp_path: Path, kept: int) -> None:
    (result,) = sweep(tmp_path)
    log, grade = Path(result.folder) / EVENTS, Path(result.folder) / GRADE
    before = grade.read_bytes()
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:kept]))
    with pytest.raises(EvaluationError, match="cut or edited"):
        regrade([Path(result.folder)])
    assert grade.read_bytes() == before


def test_only_a_runs_own_truth_grades_it(tmp_path: Path) -> None:
    first, second = sweep(tmp_path, seeds="1,2")
    other = tmp_path / "worlds" / "gtm-outbound-2-standard" / "truth.json"
    with pytest.raises(EvaluationError, match="is not the truth of"):
        regrade([Path(first.folder)], truth=other)
    truth = json.loads(other.read_bytes())
    other.write_text(json.dumps({**truth, "unsolicited_limit": 99}))
    with pytest.raises(EvaluationError, match="is not the truth of"):
        regrade([Path(second.folder)])


def test_a_run_that_was_killed_before_its_grade_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(folder: Path, grade: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(sweeping, "write_grade", kill)
        with pytest.raises(KeyboardInterrupt):
            sweep(tmp_path)
    (again,) = sweep(tmp_path, resume=True)
    assert (again.outcome, again.reward) == (Outcome.GRADED, 0.0)


def test_a_crashed_agent_is_no_zero_and_leaves_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(self: object, shift: Shift, knowledge: object) -> None:
        raise ZeroDivisionError("at work")

    monkeypatch.setattr(type(agent_named("noop")), "work", crash)
    (result,) = sweep(tmp_path)
    assert (result.outcome, result.reward) == (Outcome.INFRA_ERROR, None)
    assert "ZeroDivisionError: at work" in result.error
    assert (Path(result.folder) / EVENTS).stat().st_size > 0
    assert not (Path(result.folder) / GRADE).exists()


def test_a_grader_that_fails_is_our_defect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(events: object, truth: object) -> None:
        raise KeyError("stage")

    sweep(tmp_path)
    monkeypatch.setattr(sweeping, "grade_shift", fail)
    (result,) = sweep(tmp_path)
    assert (result.outcome, result.reward) == (Outcome.ENV_DEFECT, None)
    assert not (Path(result.folder) / GRADE).exists(), "the grade of the run before is gone"


def test_a_world_that_cannot_be_built_is_a_defect_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def build(template: WorldTemplate, seed: int, level: str) -> Bundle:
        if seed == 1:
            raise WorldError("no such world")
        return real_build(template, seed, level)

    monkeypatch.setattr(sweeping, "build", build)
    first, second = sweep(tmp_path, seeds="1,2")
    assert (first.outcome, first.reward) == (Outcome.ENV_DEFECT, None)
    assert second.outcome is Outcome.GRADED


def test_a_resumed_sweep_keeps_what_is_done(tmp_path: Path) -> None:
    (done,) = sweep(tmp_path)
    stamp = (Path(done.folder) / EVENTS).stat().st_mtime_ns
    again = sweep(tmp_path, seeds="1,2", resume=True)
    assert (Path(done.folder) / EVENTS).stat().st_mtime_ns == stamp
    assert [result.outcome for result in again] == [Outcome.GRADED] * 2


def test_a_hidden_seed_is_written_nowhere(tmp_path: Path) -> None:
    value = 2**127 + 987_654_321
    hidden = Seed("test-1", value, public=False)
    (result,) = run_sweep(ENV, [Entrant("noop")], [hidden], "standard", 1, tmp_path, _silent)
    assert (result.seed, result.seed_label) == (None, "test-1")
    assert result.outcome is Outcome.GRADED
    for path in tmp_path.rglob("*.json*"):
        assert str(value).encode() not in path.read_bytes()


def test_keys_are_forgotten_before_a_world_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in sweeping.KEY_VARIABLES:
        monkeypatch.setenv(name, str(tmp_path / "key"))
    seen: list[str] = []

    def build(template: WorldTemplate, seed: int, level: str) -> Bundle:
        seen.extend(name for name in sweeping.KEY_VARIABLES if name in os.environ)
        return real_build(template, seed, level)

    monkeypatch.setattr(sweeping, "build", build)
    sweep(tmp_path / "out")
    assert seen == []


def test_unknown_agents_levels_and_empty_sweeps_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="no agent 'nobody'"):
        sweep(tmp_path, "nobody")
    with pytest.raises(EvaluationError, match="at least one"):
        run_sweep(ENV, [], public_seeds("1"), "standard", 1, tmp_path, _silent)
    with pytest.raises(WorldError, match="no level 'heroic'"):
        run_sweep(ENV, [Entrant("noop")], public_seeds("1"), "heroic", 1, tmp_path, _silent)
    assert not list(tmp_path.iterdir())
    twins = [Entrant("noop", "a/b"), Entrant("noop", "a_b")]
    with pytest.raises(EvaluationError, match="share the folder"):
        run_sweep(ENV, twins, public_seeds("1"), "standard", 1, tmp_path, _silent)
