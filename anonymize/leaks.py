"""The leak scan: every scannable real form over every cell of every clean table.

Belongs here: which forms are scannable, and which hits count. A hit counts as a leak where its bytes were
not written by replacement; a surrogate id that equals another record's real id is a coincidence, counted
apart. Does not belong here: deciding about publication (`audit`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import polars as pl
from ahocorasick_rs import AhoCorasick

from anonymize.evidence import table_specs
from anonymize.forms import flat, render
from anonymize.known_forms import searchable_identifier
from anonymize.registry import Registry
from anonymize.surrogates import Surrogates
from anonymize.tables import HEADER_IDS, NAMELESS, UNTOUCHED
from anonymize.words import known_names
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind, is_record_table

SHORTEST_FORM = 7
"""Shorter forms occur by chance; single names and short ids are checked in their own columns only."""
_FULL_TEMPLATES = ("{f} {l}", "{l}, {f}", "{l} {f}", "{f}.{l}", "{f}_{l}", "{f} {m} {l}", "{f}{l}")
_SHORT_COLUMNS = (ColumnKind.LOGIN, ColumnKind.EMAIL)


class Hit(NamedTuple):
    """A real form in a clean cell; where, never what."""

    table: str
    column: str
    row: int
    start: int
    kind: str
    coincidence: bool


class ScanResult(NamedTuple):
    """What a scan found."""

    leaks: tuple[Hit, ...]
    coincidences: tuple[Hit, ...]
    forms: int
    cells: int


def scannable_forms(registry: Registry) -> dict[str, str]:
    """Returns search text -> kind for every real form that is telling enough to be searched anywhere."""
    forms: dict[str, str] = {}
    for person in registry.persons:
        for name in person.names:
            for template in _FULL_TEMPLATES if name.first and name.last else ():
                _note(forms, render(template, name), "person")
        for address in person.addresses:
            _note(forms, address, "address")
        for login in person.logins:
            if flat(login) not in registry.vocabulary:
                _note(forms, login, "login")
    for company in registry.companies:
        for company_name in company.names:
            words = company_name.key.split()
            if not all(word in registry.vocabulary for word in words) and not set(words) <= known_names():
                _note(forms, company_name.core, "company")
        for domain in company.domains:
            _note(forms, domain, "domain")
    for number in registry.phones:
        _note(forms, number, "phone")
    for value in registry.identifiers:
        if searchable_identifier(value):
            _note(forms, value, "identifier")
    return forms


def _note(forms: dict[str, str], text: str, kind: str) -> None:
    if len(text) >= SHORTEST_FORM:
        forms.setdefault(flat(text), kind)


class LeakScanner:
    """One automaton over all scannable forms."""

    def __init__(self, forms: dict[str, str]) -> None:
        """Takes search text -> kind."""
        self._texts = sorted(forms)
        self._kinds = [forms[text] for text in self._texts]
        self._automaton = AhoCorasick(self._texts) if self._texts else None

    def hits(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yields (start, end, kind) of every form that stands in a text as whole words."""
        if self._automaton is None:
            return
        haystack = flat(text)
        for index, start, end in self._automaton.find_matches_as_indexes(haystack, overlapping=True):
            before = start > 0 and haystack[start - 1].isalnum()
            behind = end < len(haystack) and haystack[end].isalnum()
            if not before and not behind:
                yield start, end, self._kinds[index]


def scan_tables(
    store: TableStore, specs: dict[str, dict[str, ColumnSpec]], registry: Registry, ledger: pl.DataFrame
) -> ScanResult:
    """Returns all hits in a folder of clean tables, judged by the ledger of replacements."""
    forms = scannable_forms(registry)
    scanner = LeakScanner(forms)
    written = _written(ledger)
    leaks: list[Hit] = []
    coincidences: list[Hit] = []
    cells = 0
    for name in store.names():
        frame = store.read(name)
        columns = table_specs(name, specs)
        for column in frame.columns:
            spec = columns.get(column, ColumnSpec(kind=ColumnKind.TEXT))
            for row, item, text in _cells(frame[column]):
                cells += 1
                for start, end, kind in scanner.hits(text):
                    spans = written.get((name, row, column, item))
                    whole = spans is None and _written_whole(name, column, spec)
                    inside = whole or any(s <= start and end <= e for s, e in spans or ())
                    hit = Hit(name, column, row, start, kind, inside and kind in ("identifier", "phone"))
                    (coincidences if hit.coincidence else leaks).append(hit)
    return ScanResult(tuple(leaks), tuple(coincidences), len(forms), cells)


def _written_whole(table: str, column: str, spec: ColumnSpec) -> bool:
    if spec.kind in UNTOUCHED or (column in NAMELESS and not is_record_table(table)):
        return False
    return column in HEADER_IDS or spec.kind not in (
        ColumnKind.TEXT,
        ColumnKind.FILENAME,
        ColumnKind.CATEGORY,
    )


def _written(ledger: pl.DataFrame) -> dict[tuple[str, int, str, int], list[tuple[int, int]]]:
    spans: dict[tuple[str, int, str, int], list[tuple[int, int]]] = {}
    for table, row, column, item, start, end, _ in ledger.iter_rows():
        held = spans.setdefault((table, row, column, item), [])
        if start >= 0:
            held.append((start, end))
    return spans


def _cells(series: pl.Series) -> Iterator[tuple[int, int, str]]:
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


def short_form_leaks(
    store: TableStore, specs: dict[str, dict[str, ColumnSpec]], surrogates: Surrogates
) -> Counter[str]:
    """Returns table.column -> login and address cells that still hold a real value of any length."""
    registry = surrogates.registry
    real = set(registry.by_login) | set(registry.by_address)
    new = {handle.lower() for handle in surrogates.kept.handles.values()}
    found: Counter[str] = Counter()
    for name in store.names():
        frame = store.read(name)
        for column, spec in table_specs(name, specs).items():
            if column in frame.columns and spec.kind in _SHORT_COLUMNS:
                count = sum(1 for _, _, text in _cells(frame[column]) if text.lower() in real - new)
                if count:
                    found[f"{name}.{column}"] += count
    return found


def scan_text(text: str, registry: Registry) -> int:
    """Returns how many scannable real forms stand in a text: for manifests, schemas and reports."""
    scanner = LeakScanner(scannable_forms(registry))
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
