"""The sample archive end to end: counts reconcile, ids and references hold, the answer key is found again."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from archive.ingest import IngestReport, ingest_dataset
from archive.loading import load_manifest
from archive.store import TableStore
from contracts.manifest import Manifest
from contracts.tables import FIXED_TABLES

SAMPLES = Path(__file__).parents[2] / "data_samples"
KEYS = {
    name: table.key for name, table in FIXED_TABLES.items() if name not in ("quarantine", "source_counts")
}


def truth(name: str) -> Any:
    return json.loads((SAMPLES / "truth" / f"{name}.json").read_text(encoding="utf-8"))


def ingest(folder: Path) -> IngestReport:
    loaded = load_manifest(SAMPLES / "archive")
    return ingest_dataset(loaded.manifest, loaded.base, folder, lambda step, done, total: None)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> TableStore:
    folder = tmp_path_factory.mktemp("ingest") / "raw"
    assert ingest(folder).reconciles
    return TableStore(folder)


def test_counts_reconcile_and_equal_the_answer_key(store: TableStore) -> None:
    """Invariant I1."""
    counts = {row["source"]: row for row in store.read("source_counts").iter_rows(named=True)}
    for row in counts.values():
        assert row["read"] == row["kept"] + row["duplicates"] + row["quarantined"]
    key = truth("counts")
    assert {name: counts[name]["read"] for name in key["mails"]["by_source"]} == key["mails"]["by_source"]
    mails = [counts[name] for name in key["mails"]["by_source"]]
    assert sum(row["duplicates"] for row in mails) == key["mails"]["duplicates"]
    left = key["mails"]["unique"] + key["mails"]["broken"]
    assert sum(row["kept"] + row["quarantined"] for row in mails) == left
    assert {name: counts[name]["kept"] for name in key["tickets_by_source"]} == key["tickets_by_source"]
    assert counts["plans"]["kept"] == key["plans"]
    for system in ("crm", "erp", "engineering"):
        assert counts[system]["kept"] == sum(key[system].values())
        for table, rows in key[system].items():
            assert store.read(f"records-{system}-{table.lower()}").height == rows


def test_every_mail_of_the_answer_key_is_there_once_with_its_mailboxes(store: TableStore) -> None:
    messages = store.read("messages")
    found = dict(zip(messages["header_id"], messages["mailboxes"], strict=True))
    expected = truth("messages")
    assert messages["header_id"].drop_nulls().is_unique().all()
    assert {name: sorted(mail["mailboxes"]) for name, mail in expected.items()} == {
        name: sorted({mailbox.split("/")[0] for mailbox in found[name]}) for name in expected
    }


def test_what_is_broken_is_kept_or_quarantined_with_a_reason(store: TableStore) -> None:
    quarantine = store.read("quarantine")
    assert sorted(quarantine["reason"]) == ["empty", "no_headers", "too_nested"]
    assert quarantine["locator"].str.contains(r"^bytes \d+-\d+$").all()
    assert quarantine["content_hash"].str.contains(r"^[0-9a-f]{64}$").all()
    readable = set(store.read("messages")["header_id"]) - set(truth("messages"))
    assert len(readable) + quarantine.height == truth("counts")["mails"]["broken"]


@pytest.mark.parametrize("name", sorted(KEYS))
def test_keys_are_unique_and_rows_know_where_they_came_from(store: TableStore, name: str) -> None:
    frame = store.read(name)
    assert frame[KEYS[name]].is_unique().all()
    if "locator" in frame.columns:
        assert frame.select("source", "path", "locator", "content_hash").null_count().sum_horizontal()[0] == 0


@pytest.mark.parametrize(
    ("table", "column", "target"),
    [
        ("attachments", "message_id", "messages"),
        ("calendar_items", "message_id", "messages"),
        ("comments", "ticket_id", "tickets"),
        ("ticket_events", "ticket_id", "tickets"),
    ],
)
def test_parts_belong_to_a_row_that_exists(store: TableStore, table: str, column: str, target: str) -> None:
    frame = store.read(table)
    assert frame.height > 0
    assert set(frame[column]) <= set(store.read(target)[KEYS[target]])


def test_links_point_from_text_to_rows_that_exist(store: TableStore) -> None:
    links = store.read("links")
    rows = {name: set(store.read(name)[KEYS.get(name, "record_id")]) for name in links["to_table"].unique()}
    for name in links["from_table"].unique():
        rows.setdefault(name, set(store.read(name)[KEYS.get(name, "record_id")]))
    for link in links.iter_rows(named=True):
        assert link["from_id"] in rows[link["from_table"]]
        assert link["to_id"] in rows[link["to_table"]]
        assert 0 < link["confidence"] <= 1
    whole = links.filter(pl.col("start") < 0)
    assert (whole["end"] == -1).all()


def test_identifiers_in_text_are_the_bytes_at_their_offsets(store: TableStore) -> None:
    links = store.read("links").filter(
        (pl.col("kind") == "identifier") & (pl.col("from_table") == "messages")
    )
    messages = {row["message_id"]: row for row in store.read("messages").iter_rows(named=True)}
    records = {name: store.read(name) for name in links["to_table"].unique()}
    values = {
        (name, column): dict(frame.select(KEYS.get(name, "record_id"), column).iter_rows())
        for name, column in links.select("to_table", "to_column").unique().iter_rows()
        for frame in (records[name],)
    }
    assert links.height > 100
    for link in links.iter_rows(named=True):
        written = messages[link["from_id"]][link["from_column"]][link["start"] : link["end"]]
        assert values[link["to_table"], link["to_column"]][link["to_id"]].lstrip(
            "0"
        ) == written.upper().lstrip("0")


def test_every_amount_of_the_answer_key_is_linked_to_its_document(store: TableStore) -> None:
    documents = {
        record: number
        for name in ("records-erp-vbak", "records-erp-vbrk")
        for record, number in store.read(name).select("record_id", "VBELN").iter_rows()
    }
    ids = dict(store.read("messages").select("message_id", "header_id").iter_rows())
    found: dict[str, set[str]] = defaultdict(set)
    amounts = store.read("links").filter((pl.col("kind") == "amount") & (pl.col("from_table") == "messages"))
    for message, record in amounts.select("from_id", "to_id").iter_rows():
        found[ids[message]].add(documents.get(record, ""))
    expected = [(name, a["document"]) for name, mail in truth("messages").items() for a in mail["amounts"]]
    missed = [(name, document) for name, document in expected if document not in found[name]]
    assert len(expected) > 100
    assert missed == []


def test_threads_hold_replies_together_and_never_mix_cases(store: TableStore) -> None:
    expected = truth("messages")
    threads = dict(store.read("messages").select("header_id", "thread_id").iter_rows())
    pairs = [(name, mail["parent"]) for name, mail in expected.items() if mail["parent"]]
    together = sum(threads[name] == threads[parent] for name, parent in pairs)
    assert together >= 0.95 * len(pairs)
    cases: dict[str, set[str]] = defaultdict(set)
    for name, mail in expected.items():
        if mail["case_id"]:
            cases[threads[name]].add(mail["case_id"])
    assert [thread for thread, found in cases.items() if len(found) > 1] == []


def test_own_words_hold_no_quote_of_another_mail(store: TableStore) -> None:
    messages = store.read("messages")
    marks = r"(?m)^\s*>|-----Original Message-----|^On .{10,80} wrote:$"
    assert messages.filter(pl.col("body_own").str.contains(marks)).height == 0
    assert messages.filter(pl.col("body_quoted") != "").height > 200


def test_every_own_column_is_described_and_the_stored_manifest_has_no_paths(store: TableStore) -> None:
    specs = store.column_specs()
    assert sorted(specs) == store.record_tables()
    for name in store.record_tables():
        assert list(store.read(name).columns[5:]) == sorted(specs[name], key=store.read(name).columns.index)
    manifest = Manifest.model_validate(store.read_json("manifest.json"))
    assert manifest.base is None
    assert all(source.path is None and source.url is None for source in manifest.sources)
    types = {spec.type for source in manifest.sources for table in source.tables for spec in table.objects}
    assert {"lead", "account", "contact", "opportunity", "meeting", "user"} <= types
    assert {"quote", "order", "invoice", "payment"} <= types
    for source in manifest.sources:
        for table in source.tables:
            for spec in table.objects:
                assert set(spec.parents.values()) | set(spec.attributes.values()) <= set(table.columns)


def test_a_second_reading_gives_the_same_bytes(store: TableStore, tmp_path: Path) -> None:
    """Invariant I7 on the raw side."""
    ingest(tmp_path / "raw")
    assert written(store.folder) == written(tmp_path / "raw")


def written(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
