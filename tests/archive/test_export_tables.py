"""Tables written back: dialect, types, keys and places kept; words that no cell holds stay behind."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
import zipfile
from collections import Counter
from contextlib import closing
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archive.export import ExportError, export_dataset
from archive.export_csv import csv_form, write_csv
from archive.loading import load_manifest
from archive.tables_csv import read_csv
from tests.archive.export_trips import CLEAN, REAL, Trip, silent

HIDDEN = "Xanthippe"


def source(form: str, path: str, more: str = "") -> str:
    """A source of tables as a manifest has it."""
    return f"{{name: erp, kind: erp, format: {form}, path: {path}{more}}}"


DIALECTS: dict[str, bytes] = {
    "plain": f"id,name,amount\n1,{REAL},12.50\n2,Bo,7.00\n".encode(),
    "german": f"\ufeffNr;Name;Betrag\r\n1;{REAL} Groß;1.234,50\r\n2;Bo;7,00\r\n".encode(),
    "cp1252": f"Nr;Name;Betrag\r\n1;{REAL} Groß;1.234,50\r\n2;Jürgen;7,00\r\n".encode("cp1252"),
    "utf-16": "\ufeff".encode("utf-16-le") + f"a\tb\tc\n1\t{REAL}\tß\n2\tBo\tc\n".encode("utf-16-le"),
    "all quoted": f'"id","name","note"\n"1","{REAL}, Inc.","say ""hi"""\n"2","Bo",""\n'.encode(),
    "words quoted": f'"id","name","n"\n1,"{REAL}",5\n2,"Bo",6\n'.encode(),
    "titles": f"Report by {HIDDEN}\n\nid,name,amount,day\n1,{REAL},12.50,2024-05-06\n2,Bo,7.00,\n".encode(),
    "declared": f"sep=;\nid;name\n1;{REAL}\n2;Bo\n".encode(),
    "no last line end": f"id|name|x\n1|{REAL}|a\n2|Bo|b".encode(),
    "over lines": f'id,name,note\n1,{REAL},"two\nlines"\n2,Bo,one\n'.encode(),
    "trailing": f"id;name;\n1;{REAL};\n2;Bo;\n".encode(),
    "several signs": f"id||name||x\n1||{REAL}||a\n2||Bo||b\n".encode(),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_a_csv_file_comes_back_in_its_dialect(tmp_path: Path, name: str) -> None:
    data = DIALECTS[name]
    trip = Trip(tmp_path, {"erp/customer.csv": data}, [source("csv", "erp")])
    width = "utf-16-le" if name == "utf-16" else "cp1252" if name == "cp1252" else "utf-8"
    real, clean, hidden = (word.encode(width) for word in (REAL, CLEAN, f"Report by {HIDDEN}"))
    # blank lines are no records and titles are free text; everything else is the same to the byte
    expected = data.replace(real, clean).replace(hidden + b"\n\n", b"Title\n")
    assert (trip.out / "erp/customer.csv").read_bytes() == expected
    assert trip.first.sources == trip.second.sources


def test_packed_files_are_packed_again(tmp_path: Path) -> None:
    trip = Trip(tmp_path, {"erp/a.csv.gz": gzip.compress(DIALECTS["german"])}, [source("csv", "erp")])
    assert gzip.decompress((trip.out / "erp/a.csv.gz").read_bytes()).startswith(b"\xef\xbb\xbfNr;Name")


def test_copies_come_back_and_rejected_rows_do_not(tmp_path: Path) -> None:
    data = b"id,name,x\n1,Ann,a\n1,Ann,a\n2,Bo,b\n3,short\n1,Ann,a\n"
    trip = Trip(
        tmp_path, {"erp/a.csv": data}, [source("csv", "erp", ", tables: [{name: a, path: a.csv, key: [id]}]")]
    )
    assert (trip.out / "erp/a.csv").read_bytes() == b"id,name,x\n1,Ann,a\n1,Ann,a\n2,Bo,b\n1,Ann,a\n"
    first, second = trip.first.sources[0], trip.second.sources[0]
    assert (first.duplicates, first.quarantined) == (2, 1)
    assert second == first._replace(read=first.read - 1, quarantined=0)
    assert trip.report.sources[0].quarantined == 1


