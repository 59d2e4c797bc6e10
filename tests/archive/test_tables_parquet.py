"""Parquet files: row groups as batches, every type an exact string."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from archive import tables_parquet
from archive.tables_parquet import read_parquet

MOMENT = datetime(2024, 2, 29, 10, 20, 30, 500_000)  # noqa: DTZ001


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        ("Zoë", pa.string(), "Zoë"),
        (" ", pa.string(), None),
        ("a", pa.dictionary(pa.int8(), pa.string()), "a"),
        (7, pa.uint64(), "7"),
        (True, pa.bool_(), "true"),
        (1e22, pa.float64(), "10000000000000000000000"),
        (1e-7, pa.float64(), "0.0000001"),
        (12.5, pa.float32(), "12.5"),
        (Decimal("0.0000000120"), pa.decimal128(20, 10), "0.0000000120"),
        (Decimal("12.30"), pa.decimal128(12, 2), "12.30"),
        (date(2024, 2, 29), pa.date32(), "2024-02-29"),
        (MOMENT, pa.timestamp("us"), "2024-02-29T10:20:30.500000"),
        (
            MOMENT.replace(tzinfo=UTC),
            pa.timestamp("ms", "Europe/Berlin"),
            "2024-02-29T11:20:30.500000+01:00",
        ),
        (1_709_202_030_000_000_007, pa.timestamp("ns"), "2024-02-29T10:20:30.000000007"),
        (1_709_202_030_500_000_000, pa.timestamp("ns", "UTC"), "2024-02-29T10:20:30.500000+00:00"),
        (time(10, 20), pa.time32("s"), "10:20:00"),
        (timedelta(hours=26), pa.duration("s"), "P1DT2H"),
        (b"\x01\xff", pa.binary(), "01ff"),
        ([1, None], pa.list_(pa.int64()), "[1,null]"),
        ({"b": Decimal("1.50"), "a": [MOMENT]}, None, '{"a":["2024-02-29T10:20:30.500000"],"b":"1.50"}'),
        (None, pa.string(), None),
    ],
)
def test_every_type_is_an_exact_string(
    value: object, kind: pa.DataType | None, text: str | None, tmp_path: Path
) -> None:
    column = pa.array([value, None], kind)
    pq.write_table(pa.table({"x": column, "source": pa.array(["k", "k"])}), tmp_path / "t.parquet")
    (batch,) = read_parquet(tmp_path / "t.parquet", tmp_path)
    assert (batch.table, batch.numbers.to_list()) == ("t", [1, 2])
    assert batch.frame.columns == ["x", "source_"]
    assert batch.frame["x"].to_list() == [text, None]


def test_rows_come_in_batches_over_all_row_groups(tmp_path: Path) -> None:
    table = pa.table({"n": pa.array(range(1000))})
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=300)
    with patch.object(tables_parquet, "BATCH_ROWS", 128):
        batches = list(read_parquet(tmp_path / "t.parquet", tmp_path))
    assert max(batch.frame.height for batch in batches) <= 128
    assert [n for batch in batches for n in batch.frame["n"]] == [str(n) for n in range(1000)]
    assert [n for batch in batches for n in batch.numbers] == list(range(1, 1001))
    pq.write_table(table.slice(0, 0), tmp_path / "e.parquet")
    (empty,) = read_parquet(tmp_path / "e.parquet", tmp_path)
    assert (empty.frame.columns, empty.read) == (["n"], 0)


def test_broken_and_huge_files_are_one_reject(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"n": pa.array(range(1000))}), path)
    whole = path.read_bytes()
    with patch.object(tables_parquet, "MAX_GROUP", 10):
        (batch,) = read_parquet(path, tmp_path)
        assert [reject.reason for reject in batch.rejects] == ["bomb"]
    for data in (b"", b"PAR1", whole[:-20], b"x" * 100):
        path.write_bytes(data)
        (batch,) = read_parquet(path, tmp_path)
        assert [(reject.locator, reject.reason) for reject in batch.rejects] == [("file", "unreadable_file")]
