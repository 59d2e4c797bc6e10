"""Findings: pieces of text that will be replaced, and the context that decides what they mean.

Belongs here: the result type of all recognizers and how overlaps are settled.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from presidio_analyzer import RecognizerResult


class FindingKind(StrEnum):
    """What was found; these are Presidio entity types."""

    PERSON = "PERSON"
    COMPANY = "COMPANY"
    LOGIN = "LOGIN"
    EMAIL = "EMAIL_ADDRESS"
    DOMAIN = "DOMAIN"
    PHONE = "PHONE_NUMBER"
    STREET = "STREET"
    CITY = "CITY"
    IDENTIFIER = "IDENTIFIER"
    IBAN = "IBAN_CODE"
    CARD = "CREDIT_CARD"
    MONEY = "MONEY"
    DATE = "DATE_TIME"
    IP = "IP_ADDRESS"
    MAC = "MAC_ADDRESS"
    TAX = "TAX_NUMBER"
    """Numbers of persons and companies at authorities: social security, tax, trade register, LEI, DUNS."""
    DOCUMENT = "ID_DOCUMENT"
    """Passports, identity cards, driving licences, number plates."""


class Finding(RecognizerResult):
    """A Presidio result that knows its replacement; the score settles overlaps."""

    def __init__(self, kind: FindingKind, start: int, end: int, score: float, replacement: str) -> None:
        """Takes offsets into the searched text."""
        super().__init__(entity_type=kind.value, start=start, end=end, score=score)
        self.replacement = replacement

    def moved(self, by: int) -> Finding:
        """Returns the finding in a text in which its passage begins so far on."""
        other = Finding.__new__(Finding)
        other.__dict__.update(self.__dict__, start=self.start + by, end=self.end + by)
        return other

    def __deepcopy__(self, memo: dict[int, object]) -> Finding:
        """Returns an equal finding; Presidio copies its input."""
        return Finding(FindingKind(self.entity_type), self.start, self.end, self.score, self.replacement)


class LinkedSpan(NamedTuple):
    """A span that the archive's links already matched with a record."""

    start: int
    end: int
    kind: str
    """"identifier" or "amount"."""
    minor: int = 0
    """For amounts: the record's amount in hundredths."""


class Context(NamedTuple):
    """What surrounds a text: who takes part, when it was written, what is already linked."""

    persons: tuple[int, ...] = ()
    companies: tuple[int, ...] = ()
    reference: date | None = None
    links: tuple[LinkedSpan, ...] = ()
    filename: bool = False
    """File names and paths, in which logins stand bare."""


def settle(findings: Iterable[Finding]) -> list[Finding]:
    """Returns the findings without overlaps, in text order: higher score first, then longer, then earlier."""
    findings = list(findings)
    if len(findings) == 1:
        return findings if findings[0].start < findings[0].end else []
    chosen: list[Finding] = []
    starts: list[int] = []
    ends: list[int] = []
    for finding in sorted(findings, key=lambda f: (-f.score, f.start - f.end, f.start, f.entity_type)):
        place = bisect_left(starts, finding.end)
        if finding.start < finding.end and (not place or ends[place - 1] <= finding.start):
            chosen.append(finding)
            starts.insert(place, finding.start)
            ends.insert(place, finding.end)
    return sorted(chosen, key=lambda finding: finding.start)
