"""The search for real forms in a text: letters and digits alone, then what stands around a find.

Belongs here: one automaton over all forms, and the scan's own rule of what makes a find one. It is looser
than replacement: a form may be glued to letters of the other case, to digits and to signs, and cut.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from ahocorasick_rs import AhoCorasick

from anonymize.output_forms import Form, plain
from anonymize.output_views import PART

GLUED = 12
"""Letters of a form that is found between other letters too, where no space parts it."""
WIDEST_GAP = 8
"""Signs and spaces that may stand between two characters of a name."""
WIDEST_NUMBER_GAP = 3
LONGEST_TOKEN = 24
"""A number glued to letters is none in a longer run of letters and digits: a hash, an encoded text."""
SHORTEST_HASH = 16
_HEXADECIMAL = frozenset("0123456789abcdef")
_NUMBER_GAP = frozenset(" \t\r\n>-./()_+\u00a0\u2010\u2011\u2012\u2013\u202f\u2009")
Places = np.ndarray[tuple[int], np.dtype[np.int64]]
Points = np.ndarray[tuple[int], np.dtype[np.uint32]]
Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]
_SENTENCE_END = re.compile(r"[.!?]\s")
_LONG_WORD = re.compile(r"[^\W\d_]{4}$")
"""What ends a sentence; a shorter word before a stop may be short for another one ("St.")."""
_PART = re.compile(re.escape(PART))
_AMOUNT = re.compile(r"\d+[.,]\d{1,2}")


class Find(NamedTuple):
    """A form in a text."""

    at: int
    """Where it begins, in the text without marks."""
    end: int
    """Behind its last character."""
    part: int
    """Number of the part of the text, from 0."""
    form: str
    kind: str


class FormSearch:
    """All forms of one registry."""

    def __init__(self, forms: Mapping[str, Form]) -> None:
        """Builds the automaton once over search texts."""
        self.forms = forms
        self._texts = sorted(forms)
        self._forms = [forms[text] for text in self._texts]
        self._automaton = AhoCorasick(self._texts) if self._texts else None

    def finds(self, text: str) -> Iterator[Find]:
        """Yields every form that stands in a text, in any case, with any signs between its characters."""
        if self._automaton is None:
            return
        seen = plain(text)
        lower = seen.lower()
        if len(lower) != len(seen):
            seen = lower
        points = np.frombuffer(lower.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        kept = _is_alnum(points)
        dense = points[kept].tobytes().decode("utf-32-le", "surrogatepass")
        if any("\ud800" <= char <= "\udfff" for char in set(dense)):
            dense = dense.encode("utf-8", "replace").decode()
        matches = self._automaton.find_matches_as_indexes(dense, overlapping=True)
        if not matches:
            return
        places = np.flatnonzero(kept)
        breaks = [match.start() for match in _PART.finditer(seen)]
        for index, start, end in matches:
            form = self._forms[index]
            spots = places[start:end]
            if self._stands(seen, lower, spots, form, len(self._texts[index])):
                at = int(spots[0])
                yield Find(at, int(spots[-1]) + 1, bisect_right(breaks, at), self._texts[index], form.kind)

    @staticmethod
    def _stands(seen: str, lower: str, spots: Places, form: Form, size: int) -> bool:
        first, last = int(spots[0]), int(spots[-1])
        if last - first >= size:
            widest = WIDEST_NUMBER_GAP if form.is_number else WIDEST_GAP
            if int(np.diff(spots).max()) - 1 > widest or PART in seen[first:last]:
                return False
            if form.is_number and any(
                char not in _NUMBER_GAP for char in lower[first:last] if not char.isalnum()
            ):
                return False
            if form.joints is not None and _is_parted(lower, spots, form.joints):
                return False
            if form.kind == "company" and _is_phrase(seen, spots, form.joints or frozenset()):
                return False
        spaced = any(char.isspace() for char in seen[first:last])
        if form.is_number:
            if form.kind == "phone" and first > 0 and seen[first - 1].isalpha() and "." in seen[first:last]:
                return False  # "V5.00.2615.200"
            if _AMOUNT.fullmatch(seen, first, last + 1):
                return False
            return _is_number_whole(seen, first, last, form)
        glued = size >= GLUED and not spaced  # "y Corporation" is not glued to "Energ"
        return glued or (_begins(seen, first) and _ends(seen, last))


def _is_parted(text: str, spots: Places, joints: frozenset[int]) -> bool:
    """Says whether a space, and no end of a line, stands inside of a word of a form."""
    for offset in np.flatnonzero(np.diff(spots) > 1) + 1:
        gap = text[int(spots[offset - 1]) + 1 : int(spots[offset])]
        if int(offset) not in joints and any(char.isspace() for char in gap) and "\n" not in gap:
            return True
    return False


def _is_phrase(text: str, spots: Places, joints: frozenset[int]) -> bool:
    """Says whether signs make other words of a company's: "round-table", "New York. Times have changed".

    A sign before the end of a line is a hyphen of its word.
    """
    for offset in np.flatnonzero(np.diff(spots) > 1) + 1:
        before, behind = int(spots[offset - 1]), int(spots[offset])
        gap = text[before + 1 : behind]
        if int(offset) not in joints:
            if "\n" not in gap:
                return True
        elif _SENTENCE_END.match(gap) and text[behind].isupper() and _LONG_WORD.search(text, 0, before + 1):
            return True
    return False


def _is_alnum(points: Points) -> Mask:
    kept = ((points >= 97) & (points <= 122)) | ((points >= 48) & (points <= 57))
    foreign = points > 127
    if foreign.any():
        letters = np.array([p for p in np.unique(points[foreign]) if chr(p).isalnum()], dtype=np.uint32)
        kept |= np.isin(points, letters)
    return kept


def _begins(text: str, at: int) -> bool:
    """Says whether a form may begin here: after no letter or digit, or after one of another sort."""
    if at == 0 or not text[at - 1].isalnum():
        return True
    before, here = text[at - 1], text[at]
    return before.isdigit() != here.isdigit() or (before.islower() and here.isupper())


def _ends(text: str, at: int) -> bool:
    behind = text[at + 1 : at + 3]
    if not behind or not behind[0].isalnum():
        return True
    if behind[0] in "sS" and not behind[1:].isalpha():  # "the Kowalczyks"
        return True
    here = text[at]
    return behind[0].isdigit() != here.isdigit() or (here.islower() and behind[0].isupper())


def _is_number_whole(text: str, first: int, last: int, form: Form) -> bool:
    """Says whether digits are no part of a longer number, an amount or a hash."""
    before, behind = text[max(0, first - 1) : first], text[last + 1 : last + 2]
    if behind.isdigit() or (
        behind in (".", ",") and text[last + 2 : last + 3].isdigit() and form.kind != "phone"
    ):
        return False
    if (before.isalpha() or behind.isalpha()) and _is_in_hash(text, first, last):
        return False
    if form.prefixes:
        return _digits_before(text, first) in form.prefixes
    return not (before.isdigit() or (before in (".", ",") and text[max(0, first - 2) : first - 1].isdigit()))


def _is_in_hash(text: str, first: int, last: int) -> bool:
    """Says whether a number is part of a long run of letters and digits, or of a hexadecimal one."""
    start, end = first, last + 1
    while start > 0 and text[start - 1].isalnum() and last - start <= LONGEST_TOKEN:
        start -= 1
    while end < len(text) and text[end].isalnum() and end - first <= LONGEST_TOKEN:
        end += 1
    token = text[start:end]
    return len(token) > LONGEST_TOKEN or (len(token) >= SHORTEST_HASH and set(token) <= _HEXADECIMAL)


def _digits_before(text: str, first: int) -> str:
    """Returns the digits that one number has before its national part: country, trunk zero."""
    digits, gap, at = "", 0, first - 1
    while at >= 0 and len(digits) < 8:
        char = text[at]
        if char.isdigit():
            digits, gap = char + digits, 0
        elif char in " -./()+\u00a0" and gap < 2:
            gap += 1
            if char == "+":
                break
        else:
            break
        at -= 1
    return digits
