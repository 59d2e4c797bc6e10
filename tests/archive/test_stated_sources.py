"""What manifest and policy misspell is told before anything is read, all at once, with what is near."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from archive.errors import ManifestError
from archive.loading import load_manifest, load_policy
from archive.stated_sources import require_stated

TABLES = {"accounts": {"id": "id", "Name": "company", "city": "city"}}


@pytest.fixture
def archive(tmp_path: Path, small_manifest: Callable[..., Path]) -> Path:
    base = {"name": "erp", "kind": "erp", "format": "sqlite", "path": "erp.sqlite"}
    tables = [{"name": "orders", "key": ["nr"], "columns": {"total": {"kind": "money", "currency": "USD"}}}]
    small_manifest(tmp_path, TABLES, more=[{**base, "tables": tables}])
    (tmp_path / "mail.mbox").write_text("From x Thu Jan  4 10:00:00 2024\nFrom: a@x.com\n\nhello\n\n")
    (tmp_path / "crm").mkdir()
    (tmp_path / "crm" / "accounts.csv").write_text("id,Name,city\nA-10001,Nordfold,Elmscote\n")
    connection = sqlite3.connect(tmp_path / "erp.sqlite")
    connection.execute("CREATE TABLE orders (nr TEXT PRIMARY KEY, total TEXT)")
    connection.commit()
    connection.close()
    return tmp_path


def changed(archive: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = archive / "dataset.yaml"
    content = yaml.safe_load(path.read_text())
    change(content)
    path.write_text(yaml.safe_dump(content))


def refusal(archive: Path, policy: str = "") -> str:
    """Returns why manifest and policy are refused; empty where they are not."""
    if policy:
        (archive / "policy.yaml").write_text(policy)
    loaded = load_manifest(archive)
    try:
        require_stated(loaded, load_policy(loaded))
    except ManifestError as error:
        return str(error)
    return ""


def table(content: dict[str, Any], source: int) -> dict[str, Any]:
    found: dict[str, Any] = content["sources"][source]["tables"][0]
    return found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c["sources"][0].update(path="mial.mbox"), ["'mail': no files at its", "'mail.mbox'?"]),
        (lambda c: c["sources"][2].update(path="cmr"), ["'crm': no files at its path", "'crm'?"]),
        (lambda c: c["sources"][1].update(path="erp.sqlit"), ["'erp': no files at", "'erp.sqlite'?"]),
        (lambda c: table(c, 2).update(name="acounts"), ["no table 'acounts' among its 1", "'accounts'?"]),
        (lambda c: table(c, 2)["columns"].update(Nmae={"kind": "text"}), ["no column 'Nmae'", "'Name'?"]),
        (lambda c: table(c, 2).update(key=["idd"]), ["no key column 'idd'", "'id'?"]),
        (lambda c: table(c, 1).update(name="ordres"), ["'erp' has no table 'ordres'", "'orders'?"]),
        (lambda c: table(c, 1)["columns"].update(totla={"kind": "text"}), ["'totla'", "'total'?"]),
    ],
)
def test_what_is_not_there_is_told_with_what_is_near(
    archive: Path, change: Callable[[dict[str, Any]], object], said: list[str]
) -> None:
    assert refusal(archive) == ""
    changed(archive, change)
    assert [words for words in said if words not in refusal(archive)] == []


def test_all_faults_are_told_at_once(archive: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        content["sources"][0]["path"] = "mial.mbox"
        table(content, 2)["columns"].update({f"Nmae{n}": {"kind": "text"} for n in range(9)})

    changed(archive, change)
    told = refusal(archive)
    assert "mial" not in told and "no files" in told and "'Nmae0'" in told and told.endswith("; and 5 more")


@pytest.mark.parametrize(
    ("place", "near"),
    [
        ("crm.accounts.Nmae", "crm.accounts.Name"),
        ("crm.acounts.Name", "crm.accounts.Name"),
        ("cmr.accounts.Name", "crm.accounts.Name"),
        ("erp.orders.totla", "erp.orders.total"),
        ("messages.subjct", "messages.subject"),
    ],
)
def test_a_misspelt_column_of_a_policy_is_told_too(archive: Path, place: str, near: str) -> None:
    told = refusal(archive, f"columns: {{{place}: drop}}")
    assert f"policy, columns.{place}: no such column" in told and f"'{near}'?" in told


@pytest.mark.parametrize("place", ["crm.accounts.Name", "erp.orders.total", "messages.subject"])
def test_right_ones_pass(archive: Path, place: str) -> None:
    assert refusal(archive, f"columns: {{{place}: drop}}") == ""


def test_letter_case_of_columns_is_the_exports_own(archive: Path) -> None:
    changed(archive, lambda content: table(content, 2)["columns"].update(NAME={"kind": "company"}))
    assert refusal(archive) == ""


@pytest.mark.parametrize("fault", ["damaged", "unknown format"])
def test_what_headers_do_not_tell_is_left_to_reading(archive: Path, fault: str) -> None:
    if fault == "damaged":
        (archive / "erp.sqlite").write_bytes(b"no database")
    else:
        (archive / "erp.jsonl").write_text('{"nr": "1"}\n')
        changed(archive, lambda content: content["sources"][1].update(format="jsonl", path="erp.jsonl"))
    changed(archive, lambda content: table(content, 1).update(name="ordres"))
    assert refusal(archive, "columns: {erp.orders.totla: drop}") == ""
