"""The assets of the road: canonical tables, registry, clean tables, audit, company log and model.

Belongs here: which function makes what from what, and the counts that are shown. Does not belong here: the
work itself, and anything that reads a value of the archive: metadata is stored in the event log and shown to
everyone with the UI (https://docs.dagster.io/guides/build/assets).
"""

from collections.abc import Iterator, Mapping, Sequence

import dagster as dg

from contracts.tables import is_record_table
from pipeline.compute import ComputeResource
from pipeline.errors import without_raw_values
from pipeline.partitions import datasets
from pipeline.resources import LakeResource, Listener, dataset_key

Counts = Mapping[str, int]


def _spec(
    group: str, name: str, deps: Sequence[str], description: str, kind: str = "parquet"
) -> dg.AssetSpec:
    return dg.AssetSpec(
        name, deps=deps, partitions_def=datasets, group_name=group, kinds={kind}, description=description
    )


sources = dg.AssetSpec(
    "sources",
    partitions_def=datasets,
    group_name="archive",
    description="The company's exports, as the manifest names them: read, never written.",
)


@dg.multi_asset(
    specs=[
        _spec("archive", "canonical_tables", ["sources"], "Every message, ticket and row under one schema."),
        _spec("archive", "quarantine", ["sources"], "What could not be read, with its place and the reason."),
    ],
    name="ingest",
)
def ingest(
    context: dg.AssetExecutionContext,
    lake: LakeResource,
    compute: ComputeResource,
    listener: dg.ResourceParam[Listener],
) -> Iterator[dg.MaterializeResult]:  # type: ignore[type-arg]
    """Reads every message, ticket and row of the sources into canonical tables, or into quarantine."""
    from anonymize.withheld import apply_bounds
    from archive.ingest import ingest_dataset

    home = lake.dataset(context.partition_key)
    with without_raw_values("reading the archive"):
        loaded = lake.manifest(context.partition_key)
        key = dataset_key(home, loaded, listener.notice)
        report = ingest_dataset(
            loaded.manifest,
            loaded.base,
            home.raw,
            listener.stage("read"),
            compute.map_files,
            key.raw_sealing,
        )
        withheld = apply_bounds(home, key)
    yield dg.MaterializeResult(
        asset_key="canonical_tables",
        metadata={
            "dagster/row_count": sum(report.tables.values()),
            "sources": _table(
                [{**count._asdict(), "source": at} for at, count in enumerate(report.sources, 1)]
            ),
            "tables": _counts(_unnamed(report.tables)),
            "portions": report.portions,
            "portions_read_now": report.portions_read,
            "rows_withheld": sum(withheld.rows.values()),
            "cells_withheld": sum(withheld.cells.values()),
        },
    )
    yield dg.MaterializeResult(
        asset_key="quarantine",
        metadata={"dagster/row_count": sum(report.reasons.values()), "reasons": _counts(report.reasons)},
    )


@dg.multi_asset(
    specs=[
        _spec(
            "anonymize",
            "entity_registry",
            ["canonical_tables"],
            "All persons, companies, places and identifiers with their surrogates, encrypted.",
            "vault",
        ),
        _spec(
            "anonymize",
            "pending_tables",
            ["canonical_tables", "entity_registry"],
            "Canonical tables under surrogates, not yet audited: `clean.pending/`.",
        ),
    ],
    name="pseudonymize",
)
def pseudonymize(
    context: dg.AssetExecutionContext, lake: LakeResource, listener: dg.ResourceParam[Listener]
) -> Iterator[dg.MaterializeResult]:  # type: ignore[type-arg]
    """Resolves entities and replaces every direct identifier by a consistent surrogate."""
    from anonymize.pseudonymize import pseudonymize_dataset

    home = lake.dataset(context.partition_key)
    with without_raw_values("pseudonymising"):
        loaded = lake.manifest(context.partition_key)
        key = dataset_key(home, loaded, listener.notice)
        report = pseudonymize_dataset(home, loaded, key, listener.stage("pseudonymise"))
    yield dg.MaterializeResult(
        asset_key="entity_registry",
        metadata={"entities": _counts(report.entities), "doubtful_pairs": report.doubtful},
    )
    yield dg.MaterializeResult(
        asset_key="pending_tables",
        metadata={
            "dagster/row_count": sum(report.rows.values()),
            "replacements": _counts(report.replacements),
            "lines_read_by_model": report.lines_read,
        },
    )


@dg.asset(
    partitions_def=datasets,
    group_name="anonymize",
    kinds={"json"},
    deps=["entity_registry", "pending_tables"],
)
def privacy_audit(
    context: dg.AssetExecutionContext, lake: LakeResource, listener: dg.ResourceParam[Listener]
) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """The verdict on the pending tables: leaks, completeness of the registry, shared surrogates."""
    from anonymize.audit import audit_dataset

    home = lake.dataset(context.partition_key)
    listener.progress("audit", "scan for leaks", 0, 1)
    with without_raw_values("auditing"):
        loaded = lake.manifest(context.partition_key)
        key = dataset_key(home, loaded, listener.notice)
        report = audit_dataset(home, loaded, key, listener.gone)
    listener.progress("audit", "scan for leaks", 1, 1)
    return dg.MaterializeResult(
        metadata={
            "leaks": report.leaks,
            "leak_places": _counts(report.leak_places),
            "canaries_leaked": report.canaries_leaked,
            "coincidences": report.coincidences,
            "unregistered": report.unregistered,
            "shared_surrogates": report.shared_surrogates,
            "single_names": report.single_names,
            "typed_cells": report.typed_cells,
            "columns": kinds_of_columns(report.columns),
            "forms_searched": report.forms,
            "cells_searched": report.cells,
        }
    )