def test_what_its_encoding_cannot_hold_makes_a_file_unicode(tmp_path: Path) -> None:
    raw = tmp_path / "raw.csv"
    raw.write_bytes(DIALECTS["cp1252"])
    left_out: Counter[str] = Counter()
    write_csv(tmp_path / "new.csv", csv_form(raw), [("1", "Łukasz", "2,00")], left_out)
    assert (tmp_path / "new.csv").read_bytes() == "\ufeffNr;Name;Betrag\r\n1;Łukasz;2,00\r\n".encode()
    assert left_out["encodings changed to UTF-8"] == 1


CELLS = st.text(st.characters(codec="cp1252", exclude_categories=["Cc", "Zs"]), min_size=1, max_size=9)
WORDS = st.text("abcdefghij", min_size=3, max_size=8)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(st.integers(1, 10**6), CELLS, WORDS), min_size=3, max_size=8),
    delimiter=st.sampled_from(",;\t|"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    ending=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16"]),
)
def test_any_dialect_is_written_so_that_the_csv_module_reads_the_same_cells(
    tmp_path: Path,
    rows: list[tuple[int, str, str]],
    delimiter: str,
    quoting: int,
    ending: str,
    encoding: str,
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator=ending)  # type: ignore[call-overload]
    writer.writerow(["number", "cell", "word"])
    writer.writerows(rows)
    raw, new = tmp_path / "raw.csv", tmp_path / "new.csv"
    raw.write_bytes(text.getvalue().encode(encoding))
    read = read_csv(raw)
    form = csv_form(raw)
    if read.header != ("number", "cell", "word") or any(row.fault for row in read.rows):
        return  # read otherwise than written, so that there is no form to keep
    write_csv(new, form, [row.cells for row in read.rows], Counter())
    written = csv_form(new)
    assert (written.dialect.delimiter, written.line_end, written.marked) == (delimiter, ending, form.marked)
    content = (
        new.read_bytes().decode("utf-16" if encoding == "utf-16" else form.encoding).removeprefix("\ufeff")
    )
    cells = list(csv.reader(io.StringIO(content, newline=""), delimiter=delimiter))
    assert cells == [list(read.header), *(list(row.cells) for row in read.rows)]


@pytest.fixture
def erp(tmp_path: Path) -> Trip:
    """A database with keys, references, an index, a view, a trigger and binary values."""
    path = tmp_path / "erp.sqlite"
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.executescript(
            f"""
            CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, vat TEXT UNIQUE, note TEXT
                DEFAULT '{HIDDEN}', photo BLOB);
            CREATE TABLE "sales order" (no TEXT NOT NULL, pos INTEGER NOT NULL, customer INTEGER NOT NULL
                REFERENCES customer (id) CHECK (customer <> {len(HIDDEN)}99), net DECIMAL(12, 2), rate REAL,
                loose, PRIMARY KEY (no, pos));
            CREATE TABLE void (a TEXT, b INTEGER);
            CREATE INDEX by_{HIDDEN} ON "sales order" (customer);
            CREATE VIEW v AS SELECT '{HIDDEN}' AS x;
            CREATE TRIGGER t AFTER INSERT ON customer BEGIN UPDATE customer SET note = '{HIDDEN}'; END;
            """
        )
        raw.executemany(
            "INSERT INTO customer VALUES (?, ?, ?, ?, ?)",
            [(1, REAL, "DE1", "", HIDDEN.encode()), (2, "Bo", "DE2", "x", None)],
        )
        raw.execute("UPDATE customer SET note = 'plain'")
        raw.executemany(
            'INSERT INTO "sales order" VALUES (?, ?, ?, ?, ?, ?)',
            [("007", 1, 1, 12.5, 0.25, 5), ("007", 2, 2, 100, 1e-3, "word"), ("008", 1, 1, None, None, None)],
        )
    return Trip(tmp_path, {"erp/erp.sqlite": path.read_bytes()}, [source("sqlite", "erp/erp.sqlite")])


