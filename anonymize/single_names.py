"""Single names in text: family names, companies and first names that replacement did not write.

Belongs here: the words that tell somebody alone, and the search for them outside the spans of the ledger.
Words are runs of letters, also inside a longer run where letter case changes; no boundary, letter case rule
or learned word of replacement is used. Does not belong here: full names, numbers and addresses (`leaks`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import polars as pl
from ahocorasick_rs import AhoCorasick

from anonymize.column_audit import specs_of
from anonymize.constants import NAME_PARTS, bare, runs, words
from anonymize.leaks import cells_of, texts_of
from anonymize.ledger import Ledger
from anonymize.registry import Registry
from anonymize.words import called_names, known_names, ordinary_words, word_set
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

SHORTEST_FAMILY = 4
SHORTEST_COMPANY = 5
SHORTEST_FIRST = 3
_HEADERS = ("from_address", "to", "cc", "bcc", "reply_to")
_MAIL_TEXT = ("subject", "body_own", "body_quoted", "body_signature")


Piece = tuple[int, int, str]
"""Start, end and compared word."""


@dataclass(frozen=True)
class SingleNames:
    """The words that tell somebody alone."""

    everywhere: frozenset[str]
    by_address: dict[str, frozenset[str]]
    """Address -> words of its owner that count where that person takes part."""

    @cached_property
    def telling(self) -> frozenset[str]:
        """All words that tell somebody somewhere."""
        return self.everywhere.union(*self.by_address.values())

    @classmethod
    def of(cls, registry: Registry) -> SingleNames:
        """Returns the telling words of a registry, those that were given out elsewhere among them."""
        ordinary = {bare(word) for word in ordinary_words() | word_set("zone_cities")} | NAME_PARTS
        ordinary |= {word for city in word_set("zone_cities") for word in words(city)}
        firsts = {bare(name) for name in known_names()}
        found: set[str] = set()
        own: list[frozenset[str]] = []
        for person in registry.persons:
            lasts = {
                word
                for name in person.names
                if name.first and _is_name(name.last)
                for word in words(name.last)
            }
            found |= {word for word in lasts if len(word) >= SHORTEST_FAMILY and word not in _pool_firsts()}
            first = {word for name in person.names if name.last for word in words(name.first)}
            own.append(frozenset(word for word in first | lasts if len(word) >= SHORTEST_FIRST) - ordinary)
        for company in registry.companies:
            for name in company.names:
                core = words(name.core)
                if core and len(core[0]) >= SHORTEST_COMPANY and core[0] not in firsts:
                    found.add(core[0])
        by_address = {address: own[person] for address, person in registry.by_address.items()}
        return cls(frozenset(found - ordinary), by_address)


def _is_name(text: str) -> bool:
    """Says whether a family name is written as one: "Epsa.Org" is none."""
    return all(char.isalpha() or char in " -'’" for char in text)


@cache
def _pool_firsts() -> frozenset[str]:
    return frozenset(bare(name) for name in called_names())


def single_name_leaks(
    raw: TableStore,
    pending: TableStore,
    specs: dict[str, dict[str, ColumnSpec]],
    names: SingleNames,
    ledger: Ledger,
) -> Counter[str]:
    """Returns table.column -> words that tell somebody and were not written by replacement.

    In file names and closed lists, labels among them, small letters tell as much as a capital one.
    """
    found: Counter[str] = Counter()
    everywhere, telling = _WordSearch(names.everywhere), _WordSearch(names.telling)
    for table in pending.names():
        frame = pending.read(table)
        kinds = {column: spec.kind for column, spec in specs_of(table, specs).items()}
        scopes = _scopes(raw, table, names) if table == "messages" else []
        for column in frame.columns:
            if not isinstance(frame[column].dtype, pl.String | pl.List):
                continue
            small = kinds.get(column) in (ColumnKind.CATEGORY, ColumnKind.FILENAME)
            scoped = bool(scopes) and column in _MAIL_TEXT
            search = telling if scoped else everywhere
            known = {
                text: pieces
                for text in texts_of(frame[column])
                if (pieces := search.pieces(text, small=small))
            }
            if not known:
                continue
            for row, item, text in cells_of(frame[column]):
                if text not in known:
                    continue
                wanted = names.everywhere | scopes[row] if scoped else names.everywhere
                spans = ledger.spans(table, column).get((row, item), [])
                hits = sum(_is_hit(pieces, wanted, spans) for pieces in known[text])
                if hits:
                    found[f"{table}.{column}"] += hits
    return found


def _scopes(raw: TableStore, table: str, names: SingleNames) -> list[frozenset[str]]:
    """Returns, for every mail, the words of the people in its own header."""
    result = []
    for row in raw.read(table).select(_HEADERS).iter_rows():
        cells = [text for value in row for text in (value if isinstance(value, list) else [value]) if text]
        addresses = (text.rpartition("<")[2].strip(" >").lower() for text in cells)
        result.append(
            frozenset().union(*(names.by_address.get(address, frozenset()) for address in addresses))
        )
    return result


class _WordSearch:
    """The search for telling words; texts in which none stands at all are not taken apart."""

    def __init__(self, words: frozenset[str]) -> None:
        self._words = words
        self._automaton = AhoCorasick(sorted(words)) if words else None

    def pieces(self, text: str, *, small: bool) -> list[list[Piece]]:
        """Returns, for every run of letters, its pieces that are such words and begin as names do."""
        if self._automaton is None or not self._automaton.find_matches_as_indexes(bare(text)):
            return []
        found = []
        for start, end in runs(text):
            if text[start].isdigit():
                continue
            pieces = [
                (begin, stop, word)
                for begin, stop in sorted({(start, end), *_pieces(text, start, end)})
                if (small or text[begin].isupper()) and (word := bare(text[begin:stop])) in self._words
            ]
            if pieces:
                found.append(pieces)
        return found


def _is_hit(pieces: list[Piece], wanted: frozenset[str], spans: list[tuple[int, int]]) -> bool:
    return any(
        word in wanted and not any(first < stop and begin < last for first, last in spans)
        for begin, stop, word in pieces
    )


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yields the parts of a run of letters between changes from small to capital ones."""
    begin = start
    for place in range(start + 1, end):
        if text[place].isupper() and text[place - 1].islower():
            yield begin, place
            begin = place
    yield begin, end
