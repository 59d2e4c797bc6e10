"""Numbers in text: account and card numbers, phones, identifiers, money and dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from anonymize.amounts import MONEY_SIGNS, MoneyScale
from anonymize.check_digits import IBAN_LENGTHS, is_iban_shaped
from anonymize.dates import BARE_YEAR, FILE_YEAR, GLUED_DATE, TEXT_DATE, DateShift, TextDate
from anonymize.findings import Context, Finding, FindingKind
from anonymize.id_labels import ANNOUNCED, BARE
from anonymize.identifiers import IdentifierMap, laid_out
from anonymize.phones import (
    CANDIDATE,
    EXTENSION,
    DigitScan,
    NumberScan,
    e164,
    number_key,
    without_extension,
)
from anonymize.prefilter import Sign
from anonymize.recognizers.base import NEEDS_NOTHING, ContextRecognizer, Reading
from anonymize.surrogates import Surrogates

IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
IBAN_START = re.compile(r"(?<![\w.@/-])[A-Za-z]{2}\d{2}(?=[ .-]?[A-Za-z0-9])")
CARD = re.compile(
    r"(?<![\w-])(?:[3-6]\d{3}([ -]?)\d{4}\1\d{4}\1\d{3,4}"
    r"|3[47]\d{2}([ -]?)\d{6}\2\d{5}|3[0689]\d{2}([ -]?)\d{6}\3\d{4})(?![\w-]|[.,]\d)"
)
LINKED_SCORE = 0.98
IBAN_SCORE = 0.93
DATE_SCORE = 0.9
MONEY_SCORE = 0.88
PHONE_SCORE = 0.85
NAMED_SCORE = 0.86
"""An identifier behind a word that announces one."""
SHAPED_SCORE = 0.8
REGISTERED_SCORE = 0.94
"""An identifier of a column, which no guess at a phone outweighs."""
MOST_READ = 1_024
"""Texts whose dates are remembered between reading and replacing."""
SHORTEST_GROUPED = 7
YEAR = re.compile(r"(?:19|20)\d\d")


def ibans_in(text: str) -> Iterator[tuple[int, int]]:
    """Yields the spans of IBANs: in the length of their country, in any case and grouping, or in capitals."""
    found: list[tuple[int, int]] = []
    end = 0
    for match in IBAN_START.finditer(text):
        length = IBAN_LENGTHS.get(match.group()[:2].upper(), 0)
        at = match.start() if match.start() >= end else -1
        stop = _span_of(text, at, length) if length and at >= 0 else 0
        if stop and is_iban_shaped(re.sub(r"[ .-]", "", text[at:stop]).upper()):
            found.append((at, stop))
            end = stop
    yield from found
    for match in IBAN.finditer(text):
        apart = all(match.end() <= start or stop <= match.start() for start, stop in found)
        if apart and 15 <= len(re.sub(r"\s", "", match.group())) <= 34:
            yield match.span()


def _span_of(text: str, start: int, length: int) -> int:
    """Returns the end of so many letters and digits in groups, or 0 where a word goes on behind them."""
    seen = 0
    for place in range(start, min(len(text), start + 2 * length)):
        char = text[place]
        if char.isascii() and char.isalnum():
            seen += 1
            if seen == length:
                behind = text[place + 1 : place + 2]
                return 0 if behind.isalnum() or behind == "_" else place + 1
        elif char not in " .-\u00a0" or not text[place - 1].isalnum():
            return 0
    return 0


def holds_all_digits(text: str, start: int, end: int) -> bool:
    """Says whether no digit of a text lies outside a span."""
    return not any(char.isdigit() for char in text[:start] + text[end:])


class AccountRecognizer(ContextRecognizer):
    """Finds IBANs and card numbers, right or mistyped."""

    KINDS = (FindingKind.IBAN, FindingKind.CARD)

    def __init__(self, identifiers: IdentifierMap) -> None:
        """Takes the map of identifiers."""
        super().__init__()
        self._identifiers = identifiers

    def signs(self) -> tuple[Sign, ...]:
        """Returns how accounts and cards begin."""
        return (IBAN_START, IBAN, CARD)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns IBANs of 15 to 34 characters and cards of 15 or 16 digits."""
        findings = []
        for start, end in ibans_in(text):
            new = self._identifiers.iban(text[start:end])
            findings.append(Finding(FindingKind.IBAN, start, end, IBAN_SCORE, new))
        for match in CARD.finditer(text):
            new = self._identifiers.card(match.group())
            findings.append(Finding(FindingKind.CARD, match.start(), match.end(), IBAN_SCORE, new))
        return findings


