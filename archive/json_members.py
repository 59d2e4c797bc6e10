"""One large JSON object read member by member: what its lists and maps hold comes one element at a time.

Belongs here: finding elements with a bounded buffer. Does not belong here: what they mean (`log_ocel_files`),
files of many objects (`archive.json_files`).
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

from archive.gathering import FileFault

MAX_ELEMENT = 64 * 1024 * 1024
"""Characters of one element."""
MAX_UNPACKED = 8 * 1024 * 1024 * 1024
"""Characters of one unpacked file."""
_CHUNK = 1 << 20
_SPACE = " \t\r\n"


class JsonMember(NamedTuple):
    """An element of a member of the object; numbers are strings as written."""

    member: str
    key: str | None
    """The element's own key where the member is a map, None where it is a list."""
    value: object


def json_members(path: Path) -> Iterator[JsonMember]:
    """Yields the elements of all lists and maps that an object holds, in order; scalar members are left out.

    Raises:
        FileFault: "malformed_json", "too_large" or "unreadable_file", with the place of the element.
    """
    place = "file"
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            opened = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if packed else raw
            reader = _Reader(io.TextIOWrapper(opened, encoding="utf-8-sig"))
            for member in _members(reader):
                place = f"{member.member} after {member.key or 'an element'}"
                yield member
    except (RecursionError, ValueError):
        raise FileFault("malformed_json", place if place == "file" else place.split(" after ")[0]) from None
    except (OSError, EOFError, zlib.error):
        raise FileFault("unreadable_file") from None


def _members(reader: _Reader) -> Iterator[JsonMember]:
    reader.expect("{")
    while reader.peek() != "}":
        member = reader.text()
        reader.expect(":")
        opening = reader.peek()
        if opening == "[":
            reader.expect("[")
            while reader.peek() != "]":
                yield JsonMember(member, None, reader.value())
                reader.comma("]")
            reader.expect("]")
        elif opening == "{":
            reader.expect("{")
            while reader.peek() != "}":
                key = reader.text()
                reader.expect(":")
                yield JsonMember(member, key, reader.value())
                reader.comma("}")
            reader.expect("}")
        else:
            reader.value()
        reader.comma("}")


class _Reader:
    """A text stream of which elements are decoded one by one."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._stream = stream
        self._buffer = ""
        self._at = 0
        self._done = False
        self._read = 0
        self._decoder = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)

    def peek(self) -> str:
        """The next character that is no space; ValueError where the file ends."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if self._done:
                raise ValueError("the file ends inside an object")
            self._more(_CHUNK)

    def expect(self, character: str) -> None:
        if self.peek() != character:
            raise ValueError("another character than JSON has here")
        self._at += 1

    def comma(self, closing: str) -> None:
        if self.peek() == ",":
            self._at += 1
        elif self.peek() != closing:
            raise ValueError("neither comma nor end")

    def text(self) -> str:
        value = self.value()
        if not isinstance(value, str):
            raise ValueError("a key that is no text")
        return value

    def value(self) -> object:
        self.peek()
        chunk = _CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except ValueError:
                if self._done:
                    raise
            else:
                if end < len(self._buffer) or self._done:  # a number may go on in the next chunk
                    self._at = end
                    return value
            if len(self._buffer) - self._at > MAX_ELEMENT:
                raise FileFault("too_large")
            self._more(chunk)
            chunk *= 2

    def _more(self, size: int) -> None:
        self._buffer = self._buffer[self._at :]
        self._at = 0
        piece = self._stream.read(size)
        self._read += len(piece)
        if self._read > MAX_UNPACKED:
            raise FileFault("too_large")
        self._done = not piece
        self._buffer += piece
