"""Identifiers: what stands in place of an order number, a record id, a message id, an IBAN or a card.

Every map depends on the written value alone, never on the column, so that a number in a mail and the
number in the ledger agree. Letters in front are kept, significant digits are permuted among numbers of
the same length, leading zeros stay, and a year inside moves with the date offset.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from functools import lru_cache

from anonymize.permutation import TextPermutation

DIGITS = "0123456789"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
SALESFORCE_SUFFIX = UPPER + "012345"

_SEGMENT = re.compile(r"[^\W_]+|[\W_]+")
_PLAIN = re.compile(r"([A-Za-z]*)(\d*)")
_YEAR = re.compile(r"(?:19[89]|20[0-4])\d")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_OWN_ID = re.compile(r"([a-z]{1,4}-)[0-9a-f]+")
_FLOAT = re.compile(r"(\d+)\.0+")
_KEPT_LETTERS = 3
"""A segment of up to so many letters behind the first one is a code and stays."""
_KEPT_DIGITS = 2
"""A segment of up to so many digits stays where another one has more."""


class IdentifierMap:
    """The keyed, stateless map of identifiers of one dataset."""

    def __init__(self, key: bytes, years: int, names: frozenset[str] = frozenset()) -> None:
        """`years` is the number of whole years by which a year inside an identifier moves.

        `names` are folded words that name somebody: they are no prefix that may stay.
        """
        self._key = key
        self._years = years
        self._names = names
        self._texts: dict[tuple[str, int], TextPermutation] = {}
        self.identifier: Callable[[str], str] = lru_cache(maxsize=None)(self._identifier)

    def number(self, digits: str) -> str:
        """Returns another number with as many leading zeros and as many significant digits."""
        significant = digits.lstrip("0")
        if not significant:
            return digits
        permute = self._text(DIGITS, len(significant))
        image = permute(significant)
        while image[0] == "0":  # walking inside the numbers without leading zero stays injective
            image = permute(image)
        return "0" * (len(digits) - len(significant)) + image

    def _identifier(self, value: str) -> str:
        plain = plain_identifier(value)
        if plain != value:
            return self._identifier(plain) + value[len(plain) :]
        if _UUID.fullmatch(value):
            return self._hex_like(value)
        segments = _SEGMENT.findall(value)
        numbers = [place for place, segment in enumerate(segments) if any(c.isdigit() for c in segment)]
        if not numbers:
            return self._worded(value, segments)
        years = [place for place in numbers if _YEAR.fullmatch(segments[place])]
        movable_year = bool(years) and len(numbers) > len(years)
        telling = [place for place in numbers if place not in years or not movable_year]
        long = [place for place in telling if sum(c.isdigit() for c in segments[place]) > _KEPT_DIGITS]
        changed = long or telling[-1:]
        result = []
        for place, segment in enumerate(segments):
            if not segment[0].isalnum():
                result.append(segment)
            elif movable_year and place in years:
                result.append(str(int(segment) + self._years))
            elif not segment.isascii():
                result.append("x" + self.digest("word|" + segment, 6))
            else:
                result.append(self._segment(segment, first=place == 0, number=place in changed))
        return "".join(result)

    def _worded(self, value: str, segments: list[str]) -> str:
        """Returns an id without digits, which may be anybody's name: no letter of it stays."""
        if not value.isascii():
            return "x-" + self.digest("word|" + value, 12)
        return "".join(self._letters(segment) if segment[0].isalnum() else segment for segment in segments)

    def _segment(self, segment: str, *, first: bool, number: bool) -> str:
        plain = _PLAIN.fullmatch(segment)
        if plain is None:
            return self._mixed(segment)
        letters, digits = plain.groups()
        if not digits:
            code = len(letters) <= _KEPT_LETTERS or first
            return segment if code and letters.lower() not in self._names else self._letters(segment)
        if letters.lower() in self._names:
            letters = self._letters(letters)
        return letters + (self.number(digits) if number else digits)

    def _mixed(self, segment: str) -> str:
        if len(segment) in (15, 18) and segment[:3].isalnum():
            body = segment[:3] + self._text(DIGITS + UPPER + LOWER, 12)(segment[3:15])
            if len(segment) == 15:
                return body
            if segment[15:] == salesforce_suffix(segment[:15]):
                return body + salesforce_suffix(body)
            return body + self._text(DIGITS + UPPER + LOWER, 3)(segment[15:])
        if segment.upper() == segment:
            alphabet = DIGITS + UPPER
        elif segment.lower() == segment:
            alphabet = DIGITS + LOWER
        else:
            alphabet = DIGITS + UPPER + LOWER
        return self._text(alphabet, len(segment))(segment)

    def _letters(self, segment: str) -> str:
        for alphabet in (UPPER, LOWER, UPPER + LOWER):
            if set(segment) <= set(alphabet):
                return self._text(alphabet, len(segment))(segment)
        return segment

    def _hex_like(self, value: str) -> str:
        digest = iter(self.digest("uuid|" + value.lower(), 64))
        text = "".join(next(digest) if char != "-" else "-" for char in value)
        return text if value.lower() == value else text.upper()

    def _text(self, alphabet: str, length: int) -> TextPermutation:
        known = self._texts.get((alphabet, length))
        if known is None:
            known = self._texts[(alphabet, length)] = TextPermutation(self._key, alphabet, length)
        return known

    def digest(self, value: str, size: int = 16) -> str:
        """Returns the first hex digits of the HMAC of a value (at most 64)."""
        return hmac.new(self._key, value.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:size]

    def provenance(self, value: str) -> str:
        """Returns the clean form of one of our own row ids ("m-0123..."): prefix kept, rest an HMAC."""
        match = _OWN_ID.fullmatch(value)
        return (match[1] if match else "x-") + self.digest(value)

    def header_id(self, value: str, domain: Callable[[str], str]) -> str:
        """Returns a message or calendar id with an HMAC as local part and the surrogate of its domain."""
        bare = value.strip().strip("<>")
        open_, close = ("<", ">") if value.strip().startswith("<") else ("", "")
        local, at, host = bare.rpartition("@")
        if not at:
            return f"{open_}{self.digest('id|' + bare, 24)}{close}"
        return f"{open_}{self.digest('id|' + local, 24)}@{domain(host.lower())}{close}"

    def postcode(self, value: str) -> str:
        """Returns a postcode of the same shape: digits and letters permuted run by run."""
        return re.sub(r"\d+|[A-Za-z]+", lambda run: self._run(run.group()), value)

    def _run(self, run: str) -> str:
        if run.isdigit():
            return self._text(DIGITS, len(run))(run)
        alphabet = UPPER if run.isupper() else LOWER if run.islower() else UPPER + LOWER
        return self._text(alphabet, len(run))(run)

    def iban(self, value: str) -> str:
        """Returns an IBAN of the same country and layout, its check digits as right or wrong as before."""
        bare = re.sub(r"\s", "", value)
        country, check, account = bare[:2].upper(), int(bare[2:4]), bare[4:]
        image = "".join(self._run(run) for run in re.findall(r"\d+|[A-Za-z]+", account))
        error = (check - iban_check(country, account)) % 97
        new_check = (iban_check(country, image) - 2 + error) % 97 + 2
        return laid_out(value, f"{bare[:2]}{new_check:02d}{image}")

    def card(self, value: str) -> str:
        """Returns a card number of the same brand digit and layout, its Luhn digit as right as before."""
        bare = re.sub(r"\D", "", value)
        image = bare[0] + self._text(DIGITS, len(bare) - 2)(bare[1:-1])
        error = (int(bare[-1]) - luhn_digit(bare[:-1])) % 10
        return laid_out(value, image + str((luhn_digit(image) + error) % 10))


def plain_identifier(value: str) -> str:
    """Returns an id without the ".0" that spreadsheets leave behind whole numbers."""
    match = _FLOAT.fullmatch(value)
    return value if match is None else match[1]


def salesforce_suffix(body: str) -> str:
    """Returns the three letters that make a 15-character Salesforce id safe for case-blind systems."""
    return "".join(
        SALESFORCE_SUFFIX[
            sum(1 << place for place, char in enumerate(body[start : start + 5]) if char in UPPER)
        ]
        for start in (0, 5, 10)
    )


def luhn_digit(digits: str) -> int:
    """Returns the Luhn check digit of a number without it."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return -total % 10


def iban_check(country: str, account: str) -> int:
    """Returns the ISO 13616 check digits of an account as a number in 2..98."""
    text = "".join(str(int(char, 36)) for char in account + country + "00")
    return 98 - int(text) % 97


def laid_out(layout: str, chars: str) -> str:
    """Returns the letters and digits of an image in the groups of a layout with as many of them."""
    rest = iter(char for char in chars if char.isalnum())
    return "".join(next(rest) if char.isalnum() else char for char in layout)
