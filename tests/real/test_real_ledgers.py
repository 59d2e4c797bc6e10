"""Real ledgers, statements and event logs: the sums and counts that are known of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from archive.batches import TableBatch
from archive.ingest import ingest_dataset
from archive.ledger_datev import read_datev
from archive.ledger_mt940 import read_mt940
from archive.loading import load_manifest
from archive.log_ocel import read_ocel

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
pytestmark = pytest.mark.skipif(
    not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"
)
MANIFESTS = Path(__file__).parent / "manifests"
STATEMENTS = Path(REAL) / "mt940_statements"
EXPECTED = sorted(STATEMENTS.rglob("*.yml")) if REAL else []


class _Expected(yaml.SafeLoader):
    """Reads another project's dumps of objects as plain values."""


def _plain(loader: yaml.SafeLoader, _: str, node: yaml.Node) -> Iterator[Any]:
    """Yields before it fills, as the dumps point back at themselves."""
    if isinstance(node, yaml.MappingNode):
        mapping: dict[Any, Any] = {}
        yield mapping
        mapping.update(loader.construct_mapping(node))
    elif isinstance(node, yaml.SequenceNode):
        sequence: list[Any] = []
        yield sequence
        sequence.extend(loader.construct_sequence(node))
    else:
        yield None


_Expected.add_multi_constructor("tag:yaml.org,2002:python/", _plain)


def _amount(expected: dict[str, Any]) -> Decimal:
    return Decimal(expected["amount"]["amount"][0] if isinstance(expected["amount"], dict) else "0")


def _day(expected: list[bytes | int]) -> str:
    first = expected[0]
    if isinstance(first, bytes):
        return f"{first[0] * 256 + first[1]:04}-{first[2]:02}-{first[3]:02}"
    return "-".join(f"{int(part):02}" for part in expected)


def _letters(row: dict[str, Any], names: tuple[str, ...]) -> str:
    """The references of an entry in one, as the other project cuts them at another character."""
    return "".join("".join(str(row[name] or "").replace("/", "").split()) for name in names)


def _rows(batches: list[TableBatch], table: str) -> list[dict[str, str | None]]:
    return [row for batch in batches if batch.table == table for row in batch.frame.to_dicts()]


@pytest.mark.parametrize("path", EXPECTED, ids=[path.stem for path in EXPECTED])
def test_statements_are_read_as_another_project_expects(path: Path) -> None:
    expected = yaml.load(path.read_text(encoding="utf-8"), _Expected)  # a safe loader
    batches = list(read_mt940(path.with_suffix(".sta"), STATEMENTS))
    assert not [one for batch in batches for one in batch.rejects]
    entries = _rows(batches, "entries")
    wanted = [entry.get("data", {}) for entry in expected["transactions"]]
    wanted = [entry for entry in wanted if "amount" in entry]
    assert [Decimal(row["amount"] or "") for row in entries] == [_amount(entry) for entry in wanted]
    assert [row["value_date"] for row in entries] == [_day(entry["date"]) for entry in wanted]
    assert [row["type"] for row in entries] == [entry.get("id") or None for entry in wanted]
    ours = ("customer_reference", "bank_reference", "supplement")
    theirs = ("customer_reference", "bank_reference", "extra_details")
    assert [_letters(row, ours) for row in entries] == [_letters(entry, theirs) for entry in wanted]
    last = _rows(batches, "statements")[-1]
    assert last["account"] == expected["data"].get("account_identification")
    closing = expected["data"].get("final_closing_balance")
    if closing is not None and "62F" in path.with_suffix(".sta").read_text("latin-1").rpartition(":20:")[2]:
        sign = -1 if closing["status"] == "D" else 1
        assert Decimal(last["closing_balance"] or "") == sign * abs(_amount(closing))


def test_all_lines_of_all_statements_are_accounted_for() -> None:
    files = [
        path
        for path in STATEMENTS.rglob("*")
        if path.suffix in (".sta", ".txt") and path.name != "SOURCE.txt"
    ]
    assert files
    for path in files:
        batches = list(read_mt940(path, STATEMENTS))
        written = path.read_bytes().replace(b"\r", b"\n")
        assert len(_rows(batches, "entries")) == written.count(b"\n:61:"), path.name
        assert len(_rows(batches, "statements")) == (b"\n" + written).count(b"\n:20:"), path.name


def test_a_months_statements_close_as_they_state() -> None:
    path = next((STATEMENTS / "ASNB").glob("*.txt"))
    batches = list(read_mt940(path, STATEMENTS))
    statements = _rows(batches, "statements")
    assert len(statements) == 31
    assert {row["agrees"] for row in _rows(batches, "statement_checks")} == {"true"}
    for before, after in pairwise(statements):
        assert before["closing_balance"] == after["opening_balance"]


def test_datev_journals_balance_and_days_have_their_year() -> None:
    folder = Path(REAL) / "datev_examples"
    counts: Counter[str] = Counter()
    for path in sorted(folder.glob("EXTF_*.csv")):
        batches = list(read_datev(path, folder))
        assert not [one for batch in batches for one in batch.rejects]
        counts.update({batch.table: batch.frame.height for batch in batches})
        (own,) = _rows(batches, "vorlauf")
        assert own["Summe Soll"] == own["Summe Haben"]
        for row in _rows(batches, "buchungsstapel"):
            assert (own["Datum von"] or "") <= (row["Belegdatum"] or "") <= (own["Datum bis"] or "")
            assert Decimal(row["Umsatz (ohne Soll/Haben-Kz)"] or "") > 0
    assert counts == {"buchungsstapel": 2, "debitoren_kreditoren": 4, "kontenbeschriftungen": 3, "vorlauf": 3}


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("running-example", (18_211, 10_031, 35_857, 25_336)),
        ("ocel20_example", (13, 9, 20, 7)),
    ],
)
def test_object_centric_logs_have_the_published_counts(name: str, figures: tuple[int, ...]) -> None:
    path = Path(REAL) / f"ocel/ocpa/ocel2/sqlite/{name}.sqlite"
    counts: Counter[str] = Counter()
    typed = 0
    for batch in read_ocel(path, path.parent):
        assert not batch.rejects
        counts[batch.table] += batch.frame.height
        typed += (
            batch.frame.height
            if batch.table.startswith("event_") and "ocel_time" in batch.frame.columns
            else 0
        )
        if batch.table == "events":
            assert batch.frame["ocel_time"].null_count() == 0
    assert tuple(counts[table] for table in ("events", "objects", "event_object", "object_object")) == figures
    assert typed == figures[0]


@pytest.mark.parametrize(
    "name", ["datev_examples", "mt940_statements", "ocel", "bpic2020_travel", "purchasing_disco"]
)
def test_signed_manifests_are_ingested_whole(name: str, tmp_path: Path) -> None:
    loaded = load_manifest(MANIFESTS / f"{name}.yaml")
    report = ingest_dataset(loaded.manifest, loaded.base, tmp_path / "raw", lambda step, done, total: None)
    assert report.reconciles
    assert sum(count.quarantined for count in report.sources) == 0
    read = {
        "datev_examples": 2 + 4 + 3 + 3,
        "bpic2020_travel": 10_500 + 56_437 + 6_886 + 36_796,
        "purchasing_disco": 2 * 9_032,
    }
    assert sum(count.read for count in report.sources) == read.get(
        name, sum(count.read for count in report.sources)
    )
