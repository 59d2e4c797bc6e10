"""Where the messages of an mbox stream begin and end, in every dialect, in large blocks and bounded memory.

Belongs here: telling separators from text. What becomes of a message is said in `archive.mailbox`.

A line "From ..." at the start of a line is a separator where
- it is a sender, weekday, day, time and year as mail programs write them, and an empty line (or nothing)
  stands before it; or
- it holds some time and a year, an empty line stands before it and a header after it; or
- it holds a time and a year and one of the usual first headers of a mail follows, empty line or not; or
- it says no more than one word, an empty line stands before it and a usual header follows (Thunderbird);
and no Content-Length before it that leads exactly to a separator or the end says that it is text (mboxcl).
"From <commit> Mon Sep 17 00:00:00 2001" separates only in files that begin with it: else it is a patch.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from archive.packed import FAULTS

BLOCK = 2 * 1024 * 1024
"""Bytes read at one time."""
_LINE = 1_000
"""Bytes; a longer line is no separator."""
_AHEAD = _LINE + 200
_HEADERS = 64 * 1024
"""Bytes; a longer header of a message is not searched for its Content-Length."""
_MARK = re.compile(rb"\nFrom ")
_MARK_SIZE = 6
_BOM = b"\xef\xbb\xbf"
_FEED = 10

_CERTAIN = re.compile(
    rb"From (?:\S{1,320}(?: at \S{1,255})? +)?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? +"
    rb"(?:[A-Z][a-z]{2} +\d{1,2}|\d{1,2} +[A-Z][a-z]{2})(?: +(?:19|20)\d\d)? +\d{1,2}:\d\d(?::\d\d)?"
    rb"(?: +(?:[A-Z]{1,5}|[+-]\d{4}|(?:19|20)\d\d)){0,3}\s*"
)
_TIME = re.compile(rb"\s\d{1,2}:\d\d(?::\d\d)?\b")
_YEAR = re.compile(rb"\b(?:19|20)\d\d\b")
_BARE = re.compile(rb"From (?:\S{0,320}|- *)\s*")
_PATCH = re.compile(rb"From [0-9a-f]{40,64} Mon Sep 17 00:00:00 2001\s*")
_HEADER = re.compile(rb">?[!-9;-~]{1,80}:|>From ")
_USUAL = re.compile(
    rb"(?:return-path|received|delivered-to|envelope-to|x-[\w-]{1,60}|message-id|date|from|to|cc|subject|sender"
    rb"|reply-to|mime-version|content-[a-z-]{1,30}|status|list-[a-z]{1,20}|dkim-signature|authentication-results"
    rb"|arc-[a-z-]{1,30}|precedence|errors-to|in-reply-to|references|mailing-list|user-agent)[ \t]*:",
    re.IGNORECASE,
)
_LENGTH = re.compile(rb"\n[Cc]ontent-[Ll]ength:[ \t]*(\d{1,10})[ \t]*\r?\n")
_LENGTH_HINT = re.compile(rb"ontent-[Ll]ength:")
_END_OF_HEADERS = re.compile(rb"\n\r?\n")


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """Returns the next bytes, none at the end."""


class Dialect(NamedTuple):
    """What the beginning of a file says about all of it."""

    patches: bool = False
    """The separators are those of git."""
    returns: bool = False
    """Lines end with carriage returns alone."""


class Span(NamedTuple):
    """A message in an mbox file: offsets of its separator, its first byte and the byte after its last."""

    start: int
    body: int
    end: int
    separator: bytes
    """The separator line with its end; empty for bytes before the first separator."""
    data: bytes
    """Empty where the message is longer than the bound, or was not asked for."""
    digest: str = ""
    """SHA-256 of a message that is longer than the bound."""
    literal: bool = False
    """The Content-Length covers a bare "From " line: nothing in this message was escaped."""


def mbox_dialect(head: bytes) -> Dialect:
    """Returns the dialect of a file that begins with these bytes, some thousand of them."""
    returns = b"\r" in head and b"\n" not in head
    first = head.removeprefix(_BOM).replace(b"\r", b"\n").partition(b"\n")[0]
    return Dialect(_PATCH.fullmatch(first) is not None, returns)


class _End(NamedTuple):
    """Where a message ends, and what was found out about it on the way."""

    offset: int
    digest: str
    literal: bool


class MboxScanner:
    """Reads one stream once; `fault` tells afterwards why the stream ended early, if it did."""

    def __init__(self, stream: Readable, offset: int, bound: int, dialect: Dialect) -> None:
        """Starts at the stream's place: `offset` bytes into the file, at a separator or the file's start.

        Args:
            stream: the bytes from there on.
            offset: of the stream's first byte in the file.
            bound: a message of more bytes is not held but hashed.
            dialect: of the file.
        """
        self.fault = ""
        self._stream = stream
        self._origin = offset
        self._bound = bound
        self._dialect = dialect
        self._buffer = bytearray()
        self._offset = offset
        self._needed = offset
        self._limit = offset
        self._ended = False
        self._lengths = False

    @property
    def position(self) -> int:
        """The offset up to which bytes were read."""
        return self._limit

    def spans(self, *, hold: bool = True) -> Iterator[Span]:
        """Yields all messages in order; their stretches, separators included, cover every byte.

        Args:
            hold: whether the messages' bytes are wanted.
        """
        self._load(self._origin + _AHEAD)
        start = self._origin
        first = start + (len(_BOM) if start == 0 and self._buffer.startswith(_BOM) else 0)
        body: int | None = self._separated(first)
        if body is None and self._limit > first:
            body = first
        while body is not None:
            separator = self._slice(first, body)
            end, following = self._end(body, hold)
            held = hold and not end.digest
            data = self._slice(body, end.offset) if held else b""
            self._needed = end.offset
            yield Span(start, body, end.offset, separator, data, end.digest, end.literal)
            start = first = end.offset
            body = following

    def _slice(self, start: int, end: int) -> bytes:
        with memoryview(self._buffer) as view:
            return bytes(view[start - self._offset : end - self._offset])

    def _load(self, position: int) -> None:
        """Reads on until bytes up to a position are there, or all; forgets what is no longer needed."""
        while self._limit < position and not self._ended:
            forgotten = self._needed - self._offset
            if forgotten > 0:
                del self._buffer[:forgotten]
                self._offset = self._needed
            try:
                block = self._stream.read(BLOCK)
            except FAULTS as error:
                self.fault = "bomb" if isinstance(error, BombError) else "unreadable"
                block = b""
            seam = len(self._buffer) - _AHEAD
            self._buffer += block.replace(b"\r", b"\n") if self._dialect.returns else block
            self._limit += len(block)
            self._ended = not block
            if not self._lengths and _LENGTH_HINT.search(self._buffer, max(seam, 0)):
                self._lengths = True

    def _end(self, body: int, hold: bool) -> tuple[_End, int | None]:
        """The end of the message that begins at `body`, and where the body of the next one begins."""
        stated = self._stated_end(body)
        if stated is not None:
            target, following = stated
            bare = _MARK.search(self._buffer, body - self._offset, target - 1 - self._offset)
            return _End(target, "", bare is not None), following
        digest = None
        hashed = body
        at = body - 1 if body > self._offset else body
        following = None
        while following is None:
            found = _MARK.search(self._buffer, at - self._offset)
            if found is not None:
                at = self._offset + found.start() + 1
                following = self._separated(at)
                continue
            if self._ended:
                at = self._limit
                break
            at = max(at, self._limit - _MARK_SIZE + 1)
            spare = max(hashed, self._limit - _AHEAD)
            if not hold:
                hashed = self._needed = spare
            elif spare - body > self._bound:
                digest = digest or hashlib.sha256()
                digest.update(self._slice(hashed, spare))
                hashed = self._needed = spare
            self._load(self._limit + 1)
        if not hold or (digest is None and at - body <= self._bound):
            return _End(at, "", False), following
        digest = digest or hashlib.sha256()
        digest.update(self._slice(hashed, at))
        return _End(at, digest.hexdigest(), False), following

    def _separated(self, start: int) -> int | None:
        """The offset after the separator line that begins at `start`, None where there is none."""
        if self._limit < start + _AHEAD:
            self._load(start + _AHEAD)
        buffer, at = self._buffer, start - self._offset
        if not buffer.startswith(b"From ", at):
            return None
        feed = buffer.find(b"\n", at, at + _LINE)
        if feed < 0 and len(buffer) - at > _LINE:
            return None
        after = feed + 1 if feed >= 0 else len(buffer)
        line, following = buffer[at:after], buffer[after : after + 200]
        if _PATCH.fullmatch(line) and not self._dialect.patches:
            return None
        usual = _USUAL.match(following) is not None
        if _TIME.search(line) and _YEAR.search(line):
            likely = _CERTAIN.fullmatch(line) or _HEADER.match(following)
            good = usual or (likely is not None and self._blank_before(at))
        else:
            good = usual and _BARE.fullmatch(line) is not None and self._blank_before(at)
        return self._offset + after if good else None

    def _blank_before(self, at: int) -> bool:
        """Says whether an empty line, or nothing at all, stands before this place in the buffer."""
        if at == 0 or (self._offset == 0 and at == len(_BOM) and self._buffer.startswith(_BOM)):
            return True
        far = max(0, at - 201)
        feed = self._buffer.rfind(b"\n", far, at - 1)
        return not self._buffer[feed + 1 if feed >= 0 else far : at - 1].strip()

    def _stated_end(self, body: int) -> tuple[int, int | None] | None:
        """Where the message's Content-Length leads, if that is a separator or the end of the file."""
        if self._limit < body + _HEADERS:
            self._load(body + _HEADERS)
        if not self._lengths:
            return None
        at = body - self._offset
        mark = _MARK.search(self._buffer, max(at - 1, 0), at + _HEADERS)
        headers = _END_OF_HEADERS.search(self._buffer, at, mark.start() + 1 if mark else at + _HEADERS)
        length = _LENGTH.search(self._buffer, max(at - 1, 0), headers.end()) if headers is not None else None
        if headers is None or length is None:
            return None
        target = self._offset + headers.end() + int(length[1])
        if target - body > self._bound:
            return None
        self._load(target + _AHEAD)
        for _ in range(3):
            if target >= self._limit:
                return (target, None) if target == self._limit else None
            place = target - self._offset
            if self._buffer[place - 1] == _FEED:
                following = self._separated(target)
                if following is not None:
                    return target, following
            if self._buffer[place] not in b"\r\n":
                return None
            target += 2 if self._buffer.startswith(b"\r\n", place) else 1
        return None


class BombError(ValueError):
    """A packed stream expands to more than its bound."""
