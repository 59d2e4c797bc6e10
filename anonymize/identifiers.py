"""Identifiers: what stands in place of an order number, a record id, a message id, an IBAN or a card.

Every map depends on the written value alone, never on the column, so that a number in a mail and the
number in the ledger agree. Letters in front are kept, significant digits are permuted among numbers of
the same length, leading zeros stay, and a year inside moves with the date offset. Where few values are
possible, none stands for itself.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Callable
from functools import lru_cache

from anonymize.check_digits import iban_check as iban_check
from anonymize.check_digits import is_iban_shaped, mod97, official_number
from anonymize.check_digits import luhn_digit as luhn_digit
from anonymize.permutation import Derangement, TextPermutation

DIGITS = "0123456789"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
SALESFORCE_SUFFIX = UPPER + "012345"

COMMON_PREFIXES = frozenset(
    (
        "AB AN AR AU BE BG BUG CHE CHG CN CO CR CU CV CY CZ DC DE DK DN DOC DR DW DWG EE EL EN ENG ES EU "
        "EUR FI FIN FR FY GB GBP GMT GR HR HU ID IE IN INC INV ISO IT KW LF LI LS LT LU LV MAT MT NL NO "
        "OC OP OPS ORD PL PO PR PRB PT QA QT QU RE REQ RFC RFQ RG RMA RO RS SE SHA SI SK SN SO SR SUP "
        "TASK TKT US USD UTC UTF VAT WO XI"
    ).split()
)
"""Prefixes that ids have everywhere: documents, countries, currencies, norms. No surrogate is one."""

_SEGMENT = re.compile(r"[^\W_]+|[\W_]+")
_PLAIN = re.compile(r"([A-Za-z]*)(\d*)")
_YEAR = re.compile(r"(?:19[89]|20[0-4])\d")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_OWN_ID = re.compile(r"([a-z]{1,4}-)[0-9a-f]+")
_FLOAT = re.compile(r"(\d+)\.0+")
_GROUPING = re.compile(r"[\s.-]")
_PRIVATE = tuple(ipaddress.IPv4Network(net) for net in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
_MOST_STEPS = 5_000
"""Steps of a walk to a number as right as before; the rarest check lets one in 97 pass."""
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
        self._numbers: dict[int, TextPermutation] = {}
        """Of digits, by their count."""
        self._ranges: dict[tuple[int, str], Derangement] = {}
        self.identifier: Callable[[str], str] = lru_cache(maxsize=None)(self._identifier)

    def number(self, digits: str) -> str:
        """Returns another number with as many leading zeros and as many significant digits."""
        significant = digits.lstrip("0")
        if not significant:
            return digits
        size = len(significant)
        permute = self._numbers.get(size)
        if permute is None:
            permute = self._numbers[size] = self._text(DIGITS, size)
        image = permute(significant)
        while image[0] == "0":  # walking inside the numbers without leading zero stays injective
            image = permute(image)
        return image if size == len(digits) else "0" * (len(digits) - size) + image

    def counted(self, digits: str, place: str) -> str:
        """Returns as many other digits, by a permutation of the place's own."""
        image = self._range(10 ** len(digits), f"count|{place}")(int(digits))
        return f"{image:0{len(digits)}d}"

    def _identifier(self, value: str) -> str:
        if value.isascii() and value.isdigit():
            return self.number(value)
        plain = plain_identifier(value)
        if plain != value:
            return self._identifier(plain) + value[len(plain) :]
        if _UUID.fullmatch(value):
            return self._hex_like(value)
        closed = _GROUPING.sub("", value)
        if official_number(closed) is not None:
            return laid_out(value, self._official(closed))
        if is_iban_shaped(closed):
            return self.iban(value)
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

    def _official(self, value: str) -> str:
        """Returns a number of the same kind whose check digits are as right or wrong as before.

        Walking on until that is so stays injective: right numbers become right ones, wrong ones wrong ones.
        """
        old = new = official_number(value)
        image = value
        for _ in range(_MOST_STEPS):
            if old is None or new is None:
                break
            image = image[: old.start] + self._text(DIGITS, old.end - old.start)(
                image[old.start : old.end]
            ) + image[old.end :]  # fmt: skip
            new = official_number(image)
            if new is not None and new.right == old.right:
                break
        return image

    def _worded(self, value: str, segments: list[str]) -> str:
        """Returns an id without digits, which may be anybody's name: no letter of it stays."""
        if not value.isascii():
            return "x-" + self.digest("word|" + value, 12)
        return "".join(
            self.prefix(segment)
            if segment.lower() in self._names
            else self._letters(segment)
            if segment[0].isalnum()
            else segment
            for segment in segments
        )

    def _segment(self, segment: str, *, first: bool, number: bool) -> str:
        plain = _PLAIN.fullmatch(segment)
        if plain is None:
            return self._mixed(segment)
        letters, digits = plain.groups()
        if not digits:
            if letters.lower() in self._names:
                return self.prefix(letters)
            return segment if len(letters) <= _KEPT_LETTERS or first else self._letters(segment)
        if letters.lower() in self._names:
            letters = self.prefix(letters)
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

    def prefix(self, letters: str) -> str:
        """Returns other letters for those that name somebody, the same in every letter case and id."""
        permute = self._text(UPPER, len(letters))
        image = permute(letters.upper())
        while image in COMMON_PREFIXES:  # walking inside all others stays injective
            image = permute(image)
        pairs = zip(letters, image, strict=True)
        return "".join(new if old.isupper() else new.lower() for old, new in pairs)

    def _hex_like(self, value: str) -> str:
        digest = iter(self.digest("uuid|" + value.lower(), 64))
        text = "".join(next(digest) if char != "-" else "-" for char in value)
        return text if value.lower() == value else text.upper()

    def _text(self, alphabet: str, length: int) -> TextPermutation:
        known = self._texts.get((alphabet, length))
        if known is None:
            known = self._texts[(alphabet, length)] = TextPermutation(self._key, alphabet, length)
        return known

    def _range(self, size: int, use: str) -> Derangement:
        known = self._ranges.get((size, use))
        if known is None:
            known = self._ranges[size, use] = Derangement(self._key, size, use.encode())
        return known

    def digest(self, value: str, size: int = 16) -> str:
        """Returns the first hex digits of the HMAC of a value (at most 64)."""
        return hmac.digest(self._key, value.encode("utf-8", "surrogatepass"), "sha256").hex()[:size]

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

    def ipv4(self, written: str) -> str:
        """Returns another IPv4 address; private ones stay in their private network."""
        address = ipaddress.IPv4Address(written)
        network = next((net for net in _PRIVATE if address in net), None)
        base, size = (int(network[0]), network.num_addresses) if network is not None else (0, 2**32)
        permute = self._range(size, "ipv4")
        place = permute(int(address) - base)
        while network is None and not ipaddress.IPv4Address(place).is_global:
            place = permute(place)
        return str(ipaddress.IPv4Address(base + place))

    def hexadecimal(self, written: str, kept: int) -> str:
        """Returns hexadecimal digits permuted in their layout, but for so many at the start."""
        digits = "".join(char for char in written.lower() if char.isalnum())
        image = digits[:kept] + self._text(DIGITS + LOWER[:6], len(digits) - kept)(digits[kept:])
        new = laid_out(written, image)
        return new.upper() if written.upper() == written else new

    def shaped(self, value: str) -> str:
        """Returns a value of the same shape: digits and letters, permuted as one."""
        return self.postcode(value)

    def postcode(self, value: str) -> str:
        """Returns a postcode of the same shape: its digits and letters, permuted as one number.

        One permutation for all values of a shape: who knows some of them knows no letter of another one. Its
        domain has mixed radixes, which FF1 has not, so it is a range however large.
        """
        places = [at for at, char in enumerate(value) if char.isascii() and char.isalnum()]
        alphabets = [next(one for one in (DIGITS, UPPER, LOWER) if value[at] in one) for at in places]
        size, number = 1, 0
        for at, alphabet in zip(places, alphabets, strict=True):
            size *= len(alphabet)
            number = number * len(alphabet) + alphabet.index(value[at])
        shape = "shape|" + "|".join(alphabet[0] for alphabet in alphabets)
        image = self._range(size, shape)(number)
        chars = list(value)
        for at, alphabet in zip(reversed(places), reversed(alphabets), strict=True):
            image, digit = divmod(image, len(alphabet))
            chars[at] = alphabet[digit]
        return "".join(chars)

    def _run(self, run: str) -> str:
        if run.isdigit():
            return self._text(DIGITS, len(run))(run)
        alphabet = UPPER if run.isupper() else LOWER if run.islower() else UPPER + LOWER
        return self._text(alphabet, len(run))(run)

    def iban(self, value: str) -> str:
        """Returns an IBAN of the same country and layout, its check digits as right or wrong as before."""
        bare = re.sub(r"[\s.-]", "", value).upper()
        country, check, account = bare[:2], int(bare[2:4]), bare[4:]
        image = "".join(self._run(run) for run in re.findall(r"\d+|[A-Z]+", account))
        error = (check - iban_check(country, account)) % 97
        new_check = (iban_check(country, image) - 2 + error) % 97 + 2
        new = laid_out(value, f"{country}{new_check:02d}{image}")
        return new.lower() if value == value.lower() else new

    def lei(self, value: str) -> str:
        """Returns a legal entity identifier, its check digits as right or wrong as before."""
        body, check = value[:-2].upper(), int(value[-2:])
        image = self._text(DIGITS + UPPER, len(body))(body)
        error = (check - (98 - mod97(body + "00"))) % 97
        return image + f"{(98 - mod97(image + '00') - 2 + error) % 97 + 2:02d}"

    def digits(self, value: str, is_right: Callable[[str], bool]) -> str:
        """Returns a number in the same layout with all digits permuted, as right or wrong as before."""
        bare = re.sub(r"\D", "", value)
        image, permute = bare, self._text(DIGITS, len(bare))
        for _ in range(_MOST_STEPS):
            image = permute(image)
            if is_right(image) == is_right(bare):
                break
        return laid_digits(value, image)

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


def laid_digits(layout: str, digits: str) -> str:
    """Returns digits in the places where a layout has some."""
    rest = iter(digits)
    return "".join(next(rest) if char.isdigit() else char for char in layout)


def laid_out(layout: str, chars: str) -> str:
    """Returns the letters and digits of an image in the groups of a layout with as many of them."""
    rest = iter(char for char in chars if char.isalnum())
    return "".join(next(rest) if char.isalnum() else char for char in layout)
