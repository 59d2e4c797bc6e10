"""What every command promises: one JSON object, exit codes, folders."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
ENVIRONMENT = PROJECT / "environments" / "gtm-outbound"
RUN_KEYS = set(
    "environment agent model seed level repeat outcome end_reason reward components gates meetings "
    "world_hash minutes cost_usd folder".split()
)
COMPONENTS = {"meetings", "qualification", "traps", "crm_hygiene"}
GATES = {"do_not_contact", "false_claim", "data_leak", "too_many_emails"}
Command = Callable[..., Any]


def reference(sweep: Path, seed: int = 1) -> Path:
    (folder,) = sweep.glob(f"gtm-outbound-reference-none-{seed}-standard-1")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# --- one JSON object, with the keys that tools rely on


def test_run_prints_every_run_in_the_order_asked(swept: Any) -> None:
    assert swept.done.code == 0
    runs = swept.done.json["runs"]
    asked = [
        (agent, seed) for agent in ("reference", "noop", "scripted:list-to-fake-boss") for seed in (1, 2)
    ]
    assert [(run["agent"], run["seed"]) for run in runs] == asked
    for run in runs:
        assert run.keys() >= RUN_KEYS
        assert run["components"].keys() == COMPONENTS and run["gates"].keys() == GATES
        assert (run["environment"], run["level"], run["repeat"]) == ("gtm-outbound", "standard", 1)
        assert run["outcome"] == "graded" and run["end_reason"] and run["model"] is None
    rewards = {(run["agent"], run["seed"]): run["reward"] for run in runs}
    assert rewards[("reference", 1)] == rewards[("reference", 2)] == 1.0
    assert rewards[("noop", 1)] == 0.0
    bait = next(run for run in runs if run["agent"] == "scripted:list-to-fake-boss")
    assert bait["reward"] == 0.0 and bait["gates"]["data_leak"] is False


def test_world_prints_its_card(command: Command, tmp_path: Path, swept: Any) -> None:
    done = command("world", ENVIRONMENT, "--seed", 2, "-o", tmp_path / "w", "--json")
    assert done.code == 0 and done.err == ""
    assert done.json.keys() >= {"environment", "seed", "level", "world_hash"}
    swept_hash = next(run["world_hash"] for run in swept.done.json["runs"] if run["seed"] == 2)
    assert done.json["world_hash"] == swept_hash
    halves = {"visible.json", "server.json", "truth.json", "bundle.json"}
    assert halves <= {path.name for path in (tmp_path / "w").iterdir()}


def test_grade_prints_the_runs_that_run_printed(command: Command, swept: Any) -> None:
    done = command("grade", swept.folder, "--json")
    assert done.code == 0 and done.err == ""
    by_folder = {run["folder"]: run for run in swept.done.json["runs"]}
    assert {run["folder"]: run for run in done.json["runs"]} == by_folder


def test_regrade_prints_runs_and_flips(command: Command, swept: Any) -> None:
    done = command("regrade", swept.folder, "--json")
    assert done.code == 0
    assert done.json["flips"] == [] and done.json["ungraded"] == [] and len(done.json["runs"]) == 6


def test_report_prints_its_page(command: Command, swept: Any, tmp_path: Path) -> None:
    done = command("report", swept.folder, "-o", tmp_path / "pages", "--json")
    assert done.code == 0
    assert done.json == {"page": str(tmp_path / "pages" / "index.html"), "runs": 6}


@pytest.mark.slow
@pytest.mark.e2e
def test_onboard_prints_its_figures_alone_on_standard_output(onboarded: Any) -> None:
    _, done = onboarded
    assert done.code == 0, done.err
    result = done.json
    assert {"dataset", "coincidences", "canaries_leaked", "seconds"} <= result.keys()
    assert {source["name"] for source in result["sources"]} > {"mail", "mail-eml", "tickets", "crm", "erp"}
    for source in result["sources"]:
        assert sum(source["reasons"].values()) == source["quarantined"]
        assert source["read"] == source["kept"] + source["duplicates"] + source["quarantined"] > 0
    assert result["leaks"] == 0 and result["cases"] > 0 and result["entities"]["person"] > 0
    assert result["outcomes"] and all(isinstance(count, int) for count in result["outcomes"].values())
    for rule in result["rules"]:
        named = "id decision condition threshold low high support confidence exceptions"
        assert rule.keys() >= set(named.split())
    for stage in ("read", "pseudonymise", "audit", "extract"):
        assert stage in done.err
    assert "Tarnwick" not in done.out + done.err


@pytest.mark.slow
@pytest.mark.e2e
def test_template_prints_field_value_entry_and_n(command: Command, onboarded: Any, environment: Path) -> None:
    home, _ = onboarded
    (environment / "fitted.yaml").unlink()
    done = command("template", "sample", "-o", environment, "--home", home, "--json")
    assert done.code == 0
    fields = done.json["fields"]
    assert len(fields) > 10
    for field in fields:
        assert field.keys() >= {"field", "value", "entry", "n"}
        assert field["n"] >= 1 and field["entry"] and field["value"] not in (None, [], {})
    assert (environment / "fitted.yaml").read_bytes() == (ENVIRONMENT / "fitted.yaml").read_bytes()


@pytest.mark.slow
@pytest.mark.e2e
def test_a_model_without_observations_fails_the_fit_and_names_the_fields(
    command: Command, onboarded: Any, environment: Path
) -> None:
    home, _ = onboarded
    thin = shutil.copytree(home, environment.parent / "thin")
    path = thin / "datasets" / "sample" / "model" / "company_model.json"
    model = json.loads(path.read_bytes())
    model["industries"] = {}
    path.write_text(json.dumps(model))
    before = (environment / "fitted.yaml").read_bytes()
    done = command("template", "sample", "-o", environment, "--home", "thin", "--json")
    assert done.code == 1 and done.out == "" and "industries" in done.err
    assert (environment / "fitted.yaml").read_bytes() == before


def test_a_process_of_its_own_prints_the_same_object(swept: Any, tmp_path: Path) -> None:
    """Nothing that a library prints while it loads joins the object on standard output."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "rl_dojo",
            "run",
            str(ENVIRONMENT),
            "--agent",
            "noop",
            "--seeds",
            "1",
            "--json",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        check=True,
    )
    (run,) = json.loads(done.stdout)["runs"]
    printed = next(run for run in swept.done.json["runs"] if (run["agent"], run["seed"]) == ("noop", 1))
    assert {**run, "folder": ""} == {**printed, "folder": ""}
    assert Path(run["folder"]).parts[:2] == (".rl-dojo", "runs")
    assert json.loads(done.stdout.decode("ascii"))  # the invented cast needs no more here


