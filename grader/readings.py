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
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from contracts.names import fold, name_tokens, without_unseen

SHIFTS = range(1, 26)
"""Steps of the alphabet by which letters may be moved."""
_SPOKEN = re.compile(r"\b(?:at|dot|punkt|period|point|underscore|dash|hyphen)\b")
_NOT_ALNUM = re.compile(r"[^a-z0-9]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_BASE32 = re.compile(r"[A-Z2-7]{16,}={0,6}")
_HEX = re.compile(r"(?:(?:\\x|0x|\b)?[0-9a-fA-F]{2}[\s,:;-]{0,2}){6,}")
_CODES = re.compile(r"\b(?:\d{2,3}[\s,;.-]{1,2}){5,}\d{2,3}\b")
_BITS = re.compile(r"(?:[01]{7,8}[\s,]{0,2}){6,}")
_DIGITS = re.compile(r"\d")
_LEET = (str.maketrans("013457@$!|", "oieastasil"), str.maketrans("013457@$!|", "oleastasll"))
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_SHIFTED = [str.maketrans(_ALPHABET, _ALPHABET[n:] + _ALPHABET[:n]) for n in SHIFTS]
_MIRRORED = str.maketrans(_ALPHABET, _ALPHABET[::-1])


class Reading(NamedTuple):
    """One way to read a text, in the forms that comparisons need."""

    text: str
    """As written, without characters that show nothing."""
    folded: str
    squeezed: str
    """Letters and digits alone."""
    unspoken: str
    """The same without words that stand for marks: "ada dot quill at b1"."""
    words: tuple[str, ...]


@lru_cache(maxsize=512)
def reading_of(text: str) -> Reading:
    """Returns a text's forms."""
    folded = fold(text)
    seen = without_unseen(text)
    unspoken = squeeze(_SPOKEN.sub(" ", folded))
    return Reading(seen, folded, squeeze(folded), unspoken, name_tokens(folded.replace("_", " ")))


def squeeze(folded: str) -> str:
    """Returns the letters and digits of a folded text."""
    return _NOT_ALNUM.sub("", folded)


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
    found += [variant for table in _LEET if (variant := seen.translate(table)) != seen]
    return tuple(dict.fromkeys(found))


def moved_letters(squeezed: str) -> list[str]:
    """Returns a squeezed text with letters moved along the alphabet or mirrored, or every second one."""
    shifted = [squeezed.translate(table) for table in _SHIFTED]
    return [*shifted, squeezed.translate(_MIRRORED), squeezed[::2], squeezed[1::2]]


def _each(pattern: re.Pattern[str], decode: Callable[[str], bytes]) -> Callable[[str], str]:
    """Returns a decoder of all places of a text that look like a code."""

    def decoder(text: str) -> str:
        pieces = []
        for match in pattern.finditer(text):
            try:
                raw = decode(match.group())
            except (ValueError, binascii.Error, OverflowError):
                continue
            pieces.append(raw.decode("utf-8", "ignore"))
        return " ".join(pieces)

    return decoder


def _padded(text: str) -> bytes:
    bare = text.rstrip("=").translate(str.maketrans("-_", "+/"))
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
    return _each(_BASE64, _padded)("".join(text.split()))


def _unquoted(text: str) -> str:
    if "%" not in text and "=" not in text:
        return ""
    try:
        printable = codecs.decode(text.encode("ascii", "ignore"), "quopri").decode("utf-8", "ignore")
    except (ValueError, binascii.Error):
        printable = text
    return unquote(text) if "%" in text else printable


_DECODERS: tuple[Callable[[str], str], ...] = (
    lambda text: html.unescape(text) if "&" in text else "",
    _unquoted,
    _each(_BASE64, _padded),
    _unwrapped,
    _each(_BASE32, _padded32),
    _each(_HEX, _of_hex),
    _each(_CODES, _of_codes),
    _each(_BITS, _of_bits),
)
