"""Which tables evidently hold customers, orders, invoices or the like, as objects of a draft.

Belongs here: telling a business object by the name of its table, its key and its columns. Does not belong
here: events and outcomes, which a person states; tables of presets, which know their objects.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from archive.table_links import SURE, KeyGuess, Place, Pointer, Specs
from archive.table_samples import TableSample
from contracts.manifest import ColumnSpec, ObjectSpec
from contracts.tables import ColumnKind

_PARTIES = {"customer": "customer", "client": "customer", "account": "account"} | {
    "supplier": "supplier",
    "vendor": "supplier",
}
_PEOPLE = {"employee": "user", "user": "user", "contact": "contact", "lead": "lead"}
_PAPERS = {"order": "order", "invoice": "invoice", "opportunity": "opportunity", "deal": "opportunity"} | {
    "quote": "quote",
    "payment": "payment",
}
_NOUNS = {**_PARTIES, **_PEOPLE, **_PAPERS}
_KEY_ENDS = frozenset(("id", "number", "no", "nr", "num", "key", "code"))
_AMOUNTS = frozenset(("amount", "total", "value"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_BOTH, _KEY_ALONE = 0.95, 0.9


class ObjectGuess(NamedTuple):
    """What a row of a table is, with what speaks for it."""

    spec: ObjectSpec
    confidence: float
    why: str


def table_objects(
    samples: Mapping[Place, TableSample],
    specs: Specs,
    keys: Mapping[Place, KeyGuess],
    pointers: Mapping[Place, Mapping[str, Pointer]],
) -> dict[Place, ObjectGuess]:
    """Returns the objects of tables whose name, key and columns agree; of a type claimed twice, none."""
    found = {
        place: guess
        for place, sample in samples.items()
        if place in keys and (guess := _object(sample, specs[place], keys[place])) is not None
    }
    claims = Counter((place[0], guess.spec.type) for place, guess in found.items())
    found = {place: guess for place, guess in found.items() if claims[place[0], guess.spec.type] == 1}
    return {place: _with_parents(place, guess, found, pointers) for place, guess in found.items()}


def _object(sample: TableSample, specs: Mapping[str, ColumnSpec], key: KeyGuess) -> ObjectGuess | None:
    if len(key.columns) != 1 or key.confidence < SURE:
        return None
    (column,) = key.columns
    by_key, by_name = _key_noun(column), _noun(_words(sample.name))
    noun = by_key or (by_name if _words(column) == ["id"] else None)
    if noun is None or (by_name is not None and by_name != noun):
        return None
    if by_name is None and noun not in _PAPERS:
        return None
    told = _evidence(noun, specs)
    if told is None:
        return None
    confidence = min(key.confidence, _BOTH if by_name is not None else _KEY_ALONE)
    named = "table and key name" if by_key and by_name else "the table names" if by_name else "the key names"
    why = f"{named} a row's object ({noun}), {told} (confidence {confidence:.2f})"
    amounts = [
        name
        for name, spec in specs.items()
        if spec.kind is ColumnKind.MONEY and _AMOUNTS.intersection(_words(name))
    ]
    spec = ObjectSpec(
        type=_NOUNS[noun],
        id_column=column,
        amount_column=amounts[0] if len(amounts) == 1 and noun in _PAPERS else None,
        attributes={"name": _of_kind(specs, ColumnKind.COMPANY)[0]} if noun in _PARTIES else {},
    )
    return ObjectGuess(spec, confidence, why)


def _evidence(noun: str, specs: Mapping[str, ColumnSpec]) -> str | None:
    """Returns what the columns say for it: names of firms or people, dates with amounts or partners."""
    if noun in _PARTIES:
        names = _of_kind(specs, ColumnKind.COMPANY)
        return f"its firms are called by {names[0]}" if names else None
    if noun in _PEOPLE:
        people = _of_kind(specs, ColumnKind.PERSON)
        return f"its people are called by {people[0]}" if people else None
    days = _of_kind(specs, ColumnKind.DATE, ColumnKind.DATETIME)
    amounts = _of_kind(specs, ColumnKind.MONEY)
    return f"with days ({days[0]}) and amounts ({amounts[0]})" if days and amounts else None


def _of_kind(specs: Mapping[str, ColumnSpec], *kinds: ColumnKind) -> list[str]:
    return [name for name, spec in specs.items() if spec.kind in kinds]


def _with_parents(
    place: Place,
    guess: ObjectGuess,
    found: Mapping[Place, ObjectGuess],
    pointers: Mapping[Place, Mapping[str, Pointer]],
) -> ObjectGuess:
    """Returns a guess with the objects of its source that its columns surely point to, one of each type."""
    parents: dict[str, list[str]] = {}
    for column, held in pointers.get(place, {}).items():
        there = held.home, held.proposal.to_table
        aim = found.get(there)
        if aim is None or there == place or held.proposal.confidence < SURE or held.home != place[0]:
            continue
        if aim.spec.id_column == held.proposal.to_column:
            parents.setdefault(aim.spec.type, []).append(column)
    sole = {kind: columns[0] for kind, columns in parents.items() if len(columns) == 1}
    return guess._replace(spec=guess.spec.model_copy(update={"parents": sole}))


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def _key_noun(column: str) -> str | None:
    words = _words(column)
    return _noun(words[:1]) if len(words) == 1 or (len(words) == 2 and words[1] in _KEY_ENDS) else None


def _noun(words: list[str]) -> str | None:
    """Returns the noun that is all of a name, in singular."""
    if len(words) != 1:
        return None
    word = words[0]
    forms = (word, word.removesuffix("s"), f"{word.removesuffix('ies')}y")
    return next((form for form in forms if form in _NOUNS), None)
