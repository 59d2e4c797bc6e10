"""Cells of people: one person, or several in a list, by name, handle or mailbox.

Belongs here: where each person's mention stands in a cell ("@ann, @bob", "Lee, Ann; Roe, Bob", JSON lists).
Does not belong here: which part of a mention names somebody (`display_names`), what replaces it (`cells`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from anonymize.words import is_role
from archive.missing_marks import ALL_MARKS
from archive.revision_labels import list_items

NOBODY = ALL_MARKS | {"tbd", "tba", "unassigned"}
"""Written values, in lower case, that stand where a person is not known."""
_BREAK = re.compile(r"\s*(?:;|\n|\|)\s*")
_WORD_BREAK = re.compile(r"\s+(?:/|&|and|und)\s+|\s*,\s*")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(?!\s*:)')
_CALLED = re.compile(r"@[^\W_](?:[\w./-]*\w)?")
_TOKEN = re.compile(r"[a-z0-9][a-z0-9._-]*[a-z0-9]")


class Mention(NamedTuple):
    """One person's mention in a cell."""

    start: int
    end: int
    text: str
    """As it reads: escapes of JSON undone."""


def mentions_in(cell: str) -> list[Mention]:
    """Returns the mentions of persons in a cell, in order; one where the cell is no list."""
    if list_items(cell) is not None:
        return [Mention(m.start(1), m.end(1), str(json.loads(m.group()))) for m in _STRING.finditer(cell)]
    found: list[Mention] = []
    for start, end in _between(cell, 0, len(cell), _BREAK):
        pieces = list(_between(cell, start, end, _WORD_BREAK))
        apart = len(pieces) > 1 and all(_is_whole(cell[begin:stop]) for begin, stop in pieces)
        found += [
            Mention(begin, stop, cell[begin:stop]) for begin, stop in (pieces if apart else [(start, end)])
        ]
    return [mention for mention in found if mention.text] or [Mention(0, len(cell), cell)]


def _between(cell: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(cell, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def _is_whole(text: str) -> bool:
    """Says whether a piece between commas is a person, not half of "Lee, Ann"."""
    return "@" in text or " " in text.strip()


def is_link(text: str) -> bool:
    """Says whether a web address stands where a person should."""
    return "://" in text


def is_nobody(text: str) -> bool:
    """Says whether a mention stands for nobody: "TBD", "n/a"."""
    return text.strip().lower() in NOBODY


def handle_in(text: str) -> str | None:
    """Returns the login of a mention ("@ann-lee", "@ann-lee for the API", "annlee"), None for others."""
    bare = text.strip()
    called = _CALLED.match(bare)
    if called is not None and not bare[called.end() : called.end() + 1].strip():
        return called.group()[1:]
    letters = any(char.isalpha() for char in bare)
    return bare if _TOKEN.fullmatch(bare) and letters and not is_role(bare) and not is_nobody(bare) else None


def rewritten(cell: str, replace: Callable[[str], str]) -> str:
    """Returns a cell with every mention replaced, what stands between them as it was."""
    pieces, last = [], 0
    for mention in mentions_in(cell):
        new = replace(mention.text)
        if mention.start and cell[mention.start - 1] == '"' and list_items(cell) is not None:
            new = json.dumps(new, ensure_ascii=cell.isascii())[1:-1]
        pieces.append(cell[last : mention.start] + new)
        last = mention.end
    return "".join([*pieces, cell[last:]])