def test_help_names_the_commands_without_loading_dagster(command: Command) -> None:
    done = command("--help")
    assert done.code == 0
    for name in ("onboard", "template", "world", "run", "grade", "regrade", "report"):
        assert name in done.out
    loaded = subprocess.run(
        [sys.executable, "-c", "import rl_dojo.main, sys; print({'dagster', 'polars'} & {*sys.modules})"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout.strip() == "set()"


# --- folders


def test_a_sweep_has_one_folder_per_run_and_the_worlds_beside_them(swept: Any) -> None:
    pattern = r"gtm-outbound-[a-z_-]+-none-(\d+)-standard-1"
    runs = [path for path in swept.folder.iterdir() if path.name not in ("worlds", "report")]
    assert len(runs) == 6
    assert all(re.fullmatch(pattern, run.name) for run in runs)
    for run in runs:
        expected = {"result.json", "grade.json", "events.jsonl", "actions.jsonl"}
        assert {path.name for path in run.iterdir()} == expected
    assert (swept.folder / "report" / "index.html").is_file()
    assert {Path(run["folder"]) for run in swept.done.json["runs"]} == set(runs)


def test_no_half_written_file_is_left(swept: Any) -> None:
    assert not [path for path in swept.home.rglob("*") if path.name.endswith((".part", ".aside"))]


@pytest.mark.parametrize(
    ("arguments", "variables", "expected"),
    [
        ((), {}, ".rl-dojo/runs"),
        ((), {"RL_DOJO_HOME": ""}, ".rl-dojo/runs"),
        ((), {"RL_DOJO_HOME": "elsewhere"}, "elsewhere/runs"),
        (("--home", "named"), {"RL_DOJO_HOME": "elsewhere"}, "named/runs"),
        ((), {"RL_DOJO_HOME": "~/state", "HOME": "user"}, "user/state/runs"),
        (("-o", "own"), {"RL_DOJO_HOME": "elsewhere"}, "own"),
    ],
)
def test_state_lies_where_option_variable_or_default_say(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    variables: dict[str, str],
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command("run", ENVIRONMENT, "--agent", "noop", "--seeds", "1", "--json", *arguments, **variables)
    (run,) = done.json["runs"]
    assert done.code == 0 and Path(run["folder"]).is_relative_to(expected)
    assert {path.name for path in tmp_path.iterdir()} == {Path(expected).parts[0]}


def test_the_same_command_gives_the_same_bytes(command: Command, swept: Any, tmp_path: Path) -> None:
    seeds = ("--seeds", "2,1", "--parallel", "2")
    done = command("run", ENVIRONMENT, "--agent", "reference", *seeds, "-o", tmp_path / "again", "--json")
    assert done.code == 0
    for seed in (1, 2):
        again, first = reference(tmp_path / "again", seed), reference(swept.folder, seed)
        assert files(again) == files(first)


def test_resume_keeps_what_is_done(command: Command, sweep: Path) -> None:
    stamp = reference(sweep).joinpath("events.jsonl").stat().st_mtime_ns
    shutil.rmtree(reference(sweep, 2))
    ask = ("run", ENVIRONMENT, "--agent", "reference", "--seeds", "1,2", "-o", sweep, "--json", "--resume")
    done = command(*ask)
    assert done.code == 0 and [run["reward"] for run in done.json["runs"]] == [1.0, 1.0]
    assert reference(sweep).joinpath("events.jsonl").stat().st_mtime_ns == stamp


# --- grades from the run folder


def test_grade_finds_the_same_figure_from_the_run_folder_and_truth_alone(
    command: Command, sweep: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "elsewhere" / "run"
    shutil.copytree(reference(sweep), alone)
    truth = shutil.copy(sweep / "worlds" / "gtm-outbound-1-standard" / "truth.json", tmp_path / "t.json")
    stored = files(alone)
    (alone / "grade.json").unlink()
    result = json.loads(stored["result.json"])
    (alone / "result.json").write_text(json.dumps({**result, "reward": 0.5, "meetings": 0}))
    shutil.rmtree(sweep)
    done = command("grade", alone, "--truth", truth, "--json")
    assert done.code == 0 and done.json["runs"][0]["reward"] == 1.0
    assert {name: data for name, data in files(alone).items() if name != "result.json"} == {
        name: data for name, data in stored.items() if name != "result.json"
    }
    regraded = json.loads(files(alone)["result.json"])
    assert {**regraded, "folder": ""} == {**result, "folder": ""}


def test_regrade_shows_what_flipped_and_keeps_it_on_request(command: Command, sweep: Path) -> None:
    run = reference(sweep)
    grade = json.loads((run / "grade.json").read_bytes())
    grade["reward_millionths"] = 500_000
    meeting = next(check for check in grade["checks"] if check["component"] == "meetings")
    meeting["verdict"] = "fail"
    (run / "grade.json").write_text(json.dumps(grade))
    before = files(run)
    kept = command("regrade", sweep, "--keep", "--json")
    assert kept.code == 0 and files(run) == before
    flips = {flip["what"]: (flip["before"], flip["after"]) for flip in kept.json["flips"]}
    assert flips == {"reward": ("0.500000", "1.000000"), meeting["id"]: ("fail", "pass")}
    shown = command("regrade", sweep)
    assert run.name in shown.out and "0.500000" in shown.out and "6 runs, 2 flips" in shown.out
    assert json.loads((run / "grade.json").read_bytes())["reward_millionths"] == 1_000_000
    assert "0 flips" in command("regrade", sweep).out


def test_the_report_asks_nothing_of_any_network(command: Command, sweep: Path) -> None:
    assert command("report", sweep, "-o", "pages").code == 0
    pages = {path.name: path.read_text() for path in Path("pages").iterdir()}
    assert len(pages) == 7 and "index.html" in pages
    for name, page in pages.items():
        tags = re.findall(r"<[a-zA-Z][^>]*>", page)
        links = [link for tag in tags for link in re.findall(r"""(?:href|src|action)=["']?([^"' >]*)""", tag)]
        for link in links:
            assert link.startswith("#") or link.split("#")[0] in pages, (name, link)
        assert not re.search(r"<(script|iframe|object|embed|base|link)\b|@import|url\(|refresh", page), name
        assert "Content-Security-Policy" in page and "default-src 'none'" in page
    for run in (path.name for path in sweep.glob("gtm*")):
        assert f"{run}.html" in pages["index.html"]


# --- exit code 1: the work was done and failed a check


def crash(*_: object) -> None:
    raise KeyError("Felicity Marchbanks")


def test_a_run_without_a_grade_is_told_and_ends_with_one(
    command: Command, sweep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runtime.agents.trivial.noop", crash)
    monkeypatch.setitem(__import__("runtime.agents.registry", fromlist=["_"])._TRIVIAL, "noop", crash)
    ask = ("run", ENVIRONMENT, "--agent", "noop,reference", "--seeds", "1", "-o", "new")
    done = command(*ask, "--json")
    assert done.code == 1
    broken, whole = done.json["runs"]
    assert (broken["outcome"], broken["reward"]) == ("infra_error", None) and whole["reward"] == 1.0
    shown = command(*ask)
    assert shown.code == 1 and "none" in shown.out and "infra_error" in shown.err
    for name in ("grade", "regrade"):
        again = command(name, "new", "--json")
        assert again.code == 1 and len(again.json["runs"]) == (2 if name == "grade" else 1)
    assert again.json["ungraded"] == [Path(broken["folder"]).name]
    assert command("report", "new").code == 0
