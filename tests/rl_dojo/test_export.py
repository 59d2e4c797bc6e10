"""`rl-dojo export` on the sample: any tool opens it, nothing real is in it, onboarding it gives the same."""

from __future__ import annotations

import csv
import email
import json
import mailbox
import sqlite3
from contextlib import closing
from email import policy
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest

from tests.rl_dojo.conftest import PROJECT, Command, Done, process

TRUTH = PROJECT / "data_samples" / "truth" / "entities.json"
ARCHIVE = PROJECT / "data_samples" / "archive"
SHORTEST = 9
"""Real forms below this length may occur by chance."""

pytestmark = [pytest.mark.slow, pytest.mark.e2e, pytest.mark.long]


@pytest.fixture(scope="session")
def exported(
    onboarded: Any, tmp_path_factory: pytest.TempPathFactory, user: dict[str, str]
) -> tuple[Path, Done]:
    """The sample's clean archive."""
    home, _ = onboarded
    folder = tmp_path_factory.mktemp("export") / "archive"
    return folder, process("export", "sample", "--to", folder, "--home", home, "--json", **user)


def test_the_result_tells_every_source_and_the_search(exported: Any, onboarded: Any) -> None:
    _, done = exported
    assert done.code == 0, done.err
    told = {source["name"]: source for source in done.json["sources"]}
    for source in onboarded[1].json["sources"]:
        assert told[source["name"]]["quarantined"] == source["quarantined"]
        assert told[source["name"]]["units"] == source["read"] - source["quarantined"]
    assert done.json["leaks"] == 0 and done.json["searched"]["files"] > 300
    assert all(source["written_as"] == source["format"] for source in told.values())


def test_other_tools_open_every_file(exported: Any) -> None:
    folder, _ = exported
    messages = 0
    for path in sorted(folder.rglob("*.mbox")):
        for raw in mailbox.mbox(path):
            message = email.message_from_bytes(raw.as_bytes(), policy=policy.default)
            assert not [part for part in message.walk() if part.defects]
            messages += 1
    assert messages == 1440
    for path in sorted(folder.rglob("*.csv")):
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.reader(file, delimiter=";" if path.parent.name == "engineering" else ","))
        assert len(rows) > 1 and len({len(row) for row in rows}) == 1
    with closing(sqlite3.connect(folder / "erp" / "erp.sqlite")) as built:
        assert built.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert built.execute("PRAGMA foreign_key_check").fetchall() == []
    (book,) = (folder / "key-accounts").iterdir()
    raw_book = openpyxl.load_workbook(ARCHIVE / "sheets" / "key_accounts.xlsx")
    assert openpyxl.load_workbook(book).sheetnames == raw_book.sheetnames
    for path in sorted(folder.rglob("*.ndjson")):
        assert all(isinstance(json.loads(line), dict) for line in path.read_text().splitlines())


def test_no_real_form_of_the_answer_key_is_in_it(exported: Any) -> None:
    folder, _ = exported
    truth = json.loads(TRUTH.read_text())
    forms = {
        form
        for entity in (*truth["companies"].values(), *truth["persons"].values())
        for form in entity.get("forms", [])
        if len(form) >= SHORTEST and " " in form
    }
    texts = [_decoded(path) for path in sorted(folder.rglob("*")) if path.is_file()]
    whole = "\n".join(texts).casefold()
    assert len(forms) > 500
    assert [form for form in forms if form.casefold() in whole] == []


def test_a_second_export_into_the_same_folder_is_refused(
    exported: Any, onboarded: Any, command: Command
) -> None:
    done = command("export", "sample", "--to", exported[0], "--home", onboarded[0])
    assert done.code == 2 and "not empty" in done.err
    assert command("export", "nobody", "--to", exported[0] / "x", "--home", onboarded[0]).code == 2


@pytest.mark.long
def test_onboarding_the_export_gives_the_same_counts_cases_and_rules(
    exported: Any, onboarded: Any, tmp_path: Path, user: dict[str, str]
) -> None:
    home, first = onboarded
    second = process("onboard", exported[0], "--name", "again", "--home", tmp_path, "--json", **user)
    assert second.code == 0, second.err
    for old, new in zip(first.json["sources"], second.json["sources"], strict=True):
        assert [new[name] for name in ("name", "kept", "duplicates")] == [
            old[name] for name in ("name", "kept", "duplicates")
        ]
        assert new["quarantined"] == 0
    assert second.json["cases"] == first.json["cases"]
    assert _cases(tmp_path, "again").equals(_cases(home, "sample"))
    told = [
        [(rule["decision"], rule["support"], len(rule["exceptions"])) for rule in done.json["rules"]]
        for done in (first, second)
    ]
    assert told[0] == told[1]
    assert second.json["outcomes"] == first.json["outcomes"]


def _cases(home: Path, name: str) -> pl.DataFrame:
    frame = pl.read_parquet(home / "datasets" / name / "model" / "cases.parquet")
    return frame.group_by("system", "kind").len().sort("system", "kind")


def _decoded(path: Path) -> str:
    """What a file says, mails with their parts decoded."""
    data = path.read_bytes()
    told = [str(path), data.decode("utf-8", "replace")]
    if path.suffix in (".mbox", ".eml") or "maildir" in str(path):
        found = mailbox.mbox(path) if path.suffix == ".mbox" else [email.message_from_bytes(data)]
        for message in found:
            parsed = email.message_from_bytes(message.as_bytes(), policy=policy.default)
            told += [str(value) for value in parsed.values()]
            told += [
                (part.get_payload(decode=True) or b"").decode("utf-8", "replace") for part in parsed.walk()
            ]
    return "\n".join(told)
