"""Sweeps: every agent on every seed, each run stored and graded.

Belongs here: which runs there are, their folders and outcomes. One shift is played in `episode`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from contracts.canonical import canonical_bytes
from contracts.grade import Outcome, RunResult
from contracts.template import WorldTemplate
from contracts.world import Bundle
from evaluation.elsewhere import recorded_elsewhere
from evaluation.episode import REFERENCE, play, require_agent
from evaluation.errors import EvaluationError
from evaluation.hidden import figures_only, is_hidden, seen_events
from evaluation.journal import Journal
from evaluation.runs import (
    ACTIONS,
    EVENTS,
    GRADE,
    RESULT,
    read_run,
    result_of,
    run_name,
    truth_digest,
    world_folder,
    write_actions,
    write_bytes,
    write_grade,
    write_log,
    write_result,
)
from evaluation.seeds import SEED_KEY_VARIABLE, Seed
from grader.grading import grade_shift
from runtime.agents.registry import BLIND_REPLAY
from worldgen.building import build
from worldgen.bundle import read_bundle, write_bundle
from worldgen.errors import WorldError
from worldgen.reference import reference_knowledge
from worldgen.template import load_template

KEY_VARIABLES = ("RL_DOJO_KEY_FILE", SEED_KEY_VARIABLE)
"""Removed from the environment before a world is built or an agent starts."""
_MAX_ERROR = 300

Progress = Callable[[str, str, int, int], None]
"""Hears stage, step, done, total."""


@dataclass(frozen=True)
class Entrant:
    """Who works the shifts: an agent, and the language model it uses where it uses one."""

    agent: str
    model: str | None = None


@dataclass(frozen=True)
class Sweep:
    """Who works which worlds how often, and where that is kept."""

    env: Path
    """The environment's folder."""
    entrants: Sequence[Entrant]
    seeds: Sequence[Seed]
    level: str
    repeat: int
    """Runs per agent and seed."""
    out: Path
    """Folder of the sweep; worlds of public seeds with their truth go to `out/worlds`."""
    private: Path | None = None
    """Folder for the worlds of hidden seeds while they are played."""

    @property
    def environment(self) -> str:
        """The environment's name."""
        return self.env.resolve().name

    @property
    def folders(self) -> list[Path]:
        """The folders of all runs, by agent, seed and repeat."""
        return [self.out / run_name(result) for _, result in _planned(self)]

    def world_of(self, seed: Seed) -> Path:
        """Returns where the world of a seed is kept.

        Raises:
            EvaluationError: the seed is hidden and the sweep has no private folder.
        """
        if not seed.public and self.private is None:
            raise EvaluationError(f"seed {seed.label} is hidden: only a whole sweep may build its world")
        folder = self.out if seed.public or self.private is None else self.private
        return world_folder(folder, _result(self, Entrant(""), seed, 1))


@dataclass(frozen=True)
class BuiltWorlds:
    """The worlds of a sweep, by the label of their seed."""

    hashes: dict[str, str]
    defects: dict[str, str]
    """Why a world could not be built."""


@dataclass(frozen=True)
class _Job:
    folder: Path
    world: Path
    result: RunResult


def run_sweep(
    env: Path,
    entrants: Sequence[Entrant],
    seeds: Sequence[Seed],
    level: str,
    repeat: int,
    out: Path,
    progress: Progress,
    parallel: int = 1,
    resume: bool = False,
) -> list[RunResult]:
    """Returns the results of all runs, by agent, seed and repeat; each run's folder holds log and grade.

    A world that cannot be built makes its runs `env_defect`, an agent that crashes makes its run
    `infra_error`; the others go on. Neither ever counts as a reward of 0.

    Args:
        env: the environment's folder.
        entrants: agents with their models.
        seeds: as `evaluation.seeds` makes them.
        level: a level of the template.
        repeat: runs per agent and seed.
        out: folder of the sweep; worlds with their truth go to `out/worlds`.
        progress: hears how many runs are done.
        parallel: processes that play shifts; results do not depend on it.
        resume: keeps runs that this folder already holds for the same world.

    Raises:
        EvaluationError: unknown agent, no seeds, or numbers out of range.
        WorldError: the environment has no usable template, or not this level.
    """
    with tempfile.TemporaryDirectory(prefix="rl-dojo-") as private:  # open to this user only
        sweep = Sweep(env, entrants, seeds, level, repeat, out, Path(private))
        _require_entrants(sweep, parallel)
        return play_shifts(sweep, build_worlds(sweep, progress), progress, parallel, resume)