def test_a_database_keeps_types_keys_and_references(erp: Trip) -> None:
    assert erp.first.sources == erp.second.sources
    with closing(sqlite3.connect(erp.out / "erp/erp.sqlite")) as built:
        assert built.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert built.execute("PRAGMA foreign_key_check").fetchall() == []
        columns = [row[1:6:1] for row in built.execute('PRAGMA table_info("sales order")')]
        assert [(name, kind, required, key) for name, kind, required, _, key in columns] == [
            ("no", "TEXT", 1, 1),
            ("pos", "INTEGER", 1, 2),
            ("customer", "INTEGER", 1, 0),
            ("net", "DECIMAL(12, 2)", 0, 0),
            ("rate", "REAL", 0, 0),
            ("loose", "", 0, 0),
        ]
        (reference,) = built.execute('PRAGMA foreign_key_list("sales order")').fetchall()
        assert reference[2:5] == ("customer", "customer", "id")
        assert built.execute('SELECT * FROM "sales order"').fetchall() == [
            ("007", 1, 1, 12.5, 0.25, 5),
            ("007", 2, 2, 100, 0.001, "word"),
            ("008", 1, 1, None, None, None),
        ]
        assert built.execute("SELECT id, name, vat, photo FROM customer").fetchall() == [
            (1, CLEAN, "DE1", None),
            (2, "Bo", "DE2", None),
        ]
        assert built.execute("SELECT * FROM void").fetchall() == []


def test_a_database_leaves_words_behind_that_are_no_cells(erp: Trip) -> None:
    assert HIDDEN.encode() not in erp.bytes() and REAL.encode() not in erp.bytes()
    left_out = erp.report.sources[0].left_out
    assert (left_out["triggers"], left_out["views"], left_out["binary values"]) == (1, 1, 1)


@pytest.fixture
def sheets(tmp_path: Path) -> Trip:
    """A workbook with titles, typed cells, a comment, properties and two sheets."""
    book = openpyxl.Workbook()
    book.properties.creator = HIDDEN
    first = book.worksheets[0]
    first.title = "Key accounts"
    first["A1"] = f"Accounts of {HIDDEN}"
    first.append([])
    first.append(["No", "Account", "Since", "Met at", "Amount", "Active"])
    first.append([1, REAL, date(2020, 5, 1), datetime.fromisoformat("2020-05-01T09:30"), 1234.5, True])
    first.append([2, "=Bo", date(2021, 6, 2), datetime.fromisoformat("2021-06-02T10:00"), 70, False])
    first["A4"].comment = openpyxl.comments.Comment(HIDDEN, HIDDEN)
    first["E4"].number_format = f'"{HIDDEN}" #,##0.00'
    first["B5"].data_type = "s"
    second = book.create_sheet("Rates")
    second.append(["Rep", "Rate"])
    second.append(["Bo", 0.05])
    data = io.BytesIO()
    book.save(data)
    return Trip(tmp_path, {"erp/book.xlsx": data.getvalue()}, [source("xlsx", "erp/book.xlsx")])


def test_a_workbook_keeps_sheets_places_and_types(sheets: Trip) -> None:
    assert sheets.first.sources == sheets.second.sources
    book = openpyxl.load_workbook(sheets.out / "erp/book.xlsx")
    assert book.sheetnames == ["Key accounts", "Rates"]
    rows = [[cell.value for cell in row] for row in book["Key accounts"].iter_rows(min_row=3)]
    assert rows == [
        ["No", "Account", "Since", "Met at", "Amount", "Active"],
        [
            1,
            CLEAN,
            datetime.fromisoformat("2020-05-01"),
            datetime.fromisoformat("2020-05-01T09:30"),
            1234.5,
            True,
        ],
        [
            2,
            "=Bo",
            datetime.fromisoformat("2021-06-02"),
            datetime.fromisoformat("2021-06-02T10:00"),
            70,
            False,
        ],
    ]
    assert book["Key accounts"]["E4"].number_format == "#,##0.00"
    assert book["Key accounts"]["A1"].value == "Title"
    assert book["Rates"]["B2"].value == 0.05


def test_a_workbook_leaves_comments_and_properties_behind(sheets: Trip) -> None:
    with zipfile.ZipFile(sheets.out / "erp/book.xlsx") as archive:
        content = b"".join(archive.read(name) for name in archive.namelist())
    assert HIDDEN.encode() not in content and REAL.encode() not in content
    assert sheets.report.sources[0].left_out["title cells"] == 1


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    table = pa.table(
        {
            "id": pa.array([1, 2], pa.int32()),
            "name": pa.array([REAL, None]),
            "net": pa.array([Decimal("12.50"), Decimal("-1.00")], pa.decimal128(12, 2)),
            "day": pa.array([date(2024, 5, 6), None]),
            "at": pa.array([datetime.fromisoformat("2024-05-06T09:30"), None], pa.timestamp("us")),
            "share": pa.array([0.5, 0.25]),
            "yes": pa.array([True, False]),
            "photo": pa.array([HIDDEN.encode(), None]),
        }
    ).replace_schema_metadata({"writer": HIDDEN})
    data = io.BytesIO()
    pq.write_table(table, data)
    trip = Trip(tmp_path, {"erp/t.parquet": data.getvalue()}, [source("parquet", "erp")])
    built = pq.read_table(trip.out / "erp/t.parquet")
    assert built.schema.types == table.schema.types and built.schema.metadata is None
    expected = {**table.to_pydict(), "name": [CLEAN, None], "photo": [None, None]}
    assert built.to_pydict() == expected
    assert HIDDEN.encode() not in trip.bytes()


