"""`rl-dojo onboard --explain` as typed: nothing is read again or real, and refusals say what to do."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

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
    keys = {"dataset", "what", "blocked", "kind", "cells", "touched", "replacements", "texts"}
    assert told.json.keys() == keys and not told.json["blocked"]
    column = command("onboard", "sample", "--explain", "messages.subject", "--home", home)
    assert column.code == 0 and "⟦" in column.out and "messages.subject (text)" in column.out


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
