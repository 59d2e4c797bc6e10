"""Forms of names and addresses: folding, tokens, address parts.

Belongs here: the comparisons that pseudonymisation, extraction, worlds and grading must make alike.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ADDRESS = re.compile(r"[A-Za-z0-9._%+\-']+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*")
_SHARP = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "æ": "ae", "Æ": "AE"})


class MailAddress(NamedTuple):
    """A mail address in its two parts, lower case."""

    local: str
    domain: str


def fold(text: str) -> str:
    """Returns text for comparison: no diacritics, case folded, runs of white space as one space."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_SHARP))
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(bare.casefold().split())


def name_tokens(name: str) -> tuple[str, ...]:
    """Returns the folded words of a name in their order, possessive endings dropped."""
    return tuple(re.sub(r"['’]s$", "", token) for token in _TOKEN.findall(fold(name)))


def split_address(address: str) -> MailAddress | None:
    """Returns the parts of a mail address, or None where the text is none."""
    match = _ADDRESS.fullmatch(address.strip().strip("<>"))
    if match is None:
        return None
    local, domain = match.group().lower().rsplit("@", 1)
    return MailAddress(local, domain)


def addresses_in(text: str) -> list[str]:
    """Returns all mail addresses in a text, lower case, in order of first appearance."""
    return list(dict.fromkeys(found.lower().strip(".'") for found in _ADDRESS.findall(text)))


def is_in_domain(address: str, domain: str) -> bool:
    """Says whether an address belongs to a domain or a sub-domain of it, not to a lookalike."""
    parts = split_address(address)
    return parts is not None and (
        parts.domain == domain.lower() or parts.domain.endswith("." + domain.lower())
    )
