"""`rl-dojo onboard --explain` as typed: nothing is read again or real, and refusals say what to do."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

Command = Callable[..., Any]


def test_a_message_and_a_column_of_the_sample_are_explained(
    command: Command, onboarded: tuple[Path, Any]
) -> None:
    home = onboarded[0]
    clean = home / "datasets" / "sample" / "clean"
    row = pl.read_parquet(clean / "messages.parquet").row(0, named=True)
    told = command("onboard", "sample", "--explain", row["message_id"], "--home", home, "--json")
    assert told.code == 0
    texts = {text["column"]: text for text in told.json["texts"]}
    assert texts["from_address"]["text"] == row["from_address"]
    assert texts["from_address"]["replacements"][0]["rule"] == "column"
    keys = {"dataset", "what", "blocked", "kind", "cells", "touched", "leaking", "replacements", "texts"}
    assert told.json.keys() == keys and not told.json["blocked"]
    column = command("onboard", "sample", "--explain", "messages.subject", "--home", home)
    assert column.code == 0 and "⟦" in column.out and "messages.subject (text)" in column.out


@pytest.mark.parametrize(
    ("typed", "code", "told"),
    [
        ("sample", 0, "messages.subject (text)"),
        ("sample/", 0, "messages.subject (text)"),
        ("another", 2, "no manifest dataset.yaml in another"),
        ("An-other", 2, "no manifest dataset.yaml in An-other"),
    ],
)
def test_an_onboarded_name_goes_before_a_folder_that_has_no_manifest(
    command: Command,
    onboarded: tuple[Path, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    code: int,
    told: str,
) -> None:
    (tmp_path / typed).mkdir()
    (tmp_path / typed / "mail.mbox").touch()
    monkeypatch.chdir(tmp_path)
    done = command("onboard", typed, "--explain", "messages.subject", "--home", onboarded[0].resolve())
    assert done.code == code and told in done.out + done.err


def test_what_cannot_be_explained_is_told_in_one_message(
    command: Command, onboarded: tuple[Path, Any]
) -> None:
    done = command("onboard", "sample", "--explain", "crm.account.Nick", "--home", onboarded[0])
    assert done.code == 2 and "nothing is called" in done.err and done.out == ""


def test_a_blocked_run_is_explained_by_its_pending_tables_and_not_repeated(
    command: Command, onboarded: tuple[Path, Any], tmp_path: Path
) -> None:
    shutil.copytree(onboarded[0], tmp_path / "home")
    folder = tmp_path / "home" / "datasets" / "sample"
    (folder / "clean").rename(folder / "clean.pending")
    done = command("onboard", "sample", "--explain", "messages.subject", "--home", tmp_path / "home")
    assert done.code == 0 and "pending tables that the audit blocks" in done.out
    assert "messages.subject (text)" in done.out and not (folder / "clean").exists()
