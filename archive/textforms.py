"""Bytes and HTML as plain text: charsets and header words decoded without ever raising, tags taken off."""

from __future__ import annotations

import binascii
import re
import unicodedata
from base64 import b64decode
from html.parser import HTMLParser
from quopri import decodestring

from contracts.names import without_unseen

_WORD = re.compile(r"=\?([A-Za-z0-9_.:\-]+)(?:\*[A-Za-z\-]+)?\?([bBqQ])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(=\?)")
_BREAKING = frozenset(
    [
        "address",
        "article",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tr",
        "ul",
    ]
)
_SILENT = frozenset(("script", "style", "head", "title"))


def decode_bytes(data: bytes, charset: str | None) -> str:
    """Returns text in the stated charset, else UTF-8, else cp1252; line ends become line feeds."""
    for name in (charset, "utf-8"):
        try:
            return _lines(data.decode(name or "ascii"))
        except (UnicodeDecodeError, LookupError, ValueError):
            continue
    return _lines(data.decode("cp1252", "replace"))


def decode_header(raw: str) -> str:
    """Returns a header's text: 8-bit bytes and encoded words decoded, folding undone; bad words stay."""
    if any("\udc80" <= char <= "\udcff" for char in raw):
        raw = decode_bytes(raw.encode("utf-8", "surrogateescape"), None)
    unfolded = re.sub(r"\s*\n\s*", " ", raw.replace("\r", "")).strip()
    return _WORD.sub(_decoded_word, _BETWEEN_WORDS.sub(r"\1\2", unfolded))


def html_to_text(html: str) -> str:
    """Returns the readable text of HTML, one line per block, links as their text; never raises."""
    parser = _TextParser()
    parser.feed(html)
    parser.close()
    lines = [" ".join(line.split()) for line in "".join(parser.pieces).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def composed(text: str) -> str:
    """Returns text in one spelling (NFC) and without characters that show nothing, as soft hyphens."""
    if text.isascii():
        return text
    kept = without_unseen(text)
    return kept if unicodedata.is_normalized("NFC", kept) else unicodedata.normalize("NFC", kept)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded_word(match: re.Match[str]) -> str:
    charset, encoding, payload = match.groups()
    try:
        if encoding in "bB":
            data = b64decode(payload + "=" * (-len(payload) % 4))
        else:
            data = decodestring(payload.replace("_", " ").encode("ascii"), header=False)
    except (binascii.Error, ValueError, UnicodeEncodeError):
        return match.group()
    return " ".join(decode_bytes(data, charset).split("\n"))


class _TextParser(HTMLParser):
    """Collects text; quotes (blockquote) are marked with "> " so that they are found again as quotes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._silent = 0
        self._quotes = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        if tag == "blockquote":
            self._quotes += 1
        if tag in _BREAKING:
            self._break()
        elif tag == "td":
            self.pieces.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        if tag == "blockquote":
            self._quotes = max(0, self._quotes - 1)
        if tag in _BREAKING and tag != "br":
            self._break()
        if tag == "p":
            self._break()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.pieces.append(re.sub(r"\s+", " ", data))

    def _break(self) -> None:
        self.pieces.append("\n" + "> " * self._quotes)
