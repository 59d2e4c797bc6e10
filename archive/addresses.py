"""Address lists of mail headers, in any writing that people and programs produce.

Own parser because the standard library's result differs between patch releases of Python 3.11 to 3.13.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_ANGLE = re.compile(r"<\s*([^<>]*?)\s*>\s*$")
_BARE = re.compile(r"(?:\"(?:[^\"\\]|\\.)+\"|[^\s<>\"(),;]+)@[^\s<>\"(),;]+")
_COMMENT = re.compile(r"\(([^()]*)\)")
_GROUP = re.compile(r"^\s*[^\"<>@,;:]+:(?!//)")


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
    boxes: list[Mailbox] = []
    waiting: list[str] = []
    for piece in _split(_GROUP.sub("", text)):
        box = _mailbox(piece)
        if box.address and waiting and box.name and "@" not in "".join(waiting):
            box = Mailbox(", ".join([*waiting, box.name]), box.address)
            waiting = []
        if box.address:
            boxes.extend(Mailbox(name, "") for name in waiting)
            waiting = []
            boxes.append(box)
        elif box.name:
            waiting.append(box.name)
    boxes.extend(Mailbox(name, "") for name in waiting)
    return boxes


def _split(text: str) -> list[str]:
    pieces, current = [], ""
    in_quotes = False
    depth = 0
    escaped = False
    for char in text:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == '"':
            in_quotes = not in_quotes
        elif not in_quotes and char in "(<":
            depth += 1
        elif not in_quotes and char in ")>":
            depth = max(0, depth - 1)
        elif not in_quotes and depth == 0 and char in ",;":
            pieces.append(current)
            current = ""
            continue
        current += char
    if in_quotes and not pieces and text.count(",") > 0:
        return text.replace('"', "").split(",")
    return [*pieces, current]


def _mailbox(piece: str) -> Mailbox:
    piece = " ".join(piece.split())
    angle = _ANGLE.search(piece)
    if angle is not None:
        return Mailbox(_unquoted(piece[: angle.start()]), angle[1].lower().removeprefix("mailto:"))
    bare = _BARE.search(piece)
    if bare is None:
        return Mailbox(_unquoted(piece), "")
    rest = piece[: bare.start()] + piece[bare.end() :]
    comment = _COMMENT.search(rest)
    return Mailbox(_unquoted(comment[1] if comment else rest), bare.group().lower())


def _unquoted(name: str) -> str:
    name = name.strip()
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1]
    return re.sub(r"\\(.)", r"\1", name).replace('"', "").strip()
