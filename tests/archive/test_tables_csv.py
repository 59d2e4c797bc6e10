"""CSV files: every dialect read alike, every record a row or a reject, fast and exact reading agree."""

from __future__ import annotations

import csv
import gzip
import io
import tracemalloc
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from archive import csv_records, tables_csv, text_blocks
from archive.csv_blocks import fast_frame
from archive.dialects import Dialect
from archive.tables_csv import read_csv, read_csv_batches, table_name

Rows = list[tuple[int, tuple[str | None, ...]]]


def whole(path: Path) -> tuple[list[str], Rows, list[tuple[str, str]]]:
    """Columns, numbered rows, and (locator, reason) of all rejects."""
    batches = list(read_csv_batches(path, path.parent))
    rows: Rows = []
    for batch in batches:
        assert batch.frame.columns == batches[-1].frame.columns or not batch.frame.columns
        assert len(batch.numbers) == batch.frame.height <= tables_csv.BATCH_ROWS
        rows += zip(batch.numbers.to_list(), batch.frame.rows(), strict=True)
    rejects = [(reject.locator, reject.reason) for batch in batches for reject in batch.rejects]
    assert [number for number, _ in rows] == sorted({number for number, _ in rows})
    return batches[-1].frame.columns, rows, rejects


def read(data: bytes, folder: Path, name: str = "t.csv") -> tuple[list[str], Rows, list[tuple[str, str]]]:
    (folder / name).write_bytes(data)
    return whole(folder / name)


TWO = [(2, ("1", "x")), (3, ("2", "y"))]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "+|", "||", "~|~"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_delimiters_line_ends_and_encodings_in_every_combination(
    delimiter: str, end: str, encoding: str, tmp_path: Path
) -> None:
    lines = [["id", "näme", "note"], ["1", "Zoë", "a b"], ["2", "Jörg", ""], ["3", "Weiß", "c"]]
    data = "".join(delimiter.join(line) + end for line in lines).encode(encoding)
    columns, rows, rejects = read(data, tmp_path)
    assert columns == ["id", "näme", "note"]
    assert rows == [(2, ("1", "Zoë", "a b")), (3, ("2", "Jörg", None)), (4, ("3", "Weiß", "c"))]
    assert rejects == []


