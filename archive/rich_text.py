"""Rich text (RTF) as plain text, and the compressed form in which Outlook stores it.

Belongs here: both formats. `striprtf` reads well-formed files alike, but its patterns take quadratic time on
hostile ones; here every byte is looked at once.
"""

from __future__ import annotations

import re
import struct

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+"
)
_SILENT = frozenset(
    "fonttbl colortbl stylesheet listtable listoverridetable info pict object themedata datastore fldinst "
    "header footer headerl headerr headerf footerl footerr footerf latentstyles rsidtbl generator xmlnstbl "
    "filetbl revtbl pgdsctbl mmathpr htmltag mhtmltag".split()
)
_SPOKEN = {
    "par": "\n", "sect": "\n", "page": "\n", "line": "\n", "row": "\n", "tab": "\t", "cell": "\t",
    "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "bullet": "•",
    "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
}  # fmt: skip
_SIGNS = {b"~": "\xa0", b"_": "-", b"\\": "\\", b"{": "{", b"}": "}", b"\n": "\n", b"\r": "\n"}
_CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gb2312", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
_MAX_GROUPS = 10_000
_PRELOAD = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
_COMPRESSED, _STORED = 0x75465A4C, 0x414C454D


class _State:
    """What a group of rich text inherits from the one around it."""

    __slots__ = ("font", "silent", "skip")

    def __init__(self, font: str, silent: str, skip: int) -> None:
        self.font = font
        self.silent = silent
        """The destination whose text is no text of the document; "" where text is read."""
        self.skip = skip


def rich_text(data: bytes, limit: int) -> str:
    """Returns the plain text of RTF, about `limit` characters of it; never raises."""
    codepage = "cp1252"
    charsets: dict[str, str] = {}
    state = _State("", "", 1)
    stack: list[_State] = []
    pieces: list[str] = []
    coded = bytearray()
    size = skipping = 0
    at, end = 0, len(data)
    while at < end and size <= limit:
        token = _TOKEN.match(data, at)
        if token is None:
            break
        at = token.end()
        word, number, code, sign, brace, text = token.groups()
        if code is not None:
            if skipping:
                skipping -= 1
            elif not state.silent:
                coded.append(int(code, 16))
            continue
        if coded:
            pieces.append(_decoded(bytes(coded), charsets.get(state.font, codepage)))
            size += len(pieces[-1])
            coded.clear()
        if text is not None:
            kept = text[skipping:]
            skipping = max(0, skipping - len(text))
            if not state.silent:
                pieces.append(_decoded(kept, charsets.get(state.font, codepage)))
                size += len(pieces[-1])
            continue
        if brace == b"{":
            if len(stack) >= _MAX_GROUPS:
                break
            stack.append(state)
            state = _State(state.font, state.silent, state.skip)
        elif brace == b"}":
            if stack:
                state = stack.pop()
            if not stack:
                break
        elif sign is not None:
            if sign == b"*":
                state.silent = state.silent or "*"
            elif not state.silent and sign in _SIGNS:
                pieces.append(_SIGNS[sign])
                size += 1
        elif word is not None:
            name = word.decode("ascii")
            value = int(number) if number is not None else None
            if name == "bin":
                at += min(max(value or 0, 0), end - at)
            elif name == "ansicpg":
                codepage = _codec(f"cp{value}")
            elif name == "f" and value is not None:
                state.font = str(value)
            elif name == "fcharset" and value in _CHARSETS:
                charsets[state.font] = _CHARSETS[value]
            elif name == "uc":
                state.skip = min(max(value or 0, 0), 10)
            elif name in _SILENT:
                state.silent = name
            elif name == "u" and value is not None:
                skipping = state.skip
                if not state.silent:
                    pieces.append(chr(value & 0xFFFF))
                    size += 1
            elif not state.silent and name in _SPOKEN:
                pieces.append(_SPOKEN[name])
                size += 1
        if word is None or word != b"u":
            skipping = 0
    if coded:
        pieces.append(_decoded(bytes(coded), charsets.get(state.font, codepage)))
    # Characters beyond 16 bits are written as two halves.
    return "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")


def decompressed_rtf(data: bytes, limit: int) -> bytes:
    """Returns the RTF in Outlook's compressed form (PidTagRtfCompressed), at most `limit` bytes.

    Raises:
        ValueError: these bytes are none, or they end early.
    """
    if len(data) < 16:
        raise ValueError("compressed rich text is shorter than its header")
    _, size, kind, _ = struct.unpack_from("<4I", data)
    if kind == _STORED:
        return data[16 : 16 + min(size, limit)]
    if kind != _COMPRESSED:
        raise ValueError("no compressed rich text")
    window = bytearray(_PRELOAD.ljust(4096, b"\0"))
    write = len(_PRELOAD)
    result = bytearray()
    bound = min(size, limit)
    at = 16
    while at < len(data):
        control = data[at]
        at += 1
        for bit in range(8):
            if len(result) >= bound or at >= len(data):
                return bytes(result[:bound])
            if not control >> bit & 1:
                pair = data[at : at + 1]
                at += 1
                window[write] = pair[0]
                write = (write + 1) % 4096
                result += pair
                continue
            if at + 2 > len(data):
                raise ValueError("compressed rich text ends early")
            reference = data[at] << 8 | data[at + 1]
            at += 2
            offset, length = reference >> 4, (reference & 0xF) + 2
            if offset == write:
                return bytes(result[:bound])
            for step in range(length):
                char = window[(offset + step) % 4096]
                window[write] = char
                write = (write + 1) % 4096
                result.append(char)
    return bytes(result[:bound])


def _decoded(data: bytes, charset: str) -> str:
    if data.isascii():
        return data.decode("ascii")
    return data.decode(charset, "replace")


def _codec(name: str) -> str:
    try:
        "".encode(name)
    except LookupError:
        return "utf-8" if name == "cp65001" else "cp1252"
    return name
