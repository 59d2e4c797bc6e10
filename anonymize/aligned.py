"""A text as its reader sees it, aligned with the text as it is written.

Belongs here: percent-encoding, HTML entities, and line breaks with quote marks inside a name, undone so that
searches see the words, with every place traced back. Does not belong here: what is searched (`recognizers`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from urllib.parse import quote

_PERCENT = r"(?:%[0-9A-Fa-f]{2})+"
_CAPSULE = "IMCEA"
"""How Exchange marks addresses of other systems, in which "+" stands for "%"."""
_BREAK = r"[ \t\u00a0]*\n(?:[ \t]*[>|]+)*[ \t\u00a0]*"
_ENTITY = r"&(?:[A-Za-z]{2,8}|#\d{2,5}|#x[0-9A-Fa-f]{2,5});"
_SPACES = r"[ \t\u00a0]{2,}"
_REWRITTEN = re.compile(rf"(?P<percent>{_PERCENT})|(?P<gap>{_BREAK}|{_SPACES})|(?P<entity>{_ENTITY})")
_MARKS = ("%", "\n", "&", _CAPSULE, "  ", "\t", "\u00a0")
_IN_CAPSULE = re.compile(_REWRITTEN.pattern.replace("(?:%", "(?:[%+]"))
_ENCODED = re.compile(r"(?P<mark>[%+])[0-9A-F]{2}", re.IGNORECASE)
_GAP = re.compile(_BREAK)


class View(NamedTuple):
    """A text to search; `starts` and `ends` say where each character stands, None where nothing moved."""

    text: str
    starts: list[int] | None = None
    ends: list[int] | None = None

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """Returns the span of the written text behind a span of this view."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


@lru_cache(maxsize=16)
def aligned(text: str) -> View:
    """Returns the view of a text: encoded letters decoded, gaps and broken lines one space each."""
    if not any(mark in text for mark in _MARKS):
        return View(text)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    for match in (_IN_CAPSULE if _CAPSULE in text else _REWRITTEN).finditer(text):
        if match["gap"] == "\n":
            continue
        decoded = [(" ", match.start(), match.end())] if match["gap"] else _decoded(match)
        pieces += [text[place : match.start()], *(char for char, _, _ in decoded)]
        starts += [*range(place, match.start()), *(start for _, start, _ in decoded)]
        ends += [*range(place + 1, match.start() + 1), *(end for _, _, end in decoded)]
        place = match.end()
    if not place:
        return View(text)
    pieces.append(text[place:])
    starts += range(place, len(text))
    ends += range(place + 1, len(text) + 1)
    return View("".join(pieces), starts, ends)


def _decoded(match: re.Match[str]) -> list[tuple[str, int, int]]:
    written, place = match.group(), match.start()
    if match["entity"]:
        char = unescape(written)
        pieces = [(char, place, match.end())] if len(char) == 1 else []
        return pieces or [(char, place + at, place + at + 1) for at, char in enumerate(written)]
    try:
        chars = bytes.fromhex(written.replace("%", "").replace("+", "")).decode("utf-8")
    except UnicodeDecodeError:
        return [(char, place + at, place + at + 1) for at, char in enumerate(written)]
    found = []
    for char in chars:
        size = 3 * len(char.encode("utf-8"))
        found.append((char, place, place + size))
        place += size
    return found


def fitted(written: str, seen: str, replacement: str) -> str:
    """Returns a replacement encoded, and broken over lines, as what it replaces was in the text and view."""
    if written == seen:
        return replacement
    encoded = _ENCODED.search(written)
    if encoded is not None:
        return quote(replacement, safe="" if "%40" in written else "@").replace("%", encoded["mark"])
    gap = _GAP.search(written)
    return replacement.replace(" ", gap.group(), 1) if gap is not None else replacement
