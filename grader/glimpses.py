"""What a text may say in any reading, at a glance: letters for looking up words, in no form to judge by.

Every reading of `grader.readings` is made of the same letters in an order that is told here without making
it: backwards is left to who looks up (words are looked up backwards too), codes are read run by run, each
once, and of codes that need a sign nothing is read where the sign is absent. So what is not found here stands
in no reading; what is found may be chance and is read in full. A text of which this cannot be told has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from contracts.names import fold, without_unseen
from grader.moved import has_separated
from grader.readings import LEET, SPOKEN_WORDS, has_marked_code, in_base64, reading_of, squeeze

SEAM = 16
"""Letters on each side of a seam that are looked at: every second of them makes a looked-up piece."""
_END = 64
"""Characters of a text's ends that are read together with its neighbours."""
_REMEMBERED = 128
"""Characters of the longest code that is remembered: words of most texts are among them."""
_CODED = 8
"""Characters of the shortest code in base64."""
_ALNUM = b"abcdefghijklmnopqrstuvwxyz0123456789"
_DROPPED = bytes(code for code in range(256) if code not in _ALNUM)
_SPACED = bytes(code if code in _ALNUM else 32 for code in range(256))
_BESIDE_WORDS = frozenset("013457@$!|_")
"""What is read as a letter or a part of a word."""
_LEETS = tuple(bytes.maketrans(*(bytes(side) for side in zip(*table.items(), strict=True))) for table in LEET)
_SPOKEN = frozenset(word.encode() for word in SPOKEN_WORDS)
_SPOKEN_BACK = frozenset(word[::-1] for word in _SPOKEN)
_SPOKEN_EITHER = _SPOKEN | _SPOKEN_BACK
_CUTS = tuple(re.compile(rb"\b(?:" + b"|".join(sorted(words)) + rb")\b") for words in (_SPOKEN, _SPOKEN_BACK))
_SPOKEN_LETTERS = re.compile(b"|".join(sorted(_SPOKEN_EITHER)))
_NO_CODE = re.compile(r"[^A-Za-z0-9+/_=-]+")
_HEX_MARKS = b" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85,:;.-\\xX?"
_AS_HEX = bytes(104 if chr(code) in "0123456789abcdefABCDEF" else 45 for code in range(256))
_AS_CAPS = bytes(67 if chr(code) in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" else 45 for code in range(256))
_SOME_HEX, _SOME_CAPS = b"h" * 12, b"C" * 16
_SIGNS = re.compile("[&%=]")


class _Coded(NamedTuple):
    """The letters that a run of base64 says."""

    plain: bytes = b""
    unspoken: bytes = b""
    """Without words for marks."""
    back: bytes = b""
    """Letters that, read from the end, are those of the text backwards: others where one stands for two."""
    back_unspoken: bytes = b""


class Glimpse(NamedTuple):
    """A text's letters, in pieces that can be put together with those of others."""

    low: bytes
    """Lower-case text in ASCII, words apart."""
    words: frozenset[bytes]
    """Its words, figures read as letters too."""
    streams: tuple[bytes, ...]
    """Letters in which a looked-up word stands, ahead or backwards, if a reading has it."""
    codes: bytes
    """Letters of all codes, under each other; their words are not told apart."""
    loose: tuple[str, ...]
    """Runs that may be base64: the first and the last, whatever they are, and those between that are."""
    tight: tuple[str, ...]
    """The same where white space parts no runs."""
    hexed: bytes
    caps: bytes
    has_signs: bool

    @property
    def ends(self) -> bytes:
        """What is read together with neighbours."""
        return _ends(self.low)


class _Letters(dict[int, str]):
    """Characters -> the letters and digits that they are folded to."""

    def __missing__(self, code: int) -> str:
        self[code] = found = squeeze(fold(chr(code)))
        return found


class _Backwards(dict[int, str]):
    """The same in reverse."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _LETTERS[code][::-1]
        return found


class _Plain(dict[int, str]):
    """Characters -> what does for them in ASCII; themselves where nothing does."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _plain_of(chr(code))
        return found


_LETTERS, _BACKWARDS = _Letters(), _Backwards()


def _plain_of(char: str) -> str:
    if char.isascii():
        return char
    folded = fold(char)
    in_words = char.isalnum()
    alike = len(folded) > 0 and all(one.isalnum() == in_words for one in folded)
    letters = squeeze(folded)
    if char.isspace():
        return " "
    if not alike or char.isdecimal() or letters != letters[::-1] or not _BESIDE_WORDS.isdisjoint(folded):
        return char
    if not in_words:
        return " "
    if letters and letters != folded:
        return char
    return letters or "_"


_PLAIN = _Plain()


@lru_cache(maxsize=256)
def glimpse(text: str) -> Glimpse | None:
    """Returns a text at a glance; None where only reading it tells what it says."""
    seen = without_unseen(text)
    if seen.isascii():
        raw, dense, low = seen, "".join(seen.split()), seen.lower().encode()
    else:
        try:
            low = seen.translate(_PLAIN).encode("ascii").lower()
        except UnicodeEncodeError:
            return None
        raw, dense = (one.encode("ascii", "replace").decode() for one in (seen, "".join(seen.split())))
    coded = raw.encode()
    hexed, caps = coded.translate(_AS_HEX, _HEX_MARKS), coded.translate(_AS_CAPS)
    has_signs = _SIGNS.search(raw) is not None
    if (has_signs or _SOME_HEX in hexed or _SOME_CAPS in caps) and has_marked_code(seen):
        return None
    plain = low.translate(None, _DROPPED)
    if has_separated(plain):
        return None
    loose, tight = _runs(raw), _runs(dense)
    words, streams = _streams(low)
    codes = dict.fromkeys((*_said(loose), *_said(tight)))
    return Glimpse(low, words, (*streams, *codes), b"\n".join(codes), loose, tight, hexed, caps, has_signs)


def joined(texts: Sequence[str], glimpses: Sequence[Glimpse]) -> tuple[bytes, ...] | None:
    """Returns letters in which a looked-up word stands if it stands across texts read as one.

    They may follow each other at once, or on lines of their own. None where only reading them tells.
    """
    signs = any(one.has_signs for one in glimpses)
    signs = signs or _SOME_HEX in _stitched(one.hexed for one in glimpses)
    signs = signs or _SOME_CAPS in _stitched(one.caps for one in glimpses)
    if signs and any(has_marked_code(without_unseen(seam.join(texts))) for seam in ("", "\n")):
        return None
    ends = [one.ends for one in glimpses]
    streams = dict.fromkeys(_streams(b"".join(ends))[1])
    streams |= dict.fromkeys(_streams(b" ".join(ends))[1])
    for runs in ([one.loose for one in glimpses], [one.tight for one in glimpses]):
        streams |= dict.fromkeys(_said([run for held in runs for run in held]))
        streams |= dict.fromkeys(_said(_merged(runs)))
    return tuple(streams)


def _streams(low: bytes) -> tuple[frozenset[bytes], list[bytes]]:
    """Returns the words of a text in ASCII and its letters, figures read as letters too."""
    lows = dict.fromkeys((low, *(low.translate(table) for table in _LEETS)))
    words: set[bytes] = set()
    found: list[bytes] = []
    for variant in lows:
        own = variant.translate(_SPACED).split()
        words.update(own)
        found.append(variant.translate(None, _DROPPED))
        if not _SPOKEN_EITHER.isdisjoint(own):
            # Without words for marks letters meet that do not meet elsewhere, at the cuts alone.
            pieces = (cut.split(variant) for cut in _CUTS)
            found += [_stitched(one.translate(None, _DROPPED) for one in held) for held in pieces if held[1:]]
    plain = found[0]
    return frozenset(words), [*found, plain[::2], plain[1::2]]


def _stitched(pieces: Iterable[bytes]) -> bytes:
    """Returns pieces after each other, without what is far from their seams."""
    return b"".join(
        piece if len(piece) <= 2 * SEAM else piece[:SEAM] + b"\n" + piece[-SEAM:] for piece in pieces
    )


def _ends(low: bytes) -> bytes:
    """Returns a text without its middle, where both ends have letters enough in every reading."""
    if len(low) <= 3 * _END:
        return low
    ends = low[:_END], low[-_END:]
    for end in ends:
        for variant in (end, *(end.translate(table) for table in _LEETS)):
            words = set(variant.translate(_SPACED).split()) - _SPOKEN_EITHER
            if sum(map(len, words)) < 2 * SEAM:
                return low
    return b"\n\n".join(ends)


def _runs(raw: str) -> tuple[str, ...]:
    first, *others = _NO_CODE.split(raw)
    if not others:
        return (first,)
    last = others.pop()
    return (first, *(run for run in others if len(run) >= _CODED), last)


def _merged(texts: Iterable[Sequence[str]]) -> list[str]:
    """Returns the runs of texts that follow each other at once."""
    found = [""]
    for runs in texts:
        found[-1] += runs[0]
        found += runs[1:]
    return found


def _said(runs: Iterable[str]) -> list[bytes]:
    """Returns the letters that runs say together."""
    said = [(_coded_again if len(run) <= _REMEMBERED else _coded)(run) for run in runs if len(run) >= _CODED]
    return [b"".join(letters) for letters in zip(*said, strict=True)]


def _coded(run: str) -> _Coded:
    plain = in_base64(run)
    if not plain:
        return _Coded()
    ahead = plain.translate(_LETTERS).encode()
    back = ahead if plain.isascii() else plain.translate(_BACKWARDS).encode()
    if not _SPOKEN_LETTERS.search(ahead):
        return _Coded(ahead, ahead, back, back)
    backwards = reading_of(plain[::-1])
    return _Coded(ahead, reading_of(plain).unspoken.encode(), back, backwards.unspoken.encode()[::-1])


_coded_again = lru_cache(maxsize=16_384)(_coded)
