"""Tables that stand in a text: an attached list, a sheet, a table in a mail.

Belongs here: lines, delimiters, cells with their places. Does not belong here: what stands under which
heading (`recognizers.listed_names`, `listed_amounts`), tables of the archive's own (`table_shapes`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

MOST_CELLS = 64
"""Of a line: longer ones are no table that people read."""
LONGEST_HEADING = 40
DELIMITERS = "\t;|,"
_LINE = re.compile(r"[^\r\n]+")
_RULE = re.compile(r"[\s|:+=-]*")


class TextCell(NamedTuple):
    """A cell, quotes and padding left out, where it stands in the text."""

    start: int
    end: int
    text: str


def may_hold_table(text: str) -> bool:
    """Says whether a text has lines and a delimiter."""
    return "\n" in text and any(sign in text for sign in DELIMITERS)


def lines_of(text: str) -> list[tuple[int, str]]:
    """Returns the lines of a text that are not empty, each with its place."""
    return [(match.start(), match.group()) for match in _LINE.finditer(text)]


def is_rule(line: str) -> bool:
    """Says whether a line is drawn between others."""
    return _RULE.fullmatch(line) is not None


def headings_of(start: int, line: str, delimiter: str) -> list[TextCell]:
    """Returns the cells of a line that may be one of headings; none where it cannot."""
    if delimiter not in line or len(line) > MOST_CELLS * LONGEST_HEADING:
        return []
    cells = cells_of(start, line, delimiter)
    short = all(len(cell.text) <= LONGEST_HEADING for cell in cells)
    return cells if short and 2 <= len(cells) <= MOST_CELLS else []


def cells_of(start: int, line: str, delimiter: str) -> list[TextCell]:
    """Returns the cells of a line with their places."""
    cells: list[TextCell] = []
    pattern = re.compile(rf'[ \t]*"((?:[^"]|"")*)"[^{re.escape(delimiter)}]*|([^{re.escape(delimiter)}]*)')
    place = 0
    bordered = delimiter == "|" and line.lstrip().startswith("|")
    if bordered:
        place = line.index("|") + 1
    while place <= len(line):
        match = pattern.match(line, place)
        if match is None:
            break
        group = 1 if match[1] is not None else 2
        text = match[group]
        begin = start + match.start(group) + len(text) - len(text.lstrip())
        cells.append(TextCell(begin, begin + len(text.strip()), text.strip()))
        place = match.end() + 1
    if bordered and cells and not cells[-1].text:
        cells.pop()
    return cells


def rows_below(
    lines: Sequence[tuple[int, str]],
    place: int,
    delimiter: str,
    least: int,
    is_top: Callable[[int, str], bool] = lambda *_: False,
) -> tuple[list[list[TextCell]], int]:
    """Returns the rows from a line on, and the place of the line after them.

    A table ends at a line with fewer than `least` cells, and where another one begins (`is_top`).
    """
    rows: list[list[TextCell]] = []
    while place < len(lines) and not is_top(*lines[place]):
        if not is_rule(lines[place][1]):
            cells = cells_of(*lines[place], delimiter)
            if len(cells) < least:
                break
            rows.append(cells)
        place += 1
    return rows, place
