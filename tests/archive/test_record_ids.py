"""Ids of a company's own rows: the same wherever they stand, one for each row that is no duplicate."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from archive.record_ids import RowIds

CELLS = st.sampled_from([None, "1", "2", "é", "\x00"])
ROWS = st.lists(st.tuples(CELLS, CELLS), max_size=12)


def ids(key: list[str], *stretches: list[tuple[str | None, str | None]]) -> tuple[list[str | None], int]:
    frames = [
        pl.DataFrame(rows, schema={"Id": pl.String, "Name": pl.String}, orient="row") for rows in stretches
    ]
    keys = [frame.select(key) for frame in frames] if key else []
    rows = RowIds("crm", "deals", key, ["Id", "Name"], keys)
    found = [row_id for frame in frames for row_id in rows.of(frame).to_list()]
    return found, rows.duplicates


def test_ids_do_not_change_from_one_release_to_the_next() -> None:
    assert ids(["Id"], [("1", "a"), ("1", "b"), ("1", "a"), (None, None)]) == (
        ["r-39ab74c39ad2dbfb", "r-2067dec8293b4f8c", None, "r-f5c4fe213665f6ff"],
        1,
    )
    assert ids([], [("1", "a"), ("1", "a")]) == (["r-361e86c73a1f3960", "r-f985e30063853629"], 0)


@given(ROWS, ROWS)
def test_ids_do_not_depend_on_where_stretches_end(
    one: list[tuple[str | None, str | None]], other: list[tuple[str | None, str | None]]
) -> None:
    for key in ([], ["Id"]):
        assert ids(key, one, other) == ids(key, one + other)


@given(ROWS)
def test_rows_are_duplicates_where_key_and_content_are_equal(
    rows: list[tuple[str | None, str | None]],
) -> None:
    found, duplicates = ids(["Id"], rows)
    named = [row_id for row_id in found if row_id is not None]
    assert len(named) == len(set(named)) == len(rows) - duplicates
    without, none = ids([], rows)
    assert len(set(without)) == len(rows) and none == 0
