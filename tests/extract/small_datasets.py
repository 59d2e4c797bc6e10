"""Datasets of a few rows, for tests of one rule each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl

from archive.store import polars_schema
from contracts.manifest import Company, Manifest, Source
from contracts.tables import FIXED_TABLES, record_table_name
from extract.dataset import Dataset, RecordTable

UTC = ZoneInfo("UTC")


def small_dataset(
    sources: Sequence[Source],
    rows: Mapping[str, Sequence[Mapping[str, Any]]],
    **fixed: Sequence[Mapping[str, Any]],
) -> Dataset:
    """Returns a dataset of the given rows: of record tables by their own name, and of fixed tables."""
    company = Company(names=["Own"], domains=["own.example"], zones=["UTC"], currency="EUR")
    manifest = Manifest(name="small", company=company, sources=list(sources))
    tables = {
        name: pl.DataFrame(
            [{column.name: row.get(column.name) for column in table.columns} for row in fixed.get(name, [])],
            schema=polars_schema(table),
            orient="row",
        )
        for name, table in FIXED_TABLES.items()
    }
    records = [
        RecordTable(
            record_table_name(source.name, spec.name),
            source,
            spec,
            dict(spec.columns),
            UTC,
            [{"record_id": f"{spec.name}-{number}", **row} for number, row in enumerate(rows[spec.name])],
        )
        for source in sources
        for spec in source.tables
    ]
    return Dataset(manifest, tables, records, UTC)


def source(name: str, kind: str, **tables: Mapping[str, Any]) -> Source:
    """Returns a source of record tables; a table's specs are those of a manifest."""
    stated = [{"name": table, **spec} for table, spec in tables.items()]
    return Source.model_validate({"name": name, "kind": kind, "format": "csv", "tables": stated})
