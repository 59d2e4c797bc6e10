"""People who stand in a text by one name: under a closing, in a greeting, behind words that tell of people.

Belongs here: where a single name may stand, who is registered for it, and names in such places that no
registry may hold since they are words besides ("Thanks, Will"). Does not belong here: full names
(`addressed`), names under the headings of a table (`listed_names`), initials (`spoken_initials`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from anonymize.findings import Context, Finding, FindingKind
from anonymize.forms import PersonName, like, parse_person, words_of
from anonymize.prefilter import Prefilter, Sign
from anonymize.recognizers.addressed import NO_NAMES, WORD_NAMES
from anonymize.recognizers.base import ContextRecognizer
from anonymize.recognizers.family_places import FAMILY
from anonymize.recognizers.listed_names import SIGN, listed_people
from anonymize.recognizers.lone_places import ALL as FIRST
from anonymize.recognizers.lone_places import SURE as SURE_FIRST
from anonymize.recognizers.lone_places import Place, Spot, sign_of, spots, told_of
from anonymize.recognizers.things import is_thing
from anonymize.registry import Registry
from anonymize.surrogates import Surrogates
from anonymize.words import called_names, family_names, ordinary_words, word_list, word_set
from contracts.names import fold

ALL = (*FIRST, *FAMILY)
SURE = (*SURE_FIRST, *FAMILY)
SCORE = 0.69
"""Below every registered name."""
SHORTEST = 2
LONGEST_CODE = 4
"""Capitals that abbreviate something, unless people are called so."""
_PREFILTER = Prefilter([(SIGN,), *((sign_of(pattern),) for pattern, _ in ALL)])
_SHORT_FORMS = (
    frozenset(
        word_list(
            """
    tobi jo uli susi steffi micha basti flo alex chris niko matze andi ani anni berni betti biggi caro conny
    didi dodo edi elli fabi fredi gabi gabri geli gitti günni guni hajo hanno hansi heini helmi henni hubi
    jojo juli kalle kati klausi lenni leni lisi lotti luki manni maxi michi mimi moni nati nico olli ossi
    pauli rudi sebi sigi steff stephi susi tini toni ulli uschi vroni wolle ziska
    """
        )
    )
    - ordinary_words()
)
"""Short forms of first names that the pools lack."""
_PLACES = frozenset(
    word_list(
        """
    austin virginia georgia francisco dakota carolina florence mercedes german sierra houston dallas chelsea
    sydney madison jordan israel china india regina paris santiago jackson charlotte washington lincoln
    brooklyn savannah victoria alberta adelaide asia america montana nevada arizona kenya cuba roma siena
    verona vienna milan orlando angeles
    """
    )
)
"""Places and makes that people are called by as well: in mid-sentence they are no names of people."""
_CALENDAR = frozenset(word_list("april may june august summer autumn mai juni juli"))


def is_called(folded: str) -> bool:
    """Says whether people are called by a word, in full or for short."""
    return folded in called_names() or folded in _SHORT_FORMS


_INITIAL = re.compile(r"(?<=\b[^\W\d_])\. ?(?=\w)")


class LoneName(NamedTuple):
    """A single name, or a full one beside such a place, where it stands."""

    start: int
    end: int
    name: PersonName


class LoneNames:
    """Decides which of the words in such places are names."""

    def __init__(self, registry: Registry, plain: frozenset[str] = frozenset()) -> None:
        """`plain` are words of a language that name nobody."""
        self._judged: dict[tuple[str, Place], bool] = {}
        self._ordinary = registry.vocabulary | ordinary_words()
        self._plain = plain | self._ordinary
        self._cities = {fold(city) for city in registry.cities} | word_set("zone_cities")
        self._companies = {word for company in registry.companies for name in company.names
                           for word in words_of(name.core)}  # fmt: skip

    def names(
        self, text: str, patterns: Iterable[tuple[re.Pattern[str], Place]] = ALL, *, listed: bool = True
    ) -> Iterator[LoneName]:
        """Yields the names of one text that stand in such places, and in tables where `listed`."""
        for spot in spots(text, patterns):
            words = spot.text.split()
            if text[spot.end : spot.end + 1] == "s" and self._is_whole(fold(spot.text) + "s"):
                continue  # "Peters Meier" tells of no Peter
            if len(words) == 1 and "." not in spot.text and self.is_name(spot.text, spot.place):
                first = spot.place is not Place.TITLED and not self._is_family(spot)
                one = PersonName(spot.text, "", "") if first else PersonName("", "", spot.text)
                yield LoneName(spot.start, spot.end, one)
            elif (len(words) > 1 or "." in spot.text) and spot.place in (Place.CLOSED, Place.LABELLED):
                name = parse_person(_INITIAL.sub(". ", spot.text))
                if name is not None and name.last and self._is_full(name):
                    yield LoneName(spot.start, spot.end, name)
        for start, end, written, sure in listed_people(text) if listed else ():
            if written.first and written.last:
                is_name = self._is_listed(written)
            else:
                is_name = self.is_name(written.full, Place.LABELLED)
            if is_name and sure:
                yield LoneName(start, end, written)

    def is_name(self, word: str, place: Place) -> bool:
        """Says whether a single word is a name in a place: known first names anywhere, others in some."""
        known = self._judged.get((word, place))
        if known is None:
            known = self._judged[word, place] = self._is_name(word, place)
        return known

    def _is_name(self, word: str, place: Place) -> bool:
        folded = fold(word)
        if len(folded) < SHORTEST or not word[0].isupper() or self.is_nobody(folded):
            return False
        called = is_called(folded)
        if word.isupper() and len(word) <= LONGEST_CODE and not called:
            return False
        if place is Place.TOLD or place is Place.HEADED:
            places = folded in self._cities or folded in _PLACES
            code = word.isupper() and len(word) <= LONGEST_CODE
            return called and not (places or code or self._is_plain(folded))
        if called or (folded in WORD_NAMES and place is not Place.LABELLED):
            return folded not in _CALENDAR or place is not Place.LABELLED
        if folded in family_names():
            return place is not Place.GREETED or not self._is_plain(folded)
        return not self._is_plain(folded) and folded not in self._cities

    def _is_whole(self, word: str) -> bool:
        """Says whether a word that ends in s is one by itself, and no genitive."""
        return word in called_names() | family_names() or self._is_plain(word)

    def is_nobody(self, folded: str) -> bool:
        """Says whether a word stands for a thing, a function, a day or a company."""
        return (
            folded in NO_NAMES
            or is_thing(folded)
            or folded in word_set("roles")
            or (folded in self._companies and not is_called(folded))
        )

    def is_ordinary(self, folded: str) -> bool:
        """Says whether a word is an ordinary one in this archive, so that it cannot be registered alone."""
        return folded in self._ordinary

    def _is_full(self, name: PersonName) -> bool:
        first, last = fold(name.first.rstrip(".")), fold(name.last)
        if any(self.is_nobody(word) for word in (first, *last.split())) or last in self._cities:
            return False
        if len(first) == 1:
            return self.is_name(name.last, Place.LABELLED)
        plain = [self._is_plain(word) for word in (first, last)]
        return not any(plain) or (is_called(first) and not (plain[0] and plain[1]))

    def _is_listed(self, name: PersonName) -> bool:
        """Says whether a full name under a heading for people is one: one of its words is no plain one."""
        words = words_of(f"{name.first} {name.last}")
        return not all(self._is_plain(word) or self.is_nobody(word) for word in words)

    def _is_family(self, spot: Spot) -> bool:
        folded = fold(spot.text)
        behind_label = spot.place is Place.LABELLED and not is_called(folded)
        return behind_label or (folded in family_names() and not is_called(folded))

    def _is_plain(self, word: str) -> bool:
        return all(part in self._plain or part in NO_NAMES for part in words_of(word))


def lone_names(
    texts: Iterable[str], registry: Registry, plain: frozenset[str], full: Iterable[PersonName] = ()
) -> frozenset[PersonName]:
    """Returns the people whom texts call by one name, and who bear no name that is known in full.

    A word that stands behind an article anywhere is a thing, unless people are called so.
    """
    judge = LoneNames(registry, plain)
    texts = list(texts)
    found: set[PersonName] = set()
    for text, searches in zip(texts, _PREFILTER.masks(texts), strict=True):
        patterns = [one for place, one in enumerate(ALL, 1) if searches >> place & 1]
        for one in judge.names(text, patterns, listed=bool(searches & 1)) if searches else ():
            word = fold(one.name.last or one.name.first)
            if (one.name.first and one.name.last) or not judge.is_ordinary(word):
                found.add(one.name)
    found = _without_things(found, texts)
    known = {name for person in registry.persons for name in person.names} | set(full)
    found -= {name for name in found if name.key in registry.by_name}
    return unborne(found, known)


def unborne(found: Iterable[PersonName], known: Iterable[PersonName] = ()) -> frozenset[PersonName]:
    """Returns names without the single ones that somebody bears who is called by more than that."""
    found = set(found)
    whole = [name for name in {*known, *found} if name.first and name.last]
    firsts, lasts = {fold(name.first) for name in whole}, {fold(name.last) for name in whole}
    borne = firsts | lasts
    alone = {fold(name.last) for name in found if not name.first}
    return frozenset(
        name
        for name in found
        if (name.first and name.last)
        or (fold(name.full) not in borne and not (name.first and fold(name.first) in alone))
    )


def _without_things(found: set[PersonName], texts: list[str]) -> set[PersonName]:
    """Returns the names of which no text speaks as of a thing: "the Zorb", "eine Zange"."""
    open_ = {name.full for name in found if not (name.first and name.last) and not is_called(fold(name.full))}
    things: set[str] = set()
    for text in texts if open_ else ():
        things.update(word for word in _ARTICLE.findall(text) if word in open_)
    return {name for name in found if name.full not in things}


_ARTICLE = re.compile(
    r"\b(?:[Tt]he|[Aa]|[Tt]his|[Oo]ur|[Yy]our|[Dd](?:er|ie|as|en|em|es)|[Ee]ine?[mnrs]?|[Uu]nsere?[mnrs]?"
    r"|[Ii]hre?[mnrs]?|[Kk]eine?[mnrs]?|zu[rm]|[Ii]m|[Aa]m|[Bb]eim|[Vv]om|[Ii]ns) ([^\W\d_]+)"
)


class LoneNameRecognizer(ContextRecognizer):
    """Finds single names in such places that stand for nobody elsewhere: ordinary words and short ones."""

    KINDS = (FindingKind.PERSON,)

    def __init__(self, surrogates: Surrogates) -> None:
        """Takes the registry of the surrogates: single names that it holds are replaced by theirs."""
        super().__init__()
        self._surrogates = surrogates
        registry = surrogates.registry
        self._judge = LoneNames(registry)
        self._single: dict[str, str] = {}
        for index, person in enumerate(registry.persons):
            for name in person.names:
                if not (name.first and name.last) and name.full:
                    new = surrogates.variant(index, name)
                    self._single.setdefault(fold(name.full), new.first or new.last)
        called = {*called_names(), *_SHORT_FORMS, *self._single}
        short = {name.title() for name in called if len(name) == SHORTEST and name.isalpha()}
        self._patterns = (*SURE, (told_of(short), Place.TOLD))

    def signs(self) -> tuple[Sign, ...]:
        """Returns the patterns of the places."""
        return (SIGN, *(sign_of(pattern) for pattern, _ in self._patterns))

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns the single names of a text by which people are called, and those that are registered."""
        findings = []
        for start, end, name in self._judge.names(text, self._patterns):
            folded = fold(name.full)
            single = self._single.get(folded)
            called = is_called(folded) or folded in WORD_NAMES
            if (single or called) and start < end:
                new = single or self._surrogates.given_name(name.full)
                findings.append(Finding(FindingKind.PERSON, start, end, SCORE, like(text[start:end], new)))
        return findings