JSON_FORMS = {
    "lines": '{"id": 1, "name": "R", "net": 12.50, "tags": ["R"], "ok": true}\n{"id": 2, "name": null}\n',
    "list": '[{"id": 1, "name": "R", "net": 12.50}, {"id": 2, "name": "Bo", "net": 7}]\n',
    "named": '{\n  "records": [\n    {\n      "id": 1,\n      "name": "R"\n    }\n  ]\n}\n',
}


@pytest.mark.parametrize("name", JSON_FORMS)
def test_json_comes_back_as_it_was(tmp_path: Path, name: str) -> None:
    text = JSON_FORMS[name].replace('"R"', f'"{REAL}"')
    trip = Trip(tmp_path, {"erp/t.json": text.encode()}, [source("jsonl", "erp")])
    built = (trip.out / "erp/t.json").read_text()
    assert built == text.replace(REAL, CLEAN) or json.loads(built) == json.loads(text.replace(REAL, CLEAN))
    assert "12.50" in built or name == "named"
    assert trip.first.sources == trip.second.sources


def test_documents_come_back_as_text_under_their_names(tmp_path: Path) -> None:
    files = {"plans/DW-0412_A.txt": f"Drawn by: {REAL}\nRoom 5\n".encode(), "plans/DW-0412_B.md": b"# Plan\n"}
    trip = Trip(tmp_path, files, [source("documents", "plans")])
    names = sorted(path.name for path in (trip.out / "erp").iterdir())
    assert names == ["DW-0412_A.txt", "DW-0412_B.md"]
    assert (trip.out / "erp/DW-0412_A.txt").read_text() == f"Drawn by: {CLEAN}\nRoom 5\n"
    assert trip.first.sources == trip.second.sources


def test_a_format_that_is_not_written_back_becomes_csv(tmp_path: Path) -> None:
    data = (
        ":20:STARTUMS\n:25:10020030/1234567\n:28C:1/1\n:60F:C240506EUR100,00\n"
        f":61:2405060506C12,50NTRFNONREF\n:86:166?00GUTSCHRIFT?20RECHNUNG 5?32{REAL}\n"
        ":62F:C240506EUR112,50\n-\n"
    )
    trip = Trip(tmp_path, {"erp/a.sta": data.encode()}, [source("mt940", "erp")])
    assert trip.report.sources[0].written_as == "csv"
    rows = [row for path in (trip.out / "erp").glob("*.csv") for row in csv.reader(path.open(newline=""))]
    assert any(CLEAN in cell for row in rows for cell in row)


def test_a_taken_folder_is_refused_and_nothing_half_written_stays(tmp_path: Path) -> None:
    trip = Trip(tmp_path, {"erp/a.csv": DIALECTS["plain"]}, [source("csv", "erp")])
    loaded = load_manifest(trip.base)
    with pytest.raises(ExportError, match="not empty"):
        export_dataset(trip.home, trip.raw, loaded, trip.out, silent)

    def refuse(folder: Path) -> None:
        raise ExportError("found something")

    with pytest.raises(ExportError, match="found something"):
        export_dataset(trip.home, trip.raw, loaded, tmp_path / "other", silent, refuse)
    assert not [path for path in tmp_path.iterdir() if "other" in path.name]


def test_the_same_tables_give_the_same_bytes(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].append(["a", "b"])
    book.worksheets[0].append(["x", 5])
    data = io.BytesIO()
    book.save(data)
    sources = [source("csv", "erp/*.csv"), source("xlsx", "erp/b.xlsx").replace("name: erp", "name: sheets")]
    trip = Trip(tmp_path, {"erp/a.csv": DIALECTS["plain"], "erp/b.xlsx": data.getvalue()}, sources)
    before = trip.bytes()
    trip.out = tmp_path / "second"
    export_dataset(trip.home, trip.raw, load_manifest(trip.base), trip.out, silent)
    assert trip.bytes() == before
