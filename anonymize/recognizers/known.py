"""Known entities in text: all surface forms at once, settled by letter case and participants."""

from __future__ import annotations

import re
from typing import NamedTuple

from anonymize.aligned import View, fitted
from anonymize.findings import Context, Finding, FindingKind
from anonymize.forms import flat, like
from anonymize.known_forms import SHORTEST_SINGLE, Form, KnownForms, Strength
from anonymize.known_search import OF_PERSONS, SHORTEST_FIRST, Crowd, Hit, KnownSearch
from anonymize.recognizers.base import ContextRecognizer, Reading
from anonymize.registry import Registry
from anonymize.surrogates import Surrogates
from anonymize.words import family_names, ordinary_words
from contracts.names import fold

STRONG_SCORE = 0.95
CAPITAL_SCORE = 0.72
SCOPED_SCORE = 0.7
GUESSED_LESS = 0.002
"""By so much a nickname gives way to whoever in scope is called so."""
CALLED_MORE = 0.015
"""By so much the first name of somebody in scope outweighs the family name of somebody who is not."""
LONGEST_NEIGHBOUR = 40
FEW_FORMS = 3
"""So many namesakes are compared one by one."""
OTHER_NAMES = 50
"""First names tried until one does not spell a registered name with its neighbours."""

_TITLE_BEFORE = re.compile(r"(?:\b(?:Mr|Ms|Mrs|Miss|Dr|Prof|Herr|Frau|Herrn|Hr|Hrn|Fr|Fa|Sir|Madam)\.?\s+)$")
_WEB_BEFORE = re.compile(r"(?:://|\\\\|www\.)$")
_COMPANY_BEHIND = re.compile(r"\s*(?:,|\(|@|/|\b(?:of|from|at|with|von|bei|der|aus)\b)?\s*(?:the |der )?")
_GREETING_BEFORE = re.compile(
    r"(?:\b(?:hi|hello|hey|dear|hallo|morning|afternoon|evening|thanks|thank you|cheers|regards|best|yours|"
    r"sincerely|ask|cc|with|and|from|to|by|for|per|tell|ping)\b[,!]?\s+|^\s*|[\n@~]\s*|[-–—/]\s?)$",
    re.IGNORECASE,
)
_LOGIN_BEFORE = re.compile(r"(?:[\\@~/]|\b(?:login|user|username|account|uid)\b\W{0,3})$", re.IGNORECASE)
_WORD = r"(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)"
_SUFFIX = r"(?:Jr|Sr|II|III|IV)\b\.?"
_WORD_BEHIND = re.compile(rf"[\s,._-]{{0,2}}{_WORD}")
_WORD_BEFORE = re.compile(rf"{_WORD}[\s,._-]{{0,2}}$")
_SUFFIX_BEHIND = re.compile(rf",?\s+{_SUFFIX},\s*{_WORD}")
_SUFFIX_BEFORE = re.compile(rf"{_WORD},?\s+{_SUFFIX},\s*$")
_GENITIVE_BEHIND = re.compile(r"s (?=[A-ZÄÖÜ])")
_TIME_BEHIND = re.compile(r"\s+time\b", re.IGNORECASE)


_SINGLE = (FindingKind.PERSON, FindingKind.COMPANY, FindingKind.CITY)
SHORTEST_LOWER = 4
SHORTEST_LONE_LOWER = 6
"""Letters of a single name that counts in lower case: among its own people, and anywhere."""


class _Scopes(NamedTuple):
    persons: dict[int, int]
    """Person -> rank: the lower, the nearer."""
    companies: dict[int, int]


def _contenders(hit: Hit, crowd: Crowd, scopes: _Scopes) -> list[Form]:
    """Returns the forms of which one can win: of namesakes alike those in scope, and the first one."""
    chosen = set(crowd.first)
    for entities, members in ((scopes.persons, crowd.persons), (scopes.companies, crowd.companies)):
        for entity in entities if len(entities) < len(members) else members:
            if entity in entities and entity in members:
                chosen.update(members[entity])
    return [hit.forms[place] for place in sorted(chosen)]


def _ranks(entities: dict[int, None]) -> dict[int, int]:
    return {entity: rank for rank, entity in enumerate(entities)}


