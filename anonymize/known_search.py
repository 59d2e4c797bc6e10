"""The search of one text for all known forms at once, before anything around the text decides who is meant.

Belongs here: the automaton, the boundaries of a match, whom a text names beyond doubt and whom its context
must tell. Does not belong here: which of several namesakes a match means (`recognizers.known`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from anonymize.aligned import View, aligned
from anonymize.boundaries import is_glued_match, is_sound
from anonymize.findings import FindingKind
from anonymize.forms import flat
from anonymize.known_forms import SHORTEST_GLUED, Form, KnownForms, Strength
from anonymize.recognizers.base import Reading

OF_PERSONS = (FindingKind.PERSON, FindingKind.LOGIN, FindingKind.EMAIL)
OF_COMPANIES = (FindingKind.COMPANY, FindingKind.DOMAIN)
SHORTEST_GLUED_NAME = 7
"""Characters of a full name or identifier that counts inside a longer word."""
SHORTEST_FIRST = 3
MOST_SEEN = 16_384
"""Texts whose known forms are remembered."""


class Hit(NamedTuple):
    """A known form where it stands in a view."""

    start: int
    end: int
    forms: list[Form]
    number: int
    """Of the form among all."""
    glued: bool = False
    """Letters or digits touch it."""
    inner: bool = False
    """It stands behind "Mc" or the like, in what may be another family name."""


class Crowd(NamedTuple):
    """All who bear a form. What a form scores depends on its class and on whether its entity is in scope."""

    first: dict[int, Form]
    """Place -> form, the first of each class."""
    persons: dict[int, list[int]]
    """Person -> places of the forms."""
    companies: dict[int, list[int]]
    employer: int | None
    """The company that the form names, where it is one in any scope."""


class Seen(NamedTuple):
    """The known forms in one text, whatever is around it."""

    view: View
    hits: list[Hit]
    persons: tuple[int, ...]
    """Named beyond doubt."""
    companies: tuple[int, ...]


class KnownSearch:
    """An automaton over all forms of a registry."""

    def __init__(self, known: KnownForms) -> None:
        """Builds it once."""
        texts = sorted(known.forms)
        self._forms = [known.forms[text] for text in texts]
        self._automaton = AhoCorasick(texts) if texts else None
        self._contested: dict[int, tuple[frozenset[int], frozenset[int]]] = {}
        self._crowds: dict[int, Crowd] = {}
        self.seen = lru_cache(maxsize=MOST_SEEN)(self._seen)

    def _seen(self, text: str) -> Seen:
        view = aligned(text)
        hits = self._hits(view)
        sure = [hit.forms[0] for hit in hits if _is_settled(hit.forms)]
        return Seen(
            view,
            hits,
            tuple(dict.fromkeys(form.entity for form in sure if form.kind in OF_PERSONS)),
            tuple(dict.fromkeys(form.entity for form in sure if form.kind in OF_COMPANIES)),
        )

    def reading(self, text: str) -> Reading:
        """Returns whom a text may mean, as far as its context decides it, and whom it names in any case."""
        seen = self.seen(text)
        contested = [self._contest(number) for number in dict.fromkeys(hit.number for hit in seen.hits)]
        return Reading(
            tuple(persons for persons, _ in contested if persons),
            tuple(companies for _, companies in contested if companies),
            False,
            seen.persons,
            seen.companies,
        )

    def _contest(self, number: int) -> tuple[frozenset[int], frozenset[int]]:
        """Returns the persons and companies between whom scope decides for a form."""
        if number not in self._contested:
            forms = self._forms[number]
            open_forms = [] if _is_settled(forms) else forms
            self._contested[number] = (
                frozenset(form.entity for form in open_forms if form.kind in OF_PERSONS),
                frozenset(form.entity for form in open_forms if form.kind not in OF_PERSONS),
            )
        return self._contested[number]

    def crowd(self, hit: Hit) -> Crowd:
        """Returns the forms of a hit by what tells them apart."""
        if hit.glued:
            return crowd_of(hit.forms)
        if hit.number not in self._crowds:
            self._crowds[hit.number] = crowd_of(hit.forms)
        return self._crowds[hit.number]

    def _hits(self, view: View) -> list[Hit]:
        if self._automaton is None or not view.text:
            return []
        haystack = flat(view.text)
        hits = []
        for number, start, end in self._automaton.find_matches_as_indexes(haystack, overlapping=True):
            forms = self._forms[number]
            glued = inner = False
            bare = (not start or not haystack[start - 1].isalnum()) and not haystack[end : end + 1].isalnum()
            if not bare and not (is_sound(haystack, start) and is_sound(haystack, end)):
                inner = not is_glued_match(view.text, start, end)
                if inner and not is_glued_match(view.text, start, end, prefixed=True):
                    continue
                glued = True
                forms = [form for form in forms if _may_be_glued(form, end - start)]
                forms = [form for form in forms if form.part == "last"] if inner else forms
            if forms:
                hits.append(Hit(start, end, forms, number, glued, inner))
        if "," not in view.text and not any(hit.inner for hit in hits):
            return hits
        return [
            hit
            for hit in hits
            if not _is_next_of_list(view.text, hit, hits) and not (hit.inner and _is_covered(hit, hits))
        ]


def crowd_of(forms: list[Form]) -> Crowd:
    """Returns forms by class and entity."""
    first: dict[tuple[FindingKind, Strength, str, bool], int] = {}
    persons: dict[int, list[int]] = {}
    companies: dict[int, list[int]] = {}
    employer = None
    for place, form in enumerate(forms):
        first.setdefault((form.kind, form.strength, form.part, form.guessed), place)
        (persons if form.kind in OF_PERSONS else companies).setdefault(form.entity, []).append(place)
        if form.kind is FindingKind.COMPANY and form.strength >= Strength.CAPITAL:
            employer = form.entity
    return Crowd({place: forms[place] for place in first.values()}, persons, companies, employer)


def _is_settled(forms: list[Form]) -> bool:
    """Says whether forms stand for one entity in every context."""
    return len(forms) == 1 and forms[0].strength is Strength.STRONG


def _may_be_glued(form: Form, size: int) -> bool:
    """Says whether a form is telling enough to count where letters or digits touch it."""
    if form.kind is FindingKind.PERSON and not form.part:
        return size >= SHORTEST_GLUED_NAME
    if form.kind is FindingKind.IDENTIFIER:
        return size >= SHORTEST_GLUED_NAME
    if form.kind is FindingKind.LOGIN:
        return size >= SHORTEST_GLUED and form.strength is Strength.STRONG
    if form.part == "code":
        return True
    if form.part == "first" and form.kind is FindingKind.PERSON:
        return size >= SHORTEST_FIRST
    telling = form.kind is FindingKind.COMPANY or (form.kind is FindingKind.PERSON and form.part == "last")
    return telling and size >= SHORTEST_GLUED and form.strength >= Strength.CAPITAL


def _is_next_of_list(text: str, hit: Hit, hits: list[Hit]) -> bool:
    """Says whether "Lee, Ann" is the end of "Ann Lee" and the beginning of the next item of a list."""
    comma = text.find(",", hit.start, hit.end)
    if comma < 0 or hit.start == 0:
        return False
    entity = hit.forms[0].entity
    return any(
        other.start < hit.start and hit.start < other.end <= comma and other.forms[0].entity == entity
        for other in hits
    )


def _is_covered(hit: Hit, hits: list[Hit]) -> bool:
    """Says whether somebody is known by a whole word in which a hit stands: "McDonald" is no Donald."""
    return any(other.start < hit.start and hit.end <= other.end and not other.glued for other in hits)
