"""Boundaries: where a form may begin and end, alone or glued to letters and digits.

Belongs here: places in a text. Does not belong here: which forms are telling enough to be met glued
(`recognizers.known`).
"""

from __future__ import annotations

import re

_NAME_PREFIX = re.compile(r"(?:^|[^A-Za-z])(?:Ma?c|De[lnr]?|D[aiou]|L[ae]|Van|Von|Fitz|O|Al|El|St)$")
"""What stands inside one family name before its second capital: "McDonald"."""


def is_sound(text: str, place: int) -> bool:
    """Says whether a word may begin or end here: beside a letter or digit stands none, or one without case.

    Chinese, Japanese, Arabic and other scripts without case write names without gaps.
    """
    if place == 0 or place == len(text):
        return True
    before, behind = text[place - 1], text[place]
    return not (before.isalnum() and behind.isalnum()) or _is_caseless(before) or _is_caseless(behind)


def is_glued_match(text: str, start: int, end: int, *, prefixed: bool = False) -> bool:
    """Says whether digits, capitals or a final s tell the word between two places from its neighbours.

    A capital behind "Mc" or "De" begins no word of its own, unless `prefixed` says so.
    """
    return (is_sound(text, start) or _is_seam(text, start, prefixed=prefixed)) and (
        is_sound(text, end) or _is_seam(text, end) or _is_before_s(text, end) or _is_in_code(text, start, end)
    )


def _is_caseless(char: str) -> bool:
    return char.isalpha() and char.lower() == char.upper()


def _is_seam(text: str, place: int, *, prefixed: bool = False) -> bool:
    before, behind = text[place - 1], text[place]
    if before.isdigit() != behind.isdigit():
        return True
    if not behind.isupper():
        return False
    if before.islower():
        return prefixed or not _NAME_PREFIX.search(text[max(0, place - 5) : place])
    return text[place + 1 : place + 2].islower()


def _is_before_s(text: str, place: int) -> bool:
    return text[place] in "sS" and is_sound(text, place + 1)


def _is_in_code(text: str, start: int, end: int) -> bool:
    """Says whether a match begins a name of a machine: capitals, then a digit ("ACMEDC2")."""
    stop = end
    while stop < len(text) and text[stop].isalnum():
        stop += 1
    word = text[start:stop]
    return word.isupper() and any(char.isdigit() for char in word[end - start :]) and stop - end <= 6
