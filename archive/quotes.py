"""Own words, quoted words and signature of a mail body.

Every line with content goes to exactly one of the three parts, in order, so that nothing is lost. Quoted is
what stands behind quote marks, and what follows the line or block by which mail programs introduce an earlier
message (`archive.quote_marks`). Answers between quoted lines are own words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from archive.quote_marks import (
    ATTRIBUTION_END,
    ATTRIBUTION_FIRST,
    ATTRIBUTION_HEAD,
    BEGIN,
    DASHES,
    DATE_ADDRESS,
    EVIDENCE,
    HEADER,
    MAX_LINE,
    ORIGINAL,
    STAMP,
    WROTE,
)
from archive.signatures import signature_start

_INITIALS = re.compile(r"[A-Z]{1,3}> ")
_RULER = re.compile(r"\s*[-_=*]{8,}\s*$")
_TO = re.compile(r"[\s>]{0,16}(?:to|an|à|aan|a|do|til|till)\s?:", re.IGNORECASE)
_STAMP_END = re.compile(r"\d[:.]\d\d(?: ?[AP]M)?\s*$|\d [A-Z]{2,4}\s*$", re.IGNORECASE)
_NOTES_NAME = re.compile(r"\s*[^\W\d_][\w.'-]*(?:\s[^\W\d_][\w.'-]*){1,3}(?:[@/][\w@/ ]{1,60})?\s*$")
_BELOW_STAMP = re.compile(r"\s*(?:please respond to|sent by|extern|to\b)", re.IGNORECASE)
_ATTRIBUTION_LINES = 4
_HEADER_LINES = 14
_CACHED_LENGTH = 20_000
"""Characters; longer texts are seldom seen twice and would fill memory."""


class BodyParts(NamedTuple):
    """The three parts of a body, each without empty lines at its ends."""

    own: str
    quoted: str
    signature: str


def split_body(text: str) -> BodyParts:
    """Returns the parts of a body; equal short texts are split once. Time grows with the length alone."""
    return _known(text) if len(text) <= _CACHED_LENGTH else _split_body(text)


def _split_body(text: str) -> BodyParts:
    lines = text.split("\n")
    own, quoted = _split_quotes(lines)
    start = signature_start(own)
    return BodyParts(_joined(own[:start]), _joined(quoted), _joined(own[start:]))


_known = lru_cache(maxsize=2048)(_split_body)


class _Split(NamedTuple):
    own: list[str]
    quoted: list[str]


class _Lines:
    """The lines of a body, cut to the length that patterns see, and which of them are marked as quoted."""

    def __init__(self, lines: list[str]) -> None:
        self.seen = [line if len(line) <= MAX_LINE else line[:MAX_LINE] for line in lines]
        self.marked = [_is_marked(line) for line in lines]
        self._kinds: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.seen)

    def header_kind(self, index: int) -> str:
        """Which header a line is: from, date, to, cc, subject, reply, other; empty for none."""
        kind = self._kinds.get(index)
        if kind is None:
            line = self.seen[index]
            found = HEADER.match(line) if ":" in line[:80] or "：" in line[:80] else None
            kind = self._kinds[index] = (found.lastgroup or "") if found is not None else ""
        return kind

    def next_content(self, index: int) -> int | None:
        """The first line with content from an index on, within a few lines."""
        for at in range(index, min(index + 4, len(self.seen))):
            if self.seen[at].strip():
                return at
        return None


def _is_marked(line: str) -> bool:
    start = line.lstrip(" \t\u00a0")[:5]
    if start.startswith(">"):
        return True
    if start.startswith("| "):
        return not line.rstrip().endswith("|")
    return start[:1].isupper() and _INITIALS.match(start) is not None


def _split_quotes(written: list[str]) -> _Split:
    lines = _Lines(written)
    own: list[str] = []
    quoted: list[str] = []
    at = 0
    while at < len(written):
        if lines.marked[at] or _is_wrapped(lines, at):
            quoted.append(written[at])
            at += 1
            continue
        end = _introduction_end(lines, at)
        if end is None:
            own.append(written[at])
            at += 1
            continue
        following = lines.next_content(end)
        if following is not None and lines.marked[following]:
            quoted += written[at:following]
            at = following
        else:
            _take_rulers(own, quoted)
            quoted += written[at:]
            break
    return _Split(own, quoted)


def _take_rulers(own: list[str], quoted: list[str]) -> None:
    """Moves a line of dashes that stands right above an introduction to the quoted part."""
    last = len(own)
    while last and not own[last - 1].strip() and len(own) - last < 2:
        last -= 1
    if last and len(own[last - 1]) <= MAX_LINE and _RULER.match(own[last - 1]):
        quoted += own[last - 1 :]
        del own[last - 1 :]


def _is_wrapped(lines: _Lines, index: int) -> bool:
    """Says whether an unmarked line is the spilled-over end of the quoted line before it."""
    if not 0 < index < len(lines) - 1 or not (lines.marked[index - 1] and lines.marked[index + 1]):
        return False
    return 0 < len(lines.seen[index].split()) <= 3 and len(lines.seen[index - 1]) >= 60


def _introduction_end(lines: _Lines, index: int) -> int | None:
    """Where the introduction of a quote ends that begins at a line, or None where none does."""
    line = lines.seen[index]
    if not line.strip():
        return None
    if _is_divider(line):
        return index + 1
    return _attribution_end(lines, index) or _header_block_end(lines, index) or _lotus_end(lines, index)


def _is_divider(line: str) -> bool:
    """Says whether a line only stands between a message and the one that it answers or forwards."""
    text = line.strip()
    words = text.lstrip(DASHES)
    if not words:
        return False
    if len(words) + 2 <= len(text):
        return ORIGINAL.match(words.lstrip()) is not None
    return len(text) < 120 and BEGIN.match(text) is not None


def _attribution_end(lines: _Lines, index: int) -> int | None:
    """The line behind an attribution, which may be wrapped over a few lines."""
    text = lines.seen[index].strip()
    if text.endswith((":", "：", "wrote", "skrev", "schrieb")) and _is_attribution(lines, text, index + 1):
        return index + 1
    if not ATTRIBUTION_HEAD.match(text) or not EVIDENCE.search(text):
        return None
    for end in range(index + 1, min(index + _ATTRIBUTION_LINES, len(lines))):
        more = lines.seen[end].strip()
        if not more or lines.marked[end] or len(text) > MAX_LINE:
            return None
        text = text[:-1] + more if text.endswith("=") else f"{text} {more}"
        if ATTRIBUTION_END.search(more) and _is_attribution(lines, text, end + 1):
            return end + 1
    return None


def _is_attribution(lines: _Lines, text: str, end: int) -> bool:
    """Says whether a text introduces a quote: who wrote and when, or just who where quoted lines follow."""
    if not ATTRIBUTION_END.search(text):
        return False
    if DATE_ADDRESS.match(text):
        return True
    verb = WROTE.search(text)
    if verb is None:
        return False
    following = lines.next_content(end)
    if following is not None and lines.marked[following] and len(text) <= MAX_LINE:
        return True
    if not EVIDENCE.search(text) or not text.endswith((":", "：", ":-")) or len(text) > MAX_LINE:
        return False
    if verb.group().lower() in ("said", "says"):
        return False
    return ATTRIBUTION_FIRST.match(text) is not None or "@" in text


def _header_block_end(lines: _Lines, index: int) -> int | None:
    """The line behind a block of headers; long address lists and empty lines may lie between them."""
    first = lines.header_kind(index)
    if first == "to":
        return _addressed_end(lines, index)
    if first not in ("from", "subject", "date", "reply"):
        return None
    kinds = {first}
    end = index + 1
    most = index + (_HEADER_LINES if first == "from" else 8)
    unknown = 0
    for at in range(index + 1, min(most, len(lines))):
        kind = lines.header_kind(at)
        if kind:
            kinds.add(kind)
            end = at + 1
            unknown = 0
        else:
            unknown += 1
            if unknown > (8 if first == "from" and not kinds & {"subject"} else 1):
                break
    named = len(kinds - {"other"})
    return end if named >= 3 and "from" in kinds and kinds & {"date", "subject"} else None


def _addressed_end(lines: _Lines, index: int) -> int | None:
    """The line behind "To:", "cc:" and "Subject:", which Lotus Notes leaves where it drops the sender."""
    if index and lines.seen[index - 1].strip():
        return None
    kinds = [lines.header_kind(at) for at in range(index, min(index + _HEADER_LINES, len(lines)))]
    copied = kinds.index("cc") if "cc" in kinds else 0
    return index + kinds.index("subject") + 1 if copied and "subject" in kinds[copied:] else None


def _lotus_end(lines: _Lines, index: int) -> int | None:
    """Name, perhaps "Sent by", date and time, then "To:": how Lotus Notes introduces a quote."""
    for stamp in range(index, min(index + 4, len(lines))):
        line = lines.seen[stamp]
        found = STAMP.search(line) if _STAMP_END.search(line[-12:]) else None
        if found is not None:
            return _below_stamp(lines, stamp + 1)
        # An empty line is only passed between a bare name and its date.
        passed = not line.strip() and stamp == index + 1 and _NOTES_NAME.match(lines.seen[index])
        if len(line) > 120 or not (line.strip() or passed):
            return None
    return None


def _below_stamp(lines: _Lines, index: int) -> int | None:
    for at in range(index, min(index + 6, len(lines))):
        line = lines.seen[at]
        if _TO.match(line):
            return at + 1
        if line.strip() and not _BELOW_STAMP.match(line):
            return None
    return None


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n").rstrip()