@pytest.mark.parametrize(
    ("data", "columns", "rows"),
    [
        pytest.param(b'a,b\n"1","x"\n2,y', ["a", "b"], TWO, id="quotes and no last line end"),
        pytest.param(b"a,b\n'1','x'\n'2','y'\n", ["a", "b"], TWO, id="single quotes"),
        pytest.param(b"a,b\n1,'t Hof\n2,y\n", ["a", "b"], [(2, ("1", "'t Hof")), TWO[1]], id="apostrophe"),
        pytest.param(b'a,b\n1,5" pipe\n2,y\n', ["a", "b"], [(2, ("1", '5" pipe')), TWO[1]], id="inch"),
        pytest.param(
            b'a,b\n1,"say \\"hi\\", she"\n2,y\n',
            ["a", "b"],
            [(2, ("1", 'say "hi", she')), TWO[1]],
            id="escaped",
        ),
        pytest.param(b'a,b\n1,"C:\\x\\"\n2,y\n', ["a", "b"], [(2, ("1", "C:\\x\\")), TWO[1]], id="path"),
        pytest.param(b"a,b\r1,x\n2,y\r\n", ["a", "b"], TWO, id="mixed line ends"),
        pytest.param(b"a,b\n\n1,x\n\n\n2,y\n", ["a", "b"], TWO, id="blank lines are no records"),
        pytest.param(b"a,b,\n1,x,\n2,y,\n", ["a", "b"], TWO, id="trailing delimiter"),
        pytest.param(b"a,b\n1,x,\n2,y,\n", ["a", "b"], TWO, id="trailing delimiter of rows only"),
        pytest.param(b"a,a,\n1,x,z\n", ["a", "a.2", "column_3"], [(2, ("1", "x", "z"))], id="repeated names"),
        pytest.param(b'a;b\n1;"2,50"\n', ["a", "b"], [(2, ("1", "2,50"))], id="decimal comma"),
        pytest.param(
            b"1;2,5\n2;3,5\n", ["column_1", "column_2"], [(1, ("1", "2,5")), (2, ("2", "3,5"))], id="bare"
        ),
        pytest.param(
            b"sep=;\na;b\n1;x\n2;y\n", ["a", "b"], [(3, ("1", "x")), (4, ("2", "y"))], id="sep line"
        ),
        pytest.param(
            b"7,Ada,2024-01-02\n8,Bob,2024-01-03\n",
            ["column_1", "column_2", "column_3"],
            [(1, ("7", "Ada", "2024-01-02")), (2, ("8", "Bob", "2024-01-03"))],
            id="no header",
        ),
        pytest.param(
            b"Sales report\nas of 2024-01-31\n\nid,name,amount\n1,x,2.50\n2,y,3.50\n",
            ["id", "name", "amount"],
            [(4, ("1", "x", "2.50")), (5, ("2", "y", "3.50"))],
            id="titles",
        ),
        pytest.param(
            b'"EXTF";700;21;"x";9\nKonto;Name\n1200;Kasse\n1300;Bank\n',
            ["Konto", "Name"],
            [(3, ("1200", "Kasse")), (4, ("1300", "Bank"))],
            id="meta line",
        ),
        pytest.param(
            b"List of documents\n\n-------------\n|No  |  Amount|\n-------------\n|0001|   12.50|\n"
            b"|0002|    7.00|\n-------------\n|No  |  Amount|\n-------------\n|0003|    1.00|\n"
            b"-------------\n",
            ["No", "Amount"],
            [(3, ("0001", "12.50")), (4, ("0002", "7.00")), (6, ("0003", "1.00"))],
            id="dialog list with a second page",
        ),
        pytest.param(b"a,b\n1,x\x00y\n2,y\n", ["a", "b"], [(2, ("1", "x\x00y")), TWO[1]], id="zero byte"),
        pytest.param(b"a,b\n1500000001.0,x\n", ["a", "b"], [(2, ("1500000001.0", "x"))], id="float id stays"),
        pytest.param(b"a,b\n", ["a", "b"], [], id="header only"),
        pytest.param(b"", [], [], id="empty file"),
        pytest.param(
            b"a,b\n , \t\n2,y\n", ["a", "b"], [(2, (None, None)), TWO[1]], id="blank cells are null"
        ),
        pytest.param(
            b'a,b\n"1\n2","x\r\ny"\n', ["a", "b"], [(2, ("1\n2", "x\r\ny"))], id="line ends in quotes"
        ),
        pytest.param(
            b",name,n\n0,x,5\n1,y,6\n",
            ["column_1", "name", "n"],
            [(2, ("0", "x", "5")), (3, ("1", "y", "6"))],
            id="unnamed index column",
        ),
        pytest.param(
            b"name,n\n0,x,5\n1,y,6\n",
            ["column_1", "name", "n"],
            [(2, ("0", "x", "5")), (3, ("1", "y", "6"))],
            id="index column that the header leaves out",
        ),
        pytest.param(
            b"Country,2019,2020\nFR,1,2\nDE,3,4\n",
            ["Country", "2019", "2020"],
            [(2, ("FR", "1", "2")), (3, ("DE", "3", "4"))],
            id="years as names",
        ),
    ],
)
def test_a_dialect_is_found_and_its_rows_are_exact(
    data: bytes, columns: list[str], rows: Rows, tmp_path: Path
) -> None:
    assert read(data, tmp_path) == (columns, rows, [])
    assert read(gzip.compress(data, mtime=0), tmp_path, "t.csv.gz") == (columns, rows, [])


def test_rows_that_do_not_fit_are_rejected_and_their_neighbours_kept(tmp_path: Path) -> None:
    data = b"id,name,city\n1,Ada,Rome\n2,Bob, Jr.,Oslo\n3\n4,Eve,Bern\nTotal,3\n"
    _, rows, rejects = read(data, tmp_path)
    assert rows == [(2, ("1", "Ada", "Rome")), (5, ("4", "Eve", "Bern"))]
    assert rejects == [("row 3", "wrong_width"), ("row 4", "wrong_width"), ("row 6", "wrong_width")]
    (batch,) = read_csv_batches(tmp_path / "t.csv", tmp_path)
    assert batch.read == 5
    assert batch.rejects[1].size == 2


