"""JSON lines and lists: the union of keys, nested values as text, broken objects rejected."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from unittest.mock import patch

from archive import tables_json
from archive.tables_json import read_jsonl


def test_json_lines_become_rows_with_all_keys_in_order_of_appearance(tmp_path: Path) -> None:
    data = (
        b'{"id": 1, "name": "Zo\xc3\xab", "tags": ["b", "a"], "ok": true}\n\n'
        b'{"name": null, "id": 12345678901234567890, "amount": 12.30, "sub": {"z": 1, "a": 2.50}}\n'
        b"{broken\n"
        b'["no", "object"]\n'
        b'{"source": "web", "id": " "}'
    )
    for name, content in (("t.jsonl", data), ("t.ndjson.gz", gzip.compress(data, mtime=0))):
        (tmp_path / name).write_bytes(content)
        (batch,) = read_jsonl(tmp_path / name, tmp_path)
        assert (batch.table, batch.place) == ("t", "line {}")
        assert batch.frame.columns == ["id", "name", "tags", "ok", "amount", "sub", "source_"]
        assert list(zip(batch.numbers, batch.frame.rows(), strict=True)) == [
            (1, ("1", "Zoë", '["b","a"]', "true", None, None, None)),
            (3, ("12345678901234567890", None, None, None, "12.30", '{"a":"2.50","z":1}', None)),
            (6, (None, None, None, None, None, None, "web")),
        ]
        assert [(reject.locator, reject.reason) for reject in batch.rejects] == [
            ("line 4", "broken_json"),
            ("line 5", "no_object"),
        ]
        assert batch.read == 5


def test_lists_and_wrapped_lists_are_tables(tmp_path: Path) -> None:
    rows = [{"a": 1}, {"b": "x"}]
    for name, value in (("l.json", rows), ("w.json", {"total": 2, "records": rows})):
        (tmp_path / name).write_text(json.dumps(value, indent=1))
        (batch,) = read_jsonl(tmp_path / name, tmp_path)
        assert batch.table == name[0]
        assert batch.frame.rows() == [("1", None), (None, "x")]
        assert batch.numbers.to_list() == [1, 2]
    (tmp_path / "two.json").write_text(json.dumps({"records": rows, "items": [{"c": 1}]}))
    batches = list(read_jsonl(tmp_path / "two.json", tmp_path))
    assert [(batch.table, batch.frame.columns) for batch in batches] == [
        ("two.records", ["a", "b"]),
        ("two.items", ["c"]),
    ]


def test_batches_and_columns_are_bounded(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(
        "".join(json.dumps({"n": n, f"k{n // 90}": 1}) + "\n" for n in range(300))
    )
    with patch.object(tables_json, "BATCH_ROWS", 100), patch.object(tables_json, "MAX_COLUMNS", 4):
        batches = list(read_jsonl(tmp_path / "t.jsonl", tmp_path))
    assert all(batch.frame.columns == ["n", "k0", "k1", "k2"] and batch.read <= 101 for batch in batches)
    assert [n for batch in batches for n in batch.frame["n"]] == [str(n) for n in range(270)]
    assert [reject.reason for batch in batches for reject in batch.rejects] == ["too_many_columns"] * 30


def test_an_empty_or_missing_file_is_one_reject(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(b"\n")
    (batch,) = read_jsonl(tmp_path / "t.jsonl", tmp_path)
    assert [reject.reason for reject in batch.rejects] == ["empty"]
    (batch,) = read_jsonl(tmp_path / "none.jsonl", tmp_path)
    assert [reject.reason for reject in batch.rejects] == ["unreadable_file"]
