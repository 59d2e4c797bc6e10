"""Where the header of a table stands among its first records: below titles, in the first record, nowhere.

Belongs here: telling a header from titles and from data, for text files and workbooks alike. Does not
belong here: what the columns mean (`archive.columns`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

MAX_TITLES = 30
"""Records looked at for a header."""
_NUMBER = re.compile(r"[-+(]?[€$£]?\s?\d[\d.,' ]*\)?\s?[%€$£]?-?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T].*)?")
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_META = frozenset(("EXTF", "DTVF"))


class HeaderPlace(NamedTuple):
    """The header of a table."""

    titles: int
    """Records above it."""
    names: tuple[str, ...]
    """As written; blank for columns without name and for all columns where there is no header."""
    present: bool
    """False: the first record after the titles is data."""
    trailing: bool = False
    """Records end in a delimiter, so that one more, empty cell follows the last column."""


def find_header(records: Sequence[Sequence[str]]) -> HeaderPlace:
    """Returns where the header stands among the first records of a table.

    Titles are sparse records, or a line of meta data, above a record that looks like a header. The first
    record is data where it has a number or date in a column of numbers or dates, and no word in any such
    nor in a column of codes with digits.
    """
    if not records:
        return HeaderPlace(0, (), True)
    width = usual_width(records)
    titles = _titles(records, width)
    first, body = records[titles], records[titles + 1 :]
    if _is_data(first, body):
        trailing = width > 1 and all(len(row) == width and not row[-1].strip() for row in records[titles:])
        return HeaderPlace(titles, ("",) * (width - trailing), False, trailing)
    names = tuple(name.strip() for name in first)
    count = len(names)
    longer = bool(body) and all(len(row) == count + 1 for row in body)
    if longer and not any(row[-1].strip() for row in body):
        return HeaderPlace(titles, names, True, True)
    if longer and len(body) > 1 and _counts_up([row[0] for row in body]):
        return HeaderPlace(titles, ("", *names), True)
    ends_blank = count > 2 and not names[-1] and len(body) > 1
    if ends_blank and all(len(row) == count and not row[-1].strip() for row in body):
        return HeaderPlace(titles, names[:-1], True, True)
    return HeaderPlace(titles, names, True)


def usual_width(records: Sequence[Sequence[str]]) -> int:
    """Returns how many cells most records have, the larger number of two equally frequent ones."""
    counts = Counter(len(record) for record in records)
    return max(counts, key=lambda width: (counts[width], width), default=0)


def looks_like_header(record: Sequence[str]) -> bool:
    """Says whether a record has only words: no number, no date, nothing long, hardly a cell twice."""
    filled = [cell.strip() for cell in record if cell.strip()]
    return (
        bool(filled)
        and all(not typed(cell) or _YEAR.fullmatch(cell) for cell in filled)
        and any(not typed(cell) for cell in filled)
        and all(len(cell) <= 120 for cell in filled)
        and 2 * len(set(filled)) > len(filled)
    )


def typed(cell: str) -> str:
    """Returns "date" or "number" for a cell that looks so, else an empty text."""
    plain = cell.strip()
    if _DATE.fullmatch(plain):
        return "date"
    return "number" if _NUMBER.fullmatch(plain) else ""


def _titles(records: Sequence[Sequence[str]], width: int) -> int:
    first = records[0]
    if first and (first[0] in _META or first[0].lower().startswith("sep=")) and len(records) > 1:
        return 1
    enough = max(2, (width + 1) // 2)
    odd = len(first) != width and not looks_like_header(first)
    if width < 2 or (_filled(first) >= enough and not odd):
        return 0
    for position, record in enumerate(records[1 : MAX_TITLES + 1], start=1):
        full = len(record) == width and _filled(record) >= enough
        if full and looks_like_header(record) and _has_typed_column(record, records[position + 1 :]):
            return position
    return 0


def _has_typed_column(header: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Says whether below a word mostly numbers or dates stand."""
    rows = [row for row in body if list(row) != list(header)]
    for position, name in enumerate(header):
        values = [row[position] for row in rows if position < len(row) and row[position].strip()]
        if values and not typed(name) and sum(bool(typed(value)) for value in values) >= 0.5 * len(values):
            return True
    return False


def _filled(record: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in record)


def _is_data(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    if not body or len(first) != usual_width(body):
        return False
    fits = recurring = filled = 0
    for position, cell in enumerate(first):
        column = [row[position].strip() for row in body if position < len(row)]
        values = [value for value in column if value]
        own = cell.strip()
        if not own:
            continue
        filled += 1
        recurring += own in values
        kinds = {typed(value) for value in values}
        if values and "" not in kinds:
            if not typed(own):
                return False
            fits += not _YEAR.fullmatch(own)
        elif values and all(_DIGIT.search(value) for value in values) and not _DIGIT.search(own):
            return False
    return fits > 0 or (2 * recurring >= filled > 0 and list(first) not in [list(row) for row in body])


def _counts_up(cells: Sequence[str]) -> bool:
    return all(cell.isdigit() for cell in cells) and [int(cell) for cell in cells] == list(
        range(int(cells[0]), int(cells[0]) + len(cells))
    )