def test_unquoted_commas_in_a_single_column_are_not_taken_for_columns(tmp_path: Path) -> None:
    columns, rows, rejects = read(b"Name\nDoe, John\nAcme\n", tmp_path)
    assert (columns, rows, rejects) == (["Name"], [(3, ("Acme",))], [("row 2", "wrong_width")])


@pytest.mark.parametrize("piece", [8, tables_csv._PIECE])
def test_a_header_in_the_middle_of_joined_exports_is_no_row(piece: int, tmp_path: Path) -> None:
    with patch.object(tables_csv, "_PIECE", piece):
        _, rows, rejects = read(b"id,name\n1,a\n2,name\nid,name\n3,b\n", tmp_path)
    assert [cells for _, cells in rows] == [("1", "a"), ("2", "name"), ("3", "b")]
    assert rejects == [("row 4", "repeated_header")]


def test_a_totals_row_of_full_width_stays_a_row(tmp_path: Path) -> None:
    _, rows, rejects = read(b"id,amount\nA1,2.50\nA2,3.50\nTotal,6.00\n", tmp_path)
    assert rows[-1] == (4, ("Total", "6.00"))
    assert not rejects


def test_a_quote_that_is_never_closed_costs_its_own_line_only(tmp_path: Path) -> None:
    data = b'a,b\n"1","x"\n3,"never\n4,z\n5,w\n'
    _, rows, rejects = read(data, tmp_path)
    assert rows == [(2, ("1", "x")), (4, ("4", "z")), (5, ("5", "w"))]
    assert rejects == [("row 3", "unclosed_quote")]


def test_a_quote_that_is_open_beyond_the_bound_costs_its_own_line_only(tmp_path: Path) -> None:
    data = b'a,b\n"1","x"\n3,"never\n' + b"4,z\n" * 100
    with patch.object(csv_records, "MAX_RECORD", 200):
        _, rows, rejects = read(data, tmp_path)
    assert (len(rows), rejects) == (101, [("row 3", "unclosed_quote")])


