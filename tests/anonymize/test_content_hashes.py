"""Hashes of what held an erased person become keyed marks, wherever they stand; all others stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from anonymize.content_hashes import ForgottenContents
from anonymize.tombstones import Tombstones
from archive.store import RECORD_HEAD, TableStore, empty_frame
from contracts.tables import FIXED_TABLES

STONES = Tombstones(b"k" * 32)
BEFORE: dict[str, dict[str, list[Any]]] = {
    "messages": {
        "message_id": ["m-1", "m-2", "m-3"],
        "content_hash": ["aa", "bb", "cc"],
        "subject": ["x", "y", None],
    },
    "attachments": {
        "attachment_id": ["a-1", "a-2"],
        "message_id": ["m-1", "m-2"],
        "content_hash": ["11", "22"],
        "text": ["Ada", "Olga"],
    },
    "calendar_items": {"item_id": ["i-1"], "message_id": ["m-1"], "content_hash": ["aa"], "summary": ["Ada"]},
    "quarantine": {"content_hash": ["aa", "dd"], "reason": ["duplicate", "not_mail"]},
    "records-crm-staff": {
        "record_id": ["r-1", "r-2", "r-3"],
        "content_hash": ["ee", "ee", "ff"],
        "n": [1, 2, 3],
    },
    "links": {"link_id": ["l-1"]},
}


def whole(name: str, columns: dict[str, list[Any]]) -> pl.DataFrame:
    """Returns a table with all its columns, those not given empty."""
    frame = pl.DataFrame(columns)
    if name in FIXED_TABLES:
        return pl.concat([empty_frame(FIXED_TABLES[name]), frame], how="diagonal")
    head = [pl.col(one) if one in columns else pl.lit("").alias(one) for one in RECORD_HEAD]
    return frame.select(*head, "n")


@pytest.fixture
def raw(tmp_path: Path) -> TableStore:
    store = TableStore(tmp_path)
    for name, columns in BEFORE.items():
        store.write(name, whole(name, columns))
    return store


def _changed(raw: TableStore) -> dict[str, list[int]]:
    """Table -> rows whose hash became a mark."""
    found = {}
    for name in raw.names():
        if "content_hash" in BEFORE[name]:
            new = raw.read(name)["content_hash"].to_list()
            pairs = zip(BEFORE[name]["content_hash"], new, strict=True)
            found[name] = [place for place, (old, one) in enumerate(pairs) if old != one]
            assert all(new[place].startswith("erased-") for place in found[name])
    return {name: rows for name, rows in found.items() if rows}


@pytest.mark.parametrize(
    ("table", "column", "row", "value", "marked"),
    [
        ("messages", "subject", 1, "#", {"messages": [1]}),
        ("messages", "subject", 1, None, {"messages": [1]}),
        (
            "attachments",
            "text",
            0,
            "#",
            {"attachments": [0], "calendar_items": [0], "messages": [0], "quarantine": [0]},
        ),
        ("calendar_items", "summary", 0, "#", {"calendar_items": [0], "messages": [0], "quarantine": [0]}),
        ("records-crm-staff", "n", 0, None, {"records-crm-staff": [0, 1]}),
        ("records-crm-staff", "n", 2, 3, {}),
    ],
)
def test_a_changed_row_takes_its_hash_from_all_that_were_read_with_it(
    raw: TableStore, table: str, column: str, row: int, value: object, marked: dict[str, list[int]]
) -> None:
    before = raw.read(table)
    cells = [value if place == row else cell for place, cell in enumerate(before[column].to_list())]
    after = before.with_columns(pl.Series(column, cells, dtype=before.schema[column]))
    contents = ForgottenContents(STONES)
    contents.changed(table, before, after)
    raw.write(table, after)
    contents.forget(raw)
    assert _changed(raw) == marked


def test_marks_are_the_same_after_every_reading_and_differ_by_key_and_content(tmp_path: Path) -> None:
    found = set()
    for number, stones in enumerate((STONES, STONES, Tombstones(b"o" * 32))):
        raw = TableStore(tmp_path / str(number))
        raw.write("messages", whole("messages", BEFORE["messages"]))
        for _ in range(2):  # a mark is never marked again
            contents = ForgottenContents(stones)
            contents.held("messages", raw.read("messages").head(2))
            contents.forget(raw)
        found.add(tuple(raw.read("messages")["content_hash"]))
    assert len(found) == 2 and all(len(set(hashes)) == 3 and hashes[2] == "cc" for hashes in found)