def build_worlds(sweep: Sweep, progress: Progress) -> BuiltWorlds:
    """Builds the worlds of all seeds into `out/worlds` and returns their hashes; a defect stops no other.

    Raises:
        EvaluationError: no seeds.
        WorldError: the environment has no usable template, or not this level.
    """
    forget_keys()
    if not sweep.seeds:
        raise EvaluationError("a sweep needs at least one seed")
    template = _template(
        sweep.env, sweep.level
    )  # what is wrong here is the caller's mistake, no defect of one world
    folders = [sweep.world_of(seed) for seed in sweep.seeds]
    blind = any(entrant.agent == BLIND_REPLAY for entrant in sweep.entrants)
    worlds = BuiltWorlds({}, {})
    for done, (seed, folder) in enumerate(zip(sweep.seeds, folders, strict=True), start=1):
        try:
            built = _build_world(template, seed, sweep.level, folder, blind)
            worlds.hashes[seed.label] = built.world_hash
        except Exception as error:
            told = type(error).__name__ + (f": {error}" if seed.public else "")
            worlds.defects[seed.label] = f"the world could not be built: {told}"
        progress("world", f"seed {seed.label}", done, len(sweep.seeds))
    return worlds


def stored_worlds(sweep: Sweep) -> BuiltWorlds:
    """Returns the worlds that `build_worlds` left in `out/worlds`; one that is absent is a defect."""
    worlds = BuiltWorlds({}, {})
    for seed in sweep.seeds:
        try:
            worlds.hashes[seed.label] = read_bundle(sweep.world_of(seed)).world_hash
        except WorldError as error:
            worlds.defects[seed.label] = f"no world: {error}"
    return worlds


def play_shifts(
    sweep: Sweep, worlds: BuiltWorlds, progress: Progress, parallel: int = 1, resume: bool = False
) -> list[RunResult]:
    """Returns the results of all runs in worlds that stand; the other arguments are those of `run_sweep`.

    Raises:
        EvaluationError: unknown agent, no agent, or numbers out of range.
    """
    forget_keys()
    _require_entrants(sweep, parallel)
    jobs, results = [], []
    for seed, result in _planned(sweep):
        folder = sweep.out / run_name(result)
        if folder in results:
            raise EvaluationError(f"two runs would share the folder {folder.name}: enter each agent once")
        defect = worlds.defects.get(result.seed_label)
        planned = result.model_copy(update={"world_hash": worlds.hashes.get(result.seed_label, "")})
        if defect is not None:
            _clear(folder)
            failed = planned.model_copy(update={"outcome": Outcome.ENV_DEFECT, "error": defect[:_MAX_ERROR]})
            write_result(folder, failed)
        elif not (resume and _is_done(folder, planned)):
            _clear(folder)
            write_result(folder, planned)
            jobs.append(_Job(folder, sweep.world_of(seed), planned))
        results.append(folder)
    for done, job in enumerate(_run_jobs(jobs, parallel), start=1):
        progress("run", job.folder.name, done, len(jobs))
    return [read_run(folder).result for folder in results]


def _require_entrants(sweep: Sweep, parallel: int) -> None:
    if not sweep.entrants:
        raise EvaluationError("a sweep needs at least one agent")
    if sweep.repeat < 1 or parallel < 1:
        raise EvaluationError(f"--repeat {sweep.repeat} --parallel {parallel}: both are at least 1")
    for entrant in sweep.entrants:
        require_agent(entrant.agent)


def forget_keys() -> None:
    """Removes the variables that name key files from this process and all that it starts."""
    for variable in KEY_VARIABLES:
        os.environ.pop(variable, None)


def build_world(env: Path, seed: Seed, level: str, folder: Path) -> Bundle:
    """Builds one world with the reference's knowledge into a folder and returns it.

    Raises:
        WorldError: the template is unusable or has no such level.
    """
    return _build_world(_template(env, level), seed, level, folder)


