"""What people see: nothing folded or cut at 80 columns, no style in data, messages without content."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rl_dojo import leaderboard, terminal
from rl_dojo.faults import guarded, in_short, told
from rl_dojo.leaderboard import print_leaderboard

ENVIRONMENT = Path(__file__).parents[2] / "environments" / "gtm-outbound"
Command = Callable[..., Any]
AGENTS = ("reference", "noop", "scripted:list-to-fake-boss")
SECRET = "Felicity Marchbanks"


@pytest.fixture(params=[80, 120])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    columns: int = request.param
    monkeypatch.setattr(terminal.output, "_width", columns)
    monkeypatch.setattr(terminal.errors, "_width", columns)
    return columns


def test_the_leaderboard_shows_every_seed_and_figure_whole(
    swept: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    """Nine seeds: the runs of seed 1 under other labels."""
    for run in swept.folder.glob("*-none-1-standard-1"):
        result = json.loads((run / "result.json").read_bytes())
        for seed in range(1, 10):
            copy = shutil.copytree(run, tmp_path / f"{run.name}-{seed}")
            relabelled = {**result, "seed": seed, "seed_label": str(seed)}
            (copy / "result.json").write_text(json.dumps(relabelled))
    print_leaderboard(sorted(tmp_path.iterdir()))
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert max(map(len, lines)) <= width and "…" not in shown
    for seed in range(1, 10):
        assert shown.count(f"seed {seed}") == 1
    for figure in ("mean", "met", "min", "45/45"):
        assert figure in shown
    blocks = shown.count("# agent")
    assert blocks == (2 if width == 80 else 1) or blocks == (3 if width == 80 else 2)
    for name in AGENTS:
        assert len([line for line in lines if name in line]) == blocks
    assert shown.count("0.00 gate") == 9 and shown.count("1.00 ✓") == 9


def test_more_seeds_than_a_terminal_can_hold_are_left_to_the_report(
    sweep: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaderboard, "_MAX_SEEDS", 1)
    print_leaderboard([path.parent for path in sorted(sweep.glob("*/result.json"))])
    shown = capsys.readouterr().out
    assert "standard, 2 seeds" in shown and "seed 1" not in shown and "10/10" in shown


def test_flips_keep_run_and_check_whole(command: Command, sweep: Path, width: int) -> None:
    (run,) = sweep.glob("gtm-outbound-scripted_list-to-fake-boss-none-1-standard-1")
    grade = json.loads((run / "grade.json").read_bytes())
    grade["reward_millionths"] = 1_000_000
    (run / "grade.json").write_text(json.dumps(grade))
    lines = command("regrade", sweep).out.splitlines()
    assert lines[0].strip() == run.name
    assert lines[2].split() == ["reward", "1.000000", "0.000000"]
    assert lines[-1] == "graded again: 6 runs, 1 flip"


def test_a_path_is_never_folded(command: Command, tmp_path: Path, width: int) -> None:
    deep = tmp_path / ("a" * 70) / ("b" * 70)
    done = command("world", ENVIRONMENT, "--seed", "1", "-o", deep)
    assert str(deep) in done.out and len(done.out.splitlines()) == 2
    refused = command("grade", deep / "none")
    assert len(refused.err.splitlines()) == 1 and str(deep / "none") in refused.err


@pytest.mark.slow
@pytest.mark.e2e
def test_template_tells_field_n_entry_and_value(
    command: Command, onboarded: Any, environment: Path, width: int
) -> None:
    done = command("template", "sample", "-o", environment, "--home", onboarded[0])
    assert done.code == 0 and "…" not in done.out and "..." not in done.out
    assert max(map(len, done.out.splitlines())) <= width
    fitted = yaml.safe_load((environment / "fitted.yaml").read_bytes())
    words = " ".join(done.out.split())
    for field, entry in fitted.items():
        assert f"{field} {entry['n']:,} {entry['entry']}" in words


@pytest.mark.slow
@pytest.mark.e2e
def test_onboard_tells_its_figures(onboarded: Any, capsys: pytest.CaptureFixture[str], width: int) -> None:
    from pipeline.onboarding import OnboardResult
    from rl_dojo.onboard import _print_tables

    home, done = onboarded
    _print_tables(OnboardResult(**done.json), home)
    shown = capsys.readouterr().out.splitlines()
    assert max(map(len, shown[:-1])) <= width and "…" not in "".join(shown)
    assert shown[-1].startswith(str(home / "datasets" / "sample"))
    words = " ".join(" ".join(shown).replace("│", " ").split())
    for name, count in done.json["outcomes"].items():
        assert f"{name} {count:,}" in words


def test_brackets_in_data_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.say("[red]mail[/red] [link=x]")
    terminal.notice("[bold]key[/bold]")
    printed = capsys.readouterr()
    assert printed.out == "[red]mail[/red] [link=x]\n" and printed.err == "[bold]key[/bold]\n"


def test_a_command_that_is_refused_draws_no_bars(capsys: pytest.CaptureFixture[str]) -> None:
    with terminal.Stages():
        pass
    assert capsys.readouterr().err == ""
    with terminal.Stages() as stages:
        stages("read", "mail", 1, 2)
        stages("read", "crm", 2, 2)
    assert "read" in capsys.readouterr().err


@pytest.mark.parametrize(("encoding", "ascii_only"), [("utf-8", False), ("latin-1", True), ("ascii", True)])
def test_json_is_whole_under_every_encoding(
    monkeypatch: pytest.MonkeyPatch, encoding: str, ascii_only: bool
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    terminal.accept_any_text()
    terminal.print_json({"name": "Łukasz ✓"})
    sys.stdout.flush()
    assert json.loads(raw.getvalue().decode(encoding)) == {"name": "Łukasz ✓"}
    assert raw.getvalue().isascii() == ascii_only


def test_a_terminal_without_unicode_gets_a_leaderboard(sweep: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    terminal.accept_any_text()
    print_leaderboard([path.parent for path in sorted(sweep.glob("*/result.json"))])
    sys.stdout.flush()
    assert b"1.00 ?" in raw.getvalue()


# --- messages


def raised(content: str) -> Exception:
    """Returns the error of a reader that quotes the parser's words, as the packages below write them."""
    try:
        yaml.safe_load(content)
    except yaml.YAMLError as error:
        try:
            raise ValueError(f"x.yaml is not YAML: {error}") from error
        except ValueError as own:
            return own
    raise AssertionError(content)


