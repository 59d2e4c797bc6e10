"""The base of all recognizers: Presidio's interface with a context."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from anonymize.findings import Context, Finding, FindingKind
from anonymize.prefilter import Sign


class Reading(NamedTuple):
    """What a passage needs of its context, and whom it names itself: equal needs, equal findings."""

    persons: tuple[frozenset[int], ...] = ()
    """Persons who make a difference where they are in scope."""
    companies: tuple[frozenset[int], ...] = ()
    dated: bool = False
    """Whether the day of writing makes one."""
    named: tuple[int, ...] = ()
    """Persons named beyond doubt; they are in scope in the rest of the text."""
    named_companies: tuple[int, ...] = ()


NEEDS_NOTHING = Reading()


class ContextRecognizer(EntityRecognizer):
    """A Presidio recognizer that may look at the context of a text."""

    KINDS: tuple[FindingKind, ...] = ()
    FINDS_LINKED = False
    """Whether links, or that a text is a file name, make it find what stands there without a sign."""

    def __init__(self) -> None:
        """Registers with Presidio under the class name."""
        super().__init__(supported_entities=[kind.value for kind in self.KINDS], name=type(self).__name__)

    def load(self) -> None:
        """Does nothing: everything is loaded by the constructor."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Returns what stands in a text without context, as Presidio asks for it."""
        return [
            finding
            for finding in self.find(text, Context())
            if not entities or finding.entity_type in entities
        ]

    def reading(self, text: str) -> Reading:
        """Returns what of its context a text needs here; nothing, unless a recognizer says otherwise.

        Links and whether a text is a file name always count.
        """
        return NEEDS_NOTHING

    def is_contextual(self) -> bool:
        """Says whether persons, companies or the day around a text make a difference here."""
        return type(self).reading is not ContextRecognizer.reading

    def signs(self) -> tuple[Sign, ...]:
        """Returns patterns of which one stands in every text in which anything is found or read here.

        None, unless a recognizer says otherwise: then any text may hold something.
        """
        return ()

    @abstractmethod
    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns everything of this recognizer's kinds in a text; overlaps are settled later."""
