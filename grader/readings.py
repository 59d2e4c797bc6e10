"""How a text may be read: as it stands, and by the ciphers that a hidden name is written in.

Belongs here: turning one text into others that it can be meant to say. Whether one of them tells something
protected stands in `grader.leaks`. A cipher with a key that is told elsewhere is beyond this.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from contracts.names import fold, name_tokens, without_unseen

SHIFTS = range(1, 26)
"""Steps of the alphabet by which letters may be moved."""
MOST_FROM_ONE = 18
"""Letters that folding may make of one; Unicode promises that no decomposition is longer."""
SPOKEN_WORDS = ("at", "dot", "punkt", "period", "point", "underscore", "dash", "hyphen")
"""Words that stand for marks."""
_MAYBE_SPOKEN = re.compile(rf"(?:{'|'.join(SPOKEN_WORDS)})\b")
_SPOKEN = re.compile(rf"\b(?:{'|'.join(SPOKEN_WORDS)})\b")
_NOT_ALNUM = re.compile(r"[^a-z0-9]+")
_ASCII_DROPPED = dict.fromkeys(code for code in range(128) if _NOT_ALNUM.match(chr(code)))
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_BASE32 = re.compile(r"[A-Z2-7]{16,}={0,6}")
_HEX = re.compile(r"(?:(?:\\x|0x|\b)?[0-9a-fA-F]{2}[\s,:;-]{0,2}){6,}")
_CODES = re.compile(r"\b(?:\d{2,3}[\s,;.-]{1,2}){5,}\d{2,3}\b")
_BITS = re.compile(r"(?:[01]{7,8}[\s,]{0,2}){6,}")
_SOME_HEX = re.compile(r"[0-9a-fA-F]{2}(?:[\s,:;-]{0,2}(?:\\x|0x)?[0-9a-fA-F]{2}){5}")
_DIGITS = re.compile(r"\d\d")
_BIT = re.compile(r"[01]{7}")
LEET = (str.maketrans("013457@$!|", "oieastasil"), str.maketrans("013457@$!|", "oleastasll"))
"""Figures and marks -> the letters that they are read as."""
_FIGURE = re.compile(r"[013457@$!|]")
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_SHIFTED = [str.maketrans(_ALPHABET, _ALPHABET[n:] + _ALPHABET[:n]) for n in SHIFTS]
_MIRRORED = str.maketrans(_ALPHABET, _ALPHABET[::-1])


class Reading(NamedTuple):
    """One way to read a text, in the forms that comparisons need."""

    source: str
    folded: str
    """For comparison."""
    squeezed: str
    """Letters and digits alone."""
    unspoken: str
    """The same without words that stand for marks: "ada dot quill at b1"."""

    @property
    def text(self) -> str:
        """As written, without characters that show nothing."""
        return without_unseen(self.source)

    @property
    def words(self) -> tuple[str, ...]:
        """The folded words as names have them."""
        return _words_of(self.folded)


@lru_cache(maxsize=256)
def _words_of(folded: str) -> tuple[str, ...]:
    return name_tokens(folded.replace("_", " "))


@lru_cache(maxsize=512)
def reading_of(text: str) -> Reading:
    """Returns a text's forms."""
    folded = fold(text)
    squeezed = squeeze(folded)
    return Reading(text, folded, squeezed, _unspoken(folded, squeezed))


def reversed_reading(reading: Reading) -> Reading:
    """Returns the reading of a text backwards, made from the reading of the text where that is the same."""
    source = reading.source[::-1]
    if not unicodedata.is_normalized("NFKD", source) or "æ" in source.lower():
        # One letter that stands for two is read forwards.
        return reading_of(source)
    folded, squeezed = reading.folded[::-1], reading.squeezed[::-1]
    return Reading(source, folded, squeezed, _unspoken(folded, squeezed))


def _unspoken(folded: str, squeezed: str) -> str:
    # Most texts have none of the words: looking for their ends first takes a third of the time.
    return squeeze(_SPOKEN.sub(" ", folded)) if _MAYBE_SPOKEN.search(folded) else squeezed


def readings_in(text: str) -> tuple[Reading, ...]:
    """Returns all readings of a text, that of the text as it stands first."""
    found: dict[str, Reading] = {text: reading_of(text)}
    for source in decoded(text):
        if source not in found:
            ahead = found.get(source[::-1])
            found[source] = reading_of(source) if ahead is None else reversed_reading(ahead)
    return tuple(found.values())


