"""The tables of a draft: which preset they match, what their columns hold, their keys and references.

Belongs here: what goes into the manifest and what of it a person should check. Does not belong here: the
proposals themselves (`archive.columns`, `archive.keys`, `archive.references`, `archive.presets`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from archive.columns import ColumnReading, read_columns
from archive.document_drafts import DocumentTable, document_table
from archive.findings import Check
from archive.log_columns import with_logs
from archive.object_drafts import ObjectGuess, table_objects
from archive.people_columns import with_people
from archive.preset_matches import fit_preset
from archive.presets import load_preset
from archive.table_links import SURE, KeyGuess, Place, Pointer, held_keys, table_keys, table_pointers
from archive.table_samples import TableSample
from contracts.manifest import ColumnSpec, Source, SourceKind, TableSpec
from contracts.tables import ColumnKind

_NOTHING_READ = ("stated; no date was read", "only empty", "no values")
_LONGEST_NAME = 400
"""Characters of a column name that YAML still takes as a plain key."""


@dataclass(frozen=True)
class TableDraft:
    """The tables of one source."""

    tables: list[TableSpec]
    checks: list[Check]
    notes: dict[str, str]
    """Place -> what speaks for it, where no check is needed."""


class SourceTables(NamedTuple):
    """What a source holds, on its way into a draft."""

    samples: tuple[TableSample, ...]
    preset: str | None
    documents: bool
    """Whether its tables may tell of documents."""


def draft_tables(sources: Mapping[str, SourceTables], locale: str) -> dict[str, TableDraft]:
    """Returns the tables of every source, by its name; keys and references are decided over all of them.

    Args:
        sources: name -> its tables.
        locale: the company's, which decides last whether a day or a month comes first.
    """
    fitted = {name: _fitted(name, source) for name, source in sources.items()}
    readings = {
        (name, sample.name): _readings(sample, fitted[name].get(sample.name), locale)
        for name, source in sources.items()
        for sample in source.samples
    }
    by_place = {(name, sample.name): sample for name, source in sources.items() for sample in source.samples}
    readings = with_people(by_place, readings)
    documents = {
        place: table
        for place, sample in by_place.items()
        if sources[place[0]].documents and (table := document_table(sample, readings[place])) is not None
    }
    readings |= {place: table.readings for place, table in documents.items()}
    specs = {
        place: {column: reading.spec for column, reading in columns.items()}
        for place, columns in readings.items()
    }
    keys = table_keys(by_place, specs)
    pointers = table_pointers(by_place, specs, keys)
    keys = held_keys(keys, by_place, pointers)
    bare = {
        place: sample
        for place, sample in by_place.items()
        if sources[place[0]].preset is None and place not in documents
    }
    objects = table_objects(bare, specs, keys, pointers)
    names = {
        (name, sample.name): _name(sample, fitted[name].get(sample.name))
        for name, source in sources.items()
        for sample in source.samples
    }
    return {
        name: _source(name, source, fitted[name], _Known(readings, pointers, keys, names, documents, objects))
        for name, source in sources.items()
    }


class _Known(NamedTuple):
    """What was found out over all tables of all sources; places are source and table."""

    readings: Mapping[Place, Mapping[str, ColumnReading]]
    pointers: Mapping[Place, Mapping[str, Pointer]]
    keys: Mapping[Place, KeyGuess]
    names: Mapping[Place, str]
    """Place -> the table's name in the draft."""
    documents: Mapping[Place, DocumentTable]
    objects: Mapping[Place, ObjectGuess]


def _fitted(name: str, source: SourceTables) -> dict[str, TableSpec]:
    """Table of the export -> the preset's table, named and spelt as the export has it."""
    if source.preset is None:
        return {}
    columns = {sample.name: sample.frame.columns for sample in source.samples}
    probe = Source(name=name, kind=SourceKind.ERP, format="csv", path=".", preset=source.preset)
    return {table.path or table.name: table for table in fit_preset(probe, columns).tables}


def _name(sample: TableSample, fitted: TableSpec | None) -> str:
    return sample.name if fitted is None else fitted.name


def _readings(sample: TableSample, fitted: TableSpec | None, locale: str) -> dict[str, ColumnReading]:
    """What every column holds, from its distinct values and how often each stands there."""
    values: dict[str, list[str]] = {}
    counts: dict[str, dict[str, int]] = {}
    for column in sample.frame.columns:
        cells = sample.frame[column].drop_nulls()
        values[column] = cells.unique(maintain_order=True).to_list()
        if len(values[column]) < len(cells):
            counts[column] = dict(cells.value_counts().iter_rows())
        else:
            counts[column] = dict.fromkeys(values[column], 1)
    return with_logs(sample, read_columns(fitted, values, counts, locale))