def _with_extension(text: str, end: int) -> int:
    """Returns where a number ends that begins before `end`, its extension included."""
    behind = EXTENSION.match(text, end)
    return end if behind is None else behind.end()


class KnownPhoneRecognizer(ContextRecognizer):
    """Finds phone numbers that exist in some numbering plan."""

    KINDS = (FindingKind.PHONE,)

    def __init__(self, surrogates: Surrogates) -> None:
        """Takes the assigned numbers."""
        super().__init__()
        self._surrogates = surrogates
        self._known = NumberScan(surrogates.registry.phones)

    def signs(self) -> tuple[Sign, ...]:
        """Returns as many digits as a number has."""
        return (CANDIDATE, self._known.enough)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns valid phone numbers in any layout, and registered ones run into the words around."""
        findings = []
        for start, end, number in self._known.hits(text):
            end = _with_extension(text, end)
            known = self._surrogates.phone(text[start:end], number)
            findings.append(Finding(FindingKind.PHONE, start, end, PHONE_SCORE, known))
        for match in CANDIDATE.finditer(text):
            end = _with_extension(text, match.end())
            new = self.replacement(match.group(), text[match.start() : end])
            if new is not None:
                findings.append(Finding(FindingKind.PHONE, match.start(), end, PHONE_SCORE, new))
        return findings

    def registered(self, written: str) -> str | None:
        """Returns the surrogate of a phone column's value in its layout, or None where it is no number."""
        bare = without_extension(written)
        spelt = (
            number for start, end, number in self._known.hits(bare) if holds_all_digits(bare, start, end)
        )
        key = next(spelt, None) or number_key(written)
        known = key is not None and key in self._surrogates.kept.phones
        return self._surrogates.phone(written, key) if known and key is not None else None

    def replacement(self, written: str, whole: str | None = None) -> str | None:
        """Returns the surrogate of a written number in its layout, or None where it is no number.

        `whole` is the number with its extension, where one stands behind it.
        """
        real = e164(written)
        known = real is not None and real in self._surrogates.kept.phones
        return self._surrogates.phone(whole or written, real) if known and real is not None else None


