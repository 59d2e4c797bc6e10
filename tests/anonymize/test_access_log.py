"""The access log: append-only, chained, signed, with the reason readable by key only."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from anonymize.access_log import LOG_FILE, LONGEST_REASON, Access, read_access_log, record_access
from anonymize.errors import AccessRefused, VaultError
from anonymize.keys import DatasetKey
from anonymize.vault import Vault
from archive.home import DatasetHome

KEY, OTHER = DatasetKey(b"k" * 32, "acme"), DatasetKey(b"o" * 32, "acme")
Lines = list[bytes]


@pytest.fixture
def home(tmp_path: Path) -> DatasetHome:
    return DatasetHome(tmp_path, "acme")


def logged(home: DatasetHome, count: int = 3) -> list[Access]:
    return [record_access(home, KEY, "reveal", f"Ann asked, {n}", {"person": n}) for n in range(count)]


def test_accesses_come_back_in_order_with_user_time_reason_and_counts(home: DatasetHome) -> None:
    assert read_access_log(home, KEY) == []
    recorded = logged(home)
    assert read_access_log(home, KEY) == recorded
    assert [access.number for access in recorded] == [1, 2, 3]
    assert recorded[1].reason == "Ann asked, 1" and recorded[1].counts == {"person": 1}
    assert all(access.user and access.time.endswith("+00:00") for access in recorded)


def test_the_file_is_its_owners_alone_and_tells_no_reason(home: DatasetHome) -> None:
    logged(home)
    path = home.vault / LOG_FILE
    assert path.stat().st_mode & 0o777 == 0o600 and home.vault.stat().st_mode & 0o777 == 0o700
    assert b"Ann" not in path.read_bytes()
    assert [json.loads(line)["action"] for line in path.read_bytes().splitlines()] == ["reveal"] * 3


@pytest.mark.parametrize("reason", ["", "  \n ", "x" * (LONGEST_REASON + 1)])
def test_no_reason_no_access(home: DatasetHome, reason: str) -> None:
    with pytest.raises(AccessRefused, match="reason"):
        record_access(home, KEY, "reveal", reason, {})
    assert not (home.vault / LOG_FILE).exists()


def _edited(lines: Lines) -> Lines:
    return [lines[0], lines[1].replace(b'"person": 1', b'"person": 9'), lines[2]]


def _other_user(lines: Lines) -> Lines:
    content = json.loads(lines[2])
    return [*lines[:2], json.dumps(content | {"user": "nobody"}, sort_keys=True).encode()]


@pytest.mark.parametrize(
    "change",
    [
        _edited,
        _other_user,
        lambda lines: lines[1:],
        lambda lines: [lines[0], lines[2]],
        lambda lines: lines[:2],
        lambda lines: [],
        lambda lines: [lines[1], lines[0], lines[2]],
        lambda lines: [*lines, lines[2]],
        lambda lines: [*lines, b"{}"],
        lambda lines: [*lines, b"nonsense"],
    ],
)
def test_a_broken_chain_is_refused_by_line_and_nothing_is_added(
    home: DatasetHome, change: Callable[[Lines], Lines]
) -> None:
    logged(home)
    path = home.vault / LOG_FILE
    changed = b"".join(line + b"\n" for line in change(path.read_bytes().splitlines()))
    path.write_bytes(changed)
    for ask in (lambda: read_access_log(home, KEY), lambda: record_access(home, KEY, "x", "y", {})):
        with pytest.raises(VaultError, match=r"broken at line \d"):
            ask()
    assert path.read_bytes() == changed


def test_another_key_reads_and_adds_nothing(home: DatasetHome) -> None:
    logged(home)
    with pytest.raises(VaultError):
        read_access_log(home, OTHER)
    with pytest.raises(VaultError):
        record_access(home, OTHER, "reveal", "why", {})


def test_a_line_that_was_never_finished_is_cut_by_the_next_access(home: DatasetHome) -> None:
    logged(home)
    with (home.vault / LOG_FILE).open("ab") as file:
        file.write(b'{"action": "rev')
    assert record_access(home, KEY, "erase", "again", {}).number == 4
    assert len(read_access_log(home, KEY)) == 4


def test_a_run_killed_behind_its_line_loses_nothing(
    home: DatasetHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged(home, 1)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(Vault, "save_part", killed)
        with pytest.raises(KeyboardInterrupt):
            record_access(home, KEY, "erase", "killed", {})
    assert [access.action for access in read_access_log(home, KEY)] == ["reveal", "erase"]
    assert record_access(home, KEY, "reveal", "after", {}).number == 3
