"""Drafts of real archives against the manifests that a person who knows the data would sign.

A draft "needs no edit" where it agrees in all that later floors act on: files and their formats, kinds of
sources, presets, tables, keys, kinds of columns, references, forms of dates, currency, zone. Names of
sources, comments and order are free. What counts as equal though it is written otherwise:

    kinds of `AS_GOOD`             nobody downstream tells a difference; the reason stands beside each
    zones of the same hours        Berlin and Amsterdam: every time means the same instant
    currency left out              it is the company's, which is compared
    columns without any value      nobody reads anything from them
    reference to no table          it does nothing
    columns that are not stated    compared as the preset and the guess of ingestion complete them
    forms that read no date        ingestion reads the column by the form that does
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest
import yaml

from archive.columns import resolve_specs
from archive.draft_text import draft_text
from archive.drafting import draft_folder, slug
from archive.formats import MAIL, TICKETS
from archive.grouping import covered_files
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.preset_matches import fit_preset
from archive.presets import apply_preset
from archive.table_samples import sample_tables
from contracts.manifest import ColumnSpec, Manifest, Source, TableSpec
from contracts.tables import ColumnKind

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
MANIFESTS = Path(__file__).parent / "manifests"
SETS = sorted(path.stem for path in MANIFESTS.glob("*.yaml"))
SHARE = 0.9
pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.skipif(not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"),
]

_K = ColumnKind
AS_GOOD: dict[frozenset[ColumnKind], str] = {
    frozenset((_K.CATEGORY, _K.CODE)): "words of a closed list or codes of one: both stay as they are",
    frozenset((_K.CATEGORY, _K.FLAG)): "two words of a closed list: both stay as they are",
    frozenset((_K.MEASURE, _K.QUANTITY)): "a count of things, in units or not: neither is scaled",
    frozenset((_K.DATE, _K.DATETIME)): "dates whose times are all midnight: moved by whole days either way",
}
"""Kinds between which nobody downstream tells a difference, with the reason; only where both are so."""


class Place(NamedTuple):
    """A table by the file that holds it, whatever its source is called."""

    file: str
    table: str


@dataclass(frozen=True)
class Effective:
    """A manifest as ingestion will act on it."""

    files: dict[str, tuple[str, ...]]
    """File -> format, kind, preset, zone."""
    tables: dict[Place, tuple[tuple[str, ...], dict[str, ColumnSpec]]]
    """Table -> key, columns that are not empty, with all that presets and guesses add."""


def effective(manifest: Manifest, folder: Path) -> Effective:
    files: dict[str, tuple[str, ...]] = {}
    tables: dict[Place, tuple[tuple[str, ...], dict[str, ColumnSpec]]] = {}
    names: dict[tuple[str, str], Place] = {}
    for unfitted in manifest.sources:
        covered = covered_files(unfitted, folder)
        source = _with_preset(unfitted, covered, folder)
        for file in covered:
            files[file.relative_to(folder).as_posix()] = (
                source.format,
                source.kind.value,
                source.preset or "",
                source.zone or "",
            )
        if source.format in MAIL or source.format in TICKETS:
            continue
        for file in covered:
            for name, stated, key, values in _tables(source, file, folder):
                place = Place(file.relative_to(folder).as_posix(), name)
                names[source.name, name.lower()] = place
                specs = resolve_specs(stated, values)
                tables[place] = (key, {column: specs[column] for column, cells in values.items() if cells})
    by_place = {
        place: (
            key,
            {
                name: _priced(_pointed(spec, names), manifest.company.currency)
                for name, spec in columns.items()
            },
        )
        for place, (key, columns) in tables.items()
    }
    return Effective(files, by_place)


def _with_preset(source: Source, files: list[Path], folder: Path) -> Source:
    """Returns a source with its preset's tables as the export spells them."""
    if source.preset is None:
        return source
    columns = {sample.name: sample.frame.columns for sample in sample_tables(source, files, folder)}
    return apply_preset(fit_preset(source, columns))


