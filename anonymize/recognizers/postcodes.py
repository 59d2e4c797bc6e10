"""Postcodes in text: beside a city that the archive knows, behind words that say so, or by their own marks.

Belongs here: where a postcode stands. Does not belong here: what replaces it, which a column of postcodes has
as well (`identifiers`), and addresses that nothing registers (`postal`).
"""

from __future__ import annotations

import re

from anonymize.findings import Context, Finding, FindingKind
from anonymize.identifiers import IdentifierMap
from anonymize.prefilter import Sign
from anonymize.recognizers.base import ContextRecognizer
from anonymize.recognizers.postal_marks import is_marked
from anonymize.registry import Registry
from anonymize.words import word_set
from contracts.names import fold

SCORE = 0.87
"""Above an id's shape ("CH-8005"), below what is registered."""
MOST_WORDS = 4
"""Of a city's name."""
LONGEST_BEFORE = 60
"""Characters before a code among which its city is sought."""
_CODE = re.compile(
    r"(?<![\w.,/])(?<!\w-)(?P<country>(?:DE|AT|CH|NL|BE|FR|IT|ES|PL|CZ|DK|SE|NO|FI|LU|GB|D|A|F|I|L|B)-? ?)?"
    r"(?P<code>\d{4} ?[A-Z]{2}(?!\w)|\d{5}-\d{4}|\d{2}-\d{3}(?!-?\d)|\d{4,5}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"
    r"|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?![\w%]|[.,]\d|-\d)"
)
_WORD = r"[^\W\d_][^\W_.,]*(?:['’][^\W_]+)*"
_NAME = rf"(?P<city>{_WORD}(?:[ \t-]{_WORD}){{0,{MOST_WORDS - 1}}})"
_GAP = r"(?:[ \t\u00a0]|,[ \t]?|\r?\n[ \t>|]*){1,2}"
_BEHIND = re.compile(_GAP + _NAME)
_BEFORE = re.compile(rf"{_NAME}(?:{_GAP}[A-Z]{{2}})?{_GAP}$")
_STATE = re.compile(r"[ \t][A-Z]{2}$")
_SAID = re.compile(
    r"(?<!\w)(?:zip(?: ?code)?|postal code|post ?code|plz|postleitzahl)(?: is| ist)?[:.]? {0,2}$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


class PostcodeRecognizer(ContextRecognizer):
    """Finds postcodes; each becomes what it becomes in a column."""

    KINDS = (FindingKind.STREET,)

    def __init__(self, identifiers: IdentifierMap, registry: Registry) -> None:
        """Takes the map of postcodes and the cities of the archive."""
        super().__init__()
        self._identifiers = identifiers
        self._cities = frozenset(fold(city) for city in registry.cities) | word_set("zone_cities")

    def signs(self) -> tuple[Sign, ...]:
        """Returns what is written as a postcode."""
        return (_CODE,)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns the postcodes of a text; four digits that may be a year need a country before them."""
        findings = []
        for match in _CODE.finditer(text):
            start, end = match.span("code")
            before = text[max(0, match.start() - LONGEST_BEFORE) : match.start()]
            year = _YEAR.fullmatch(match["code"]) is not None and not match["country"]
            known = not year and self._stands_by_city(text, end, before)
            if _SAID.search(before) or known or is_marked(text, start, end, match["country"] or ""):
                new = self._identifiers.postcode(match["code"])
                findings.append(Finding(FindingKind.STREET, start, end, SCORE, new))
        return findings

    def _stands_by_city(self, text: str, end: int, before: str) -> bool:
        behind = _BEHIND.match(text, end)
        if behind is not None and self._names_city(behind["city"], at_start=True):
            return True
        ahead = _BEFORE.search(before)
        return ahead is not None and self._names_city(_STATE.sub("", ahead["city"]), at_start=False)

    def _names_city(self, words: str, *, at_start: bool) -> bool:
        """Says whether words begin, or end, with a known city."""
        parts = re.split(r"([ \t-])", words)
        sizes = range(len(parts), 0, -2)
        pieces = ("".join(parts[:size] if at_start else parts[-size:]) for size in sizes)
        return any(fold(piece) in self._cities for piece in pieces if piece[:1].isupper())