@pytest.mark.parametrize(
    "content",
    [f"a: [1\nb: {SECRET}", f"a: *{SECRET[:8]}", f"{SECRET}: {SECRET}: 1", f'a: "{SECRET}', "a: \x00"],
)
def test_a_message_tells_the_place_and_quotes_nothing(content: str) -> None:
    message = told(raised(content))
    assert message.startswith("x.yaml is not YAML: see ")
    assert "\n" not in message and SECRET[:8] not in message


def test_own_words_are_kept(tmp_path: Path) -> None:
    own = RuntimeError("first line\n  second: : line")
    own.__cause__ = RuntimeError("first line")
    assert told(own) == "first line second: line"
    assert in_short(KeyError(SECRET)) is None


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (FileExistsError(17, "File exists", "out/w"), 2, "out/w: file exists: give another path"),
        (OSError(28, "No space left on device"), 2, "no space left on device"),
        (UnicodeDecodeError("utf-8", SECRET.encode(), 3, 4, "bad"), 2, "not UTF-8 at byte 3"),
        (json.JSONDecodeError("bad", f'{{"{SECRET}"', 5), 2, "see line 1, column 6"),
        (KeyError(SECRET), 1, "a defect of rl-dojo: KeyError at"),
        (ValueError(f"{SECRET} is wrong"), 1, "a defect of rl-dojo: ValueError at"),
    ],
)
def test_whatever_is_raised_ends_as_one_message_without_content(
    capsys: pytest.CaptureFixture[str], error: Exception, code: int, message: str
) -> None:
    def command() -> None:
        raise error

    with pytest.raises(SystemExit) as end:
        guarded(command)
    printed = capsys.readouterr()
    assert end.value.code == code and message in printed.err and SECRET not in printed.err
    assert printed.out == "" and len(printed.err.splitlines()) == 1 and "Traceback" not in printed.err