def _tables(
    source: Source, file: Path, folder: Path
) -> Iterator[tuple[str, TableSpec | None, tuple[str, ...], dict[str, list[str]]]]:
    path = file.relative_to(folder).as_posix()
    one = source.model_copy(update={"path": path})
    for sample in sample_tables(one, [file], folder):
        stated = next(
            (table for table in source.tables if table.path and fnmatch(file.name, table.path)),
            next((table for table in source.tables if table.name.lower() == sample.name.lower()), None),
        )
        key = tuple(stated.key) if stated is not None and stated.key else sample.key
        values = {column: sample.values(column) for column in sample.frame.columns}
        name = stated.name if stated is not None else sample.name
        yield name, stated, tuple(part.lower() for part in key), values


def _pointed(spec: ColumnSpec, names: dict[tuple[str, str], Place]) -> ColumnSpec:
    """Returns a spec whose reference names the file of its table; to a table that is not there, none."""
    if spec.references is None:
        return spec
    source, table, column = spec.references.split(".", 2)
    place = names.get((source, table.lower()))
    if place is None:
        return spec.model_copy(update={"references": None})
    return spec.model_copy(update={"references": f"{place.file}|{place.table.lower()}|{column.lower()}"})


def _priced(spec: ColumnSpec, currency: str) -> ColumnSpec:
    """Returns a spec of money with its currency, which is the company's where none is stated."""
    if spec.kind is not _K.MONEY or spec.currency is not None:
        return spec
    return spec.model_copy(update={"currency": currency})


def differences(draft: Manifest, expected: Manifest, folder: Path) -> list[str]:
    """Returns what a person would have to edit in a draft; nothing where it needs no edit."""
    mine, theirs = effective(draft, folder), effective(expected, folder)
    found = []
    if draft.company.currency != expected.company.currency:
        found.append(f"currency {draft.company.currency}, not {expected.company.currency}")
    if sorted(draft.company.domains) != sorted(expected.company.domains):
        found.append(f"domains {draft.company.domains}, not {expected.company.domains}")
    if not same_hours(draft.company.zones[0], expected.company.zones[0]):
        found.append(f"zone {draft.company.zones[0]}, not {expected.company.zones[0]}")
    for file in sorted({*mine.files, *theirs.files}):
        here, there = mine.files.get(file), theirs.files.get(file)
        if here is None or there is None:
            found.append(f"{file}: {'not covered' if here is None else 'covered, but is no data'}")
        elif here != there:
            found.append(f"{file}: {here}, not {there}")
    here_tables = {Place(place.file, place.table.lower()): held for place, held in mine.tables.items()}
    there_tables = {Place(place.file, place.table.lower()): held for place, held in theirs.tables.items()}
    for place in sorted({*here_tables, *there_tables}):
        if place not in here_tables or place not in there_tables:
            found.append(
                f"{place.file}: table {place.table} {'missing' if place in there_tables else 'too many'}"
            )
            continue
        (key, columns), (other_key, other_columns) = here_tables[place], there_tables[place]
        if set(key) != set(other_key):
            found.append(f"{place.table}: key {list(key)}, not {list(other_key)}")
        found += _column_differences(place.table, columns, other_columns)
    return found


def _column_differences(table: str, mine: dict[str, ColumnSpec], theirs: dict[str, ColumnSpec]) -> list[str]:
    found = []
    for name in sorted({*mine, *theirs}):
        here, there = mine[name], theirs[name]
        if here.kind != there.kind and frozenset((here.kind, there.kind)) not in AS_GOOD:
            found.append(f"{table}.{name}: {here.kind.value}, not {there.kind.value}")
        if here.date_format != there.date_format:
            found.append(f"{table}.{name}: dates {here.date_format}, not {there.date_format}")
        if here.references != there.references:
            found.append(f"{table}.{name}: points to {here.references}, not {there.references}")
        if here.kind is there.kind is _K.MONEY and here.currency != there.currency:
            found.append(f"{table}.{name}: in {here.currency}, not {there.currency}")
    return found


def same_hours(one: str, other: str) -> bool:
    """Says whether two zones have kept the same hours since 2000: Berlin and Amsterdam are equally right."""
    if one == other:
        return True
    months = [datetime(year, month, 15, 12) for year in range(2000, 2026) for month in range(1, 13)]  # noqa: DTZ001
    return all(
        moment.replace(tzinfo=ZoneInfo(one)).utcoffset() == moment.replace(tzinfo=ZoneInfo(other)).utcoffset()
        for moment in months
    )


