"""The leak scan: every scannable real form over every cell of every clean table.

Belongs here: which hits count. A hit counts as a leak where its bytes were
not written by replacement, as the ledger recorded it; a surrogate id that equals another record's real id is
a coincidence, counted apart. Does not belong here: deciding about publication (`audit`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import polars as pl

from anonymize.coincidences import Shape, id_shape, met_bounds
from anonymize.forms import PersonName, flat, render, words_of
from anonymize.known_forms import searchable_identifier
from anonymize.ledger import Ledger
from anonymize.phones import NumberScan
from anonymize.real_forms import CITY, FULL_TEMPLATES, SHORTEST_FORM, FormSearch, note_form, real_forms
from anonymize.registry import Registry
from anonymize.surrogates import Surrogates
from archive.store import TableStore

PHONE = "phone"
_BY_CHANCE = ("identifier", PHONE)
"""Kinds whose surrogates may equal another record's real value."""


class Hit(NamedTuple):
    """A real form in a clean cell; where, never what."""

    table: str
    column: str
    row: int
    item: int
    start: int
    kind: str
    coincidence: bool


class ScanResult(NamedTuple):
    """What a scan found."""

    leaks: tuple[Hit, ...]
    coincidences: tuple[Hit, ...]
    short: int
    """Of the coincidences: ids of so few digits that chance makes some of them another's surrogate."""
    kept: dict[str, int]
    """"table.column" -> hits in cells that the policy keeps; that they are as they were is judged apart."""
    forms: int
    cells: int


def scannable_forms(registry: Registry) -> dict[str, str]:
    """Returns search text -> kind for every real form that is telling enough to be searched anywhere."""
    forms = real_forms(registry)
    for value in registry.identifiers:
        if searchable_identifier(value):
            note_form(forms, value, "identifier")
    return forms