def _source(name: str, source: SourceTables, fitted: Mapping[str, TableSpec], known: _Known) -> TableDraft:
    draft = TableDraft([], [], {})
    for sample in source.samples:
        preset = fitted.get(sample.name)
        exact = preset is not None and _is_exact(source.preset, preset)
        place = name, sample.name
        where = f"{name}.{known.names[place]}"
        columns = {}
        for column in known.readings[place]:
            empty = sample.frame[column].null_count() == sample.frame.height
            stated = preset is not None and column in preset.columns
            told = stated and exact and not _points_out(column, place, known)
            if not told and (stated or not empty) and 0 < len(column) <= _LONGEST_NAME:
                columns[column] = _column(f"{where}.{column}", column, place, known, draft)
        if preset is not None:
            bare: dict[str, list[str]] = {"key": [], "objects": []} if exact else {}
            if columns or not exact:
                draft.tables.append(preset.model_copy(update={"columns": columns, **bare}))
        else:
            key = _key(where, known.keys.get(place), draft)
            held = known.documents.get(place)
            if held is not None:
                key = key or list(held.key)
                draft.notes[f"{where}.documents"] = held.why
            spec = held.spec if held is not None else None
            guess = known.objects.get(place)
            if guess is not None:
                draft.notes[f"{where}.objects"] = guess.why
            objects = [guess.spec] if guess is not None else []
            draft.tables.append(
                TableSpec(name=sample.name, key=key, columns=columns, objects=objects, documents=spec)
            )
    return draft


def _points_out(column: str, place: Place, known: _Known) -> bool:
    """Says whether a column points to another source, of which its preset cannot know."""
    held = known.pointers.get(place, {}).get(column)
    return held is not None and held.home != place[0]


def _is_exact(preset: str | None, fitted: TableSpec) -> bool:
    """Says whether a table is named and spelt as in its preset, so that the draft need not repeat it."""
    known = next((table for table in load_preset(preset or "").tables if table.name == fitted.name), None)
    return known is not None and fitted.path is None and fitted.columns.keys() <= known.columns.keys()


def _column(where: str, column: str, place: Place, known: _Known, draft: TableDraft) -> ColumnSpec:
    """What is stated of a column, with its reference; doubts become checks."""
    reading = known.readings[place][column]
    held = known.pointers.get(place, {}).get(column)
    if held is None or reading.spec.references is not None:
        draft.checks.extend(_column_checks(where, reading))
        return reading.spec
    home, proposal = held
    there = (home, proposal.to_table)
    target = f"{home}.{known.names[there]}.{proposal.to_column}"
    told = f"{proposal.why} (confidence {proposal.confidence:.2f})"
    if proposal.confidence < SURE:
        draft.checks.append(Check(where, f"points to {target}", told))
    else:
        draft.notes[where] = told
    kind = known.readings[there][proposal.to_column].spec.kind
    if reading.spec.kind is not ColumnKind.MEASURE:
        kind = reading.spec.kind
    return reading.spec.model_copy(update={"references": target, "kind": kind})


def _key(where: str, key: KeyGuess | None, draft: TableDraft) -> list[str]:
    """The columns of a key; a doubtful one becomes a check."""
    if key is None:
        return []
    told = f"{key.why} (confidence {key.confidence:.2f})"
    if not key.sure:
        draft.checks.append(Check(f"{where}.key", ", ".join(key.columns), told))
    elif key.confidence < 1:
        draft.notes[f"{where}.key"] = told
    return list(key.columns)


def _column_checks(where: str, reading: ColumnReading) -> list[Check]:
    """Says where habit or a name alone decided, and where cells stand outside the form of their column."""
    if (reading.confident or reading.reason.startswith(_NOTHING_READ)) and not reading.outliers:
        return []
    form = reading.spec.date_format
    told = f"{reading.spec.kind.value} {form}" if form else reading.spec.kind.value
    others = f"; {' or '.join(reading.alternatives)} would fit as well" if reading.alternatives else ""
    strays = f"; {len(reading.outliers)} values are written otherwise" if reading.outliers else ""
    return [Check(where, told, f"{reading.reason}{others}{strays}")]
