"""Bytes and HTML as plain text: charsets and header words decoded without ever raising, tags taken off."""

from __future__ import annotations

import binascii
import re
import unicodedata
from base64 import b64decode
from html import unescape

from contracts.names import without_unseen

_WORD = re.compile(r"=\?([A-Za-z0-9_.:\-]+)(?:\*[A-Za-z\-]+)?\?([bBqQ])\?([^?]*)\?=")
_FOLD = re.compile(r"[ \t\f\v]*[\r\n]+\s*")
_SPACES = re.compile(r"\s+")
_EMPTY_LINES = re.compile(r"\n{3,}")
_NAME = re.compile(r"/?[a-zA-Z][a-zA-Z0-9:]{0,40}|[!?/]")
_SCRIPT_END = re.compile(r"</(?:script|style)\s*>", re.IGNORECASE)
_BREAKING = frozenset(
    "address article blockquote body br center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr"
    " li ol p pre section table tr ul".split()
)
_SILENT = frozenset(("script", "style", "head", "title"))
_LATIN = ("ascii", "cp1252", "latin-1")
_CODECS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252"), _LATIN),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "gb_2312-80"), ("gb18030",)),
    "iso-8859-8-i": ("iso-8859-8",),
    "unicode-1-1-utf-7": ("utf-7",),
    "windows-874": ("cp874",),
    "x-mac-roman": ("mac_roman",),
    "x-sjis": ("cp932",),
    "shift_jis": ("cp932",),
    # Codecs that are no charsets; some take quadratic time.
    **dict.fromkeys(("idna", "punycode", "unicode_escape", "raw_unicode_escape", "unicode-escape"), ()),
}
"""Charset as programs state it -> codecs that read what they write under that name."""
_MAX_TAG = 20_000
"""Characters; a "<" that no ">" follows within so many is text."""
_MAX_QUOTES = 20
"""Levels of quotes that are still marked."""


def decode_bytes(data: bytes, charset: str | None) -> str:
    """Returns text in the stated charset, else UTF-8, else cp1252; line ends become line feeds."""
    stated = (charset or "ascii").strip().lower()
    for name in _CODECS.get(stated, (stated,)):
        try:
            return _lines(data.decode(name))
        except (LookupError, ValueError):
            continue
    try:
        return _lines(data.decode("utf-8"))
    except ValueError:
        return _lines(data.decode("cp1252", "replace"))


def decode_header(raw: str) -> str:
    """Returns a header's text: 8-bit bytes and encoded words decoded, folding undone; bad words stay."""
    if not raw.isascii() and any("\udc80" <= char <= "\udcff" for char in raw):
        raw = decode_bytes(raw.encode("utf-8", "surrogateescape"), None)
    unfolded = (_FOLD.sub(" ", raw) if "\n" in raw or "\r" in raw else raw).strip()
    if "=?" not in unfolded:
        return unfolded
    return _decoded_words(unfolded)


def html_to_text(html: str) -> str:
    """Returns the readable text of HTML, one line per block, links as their text; never raises.

    Quotes (blockquote) are marked with "> " so that they are found again as quotes. The time taken grows
    with the length alone, whatever is left unclosed.
    """
    reader = _HtmlReader()
    at, close = 0, -1
    while (begin := html.find("<", at)) != -1:
        reader.text(html[at:begin])
        if html.startswith("<!--", begin):
            end = html.find("-->", begin + 4)
            at = len(html) if end == -1 else end + 3
            continue
        name = _NAME.match(html, begin + 1)
        if close < begin:
            close = html.find(">", begin)
            close = len(html) if close == -1 else close
        if name is None or close - begin > _MAX_TAG:
            reader.text("<")
            at = begin + 1
            continue
        at = _tag_end(html, begin, close) + 1
        if name.group() not in "!?/":
            at = reader.tag(html, name.group().lower(), at)
    reader.text(html[at:])
    lines = [" ".join(line.split()) for line in "".join(reader.pieces).split("\n")]
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()


def composed(text: str) -> str:
    """Returns text in one spelling (NFC) and without characters that show nothing, as soft hyphens."""
    if text.isascii():
        return text
    kept = without_unseen(text)
    return kept if unicodedata.is_normalized("NFC", kept) else unicodedata.normalize("NFC", kept)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _decoded_words(text: str) -> str:
    """Neighbouring words of one charset are decoded as one, since some programs cut within a character."""
    pieces: list[str] = []
    run: list[tuple[str, bytes]] = []
    at = 0
    for match in _WORD.finditer(text):
        between = text[at : match.start()]
        data = _word_bytes(match[2], match[3])
        if between and not (run and between.isspace()):
            pieces += [_run_text(run), between]
            run = []
        if data is None:
            pieces += [_run_text(run), match.group()]
            run = []
        else:
            run.append((match[1].lower(), data))
        at = match.end()
    return "".join([*pieces, _run_text(run), text[at:]])


def _run_text(run: list[tuple[str, bytes]]) -> str:
    texts = []
    while run:
        charset = run[0][0]
        same = next((at for at, (name, _) in enumerate(run) if name != charset), len(run))
        data = b"".join(data for _, data in run[:same])
        texts.append(" ".join(decode_bytes(data, charset).split("\n")))
        run = run[same:]
    return "".join(texts)


def _word_bytes(encoding: str, payload: str) -> bytes | None:
    try:
        if encoding in "bB":
            return b64decode(payload + "=" * (-len(payload) % 4))
        return binascii.a2b_qp(payload.encode("ascii"), header=True)
    except (binascii.Error, ValueError):
        return None


def _tag_end(html: str, begin: int, close: int) -> int:
    """Where a tag ends: not at a ">" within a quoted attribute."""
    if html.count('"', begin, close) % 2:
        quote = html.find('"', close, begin + _MAX_TAG)
        end = html.find(">", quote, begin + _MAX_TAG) if quote != -1 else -1
        if end != -1 and html.count('"', begin, end) % 2 == 0:
            return end
    return close


class _HtmlReader:
    """Collects text; knows whether it is in a quote, in preformatted text or in what is not shown."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._silent = 0
        self._quotes = 0
        self._preformatted = 0
        self._closed = True

    def tag(self, html: str, name: str, at: int) -> int:
        """Takes a tag that ends at `at`; returns where reading goes on."""
        closing = name.startswith("/")
        name = name.removeprefix("/")
        step = -1 if closing else 1
        if name in ("script", "style") and not closing and self._closed:
            end = _SCRIPT_END.search(html, at)
            self._closed = end is not None
            return at if end is None else end.end()
        if name == "body":
            self._silent = 0
        elif name in _SILENT:
            self._silent = max(0, self._silent + step)
        elif name == "blockquote":
            self._quotes = min(max(0, self._quotes + step), _MAX_QUOTES)
        elif name == "pre":
            self._preformatted = max(0, self._preformatted + step)
        if name in _BREAKING:
            if not (closing and name == "br"):
                self._break()
            if closing and name == "p":
                self._break()
        elif name == "td" and not closing:
            self.pieces.append(" ")
        return at

    def text(self, text: str) -> None:
        """Takes text between tags."""
        if not text or self._silent:
            return
        text = unescape(text) if "&" in text else text
        if self._preformatted:
            self.pieces.append(text.replace("\n", "\n" + "> " * self._quotes))
        else:
            self.pieces.append(_SPACES.sub(" ", text))

    def _break(self) -> None:
        self.pieces.append("\n" + "> " * self._quotes)
