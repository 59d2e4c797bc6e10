"""Phone numbers: recognised in any layout, replaced by numbers that exist in plans but ring nowhere.

North American and British numbers come from the ranges that regulators reserve for fiction; others keep
their country and have all their national digits permuted, area codes included, and stay as valid as before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache

import phonenumbers

from anonymize.identifiers import DIGITS
from anonymize.permutation import Permutation, TextPermutation
from anonymize.words import word_list

CANDIDATE = re.compile(r"(?<![\w.+-])(?:\+|00)?\(?\d[\d ()/.\u00a0-]{6,20}\d(?![\w-]|\.\d)")
TELEPHONE = r"tel(?:efon|ephone)?|phone|fax|mobil(?:e|funk)?|mob|cell|handy|call"
ANNOUNCED = re.compile(
    rf"(?<!\w)(?i:{TELEPHONE})\b[.:]*[ \t]*"
    r"(?P<number>(?:\+|00)?\(?\d[\d ()./\u00a0-]{6,20}\d)(?![\w-]|[.,]\d)"
)
"""A number in any plan behind a word that announces one."""
_REGIONS = ("US", "GB", "DE")
_NANP_AREAS = tuple(
    int(area)
    for area in word_list(
        """
    201 203 206 207 208 209 212 213 214 215 216 217 218 224 228 229 231 234 239 240 248 251 253 254 256
    260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320
    321 323 325 330 331 334 336 337 339 347 351 352 360 361 386 401 402 404 405 406 407 408 409 410 412
    413 414 415 417 419 423 424 425 430 432 434 435 440 442 443 469 478 479 480 484 501 502 503 504 505
    507 508 509 510 512 513 515 516 517 518 520 530 540 541 551 559 561 562 563 567 570 571 573 574 580
    585 586 601 602 603 605 606 607 608 609 610 612 614 615 616 617 618 619 620 623 626 630 631 636 641
    646 650 651 660 661 662 678 682 701 702 703 704 706 707 708 712 713 714 715 716 717 718 719 720 724
    727 731 732 734 737 740 754 757 760 762 763 765 770 772 773 774 775 779 781 785 786
    """
    )
)
_GB_RANGES = (
    "2079460", "1134960", "1144960", "1154960", "1164960", "1174960", "1214960", "1314960", "1414960",
    "1514960", "1614960", "7700900",
)  # fmt: skip
_FICTION = re.compile(r"\+1\d{3}55501\d\d")


@lru_cache(maxsize=65_536)
def _parsed(text: str) -> phonenumbers.PhoneNumber | None:
    if _ISO_DAY.match(text):
        return None
    international = "+" + text[2:] if text.startswith("00") else text
    for region in [None] if international.startswith("+") else _REGIONS:
        try:
            number = phonenumbers.parse(international, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number) or _is_fiction(number):
            return number
    return None


def _is_fiction(number: phonenumbers.PhoneNumber) -> bool:
    return bool(_FICTION.fullmatch(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)))


def e164(text: str) -> str | None:
    """Returns the one form of a phone number in any layout, or None where the text is no number."""
    number = _parsed(_CENTRAL.sub("", text.strip()))
    if number is None:
        return None
    return str(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))


def number_key(written: str) -> str | None:
    """Returns what identifies the number in a phone column, in a plan or not; None where none stands.

    That is its E.164 form, else "+" and its digits where a country is written, else its national digits
    without the trunk zero. Extensions are no part of it.
    """
    known = e164(written)
    if known is not None:
        return known
    bare = without_extension(written)
    digits = re.sub(r"\D", "", bare)
    if not FEWEST_DIGITS <= len(digits) <= MOST_DIGITS or not digits.isascii() or _WORDS.search(bare):
        return None
    if bare.strip().startswith("+") and country_of(digits):
        return "+" + digits
    if digits.startswith("00") and country_of(digits[2:]):
        return "+" + digits[2:]
    return digits.lstrip("0") or None


def without_extension(written: str) -> str:
    """Returns a written number without the extension behind it."""
    return _EXTENSION.sub("", written)


def is_international(written: str) -> bool:
    """Says whether a number is written with its country."""
    return written.strip().startswith(("+", "00", "(+"))


def settled_numbers(numbers: Iterable[str], guessed: Container[str]) -> tuple[str, ...]:
    """Returns the numbers, without guesses at a country where another one is written before these digits."""
    known = sorted(numbers)
    written = {national_part(number) for number in known if number.startswith("+") and number not in guessed}
    return tuple(n for n in known if n not in guessed or national_part(n) not in written)


def country_of(digits: str) -> str:
    """Returns the country code that the digits of an international number start with, or ""."""
    return next((digits[:size] for size in (1, 2, 3) if int(digits[:size]) in _COUNTRIES), "")


def national_part(key: str) -> str:
    """Returns the national digits of a number's key."""
    return key[1 + len(country_of(key[1:])) :] if key.startswith("+") else key


