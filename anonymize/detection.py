"""Detection and replacement in one text: Presidio's registry and anonymizer around our recognizers.

Order: what is known, then patterns and checksums. What only a statistical model finds is registered
before (`recognizers.names`), so that replacement itself is exact, fast and the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from presidio_analyzer import RecognizerRegistry
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig
from presidio_anonymizer.entities import RecognizerResult as AnonymizerInput

from anonymize.findings import Context, Finding, LinkedSpan, settle
from anonymize.operators import SurrogateOperator
from anonymize.passages import Passage, passages
from anonymize.prefilter import Prefilter
from anonymize.recognizers.base import NEEDS_NOTHING, ContextRecognizer, Reading

_WORDLY = re.compile(r"[^\W_]")
MOST_PASSAGES = 131_072
"""Passages and texts that are remembered, with what they become."""
MOST_BARE = 16_384
"""Passages whose numbers and addresses are remembered for another context."""
FEWEST_FORESEEN, MOST_FORESEEN = 1_024, 1_048_576
"""Passages for which it pays to ask which recognizers could find anything, and of which it is remembered."""
MOST_AT_ONCE = 40
"""Replacements that are written in one step."""


_Needs = tuple[tuple[int, ...], tuple[int, ...], date | None, tuple[LinkedSpan, ...], bool]
"""Persons, companies, reference, links, filename: what a context gives to one passage."""


class _Outline(NamedTuple):
    """A text by its passages, whatever is around it."""

    passages: tuple[tuple[Passage, Reading], ...]
    named: tuple[int, ...]
    """Persons named beyond doubt."""
    named_companies: tuple[int, ...]
    is_open: bool
    """Whether a passage needs anything of its context."""


class WrittenSpan(NamedTuple):
    """A replacement: where it stood in the raw text and where it stands in the clean one."""

    raw_start: int
    raw_end: int
    start: int
    end: int
    kind: str

    def moved(self, raw: int, clean: int) -> WrittenSpan:
        """Returns the span in a text in which its passage begins at these places."""
        return WrittenSpan(
            self.raw_start + raw, self.raw_end + raw, self.start + clean, self.end + clean, self.kind
        )


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
    """All recognizers of one dataset, and the replacement of what they find.

    Texts are read by passages. A passage that comes again where the same persons, companies and days make a
    difference is not read again.
    """

    def __init__(self, recognizers: list[ContextRecognizer]) -> None:
        """Registers the recognizers with Presidio, most certain first."""
        self.registry = RecognizerRegistry(recognizers=list(recognizers))
        self._recognizers = recognizers
        self._engine = AnonymizerEngine()  # type: ignore[no-untyped-call]
        self._engine.add_anonymizer(SurrogateOperator)
        self._prefilter = Prefilter([one.signs() for one in recognizers])
        self._linked = sum(1 << place for place, one in enumerate(recognizers) if one.FINDS_LINKED)
        self._foreseen: dict[str, int] = {}
        self._chosen: dict[int, list[ContextRecognizer]] = {}
        self._parts = lru_cache(maxsize=MOST_PASSAGES)(passages)
        self._outlined = lru_cache(maxsize=MOST_PASSAGES)(self._outline)
        self._reading = lru_cache(maxsize=MOST_PASSAGES)(self._read)
        self._bare = lru_cache(maxsize=MOST_BARE)(self._find_bare)
        self._found = lru_cache(maxsize=MOST_PASSAGES)(self._find)
        self._clean = lru_cache(maxsize=MOST_PASSAGES)(self._replace)
        self._alike = lru_cache(maxsize=MOST_PASSAGES)(self._replace_alike)

    def foresee(self, texts: Iterable[str]) -> None:
        """Finds out for many texts at once which recognizers could find anything in their passages.

        It changes nothing that is found, only how fast.
        """
        fresh = {part.text for text in texts for part in self._parts(text)} - self._foreseen.keys()
        if len(fresh) < FEWEST_FORESEEN:
            return
        if len(self._foreseen) + len(fresh) > MOST_FORESEEN:
            self._foreseen.clear()
        ordered = sorted(fresh)
        self._foreseen.update(zip(ordered, self._prefilter.masks(ordered), strict=True))

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns what will be replaced, without overlaps, in order."""
        return [
            finding.moved(start) if start else finding
            for start, passage, needs in self._in_context(text, context)
            for finding in self._found(passage, *needs)
        ]

    def replace(self, text: str, context: Context) -> CleanText:
        """Returns the text with every finding replaced by its surrogate."""
        if context.links or self._outlined(text).is_open:
            return self._joined(text, context)
        return self._alike(text, context.filename)

    def _replace_alike(self, text: str, filename: bool) -> CleanText:
        """Returns a text replaced whose context makes no difference."""
        return self._joined(text, Context(filename=filename))

    def _joined(self, text: str, context: Context) -> CleanText:
        pieces: list[str] = []
        spans: list[WrittenSpan] = []
        place = size = 0
        for start, passage, needs in self._in_context(text, context):
            clean = self._clean(passage, *needs)
            pieces += (text[place:start], clean.text)
            size += start - place
            spans += [span.moved(start, size) for span in clean.spans] if size else clean.spans
            size += len(clean.text)
            place = start + len(passage)
        pieces.append(text[place:])
        return CleanText("".join(pieces), tuple(spans))

    def _in_context(self, text: str, context: Context) -> Iterator[tuple[int, str, _Needs]]:
        """Yields the passages of a text and where they begin, each with the part of the context it needs.

        Whom one passage names beyond doubt is in scope in all.
        """
        outline = self._outlined(text)
        persons = dict.fromkeys((*context.persons, *outline.named))
        companies = dict.fromkeys((*context.companies, *outline.named_companies))
        for (start, passage), reading in outline.passages:
            needs = (
                _among(persons, reading.persons) if reading.persons else (),
                _among(companies, reading.companies) if reading.companies else (),
                context.reference if reading.dated else None,
                _links_in(start, start + len(passage), context.links) if context.links else (),
                context.filename,
            )
            yield start, passage, needs

    def _outline(self, text: str) -> _Outline:
        parts = self._parts(text)
        readings = [self._reading(part.text) for part in parts]
        return _Outline(
            tuple(zip(parts, readings, strict=True)),
            tuple(dict.fromkeys(person for reading in readings for person in reading.named)),
            tuple(dict.fromkeys(company for reading in readings for company in reading.named_companies)),
            any(reading.persons or reading.companies or reading.dated for reading in readings),
        )

    def _read(self, text: str) -> Reading:
        contextual = (one.reading(text) for one in self._readers(text) if one.is_contextual())
        readings = [reading for reading in contextual if any(reading)]
        if not readings:
            return NEEDS_NOTHING
        return Reading(
            tuple(group for reading in readings for group in reading.persons),
            tuple(group for reading in readings for group in reading.companies),
            any(reading.dated for reading in readings),
            tuple(person for reading in readings for person in reading.named),
            tuple(company for reading in readings for company in reading.named_companies),
        )

    def _find(self, text: str, *needs: *_Needs) -> list[Finding]:
        if not _WORDLY.search(text):
            return []
        context = Context(*needs)
        bare = self._bare(text, context.filename) if any(needs[:3]) and not context.links else None
        found: list[Finding] = []
        linked = context.filename or bool(context.links)
        for recognizer in self._readers(text, linked=linked):
            if bare is None or recognizer not in bare:
                found.extend(recognizer.find(text, context))
            else:
                found.extend(bare[recognizer])
        return settle(found)

    def _find_bare(self, text: str, filename: bool) -> dict[ContextRecognizer, list[Finding]]:
        """Returns what each recognizer finds for which persons, companies and days make no difference."""
        context = Context(filename=filename)
        readers = self._readers(text, linked=filename)
        return {one: one.find(text, context) for one in readers if not one.is_contextual()}

    def _readers(self, text: str, *, linked: bool = False) -> list[ContextRecognizer]:
        """Returns the recognizers that could find anything in a passage: all, unless it was foreseen."""
        mask = self._foreseen.get(text)
        if mask is None:
            return self._recognizers
        mask |= self._linked if linked else 0
        if mask not in self._chosen:
            self._chosen[mask] = [one for place, one in enumerate(self._recognizers) if mask >> place & 1]
        return self._chosen[mask]

    def _replace(self, text: str, *needs: *_Needs) -> CleanText:
        findings = self._find(text, *needs)
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


def _among(scope: dict[int, None], groups: tuple[frozenset[int], ...]) -> tuple[int, ...]:
    """Returns those of a scope who are in one of the groups, in the order of the scope."""
    return tuple(one for one in scope if any(one in group for group in groups))


def _links_in(start: int, end: int, links: tuple[LinkedSpan, ...]) -> tuple[LinkedSpan, ...]:
    return tuple(
        link._replace(start=link.start - start, end=link.end - start)
        for link in links
        if start <= link.start and link.end <= end
    )
