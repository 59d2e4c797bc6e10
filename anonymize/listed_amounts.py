"""Amounts under the headings of a table that stands in a text, where no currency says that they are money.

Belongs here: which cells they are. Does not belong here: tables that the archive knows as such (`tables`),
how an amount is multiplied (`amounts`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from anonymize.text_tables import DELIMITERS, TextCell, headings_of, lines_of, may_hold_table, rows_below

LEAST_NUMBERS = 0.5
"""Share of the filled cells under a heading for money that are numbers; else it is over something else."""


def listed_amounts(
    text: str, is_money: Callable[[str], bool], is_number: Callable[[str], bool]
) -> Iterator[TextCell]:
    """Yields the cells that are numbers under headings for money, in the tables of a text."""
    lines = lines_of(text) if may_hold_table(text) else []
    place = 0
    while place < len(lines):
        top = _header(*lines[place], is_money)
        place += 1
        if top is None:
            continue
        delimiter, headings = top
        rows, place = rows_below(lines, place, delimiter, 2)
        for at in headings:
            filled = [cells[at] for cells in rows if at < len(cells) and cells[at].text]
            numbers = [cell for cell in filled if is_number(cell.text)]
            if len(numbers) >= LEAST_NUMBERS * len(filled):
                yield from numbers


def _header(start: int, line: str, is_money: Callable[[str], bool]) -> tuple[str, list[int]] | None:
    """Returns the delimiter of a line of headings, and which are over money."""
    for delimiter in DELIMITERS:
        cells = headings_of(start, line, delimiter)
        if cells and not any(cell.text[:1].isdigit() for cell in cells):
            found = [at for at, cell in enumerate(cells) if is_money(cell.text)]
            if found:
                return delimiter, found
    return None
