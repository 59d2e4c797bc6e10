"""A company's own tables: CSV and databases, every row accounted for, values exact."""

from __future__ import annotations

import sqlite3
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.database import value_text
from archive.errors import ManifestError, SourceError
from archive.records import RecordTable, exact_amount, own_column_name, read_record_tables
from archive.tables_csv import read_csv, sniff_delimiter
from contracts.manifest import ColumnSpec, Source, SourceKind, TableSpec
from contracts.tables import ColumnKind


def csv_source(*tables: TableSpec, path: str = "*.csv") -> Source:
    return Source(name="crm", kind=SourceKind.CRM, format="csv", path=path, tables=list(tables))


def one(source: Source, base: Path) -> RecordTable:
    (table,) = read_record_tables(source, base)
    return table


@pytest.mark.parametrize(
    ("data", "header", "rows"),
    [
        (b"\xef\xbb\xbfa,b\n1,2\n", ("a", "b"), [("1", "2")]),
        (b"a;b\n1,5;2\n", ("a", "b"), [("1,5", "2")]),
        (b"a\tb\n1\t2\n", ("a", "b"), [("1", "2")]),
        ("a,b\nJörg,Weiß\n".encode("cp1252"), ("a", "b"), [("Jörg", "Weiß")]),
        ("a,b\n1,2\n".encode("utf-16"), ("a", "b"), [("1", "2")]),
        (b'a,b\n"x\ny","say ""hi"""\n\n3,4\n', ("a", "b"), [("x\ny", 'say "hi"'), ("3", "4")]),
        (b"a\n1\n", ("a",), [("1",)]),
        (b"", (), []),
    ],
)
def test_csv_is_read_in_any_encoding_and_dialect(
    data: bytes, header: tuple[str, ...], rows: list[tuple[str, ...]], tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    content = read_csv(tmp_path / "t.csv")
    assert content.header == header
    assert [row.cells for row in content.rows] == rows


def test_rows_of_another_width_are_quarantined_not_dropped(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Id,Name\n1,a\n2\n3,b,c\n4,d\n")
    table = one(csv_source(), tmp_path)
    assert (table.read, table.frame.height, table.duplicates) == (4, 2, 0)
    assert [(reject.locator, reject.reason) for reject in table.rejects] == [
        ("row 3", "wrong_width"),
        ("row 4", "wrong_width"),
    ]


def test_only_equal_rows_of_one_key_are_duplicates(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Id,Name\n1,a\n1,a\n1,b\n2,a\n")
    table = one(csv_source(TableSpec(name="t", key=["Id"])), tmp_path)
    assert (table.read, table.frame.height, table.duplicates) == (4, 3, 1)
    assert table.frame["record_id"].n_unique() == 3
    without_key = one(csv_source(), tmp_path)
    assert (without_key.frame.height, without_key.duplicates) == (4, 0)
    assert without_key.frame["record_id"].n_unique() == 4


def test_columns_called_like_provenance_keep_their_values_under_another_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("source,path,Id,Id,\nweb,x,1,2,z\n")
    table = one(csv_source(), tmp_path)
    assert table.frame.columns[5:] == ["source_", "path_", "Id", "Id.2", "column_5"]
    assert table.frame.row(0)[5:] == ("web", "x", "1", "2", "z")
    assert own_column_name("Name", 1) == "Name"


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
        list(read_record_tables(source, tmp_path))


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
    log, vbak = read_record_tables(source, tmp_path)
    assert (log.name, log.frame.height) == ("records-erp-log", 0)
    assert vbak.frame.rows()[0][3:4] + vbak.frame.rows()[0][5:] == (
        "VBAK rowid 1",
        "0002",
        "18400.00",
        "1",
        None,
    )
    assert vbak.frame["NETWR"].to_list() == ["18400.00", "0.10"]
    assert path.read_bytes() == before


def test_a_missing_or_broken_database_names_its_source_only(tmp_path: Path) -> None:
    source = Source(name="erp", kind=SourceKind.ERP, format="sqlite", path="erp.sqlite")
    with pytest.raises(SourceError, match="source 'erp'"):
        list(read_record_tables(source, tmp_path))
    (tmp_path / "erp.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(SourceError, match="source 'erp'") as caught:
        list(read_record_tables(source, tmp_path))
    assert str(tmp_path) not in str(caught.value)


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


@given(st.integers(0, 10**12))
def test_every_amount_in_cents_survives_a_float_column(cents: int) -> None:
    written = exact_amount(value_text(cents / 100), 2)
    assert written is not None
    assert Decimal(written) * 100 == cents


@pytest.mark.parametrize(("value", "text"), [("1.005", "1.005"), ("abc", "abc"), (None, None), ("7", "7.00")])
def test_amounts_that_do_not_fit_their_decimals_stay_as_written(value: str | None, text: str | None) -> None:
    assert exact_amount(value, 2) == text


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_from_equal_widths(delimiter: str) -> None:
    rows = [["id", "note, free", "x"], ["1", "a; b", "y"], ["2", "c", "z"]]
    text = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    assert sniff_delimiter(text) == delimiter
