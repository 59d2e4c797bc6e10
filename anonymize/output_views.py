"""Decoded views of a text: what it says once its encodings are taken off, again and again to a bound.

Belongs here: percent, quoted-printable, base64, hexadecimal, HTML, backslash, RFC 2047, IDNA, folded lines,
wherever they stand. Does not belong here: opening files (`output_files`).
"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

PART = "\x00"
"""Stands between the values of one text: no form goes across it."""
AS_WRITTEN = "as written"
"""The encoding of a text in which nothing was decoded."""
OPAQUE = ("base64", "hexadecimal")
"""Encodings whose content does not stand in the text as well."""
DEEPEST = 3
"""Encodings that may lie in one another."""
LONGEST = 64 * 1024 * 1024
"""Characters of one view; what is longer is read in its first characters and told."""
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_QUOTED = re.compile(r"=[0-9A-Fa-f]{2}|=\r?\n")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,24});")
_TAG = re.compile(r"<[A-Za-z/!?][^<>\x00]{0,4000}>")
_BACKSLASH = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[nrtN/\"',;:\\])")
_WORD = re.compile(r"=\?([\w.-]+)(?:\*[\w-]*)?\?([BbQq])\?([^?\x00]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(=\?)")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{10,}(?:[ \t]*\r?\n[ \t]?[A-Za-z0-9+/_-]{4,})*={0,2}")
_HEX = re.compile(r"(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}[\s:]?){7,}(?![0-9A-Fa-f])")
_BETWEEN_HEX = re.compile(r"[\s:]+")
_IDNA = re.compile(r"xn--[A-Za-z0-9-]+")
_FOLDED = re.compile(r"\r?\n[ \t]")
_SPACES = re.compile(r"\s+")
_UPPER, _LOWER = re.compile("[A-Z]"), re.compile("[a-z]")
_PRINTED = bytes([*range(0x20, 0x7F), *b"\t\r\n"])
SHORTEST = 7
"""Bytes of a decoded text that is worth reading."""
LONG_RUN = 200


class View(NamedTuple):
    """A text as one encoding shows it."""

    encoding: str
    text: str


def views(text: str) -> Iterator[View]:
    """Yields a text as it is written and every decoded view of it.

    A view holds only what an encoding changed; its parts are those of the text, or single finds.
    """
    todo = [View(AS_WRITTEN, text[:LONGEST])]
    for depth in range(DEEPEST + 1):
        found: list[View] = []
        for view in todo:
            yield view
            if depth < DEEPEST:
                found += _decoded(view)
        todo = found


def _decoded(view: View) -> Iterator[View]:
    for encoding, decode in _DECODERS.items():
        parts = dict.fromkeys(part for part in decode(view.text) if part)
        if parts:
            before = "" if view.encoding == AS_WRITTEN else f"{view.encoding}, "
            yield View(before + encoding, PART.join(parts))


def _percent(text: str) -> Iterator[str]:
    if "%" in text and _PERCENT.search(text):
        for token in text.replace(PART, " ").split():
            if "%" in token and _PERCENT.search(token):
                for charset in ("utf-8", "latin-1"):
                    yield unquote(token, charset)


def _quoted(text: str) -> Iterator[str]:
    for part in _parts(text, "=", _QUOTED):
        data = quopri.decodestring(part.encode("utf-8", "surrogatepass"))
        yield from _texts(data)


def _entities(text: str) -> Iterator[str]:
    for part in _parts(text, "&", _ENTITY):
        yield html.unescape(part)


def _untagged(text: str) -> Iterator[str]:
    for part in _parts(text, "<", _TAG):
        yield _TAG.sub("", part)
        yield _TAG.sub(" ", part)


def _escaped(text: str) -> Iterator[str]:
    for part in _parts(text, "\\", _BACKSLASH):
        yield _joined_surrogates(_BACKSLASH.sub(_unescaped, part))


def _unescaped(match: re.Match[str]) -> str:
    mark = match[0][1]
    return chr(int(match[0][2:], 16)) if mark in "ux" else "\n" if mark in "nNrt" else mark


def _joined_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _encoded_words(text: str) -> Iterator[str]:
    for part in _parts(text, "=?", _WORD):
        yield _WORD.sub(_word, _BETWEEN_WORDS.sub(r"\1\2", part))


def _word(match: re.Match[str]) -> str:
    charset, kind, content = match.groups()
    try:
        if kind in "bB":
            data = base64.b64decode(content + "=" * (-len(content) % 4))
        else:
            data = quopri.decodestring(content.replace("_", "=20"))
        return data.decode(charset, "replace")
    except (LookupError, ValueError, binascii.Error):
        return match[0]


def _base64(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        run = _SPACES.sub("", match[0]).rstrip("=").replace("-", "+").replace("_", "/")
        if _UPPER.search(run) and _LOWER.search(run):  # hashes are written in one case
            yield from _short_run(run) if len(run) < LONG_RUN else _texts_of(run, (0,))


@lru_cache(maxsize=65_536)
def _short_run(run: str) -> tuple[str, ...]:
    """The texts of a run that may be glued to a letter before it, or a word of plain text as most are."""
    return tuple(_texts_of(run, range(4)))


def _texts_of(run: str, starts: Iterable[int]) -> Iterator[str]:
    for start in starts:
        cut = run[start : len(run) - ((len(run) - start) % 4 == 1)]
        yield from _texts(base64.b64decode(cut + "=" * (-len(cut) % 4)))


def _hexadecimal(text: str) -> Iterator[str]:
    for match in _HEX.finditer(text):
        digits = _BETWEEN_HEX.sub("", match[0])
        yield from _texts(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _idna(text: str) -> Iterator[str]:
    if "xn--" in text:
        for match in _IDNA.finditer(text):
            try:
                yield match[0][4:].encode("ascii").decode("punycode")
            except (UnicodeError, ValueError):
                continue


def _unfolded(text: str) -> Iterator[str]:
    for part in _parts(text, "\n", _FOLDED):
        yield _FOLDED.sub("", part)


def _parts(text: str, mark: str, pattern: re.Pattern[str]) -> Iterator[str]:
    """Yields the parts of a text in which a pattern is found."""
    if mark in text and pattern.search(text):
        for part in text.split(PART):
            if mark in part and pattern.search(part):
                yield part


def _texts(data: bytes) -> Iterator[str]:
    """Yields bytes as the text that they may be; nothing where they are no text."""
    if len(data) < SHORTEST:
        return
    odd = len(data.translate(None, _PRINTED))
    if odd * 4 <= len(data):
        try:
            yield data.decode("utf-8")
        except UnicodeDecodeError:
            yield data.decode("utf-8", "replace")
            yield data.decode("latin-1")
    elif data.count(0) * 3 > len(data):
        yield data[: len(data) // 2 * 2].decode("utf-16-le", "replace")
        yield data[: len(data) // 2 * 2].decode("utf-16-be", "replace")
    else:
        for cut in range(4):  # letters of two or three bytes each, the last one perhaps cut
            try:
                yield data[: len(data) - cut].decode("utf-8")
            except UnicodeDecodeError as error:
                if error.start < len(data) - 4:
                    break
                continue
            break


_DECODERS: dict[str, Callable[[str], Iterator[str]]] = {
    "percent-encoded": _percent,
    "quoted-printable": _quoted,
    "encoded word": _encoded_words,
    "HTML entities": _entities,
    "between tags": _untagged,
    "escaped": _escaped,
    "base64": _base64,
    "hexadecimal": _hexadecimal,
    "IDNA": _idna,
    "folded lines": _unfolded,
}