def surrogate_number(real: str, index: int, key: bytes, taken: Container[str] = frozenset()) -> str:
    """Returns the surrogate of the real number that was assigned an index, as a key like the real one.

    Numbers of the reserved ranges are distinct for distinct indexes below about 20,000 (North America)
    and 12,000 (Britain); beyond that, and elsewhere, all national digits are permuted until the number is
    as valid as the real one and not `taken`.
    """
    if real.startswith("+1") and len(real) == 12 and index < len(_NANP_AREAS) * 100:
        place = Permutation(key, len(_NANP_AREAS) * 100, b"nanp")(index)
        return f"+1{_NANP_AREAS[place // 100]}55501{place % 100:02d}"
    if real.startswith("+44") and len(real) == 13 and index < len(_GB_RANGES) * 1000:
        place = Permutation(key, len(_GB_RANGES) * 1000, b"gb")(index)
        return f"+44{_GB_RANGES[place // 1000]}{place % 1000:03d}"
    national = national_part(real)
    country = real[: len(real) - len(national)]
    permute = TextPermutation(key, DIGITS, len(national))
    valid = _is_valid(real)
    image = permute(national)
    for _ in range(MOST_STEPS):
        fits = _is_valid(country + image) == valid and (country or image[0] != "0")
        if fits and country + image not in taken and image[:AREA_DIGITS] != national[:AREA_DIGITS]:
            break
        image = permute(image)
    return country + image


def _is_valid(key: str) -> bool:
    if not key.startswith("+"):
        return False
    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(key)))
    except phonenumbers.NumberParseException:
        return False


def relaid(written: str, real: str, surrogate: str, extension: Callable[[str], str]) -> str:
    """Returns the surrogate in the layout of the written number, with the surrogate of its extension."""
    old, new = national_part(real), national_part(surrogate)
    places = [place for place, char in enumerate(written) if char.isdigit()]
    at = "".join(written[place] for place in places).rfind(old)
    chars = list(written)
    for place, digit in zip(places[at if at >= 0 else -len(new) :], new, strict=False):
        chars[place] = digit
    behind = places[at + len(old) :] if at >= 0 else []
    if behind and not _CENTRAL.search(written):
        for place, digit in zip(behind, extension("".join(written[one] for one in behind)), strict=True):
            chars[place] = digit
    return "".join(chars)


