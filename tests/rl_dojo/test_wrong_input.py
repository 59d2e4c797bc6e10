"""Wrong use and input: exit code 2, one message of what, where and what next, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
ENVIRONMENT = PROJECT / "environments" / "gtm-outbound"
SAMPLE = PROJECT / "data_samples" / "archive"
SECRET = "Felicity Marchbanks"
"""Stands in files that cannot be read: no message may quote it."""
Command = Callable[..., Any]
NOOP = ("--agent", "noop", "--seeds", "1")


def assert_refused(done: Any, message: str, folder: Path) -> None:
    assert done.code == 2, done.err
    assert message in " ".join(done.err.replace("│", " ").split())
    assert done.out == ""
    for telling in ("Traceback", "Error:", SECRET, "site-packages", str(folder), "[Errno", "unicode string"):
        assert telling not in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fly",), "No such command"),
        (("onboard",), "Missing argument"),
        (("onboard", "nowhere"), "no manifest"),
        (("template", "none", "-o", "gtm-outbound"), "no company model under .rl-dojo: onboard it first"),
        (("template", "No Name", "-o", "gtm-outbound"), "lower-case letters"),
        (("template", "../up", "-o", "gtm-outbound"), "lower-case letters"),
        (("template", "none", "-o", "nowhere"), "no folder nowhere"),
        (("world", "nowhere", "--seed", "1", "-o", "w"), "no folder nowhere"),
        (("world", "empty", "--seed", "1", "-o", "w"), "no environment"),
        (("world", "gtm-outbound", "--seed", "x", "-o", "w"), "--seed"),
        (("world", "gtm-outbound", "--seed", "-1", "-o", "w"), "--seed"),
        (("world", "gtm-outbound", "--seed", "1", "-o", "w", "--level", "odd"), "have: easy, standard"),
        (("world", "gtm-outbound", "--seed", "1", "-o", "file"), "file: file exists: give another path"),
        (("world", "gtm-outbound", "--seed", "1"), "--output"),
        (("run", "nowhere", *NOOP), "no folder nowhere"),
        (("run", "empty", *NOOP), "no folder authored/"),
        (("run", "gtm-outbound", "--agent", "ghost", "--seeds", "1"), "no agent 'ghost' (have: "),
        (("run", "gtm-outbound", "--agent", " , ", "--seeds", "1"), "--agent names no agent"),
        (("run", "gtm-outbound", "--agent", "noop"), "either --seeds 1,2,3 or --split"),
        (("run", "gtm-outbound", *NOOP, "--split", "train"), "either --seeds 1,2,3 or --split"),
        (("run", "gtm-outbound", *NOOP, "--count", "2"), "--count belongs to --split"),
        (("run", "gtm-outbound", *NOOP, "--model", "m-1"), "leave --model out"),
        (("run", "gtm-outbound", *NOOP, "--repeat", "0"), "--repeat"),
        (("run", "gtm-outbound", *NOOP, "--parallel", "0"), "--parallel"),
        (("run", "gtm-outbound", *NOOP, "--level", "odd"), "no level 'odd'"),
        (("run", "gtm-outbound", *NOOP, "-o", "file"), "file/"),
        (("run", "gtm-outbound", *NOOP, "--home", "file"), "file/runs/"),
        (("run", "gtm-outbound", "--agent", "noop", "--split", "odd"), "have: train, validation, test"),
        (("run", "gtm-outbound", "--agent", "noop", "--split", "test"), "set RL_DOJO_SEED_KEY_FILE"),
        (("grade",), "Missing argument"),
        (("grade", "nowhere"), "nowhere is no folder"),
        (("grade", "empty"), "no run under empty"),
        (("regrade", "empty"), "make one: rl-dojo run"),
        (("report", "file"), "file is no folder"),
        *(
            (("run", "gtm-outbound", "--agent", "noop", "--seeds", seeds), "--seeds")
            for seeds in ("x", "1,,2", "1-", "5-1", "1-99999999", "-3", "1.5", "1;2", "٣x")
        ),
    ],
)
def test_wrong_use_is_refused(
    command: Command, environment: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    assert_refused(command(*arguments), message, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {environment.name, "empty", "file"}


BROKEN_YAML = f"a: [1\nb: {SECRET}\n".encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BROKEN_YAML, "cannot be read: see line 2, column 2"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (b"- x", "is no mapping"),
        (f"company: {SECRET}".encode(), "is no world template: authored.cast."),
        (f"company: *{SECRET[:8]}".encode(), "see line 1, column 10"),
        (b"a: \x00", "cannot be read"),
        (None, "cast.yaml is missing"),
    ],
)
@pytest.mark.parametrize("ask", [("world", "--seed", "1", "-o", "w"), ("run", *NOOP)])
def test_a_layer_that_cannot_be_read_is_named(
    command: Command, environment: Path, tmp_path: Path, content: bytes | None, message: str, ask: tuple[str]
) -> None:
    layer = environment / "authored" / "cast.yaml"
    if content is None:
        layer.unlink()
    else:
        layer.write_bytes(content)
    done = command(ask[0], environment, *ask[1:])
    assert_refused(done, message, tmp_path)
    assert "cast" in done.err
    assert not (tmp_path / "w").exists() and not (tmp_path / ".rl-dojo").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BROKEN_YAML, "dataset.yaml is not YAML (line"),
        (f"company: *{SECRET[:8]}".encode(), "dataset.yaml is not YAML (line 1"),
        (b"\xff\xfe", "not UTF-8"),
        (b"", "no dataset manifest"),
        (f"name: x\ncompany: {SECRET}".encode(), "no dataset manifest: company"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_named_without_its_content(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "dataset.yaml").write_bytes(content)
    done = command("onboard", "archive")
    assert_refused(done, message, tmp_path)
    assert SECRET[:8] not in done.err


@pytest.mark.parametrize(
    ("name", "message"),
    [("Bad Name", "lower-case"), ("tarnwick", "company's own name"), ("../up", "lower-case")],
)
def test_a_dataset_name_that_may_not_be_is_refused(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(command("onboard", SAMPLE, "--name", name), message, tmp_path)
    assert list(tmp_path.iterdir()) == []


def reference(sweep: Path) -> Path:
    (folder,) = sweep.glob("gtm-outbound-reference-none-1-standard-1")
    return folder


def edit_line(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"actor":"', b'"actor":"x')
    path.write_bytes(b"".join(lines))


def drop_line(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:5] + lines[6:]))


def swap_lines(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], lines[5], lines[4], *lines[6:]]))


def text(content: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


@pytest.mark.parametrize("ask", ["grade", "regrade"])
@pytest.mark.parametrize(
    ("file", "damage", "message"),
    [
        ("events.jsonl", edit_line, "events.jsonl: line 4 does not continue the chain"),
        ("events.jsonl", drop_line, "events.jsonl: line 6 does not continue the chain"),
        ("events.jsonl", swap_lines, "does not continue the chain"),
        ("events.jsonl", text(b"\xff\xfe\n"), "events.jsonl: line 1 is not JSON"),
        ("events.jsonl", text(b""), "cut or edited"),
        ("events.jsonl", Path.unlink, "has no log"),
        ("result.json", Path.unlink, "a run folder holds result.json"),
        ("result.json", text(b"{"), "result.json is no RunResult"),
        ("result.json", text(f'{{"agent": "{SECRET}"}}'.encode()), "result.json is no RunResult"),
        ("grade.json", text(b"{"), "grade.json is no Grade"),
        ("../worlds/gtm-outbound-1-standard/truth.json", Path.unlink, "give it with --truth FILE"),
        ("../worlds/gtm-outbound-1-standard/truth.json", text(b"[]"), "truth.json is no Truth"),
    ],
)
def test_a_damaged_run_folder_is_refused_and_left_as_it_is(
    command: Command,
    sweep: Path,
    tmp_path: Path,
    ask: str,
    file: str,
    damage: Callable[[Path], None],
    message: str,
) -> None:
    run = reference(sweep)
    damage(run / file)
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    assert_refused(command(ask, run, "--json"), message, tmp_path)
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before


def test_the_truth_of_another_world_is_refused(command: Command, sweep: Path, tmp_path: Path) -> None:
    other = sweep / "worlds" / "gtm-outbound-2-standard" / "truth.json"
    assert_refused(command("grade", reference(sweep), "--truth", other), "is not the truth of", tmp_path)


def test_a_report_shows_a_log_that_was_edited_as_such(command: Command, sweep: Path) -> None:
    edit_line(reference(sweep) / "events.jsonl")
    assert command("report", sweep, "-o", "pages").code == 0
    assert "cut or edited" in (Path("pages") / f"{reference(sweep).name}.html").read_text()


def test_a_company_model_of_another_version_is_refused(
    command: Command, environment: Path, tmp_path: Path
) -> None:
    model = tmp_path / ".rl-dojo" / "datasets" / "old" / "model" / "company_model.json"
    model.parent.mkdir(parents=True)
    model.write_text(json.dumps({"company": SECRET}))
    done = command("template", "old", "-o", environment)
    assert_refused(done, "onboard 'old' again", tmp_path)


def test_an_authored_layer_that_cannot_be_read_is_wrong_input_of_template(
    command: Command, environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rl_dojo.template._company_model", lambda home, name: None)
    (environment / "authored" / "office.yaml").write_bytes(BROKEN_YAML)
    assert_refused(command("template", "any", "-o", environment), "see line 2", tmp_path)


def test_a_folder_that_may_not_be_written_is_named(
    command: Command, environment: Path, tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    if os.access(closed, os.W_OK):
        shutil.rmtree(closed)
        closed.symlink_to("/proc/self")  # the superuser may write everywhere but there
    done = command("world", environment, "--seed", "1", "-o", "closed/w")
    assert_refused(done, "closed/w: ", tmp_path)