def test_a_line_over_the_bound_is_rejected_with_its_hash_and_not_held(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    with path.open("wb") as file:
        file.write(b"a,b\n1,x\n")
        for _ in range(80):
            file.write(b"z" * (1 << 20))
        file.write(b"\n2,y\n")
    tracemalloc.start()
    try:
        columns, rows, rejects = whole(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (columns, rows) == (["a", "b"], [(2, ("1", "x")), (4, ("2", "y"))])
    assert rejects == [("row 3", "line_too_long")]
    assert peak < 64 << 20
    sizes = [reject.size for batch in read_csv_batches(path, tmp_path) for reject in batch.rejects]
    assert sizes == [(80 << 20) + 1]


def test_a_file_that_is_one_endless_line_is_one_reject(tmp_path: Path) -> None:
    columns, rows, rejects = read(b"a," * (10 << 20), tmp_path)
    assert (columns, rows, rejects) == ([], [], [("row 1", "line_too_long")])


def test_broken_and_hostile_gzip_files_keep_what_came_before(tmp_path: Path) -> None:
    body = b"id,hash\n" + b"".join(b"%d,%d\n" % (n, n * 7919 % 999_983) for n in range(200_000))
    packed = gzip.compress(body, mtime=0)
    with patch.object(text_blocks, "BLOCK", 1 << 18):
        _, rows, rejects = read(packed[: len(packed) * 9 // 10], tmp_path, "t.csv.gz")
        assert len(rows) > 100_000
        assert rejects == [("file", "unreadable_file")]
        with patch.object(text_blocks, "FREE_SIZE", 1 << 20):
            _, rows, rejects = read(
                gzip.compress(b"a,b\n" + b"1,x\n" * 3_000_000, mtime=0), tmp_path, "b.csv.gz"
            )
    assert rejects == [("file", "bomb")]
    assert 200_000 < len(rows) < 1_000_000


def test_a_file_that_is_gone_is_one_reject(tmp_path: Path) -> None:
    assert whole(tmp_path / "none.csv") == ([], [], [("file", "unreadable_file")])


def test_lines_in_another_encoding_than_their_file_are_still_read(tmp_path: Path) -> None:
    lines = [f"{n},Zoë\n".encode() for n in range(50)] + ["50,Jörg\n".encode("cp1252")]
    _, rows, _ = read(b"id,name\n" + b"".join(lines), tmp_path)
    assert (rows[0][1], rows[50][1]) == (("0", "Zoë"), ("50", "Jörg"))


@pytest.mark.parametrize(
    ("name", "table"),
    [("Orders.csv", "Orders"), ("a.b.CSV.gz", "a.b"), ("t.tsv", "t"), (".csv", ".csv"), ("VBAP", "VBAP")],
)
def test_a_table_is_named_after_its_file(name: str, table: str) -> None:
    assert table_name(Path(name)) == table


SIGNS = st.text(st.sampled_from('ab1,,;"" \t\n\n\r\'\\é\u2028\x00'), max_size=12)
CELLS = st.one_of(st.sampled_from(["", " ", "a", "1", "x y"]), SIGNS)
TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=12)
)


def written(rows: list[list[str]], end: str, quoting: int) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=end, quoting=quoting).writerows(rows)  # type: ignore[arg-type]
    return text.getvalue().encode()


@given(rows=TABLES, end=st.sampled_from(["\n", "\r\n", "\r"]), all_quoted=st.booleans())
@settings(max_examples=150, deadline=None)
def test_what_the_fast_path_proves_clean_is_what_python_reads(
    rows: list[list[str]], end: str, all_quoted: bool
) -> None:
    data = written(rows, end, csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL)
    width = len(rows[0]) if rows else 2
    found = fast_frame(data, Dialect(), width)
    expected = list(csv.reader(io.StringIO(data.decode(), newline="")))
    if found is not None:
        frame, size = found
        assert size == len(data)
        assert frame.rows() == [tuple(c if c.strip(BLANKS) else None for c in row) for row in expected if row]


BLANKS = " \t\n\r\u2028"


@given(
    body=st.one_of(TABLES.map(lambda rows: written(rows, "\n", csv.QUOTE_MINIMAL)), SIGNS.map(str.encode)),
    tail=st.text(st.sampled_from('ab,,"\n\r '), max_size=30),
    block=st.sampled_from([3, 16, 64, 4096]),
    delimiter=st.sampled_from([",", ";", "+|"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
@example(b"", '"a",b\n"",\n,"",\n', 4096, ",", "\n")
@example(b"", "k,l,m\nk,b,c\n", 16, "+|", "\r")
@example(b"", 'a,b,c\n1,2\n3,4,5\n\n6,"7\n",8\n', 16, ",", "\r\n")
@settings(max_examples=150, deadline=None)
def test_both_paths_agree_on_any_bytes_cut_anywhere(
    tmp_path_factory: pytest.TempPathFactory, body: bytes, tail: str, block: int, delimiter: str, end: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    data = b"k,l,m\n1,2,3\nx,y,z\n4,5,6\n" + body + tail.encode()
    path.write_bytes(data.replace(b",", delimiter.encode()).replace(b"\n", end.encode()))
    results = []
    with patch.object(text_blocks, "BLOCK", block), patch.object(text_blocks, "_SAMPLE", 4096):
        for fast in (fast_frame, lambda block, dialect, width: None):
            for piece in (8, tables_csv._PIECE):
                with patch.object(tables_csv, "fast_frame", fast), patch.object(tables_csv, "_PIECE", piece):
                    results.append(whole(path))
    assert all(result == results[0] for result in results)
    content = read_csv(path)
    kept = [
        (row.number, tuple(c if c.strip(BLANKS) else None for c in row.cells))
        for row in content.rows
        if not row.fault
    ]
    assert kept == results[0][1]