EXTENSION = re.compile(
    r"[\s,;/(]{0,3}(?:extension|ext|durchwahl|dw|nebenstelle|nst|apparat|app|interne?|int|wew|poste|kl|w|x|#)"
    r"(?![^\W\d_])[.:=\s]{0,3}-?\d{1,6}(?![\w])",
    re.I,
)
"""What stands behind a number and belongs to it."""
_CENTRAL = re.compile(r"(?<=\d{4})-0$")
"""The switchboard of a German number: an extension that is nobody's."""
_EXTENSION = re.compile(rf"(?:{EXTENSION.pattern}\)?|{_CENTRAL.pattern[:-1]})\s*$", re.I)
_WORDS = re.compile(r"[A-Za-z]{4}")
_COUNTRIES = frozenset(phonenumbers.COUNTRY_CODE_TO_REGION_CODE)
FEWEST_DIGITS, MOST_DIGITS = 3, 20
MOST_STEPS = 500
AREA_DIGITS = 3
"""Leading national digits that never stay as they were."""
_BETWEEN_DIGITS = r"[ ().\-/\u00a0]"
_DIGIT_RUN = re.compile(
    r"(?:(?<![\w.])(?<![A-Za-z]-)|(?<=tel)|(?<=fax)|(?<=hone)|(?<=cell)|(?<=call))"
    rf"\d+(?:{_BETWEEN_DIGITS}{{1,3}}\d+)*",
    re.IGNORECASE,
)
"""Digits in the layouts of phones; letters may follow ("555-0147is"), versions and file names are none."""
_ISO_DAY = re.compile(r"(?:19|20)\d\d([-/.])[01]\d\1[0-3]\d(?!\d)")
_DATE_RUN = re.compile(
    r"(?:19|20)\d\d([-/.])[01]\d\1[0-3]\d|(?:19|20)\d\d[01]\d[0-3]\d|[01]\d[0-3]\d(?:19|20)\d\d|[0-3]\d[01]\d(?:19|20)\d\d"
)
SHORTEST_NATIONAL = 7
MOST_GROUPS = 8
"""Groups of digits in which one number may be written."""


def countries_of(numbers: Iterable[str]) -> frozenset[str]:
    """Returns the country codes of keys of numbers."""
    return frozenset(country_of(number[1:]) for number in numbers if number.startswith("+"))


def spellings(number: str, countries: Iterable[str]) -> Iterator[str]:
    """Yields the digits that spell a number (its key), national and international.

    A number without a country may have each of these; one of few national digits says too little for any.
    """
    national = national_part(number)
    if len(national) < SHORTEST_NATIONAL:
        return
    own = [number[1 : len(number) - len(national)]] if number.startswith("+") else sorted(countries)
    for prefix in ("", "0", *(form for c in own for form in (c, f"00{c}", f"011{c}", f"{c}0"))):
        yield prefix + national


def grouped_digits(text: str, most: int) -> Iterator[tuple[int, int, str]]:
    """Yields (start, end, digits) of neighbouring groups of digits, up to so many digits together."""
    for run in _DIGIT_RUN.finditer(text):
        groups = [(match.start(), match.end()) for match in _GROUP.finditer(text, run.start(), run.end())]
        for first, (start, _) in enumerate(groups):
            digits = ""
            for begin, end in groups[first : first + MOST_GROUPS]:
                digits += text[begin:end]
                if len(digits) > most:
                    break
                yield start, end, digits


class DigitScan:
    """The search for known numbers by their digits alone, in whatever groups they are written."""

    def __init__(self, forms: dict[str, str]) -> None:
        """Takes digits -> the number that they spell."""
        self._forms = forms
        self._most = max(map(len, forms), default=0)
        fewest = min(map(len, forms), default=MOST_DIGITS)
        self.enough = re.compile(rf"\d(?:{_BETWEEN_DIGITS}{{0,3}}\d){{{fewest - 1}}}")

    def hits(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yields (start, end, number) of every known number that neighbouring groups of digits spell."""
        if not self._forms or self.enough.search(text) is None:
            return
        for start, end, digits in grouped_digits(text, self._most):
            if digits in self._forms and not _DATE_RUN.fullmatch(text[start:end]):
                yield start, end, self._forms[digits]


class NumberScan(DigitScan):
    """The search for known phone numbers in all their national and international forms."""

    def __init__(self, numbers: Iterable[str]) -> None:
        """Takes keys of numbers (`number_key`); those of fewer than seven national digits say too little."""
        known = sorted(numbers)
        countries = countries_of(known)
        forms: dict[str, str] = {}
        for number in known:
            for digits in spellings(number, countries):
                forms.setdefault(digits, number)
        super().__init__(forms)


_GROUP = re.compile(r"\d+")
