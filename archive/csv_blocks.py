"""Blocks of a CSV file read at full speed, where it is proven that every reader would read them alike.

Belongs here: the proof and the fast reading. Whatever is not proven clean is left to the exact reading in
`archive.tables_csv`, which has to give the same rows for what is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from archive.dialects import Dialect

_LF, _CR = 10, 13
_SEPARATOR = "\x1f"
"""Stands for delimiters of several characters, where a block has neither it nor quotes."""


def fast_frame(block: bytes, dialect: Dialect, width: int) -> tuple[pl.DataFrame, int] | None:
    """Returns the records of a block's beginning and its bytes, or None where nothing is proven.

    Proven means: every record has exactly `width` cells, quotes open cells and close them, no line is blank;
    where there are quotes, none ends in a bare CR. Columns are called "0", "1", ...; blank cells are null.
    """
    if width < 2 or dialect.escape or dialect.boxed or not dialect.delimiter.isascii():
        return None
    data = block if block.endswith(b"\n") else block + b"\n"
    separator = dialect.delimiter
    quoted = bool(dialect.quote) and dialect.quote.encode() in data
    if len(separator) > 1:
        if quoted or _SEPARATOR.encode() in data:
            return None
        data = data.replace(separator.encode(), _SEPARATOR.encode())
        separator = _SEPARATOR
    array = np.frombuffer(data, dtype=np.uint8)
    if b"\r" in data and not _ends_are_whole(array):
        if quoted:
            return None
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        array = np.frombuffer(data, dtype=np.uint8)
    delimiter = ord(separator)
    quotes = np.empty(0, dtype=np.intp)
    if quoted:
        proven = _quoted(array, ord(dialect.quote), delimiter)
        if proven is None:
            return None
        quotes, lines, size = proven
        data, array = data[:size], array[:size]
    else:
        lines = int(np.count_nonzero(array == _LF))
    try:
        frame = pl.read_csv(
            data,
            has_header=False,
            schema={str(position): pl.String for position in range(width)},
            separator=separator,
            quote_char=dialect.quote if len(quotes) else None,
        )
    except pl.exceptions.PolarsError:
        return None
    if frame.height != lines:
        return None
    # Longer records raise, shorter ones are filled with nulls: without any in the last column there is none.
    if frame[str(width - 1)].null_count() and _delimiters(array, quotes, delimiter) != lines * (width - 1):
        return None
    return blank_to_null(frame), min(len(data), len(block)) if quoted else len(block)


def blank_to_null(frame: pl.DataFrame) -> pl.DataFrame:
    """Returns a frame of strings whose blank cells are null."""
    if not frame.width or not frame.height:
        return frame
    suspects = frame.select(((pl.all() < "!") | (pl.all() > "\x7f")).any()).row(0)
    names = [name for name, suspect in zip(frame.columns, suspects, strict=True) if suspect]
    if not names:
        return frame
    return frame.with_columns(
        pl.when(pl.col(name).str.strip_chars() != "").then(pl.col(name)).alias(name) for name in names
    )


def string_frame(names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> pl.DataFrame:
    """Returns rows of equal width as a frame of strings whose blank cells are null."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return blank_to_null(
        pl.DataFrame(
            [pl.Series(name, column, dtype=pl.String) for name, column in zip(names, columns, strict=True)]
        )
    )


def _ends_are_whole(array: NDArray[np.uint8]) -> bool:
    """Says whether every CR stands before an LF; the last byte is always an LF."""
    return bool(np.all(array[np.flatnonzero(array == _CR) + 1] == _LF))


def _quoted(array: NDArray[np.uint8], quote: int, delimiter: int) -> tuple[NDArray[np.intp], int, int] | None:
    """Returns the quotes up to the last line end outside of quotes, the line ends there, the bytes.

    None where a quote neither opens nor closes a cell nor stands beside another inside one.
    """
    quotes = np.flatnonzero(array == quote)
    ends = np.flatnonzero(array == _LF)
    outside = ends[np.searchsorted(quotes, ends) % 2 == 0]
    if not len(outside):
        return None
    size = int(outside[-1]) + 1
    quotes = quotes[: np.searchsorted(quotes, size)]
    opening, closing = quotes[0::2], quotes[1::2]
    before, after = array[opening - 1], array[closing + 1]
    doubled = closing[:-1] + 1 == opening[1:]
    opens = (before == delimiter) | (before == _LF) | (opening == 0)
    opens[1:] |= doubled
    closes = (after == delimiter) | (after == _LF) | (after == _CR)
    closes[:-1] |= doubled
    return (quotes, len(outside), size) if opens.all() and closes.all() else None


def _delimiters(array: NDArray[np.uint8], quotes: NDArray[np.intp], delimiter: int) -> int:
    """Returns the number of delimiters outside of quotes."""
    found = array == delimiter
    inside = np.add.reduceat(found.view(np.uint8), quotes, dtype=np.int64)[0::2].sum() if len(quotes) else 0
    return int(np.count_nonzero(found)) - int(inside)
