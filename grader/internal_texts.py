"""Internal texts in what one person received: twelve words in a row, in any spelling or share of messages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from grader.hidden import hidden_in
from grader.moved import MovedWords
from grader.readings import decoded, most_letters, reading_of

WINDOW = 12
"""Words in a row that make a piece of an internal text."""


class Text(NamedTuple):
    """Everything that one person received in one message."""

    seq: int
    text: str


def find_internal(texts: Sequence[Text], internal: Iterable[str]) -> list[int]:
    """Returns the numbers of the messages that together carry twelve words in a row of an internal text."""
    pages = [windows_of(page) for page in internal]
    if not texts or not any(page.rows for page in pages):
        return []
    words: list[tuple[str, int]] = [(word, text.seq) for text in texts for word in _words(text.text)]
    bare = [word for word, _ in words]
    likely = [page for page in pages if page.has_words(bare)]
    rows = list(zip(*(bare[start:] for start in range(WINDOW)), strict=False)) if likely else []
    starts = [start for page in likely for start in page.starts(rows)]
    if starts:
        return sorted({seq for start in starts for _, seq in words[start : start + WINDOW]})
    whole = hidden_in("".join(text.text for text in texts))
    by_line = _line_by_line(texts, min(page.shortest for page in pages)) if texts[1:] else ""
    told = any(
        (len(by_line) >= page.shortest and any(run in by_line for run in page.runs))
        or (
            any(page.cores[at] in form for at in page.likely.possible(whole.steps) for form in whole.forms)
            and any(run in form for run in page.runs for form in whole.forms)
        )
        for page in pages
    )
    return sorted({text.seq for text in texts}) if told else []


def _line_by_line(texts: Sequence[Text], shortest: int) -> str:
    """Returns the letters of texts under each other, in all readings that give enough of them."""
    whole = "\n".join(text.text for text in texts)
    readings = (reading_of(text) for text in (whole, *decoded(whole)) if most_letters(text) >= shortest)
    return "\n".join(form for reading in readings for form in {reading.squeezed, reading.unspoken})


@lru_cache(maxsize=256)
def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[^a-z0-9]+", reading_of(text).folded) if word]


class Windows(NamedTuple):
    """The windows of a page."""

    rows: frozenset[tuple[str, ...]]
    runs: tuple[str, ...]
    """The same without spaces."""
    cores: tuple[str, ...]
    """Pieces of which every window holds one, wherever it begins."""
    likely: MovedWords
    """The same, looked up."""

    vocabulary: frozenset[str]
    in_ascii: frozenset[bytes]
    fewest: int
    """Different words of a window."""
    shortest: int
    """Letters of a window."""

    def has_words(self, words: Iterable[str]) -> bool:
        """Says whether there are words enough for a window."""
        return len(self.vocabulary.intersection(words)) >= self.fewest

    def has_vocabulary(self, words: frozenset[bytes]) -> bool:
        """Says the same of words in ASCII."""
        return len(self.in_ascii & words) >= self.fewest

    def starts(self, rows: Sequence[tuple[str, ...]]) -> list[int]:
        """Returns where windows of the page begin."""
        return [start for start, row in enumerate(rows) if row in self.rows]


@lru_cache(maxsize=64)
def windows_of(page: str) -> Windows:
    """Returns the windows of an internal text."""
    words = _words(page)
    rows = frozenset(tuple(words[start : start + WINDOW]) for start in range(len(words) - WINDOW + 1))
    half = WINDOW // 2
    cores = tuple("".join(words[at : at + half]) for at in range(0, len(words) - half + 1, half))
    runs = tuple(sorted("".join(row) for row in rows))
    return Windows(
        rows,
        runs,
        cores,
        MovedWords(cores),
        vocabulary=frozenset(words),
        in_ascii=frozenset(word.encode() for word in words),
        fewest=min((len(set(row)) for row in rows), default=WINDOW + 1),
        shortest=min(map(len, runs), default=sys.maxsize),
    )
