"""Many words looked for at once in letters that were moved along the alphabet, mirrored or spread.

Moving all letters alike leaves the steps between neighbours as they are. So a text is cut into blocks of
steps once, and words are looked up among them, instead of moving the text in every way and searching it for
each word. What is found here may be chance and is looked at closely; what stands there is always found.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

BLOCK = 4
"""Steps that are compared: every word of `SHORTEST` letters holds a whole block, wherever blocks begin."""
SHORTEST = 2 * BLOCK
_PLACE = SHORTEST + BLOCK
"""Steps from one word to the next where many lie in a row."""
_LETTERS = re.compile(f"[a-z]{{{SHORTEST},}}")
_BIAS = 128
_STEPS = bytes((value - _BIAS) % 26 if abs(value - _BIAS) < 26 else value for value in range(256))
_BACK = bytes((_BIAS - value) % 26 if abs(value - _BIAS) < 26 else value for value in range(256))
_ALIKE = bytes((_BIAS,))
_OPPOSITE = bytes((2 * _BIAS - value) % 256 for value in range(256))
_OTHERS_BETWEEN = b"\0" * 6


class Steps(NamedTuple):
    """A text as steps from letter to letter."""

    steps: bytes
    blocks: Iterable[int]
    """Its blocks, as numbers of this machine."""


def steps_in(*texts: str) -> Steps:
    """Returns texts as steps between their letters."""
    steps = _raw_steps("\n".join(texts).encode("ascii")).translate(_STEPS)
    return Steps(steps, frozenset(_blocks(steps)))


def steps_once(streams: Iterable[bytes]) -> Steps:
    """Returns ASCII letters as steps that are looked up once."""
    steps = _raw_steps(b"\n".join(streams)).translate(_STEPS)
    return Steps(steps, _blocks(steps))


def has_separated(squeezed: bytes) -> bool:
    """Says whether one character may stand between seven others, whatever stands twice in a row."""
    steps = _raw_steps(squeezed).translate(None, _ALIKE)
    there_and_back = ((steps[at::2], steps[at + 1 :: 2].translate(_OPPOSITE)) for at in (0, 1))
    return any(_OTHERS_BETWEEN in _differences(*pair) for pair in there_and_back)


def _differences(one: bytes, other: bytes) -> bytes:
    """Returns zero for each place where both are alike."""
    size = min(len(one), len(other))
    return (int.from_bytes(one[:size], "big") ^ int.from_bytes(other[:size], "big")).to_bytes(size, "big")


def _blocks(steps: bytes) -> memoryview:
    return memoryview(steps[: len(steps) // BLOCK * BLOCK]).cast("I")


class MovedWords:
    """Words by the blocks of which a text with one of them holds some."""

    def __init__(self, words: Sequence[str]) -> None:
        cores = [_core(word) for word in words]
        self._always = [at for at, core in enumerate(cores) if not core]
        size = len(cores) * _PLACE
        ahead, back = (
            _raw_steps("".join(core[::way].ljust(_PLACE, "\n") for core in cores).encode("ascii"))
            for way in (1, -1)
        )
        # A word backwards is no moved one, but may stand in a text that is read backwards.
        self._lines = tuple(
            raw.translate(way).ljust(size, b"\0")
            for raw, way in ((ahead, _STEPS), (ahead, _BACK), (back, _STEPS))
        )
        self._known = frozenset(block for _, blocks in self._rows() for block in blocks)

    def possible(self, text: Steps) -> list[int]:
        """Returns the places of the words that a text may hold, in order."""
        common = self._known.intersection(text.blocks)
        if not common:
            return self._always
        likely = {place for block in common for place in self._places(block)}
        found = (
            at
            for line, at in likely
            if self._lines[line][at * _PLACE : at * _PLACE + SHORTEST - 1] in text.steps
        )
        return sorted({*self._always, *found})

    def _places(self, block: int) -> Iterator[tuple[int, int]]:
        """Yields the lines and words that have a block of steps."""
        wanted = block.to_bytes(BLOCK, sys.byteorder)
        for number, line in enumerate(self._lines):
            found = line.find(wanted)
            while found >= 0:
                at, begins = divmod(found, _PLACE)
                if begins < BLOCK:
                    yield number, at
                found = line.find(wanted, found + 1)

    def _rows(self) -> Iterator[tuple[int, memoryview]]:
        """Yields the number of a line and one block of each of its words, for all beginnings of blocks."""
        for number, line in enumerate(self._lines):
            for at in range(BLOCK):
                row = line[at:].ljust(len(line), b"\0")
                yield number, memoryview(row).cast("I")[:: _PLACE // BLOCK]


@lru_cache(maxsize=64)
def moved_words(words: tuple[str, ...]) -> MovedWords:
    """Returns words made ready; those of one world are made ready once."""
    return MovedWords(words)


@lru_cache(maxsize=4096)
def _core(word: str) -> str:
    """Returns the middle letters of a word, empty where it has too few: figures are never moved."""
    match = _LETTERS.search(word)
    if match is None:
        return ""
    # The beginning of a name or a sentence is more often that of others too.
    middle = (match.start() + match.end() - SHORTEST) // 2
    return word[middle : middle + SHORTEST]


def _raw_steps(codes: bytes) -> bytes:
    """Returns the step from each ASCII character to the next, all at once, as one byte each."""
    size = len(codes) - 1
    if size < 1:
        return b""
    # Byte by byte, as no sum of a byte, the bias and a negated ASCII byte leaves its own byte.
    ahead, behind = int.from_bytes(codes[1:], "big"), int.from_bytes(codes[:-1], "big")
    return (ahead + int.from_bytes(bytes((_BIAS,)) * size, "big") - behind).to_bytes(size, "big")
