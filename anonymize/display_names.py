"""Display names: which part of a typed name cell names a person or a company, and what stands around it.

Belongs here: "Ann Lee 2", "Lee, Ann (Sales)", "Support - Ann Lee", "Ann Lee via Helpdesk", "Accounts Payable
Lee". Every cell with a word that no role explains names somebody. Does not belong here: what replaces it
(`cells`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from anonymize.forms import PersonName, parse_company, parse_person, words_of
from anonymize.words import called_names, is_role, ordinary_words, word_list
from contracts.names import fold


class Named(StrEnum):
    """What a typed cell names."""

    PERSON = "person"
    COMPANY = "company"
    NOBODY = "nobody"


class TypedName(NamedTuple):
    """A typed cell in three pieces that make up its text."""

    before: str
    core: str
    """The part that names somebody; empty where nothing does."""
    after: str
    named: Named
    name: PersonName | None = None


_SERVICE = frozenset(
    word_list(
        """
    the of and for from your our via on in at to by no reply team teams desk department dept service services
    support system user unknown na none tbd tba unassigned todo
    reviewer reviewers approver approvers author authors
    """
    )
)
"""Words beside roles that name nobody."""
_TITLES = frozenset(
    word_list(
        """
    mr mrs ms miss dr prof professor herr herrn frau sir dipl ing mag jr sr ii iii iv phd md cpa mba esq
    """
    )
)
_MACHINES = frozenset(
    word_list(
        """
    mailer-daemon mailerdaemon mail-daemon maildaemon daemon postmaster bounce bounces noreply no-reply
    donotreply do-not-reply
    """
    )
)
"""Mailboxes from which programs write."""
_MACHINE_WORDS = frozenset(
    word_list(
        """
    alert alerts auto automated automatic delivery do failure internet mail mailer message messages not notice
    notification notifications reply returned server status subsystem system undeliverable
    """
    )
)
"""What programs call themselves there."""
_SEPARATOR = re.compile(
    r"\s*[(\[{][^()\[\]{}]*[)\]}]\s*|\s+(?:via|c/o|i\.\s?A\.|on behalf of|im Auftrag von)\s+"
    r"|\s+[-–—|•&+]+\s+|\s*[;|:/\\<>]+\s*"
    r"|\s+(?:and|und)\s+",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*[(\[{]")
_WORD = re.compile(r"[^\s,]*[^\W\d_][^\s,]*")
_HANDLE = re.compile(r"[^\W\d_]{2,}(?:[._][^\W\d_]+)+")
_EDGE = " \t\"'’`´,.;:*_#-–—|&+/\\0123456789"


@lru_cache(maxsize=65_536)
def read_name(text: str, address: str = "") -> TypedName:
    """Returns the pieces of a typed name cell; `address` stands beside it or is empty."""
    whole = parse_company(text)
    if whole is not None and whole.legal and not _has_first(text):
        return TypedName("", text, "", Named.COMPANY)
    chosen: tuple[int, int, int] | None = None
    for start, end in _pieces(text):
        start, end = _without_roles(text, start, end)
        if start < end:
            rank = 0 if _has_first(text[start:end]) else 2 if _is_plain(text[start:end]) else 1
            if chosen is None or rank < chosen[0]:
                chosen = (rank, start, end)
    if chosen is None:
        return TypedName(text, "", "", Named.NOBODY)
    rank, start, end = chosen
    core = text[start:end]
    if rank and _is_machine(address) and set(words_of(text)) <= _MACHINE_WORDS:
        return TypedName(text, "", "", Named.NOBODY)
    if rank and is_role(address.partition("@")[0]) and (rank == 2 or _is_company(text, core, address)):
        return TypedName(text[:start], core, text[end:], Named.COMPANY)
    return TypedName(text[:start], core, text[end:], Named.PERSON, parse_typed(core))


def parse_typed(core: str) -> PersonName | None:
    """Returns the parts of a name of any length and number of words; None where it has no letter."""
    spelt = re.sub(r"[._]", " ", core) if _HANDLE.fullmatch(core) else core
    name = parse_person(re.sub(r"\s*\d+", "", spelt))
    if name is not None:
        return name
    words = [re.sub(r"[\d_/<>@\"]", "", word) for word in _WORD.findall(spelt)]
    words = [word for word in words if any(char.isalpha() for char in word)]
    if not words:
        return None
    return PersonName(words[0], " ".join(words[1:-1]), words[-1] if len(words) > 1 else "")


def is_explained(word: str) -> bool:
    """Says whether a word beside a name is no name itself: a role, a title, a letter."""
    folded = fold(word)
    return len(folded) < 2 or folded in _SERVICE or folded in _TITLES or is_role(folded)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    place = 0
    for match in _SEPARATOR.finditer(text):
        yield place, match.start()
        if _BRACKETS.match(match.group()):
            yield match.start(), match.end()  # last resort: the name stands in brackets
        place = match.end()
    yield place, len(text)


def _without_roles(text: str, start: int, end: int) -> tuple[int, int]:
    """Returns the span without roles, titles and digits at its edges; empty where nothing else is in it."""
    words = [
        (m.start(), m.end(), m.group().strip(_EDGE + "()[]{}")) for m in _WORD.finditer(text, start, end)
    ]
    if all(is_explained(word) for _, _, word in words):
        return start, start
    if not all((is_explained(word) or fold(word) in ordinary_words()) for _, _, word in words):
        while len(words) > 1 and _is_cut(words[0][2]):
            words.pop(0)
        while len(words) > 1 and _is_cut(words[-1][2]):
            words.pop()
    start, end = words[0][0], words[-1][1]
    while start < end and text[start] in _EDGE + "()[]{}":
        start += 1
    while start < end and text[end - 1] in _EDGE.replace(".", "") + "()[]{}":
        end -= 1
    return start, end


def _is_cut(word: str) -> bool:
    return any(char.isdigit() for char in word) or (
        is_explained(word) and len(word) > 1 and fold(word) not in _TITLES
    )


def _has_first(text: str) -> bool:
    return any(word in called_names() and not is_role(word) for word in words_of(text)) and not _is_plain(
        text
    )


def _is_plain(text: str) -> bool:
    return all(
        (word in ordinary_words() and word not in called_names()) or is_explained(word)
        for word in words_of(text)
    )


def _is_machine(address: str) -> bool:
    return re.split(r"[+=]", fold(address.rpartition("@")[0]))[0] in _MACHINES


def _is_company(text: str, core: str, address: str) -> bool:
    words = words_of(core)
    if len(words) < 2 or len(words_of(text)) > len(words):
        return True
    return "".join(words).startswith(re.sub(r"[^a-z0-9]", "", address.rpartition("@")[2].split(".")[0])[:5])
