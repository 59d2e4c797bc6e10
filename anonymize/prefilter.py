"""Prefilters: which of several searches could find anything in which of many texts, asked of all at once.

Belongs here: turning Python patterns into looser ones for the engine behind the data frames, which reads a
column of texts many times faster than Python reads one after the other, but knows no lookaround. Does not
belong here: what the searches find (`recognizers`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import polars as pl

Sign = re.Pattern[str] | str
"""A Python pattern, or a looser one as the engine writes it."""

ODD = (
    r"[\x1c-\x1f²³¹¼½¾İıſ]"
    r"|[^\x00-\u02af\u0370-\u03ff\u1e00-\u1eff\u2010-\u201f\u2022\u2026\u2039\u203a\u20ac]"
)
"""Characters of which the two engines may think differently: a text that has one is read by every search."""
_OPENING = re.compile(
    r"\((?:\?(?:(?P<look><?[=!])|P=(?P<again>\w+)\)|P<(?P<name>\w+)>|(?P<global>[ims]+)\)"
    r"|(?P<flags>[ims-]+):|:))?"
)
_END = re.compile(r"\)*")
_FLAGS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"))


class Prefilter:
    """Says of many texts at once which searches could find anything in each."""

    def __init__(self, searches: Sequence[Sequence[Sign]]) -> None:
        """Takes the signs of each search: one stands in every text in which it finds anything.

        A search without signs may find something in any text.
        """
        self._every = sum(1 << place for place, signs in enumerate(searches) if not signs)
        self._all = (1 << len(searches)) - 1
        self._asked = [
            (1 << place, relaxed(sign) if isinstance(sign, re.Pattern) else sign)
            for place, signs in enumerate(searches)
            for sign in signs
        ]

    def masks(self, texts: Sequence[str]) -> list[int]:
        """Returns for every text the places of the searches that could find anything, as bits."""
        column = pl.Series(texts, dtype=pl.String)
        found = [self._every] * len(texts)
        for bits, sign in chain(self._asked, [(self._all, ODD)]):
            for at in column.str.contains(sign).arg_true():
                found[at] |= bits
        return found


def relaxed(pattern: re.Pattern[str]) -> str:
    """Returns a pattern of the other engine that matches somewhere in every text in which this one does.

    Lookarounds and the end of the text fall away unless they end the pattern; a reference to a group becomes
    the group's own pattern.

    Raises:
        ValueError: the pattern has a construct that is not read here.
    """
    source, out, place = pattern.pattern, [""], 0
    opened: list[tuple[str, int, str]] = []
    groups: dict[str, str] = {}
    numbered = 0
    while place < len(source):
        char = source[place]
        if char == "\\":
            place += 2
            escaped = source[place - 1]
            again = groups.get(escaped)
            out.append(f"(?:{again})" if again is not None else "\\" + ("z" if escaped == "Z" else escaped))
        elif char == "[":
            place, piece = _class(source, place)
            out.append(piece)
        elif char == "(":
            match = _OPENING.match(source, place)
            if match is None or source.startswith("?", match.end()):
                raise ValueError(f"no looser form is known for {source[place : place + 12]!r} in a pattern")
            place = match.end()
            if match["again"] or match["global"]:  # flags of all are in `flags`
                out.append(f"(?:{groups[match['again']]})" if match["again"] else "")
                continue
            counts = match["name"] is not None or match.group() == "("
            numbered += counts
            name = f"{numbered} {match['name'] or ''}".strip() if counts else ""
            opened.append((match["look"] or "", len(out), name))
            out.append(f"(?{match['flags']}:" if match["flags"] else "(?:")
        elif char == ")":
            place += 1
            look, first, name = opened.pop()
            if look and not (look == "=" and _END.fullmatch(source, place)):
                del out[first:]
                continue
            for key in name.split():
                groups[key] = "".join(out[first + 1 :])
            out.append(")")
        elif char == "$" and not pattern.flags & re.MULTILINE:
            place += 1
            out.append(r"(?:\n?\z)" if _END.fullmatch(source, place) else "")
        else:
            place += 1
            out.append(char)
    flags = "".join(letter for flag, letter in _FLAGS if pattern.flags & flag)
    return (f"(?{flags})" if flags else "") + "".join(out)


def _class(source: str, start: int) -> tuple[int, str]:
    """Returns where a class of characters ends, and the class with the marks escaped that are new."""
    place = start + 1
    place += source[place] == "^"
    head = source[start:place]
    piece: list[str] = []
    while source[place] != "]" or not piece:
        size = 2 if source[place] == "\\" else 1
        escaped = "\\" if size == 1 and source[place] in "[]&~" else ""
        piece.append(escaped + source[place : place + size])
        place += size
    return place + 1, f"{head}{''.join(piece)}]"