class KnownEntityRecognizer(ContextRecognizer):
    """Finds registered persons, companies, logins, domains, places and identifiers."""

    KINDS = (
        FindingKind.PERSON,
        FindingKind.COMPANY,
        FindingKind.LOGIN,
        FindingKind.EMAIL,
        FindingKind.DOMAIN,
        FindingKind.STREET,
        FindingKind.CITY,
        FindingKind.IDENTIFIER,
    )

    def __init__(self, known: KnownForms, surrogates: Surrogates) -> None:
        """Builds the automaton over all forms."""
        super().__init__()
        self._registry: Registry = surrogates.registry
        self._surrogates = surrogates
        self._search = KnownSearch(known)

    def reading(self, text: str) -> Reading:
        """Returns whom a text may mean, as far as its context decides it, and whom it names in any case."""
        return self._search.reading(text)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns known entities; single names only where participants or a form of address back them."""
        view, hits, named_persons, named_companies = self._search.seen(text)
        if not hits:
            return []
        persons = dict.fromkeys((*context.persons, *named_persons))
        companies = dict.fromkeys((*context.companies, *named_companies))
        scopes = _Scopes(_ranks(persons), _ranks(companies))
        shared = any(len(hit.forms) > 1 for hit in hits)
        employers = self._companies_at(hits) if shared else {}
        findings = []
        for hit in hits:
            around = scopes
            if len(hit.forms) > 1:
                named = self._named_behind(view, hit, employers) or self._named_beside(view, hit)
                if named:
                    around = scopes._replace(persons=_ranks(dict.fromkeys([*named, *persons])))
            finding = self._finding(view.text, hit, context, around)
            if finding is not None:
                if view.starts is not None:
                    finding.start, finding.end = view.raw(hit.start, hit.end)
                    written, seen = text[finding.start : finding.end], view.text[hit.start : hit.end]
                    finding.replacement = fitted(written, seen, finding.replacement)
                findings.append(finding)
        return findings

    def _companies_at(self, hits: list[Hit]) -> dict[int, int]:
        """Returns where companies stand: start -> company."""
        employers = ((hit.start, self._search.crowd(hit).employer) for hit in hits)
        return {start: employer for start, employer in employers if employer is not None}

    def _named_behind(self, view: View, hit: Hit, employers: dict[int, int]) -> list[int]:
        """Returns the namesakes who work for the company right behind their name."""
        if not employers:
            return []
        gap = _COMPANY_BEHIND.match(view.text, hit.end)
        company = employers.get(gap.end()) if gap is not None and gap.end() > hit.end else None
        if company is None:
            return []
        return [
            form.entity
            for form in hit.forms
            if form.kind is FindingKind.PERSON and company in self._registry.persons[form.entity].companies
        ]

    def _named_beside(self, view: View, hit: Hit) -> list[int]:
        """Returns whose full name a single name and the other one beside its suffix spell: "Lee Jr., Ann"."""
        before = view.text[max(0, hit.start - LONGEST_NEIGHBOUR) : hit.start]
        beside = _SUFFIX_BEHIND.match(view.text, hit.end) or _SUFFIX_BEFORE.search(before)
        if beside is None:
            return []
        words = fold(view.text[hit.start : hit.end]), fold(beside["word"])
        spelt = {p for one in (words, words[::-1]) for p in self._registry.by_name.get(" ".join(one), ())}
        return [form.entity for form in hit.forms if form.kind is FindingKind.PERSON and form.entity in spelt]

    def mentioned(self, text: str) -> tuple[int, ...]:
        """Returns the persons that a text names beyond doubt."""
        return self._search.seen(text).persons

    def _finding(self, text: str, hit: Hit, context: Context, scopes: _Scopes) -> Finding | None:
        mention = text[hit.start : hit.end]
        best: tuple[float, int, Form, float] | None = None
        few = len(hit.forms) <= FEW_FORMS
        for form in hit.forms if few else _contenders(hit, self._search.crowd(hit), scopes):
            scope = scopes.persons if form.kind in OF_PERSONS else scopes.companies
            rank = scope.get(form.entity, len(scope))
            strange = form.part == "first" and form.kind in OF_PERSONS and rank == len(scope)
            if hit.glued and strange and not _is_genitive(text, hit):
                continue  # "MavenProject" is somebody's first name only where somebody is called so
            score = self._score(text, hit, form, mention, context, in_scope=rank < len(scope))
            score -= GUESSED_LESS if form.guessed and score else 0
            called = form.part == "first" and form.kind is FindingKind.PERSON and rank < len(scope)
            weight = score + (CALLED_MORE if called and not form.guessed else 0)
            if score and (best is None or (weight, -rank) > (best[0], -best[1])):
                best = (weight, rank, form, score)
        if best is None:
            return None
        _, rank, form, score = best
        replacement = form.replacement
        if (
            form.part == "first"
            and form.kind is FindingKind.PERSON
            and rank >= len(scopes.persons)
            and len(hit.forms) > 1
        ):
            replacement = self._surrogates.given_name(mention)
        if form.part == "first" and form.kind is FindingKind.PERSON:
            replacement = self._unlike_neighbours(text, hit, replacement)
        if form.part == "last" and self._spells_somebody(replacement, _words_around(text, hit)):
            replacement = self._surrogates.persons[form.entity].second_family
        if form.kind in (FindingKind.IDENTIFIER, FindingKind.STREET, FindingKind.EMAIL):
            return Finding(form.kind, hit.start, hit.end, score, replacement)
        return Finding(form.kind, hit.start, hit.end, score, like(mention, replacement))

    def _unlike_neighbours(self, text: str, hit: Hit, replacement: str) -> str:
        """Returns a first name that, beside the words around it, spells no registered person's name.

        "Tom" in "Hi Tom May I ask" may become "Eve" unless an Eve May is registered.
        """
        around = _words_around(text, hit)
        chosen = replacement
        for other in range(1, OTHER_NAMES):
            if not self._spells_somebody(chosen, around):
                break
            chosen = self._surrogates.given_name(text[hit.start : hit.end], other)
        return chosen

    def _spells_somebody(self, word: str, around: list[str]) -> bool:
        names = self._registry.by_name
        return any(f"{fold(word)} {other}" in names or f"{other} {fold(word)}" in names for other in around)

    def _score(
        self, text: str, hit: Hit, form: Form, mention: str, context: Context, *, in_scope: bool
    ) -> float:
        if form.strength is Strength.STRONG:
            if form.kind is FindingKind.CITY and _TIME_BEHIND.match(text, hit.end):
                return 0
            return STRONG_SCORE + (0.001 if in_scope else 0)
        before = text[max(0, hit.start - 16) : hit.start]
        capital = _begins_large(mention)
        if form.kind is FindingKind.LOGIN:
            return STRONG_SCORE if context.filename or _LOGIN_BEFORE.search(before) else 0
        if context.filename and form.part != "code":
            return CAPITAL_SCORE if capital or in_scope or form.strength is Strength.CAPITAL else 0
        ordinary = all(word in self._registry.vocabulary for word in flat(mention).split())
        if form.part == "code" and context.filename:
            return CAPITAL_SCORE
        if form.part == "code":
            exact = capital and not any(char.islower() for char in mention)
            return CAPITAL_SCORE if exact or (in_scope and capital) else 0
        if form.part == "initials":
            return SCOPED_SCORE if in_scope and mention.isupper() else 0
        if form.part == "initial" and not capital:
            return CAPITAL_SCORE if "." in mention and not ordinary and hit.end - hit.start > 6 else 0
        if form.part == "initial" and not mention.rstrip(".")[-1].isupper() and mention[-2:-1] in " .":
            return 0
        titled = form.part == "last" and bool(_TITLE_BEFORE.search(before))
        if titled:
            return STRONG_SCORE
        if not capital:
            size = hit.end - hit.start
            lone = form.strength is Strength.CAPITAL and size >= SHORTEST_LONE_LOWER
            lower = not ordinary and (lone or (in_scope and size >= SHORTEST_LOWER))
            web = form.kind is FindingKind.COMPANY and bool(_WEB_BEFORE.search(before))
            return SCOPED_SCORE + 0.01 if web or (lower and form.kind in _SINGLE) else 0
        if form.kind is FindingKind.CITY and _TIME_BEHIND.match(text, hit.end):
            return 0
        if form.strength is Strength.CAPITAL:
            return CAPITAL_SCORE + (0.01 if in_scope else 0)
        if ordinary:
            alone = bool(_GREETING_BEFORE.search(before)) and _stands_alone(text, hit)
            return SCOPED_SCORE + 0.01 if in_scope and alone else 0
        if in_scope:
            return SCOPED_SCORE + 0.01
        least = SHORTEST_SINGLE if form.part == "last" else SHORTEST_FIRST
        short = hit.end - hit.start < least and mention.isascii()
        return SCOPED_SCORE if form.kind is FindingKind.PERSON and not short else 0


def _is_genitive(text: str, hit: Hit) -> bool:
    """Says whether a name stands in the German genitive: "Katharinas Rechner", but not "Peters Meier"."""
    if (hit.start and text[hit.start - 1].isalnum()) or not _GENITIVE_BEHIND.match(text, hit.end):
        return False
    word = fold(text[hit.start : hit.end + 1])
    return word not in family_names() and word not in ordinary_words()


def _words_around(text: str, hit: Hit) -> list[str]:
    behind = _WORD_BEHIND.match(text, hit.end)
    before = _WORD_BEFORE.search(text[max(0, hit.start - LONGEST_NEIGHBOUR) : hit.start])
    return [fold(match["word"]) for match in (behind, before) if match is not None]


def _begins_large(mention: str) -> bool:
    """Says whether a mention begins as names do: by a capital, or a digit or letter without case."""
    first = mention[:1]
    if first.isdigit():
        return not any(char.islower() for char in mention)
    return first.isupper() or (first.isalpha() and first.lower() == first.upper())


def _stands_alone(text: str, hit: Hit) -> bool:
    behind = text[hit.end : hit.end + 1]
    return not behind or behind in ",.!:;\n-)'’" or text[hit.end : hit.end + 2] in (" \n", " -")
