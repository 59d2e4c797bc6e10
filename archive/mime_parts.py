"""The tree of MIME parts of a message, read in one bounded pass per level; never raises on any bytes.

Belongs here: header blocks, parameters, boundaries, transfer encodings, and the bounds that keep hostile
nesting cheap. Does not belong here: what parts mean (`archive.message`). Own reader because the standard
library's takes quadratic time on nested parts and recurses without bound.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from archive.textforms import composed, decode_bytes, decode_header

MAX_DEPTH = 100
"""Levels of parts within parts."""
MAX_PARTS = 2_000
"""Parts of one message, all levels together."""
MAX_COPIED = 400_000_000
"""Bytes of all parts together, those within parts counted on every level: bounds memory."""
MAX_HEADERS = 1024 * 1024
"""Bytes of the headers of one part; a mail to thousands of people has a third of it."""

_HEADER_LINE = re.compile(rb"([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)", re.DOTALL)
_HEAD_END = re.compile(rb"\n(?=\r?\n)|\r(?=\r)")
_PARAMETER = re.compile(r";\s*([^\s=;]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;]*))", re.DOTALL)
_SECTION = re.compile(r"([^*]+)(?:\*(\d{1,3}))?(\*)?")
_TYPE = re.compile(r"[a-z0-9!#$&^_.+\-]{1,80}/[a-z0-9!#$&^_.+\-]{1,80}")
_CACHED_LENGTH = 300
"""Characters; longer headers are not kept in memory."""
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


class MimeBoundError(ValueError):
    """A message has more or deeper parts than a person's mail ever has; `reason` is the quarantine's word."""

    def __init__(self, reason: str) -> None:
        """Keeps the reason: too_nested, too_many_parts, headers_too_long."""
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class MimePart:
    """One part: decoded headers in order, and either children or bytes."""

    headers: tuple[tuple[str, str], ...]
    content_type: str
    body: bytes
    """As transferred; empty where there are children."""
    children: tuple[MimePart, ...]

    def first(self, name: str) -> str:
        """Returns the first header of a (lower-case) name, or an empty text."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def data(self) -> bytes:
        """The body with its transfer encoding undone; as it is where that fails."""
        return _decoded(self.body, self.first("content-transfer-encoding").strip().lower())

    @property
    def charset(self) -> str | None:
        """The stated charset."""
        return parameters(self.first("content-type")).get("charset")

    @property
    def disposition(self) -> str:
        """Inline, attachment or empty, in lower case."""
        return self.first("content-disposition").split(";", 1)[0].strip().lower()

    @property
    def filename(self) -> str:
        """The file name stated for it, decoded, without folders."""
        written = self.first("content-disposition")
        name = parameters(written).get("filename", "") if ";" in written else ""
        if not name:
            name = parameters(self.first("content-type")).get("name", "")
        return composed(" ".join(decode_header(name).split()))


def parse_mime(data: bytes) -> MimePart:
    """Returns the message as a tree.

    Raises:
        MimeBoundError: more than MAX_PARTS parts, parts deeper than MAX_DEPTH, headers over MAX_HEADERS.
    """
    return _Reader().part(data, 0, "text/plain")


class _Reader:
    """Counts the parts of one message while they are read."""

    def __init__(self) -> None:
        self._parts = 0
        self._copied = 0

    def part(self, data: bytes, depth: int, default: str) -> MimePart:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise MimeBoundError("too_many_parts")
        self._copied += len(data)
        if depth > MAX_DEPTH or self._copied > MAX_COPIED:
            raise MimeBoundError("too_nested")
        headers, start = read_headers(data)
        written = next((value for name, value in headers if name.lower() == "content-type"), "")
        content_type = _content_type(written, default)
        body = data[start:] if start else data
        if content_type.startswith("multipart/"):
            children = self._children(body, written, content_type, depth)
            if children:
                return MimePart(headers, content_type, b"", children)
            # No boundary is in the body: what is there is read as text, so that nothing is lost.
            return MimePart(headers, "text/plain", body, ())
        if content_type in ("message/rfc822", "message/global") and body.strip():
            encoding = next(
                (value for name, value in headers if name.lower() == "content-transfer-encoding"), ""
            )
            inner = _decoded(body, encoding.strip().lower())
            return MimePart(headers, "message/rfc822", b"", (self.part(inner, depth + 1, "text/plain"),))
        return MimePart(headers, content_type, body, ())

    def _children(self, body: bytes, written: str, content_type: str, depth: int) -> tuple[MimePart, ...]:
        boundary = parameters(written).get("boundary", "").rstrip()
        if not boundary:
            return ()
        default = "message/rfc822" if content_type == "multipart/digest" else "text/plain"
        pieces = list(_pieces(body, boundary.encode("utf-8", "surrogateescape"), MAX_PARTS - self._parts + 1))
        return tuple(self.part(piece, depth + 1, default) for piece in pieces)


def _pieces(body: bytes, boundary: bytes, most: int) -> Iterator[bytes]:
    """Yields what lies between boundary lines; the text before the first and after the last is left out."""
    mark = b"--" + boundary
    begin = -1
    at = body.find(mark)
    while at != -1 and most >= 0:
        end = at + len(mark)
        tail = body[end : end + 80].split(b"\n", 1)[0].rstrip(b"\r \t")
        if (at == 0 or body[at - 1] in b"\r\n") and tail in (b"", b"--"):
            if begin != -1:
                yield _without_line_end(body[begin:at])
                most -= 1
            if tail:
                return
            line_end = body.find(b"\n", end)
            begin = line_end + 1 if line_end != -1 else len(body)
        at = body.find(mark, end)
    if begin != -1 and most >= 0:
        yield body[begin:]