def _template(env: Path, level: str) -> WorldTemplate:
    template = load_template(env)
    if level not in template.authored.levels:
        raise WorldError(f"no level {level!r} in {env} (have: {', '.join(template.authored.levels)})")
    return template


def _build_world(
    template: WorldTemplate, seed: Seed, level: str, folder: Path, blind: bool = False
) -> Bundle:
    bundle = build(template, seed.value, level)
    knowledge = reference_knowledge(template, bundle)
    if blind:
        elsewhere = recorded_elsewhere(template, level, seed.value)
        knowledge = knowledge.model_copy(update={"elsewhere": elsewhere})
    # The world hash does not cover the seed, so a hidden seed can be left off the stored card.
    stored = bundle if seed.public else bundle.model_copy(update={"seed": 0})
    write_bundle(stored, folder)
    write_bytes(folder / REFERENCE, canonical_bytes(knowledge.model_dump(mode="json")) + b"\n")
    return stored


def _planned(sweep: Sweep) -> Iterator[tuple[Seed, RunResult]]:
    for entrant in sweep.entrants:
        for seed in sweep.seeds:
            for number in range(1, sweep.repeat + 1):
                yield seed, _result(sweep, entrant, seed, number)


def _result(sweep: Sweep, entrant: Entrant, seed: Seed, repeat: int) -> RunResult:
    return RunResult(
        environment=sweep.environment,
        agent=entrant.agent,
        model=entrant.model,
        seed=seed.shown,
        seed_label=seed.label,
        level=sweep.level,
        repeat=repeat,
        outcome=Outcome.INFRA_ERROR,
        error="the run did not finish",
    )


def _is_done(folder: Path, planned: RunResult) -> bool:
    if not (folder / RESULT).is_file():
        return False
    stored = read_run(folder).result
    graded = stored.outcome is Outcome.GRADED and stored.reward is not None
    return graded and stored.world_hash == planned.world_hash


def _clear(folder: Path) -> None:
    """Removes what an earlier run left, so that no stale grade stands beside a new outcome."""
    for name in (RESULT, GRADE, EVENTS, ACTIONS):
        (folder / name).unlink(missing_ok=True)


def _run_jobs(jobs: Sequence[_Job], parallel: int) -> Iterator[_Job]:
    if parallel == 1 or len(jobs) < 2:
        for job in jobs:
            _run(job)
            yield job
        return
    try:
        with ProcessPoolExecutor(min(parallel, len(jobs)), mp_context=get_context("spawn")) as pool:
            for job, _ in zip(jobs, pool.map(_run, jobs), strict=True):
                yield job
    except BrokenProcessPool:
        return  # a killed process: its runs and those not begun stand as infra_error, --resume takes them up


def _run(job: _Job) -> None:
    """Plays, stores and grades one run; what goes wrong becomes the run's outcome, never a silent 0."""
    bundle = read_bundle(job.world)
    hidden = is_hidden(job.result)
    with Journal(job.folder, hidden=hidden) as journal:
        played = play(bundle, job.world / REFERENCE, job.result.agent, journal)
    write_actions(job.folder, played.recording)
    result = job.result.model_copy(
        update={
            "minutes": played.minutes,
            "log_sha256": write_log(job.folder, seen_events(played.events) if hidden else played.events),
            "truth_sha256": truth_digest(bundle.truth),
        }
    )
    if played.error:
        error = ": ".join(played.error.split(": ")[:2]) if hidden else played.error
        _store(job, result, Outcome.INFRA_ERROR, error)
        return
    try:
        grade = grade_shift(played.events, bundle.truth)
    except Exception as fault:  # a grader that fails is a defect of ours, never the agent's
        told = "" if hidden else f": {fault}"
        _store(job, result, Outcome.ENV_DEFECT, f"no grade: {type(fault).__name__}{told}")
        return
    # The result comes last: a kill before it leaves a run that says it did not finish.
    write_grade(job.folder, figures_only(grade) if hidden else grade)
    _store(job, result_of(result, grade), Outcome.GRADED, "")


def _store(job: _Job, result: RunResult, outcome: Outcome, error: str) -> None:
    write_result(job.folder, result.model_copy(update={"outcome": outcome, "error": error[:_MAX_ERROR]}))