@dg.asset(partitions_def=datasets, group_name="anonymize", kinds={"parquet"}, deps=[privacy_audit])
def clean_tables(context: dg.AssetExecutionContext, lake: LakeResource) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """The audited tables, published by a rename: everything downstream reads these only."""
    from anonymize.audit import publish
    from archive.store import TableStore

    home = lake.dataset(context.partition_key)
    with without_raw_values("publishing"):
        publish(home)
        store = TableStore(home.clean)
        rows = {name: store.read(name).height for name in store.names()}
    return dg.MaterializeResult(metadata={"dagster/row_count": sum(rows.values()), "tables": _counts(rows)})


@dg.multi_asset(
    specs=[
        _spec(
            "extract", "company_log", ["clean_tables"], "Events and objects: OCEL 2.0, Parquet and SQLite."
        ),
        _spec("extract", "cases", ["company_log"], "Which records, mails and tickets are one business."),
        _spec("extract", "mined_rules", ["cases"], "Unwritten rules: support, interval, exceptions.", "json"),
        _spec("extract", "outcomes", ["cases"], "Labelled results of cases, each with its evidence.", "json"),
        _spec("extract", "response_model", ["cases"], "What made outsiders answer, and how soon.", "json"),
        _spec(
            "extract",
            "company_model",
            ["cases", "mined_rules", "outcomes", "response_model"],
            "Everything learned in one file: `company_model.json`.",
            "json",
        ),
    ],
    name="extract",
)
def extract(
    context: dg.AssetExecutionContext, lake: LakeResource, listener: dg.ResourceParam[Listener]
) -> Iterator[dg.MaterializeResult]:  # type: ignore[type-arg]
    """Learns cases, workflow, rules, outcomes and responses from the clean tables."""
    from archive.loading import load_topics
    from archive.store import keep_private
    from extract.model import extract_dataset

    home = lake.dataset(context.partition_key)
    with without_raw_values("extracting"):
        topics = load_topics(lake.manifest(context.partition_key))
        keep_private(home.model)  # before anything is written there
        model = extract_dataset(home, topics, listener.stage("extract"))
        for folder in (home.clean, home.model):  # the log lies beside the clean tables too
            keep_private(folder)
    yield dg.MaterializeResult(asset_key="company_log", metadata={"counts": _counts(model.counts)})
    yield dg.MaterializeResult(
        asset_key="cases",
        metadata={
            "dagster/row_count": model.cases,
            "linked_ppm": _counts({name: share.ppm for name, share in model.linked.items()}),
        },
    )
    yield dg.MaterializeResult(
        asset_key="mined_rules",
        metadata={"rules": len(model.rules), "support": _counts({r.rule.id: r.support for r in model.rules})},
    )
    yield dg.MaterializeResult(
        asset_key="outcomes", metadata={"outcomes": _counts({o.name: o.share.hits for o in model.outcomes})}
    )
    yield dg.MaterializeResult(
        asset_key="response_model",
        metadata={"outreach_judged": model.response.outreach if model.response else 0},
    )
    yield dg.MaterializeResult(
        asset_key="company_model",
        metadata={
            "workflows": len(model.workflows),
            "recorded_cases": len(model.recorded_cases),
        },
    )


@dg.asset(
    partitions_def=datasets, group_name="anonymize", kinds={"json"}, deps=["company_model", clean_tables]
)
def privacy_report(
    context: dg.AssetExecutionContext, lake: LakeResource, listener: dg.ResourceParam[Listener]
) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """What was searched, kept and left unprotected, as JSON and page; model and reports are scanned."""
    from anonymize.output_scan import dataset_scanner
    from anonymize.privacy_report import scan_reports, write_privacy_report
    from archive.store import keep_private
    from evaluation.privacy_page import write_privacy_page

    home = lake.dataset(context.partition_key)
    listener.progress("report", "privacy", 0, 1)
    with without_raw_values("reporting on privacy"):
        key = dataset_key(home, lake.manifest(context.partition_key), listener.notice)
        scanner = dataset_scanner(home, key, listener.gone)
        content = write_privacy_report(home, key, scanner)
        write_privacy_page(home)
        scan = scan_reports(home, key, scanner=scanner)
        keep_private(home.reports)
    listener.progress("report", "privacy", 1, 1)
    return dg.MaterializeResult(
        metadata={
            "summary": _counts({name: int(count) for name, count in content["summary"].items()}),
            "files_searched": scan.files,
            "bytes_searched": scan.bytes,
            "forms_searched": scan.forms,
            "leaks": scan.leaks,
            "coincidences": scan.coincidences,
        }
    )


def _unnamed(tables: Counts) -> Counts:
    """Returns counts of own tables by number: no check has yet seen whether their names tell somebody."""
    own = [name for name in sorted(tables) if is_record_table(name)]
    return {f"own table {own.index(name) + 1}" if name in own else name: n for name, n in tables.items()}


def _counts(counts: Counts) -> dg.TableMetadataValue:
    return _table([{"what": name, "n": n} for name, n in sorted(counts.items())])


def kinds_of_columns(columns: Mapping[str, Mapping[str, int]]) -> dg.TableMetadataValue:
    """Returns what the audit compared and found, one row for each kind of column."""
    return _table([{"kind": kind, **figures} for kind, figures in sorted(columns.items())])


def _table(rows: list[dict[str, str | int]]) -> dg.TableMetadataValue:
    """Returns rows as a table; Dagster wants a schema where there is no row to infer one from."""
    records = [dg.TableRecord(dict(row)) for row in rows]
    columns = list(rows[0]) if rows else ["what", "n"]
    schema = dg.TableSchema(
        [
            dg.TableColumn(name, "int" if rows and isinstance(rows[0][name], int) else "string")
            for name in columns
        ]
    )
    return dg.MetadataValue.table(records, schema)
