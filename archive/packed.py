"""Packed files (zip, tar, gzip, bzip2, xz) as their members, within limits; nothing is ever written to disk.

Belongs here: what a packed file holds and when it is a bomb. Does not belong here: what members say
(`archive.attachment_text`) and mail in packed exports, which is streamed (`archive.mail_packed`).
"""

from __future__ import annotations

import bz2
import io
import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

MAX_MEMBERS = 1_000
"""Members of one attachment, those of packed members included."""
MAX_EXPANDED = 64 * 1024 * 1024
"""Bytes that one attachment may expand to, all levels together."""
MAX_RATIO = 200
"""Expanded bytes per packed byte of one member; text packs to a tenth, office files to a fiftieth."""
RATIO_FROM = 1024 * 1024
"""Bytes; below it the ratio is not judged: a short file of blanks is no bomb."""
MAX_DEPTH = 3
"""Levels of packed files and mails in one another."""
_ZIP_ENTRIES = 20_000
"""Entries; a directory with more is not even opened, since the standard library reads it whole."""
_XZ_MEMORY = 96 * 1024 * 1024
_STEP = 1024 * 1024

FAULTS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    LookupError,
    ValueError,
    OSError,
)
"""What the standard library raises on broken, encrypted or unknown packed bytes."""
_READABLE = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
_DRIVE = re.compile(r"[A-Za-z]:")


class PackedMember(NamedTuple):
    """A member as it is named in the packed file, and its bytes or the reason why they are not read."""

    name: str
    data: bytes
    fault: str = ""
    """"bomb", "encrypted", "unreadable", "unsafe_path", "unsupported", "too_many_members"."""


class Budget:
    """What one attachment may still expand to; shared by all levels of it."""

    def __init__(self) -> None:
        self.members = MAX_MEMBERS
        self.expanded = MAX_EXPANDED

    def fits(self, size: int, packed: int) -> bool:
        """Says whether a member of this size may be expanded, and takes it from the budget."""
        if size > self.expanded or (size > RATIO_FROM and size > MAX_RATIO * max(packed, 1)):
            return False
        self.expanded -= size
        return True


class _Decompressor(Protocol):
    """What the standard library's decompressors have in common."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...


def packing(data: bytes) -> str:
    """Returns "zip", "gzip", "bzip2", "xz", "tar" or "" for bytes, told from the bytes alone."""
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if data.startswith(b"\x1f\x8b\x08"):
        return "gzip"
    if data.startswith(b"BZh") and data[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):
        return "bzip2"
    if data.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    return "tar" if data[257:262] == b"ustar" else ""


def unpacked(filename: str, data: bytes, budget: Budget) -> Iterator[PackedMember]:
    """Yields the members of a packed file in order, folders left out; never raises.

    A compressed tar counts as one level. A member with an unsafe name (absolute, "..", drive letter) or
    kind (link, device) is told by its name alone; so is one that would break a limit.
    """
    kind = packing(data)
    try:
        if kind == "zip":
            yield from _zip_members(data, budget)
        elif kind == "tar":
            yield from _tar_members(data, budget)
        else:
            name = re.sub(r"\.(?:gz|bz2|xz|z)$", "", re.sub(r"\.tgz$", ".tar", filename)) or "content"
            expanded = _expanded(kind, data, budget)
            if expanded is None:
                yield PackedMember(name, b"", "bomb")
            elif packing(expanded) == "tar":
                yield from _tar_members(expanded, budget)
            else:
                budget.members -= 1
                yield PackedMember(name, expanded)
    except FAULTS:
        yield PackedMember("", b"", "unreadable")


def unsafe_name(name: str) -> bool:
    """Says whether a member's name would lead out of a folder that it is unpacked into."""
    plain = name.replace("\\", "/")
    return plain.startswith("/") or bool(_DRIVE.match(plain)) or ".." in plain.split("/") or "\0" in plain


def zip_directory(data: bytes) -> zipfile.ZipFile | None:
    """Returns an open zip file, or None where its directory is too long to be read.

    Raises:
        BadZipFile: these bytes are no zip file.
    """
    if data.count(b"PK\x01\x02") > _ZIP_ENTRIES:
        return None
    return zipfile.ZipFile(io.BytesIO(data))


