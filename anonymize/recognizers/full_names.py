"""Full names of persons whom no column knows: a first name beside a word that nothing explains.

Belongs here: how such a mention is written and what may be a family name in it. A known first name
would otherwise be replaced alone, beside the raw family name. Does not belong here: who it is (`resolution`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from anonymize.findings import Context, Finding, FindingKind
from anonymize.forms import PersonName, parse_person
from anonymize.recognizers.base import ContextRecognizer
from anonymize.recognizers.known import STRONG_SCORE
from anonymize.recognizers.things import things
from anonymize.registry import Registry
from anonymize.words import called_names, family_names, nicknames, word_list, word_set
from contracts.names import fold

_WORD = r"[A-ZÀ-ÖØ-ÞŠŽŁ](?:[^\W\d_]*(?:['’-][^\W\d_]+)*)"
_PARTICLE = r"(?:von|van|de|der|den|del|della|di|da|dos|du|la|le|ter|ten|zu|bin|al|el)"
_GAP = r"(?: {1,2}|_|\.(?!\s)|\. |-)"
_CHAIN = re.compile(rf"(?<![\w@&/'’])(?<!\w-){_WORD}(?:{_GAP}(?:{_WORD}|{_PARTICLE}(?=[ _])))+")
_PIECE = re.compile(rf"(?P<word>{_WORD}|{_PARTICLE}(?=[ _]))(?P<gap>{_GAP})?")
_TURNED = re.compile(
    rf"(?<![\w@&/'’-])(?P<last>(?:{_PARTICLE} )?{_WORD}), ?"
    rf"(?P<first>{_WORD})(?P<middle> [A-Z]\b\.?)?(?![\w@'’-])"
)
_LIST_START = re.compile(r"(?:^|[;:\"<>(\[|\t•]|\b(?:from|to|cc|bcc|by|with|and|von|an))\s*$", re.IGNORECASE)
_LIST_END = re.compile(r"\s*(?:$|[;\"<>)\[|\t/])")
_PHRASE_END = re.compile(r"(?:['’]s\b)?(?:$|\s*[,.;:!?)\]>\"<]|\s*$)")
_INNER_CAPITAL = re.compile(r"^(?!Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|O['’])[^\W_]*[a-zà-ÿ][A-ZÀ-Þ]")
_SHORT_CALENDAR = frozenset(
    word_list(
        """
    mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec
    """
    )
)
MOST_WORDS = 4


class NameWords(NamedTuple):
    """Which words are first names, family names and ordinary words in one archive."""

    firsts: frozenset[str]
    families: frozenset[str]
    ordinary: frozenset[str]

    @classmethod
    def of(cls, registry: Registry, plain: frozenset[str] = frozenset()) -> NameWords:
        """Returns the words of the pools and of the registered persons; `plain` are a language's words."""
        firsts = {fold(name.first) for person in registry.persons for name in person.names if name.last}
        families = {fold(name.last) for person in registry.persons for name in person.names if name.first}
        ordinary = registry.vocabulary | plain
        named = {first for first in firsts if len(first.rstrip(".")) > 1 and first.isalpha()}
        return cls(
            called_names() | (named - ordinary),
            family_names() | frozenset(family for family in families if len(family) > 1),
            ordinary | word_set("common_words") | word_set("roles") | _SHORT_CALENDAR,
        )

    def is_first(self, word: str) -> bool:
        """Says whether a word is a first name, alone or joined by a hyphen, and no ordinary word."""
        folded = fold(word)
        parts = folded.split("-")
        known = folded in self.firsts or (len(parts) == 2 and all(part in self.firsts for part in parts))
        return known and folded not in self.ordinary

    def is_family(self, word: str, first: str, *, at_end: bool) -> bool:
        """Says whether a word behind a first name is a family name; `at_end`: the phrase ends with it.

        An ordinary word is one where it is a family name besides and ends its phrase ("ask Tom Cook."),
        since mails also run on without a stop ("Hi Tom Cook it well").
        """
        folded = fold(word)
        if len(folded) < 2 or not word[0].isupper():
            return False
        if folded in word_set("common_words") or folded in word_set("roles") or folded in _SHORT_CALENDAR:
            return False
        if folded in things():
            return False
        if folded in self.ordinary:
            return at_end and folded in self.families and len(folded) > 3
        if folded in self.families:
            return True
        if folded in self.firsts or folded in word_set("zone_cities") or _INNER_CAPITAL.match(word):
            return False
        return not (word.isupper() and len(word) > 1 and not first.isupper())


