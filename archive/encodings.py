"""Which character encoding a text file is in, and its bytes as UTF-8.

Belongs here: the guess from a sample and the decoding of single lines. Does not belong here: delimiters and
quotes (`archive.dialects`), reading files (`archive.text_blocks`).
"""

from __future__ import annotations

import codecs
from collections.abc import Callable

_BOMS: tuple[tuple[bytes, str], ...] = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_SINGLE = ("cp1252", "cp437", "cp850", "mac_roman")
_SIGNS = frozenset("€£¥§°©®™–—‘’“”„•…«»·×±²³½¼¾¿¡µ´ºª‰‹› ")
_JOINTS = frozenset("–—‘’“”…«»·©®™°ªº²³´ ")
"""Signs that may stand right beside a small letter."""
_HYPHENS = frozenset("–—’‘´·")
"""Signs that may stand between two letters."""
_LAST_RESORT = 65_536
"""Bytes that the statistical guess looks at."""


def guess_encoding(sample: bytes) -> tuple[str, int]:
    """Returns the encoding of a file by its first bytes, and how many of them are a byte order mark.

    UTF-16 without mark is known by its zero bytes. UTF-8 is the rule as long as nine of ten lines with other
    characters than ASCII are valid; then cp1252, unless cp437, cp850 or Mac Roman alone make words of it.
    """
    for mark, name in _BOMS:
        if sample.startswith(mark):
            return name, len(mark)
    wide = _zero_bytes(sample)
    if wide:
        return wide, 0
    lines = [line for line in sample.split(b"\n") if not line.isascii()]
    valid = sum(_is_utf8(line) for line in lines[:-1]) + sum(_is_utf8(line, cut=True) for line in lines[-1:])
    if valid >= 0.9 * len(lines):
        return "utf-8", 0
    return _legacy(b"\n".join(lines)[: 4 * _LAST_RESORT]), 0


def transcoder(encoding: str) -> Callable[[bytes, bool], bytes]:
    """Returns a function (bytes, is this the end) -> UTF-8 bytes; what cannot be decoded becomes U+FFFD."""
    if encoding == "utf-8":
        return lambda data, final: data
    if encoding in _TABLES:
        return lambda data, final: decode_single(data, encoding).encode()
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    return lambda data, final: decoder.decode(data, final).encode("utf-8", "replace")


def repaired_utf8(block: bytes) -> bytes:
    """Returns valid UTF-8: lines that are not are read as cp1252, as where two systems wrote one file."""
    if block.isascii() or _is_utf8(block):
        return block
    return b"".join(
        line if _is_utf8(line) else decode_single(line, "cp1252").encode() for line in block.splitlines(True)
    )


def decode_single(data: bytes, encoding: str) -> str:
    """Returns text in a one-byte encoding; bytes that it does not define stand for themselves (latin-1)."""
    return codecs.charmap_decode(data, "strict", _TABLES[encoding])[0]


def _table(encoding: str) -> str:
    return "".join(
        bytes([byte]).decode(encoding, "replace").replace("\ufffd", chr(byte)) for byte in range(256)
    )


_TABLES = {name: _table(name) for name in _SINGLE}


def _is_utf8(data: bytes, *, cut: bool = False) -> bool:
    """Says whether bytes are UTF-8; of a cut line the last character may lack its end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, not cut)
    except UnicodeDecodeError:
        return False
    return True


def _zero_bytes(sample: bytes) -> str:
    """Returns the kind of UTF-16 where every second byte is mostly zero; empty for anything else."""
    if len(sample) < 4 or b"\x00" not in sample:
        return ""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.05 * half:
        return "utf-16-be"
    return ""


def _legacy(sample: bytes) -> str:
    texts = {name: decode_single(sample, name) for name in _SINGLE}
    shares = {name: _western(text) for name, text in texts.items()}
    if shares["cp1252"] >= 0.6:
        return "cp1252"
    best = max(_SINGLE, key=lambda name: shares[name])
    return best if shares[best] >= 0.9 else _last_resort(sample)


def _western(text: str) -> float:
    """Returns the share of characters beyond ASCII that stand where Western European words have them."""
    good = seen = crowded = 0
    padded = f" {text} "
    for position, sign in enumerate(padded):
        if sign.isascii():
            continue
        seen += 1
        before, after = padded[position - 1], padded[position + 1]
        crowded += not before.isascii() and before.isalpha() and sign.isalpha()
        if sign.isalpha() and sign < "\u0180":
            shouted = sign.isupper() and before.isalpha() and (before.islower() or after.islower())
            good += not shouted and (before.isalpha() or after.isalpha())
        elif sign in _SIGNS:
            inside = before.isalpha() and after.isalpha()
            beside = before.islower() or after.islower()
            good += sign in _HYPHENS or not (inside or (beside and sign not in _JOINTS))
    return 0.0 if crowded > 0.5 * seen else good / max(seen, 1)


def _last_resort(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(sample[:_LAST_RESORT]).best()
    if best is None:
        return "cp1252"
    try:
        return codecs.lookup(best.encoding).name
    except LookupError:
        return "cp1252"