def zip_fault(info: zipfile.ZipInfo) -> str:
    """Returns the reason why a zip member must not or cannot be read, else ""."""
    mode = info.external_attr >> 16
    if unsafe_name(info.filename) or (info.create_system == 3 and stat.S_ISLNK(mode)):
        return "unsafe_path"
    if info.flag_bits & 0x1:
        return "encrypted"
    return "" if info.compress_type in _READABLE else "unsupported"


def _zip_members(data: bytes, budget: Budget) -> Iterator[PackedMember]:
    directory = zip_directory(data)
    if directory is None:
        yield PackedMember("", b"", "too_many_members")
        return
    for info in directory.infolist():
        if info.is_dir() and not info.file_size:
            continue
        if budget.members <= 0:
            yield PackedMember("", b"", "too_many_members")
            return
        budget.members -= 1
        fault = zip_fault(info)
        if not fault and not budget.fits(info.file_size, info.compress_size):
            fault = "bomb"
        if fault:
            yield PackedMember(info.filename, b"", fault)
            continue
        try:
            with directory.open(info) as member:
                # The declared size is what the standard library stops at, whatever the packed bytes hold.
                yield PackedMember(info.filename, member.read(info.file_size))
        except FAULTS:
            yield PackedMember(info.filename, b"", "unreadable")


class CheckedTarInfo(tarfile.TarInfo):
    """A tar header whose size is not negative: such a one sends the standard library in circles."""

    def _block(self, count: int) -> int:
        if count < 0:
            raise tarfile.ReadError("negative size")
        rounded, rest = divmod(count, tarfile.BLOCKSIZE)
        return (rounded + bool(rest)) * tarfile.BLOCKSIZE


def _tar_members(data: bytes, budget: Budget) -> Iterator[PackedMember]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:", tarinfo=CheckedTarInfo) as tar:
        for info in tar:
            if info.isdir():
                continue
            if budget.members <= 0:
                yield PackedMember("", b"", "too_many_members")
                return
            budget.members -= 1
            if unsafe_name(info.name) or not info.isreg():
                yield PackedMember(info.name, b"", "unsafe_path")
            elif info.size > len(data) or not budget.fits(info.size, info.size):
                # A file inside cannot be longer than the tar itself unless it is sparse: zeros, no text.
                yield PackedMember(info.name, b"", "bomb")
            else:
                stream = tar.extractfile(info)
                yield PackedMember(info.name, stream.read(info.size) if stream is not None else b"")


def _expanded(kind: str, data: bytes, budget: Budget) -> bytes | None:
    """The bytes of a gzip, bzip2 or xz file with all its concatenated streams, None where over a limit."""
    pieces = bytearray()
    limit = min(budget.expanded, max(RATIO_FROM, MAX_RATIO * len(data)))
    left = data
    while left:
        left = _stream(kind, left, pieces, limit)
        if len(pieces) > limit:
            return None
        if packing(left) != kind:
            break
    budget.expanded -= len(pieces)
    return bytes(pieces)


def _stream(kind: str, data: bytes, pieces: bytearray, limit: int) -> bytes:
    """Appends one compressed stream and returns the bytes after it; stops once over the limit."""
    decompressor: _Decompressor
    step: Callable[[bytes], tuple[bytes, bytes]]
    if kind == "gzip":
        inflater = zlib.decompressobj(wbits=31)
        decompressor = inflater

        def step(packed: bytes) -> tuple[bytes, bytes]:
            return inflater.decompress(packed, _STEP), inflater.unconsumed_tail

    else:
        reader = (
            bz2.BZ2Decompressor()
            if kind == "bzip2"
            else lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        )
        decompressor = reader

        def step(packed: bytes) -> tuple[bytes, bytes]:
            return reader.decompress(packed, _STEP), b""

    tail = data
    while not decompressor.eof:
        piece, tail = step(tail)
        pieces += piece
        if len(pieces) > limit:
            return b""
        if not piece and not tail and not decompressor.eof:
            raise EOFError("compressed bytes end early")
    return decompressor.unused_data
