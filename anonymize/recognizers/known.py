"""Known entities in text: all surface forms at once, settled by letter case and participants."""

from __future__ import annotations

import re
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from anonymize.findings import Context, Finding, FindingKind
from anonymize.forms import flat, like
from anonymize.known_forms import Form, KnownForms, Strength
from anonymize.recognizers.base import ContextRecognizer
from anonymize.registry import Registry
from anonymize.surrogates import Surrogates
from contracts.names import fold

STRONG_SCORE = 0.95
CAPITAL_SCORE = 0.72
SCOPED_SCORE = 0.7
LONGEST_NEIGHBOUR = 40
OTHER_NAMES = 50
"""First names tried until one does not spell a registered name with its neighbours."""

_TITLE_BEFORE = re.compile(r"(?:\b(?:Mr|Ms|Mrs|Miss|Dr|Prof|Herr|Frau|Herrn)\.?\s+)$")
_GREETING_BEFORE = re.compile(
    r"(?:\b(?:hi|hello|hey|dear|hallo|morning|afternoon|evening|thanks|thank you|cheers|regards|best|yours|"
    r"sincerely|ask|cc|with|and|from|to|by|for|per|tell|ping)\b[,!]?\s+|^\s*|[\n@~]\s*|[-–—/]\s?)$",
    re.IGNORECASE,
)
_LOGIN_BEFORE = re.compile(r"(?:[\\@~/]|\b(?:login|user|username|account|uid)\b\W{0,3})$", re.IGNORECASE)
_WORD_BEHIND = re.compile(r"[\s._-]{0,2}(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)")
_WORD_BEFORE = re.compile(r"(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)[\s,._-]{0,2}$")
_TIME_BEHIND = re.compile(r"\s+time\b", re.IGNORECASE)


class _Hit(NamedTuple):
    start: int
    end: int
    forms: list[Form]