def _without_line_end(piece: bytes) -> bytes:
    if piece.endswith(b"\r\n"):
        return piece[:-2]
    return piece[:-1] if piece.endswith((b"\n", b"\r")) else piece


def read_headers(data: bytes) -> tuple[tuple[tuple[str, str], ...], int]:
    """Returns the decoded header lines and where the body begins; a line that is no header begins it too.

    Raises:
        MimeBoundError: they are longer than MAX_HEADERS.
    """
    if data.startswith((b"\n", b"\r\n")):
        return (), 1 if data.startswith(b"\n") else 2
    end = _HEAD_END.search(data, 0, MAX_HEADERS)
    block = data[: _line_end(data, MAX_HEADERS) if end is None else end.end()]
    found: list[tuple[bytes, list[bytes]]] = []
    offset = 0
    for line in block.splitlines(keepends=True):
        if line[:1] in (b" ", b"\t"):
            if found:
                found[-1][1].append(line)
        elif (match := _HEADER_LINE.match(line)) is not None:
            found.append((match[1], [match[2]]))
        elif line.startswith((b"From ", b">From ")) and not found:
            pass
        elif line.strip(b"\r\n\0"):
            return _headers(found), offset
        offset += len(line)
    if end is None and len(data) > MAX_HEADERS:
        raise MimeBoundError("headers_too_long")
    rest = data[offset : offset + 2]
    return _headers(found), offset + (2 if rest == b"\r\n" else 1 if rest[:1] in (b"\n", b"\r") else 0)


def _line_end(data: bytes, most: int) -> int:
    """Where the last line of the first bytes ends; all of them where they are one line."""
    return len(data) if len(data) <= most else data.rfind(b"\n", 0, most) + 1 or most


def _headers(found: list[tuple[bytes, list[bytes]]]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.decode("ascii"), _value(b"".join(lines) if len(lines) > 1 else lines[0]))
        for name, lines in found
    )


def _value(written: bytes) -> str:
    if written.isascii():
        return composed(decode_header(written.decode("ascii")))
    return composed(decode_header(decode_bytes(written, None)))


def _content_type(written: str, default: str) -> str:
    stated = written.split(";", 1)[0].strip().lower()
    if not stated:
        return default
    if _TYPE.fullmatch(stated):
        return stated
    if stated.count("/") != 1:
        return (
            "text/html" if stated == "html" else "multipart/mixed" if stated == "multipart" else "text/plain"
        )
    main = stated.split("/", 1)[0].strip()
    return f"{main}/x-unknown" if main in ("text", "multipart") else "application/octet-stream"


def parameters(written: str) -> Mapping[str, str]:
    """Returns the parameters of a header by lower-case name, RFC 2231 sections and charsets joined."""
    if ";" not in written:
        return {}
    return _known(written) if len(written) <= _CACHED_LENGTH else _parameters(written)


def _parameters(written: str) -> dict[str, str]:
    plain: dict[str, str] = {}
    sections: dict[str, list[tuple[int, bool, str]]] = {}
    for match in _PARAMETER.finditer(written[:20_000]):
        quoted, bare = match[2], match[3]
        value = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare.strip().strip('"')
        section = _SECTION.fullmatch(match[1].lower())
        if section is None or not (section[2] or section[3]):
            plain.setdefault(match[1].lower(), value)
        else:
            sections.setdefault(section[1], []).append((int(section[2] or 0), section[3] is not None, value))
    for name, pieces in sections.items():
        plain[name] = _joined_sections(sorted(pieces))
    return plain


_known = lru_cache(maxsize=2048)(_parameters)


def _joined_sections(pieces: list[tuple[int, bool, str]]) -> str:
    charset: str | None = None
    data = b""
    for number, encoded, value in pieces:
        text = value
        if encoded:
            if number == pieces[0][0] and text.count("'") >= 2:
                charset, _, text = text.split("'", 2)
            data += unquote_to_bytes(text)
        else:
            data += text.encode("utf-8", "surrogateescape")
    return decode_bytes(data, charset or None)


def _decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding == "base64":
        return _from_base64(body)
    if encoding in ("x-uuencode", "uuencode", "uue", "x-uue"):
        return _from_uuencode(body)
    return body


def _from_base64(body: bytes) -> bytes:
    try:
        return binascii.a2b_base64(body)
    except binascii.Error:
        letters = _NOT_BASE64.sub(b"", body)
        letters = letters[: len(letters) - (len(letters) % 4 == 1)]
        return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def _from_uuencode(body: bytes) -> bytes:
    lines = iter(body.splitlines())
    if not any(line.startswith(b"begin ") for line in lines):
        return body
    pieces = []
    for line in lines:
        if line.strip(b"\r\n `") in (b"end", b""):
            break
        try:
            pieces.append(binascii.a2b_uu(line))
        except binascii.Error:
            length = (((line[0] - 32) & 63) * 4 + 5) // 3
            try:
                pieces.append(binascii.a2b_uu(line[:length]))
            except binascii.Error:
                return body
    return b"".join(pieces)
