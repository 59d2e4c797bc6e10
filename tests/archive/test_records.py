"""A company's own tables: every row accounted for, ids that stay, values exact."""

from __future__ import annotations

import sqlite3
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.database import value_text
from archive.errors import ManifestError, SourceError
from archive.ingest import ingest_dataset
from archive.records import exact_amounts
from archive.rejects import SourceCount
from archive.store import TableStore
from contracts.manifest import ColumnSpec, Company, Manifest, Source, SourceKind, TableSpec
from contracts.tables import ColumnKind

COMPANY = Company(names=["X"], domains=["x.example"], zones=["UTC"], currency="EUR")


class Read(NamedTuple):
    store: TableStore
    counts: SourceCount

    def table(self, name: str) -> pl.DataFrame:
        return self.store.read(f"records-{name}")


def csv_source(*tables: TableSpec, path: str = "*.csv") -> Source:
    return Source(name="crm", kind=SourceKind.CRM, format="csv", path=path, tables=list(tables))


def read(source: Source, base: Path) -> Read:
    manifest = Manifest(name="x", company=COMPANY, sources=[source])
    folder = base / ".raw"
    report = ingest_dataset(manifest, base, folder, lambda *_: None)
    assert report.reconciles
    return Read(TableStore(folder), report.sources[0])


def test_rows_of_another_width_are_quarantined_not_dropped(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Id,Name\n1,a\n2\n3,b,c\n4,d\n")
    found = read(csv_source(), tmp_path)
    assert found.counts == SourceCount("crm", 4, 2, 0, 2)
    assert found.store.read("quarantine").select("locator", "reason").rows() == [
        ("row 3", "wrong_width"),
        ("row 4", "wrong_width"),
    ]


def test_only_equal_rows_of_one_key_are_duplicates(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Id,Name\n1,a\n1,a\n1,b\n2,a\n")
    found = read(csv_source(TableSpec(name="t", key=["Id"])), tmp_path)
    assert found.counts == SourceCount("crm", 4, 3, 1, 0)
    assert found.table("crm-t")["record_id"].n_unique() == 3
    without_key = read(csv_source(), tmp_path)
    assert without_key.counts == SourceCount("crm", 4, 4, 0, 0)
    assert without_key.table("crm-t")["record_id"].n_unique() == 4


def test_files_of_one_table_may_differ_in_columns_and_nothing_is_lost(tmp_path: Path) -> None:
    (tmp_path / "deals-1.csv").write_text("Id,Name\n1,a\n")
    (tmp_path / "deals-2.csv").write_text("Id,Owner\n2,b\n")
    found = read(csv_source(TableSpec(name="deals", path="deals-*.csv", key=["Id"])), tmp_path)
    rows = found.table("crm-deals").select("Id", "Name", "Owner", "path", "locator").rows()
    assert rows == [("1", "a", None, "deals-1.csv", "row 2"), ("2", None, "b", "deals-2.csv", "row 2")]


def test_a_row_keeps_its_id_whatever_stands_before_it(tmp_path: Path) -> None:
    keyed = csv_source(TableSpec(name="t", key=["Id"]))
    ids = []
    for content in ("Id,Name\n7,a\n", "Id,Name\n1,b\n7,changed\n"):
        (tmp_path / "t.csv").write_text(content)
        table = read(keyed, tmp_path).table("crm-t")
        ids.append(table.filter(pl.col("Id") == "7")["record_id"].item())
    assert ids[0] == ids[1]


def test_columns_called_like_provenance_keep_their_values_under_another_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("source,path,Id,Id,\nweb,x,1,2,z\n")
    table = read(csv_source(), tmp_path).table("crm-t")
    assert table.columns[5:] == ["source_", "path_", "Id", "Id.2", "column_5"]
    assert table.row(0)[5:] == ("web", "x", "1", "2", "z")


@pytest.mark.parametrize(
    ("source", "error", "text"),
    [
        (csv_source(path="none/*.csv"), SourceError, "no files"),
        (csv_source(TableSpec(name="orders")), ManifestError, "'orders'.*among its 1"),
        (csv_source(TableSpec(name="t", key=["Nr"])), ManifestError, "key column 'Nr'"),
    ],
)
def test_what_the_manifest_promises_must_be_there(
    source: Source, error: type[Exception], text: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text("Id\n1\n")
    with pytest.raises(error, match=text):
        read(source, tmp_path)


def test_a_database_is_read_exactly_and_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "erp.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE VBAK (VBELN TEXT PRIMARY KEY, NETWR REAL, N INTEGER, NOTE TEXT)")
        connection.execute("CREATE TABLE Log (line TEXT)")
        connection.executemany(
            "INSERT INTO VBAK VALUES (?, ?, ?, ?)", [("0002", 18400.0, 1, None), ("0001", 0.1, 2, " ")]
        )
    connection.close()
    before = path.read_bytes()
    spec = TableSpec(name="VBAK", columns={"NETWR": ColumnSpec(kind=ColumnKind.MONEY)})
    source = Source(name="erp", kind=SourceKind.ERP, format="sqlite", path="erp.sqlite", tables=[spec])
    found = read(source, tmp_path)
    assert found.table("erp-log").height == 0
    vbak = found.table("erp-vbak")
    assert vbak.rows()[0][3:4] + vbak.rows()[0][5:] == ("VBAK rowid 1", "0002", "18400.00", "1", None)
    assert vbak["NETWR"].to_list() == ["18400.00", "0.10"]
    assert path.read_bytes() == before


def test_a_missing_database_stops_the_run_and_a_broken_one_is_quarantined(tmp_path: Path) -> None:
    source = Source(name="erp", kind=SourceKind.ERP, format="sqlite", path="erp.sqlite")
    with pytest.raises(SourceError, match="source 'erp'") as caught:
        read(source, tmp_path)
    assert str(tmp_path) not in str(caught.value)
    (tmp_path / "erp.sqlite").write_bytes(b"no database at all" * 100)
    assert read(source, tmp_path).counts == SourceCount("erp", 1, 0, 0, 1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        (True, "true"),
        (15314.75, "15314.75"),
        (1e22, "10000000000000000000000"),
        (Decimal("1.50"), "1.50"),
        (date(2025, 3, 4), "2025-03-04"),
        (b"\x01\xff", "01ff"),
        ("0001", "0001"),
    ],
)
def test_database_values_become_exact_strings(value: object, text: str | None) -> None:
    assert value_text(value) == text


def exact(value: str | None, decimals: int = 2) -> str | None:
    frame = pl.DataFrame({"x": [value]}, schema={"x": pl.String})
    written: str | None = frame.select(exact_amounts("x", decimals)).item()
    return written


@given(st.integers(0, 10**12))
def test_every_amount_in_cents_survives_a_float_column(cents: int) -> None:
    written = exact(value_text(cents / 100))
    assert written is not None
    assert Decimal(written) * 100 == cents


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        ("1.005", 2, "1.005"),
        ("1.500", 2, "1.50"),
        ("abc", 2, "abc"),
        (None, 2, None),
        ("7", 2, "7.00"),
        ("-7.1", 2, "-7.10"),
        ("7.0", 0, "7"),
        ("1,200.5", 2, "1,200.5"),
    ],
)
def test_amounts_that_do_not_fit_their_decimals_stay_as_written(
    value: str | None, decimals: int, text: str | None
) -> None:
    assert exact(value, decimals) == text
