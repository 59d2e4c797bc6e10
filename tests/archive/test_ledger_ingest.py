"""Ledgers and logs through the whole of ingestion: kinds, references, counts that add up."""

from __future__ import annotations

import pytest

from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.store import TableStore
from contracts.tables import ColumnKind

MANIFEST = """
name: books
company: {names: [Acme], domains: [acme.example], zones: [Europe/Berlin], currency: EUR}
sources:
  - {name: datev, kind: accounting, format: datev, path: datev, preset: datev}
  - {name: bank, kind: accounting, format: mt940, path: bank, preset: mt940}
  - {name: log, kind: erp, format: xes, path: log, preset: xes}
"""
BOOKINGS = (
    '"EXTF";700;21;"Buchungsstapel";9;;;;;;1;2;20240101;4;20240101;20241231\r\n'
    "Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;Konto;Gegenkonto (ohne BU-Schlüssel);Belegdatum\r\n"
    "10,50;S;10000;8400;0102\r\n1,00;S;10000;8400;3102\r\n"
)
PARTNERS = (
    '"EXTF";700;16;"Debitoren/Kreditoren";5;;;;;;1;2;20240101;4\r\n'
    "Konto;Name (Adressatentyp Unternehmen);Ort\r\n10000;Invented GmbH;Bonn\r\n"
)
STATEMENT = ":20:A\n:25:1\n:28C:1/1\n:60F:C240101EUR0,\n:61:240101C5,NMSC\n:86:x\n:62F:C240101EUR5,\n-\n"
EVENT = (
    '<event><string key="concept:name" value="open"/>'
    '<date key="time:timestamp" value="2024-01-01T10:00:00Z"/></event>'
)
CASE = '<log><trace><string key="concept:name" value="{}"/>{}</trace></log>'


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> TableStore:
    folder = tmp_path_factory.mktemp("books")
    (folder / "dataset.yaml").write_text(MANIFEST)
    files = {
        "datev/EXTF_a.csv": BOOKINGS.encode("cp1252"),
        "datev/EXTF_b.csv": PARTNERS.encode("cp1252"),
        "bank/1.sta": STATEMENT.encode(),
        "bank/again.sta": STATEMENT.encode() * 2,
        "bank/none.txt": b"no statement",
        "log/a.xes": CASE.format("c1", EVENT).encode(),
        "log/b.xes": CASE.format("c2", '<string key="size" value="9"/>' + EVENT).encode(),
        "log/broken.xes": b"<log",
    }
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    loaded = load_manifest(folder)
    report = ingest_dataset(loaded.manifest, loaded.base, folder / "raw", lambda step, done, total: None)
    assert report.reconciles
    return TableStore(folder / "raw")


def test_everything_read_is_accounted_for(store: TableStore) -> None:
    counts = {row["source"]: row for row in store.read("source_counts").iter_rows(named=True)}
    assert {
        name: (row["read"], row["kept"], row["duplicates"], row["quarantined"])
        for name, row in counts.items()
    } == {
        "datev": (2 + 1 + 2, 4, 0, 1),
        "bank": (3 * 3 + 1, 3, 6, 1),
        "log": (2 * 2 + 1, 4, 0, 1),
    }
    reasons = sorted(store.read("quarantine")["reason"])
    assert reasons == ["bad_date", "malformed_xml", "no_statement"]


def test_columns_have_the_kinds_of_their_preset(store: TableStore) -> None:
    specs = store.column_specs()
    bookings = specs["records-datev-buchungsstapel"]
    assert bookings["Umsatz (ohne Soll/Haben-Kz)"].kind == ColumnKind.MONEY
    assert bookings["Belegdatum"].kind == ColumnKind.DATE
    assert bookings["Konto"].references == "datev.debitoren_kreditoren.Konto"
    assert specs["records-bank-entries"]["amount"].kind == ColumnKind.MONEY
    assert specs["records-log-events"]["resource"].kind == ColumnKind.PERSON


def test_files_of_one_log_may_differ_in_their_attributes(store: TableStore) -> None:
    cases = store.read("records-log-cases").sort("case_id")
    assert cases.select("case_id", "size").rows() == [("c1", None), ("c2", "9")]
