"""A hidden seed and its truth are nowhere: not in a sweep's folder, not in a report, not in a package."""

from __future__ import annotations

import base64
import hmac
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.canonical import canonical_bytes
from contracts.grade import Outcome, RunResult
from contracts.world import Bundle
from evaluation.errors import EvaluationError
from evaluation.hidden import HiddenWorlds
from evaluation.regrading import regrade
from evaluation.replaying import replay_run
from evaluation.reporting import write_report
from evaluation.runs import ACTIONS, GRADE
from evaluation.seeds import SEED_KEY_VARIABLE, public_seeds, split_seeds
from evaluation.sweeping import Entrant, Sweep, build_worlds, run_sweep
from worldgen.building import build
from worldgen.bundle import read_bundle
from worldgen.template import load_template

PROJECT = Path(__file__).parents[2]
ENV = PROJECT / "environments" / "gtm-outbound"
KEY = b"a-seed-key-of-thirty-two-bytes-x"
COUNT = 2
AGENTS = ("noop", "scripted:blanket-qualified", "scripted:topic-guesser", "scripted:generic-pitch")
OWN_WORK = "scripted:generic-pitch"
"""It knows every answer and writes them down itself, so the truth's words stand in its own actions."""
Files = dict[str, bytes]


def derived_values() -> dict[str, bytes]:
    """Returns every form in which key, digest or seed could stand somewhere."""
    found = {}
    for index in range(1, COUNT + 1):
        whole = hmac.digest(KEY, f"gtm-outbound/test/{index}".encode(), "sha256")
        value = int.from_bytes(whole[:16], "big")
        numbers = {"seed": whole[:16], "little": whole[:16][::-1], "digest": whole, "head": whole[:8]}
        found[f"{index} decimal"] = str(value).encode()
        found[f"{index} digest decimal"] = str(int.from_bytes(whole, "big")).encode()
        for name, raw in {**numbers, "key": KEY}.items():
            found[f"{index} {name} bytes"] = raw
            found[f"{index} {name} hex"] = raw.hex().encode()
            found[f"{index} {name} HEX"] = raw.hex().upper().encode()
            found[f"{index} {name} base64"] = base64.b64encode(raw).rstrip(b"=")
            found[f"{index} {name} urlsafe"] = base64.urlsafe_b64encode(raw).rstrip(b"=")
    return found


def files_below(folder: Path) -> Files:
    """Returns every file, and every member of archives, by name."""
    found: Files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as packed:
                    found.update({f"{path.name}!{name}": packed.read(name) for name in packed.namelist()})
    return found


def seeds_in(files: Files) -> list[tuple[str, str]]:
    return [
        (name, what)
        for name, held in files.items()
        for what, value in derived_values().items()
        if value in held or value in name.encode()
    ]


def truths_of(bundle: Bundle) -> Iterator[bytes]:
    """Yields what only the truth of a world says."""
    truth = bundle.truth
    for account in truth.accounts:
        stored = account.model_dump(mode="json")
        yield canonical_bytes(stored)
        yield canonical_bytes(stored["facts"])
        yield account.reason.encode()
        yield f"signed:{account.account_id}".encode()
        yield f"meeting:{account.account_id}".encode()
        yield f"duty:note:{account.account_id}".encode()
    yield from (b'"archetype"', b'"bait', b'"because"', b'"what"', b"trap:", b'"qualification_rules"')


def truths_in(files: Files, bundles: list[Bundle]) -> set[tuple[str, bytes]]:
    return {
        (name, value)
        for name, held in files.items()
        for bundle in bundles
        for value in truths_of(bundle)
        if re.search((rb"(?<!\w)%b(?!\w)" if value[-1:].isalnum() else rb"%b") % re.escape(value), held)
    }


@pytest.fixture(scope="module")
def bundles() -> list[Bundle]:
    template = load_template(ENV)
    return [build(template, seed.value) for seed in split_seeds("gtm-outbound", "test", COUNT, KEY)]


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[RunResult]]:
    out = tmp_path_factory.mktemp("sweep")
    seeds = split_seeds("gtm-outbound", "test", COUNT, KEY)
    entrants = [Entrant(name) for name in AGENTS]
    results = run_sweep(ENV, entrants, seeds, "standard", 1, out, lambda *_: None)
    write_report([Path(result.folder) for result in results], out / "report")
    return out, results


def test_results_name_the_index_and_no_seed(sweep: tuple[Path, list[RunResult]]) -> None:
    _, results = sweep
    assert {result.seed_label for result in results} == {"test-1", "test-2"}
    assert {result.seed for result in results} == {None}
    assert {result.outcome for result in results} == {Outcome.GRADED}
    assert any(result.reward for result in results)


