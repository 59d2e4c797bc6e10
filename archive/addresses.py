"""Address lists of mail headers, in any writing that people and programs produce.

Own parser because the standard library's result differs between patch releases of Python 3.11 to 3.13.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_DOMAIN = re.compile(r"[^\s<>\"(),;]+")
_OUTSIDE = frozenset(' \t<>"(),;')
_MAX_LOCAL = 320
"""Characters before the "@" that are still taken as one address."""
_COMMENT = re.compile(r"\(([^()]*)\)")
_MARK = re.compile(r"\\\\.|[\"()<>,;:]", re.DOTALL)
_CACHED_LENGTH = 400
"""Characters; longer lists are seldom seen twice."""


class Mailbox(NamedTuple):
    """One name with one address; either may be empty."""

    name: str
    address: str

    def __str__(self) -> str:
        """Returns "Name <address>", or the one part that is there."""
        if self.name and self.address:
            return f"{self.name} <{self.address}>"
        return self.name or self.address


def parse_mailboxes(text: str) -> list[Mailbox]:
    """Returns the mailboxes of a decoded address header, in order; never raises.

    An unquoted "Weber, Anna <anna@x.de>" is one mailbox. Group syntax gives its members.
    """
    return list(_known(text) if len(text) <= _CACHED_LENGTH else _parsed(text))


def _parsed(text: str) -> tuple[Mailbox, ...]:
    boxes: list[Mailbox] = []
    waiting: list[str] = []
    for piece in _split(text):
        box = _mailbox(piece)
        if box.address and waiting and box.name and not any("@" in name for name in waiting):
            box = Mailbox(", ".join([*waiting, box.name]), box.address)
            waiting = []
        if box.address:
            boxes.extend(Mailbox(name, "") for name in waiting)
            waiting = []
            boxes.append(box)
        elif box.name:
            waiting.append(box.name)
    boxes.extend(Mailbox(name, "") for name in waiting)
    return tuple(boxes)


_known = lru_cache(maxsize=8192)(_parsed)


def _split(text: str) -> list[str]:
    """Cuts a list at the commas and semicolons outside of quotes, comments and angle brackets."""
    if '"' not in text and "(" not in text and "\\" not in text and ":" not in text and text.count("<") <= 1:
        angle = text.find("<")
        if angle == -1 or not any(mark in text[angle:] for mark in ",;"):
            return text.replace(";", ",").split(",")
    pieces: list[str] = []
    begin = depth = 0
    in_quotes = False
    for match in _MARK.finditer(text):
        mark = match.group()
        if mark == '"':
            in_quotes = not in_quotes
        elif in_quotes or len(mark) > 1:
            continue
        elif mark in "(<":
            depth += 1
        elif mark in ")>":
            depth = max(0, depth - 1)
        elif depth == 0:
            if mark == ":" and _is_group(text, begin, match.start()):
                begin = match.end()
            elif mark in ",;":
                pieces.append(text[begin : match.start()])
                begin = match.end()
    if in_quotes and not pieces and "," in text:
        return text.replace('"', "").split(",")
    return [*pieces, text[begin:]]


def _is_group(text: str, begin: int, colon: int) -> bool:
    """Says whether a colon ends the name of a group, as in "Staff: a@x.de, b@x.de;"."""
    name = text[begin:colon].strip()
    return bool(name) and "@" not in name and not text.startswith("//", colon + 1) and len(name) < 200


def _mailbox(piece: str) -> Mailbox:
    piece = " ".join(piece.split())
    if piece.endswith(">"):
        begin = piece.rfind("<")
        if begin != -1 and ">" not in piece[begin:-1]:
            address = piece[begin + 1 : -1].strip().lower().removeprefix("mailto:")
            return Mailbox(_unquoted(piece[:begin]), address)
    bare = _bare(piece)
    if bare is None:
        return Mailbox(_unquoted(piece), "")
    begin, end = bare
    rest = piece[:begin] + piece[end:]
    comment = _COMMENT.search(rest)
    return Mailbox(_unquoted(comment[1] if comment else rest), piece[begin:end].lower())


def _bare(piece: str) -> tuple[int, int] | None:
    """Where an address stands in a text; found from its "@", so that long texts cost no more than short."""
    at = piece.find("@")
    while at != -1:
        domain = _DOMAIN.match(piece, at + 1)
        begin = at
        if piece[at - 1 : at] == '"':
            begin = max(piece.rfind('"', 0, at - 1), 0)
        else:
            while begin and at - begin < _MAX_LOCAL and piece[begin - 1] not in _OUTSIDE:
                begin -= 1
        if domain is not None and begin < at:
            return begin, domain.end()
        at = piece.find("@", at + 1)
    return None


def _unquoted(name: str) -> str:
    name = name.strip()
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1]
    return re.sub(r"\\(.)", r"\1", name).replace('"', "").strip()
