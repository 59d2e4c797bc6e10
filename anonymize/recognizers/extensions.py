"""Extensions of phone numbers that stand alone: "DW -17", "my ext is 4711", "Nebenstelle 4711".

Belongs here: extensions behind a word that announces them, and cells of extensions. Does not belong here:
those behind a number, which are replaced with it (`recognizers.numbers`).
"""

from __future__ import annotations

import re

from anonymize.findings import Context, Finding, FindingKind
from anonymize.identifiers import IdentifierMap
from anonymize.phones import TELEPHONE
from anonymize.prefilter import Sign
from anonymize.recognizers.base import ContextRecognizer
from anonymize.recognizers.numbers import PHONE_SCORE
from anonymize.surrogates import Surrogates

_SIGNS = r"(?:[ \t]?[.:=#]|[ \t]?\b(?:is|ist|lautet|no|nr|number|nummer)\b\.?){0,3}[ \t]{0,2}-?"
_LABELS = r"extension|ext|durchwahl|dw|nebenstelle|nst|apparat|wew|poste"
_ALONE = re.compile(
    rf"(?<![\w@./-])(?:{_LABELS}|(?:{TELEPHONE})\b[.:]*[ \t]*(?:app|interne?|int|w|kl)){_SIGNS}"
    r"(?P<digits>\d{2,6})(?![\w%]|[.,/:-]\d|\s?(?:days?|weeks?|months?|hours?|years?|tagen?|wochen?|monaten?|"
    r"jahren?|usd|eur|k\b|mb\b|%|€|\$))",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_CELL = re.compile(
    rf"\W*(?:(?:{_LABELS}|app|intern|int|x){_SIGNS})?\W*(?P<digits>\d{{1,6}})\W*", re.IGNORECASE
)


class ExtensionRecognizer(ContextRecognizer):
    """Finds extensions that stand without their number, behind the word that announces them."""

    KINDS = (FindingKind.PHONE,)

    def __init__(self, surrogates: Surrogates, identifiers: IdentifierMap) -> None:
        """Takes the numbers of phone columns, among which extensions may be, and what replaces others."""
        super().__init__()
        self._surrogates = surrogates
        self._identifiers = identifiers

    def signs(self) -> tuple[Sign, ...]:
        """Returns a word that announces an extension, with digits behind it."""
        return (_ALONE,)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns the digits of extensions; years are none behind words that have another meaning."""
        return [
            Finding(FindingKind.PHONE, *match.span("digits"), PHONE_SCORE, self._other(match["digits"]))
            for match in _ALONE.finditer(text)
            if not (_YEAR.fullmatch(match["digits"]) and match.group()[:3].lower() in ("ext", "pos"))
        ]

    def cell(self, value: str) -> str | None:
        """Returns a cell that holds nothing but an extension with another one, or None for any other cell."""
        match = _CELL.fullmatch(value)
        if match is None:
            return None
        start, end = match.span("digits")
        return value[:start] + self._other(match["digits"]) + value[end:]

    def _other(self, digits: str) -> str:
        if digits in self._surrogates.kept.phones:
            return self._surrogates.phone(digits, digits)
        if not digits.strip("0"):
            return digits
        image = self._identifiers.counted(digits, "extension")
        return image if image.strip("0") else self._identifiers.counted(image, "extension")