class KnownEntityRecognizer(ContextRecognizer):
    """Finds registered persons, companies, logins, domains, places and identifiers."""

    KINDS = (
        FindingKind.PERSON,
        FindingKind.COMPANY,
        FindingKind.LOGIN,
        FindingKind.DOMAIN,
        FindingKind.STREET,
        FindingKind.CITY,
        FindingKind.IDENTIFIER,
    )

    def __init__(self, known: KnownForms, surrogates: Surrogates) -> None:
        """Builds the automaton over all forms."""
        super().__init__()
        self._texts = sorted(known.forms)
        self._forms = [known.forms[text] for text in self._texts]
        self._automaton = AhoCorasick(self._texts) if self._texts else None
        self._registry: Registry = surrogates.registry
        self._surrogates = surrogates

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns known entities; single names only where participants or a form of address back them."""
        hits = self._hits(text)
        persons = list(context.persons)
        companies = list(context.companies)
        for hit in hits:
            for form in hit.forms:
                if form.strength is Strength.STRONG and len(hit.forms) == 1:
                    (persons if form.kind is FindingKind.PERSON else companies).append(form.entity)
        findings = []
        for hit in hits:
            finding = self._finding(text, hit, context, persons, companies)
            if finding is not None:
                findings.append(finding)
        return findings

    def mentioned(self, text: str) -> list[int]:
        """Returns the persons that a text names beyond doubt."""
        return [
            hit.forms[0].entity
            for hit in self._hits(text)
            if len(hit.forms) == 1 and hit.forms[0].kind is FindingKind.PERSON
            and hit.forms[0].strength is Strength.STRONG
        ]  # fmt: skip

    def _hits(self, text: str) -> list[_Hit]:
        if self._automaton is None or not text:
            return []
        haystack = flat(text)
        hits = []
        for index, start, end in self._automaton.find_matches_as_indexes(haystack, overlapping=True):
            if start and haystack[start - 1].isalnum() and haystack[start].isalnum():
                continue
            if end < len(haystack) and haystack[end].isalnum() and haystack[end - 1].isalnum():
                continue
            hits.append(_Hit(start, end, self._forms[index]))
        return hits

    def _finding(
        self, text: str, hit: _Hit, context: Context, persons: list[int], companies: list[int]
    ) -> Finding | None:
        mention = text[hit.start : hit.end]
        best: tuple[float, int, Form] | None = None
        for form in hit.forms:
            scope = persons if form.kind in (FindingKind.PERSON, FindingKind.LOGIN) else companies
            rank = scope.index(form.entity) if form.entity in scope else len(scope)
            score = self._score(text, hit, form, mention, context, in_scope=rank < len(scope))
            if score and (best is None or (score, -rank) > (best[0], -best[1])):
                best = (score, rank, form)
        if best is None:
            return None
        score, rank, form = best
        replacement = form.replacement
        if (
            form.part == "first"
            and form.kind is FindingKind.PERSON
            and rank >= len(persons)
            and len(hit.forms) > 1
        ):
            replacement = self._surrogates.given_name(mention)
        if form.part == "first" and form.kind is FindingKind.PERSON:
            replacement = self._unlike_neighbours(text, hit, replacement)
        if form.kind in (FindingKind.IDENTIFIER, FindingKind.STREET):
            return Finding(form.kind, hit.start, hit.end, score, replacement)
        return Finding(form.kind, hit.start, hit.end, score, like(mention, replacement))

    def _unlike_neighbours(self, text: str, hit: _Hit, replacement: str) -> str:
        """Returns a first name that, beside the words around it, spells no registered person's name.

        "Tom" in "Hi Tom May I ask" may become "Eve" unless an Eve May is registered.
        """
        behind = _WORD_BEHIND.match(text, hit.end)
        before = _WORD_BEFORE.search(text[max(0, hit.start - LONGEST_NEIGHBOUR) : hit.start])
        around = [fold(match["word"]) for match in (behind, before) if match is not None]
        chosen = replacement
        for other in range(1, OTHER_NAMES):
            if not any(f"{fold(chosen)} {word}" in self._registry.by_name for word in around):
                break
            chosen = self._surrogates.given_name(text[hit.start : hit.end], other)
        return chosen

    def _score(
        self, text: str, hit: _Hit, form: Form, mention: str, context: Context, *, in_scope: bool
    ) -> float:
        if form.strength is Strength.STRONG:
            if form.kind is FindingKind.CITY and _TIME_BEHIND.match(text, hit.end):
                return 0
            return STRONG_SCORE + (0.001 if in_scope else 0)
        before = text[max(0, hit.start - 16) : hit.start]
        capital = mention[:1].isupper()
        if form.kind is FindingKind.LOGIN:
            return STRONG_SCORE if context.filename or _LOGIN_BEFORE.search(before) else 0
        if context.filename:
            return CAPITAL_SCORE if capital or in_scope or form.strength is Strength.CAPITAL else 0
        if not capital:
            return 0
        titled = form.part == "last" and bool(_TITLE_BEFORE.search(before))
        if titled:
            return STRONG_SCORE
        if form.kind is FindingKind.CITY and _TIME_BEHIND.match(text, hit.end):
            return 0
        if form.strength is Strength.CAPITAL:
            return CAPITAL_SCORE + (0.01 if in_scope else 0)
        ordinary = all(word in self._registry.vocabulary for word in flat(mention).split())
        if ordinary:
            alone = bool(_GREETING_BEFORE.search(before)) and _stands_alone(text, hit)
            return SCOPED_SCORE + 0.01 if in_scope and alone else 0
        if in_scope:
            return SCOPED_SCORE + 0.01
        return SCOPED_SCORE if form.kind is FindingKind.PERSON else 0


def _stands_alone(text: str, hit: _Hit) -> bool:
    behind = text[hit.end : hit.end + 1]
    return not behind or behind in ",.!:;\n-)'’" or text[hit.end : hit.end + 2] in (" \n", " -")
