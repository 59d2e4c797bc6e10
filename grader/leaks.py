"""Protected data in what one person outside received: people's names and addresses, internal texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from contracts.names import fold, name_tokens
from contracts.world import Party

WINDOW = 12
"""Words in a row that make a piece of an internal text."""
SHORTEST_SQUEEZED_NAME = 8
"""Shorter names, written without spaces, also occur inside other words."""
_JOINTS = re.compile(r"\b(?:at|dot|punkt|period|point|underscore|dash|hyphen)\b")
_NOT_ALNUM = re.compile(r"[^a-z0-9]+")


class Text(NamedTuple):
    """Everything that one person received in one message."""

    seq: int
    text: str


def find_people(texts: Sequence[Text], people: Iterable[Party], *, closely: bool) -> list[int]:
    """Returns the numbers of the messages that name one of the people or their address, in any spelling.

    Args:
        texts: what one recipient got over the shift.
        people: whose data it must not be.
        closely: also look for names written without spaces.
    """
    known = list(people)
    found = [text.seq for text in texts if any(_tells(text.text, person, closely) for person in known)]
    if not found:
        whole = " ".join(text.text for text in texts)
        if any(_holds_address(whole, person.address) for person in known):
            found = [text.seq for text in texts]
    return found


def find_internal(texts: Sequence[Text], internal: Iterable[str]) -> list[int]:
    """Returns the numbers of the messages that together carry twelve words in a row of an internal text."""
    windows = {window for page in internal for window in _windows(_words(page))}
    if not windows:
        return []
    words: list[tuple[str, int]] = [(word, text.seq) for text in texts for word in _words(text.text)]
    found: set[int] = set()
    for start in range(len(words) - WINDOW + 1):
        piece = words[start : start + WINDOW]
        if tuple(word for word, _ in piece) in windows:
            found.update(seq for _, seq in piece)
    return sorted(found)


def _words(text: str) -> list[str]:
    return [word for word in _NOT_ALNUM.split(fold(text)) if word]


def _windows(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + WINDOW]) for start in range(len(words) - WINDOW + 1)]


def _tells(text: str, person: Party, closely: bool) -> bool:
    return _holds_address(text, person.address) or _holds_name(text, person.name, closely)


def _squeeze(text: str) -> str:
    return _NOT_ALNUM.sub("", text)


def _holds_address(text: str, address: str) -> bool:
    wanted = _squeeze(fold(address))
    folded = fold(text)
    return bool(wanted) and (wanted in _squeeze(folded) or wanted in _squeeze(_JOINTS.sub(" ", folded)))


def _holds_name(text: str, name: str, closely: bool) -> bool:
    tokens = name_tokens(name)
    if len(tokens) < 2:
        return False
    first, last = tokens[0], tokens[-1]
    words = name_tokens(text.replace("_", " "))
    pairs = set(pairwise(words))
    with_middle = {(left, right) for left, _, right in zip(words, words[1:], words[2:], strict=False)}
    if {(first, last), (last, first)} & pairs or (first, last) in with_middle:
        return True
    folded = fold(text)
    short = rf"\b(?:{re.escape(first[0])}\.\s*|(?:mr|mrs|ms|miss|dr)\.?\s+){re.escape(last)}\b"
    if re.search(short, folded) or re.search(rf"\b{re.escape(last)},?\s+{re.escape(first[0])}\.", folded):
        return True
    squeezed = _squeeze(folded)
    names = (first + last, last + first)
    return closely and any(len(form) >= SHORTEST_SQUEEZED_NAME and form in squeezed for form in names)
