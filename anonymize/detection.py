"""Detection and replacement in one text: Presidio's registry and anonymizer around our recognizers.

Order: what is known, then patterns and checksums. What only a statistical model finds is registered
before (`recognizers.names`), so that replacement itself is exact, fast and the same on every machine.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from presidio_analyzer import RecognizerRegistry
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig
from presidio_anonymizer.entities import RecognizerResult as AnonymizerInput

from anonymize.findings import Context, Finding, settle
from anonymize.operators import SurrogateOperator
from anonymize.recognizers.base import ContextRecognizer

_DIGIT = re.compile(r"\d")
MOST_AT_ONCE = 40
"""Replacements that are written in one step."""


class WrittenSpan(NamedTuple):
    """A replacement: where it stood in the raw text and where it stands in the clean one."""

    raw_start: int
    raw_end: int
    start: int
    end: int
    kind: str


class CleanText(NamedTuple):
    """A text after replacement, with its spans in order."""

    text: str
    spans: tuple[WrittenSpan, ...]

    def offset(self, raw: int, *, end: bool = False) -> int:
        """Returns where a raw offset lies in the clean text; inside a span, its start (or end)."""
        shift = 0
        for span in self.spans:
            if raw < span.raw_start or (raw == span.raw_start and not end):
                break
            if raw < span.raw_end or (raw == span.raw_end and end):
                return span.end if end else span.start
            shift = span.end - span.raw_end
        return raw + shift


class Detector:
    """All recognizers of one dataset, and the replacement of what they find."""

    def __init__(self, recognizers: list[ContextRecognizer]) -> None:
        """Registers the recognizers with Presidio, most certain first."""
        self.registry = RecognizerRegistry(recognizers=list(recognizers))
        self._recognizers = recognizers
        self._engine = AnonymizerEngine()  # type: ignore[no-untyped-call]
        self._engine.add_anonymizer(SurrogateOperator)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns what will be replaced, without overlaps, in order."""
        found: list[Finding] = []
        digit = _DIGIT.search(text) is not None
        for recognizer in self._recognizers:
            if digit or not recognizer.NEEDS_DIGIT:
                found.extend(recognizer.find(text, context))
        return settle(found)

    def replace(self, text: str, context: Context) -> CleanText:
        """Returns the text with every finding replaced by its surrogate."""
        if not any(char.isalnum() for char in text):
            return CleanText(text, ())
        findings = self.find(text, context)
        return self.write(text, findings) if findings else CleanText(text, ())

    def write(self, text: str, findings: list[Finding]) -> CleanText:
        """Returns the text with settled findings written, a stretch of the text at a time.

        Presidio compares every span with every other one.
        """
        pieces: list[str] = []
        spans: list[WrittenSpan] = []
        place = size = 0
        for first in range(0, len(findings), MOST_AT_ONCE):
            stretch = findings[first : first + MOST_AT_ONCE]
            end = stretch[-1].end if first + MOST_AT_ONCE < len(findings) else len(text)
            clean = self._write(text[place:end], place, stretch)
            pieces.append(clean.text)
            spans += [span._replace(start=span.start + size, end=span.end + size) for span in clean.spans]
            place, size = end, size + len(clean.text)
        return CleanText("".join(pieces), tuple(spans))

    def _write(self, text: str, offset: int, findings: list[Finding]) -> CleanText:
        """Returns a stretch of text written through Presidio's AnonymizerEngine.

        Each span has an entity type of its own ("PERSON|17"), since Presidio merges neighbours of one type.
        """
        inputs, operators = [], {}
        for number, finding in enumerate(findings):
            name = f"{finding.entity_type}|{number}"
            inputs.append(AnonymizerInput(name, finding.start - offset, finding.end - offset, finding.score))
            config = {SurrogateOperator.REPLACEMENT: finding.replacement}
            operators[name] = OperatorConfig(SurrogateOperator.NAME, config)
        result = self._engine.anonymize(text, inputs, operators)
        written = {item.entity_type: item for item in result.items}
        spans = []
        for number, finding in enumerate(findings):
            item = written[f"{finding.entity_type}|{number}"]
            spans.append(WrittenSpan(finding.start, finding.end, item.start, item.end, finding.entity_type))
        return CleanText(result.text, tuple(spans))
