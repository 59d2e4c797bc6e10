"""Which preset an unknown export is, and how the preset's names fit the export's own spellings.

Belongs here: matching tables by name and columns, and translating a preset's tables. Names count the same
without case, separators and words that connectors add ("sf_account_data", "property_dealname", "OwnerId",
"owner_id").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from archive.keys import singular
from archive.presets import PresetTable, bound_table, load_preset, merged_table, preset_names
from contracts.manifest import ColumnSpec, EventSpec, ObjectSpec, Source, TableSpec

LEAST_SCORE = 0.25
_LEAST_COLUMNS = 5
_FEW_COLUMNS = 4
"""Fewer common columns count less: an id and a name are in every system."""
_LEAST_UNNAMED = 0.75
_HEADS = (
    "sf",
    "sap",
    "xero",
    "salesforce",
    "hubspot",
    "quickbooks",
    "netsuite",
    "odoo",
    "zendesk",
    "qbo",
    "ns",
)
_TAILS = ("data", "export", "table", "csv")


class PresetMatch(NamedTuple):
    """A preset that an export could be of."""

    preset: str
    score: float
    """How far columns of matched tables agree, less where many tables match none; from 0.5 on it is that."""
    mapping: dict[str, str]
    """Table of the export -> table of the preset."""


def match_preset(tables: Mapping[str, Sequence[str]]) -> list[PresetMatch]:
    """Returns the presets that an export could be of, best first; none below `LEAST_SCORE`.

    Args:
        tables: name of each table or file stem -> its columns.
    """
    matches = []
    for name in preset_names():
        preset = load_preset(name).tables
        known = [(table, frozenset(map(normal_column, table.columns))) for table in preset]
        mapping: dict[str, str] = {}
        total = 0.0
        for found, columns in tables.items():
            best, overlap = _best(found, columns, known)
            if best is not None:
                mapping[found] = best.name
                total += overlap
        known_tables = len(mapping) / len(tables) if tables else 0.0
        score = round(total / len(mapping) * (0.5 + 0.5 * known_tables), 4) if mapping else 0.0
        if score >= LEAST_SCORE:
            matches.append(PresetMatch(name, score, mapping))
    return sorted(matches, key=lambda match: (-match.score, match.preset))


def fit_preset(source: Source, tables: Mapping[str, Sequence[str]]) -> Source:
    """Returns a source whose preset's tables are named and spelt as the export has them; else unchanged.

    The table that fits a preset's table best takes its name, so that references hold; others that fit as well
    (second extracts) keep their own. What the manifest states of a table wins.

    Args:
        source: with a preset, not yet applied.
        tables: name of each table or file stem -> its columns.
    """
    if source.preset is None:
        return source
    known = {table.name: table for table in load_preset(source.preset).tables}
    stated = {name: table for name in tables for table in source.tables if _is_stated(table, name)}
    mapping = _mapping(tables, known)
    for found, table in stated.items():
        own = next((name for name in known if name.lower() == table.name.lower()), None)
        if own is not None:
            mapping[found] = own
    first = _first_of(mapping, stated)
    spelt = {first[name]: tables[name] for name in first}
    fitted = {}
    for found, preset in mapping.items():
        named = first.get(found, found)
        table = _spelt(known[preset].spec(), tables[found], spelt, known)
        if not _named(found, known[preset]) and found not in first:
            table = table.model_copy(update={"objects": []})  # histories and copies would tell events twice
        path = None if named.lower() == found.lower() else found
        table = bound_table(table.model_copy(update={"name": named, "path": path}), source.name)
        fitted[found] = merged_table(table, stated[found]) if found in stated else table
    held = [fitted[found] for found, table in stated.items() if found in fitted]
    rest = [
        table
        for table in source.tables
        if not any(table is other for found, other in stated.items() if found in fitted)
    ]
    new = [table for found, table in fitted.items() if found not in stated]
    return source.model_copy(update={"tables": [*rest, *held, *new]})


def _is_stated(table: TableSpec, found: str) -> bool:
    """Says whether a table of the manifest is one of the export, by file pattern or name."""
    path = (table.path or table.name).lower()
    return fnmatchcase(found.lower(), path) or fnmatchcase(found.lower(), path.rpartition(".")[0] or path)


def normal_table(name: str) -> str:
    """Returns a table's name without case, separators, plural and the words that connectors add."""
    words = [
        word for word in re.split(r"[^a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()) if word
    ]
    while len(words) > 1 and words[0] in _HEADS:
        words = words[1:]
    while len(words) > 1 and words[-1] in _TAILS:
        words = words[:-1]
    return "".join([*words[:-1], singular(words[-1])]) if words else ""


def normal_column(name: str) -> str:
    """Returns a column's name without case, separators and the words that connectors add."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    for head in ("property", "hs"):
        if plain.startswith(head) and len(plain) > len(head) + 2:
            plain = plain.removeprefix(head)
    return plain


def _best(
    found: str, columns: Sequence[str], known: Sequence[tuple[PresetTable, frozenset[str]]]
) -> tuple[PresetTable | None, float]:
    """The preset's table that a table is, and how far their columns agree."""
    own = {normal_column(column) for column in columns if column and not column.startswith(("_", "column_"))}
    best: tuple[float, PresetTable | None, float] = (0.0, None, 0.0)
    for table, names in known:
        shared = len(own & names)
        overlap = shared / len(own) if own else 0.0
        overlap *= min(1.0, shared / _FEW_COLUMNS)
        if shared >= _LEAST_COLUMNS:  # wide standard tables: presets tell the columns that matter
            overlap = max(overlap, 0.8 * shared / len(names))
        named = _named(found, table)
        if not overlap or not (named or (overlap >= _LEAST_UNNAMED and shared >= _LEAST_COLUMNS)):
            continue
        rank = overlap + named
        if rank > best[0]:
            best = (rank, table, overlap)
    return best[1], best[2]


def _named(found: str, table: PresetTable) -> float:
    """How far the name of a table is one of the preset's: 1 the name itself, 0.9 an alias, 0 neither."""
    if normal_table(found) == normal_table(table.name):
        return 1.0 if found.lower() == table.name.lower() else 0.95
    lowered = found.lower()
    aliased = any(
        fnmatchcase(lowered, alias) or normal_table(alias) == normal_table(found) for alias in table.aliases
    )
    return 0.9 if aliased else 0.0


def _mapping(tables: Mapping[str, Sequence[str]], known: Mapping[str, PresetTable]) -> dict[str, str]:
    spelt = [(table, frozenset(map(normal_column, table.columns))) for table in known.values()]
    found = {name: _best(name, columns, spelt)[0] for name, columns in tables.items()}
    return {name: table.name for name, table in found.items() if table is not None}


def _first_of(mapping: Mapping[str, str], stated: Mapping[str, TableSpec]) -> dict[str, str]:
    """Table of the export -> table of the preset whose name it takes: of several the one named most alike."""
    takers = {
        mapping[found]: found
        for found, table in stated.items()
        if found in mapping and table.name.lower() == mapping[found].lower()
    }
    settled = frozenset(takers)
    for found, preset in mapping.items():
        if preset in settled or found in stated:
            continue
        if preset not in takers or _alike(found, preset) > _alike(takers[preset], preset):
            takers[preset] = found
    return {found: preset for preset, found in takers.items()}


def _alike(found: str, preset: str) -> tuple[bool, bool, int]:
    return found.lower() == preset.lower(), normal_table(found) == normal_table(preset), -len(found)


def _spelt(
    table: TableSpec,
    columns: Sequence[str],
    others: Mapping[str, Sequence[str]],
    known: Mapping[str, PresetTable],
) -> TableSpec:
    """A preset's table with the spellings of the export; what the export lacks is left out."""
    real = _spellings(table, columns)

    def told(name: str | None) -> str | None:
        return None if name is None else real.get(name)

    def pick(names: Mapping[str, str]) -> dict[str, str]:
        return {key: real[name] for key, name in names.items() if name in real}

    def where(values: Mapping[str, list[str]]) -> dict[str, list[str]]:
        return {real[name]: list(allowed) for name, allowed in values.items()}

    def event(spec: EventSpec) -> EventSpec | None:
        at = told(spec.at)
        if at is None or any(name not in real for name in spec.where):
            return None
        update = {
            "at": at,
            "at_time": told(spec.at_time),
            "actor": told(spec.actor),
            "where": where(spec.where),
        }
        return spec.model_copy(update=update)

    def an_object(spec: ObjectSpec) -> ObjectSpec | None:
        if spec.id_column not in real or any(name not in real for name in spec.where):
            return None
        return spec.model_copy(
            update={
                "id_column": real[spec.id_column],
                "number_column": told(spec.number_column),
                "where": where(spec.where),
                "parents": pick(spec.parents),
                "amount_column": told(spec.amount_column),
                "outcome_columns": pick(spec.outcome_columns),
                "attributes": pick(spec.attributes),
                "events": [made for made in map(event, spec.events) if made is not None],
            }
        )

    specs = {
        real[name]: _referring(spec, others, known) for name, spec in table.columns.items() if name in real
    }
    key = [real[name] for name in table.key if name in real]
    objects = [made for made in map(an_object, table.objects) if made is not None]
    return table.model_copy(
        update={"columns": specs, "key": key if len(key) == len(table.key) else [], "objects": objects}
    )


def _spellings(table: TableSpec, columns: Sequence[str]) -> dict[str, str]:
    """Column of the preset -> column of the export: the same, without case, or without separators."""
    exact, lowered = set(columns), {column.lower(): column for column in reversed(columns)}
    loose = {normal_column(column): column for column in reversed(columns)}
    found: dict[str, str] = {}
    for name in table.columns:
        real = name if name in exact else lowered.get(name.lower()) or loose.get(normal_column(name))
        if real is not None and real not in found.values():
            found[name] = real
    return found


def _referring(
    spec: ColumnSpec, others: Mapping[str, Sequence[str]], known: Mapping[str, PresetTable]
) -> ColumnSpec:
    """A column whose reference is spelt as the other table is; no reference where that table is not there."""
    if spec.references is None:
        return spec
    source, _, rest = spec.references.partition(".")
    table, _, column = rest.rpartition(".")
    real = _spellings(known[table], others[table]).get(column) if table in others and table in known else None
    return spec.model_copy(update={"references": f"{source}.{table}.{real}" if real is not None else None})
