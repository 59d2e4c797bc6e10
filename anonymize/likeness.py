"""How alike two written names of persons are: same, short, mistyped, in part, by initial.

Belongs here: comparing names, and the keys by which alike names meet. Does not belong here: what else
speaks for one person (`matching`).
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache, lru_cache

from rapidfuzz.distance import OSA

from anonymize.forms import PersonName
from anonymize.spellings import family_parts, spellings
from anonymize.words import called_names, pool
from contracts.names import fold

_MARKS = re.compile(r"[\s'’.-]+")
_SHORTEST_TYPED = 4
_LONG = 9
"""Letters from which on a word may hold two slips."""


class Likeness(IntEnum):
    """How alike two names are, the least telling first."""

    NONE = 0
    INITIAL = 1
    PART = 2
    """One part of a double family name."""
    TYPO = 3
    SHORT = 4
    """A nickname of the other's first name, or of the same full one."""
    SAME = 5


@lru_cache(maxsize=1 << 18)
def word_forms(text: str) -> frozenset[str]:
    """Returns the folded spellings of a part of a name, without marks: "Müller" -> muller, mueller."""
    return frozenset(_MARKS.sub("", form) for form in (fold(text), *spellings(text))) - {""}


@lru_cache(maxsize=1 << 18)
def full_keys(first: str, last: str) -> tuple[str, ...]:
    """Returns the keys of a full name, equal where first and family name only changed places.

    Where both are first names the order is kept. A name with an initial has no key.
    """
    found = set()
    for given in word_forms(first):
        for family in word_forms(last):
            if len(given) > 1 and len(family) > 1:
                fixed = given in called_names() and family in called_names()
                found.add(" ".join((given, family) if fixed else sorted((given, family))))
    return tuple(sorted(found))


@cache
def _full_names() -> dict[str, frozenset[str]]:
    """Returns short first name -> full ones, folded; a full name is among its own."""
    found: dict[str, set[str]] = {}
    for line in (*pool("nicknames"), *pool("short_names")):
        full, *short = fold(line).split(" ")
        for name in (full, *short):
            found.setdefault(name, set()).add(full)
    return {short: frozenset(full) for short, full in found.items()}


def full_forms(first: str) -> frozenset[str]:
    """Returns the folded full names of which a folded first name is a short form, or which it is itself."""
    return _full_names().get(first, frozenset())


def are_short(one: str, other: str) -> bool:
    """Says whether two folded first names are a full name and its short form, or short forms of one."""
    return not full_forms(one).isdisjoint(full_forms(other))


def is_typo(one: str, other: str) -> bool:
    """Says whether two folded words differ by one slip of the hand, long ones by two.

    A slip is a letter too many, too few, wrong or swapped with its neighbour (optimal string alignment:
    Damerau 1964, four fifths of all misspellings).
    """
    shortest = min(len(one), len(other))
    if shortest < _SHORTEST_TYPED:
        return False
    slips = 2 if shortest >= _LONG and one[0] == other[0] else 1
    return bool(OSA.distance(one, other, score_cutoff=slips) <= slips)


def likeness(one: PersonName, other: PersonName) -> Likeness:
    """Returns how alike two full names are; different middle initials make them none."""
    if not (one.first and one.last and other.first and other.last) or _middles_differ(one, other):
        return Likeness.NONE
    return _likeness(one.first, one.last, other.first, other.last)


def _middles_differ(one: PersonName, other: PersonName) -> bool:
    return bool(one.middle and other.middle) and fold(one.middle)[:1] != fold(other.middle)[:1]


@lru_cache(maxsize=1 << 18)
def _likeness(first: str, last: str, other_first: str, other_last: str) -> Likeness:
    a, b = word_forms(first), word_forms(other_first)
    given, family = not a.isdisjoint(b), not word_forms(last).isdisjoint(word_forms(other_last))
    initial = min(map(len, a), default=0) == 1 or min(map(len, b), default=0) == 1
    if initial:
        return Likeness.INITIAL if family and {f[0] for f in a} & {f[0] for f in b} else Likeness.NONE
    if given and family:
        return Likeness.SAME
    if not set(full_keys(first, last)).isdisjoint(full_keys(other_first, other_last)):
        return Likeness.SAME
    short = any(are_short(x, y) for x in a for y in b)
    if family and short:
        return Likeness.SHORT
    if given and any(is_typo(x, y) for x in word_forms(last) for y in word_forms(other_last)):
        return Likeness.TYPO
    both_known = not a.isdisjoint(called_names()) and not b.isdisjoint(called_names())
    if family and not both_known and any(is_typo(x, y) for x in a for y in b):
        return Likeness.TYPO
    if (given or short) and _share_part(last, other_last):
        return Likeness.PART
    return Likeness.NONE


def _share_part(one: str, other: str) -> bool:
    parts, others = (
        {fold(x) for x in (text, *family_parts(text.replace(" ", "-")))} for text in (one, other)
    )
    return not parts.isdisjoint(others)


def are_alike(names: tuple[PersonName, ...], others: tuple[PersonName, ...]) -> Likeness:
    """Returns how alike the most alike names of two persons are; initials count where one has no other."""
    whole, full = _spelt_out(names), _spelt_out(others)
    if whole and full:
        names, others = whole, full
    return max((likeness(one, other) for one in names for other in others), default=Likeness.NONE)


def _spelt_out(names: tuple[PersonName, ...]) -> tuple[PersonName, ...]:
    return tuple(name for name in names if name.last and len(name.first.strip(".")) > 1)


def may_share(one: PersonName, other: PersonName) -> bool:
    """Says whether two names beside one address may be one person: a word of theirs is the same or alike."""
    words, others = (
        [w for part in (n.first, n.middle, n.last) for w in word_forms(part)] for n in (one, other)
    )
    return any(
        x == y or is_typo(x, y) or are_short(x, y) or (min(len(x), len(y)) == 1 and x[0] == y[0])
        for x in words
        for y in others
    )
