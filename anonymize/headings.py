"""Headings and sums among the rows of a company's own tables: "Second tier" and "Total" name nobody.

Belongs here: which rows are headings. Does not belong here: what else a cell may be that names nobody
(`people_cells`, `display_names`).
"""

from __future__ import annotations

import polars as pl

from anonymize.forms import words_of
from anonymize.words import ordinary_words
from contracts.manifest import ColumnSpec
from contracts.tables import PROVENANCE, RECORD_ID, ColumnKind

FEWEST_CELLS = 3
"""Cells of one row that hold one text, where it was merged over them."""
FEWEST_COLUMNS = 4
"""Columns of a table in which a cell that is alone in its row may be a heading."""
TOTALS = frozenset(
    (
        "sum sums total totals subtotal sub-total average mean balance summe summen gesamt gesamtsumme "
        "zwischensumme saldo durchschnitt mittelwert übertrag"
    ).split()
) | {"grand total", "carried forward", "sub total"}
_HEAD = frozenset({RECORD_ID.name, *(column.name for column in PROVENANCE)})
_COUNTED = (
    ColumnKind.MONEY, ColumnKind.QUANTITY, ColumnKind.RATE, ColumnKind.MEASURE, ColumnKind.DATE,
    ColumnKind.DATETIME, ColumnKind.PHONE, ColumnKind.POSTCODE,
)  # fmt: skip
"""What no name is: a name that stands there too stands for no record."""
_LETTER = r"\p{L}"


def heading_rows(frame: pl.DataFrame, columns: dict[str, ColumnSpec]) -> pl.Series:
    """Returns which rows are headings: one text in all cells that are filled.

    It is one where it was merged over a column of numbers or dates, or where it is a phrase of ordinary
    words, written as one: names of persons and companies have capitals, and a contact may be called as its
    company is.
    """
    nowhere = pl.Series([False] * frame.height, dtype=pl.Boolean)
    own = [name for name in frame.columns if name not in _HEAD and frame.schema[name] == pl.String]
    if RECORD_ID.name not in frame.columns or len(own) < FEWEST_CELLS or not frame.height:
        return nowhere
    counted = [name for name in own if name in columns and columns[name].kind in _COUNTED]
    texts = [pl.col(name).str.strip_chars().replace("", None).alias(name) for name in own]
    cells = frame.select(texts).select(
        filled=pl.sum_horizontal(pl.col(name).is_not_null() for name in own),
        text=pl.coalesce(own),
        alike=pl.all_horizontal((pl.col(name) == pl.coalesce(own)).fill_null(value=True) for name in own),
        counted=pl.any_horizontal(pl.lit(False), *(pl.col(name).is_not_null() for name in counted)),
    )
    worded = pl.col("text").str.contains(_LETTER).fill_null(value=False) & pl.col("alike")
    merged = pl.col("filled") >= FEWEST_CELLS
    open_ = worded & (merged | ((pl.col("filled") == 1) & (len(own) >= FEWEST_COLUMNS)))
    found = cells.filter(open_)["text"].unique(maintain_order=True).to_list()
    phrases = [text for text in found if _is_phrase(text)]
    sure = worded & merged & pl.col("counted")
    found_rows = cells.select(sure | (open_ & pl.col("text").is_in(phrases)))[:, 0]
    return found_rows | _totals(frame, [name for name in own if name not in counted], counted)


def _totals(frame: pl.DataFrame, worded: list[str], counted: list[str]) -> pl.Series:
    """Rows that only sum up others: beside their numbers nothing but a word such as "Total"."""
    if not worded or not counted:
        return pl.Series([False] * frame.height, dtype=pl.Boolean)
    texts = [pl.col(name).str.strip_chars().str.strip_chars_end(":").str.to_lowercase() for name in worded]
    filled = [(text.fill_null("") != "") for text in texts]
    sums = [text.is_in(sorted(TOTALS)).fill_null(value=False) for text in texts]
    rest = [is_sum | ~is_filled for is_sum, is_filled in zip(sums, filled, strict=True)]
    numbers = pl.any_horizontal(pl.col(name).is_not_null() for name in counted)
    return frame.select(pl.any_horizontal(sums) & pl.all_horizontal(rest) & numbers)[:, 0]


def headings(frame: pl.DataFrame, columns: dict[str, ColumnSpec]) -> frozenset[str]:
    """Returns the texts of a table's headings, as they are written."""
    rows = frame.filter(heading_rows(frame, columns))
    own = [name for name in frame.columns if name not in _HEAD and frame.schema[name] == pl.String]
    values = (value for name in own for value in rows[name].drop_nulls().to_list())
    return frozenset(value for value in values if any(char.isalpha() for char in value))


def without_headings(frame: pl.DataFrame, columns: dict[str, ColumnSpec]) -> pl.DataFrame:
    """Returns a table without the words of its headings, which name nobody; sums keep their numbers."""
    rows = heading_rows(frame, columns)
    if not rows.any():
        return frame
    own = [name for name in frame.columns if name not in _HEAD and frame.schema[name] == pl.String]
    return frame.with_columns(
        pl.when(~(rows & pl.col(name).str.contains(_LETTER).fill_null(value=False)))
        .then(pl.col(name))
        .alias(name)
        for name in own
    )


def _is_phrase(text: str) -> bool:
    words = [word for word in text.split() if word.isalpha()]
    small = any(word.islower() and len(word) > 3 for word in words[1:])
    return small and all(word in ordinary_words() for word in words_of(text))
