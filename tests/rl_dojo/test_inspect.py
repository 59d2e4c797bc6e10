"""`rl-dojo inspect`: a draft beside the folder, what was found on the screen or as JSON, clear refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from archive.loading import load_manifest

Command = Callable[..., Any]
CSV = b"opportunity_id,account,stage,amount\n" + b"".join(
    b"OPP-%04d,Firm %d,Won,%d.50\n" % (n, n % 7, n * 10) for n in range(1, 30)
)
MBOX = b"".join(
    b"From a Mon Jul  1 09:00:00 2024\nFrom: Ann <ann@acme.com>\nTo: b@y.example\nSubject: Hi\n"
    b"Date: %d Jul 2024 09:00:00 -0400\n\nHi\n\n" % day
    for day in range(1, 13)
)


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive `exports` below the current folder."""
    for name, content in {
        "crm/deals.csv": CSV,
        "mail/ann.mbox": MBOX,
        "README.md": b"# read me",
        "scan.pdf": b"%PDF-1.7",
    }.items():
        path = tmp_path / "exports" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return Path("exports")


def test_json_says_what_was_taken_for_what_and_where_the_draft_is(command: Command, archive: Path) -> None:
    done = command("inspect", archive, "--json")
    assert done.code == 0
    told = done.json
    assert set(told) == {"folder", "sources", "unplaced", "not_data", "checks", "manifest"}
    assert (told["folder"], told["manifest"]) == ("exports", "dataset.yaml")
    assert [source["name"] for source in told["sources"]] == ["crm", "mail"]
    assert set(told["sources"][0]) == set(
        "name kind format path preset files rows_sampled confidence why".split()
    )
    assert [entry["path"] for entry in told["unplaced"]] == ["scan.pdf"]
    assert [entry["path"] for entry in told["not_data"]] == ["README.md"]
    assert all(set(check) == {"where", "what", "why"} for check in told["checks"])


def test_the_draft_is_a_manifest_that_loads_from_where_it_lies(command: Command, archive: Path) -> None:
    assert command("inspect", archive).code == 0
    loaded = load_manifest(Path("dataset.yaml"))
    assert loaded.manifest.name == "exports"
    assert loaded.base == archive.resolve()
    assert loaded.manifest.company.domains == ["acme.com"]


def test_the_screen_shows_sources_checks_and_what_was_left_out(command: Command, archive: Path) -> None:
    done = command("inspect", archive, "-o", "drafts.yaml")
    shown = " ".join(done.out.replace("│", " ").split())
    for part in (
        "draft of exports",
        "crm",
        "company.currency",
        "not placed: 1 file",
        "scan.pdf: a PDF by itself",
        "not data: 1 file",
        "draft: drafts.yaml",
    ):
        assert part in shown
    assert "rl-dojo onboard drafts.yaml" in done.err


def test_two_runs_write_the_same_bytes(command: Command, archive: Path) -> None:
    command("inspect", archive, "-o", "a.yaml")
    command("inspect", archive, "-o", "b.yaml")
    assert Path("a.yaml").read_bytes() == Path("b.yaml").read_bytes()


def test_an_existing_manifest_is_kept_unless_forced(command: Command, archive: Path) -> None:
    Path("dataset.yaml").write_text("mine")
    done = command("inspect", archive)
    assert (done.code, done.out) == (2, "")
    assert "dataset.yaml exists" in done.err and "--force" in done.err
    assert Path("dataset.yaml").read_text() == "mine"
    assert command("inspect", archive, "--force").code == 0
    assert yaml.safe_load(Path("dataset.yaml").read_text())["name"] == "exports"


def test_a_draft_may_lie_in_the_folder_itself_and_is_no_data_there(command: Command, archive: Path) -> None:
    assert command("inspect", archive, "-o", archive).code == 0
    assert load_manifest(archive).base == archive.resolve()
    again = command("inspect", archive, "-o", archive, "--force", "--json").json
    assert "dataset.yaml" in [entry["path"] for entry in again["not_data"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "nowhere does not exist: give the folder"),
        (("exports/README.md",), "exports/README.md is no folder"),
        (("empty",), "empty is empty: put the exports there first"),
        (("only",), "only holds nothing that any reader knows (a.bin: binary content of no known form)"),
        (("exports", "-o", "no/where.yaml"), "no folder no: make it first"),
        ((), "Missing argument"),
    ],
)
def test_wrong_use_is_refused_in_one_line(
    command: Command, archive: Path, arguments: tuple[str, ...], message: str
) -> None:
    Path("empty").mkdir()
    Path("only").mkdir()
    Path("only/a.bin").write_bytes(bytes(range(256)))
    done = command("inspect", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in " ".join(done.err.replace("│", " ").split())
    assert not Path("dataset.yaml").exists()


def test_a_missing_manifest_is_told_with_the_command_that_drafts_one(command: Command, archive: Path) -> None:
    done = command("onboard", archive)
    assert done.code == 2
    assert "rl-dojo inspect" in done.err