def test_no_file_of_a_sweep_holds_a_seed_or_the_key(sweep: tuple[Path, list[RunResult]]) -> None:
    files = files_below(sweep[0])
    assert {"index.html", "events.jsonl"} <= {name.rpartition("/")[2] for name in files}
    assert seeds_in(files) == []


def test_no_file_of_a_sweep_tells_the_truth(
    sweep: tuple[Path, list[RunResult]], bundles: list[Bundle]
) -> None:
    files = files_below(sweep[0])
    assert not [name for name in files if "truth" in name or "reference" in name or "server" in name]
    told = truths_in({name: held for name, held in files.items() if "generic-pitch" not in name}, bundles)
    written = _written_by_the_agents(sweep[1])
    assert {found for found in told if found[1] not in written} == set()


def _written_by_the_agents(results: list[RunResult]) -> set[bytes]:
    own = b"".join(
        (Path(result.folder) / ACTIONS).read_bytes() for result in results if result.agent != OWN_WORK
    )
    return set(re.findall(rb"[a-z]+(?:_[a-z]+)+", own))


def test_the_same_search_finds_both_in_a_public_run(tmp_path: Path) -> None:
    value = split_seeds("gtm-outbound", "test", 1, KEY)[0].value
    (seed,) = public_seeds("5")
    run_sweep(ENV, [Entrant("noop")], [seed], "standard", 1, tmp_path, lambda *_: None)
    (tmp_path / "left.txt").write_text(f"seed {value}")
    assert [what for _, what in seeds_in(files_below(tmp_path))] == ["1 decimal"]
    worlds = tmp_path / "worlds" / "gtm-outbound-5-standard"
    runs = {name: held for name, held in files_below(tmp_path).items() if not name.startswith("worlds")}
    told = {value for _, value in truths_in(runs, [read_bundle(worlds)])}
    assert b"trap:" in told and any(value.startswith(b"meeting:") for value in told)


def test_who_holds_the_key_replays_and_grades_again(sweep: tuple[Path, list[RunResult]]) -> None:
    hidden = HiddenWorlds(ENV, KEY)
    folders = [Path(result.folder) for result in sweep[1] if result.seed_label == "test-2"]
    assert all(replay_run(folder, hidden=hidden).equal for folder in folders)
    before = [(folder / GRADE).read_bytes() for folder in folders]
    assert [again.flips for again in regrade(folders, hidden=hidden)] == [()] * len(folders)
    assert [(folder / GRADE).read_bytes() for folder in folders] == before


def test_without_the_key_or_with_another_nothing_is_graded(sweep: tuple[Path, list[RunResult]]) -> None:
    folder = Path(sweep[1][0].folder)
    with pytest.raises(EvaluationError, match=SEED_KEY_VARIABLE):
        regrade([folder])
    with pytest.raises(EvaluationError, match="another key"):
        replay_run(folder, hidden=HiddenWorlds(ENV, KEY[::-1]))
    assert KEY.decode() not in repr(HiddenWorlds(ENV, KEY))


def test_edited_actions_of_a_hidden_run_are_noticed(
    sweep: tuple[Path, list[RunResult]], tmp_path: Path
) -> None:
    copied = tmp_path / Path(sweep[1][2].folder).name
    shutil.copytree(sweep[1][2].folder, copied)
    actions = (copied / ACTIONS).read_bytes()
    (copied / ACTIONS).write_bytes(actions.replace(b'"Qualified"', b'"Not a fit"', 1))
    with pytest.raises(EvaluationError, match="edited"):
        regrade([copied], hidden=HiddenWorlds(ENV, KEY))


def test_worlds_of_hidden_seeds_are_built_by_whole_sweeps_only(tmp_path: Path) -> None:
    seeds = split_seeds("gtm-outbound", "test", 1, KEY)
    with pytest.raises(EvaluationError, match="hidden"):
        build_worlds(Sweep(ENV, [Entrant("noop")], seeds, "standard", 1, tmp_path), lambda *_: None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_built_package_holds_no_seed_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bundles: list[Bundle]
) -> None:
    key = tmp_path / "elsewhere" / "key"
    key.parent.mkdir()
    key.write_bytes(KEY)
    monkeypatch.setenv(SEED_KEY_VARIABLE, str(key))
    package = tmp_path / "package"
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(package)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    shutil.copytree(ENV, package / ENV.name)
    files = files_below(package)
    assert "gtm-outbound/instruction.md" in files
    assert any(name.endswith("!runtime/core.py") for name in files)
    assert seeds_in(files) == []
    accounts = {canonical_bytes(a.model_dump(mode="json")) for b in bundles for a in b.truth.accounts}
    assert not [name for name, held in files.items() if any(account in held for account in accounts)]