def squeeze(folded: str) -> str:
    """Returns the letters and digits of a folded text."""
    return folded.translate(_ASCII_DROPPED) if folded.isascii() else _NOT_ALNUM.sub("", folded)


@lru_cache(maxsize=256)
def decoded(text: str) -> tuple[str, ...]:
    """Returns what a text says beside its letters: reversed, decoded, with figures read as letters."""
    seen = without_unseen(text)
    found = [seen[::-1]]
    for decode in _DECODERS:
        plain = decode(seen)
        if plain and plain != seen:
            # What was decoded may itself stand backwards.
            found += [plain, plain[::-1]]
    if _FIGURE.search(seen):
        found += [variant for table in LEET if (variant := seen.translate(table)) != seen]
    return tuple(dict.fromkeys(found))


def most_letters(text: str) -> int:
    """Returns a number that the squeezed letters of a text do not exceed."""
    return len(text) + (MOST_FROM_ONE - 1) * (len(text) - len(text.encode("ascii", "ignore")))


def moved_letters(squeezed: str) -> list[str]:
    """Returns a squeezed text with letters moved along the alphabet or mirrored, or every second one."""
    shifted = [squeezed.translate(table) for table in _SHIFTED]
    return [*shifted, squeezed.translate(_MIRRORED), squeezed[::2], squeezed[1::2]]


def _each(
    pattern: re.Pattern[str], decode: Callable[[str], bytes], hint: re.Pattern[str] | None = None
) -> Callable[[str], str]:
    """Returns a decoder of all places of a text that look like a code; none does where no hint stands."""

    @lru_cache(maxsize=4096)
    def plain(code: str) -> str | None:
        try:
            return decode(code).decode("utf-8", "ignore")
        except (ValueError, binascii.Error, OverflowError):
            return None

    def decoder(text: str) -> str:
        if hint is not None and not hint.search(text):
            return ""
        pieces = (plain(match.group()) for match in pattern.finditer(text))
        return " ".join(piece for piece in pieces if piece is not None)

    return decoder


def _padded(text: str) -> bytes:
    bare = text.rstrip("=").replace("-", "+").replace("_", "/")
    # A rest of one character codes nothing.
    bare = bare[:-1] if len(bare) % 4 == 1 else bare
    return base64.b64decode(bare + "=" * (-len(bare) % 4))


def _padded32(text: str) -> bytes:
    bare = text.rstrip("=")
    return base64.b32decode(bare + "=" * (-len(bare) % 8))


def _of_hex(text: str) -> bytes:
    return bytes.fromhex(re.sub(r"\\x|0x|[^0-9a-fA-F]", "", text))


def _of_codes(text: str) -> bytes:
    return bytes(int(code) for code in re.findall(r"\d+", text))


def _of_bits(text: str) -> bytes:
    bits = re.findall(r"[01]{7,8}", text)
    return bytes(int(code, 2) for code in bits)


def _unwrapped(text: str) -> str:
    """Returns what a code says that runs over several lines."""
    return in_base64("".join(text.split()))


def _unquoted(text: str) -> str:
    if "%" not in text and "=" not in text:
        return ""
    try:
        printable = codecs.decode(text.encode("ascii", "ignore"), "quopri").decode("utf-8", "ignore")
    except (ValueError, binascii.Error):
        printable = text
    return unquote(text) if "%" in text else printable


in_base64 = _each(_BASE64, _padded)
"""Returns what all places of a text say that look like base64, a space between them."""
_MARKED: tuple[Callable[[str], str], ...] = (
    lambda text: html.unescape(text) if "&" in text else "",
    _unquoted,
    _each(_BASE32, _padded32),
    _each(_HEX, _of_hex, _SOME_HEX),
    _each(_CODES, _of_codes, _DIGITS),
    _each(_BITS, _of_bits, _BIT),
)
_DECODERS = (*_MARKED[:2], in_base64, _unwrapped, *_MARKED[2:])


def has_marked_code(seen: str) -> bool:
    """Says whether a text without unseen characters says more in a code that words alone do not look like."""
    return any((plain := decode(seen)) and plain != seen for decode in _MARKED)
