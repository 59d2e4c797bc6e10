"""Keyed permutations: of a range (Feistel with cycle walking) and of strings over an alphabet (FF1).

Belongs here: bijections that know nothing of what they permute. FF1 (NIST SP 800-38G) needs a domain of
at least 10^6; below that, and for ranges, a ten-round Feistel network over BLAKE2 is used. What stands for a
value in a small domain is never the value itself: there such chances would be met in every archive.
"""

from __future__ import annotations

import hashlib
import math

import fastfpe.ff1

ROUNDS = 10
FF1_DOMAIN = 1_000_000
"""Smallest domain that SP 800-38G revision 1 allows for FF1."""
LARGEST_DERANGED = 1_000_000
"""Values of a domain up to which none may stand for itself: beyond, that costs more than it tells."""


class Permutation:
    """A bijection of range(size) that differs for every key and tweak."""

    def __init__(self, key: bytes, size: int, tweak: bytes = b"") -> None:
        """Raises ValueError for an empty range."""
        if size < 1:
            raise ValueError(f"a permutation needs at least one element, not {size}")
        self.size = size
        own_key = hashlib.blake2b(tweak, key=key, digest_size=32).digest()
        self._keyed = hashlib.blake2b(key=own_key, digest_size=16)
        self._left = math.isqrt(size - 1) + 1
        self._right = -(-size // self._left)

    def __call__(self, index: int) -> int:
        """Returns the image of an index; cycle walking keeps it inside the range."""
        if not 0 <= index < self.size:
            raise ValueError(f"{index} is outside range({self.size})")
        while True:
            index = self._forward(index)
            if index < self.size:
                return index

    def inverse(self, image: int) -> int:
        """Returns the index whose image this is."""
        while True:
            image = self._backward(image)
            if image < self.size:
                return image

    def _forward(self, value: int) -> int:
        left, right = divmod(value, self._right)
        for number in range(ROUNDS):
            if number % 2:
                right = (right + self._round(number, left)) % self._right
            else:
                left = (left + self._round(number, right)) % self._left
        return left * self._right + right

    def _backward(self, value: int) -> int:
        left, right = divmod(value, self._right)
        for number in reversed(range(ROUNDS)):
            if number % 2:
                right = (right - self._round(number, left)) % self._right
            else:
                left = (left - self._round(number, right)) % self._left
        return left * self._right + right

    def _round(self, number: int, half: int) -> int:
        hashed = self._keyed.copy()
        hashed.update(number.to_bytes(1, "big") + half.to_bytes(16, "big"))
        return int.from_bytes(hashed.digest(), "big")


class Derangement:
    """A keyed bijection of range(size) without fixed points, unless the range is of one or too large.

    It is one cycle through the whole range: also who walks on until a part of it is met again, as for a
    number without leading zero or with a right check digit, never ends where the walk began, unless that
    part has one element.
    """

    def __init__(self, key: bytes, size: int, tweak: bytes = b"") -> None:
        """Raises ValueError for an empty range."""
        self.size = size
        self._permute = Permutation(key, size, tweak)
        self._is_small = size <= LARGEST_DERANGED

    def __call__(self, index: int) -> int:
        """Returns the image of an index: of a small range its successor in an order that the key knows."""
        image = self._permute(index)
        return self._permute.inverse((image + 1) % self.size) if self._is_small else image


class TextPermutation:
    """A bijection of the strings of one length over one alphabet."""

    def __init__(self, key: bytes, alphabet: str, length: int) -> None:
        """The length takes part in the key, so that strings of two lengths are permuted independently."""
        self._alphabet = alphabet
        self._length = length
        tweak = f"{alphabet}|{length}".encode()
        self._tweak = hashlib.sha256(tweak).hexdigest()[:16]
        self._hex_key = key.hex()
        size = len(alphabet) ** length
        self._small = Derangement(key, size, tweak) if size < FF1_DOMAIN else None
        self._place = {char: index for index, char in enumerate(alphabet)}

    def __call__(self, text: str) -> str:
        """Returns the image of a string of this length over this alphabet."""
        if self._small is None:
            return str(fastfpe.ff1.encrypt(self._hex_key, self._tweak, self._alphabet, text))
        number = 0
        for char in text:
            number = number * len(self._alphabet) + self._place[char]
        image = self._small(number)
        chars = []
        for _ in range(self._length):
            image, digit = divmod(image, len(self._alphabet))
            chars.append(self._alphabet[digit])
        return "".join(reversed(chars))
