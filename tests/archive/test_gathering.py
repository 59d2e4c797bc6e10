"""What ledger and log readers share: cells, columns, batches, lines."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.gathering import (
    BATCH_CHARACTERS,
    FileFault,
    FoundColumns,
    Gatherer,
    bounded_lines,
    file_reject,
    numbered,
    plain,
    plain_number,
    point_decimal,
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("1.234,50", "1234.50"),
        ("-0,5", "-0.5"),
        ("107,", "107"),
        ("1 234,5", "1234.5"),
        ("12.5", "12.5"),
        ("1.234.567,8", "1234567.8"),
        ("a,b", "a,b"),
        (",5", ",5"),
        ("", ""),
    ],
)
def test_a_decimal_comma_becomes_a_point(written: str, meant: str) -> None:
    assert point_decimal(written) == meant


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        (True, "true"),
        (12, "12"),
        (0.1, "0.1"),
        (1e22, "10000000000000000000000"),
        (b"\xff", "\ufffd"),
        (["a", 1], '["a", 1]'),
    ],
)
def test_values_become_text_without_exponent(value: object, text: str | None) -> None:
    assert plain(value) == text


def test_an_exponent_that_would_fill_the_memory_stays() -> None:
    assert plain_number("1e999999999") == "1e999999999"


@given(st.lists(st.sampled_from("abc")))
def test_repeated_names_are_told_apart(names: list[str]) -> None:
    found = [name for name, _ in numbered([(name, None) for name in names])]
    assert len(set(found)) == len(names)


@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), st.text(min_size=1)), max_size=6))
def test_every_value_of_a_row_has_its_cell(rows: list[dict[str, str]]) -> None:
    columns = FoundColumns(("z",))
    for row in rows:
        columns.see(list(row.items()))
    for row in rows:
        cells = dict(zip(columns.names, columns.cells(list(row.items())), strict=True))
        assert {name: value for name, value in cells.items() if value is not None} == row


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b'"'])), st.integers(1, 5))
def test_lines_hold_every_byte(pieces: list[bytes], most: int) -> None:
    data = b"".join(pieces)
    assert b"".join(bounded_lines(io.BytesIO(data), most)) == data
    if most > len(data):
        assert list(bounded_lines(io.BytesIO(data), most)) == data.splitlines(keepends=True)


def test_long_rows_do_not_wait_for_a_full_batch(tmp_path: Path) -> None:
    gatherer = Gatherer(tmp_path / "x", tmp_path)
    gatherer.table("t", ["a", "path", ""])
    gatherer.add("t", ["x" * BATCH_CHARACTERS, " ", "y"])
    (batch,) = gatherer.full()
    assert batch.frame.columns == ["a", "path_", "column_3"]
    assert batch.frame["path_"].to_list() == [None]
    assert list(gatherer.rest()) == []


def test_the_fault_of_a_file_has_the_hash_of_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    gatherer = Gatherer(tmp_path / "x", tmp_path)
    gatherer.reject_file("t", FileFault("malformed_xml", "line 3"))
    (batch,) = gatherer.rest()
    assert batch.rejects == (file_reject(tmp_path / "x", "x", "malformed_xml", "line 3"),)
    assert (batch.rejects[0].size, batch.read, batch.frame.height) == (3, 1, 0)
    assert batch.rejects[0].content_hash.startswith("ba7816bf")
