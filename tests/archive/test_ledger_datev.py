"""DATEV files: invented bookings and partners in the form of the real ones."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from archive.batches import TableBatch
from archive.ledger_datev import MAX_RECORD, is_datev, read_datev

HEADER = (
    "Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);"
    "Belegdatum;Buchungstext;Leistungsdatum"
)


def meta(
    category: int, name: str, start: str = "20230701", first: str = "20231201", last: str = "20240131"
) -> str:
    own = f'"EXTF";700;{category};"{name}";9;20240201;;"XY";"Ada Beispiel";"";1001;456'
    return f'{own};{start};4;{first};{last};"x"'


def read(tmp_path: Path, text: str, encoding: str = "cp1252") -> dict[str, TableBatch]:
    path = tmp_path / "EXTF_x.csv"
    path.write_bytes(text.encode(encoding))
    return {batch.table: batch for batch in read_datev(path, tmp_path)}


def bookings(tmp_path: Path, *rows: str, head: str | None = None, end: str = "\r\n") -> dict[str, TableBatch]:
    return read(tmp_path, end.join([head or meta(21, "Buchungsstapel"), HEADER, *rows]) + end)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_bookings_are_read_in_every_encoding_and_line_end(tmp_path: Path, encoding: str, end: str) -> None:
    rows = ['1.234,50;"S";"EUR";10000;8400;1512;"Schrauben für ""Müller"";\nzwei Kisten";14122023']
    text = end.join([meta(21, "Buchungsstapel"), HEADER, *rows]) + end
    batch = read(tmp_path, text, encoding)["buchungsstapel"]
    row = batch.frame.row(0, named=True)
    assert row["Umsatz (ohne Soll/Haben-Kz)"] == "1234.50"
    assert row["Belegdatum"] == "2023-12-15"
    assert row["Leistungsdatum"] == "2023-12-14"
    assert row["Buchungstext"].startswith('Schrauben für "Müller";')
    assert batch.numbers.to_list() == [3]
    assert batch.rejects == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0101", "2024-01-01"),
        ("101", "2024-01-01"),
        ("3112", "2023-12-31"),
        ("31122023", "2023-12-31"),
        ("", None),
    ],
)
def test_the_period_gives_a_day_its_year(tmp_path: Path, written: str, meant: str | None) -> None:
    batch = bookings(tmp_path, f'1,00;S;EUR;1;2;{written};"";')["buchungsstapel"]
    assert batch.frame["Belegdatum"].to_list() == [meant]


def test_without_a_period_the_fiscal_year_decides(tmp_path: Path) -> None:
    head = meta(21, "Buchungsstapel", first="", last="")
    found = bookings(tmp_path, "1;S;;1;2;3006;;", "1;S;;1;2;0107;;", head=head)["buchungsstapel"]
    assert found.frame["Belegdatum"].to_list() == ["2024-06-30", "2023-07-01"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("1,00;S;EUR;1;2;3102;;", "bad_date"),
        ("1,00;S;EUR;1;2;abcd;;", "bad_date"),
        ("1,00;S;EUR;1;2;0106;;", "date_outside_period"),
        ("1,00;S;EUR;1;2;15122022;;", "date_outside_period"),
        ("1,00;S;EUR;1;2;1512;;99999999", "bad_date"),
        ("1,00;S;EUR;1;2", "wrong_width"),
        ("1,00;S;EUR;1;2;1512;;;;;x", "wrong_width"),
    ],
)
def test_a_row_that_cannot_be_used_is_rejected_alone(tmp_path: Path, row: str, reason: str) -> None:
    batch = bookings(tmp_path, row, "2,00;S;EUR;1;2;1512;gut;")["buchungsstapel"]
    assert [(found.locator, found.reason) for found in batch.rejects] == [("row 3", reason)]
    assert batch.frame["Buchungstext"].to_list() == ["gut"]
    assert batch.read == 2


def test_debit_and_credit_of_a_journal_agree(tmp_path: Path) -> None:
    tables = bookings(tmp_path, "24,95;H;EUR;1200;4940;1512;;", "5950,00;S;EUR;10000;8400;1612;;")
    own = tables["vorlauf"].frame.row(0, named=True)
    assert (own["Zeilen"], own["Summe Soll"], own["Summe Haben"]) == ("2", "5974.95", "5974.95")
    assert (own["WJ-Beginn"], own["Datum von"], own["Berater"]) == ("2023-07-01", "2023-12-01", "1001")


def test_a_booking_without_counter_account_shows_in_the_sums(tmp_path: Path) -> None:
    own = bookings(tmp_path, "10,00;S;EUR;1200;;1512;;")["vorlauf"].frame.row(0, named=True)
    assert (own["Summe Soll"], own["Summe Haben"]) == ("10.00", "0")


@pytest.mark.parametrize(
    ("category", "name", "table"),
    [
        (16, "Debitoren/Kreditoren", "debitoren_kreditoren"),
        (20, "Kontenbeschriftungen", "kontenbeschriftungen"),
        (46, "Zahlungsbedingungen", "zahlungsbedingungen"),
        (99, "Neue Sache (Test)", "neue_sache_test"),
    ],
)
def test_each_category_is_a_table(tmp_path: Path, category: int, name: str, table: str) -> None:
    tables = read(tmp_path, f'{meta(category, name)}\r\nKonto;Kontenbeschriftung\r\n1000;"Kasse"\r\n')
    assert tables[table].frame.to_dicts() == [{"Konto": "1000", "Kontenbeschriftung": "Kasse"}]
    assert tables["vorlauf"].frame["Summe Soll"].to_list() == [None]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no_datev_header"),
        (b"a;b\r\n1;2\r\n", "no_datev_header"),
        (b'"EXTF";700;21;"Buchungsstapel"\r\n', "no_header"),
    ],
)
def test_a_file_that_is_none_is_one_reject(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(data)
    batches = list(read_datev(path, tmp_path))
    assert [found.reason for batch in batches for found in batch.rejects] == [reason]
    assert sum(batch.read for batch in batches) == 1


def test_an_endless_record_is_rejected_and_the_next_is_read(tmp_path: Path) -> None:
    long = f'1,00;S;EUR;1;2;1512;"{"x" * (MAX_RECORD + 10)}";'
    batch = bookings(tmp_path, long, "2,00;S;EUR;1;2;1512;gut;")["buchungsstapel"]
    assert [found.reason for found in batch.rejects] == ["too_large"]
    assert batch.frame["Buchungstext"].to_list() == ["gut"]


def test_all_columns_are_strings(tmp_path: Path) -> None:
    frame = bookings(tmp_path, "1,00;S;EUR;1;2;1512;;")["buchungsstapel"].frame
    assert set(frame.dtypes) == {pl.String()}
    assert frame["WKZ Umsatz"].to_list() == ["EUR"]


@pytest.mark.parametrize(
    ("first", "is_one"),
    [(b'"EXTF";700', True), (b"DTVF;300", True), (b'\xef\xbb\xbf"EXTF";5', True), (b"EXTFX;", False)],
)
def test_a_datev_file_is_told_by_its_first_bytes(first: bytes, is_one: bool) -> None:
    assert is_datev(first) is is_one
