"""The frozen word lists as Python values: surrogates' pools, nicknames, role mailboxes, ordinary words.

Belongs here: reading `pools/*.txt`. Does not belong here: which surrogate an entity gets.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from contracts.names import fold


class FirstName(NamedTuple):
    """What the pools know of a first name."""

    gender: str
    """"female" or "male"."""
    locale: str
    """"en" or "de"."""


def word_list(text: str) -> list[str]:
    """Returns the words of a text: lists of many short words read best as prose."""
    return text.split()


@cache
def pool(name: str) -> tuple[str, ...]:
    """Returns the lines of a word list, in their frozen order."""
    text = files("anonymize.pools").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return tuple(text.splitlines())


@cache
def word_set(name: str) -> frozenset[str]:
    """Returns a word list as folded words."""
    return frozenset(fold(word) for word in pool(name))


@cache
def ordinary_words() -> frozenset[str]:
    """Returns the frozen words that name nobody by themselves, though somebody may be called so."""
    return word_set("common_words") | word_set("ordinary_words")


@cache
def first_names() -> dict[str, FirstName]:
    """Returns what is known of each folded first name, nicknames included; English lists decide first."""
    known: dict[str, FirstName] = {}
    for locale in ("en", "de"):
        for gender in ("female", "male"):
            for name in pool(f"first_{gender}_{locale}"):
                known.setdefault(fold(name), FirstName(gender, locale))
    for line in pool("nicknames"):
        full, *short = fold(line).split(" ")
        for nickname in short:
            known.setdefault(nickname, known.get(full, FirstName("male", "en")))
    return known


@cache
def family_names() -> frozenset[str]:
    """Returns the folded family names of the pools."""
    return word_set("family_en") | word_set("family_de")


@cache
def known_names() -> frozenset[str]:
    """Returns the folded first and family names of the pools."""
    return family_names() | frozenset(first_names())


@cache
def nicknames() -> dict[str, tuple[str, ...]]:
    """Returns the nicknames of each folded full first name, as written."""
    return {fold(line.split()[0]): tuple(line.split()[1:]) for line in pool("nicknames")}


@cache
def diminutives() -> dict[str, tuple[str, ...]]:
    """Returns the longer nicknames of each folded short one that begin with it: dan -> Danny."""
    found: dict[str, dict[str, None]] = {}
    for shorts in nicknames().values():
        for short in shorts:
            longer = (other for other in shorts if other != short and fold(other).startswith(fold(short)))
            found.setdefault(fold(short), {}).update(dict.fromkeys(longer))
    return {short: tuple(longer) for short, longer in found.items() if longer}


@cache
def called_names() -> frozenset[str]:
    """Returns every first name by which people are called, full and short, folded."""
    return (
        frozenset(first_names())
        | frozenset(nicknames())
        | {short for shorts in nicknames().values() for short in shorts}
    )


@cache
def pooled_names() -> frozenset[str]:
    """Returns the first names by which people are called and the family names of the pools, folded."""
    return called_names() | family_names()


def is_nickname(short: str, full: str) -> bool:
    """Says whether one first name is a nickname of another."""
    return fold(short) in {fold(nickname) for nickname in nicknames().get(fold(full), ())}


def is_free_mail(domain: str) -> bool:
    """Says whether anybody can have an address in a domain, so that it names no company."""
    return domain.lower() in word_set("free_mail")


def is_role(local: str) -> bool:
    """Says whether the local part of an address names a function, not a person: "ap-team", "info"."""
    parts = [part for part in fold(local).replace("_", "-").replace(".", "-").split("-") if part]
    roles = word_set("roles")
    return fold(local) in roles or (bool(parts) and all(part in roles or part.isdigit() for part in parts))