def unknown_full_names(line: str, words: NameWords) -> Iterator[tuple[int, int, PersonName]]:
    """Yields (start, end, name) of every full name in a line: "First [M.] [van] Family", "Family, First"."""
    for chain in _CHAIN.finditer(line):
        yield from _in_chain(line, chain.start(), chain.end(), words)
    for match in _TURNED.finditer(line):
        last, first = match["last"].rpartition(" ")[2], match["first"]
        if not words.is_first(first):
            continue
        listed = bool(_LIST_START.search(line, 0, match.start())) and bool(_LIST_END.match(line, match.end()))
        sure = fold(last) in words.families - words.firsts - word_set("zone_cities")
        if (listed or sure) and words.is_family(last, first, at_end=listed):
            yield from _parsed(match.start(), match.end(), match.group())


def _in_chain(line: str, start: int, end: int, words: NameWords) -> Iterator[tuple[int, int, PersonName]]:
    pieces = [piece for piece in _PIECE.finditer(line, start, end) if piece["word"]]
    place = 0
    while place < len(pieces):
        named = words.is_first(_bare(pieces[place]["word"]))
        stop = _name_end(line, pieces, place, words) if named else place
        if stop > place:
            written = [_bare(piece["word"]) for piece in pieces[place : stop + 1]]
            last = pieces[stop]
            until = last.start("word") + len(written[-1])
            yield from _parsed(pieces[place].start("word"), until, " ".join(written))
        place = max(stop, place) + 1


def _name_end(line: str, pieces: list[re.Match[str]], place: int, words: NameWords) -> int:
    """Returns the place of a name's last word, or `place` where the first name stands alone."""
    first = pieces[place]["word"]
    best = place
    for at in range(place + 1, min(len(pieces), place + MOST_WORDS)):
        before, word = pieces[at - 1], pieces[at]["word"]
        if before["gap"] == ". " and len(before["word"]) > 1:
            break  # the stop ends a sentence, unless it stands behind an initial
        if before["word"] != _bare(before["word"]):
            break  # a possessive ends a name
        bare = _bare(word)
        at_end = at == len(pieces) - 1 and bool(_PHRASE_END.match(line, pieces[at].start("word") + len(bare)))
        if words.is_family(bare, first, at_end=at_end) and (
            best == place
            or fold(bare) in words.families - words.ordinary
            or words.is_first(_bare(pieces[best]["word"]))
        ):
            best = at
        elif best > place or not (len(bare) == 1 or word.islower() or words.is_first(bare)):
            break
    return best


def _bare(word: str) -> str:
    return re.sub(r"['’][sS]?$", "", word)


def _parsed(start: int, end: int, written: str) -> Iterator[tuple[int, int, PersonName]]:
    name = parse_person(written)
    if name is not None and name.first and name.last:
        yield start, end, name


def certain(findings: Iterable[Finding]) -> list[tuple[int, int]]:
    """Returns the spans of findings that are no guess at a single name, which a full name outweighs."""
    return [
        (finding.start, finding.end)
        for finding in findings
        if finding.entity_type != FindingKind.PERSON or finding.score >= STRONG_SCORE
    ]


def named_lines(texts: Iterable[str]) -> list[str]:
    """Returns the distinct lines of texts, without quote marks, in which a full name may stand."""
    lines = dict.fromkeys(
        line.strip(" >\t|*-") for text in texts for line in re.split(r"[\n\r]+", text)
    )  # fmt: skip
    return [line for line in lines if _CHAIN.search(line) or _TURNED.search(line)]


def new_full_names(
    lines: Iterable[str],
    known: list[ContextRecognizer],
    registry: Registry,
    plain: frozenset[str] = frozenset(),
) -> frozenset[PersonName]:
    """Returns the full names in lines (`named_lines`) that the registry lacks and nothing else explains."""
    words, called = NameWords.of(registry, plain), _called(registry)
    found: set[PersonName] = set()
    for line in lines:
        names = [hit for hit in unknown_full_names(line, words) if hit[2].key not in registry.by_name]
        if not names:
            continue
        taken = certain(f for recognizer in known for f in recognizer.find(line, Context()))
        found.update(
            name
            for start, end, name in names
            if not any(a < end and start < b for a, b in taken) or _is_called(name, called)
        )
    return frozenset(found)


def _called(registry: Registry) -> dict[str, set[int]]:
    """Returns nickname and family name -> the persons whom they may mean, by their first names."""
    found: dict[str, set[int]] = {}
    for place, person in enumerate(registry.persons):
        for name in person.names:
            for nickname in nicknames().get(fold(name.first), ()) if name.last else ():
                found.setdefault(f"{fold(nickname)} {fold(name.last)}", set()).add(place)
    return found


def _is_called(name: PersonName, called: dict[str, set[int]]) -> bool:
    """Says whether a name is a nickname of one person only, who is so seen to be called by it."""
    return len(called.get(name.key, ())) == 1