class LeakScanner:
    """One automaton over all scannable forms, and the digits of all numbers."""

    def __init__(self, forms: dict[str, str], numbers: Iterable[str] = ()) -> None:
        """Takes search text -> kind, and phone numbers in E.164 form."""
        self._numbers = NumberScan(numbers)
        self._search = FormSearch(forms)
        self._kinds = [forms[text] for text in self._search.texts]

    def hits(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yields (start, end, kind) of every form that stands in a text as whole words."""
        for start, end, _ in self._numbers.hits(text):
            yield start, end, PHONE
        for start, end, index in self._search.hits(text):
            yield start, end, self._kinds[index]


def scan_tables(
    store: TableStore,
    surrogates: Surrogates,
    ledger: Ledger,
    raw: TableStore | None = None,
    only: tuple[str, str] | None = None,
) -> ScanResult:
    """Returns all hits in a folder of clean tables, judged by the ledger of replacements.

    Args:
        store: the clean tables.
        surrogates: with the registry whose forms are searched.
        ledger: what replacement wrote.
        raw: the same tables before replacement; without them every hit that is raw in part is a leak.
        only: the one table and column to be searched, instead of all.
    """
    registry = surrogates.registry
    forms = scannable_forms(registry)
    scanner = LeakScanner(forms, registry.phones)
    collisions = _later_collisions(surrogates)
    originals = _Originals(raw)
    leaks: list[Hit] = []
    coincidences: list[Hit] = []
    met_ids: dict[str, int] = {}
    cells = 0
    kept: Counter[str] = Counter()
    for name in store.names() if only is None else only[:1]:
        frame = store.read(name) if only is None else store.read(name, only[1:])
        for column in frame.columns:
            texts = texts_of(frame[column])
            cells += sum(texts.values())
            known = {text: hits for text in texts if (hits := tuple(scanner.hits(text)))}
            if not known:
                continue
            held = ledger.kept(name, column)
            for row, item, text in cells_of(frame[column]):
                for start, end, kind in known.get(text, ()):
                    if (row, item) in held:
                        kept[f"{name}.{column}"] += 1
                        continue
                    spans = ledger.spans(name, column).get((row, item), [])
                    around = next((e - s for s, e in spans if s <= start and end <= e), 0)
                    inside = around > 0
                    part = kind == CITY and around > end - start  # "Reading" in a street that was drawn
                    chance = inside and (part or kind in _BY_CHANCE or flat(text[start:end]) in collisions)
                    met = not inside and _written_apart(text, start, end, spans, kind)
                    if not inside and not met and raw is not None and _is_written(start, end, spans):
                        # A real name was half replaced, or a surrogate met a word that was always there.
                        met = _words(text[start:end]) not in _words(originals.cell(name, column, row, item))
                    hit = Hit(name, column, row, item, start, kind, chance or met)
                    (coincidences if hit.coincidence else leaks).append(hit)
                    if hit.coincidence and kind == "identifier":
                        form = flat(text[start:end])
                        met_ids[form] = met_ids.get(form, 0) + 1
    short = _short_ids(met_ids, registry)
    return ScanResult(tuple(leaks), tuple(coincidences), short, dict(sorted(kept.items())), len(forms), cells)


def _short_ids(met: dict[str, int], registry: Registry) -> int:
    """Returns how many hits are ids of shapes of which no more are others' surrogates than chance makes.

    Args:
        met: id, flat -> hits that are coincidences.
        registry: with all ids.
    """
    shapes = {flat(value): id_shape(value) for value in registry.identifiers}
    bounds = met_bounds(shapes.values())
    hits: dict[Shape, list[int]] = {}
    for form, count in met.items():
        if form in shapes:
            hits.setdefault(shapes[form], []).append(count)
    return sum(sum(counts) for shape, counts in hits.items() if len(counts) <= bounds[shape])


def _later_collisions(surrogates: Surrogates) -> frozenset[str]:
    """Returns the surrogates, flat, that an earlier batch assigned and a later one met as real forms."""
    kept = surrogates.kept
    values = {
        new for held in (kept.domains, kept.streets, kept.cities) for real, new in held.items() if real != new
    }
    values.update(kept.handles.values())
    values.update(kept.companies.values())
    for first, middle, *families in kept.persons.values():
        names = [PersonName(first, middle, family) for family in families]
        values.update(render(template, name) for name in names for template in FULL_TEMPLATES)
    return frozenset(flat(value) for value in values if value)


def _written_apart(text: str, start: int, end: int, spans: list[tuple[int, int]], kind: str) -> bool:
    """Says whether a hit is made of neighbouring replacements, which met by chance.

    A number is no real one any more as soon as one of its digits was written by replacement.
    """
    alone = [
        not any(s <= place < e for s, e in spans) for place in range(start, end) if text[place].isalnum()
    ]
    return not all(alone) if kind == PHONE else not any(alone)


def _words(text: str) -> str:
    """Returns the words of a text between single spaces, so that another layout hides nothing."""
    return f" {' '.join(words_of(text))} "


def _is_written(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(s < end and start < e for s, e in spans)


class _Originals:
    """Cells before replacement; a table is read once."""

    def __init__(self, store: TableStore | None) -> None:
        self._store = store
        self._frames: dict[str, pl.DataFrame] = {}

    def cell(self, name: str, column: str, row: int, item: int) -> str:
        if self._store is None or not self._store.has(name):
            return ""
        if name not in self._frames:
            self._frames[name] = self._store.read(name)
        value = self._frames[name][column][row]
        return str(value[item] if isinstance(value, pl.Series) else value or "")


def texts_of(series: pl.Series) -> dict[str, int]:
    """Returns distinct text -> cells of all cells that could hold a scannable form."""
    text = pl.col("text").cast(pl.String)
    frame = pl.LazyFrame({"text": series})
    if isinstance(series.dtype, pl.List):
        frame = frame.explode("text")
    elif series.dtype.is_nested():
        return {}
    shortest = 1 if series.dtype in (pl.String, pl.List) else SHORTEST_FORM
    long = frame.select(text).filter(pl.col("text").str.len_chars() >= shortest)
    counted = long.group_by("text", maintain_order=True).len().collect()
    return dict(zip(counted["text"].to_list(), counted["len"].to_list(), strict=True))


def cells_of(series: pl.Series) -> Iterator[tuple[int, int, str]]:
    """Yields (row, item, text) of every cell that could hold a scannable form."""
    if isinstance(series.dtype, pl.List):
        for row, values in enumerate(series.to_list()):
            for item, value in enumerate(values or ()):
                if value:
                    yield row, item, value
    elif series.dtype == pl.String:
        for row, value in enumerate(series.to_list()):
            if value:
                yield row, 0, value
    elif not series.dtype.is_nested():
        for row, value in enumerate(series.cast(pl.String).to_list()):
            if value and len(value) >= SHORTEST_FORM:
                yield row, 0, value


def scan_text(text: str, registry: Registry) -> int:
    """Returns how many scannable real forms stand in a text: for manifests, schemas and reports."""
    scanner = LeakScanner(scannable_forms(registry), registry.phones)
    return sum(1 for _ in scanner.hits(text))


def json_strings(value: object) -> Iterable[str]:
    """Yields every string of a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from json_strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from json_strings(item)


def json_text(value: object) -> str:
    """Returns all strings of a JSON value, one a line."""
    return "\n".join(json_strings(json.loads(json.dumps(value))))
