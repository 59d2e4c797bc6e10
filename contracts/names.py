"""Forms of names and addresses: folding, tokens, address parts.

Belongs here: the comparisons that pseudonymisation, extraction, worlds and grading must make alike.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ATOM_IN_TEXT = r"[\w%+'-][\w.%+'!#$&*^~{}|-]*"
_DOMAIN = r"(?:(?:[^\W_]|-)+(?:\.(?:[^\W_]|-)+)*|\[[^\[\]\s@]+\])"
_ADDRESS_IN_TEXT = re.compile(rf"{_ATOM_IN_TEXT}@{_DOMAIN}")
_BRACKETED = re.compile(r"<\s*([^<>]*@[^<>]*?)\s*>")
_LOCAL = re.compile(r"[^\s<>()\[\]:;,\"@\\]+|\"(?:[^\"\\]|\\.)+\"")
_HOST = re.compile(_DOMAIN)
_KEPT_CONTROLS = frozenset("\t\n\r\x0b\x0c\x85")
_UNSEEN = frozenset({0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10)})
"""Characters that show nothing and have no category of their own: joiners, fillers, variation selectors."""
_ASCII_UNSEEN = dict.fromkeys(code for code in (*range(32), 127) if chr(code) not in _KEPT_CONTROLS)
_CONFUSABLE = str.maketrans(
    "авекмнорстухіјѕԁԛԝһӏгьѵцптαβγεηικνοπρτυχωζμσςıɑɡɩʋᴀᴄᴅᴇᴊᴋᴍɴᴏᴘᴛᴜᴠᴡᴢʀꜱ",
    "abekmhopctyxijsdqwhlrbvuntabyenikvonptuxwzussiagivacdejkmnoptuvwzrs",
)
"""Lower-case letters of other scripts that look like Latin ones, or whose capitals do."""
LONGEST_WORD = 40
"""Characters of what is folded again and again: names and words."""
_SHARP = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "æ": "ae", "Æ": "AE"})


class MailAddress(NamedTuple):
    """A mail address in its two parts, lower case."""

    local: str
    domain: str


def without_unseen(text: str) -> str:
    """Returns text without characters that show nothing: zero-width and soft hyphens, marks of direction."""
    if text.isascii():
        return text if text.isprintable() else text.translate(_ASCII_UNSEEN)
    unseen = [ord(char) for char in set(text) if _is_unseen(char)]
    return text.translate(dict.fromkeys(unseen)) if unseen else text


@lru_cache(maxsize=4096)
def _is_unseen(char: str) -> bool:
    kind = unicodedata.category(char)
    return kind == "Cf" or (kind == "Cc" and char not in _KEPT_CONTROLS) or ord(char) in _UNSEEN


def fold(text: str) -> str:
    """Returns text for comparison: as it looks, without diacritics, case and runs of white space.

    Characters that show nothing are dropped, and letters of other scripts become the Latin letters that they
    look like, so that no second spelling of a word reads the same.
    """
    return _folded_word(text) if len(text) <= LONGEST_WORD else _folded(text)


def _folded(text: str) -> str:
    if text.isascii():
        return " ".join(without_unseen(text).lower().split())
    decomposed = unicodedata.normalize("NFKD", text.translate(_SHARP))
    dropped = [ord(char) for char in set(decomposed) if unicodedata.combining(char) or _is_unseen(char)]
    bare = decomposed.translate(dict.fromkeys(dropped)) if dropped else decomposed
    return " ".join(bare.casefold().translate(_CONFUSABLE).split())


_folded_word = lru_cache(maxsize=65_536)(_folded)


def name_tokens(name: str) -> tuple[str, ...]:
    """Returns the folded words of a name in their order, possessive endings dropped."""
    return tuple(
        token[:-2] if token.endswith(("'s", "’s")) else token for token in _TOKEN.findall(fold(name))
    )


def split_address(address: str) -> MailAddress | None:
    """Returns the parts of a mail address, split at the last "@", or None where the text is none.

    Local part and domain may hold letters of any script; quoted local parts and address literals count.
    """
    local, _, domain = address.strip().strip("<>").strip().lower().rpartition("@")
    if not _LOCAL.fullmatch(local) or not _HOST.fullmatch(domain):
        return None
    return MailAddress(local, domain)


def addresses_in(text: str) -> list[str]:
    """Returns all mail addresses in a text, lower case, in order of first appearance.

    A text that is one address, and what stands between angle brackets, is taken whole, whatever
    characters its local part is made of.
    """
    whole = split_address(text) if text.count("@") == 1 else None
    if whole is not None:
        return [f"{whole.local}@{whole.domain}".strip(".'")]
    found: list[str] = []
    place = 0
    for match in _BRACKETED.finditer(text):
        inner = split_address(match[1])
        if inner is not None:
            found.extend(_loose_addresses(text[place : match.start()]))
            found.append(f"{inner.local}@{inner.domain}".strip(".'"))
            place = match.end()
    found.extend(_loose_addresses(text[place:]))
    return list(dict.fromkeys(found))


def _loose_addresses(text: str) -> list[str]:
    return [found.lower().strip(".'") for found in _ADDRESS_IN_TEXT.findall(text)]


def is_in_domain(address: str, domain: str) -> bool:
    """Says whether an address belongs to a domain or a sub-domain of it, not to a lookalike."""
    parts = split_address(address)
    return parts is not None and (
        parts.domain == domain.lower() or parts.domain.endswith("." + domain.lower())
    )
