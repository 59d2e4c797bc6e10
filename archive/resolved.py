"""The manifest as later floors read it: tables that exist, a spec for every column, readable objects."""

from __future__ import annotations

from collections.abc import Sequence

from archive.errors import ManifestError
from archive.records import RecordTable
from archive.store import TableStore
from contracts.manifest import EventSpec, Manifest, ObjectSpec, Source, TableSpec

MANIFEST_FILE = "manifest.json"


def resolve_manifest(manifest: Manifest, records: Sequence[RecordTable]) -> Manifest:
    """Returns the manifest with the tables and columns that were found, without base folder, paths and URLs.

    What a preset says about absent columns is dropped.

    Raises:
        ManifestError: an object that the manifest itself describes uses a column that does not exist.
    """
    sources = [_resolve_source(source, records) for source in manifest.sources]
    return manifest.model_copy(update={"sources": sources, "base": None, "topics": None})


def stored_manifest(store: TableStore) -> Manifest:
    """Returns the resolved manifest that ingestion left beside the tables.

    Raises:
        StoreError: there is none: the dataset was not ingested.
    """
    return Manifest.model_validate(store.read_json(MANIFEST_FILE))


def _resolve_source(source: Source, records: Sequence[RecordTable]) -> Source:
    tables = []
    for record in records:
        if record.source != source.name:
            continue
        stated = record.stated or TableSpec(name=record.table)
        objects = [
            resolved
            for spec in stated.objects
            if (resolved := _resolve_object(source.name, record, spec, record.by_person)) is not None
        ]
        tables.append(stated.model_copy(update={"path": None, "columns": record.specs, "objects": objects}))
    return source.model_copy(update={"path": None, "url": None, "tables": tables})


def _resolve_object(source: str, record: RecordTable, spec: ObjectSpec, strict: bool) -> ObjectSpec | None:
    needed = [spec.id_column, *spec.where]
    optional = [*spec.parents.values(), *spec.outcome_columns.values(), *spec.attributes.values()]
    optional += [column for column in (spec.number_column, spec.amount_column) if column is not None]
    for event in spec.events:
        optional += _event_columns(event)
    missing = [column for column in [*needed, *optional] if column not in record.specs]
    if missing and strict:
        raise ManifestError(
            f"source {source!r}: object {spec.type!r} uses column {missing[0]!r}, "
            "which its table lacks: compare it with the export"
        )
    if any(column in missing for column in needed):
        return None
    return spec.model_copy(
        update={
            "number_column": spec.number_column if spec.number_column in record.specs else None,
            "amount_column": spec.amount_column if spec.amount_column in record.specs else None,
            "parents": _present(spec.parents, record),
            "outcome_columns": _present(spec.outcome_columns, record),
            "attributes": _present(spec.attributes, record),
            "events": [event for event in (_resolve_event(event, record) for event in spec.events) if event],
        }
    )


def _resolve_event(event: EventSpec, record: RecordTable) -> EventSpec | None:
    if event.at not in record.specs or any(column not in record.specs for column in event.where):
        return None
    return event.model_copy(
        update={
            "actor": event.actor if event.actor in record.specs else None,
            "at_time": event.at_time if event.at_time in record.specs else None,
        }
    )


def _event_columns(event: EventSpec) -> list[str]:
    return [
        column
        for column in (event.at, event.at_time, event.actor, event.activity_column, *event.where)
        if column is not None
    ]


def _present(columns: dict[str, str], record: RecordTable) -> dict[str, str]:
    return {name: column for name, column in columns.items() if column in record.specs}