class IdentifierRecognizer(ContextRecognizer):
    """Finds order, invoice, ticket and similar numbers that no column lists, by word before or shape."""

    KINDS = (FindingKind.IDENTIFIER,)
    FINDS_LINKED = True
    NAMED = re.compile(
        rf"\b{ANNOUNCED}\s?[:#]?\s?#?(?P<number>\d{{3,}})"
        r"(?![\w%]|[.,]\d|\s?(?:%|days?|users?|usd|eur|k\b))",
        re.IGNORECASE,
    )
    KEYED = re.compile(
        rf"(?<![^\W_])(?:{BARE})\.?[\"']?(?:\s?[:=#]\s?[\"'\[(]?(?=\d\d)|\s(?=\d{{3}}))(?P<number>\d+)(?![\w%]|[.,]\d)",
        re.IGNORECASE,
    )
    """A value behind its key, as data in text has it ("order_no": 4711), or behind "no." alone."""
    SHAPED = re.compile(
        r"(?<![\w.-])(?:[A-Z]{2,6}[-_]?(?:(?:19|20)\d\d[-_/])?\d{4,}|(?!20\d\d[01]\d[0-3]\d)\d{7,})"
        r"(?![\w]|[.,-]\d)"
    )
    TAX_NUMBER = re.compile(
        r"(?<![\w.-])(?:AT ?U?|BE|BG|CHE|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO"
        r"|SE|SI|SK|XI)"
        r"[ -]?(?:[1-9]|(?<=NL)\d|(?<=BE)0)(?:[ .-]?\d){7,11}(?:B\d\d)?(?![\w@]|[.,-]\d)"
    )
    LINK = re.compile(r"\bhttps?://[^\s<>\"']+")
    IN_PATH = re.compile(r"(?<![\d.])(?P<number>\d{4,})(?!\d|\.\d)")
    ORDINARY = frozenset({"FY", "ISO", "KW", "UTC", "GMT", "RFC", "USD", "EUR", "GBP", "SHA", "UTF"})

    def __init__(self, identifiers: IdentifierMap, short: frozenset[str]) -> None:
        """`short` are the values of id columns, without leading zeros, that count behind a naming word."""
        super().__init__()
        self._identifiers = identifiers
        self._short = short
        long = {value for value in short if len(value) >= SHORTEST_GROUPED}
        self._grouped = DigitScan({value: value for value in sorted(long)})

    def signs(self) -> tuple[Sign, ...]:
        """Returns the pattern of every kind."""
        return (self.NAMED, self.KEYED, self.SHAPED, self.TAX_NUMBER, self.LINK, self._grouped.enough)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns linked, announced and shaped identifiers."""
        findings = []
        for link in context.links:
            if link.kind == "identifier" and 0 <= link.start < link.end <= len(text):
                findings.append(self._finding(link.start, link.end, text, LINKED_SCORE))
        for start, end, number in self._grouped.hits(text):
            if not text[start:end].isdigit():
                new = laid_out(text[start:end], self._identifiers.identifier(number))
                findings.append(Finding(FindingKind.IDENTIFIER, start, end, REGISTERED_SCORE, new))
        for match in self.TAX_NUMBER.finditer(text):
            findings.append(self._tax_number(match.start(), match.end(), text))
        places = [(0, len(text))] if context.filename else [link.span() for link in self.LINK.finditer(text)]
        for start, end in places:
            for match in self.IN_PATH.finditer(text, start, end):
                number = match["number"].lstrip("0")
                if number in self._short and not YEAR.fullmatch(number):
                    findings.append(self._finding(*match.span("number"), text, REGISTERED_SCORE))
        for match in self.NAMED.finditer(text):
            number = match["number"]
            if len(number) >= 5 or number.lstrip("0") in self._short:
                findings.append(self._finding(match.start("number"), match.end("number"), text, NAMED_SCORE))
        for match in self.KEYED.finditer(text):
            if match["number"].lstrip("0") in self._short:
                findings.append(self._finding(*match.span("number"), text, NAMED_SCORE))
        for match in self.SHAPED.finditer(text):
            if re.match(r"[A-Z]*", match.group()).group() not in self.ORDINARY:  # type: ignore[union-attr]
                findings.append(self._finding(match.start(), match.end(), text, SHAPED_SCORE))
        return findings

    def _tax_number(self, start: int, end: int, text: str) -> Finding:
        """Returns a tax number, whose groups do not change what it is: "DE 811907980" is "DE811907980"."""
        written = text[start:end]
        closed = re.sub(r"[ .-]", "", written)
        new = laid_out(written, self._identifiers.identifier(closed))
        return Finding(FindingKind.IDENTIFIER, start, end, NAMED_SCORE, new)

    def _finding(self, start: int, end: int, text: str, score: float) -> Finding:
        return Finding(
            FindingKind.IDENTIFIER, start, end, score, self._identifiers.identifier(text[start:end])
        )


class MoneyRecognizer(ContextRecognizer):
    """Finds amounts of money."""

    KINDS = (FindingKind.MONEY,)

    def __init__(self, scale: MoneyScale, known: frozenset[int]) -> None:
        """`known` are the amounts of money columns, in hundredths."""
        super().__init__()
        self._scale = scale
        self._known = known

    def signs(self) -> tuple[Sign, ...]:
        """Returns marks of money, and numbers written as amounts are."""
        return MONEY_SIGNS

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns amounts; a shortened form that is linked follows the amount of its record."""
        exact = {
            (link.start, link.end): link.minor
            for link in context.links
            if link.kind == "amount" and link.minor
        }
        return [
            Finding(FindingKind.MONEY, start, end, MONEY_SCORE, new)
            for start, end, new in self._scale.in_text(text, self._known, exact)
        ]


class ShiftedDateRecognizer(ContextRecognizer):
    """Finds dates in many written forms."""

    KINDS = (FindingKind.DATE,)

    def __init__(self, shift: DateShift, *, day_first: bool) -> None:
        """`day_first` decides 03/04/2024."""
        super().__init__()
        self._shift = shift
        self._day_first = day_first
        self._dateless = lru_cache(maxsize=MOST_READ)(self._read)

    def _read(self, text: str) -> tuple[list[TextDate], bool]:
        return self._shift.reading(text, None, day_first=self._day_first)

    def signs(self) -> tuple[Sign, ...]:
        """Returns the patterns of all dates."""
        return (TEXT_DATE, FILE_YEAR, BARE_YEAR, GLUED_DATE)

    def reading(self, text: str) -> Reading:
        """Returns whether a text has a date without its year."""
        return Reading(dated=True) if self._dateless(text)[1] else NEEDS_NOTHING

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns dates; those without a year are read near the context's reference date."""
        found, is_open = self._dateless(text)
        if is_open and context.reference is not None:
            found = self._shift.in_text(text, context.reference, day_first=self._day_first)
        return [Finding(FindingKind.DATE, start, end, DATE_SCORE, new) for start, end, new in found]