def _stated(path: Path) -> Manifest:
    """Returns a manifest as it is written, presets not applied."""
    load_manifest(path)
    return Manifest.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def drafts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, list[str]]]:
    """Data set -> its draft as a file, and what a person would have to edit."""
    result = {}
    for name in SETS:
        expected = load_manifest(MANIFESTS / f"{name}.yaml")
        draft = draft_folder(expected.base, slug(name)).at(str(expected.base))
        path = tmp_path_factory.mktemp("drafts") / f"{name}.yaml"
        path.write_text(draft_text(draft), encoding="utf-8")
        found = differences(_stated(path), _stated(MANIFESTS / f"{name}.yaml"), expected.base)
        result[name] = (path, found)
    return result


def test_nine_of_ten_drafts_need_no_edit(
    drafts: dict[str, tuple[Path, list[str]]], capsys: pytest.CaptureFixture[str]
) -> None:
    good = [name for name, (_, found) in drafts.items() if not found]
    with capsys.disabled():
        print()
        for name, (_, found) in drafts.items():
            print(f"{name:26} {'ok' if not found else f'{len(found)} differences: ' + '; '.join(found[:6])}")
        print(f"{len(good)} of {len(drafts)} drafts need no edit")
    assert len(good) >= SHARE * len(drafts)


def test_objects_of_drafts_are_those_that_a_person_states(
    drafts: dict[str, tuple[Path, list[str]]], capsys: pytest.CaptureFixture[str]
) -> None:
    proposed = 0
    for name, (path, _) in drafts.items():
        found = _objects(_stated(path))
        assert found <= _objects(_stated(MANIFESTS / f"{name}.yaml")), name
        proposed += len(found)
    with capsys.disabled():
        print(f"{proposed} objects proposed, all of them stated by a person")
    assert proposed >= 5


def _objects(manifest: Manifest) -> set[tuple[str, str, str]]:
    return {
        (table.name, told.type, told.id_column)
        for source in manifest.sources
        if source.preset is None
        for table in source.tables
        for told in table.objects
    }


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("kind: accounting", "kind: erp", "accounting"),
        ("key: [invoiceNumber]", "key: [customerID]", "key"),
        ("InvoiceAmount: {kind: money", "InvoiceAmount: {kind: rate", "money, not rate"),
        ('DueDate: {kind: date, date_format: "%m/%d/%Y"}', "DueDate: {kind: text}", "date, not text"),
        ("currency: USD\nbase", "currency: EUR\nbase", "currency USD, not EUR"),
        ("zones: [UTC]", "zones: [Asia/Tokyo]", "zone UTC, not Asia/Tokyo"),
        ("*.csv", "*missing.csv", "covered, but is no data"),
        ("customerID: {kind: id", "customerID: {kind: id, references: receivables.x.y", ""),
        ("countryCode: {kind: code", "countryCode: {kind: category", ""),
    ],
)
def test_the_comparison_finds_every_edit_and_only_those(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    text = (MANIFESTS / "ar_late_payments.yaml").read_text(encoding="utf-8")
    changed = tmp_path / "changed.yaml"
    assert old in text
    changed.write_text(text.replace(old, new), encoding="utf-8")
    stated = Manifest.model_validate(yaml.safe_load(text))
    edited = Manifest.model_validate(yaml.safe_load(changed.read_text(encoding="utf-8")))
    if "missing.csv" in new:
        edited = edited.model_copy(
            update={
                "sources": [edited.sources[0].model_copy(update={"tables": edited.sources[0].tables[1:]})]
            }
        )
    found = differences(stated, edited, Path(REAL) / "ar_late_payments")
    assert (told in "; ".join(found)) if told else not found


@pytest.mark.parametrize("name", SETS)
def test_a_draft_is_ingested_as_it_stands(
    name: str, drafts: dict[str, tuple[Path, list[str]]], tmp_path: Path
) -> None:
    loaded = load_manifest(drafts[name][0])
    report = ingest_dataset(loaded.manifest, loaded.base, tmp_path / "raw", lambda step, done, total: None)
    assert report.reconciles
    assert sum(count.kept for count in report.sources) > 0


@pytest.mark.parametrize("name", SETS)
def test_the_same_folder_gives_the_same_draft(name: str, drafts: dict[str, tuple[Path, list[str]]]) -> None:
    text = drafts[name][0].read_text(encoding="utf-8")
    base = Path(str(yaml.safe_load(text)["base"]))
    assert draft_text(draft_folder(base, slug(name)).at(str(base))) == text
