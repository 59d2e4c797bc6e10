"""`rl-dojo access-log`: what it shows of a log that is whole, and that one that is not is not shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anonymize.access_log import CLOSED, LOG_FILE, record_access
from anonymize.envelope import make_keys
from anonymize.keys import KEY_VARIABLE, DatasetKey
from archive.home import DatasetHome

Command = Callable[..., Any]
MANIFEST = """
name: spring
company: {names: [Brightwater], domains: [brightwater.com], zones: [UTC], currency: USD}
sources: [{name: mail, kind: mail, format: mbox, path: mail.mbox}]
base: /nowhere
"""


@pytest.fixture
def home(tmp_path: Path) -> DatasetHome:
    for name, digits in (("key", "5a"), ("other", "6b")):
        (tmp_path / name).write_text(digits * 32)
        (tmp_path / name).chmod(0o600)
    home = DatasetHome(tmp_path / "home", "spring")
    home.folder.mkdir(parents=True)
    home.manifest_path.write_text(MANIFEST)
    make_keys(home.vault, DatasetKey(b"\x5a" * 32, "spring"))
    return home


def asked(command: Command, home: DatasetHome, *more: str, name: str = "spring", key: str = "key") -> Any:
    path = str(home.home.parent / key)
    return command("access-log", name, "--home", home.home, *more, **{KEY_VARIABLE: path})


def recorded(home: DatasetHome) -> None:
    key = make_keys(home.vault, DatasetKey(b"\x5a" * 32, "spring"))
    record_access(home, key, "reveal", "audit of the year", {"person": 1_200, "company": 3})
    record_access(home, key, "erase", "asked by letter", {"persons": 1})


def test_who_when_what_and_why_are_shown(command: Command, home: DatasetHome) -> None:
    recorded(home)
    done = asked(command, home)
    assert done.code == 0
    for said in (
        "reveal",
        "audit of the year",
        "1,200 person",
        "3 company",
        "asked by letter",
        "2 lines",
        "20",
    ):
        assert said in done.out, said


def test_as_json_it_is_one_object(command: Command, home: DatasetHome) -> None:
    recorded(home)
    done = asked(command, home, "--json")
    assert done.code == 0 and done.json["verified"] is True and done.json["dataset"] == "spring"
    first, second = done.json["accesses"]
    assert (first["number"], first["action"], first["counts"]) == (
        1,
        "reveal",
        {"person": 1200, "company": 3},
    )
    assert second["reason"] == "asked by letter" and second["user"] and second["time"].endswith("+00:00")


def test_an_empty_log_is_told_and_nothing_is_written(command: Command, home: DatasetHome) -> None:
    before = sorted(path.name for path in home.vault.iterdir())
    done = asked(command, home)
    assert done.code == 0 and "nobody has used the key" in done.out
    assert sorted(path.name for path in home.vault.iterdir()) == before


@pytest.mark.parametrize("fault", ["edited", "cut", "emptied", "another key", "no dataset"])
def test_what_is_not_whole_is_not_shown(command: Command, home: DatasetHome, fault: str) -> None:
    recorded(home)
    log = home.vault / LOG_FILE
    match fault:
        case "edited":
            log.write_bytes(log.read_bytes().replace(b'"person": 1200', b'"person": 1'))
        case "cut":
            log.write_bytes(log.read_bytes().splitlines(keepends=True)[1])
        case "emptied":
            log.write_bytes(b"")
    name = "none" if fault == "no dataset" else "spring"
    done = asked(command, home, name=name, key="other" if fault == "another key" else "key")
    assert done.code == 2 and "audit of the year" not in done.out + done.err
    said = {"another key": "another key", "no dataset": "no dataset 'none'"}.get(
        fault, "the access log is broken"
    )
    assert said in done.err


def closed(home: DatasetHome) -> Path:
    """Leaves of a vault what forgetting it leaves."""
    recorded(home)
    path = home.vault / CLOSED.format(1)
    (home.vault / LOG_FILE).replace(path)
    for other in home.vault.iterdir():
        if other != path:
            other.unlink()
    return path


def test_of_a_forgotten_vault_the_closed_log_is_shown_without_reasons(
    command: Command, home: DatasetHome
) -> None:
    closed(home)
    done = asked(command, home)
    assert done.code == 0 and "audit of the year" not in done.out
    words = " ".join(done.out.split())
    for said in ("reveal", "erase", "1,200 person", "2 lines of a log that was closed", "keys are gone"):
        assert said in words
    content = asked(command, home, "--json").json
    assert (content["verified"], content["closed"]) == (False, True)
    assert [access["action"] for access in content["accesses"]] == ["reveal", "erase"]


@pytest.mark.parametrize("fault", ["a line is gone", "a line is edited"])
def test_a_closed_log_that_is_not_whole_is_not_shown(command: Command, home: DatasetHome, fault: str) -> None:
    path = closed(home)
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(second if fault == "a line is gone" else first.replace(b"1200", b"1") + second)
    done = asked(command, home)
    assert done.code == 2 and "the access log is broken" in done.err and done.out == ""
