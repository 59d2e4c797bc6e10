"""What a statistical model finds in text without a registry, less what it is known to mistake.

Belongs here: spaCy's entities as Presidio results. Does not belong here: rules (`prose`) and names that
become registered (`names`).
"""

from __future__ import annotations

import re

from presidio_analyzer import RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts
from presidio_analyzer.predefined_recognizers import SpacyRecognizer

from anonymize.words import word_list
from contracts.names import fold

ENTITIES = ["PERSON", "LOCATION", "ORGANIZATION", "NRP", "DATE_TIME"]
MAPPING = {
    "PERSON": "PERSON",
    "PER": "PERSON",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
    "ORG": "ORGANIZATION",
    "NORP": "NRP",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
}
"""spaCy's labels, English and German, as Presidio's."""
_DAY = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\d{1,2}[/.-]\d{1,2}\b|\d{1,2}:\d\d"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\.? \d|\d\w* (?:of )?(?:jan|feb|mar|apr"
    r"|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:last|next|before|after|previous|following|every|morning|evening|weekly)\b", re.IGNORECASE
)
_NOBODY = frozenset(
    word_list(
        "iban pin ssn atm cc cvv id vat bot sir madam ceo cfo cto hr it api url zip vpn usa gmail asap fax"
    )
)
_ENDS = " \t\r\n.,;:!?\"'’()[]>*-"


class ModelNamesRecognizer(SpacyRecognizer):
    """spaCy's persons, places, organisations, nationalities and dates; spans end where the names do."""

    def __init__(self, language: str = "en") -> None:
        """Registers with Presidio for one language."""
        super().__init__(supported_language=language, supported_entities=ENTITIES, name=type(self).__name__)

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Returns the model's findings, trimmed; abbreviations and vague times are no names and dates."""
        kept = []
        for result in super().analyze(text, entities or ENTITIES, nlp_artifacts):
            for start, end in _lines(text, result.start, result.end):
                written = text[start:end]
                if result.entity_type == "DATE_TIME":
                    usable = bool(_DAY.search(written)) and not _VAGUE.search(written)
                else:
                    usable = fold(written) not in _NOBODY and any(char.isalpha() for char in written)
                if usable and start < end:
                    kept.append(RecognizerResult(result.entity_type, start, end, result.score))
        return kept


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Returns the parts of a span on each line, without marks at their ends: no name runs over lines."""
    found = []
    for match in re.finditer(r"[^\n]+", text[start:end]):
        piece = match.group()
        bare = piece.strip(_ENDS)
        if bare:
            at = start + match.start() + piece.index(bare)
            found.append((at, at + len(bare)))
    return found
