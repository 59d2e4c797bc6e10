"""What must hold before the road goes on: blocking checks with expected and actual counts.

Belongs here: verdicts on stored assets. Checks read files, not the reports of the step they judge, where both
exist. Does not belong here: repairs, samples, raw values (https://docs.dagster.io/guides/test/asset-checks).
"""

import json
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import dagster as dg

from archive.home import DatasetHome
from pipeline.assets import clean_tables, kinds_of_columns, privacy_audit, privacy_report
from pipeline.partitions import datasets
from pipeline.resources import SILENT, LakeResource, dataset_key

MOST_PLACES = 5
SHOWN_AUDIT = "reports/audit.json"
"""The report as messages name it; the command line puts its whole path there."""
# Partitions of checks are a preview in this release; the notice would stand in every command's output.
warnings.filterwarnings("ignore", category=dg.PreviewWarning)


@dg.asset_check(asset=dg.AssetKey("canonical_tables"), blocking=True, partitions_def=datasets)
def counts_reconcile(context: dg.AssetCheckExecutionContext, lake: LakeResource) -> dg.AssetCheckResult:
    """Per source, read = kept + duplicates + quarantined, and the tables hold what was kept."""
    from pipeline.reconciliation import reconcile

    name = context.partition_key
    key = dataset_key(lake.dataset(name), lake.manifest(name), SILENT.notice)
    return _verdict(reconcile(lake.dataset(name), key))


@dg.asset_check(asset=privacy_audit, blocking=True, partitions_def=datasets)
def no_residual_identifiers(
    context: dg.AssetCheckExecutionContext, lake: LakeResource
) -> dg.AssetCheckResult:
    """No real form or canary stands in the pending tables, no typed cell stayed, no surrogate is shared."""
    audit = _audit(lake.dataset(context.partition_key))
    return _verdict(
        {
            "leaks": (0, audit["leaks"]),
            "coincidences_above_bound": (0, max(0, audit["coincidences"] - audit["coincidence_bound"])),
            "canaries_leaked": (0, audit["canaries_leaked"]),
            "leaks_in_bytes": (0, audit["outputs"]["leaks"]),
            "files_not_opened": (0, len(audit["outputs"]["unread"])),
            "coincidences_in_bytes_above_bound": (0, _above(audit["outputs"])),
            "tables_with_other_row_count": (0, len(audit["rows_changed"])),
            "shared_surrogates": (0, audit["shared_surrogates"]),
        },
        {"columns": kinds_of_columns(audit["columns"])},
        _advice(audit, context.partition_key),
    )


@dg.asset_check(asset=privacy_audit, blocking=True, partitions_def=datasets)
def registry_is_complete(context: dg.AssetCheckExecutionContext, lake: LakeResource) -> dg.AssetCheckResult:
    """Every name and address of From, To, Cc, author and user columns is in the entity registry."""
    return _verdict({"unregistered": (0, _audit(lake.dataset(context.partition_key))["unregistered"])})


@dg.asset_check(asset=privacy_report, blocking=True, partitions_def=datasets)
def nothing_real_in_outputs(
    context: dg.AssetCheckExecutionContext, lake: LakeResource
) -> dg.AssetCheckResult:
    """No real form stands in any byte of the company model and of the reports."""
    from anonymize.privacy_report import OUTPUTS_FILE

    scan = json.loads((lake.dataset(context.partition_key).reports / OUTPUTS_FILE).read_bytes())
    return _verdict(
        {
            "leaks": (0, scan["leaks"]),
            "files_not_opened": (0, len(scan["unread"])),
            "coincidences_above_bound": (0, _above(scan)),
        }
    )


@dg.asset_check(asset=privacy_report, blocking=True, partitions_def=datasets)
def relations_are_kept(context: dg.AssetCheckExecutionContext, lake: LakeResource) -> dg.AssetCheckResult:
    """Every join, thread, answer and link of the raw tables holds in the clean ones; there is no new one."""
    from anonymize.privacy_report import PRIVACY_FILE

    summary = json.loads((lake.dataset(context.partition_key).reports / PRIVACY_FILE).read_bytes())["summary"]
    return _verdict({"lost": (0, summary["relations_lost"]), "new": (0, summary["relations_new"])})


@dg.multi_asset_check(
    specs=[
        dg.AssetCheckSpec(
            f"{table}_keep_their_contract", asset=clean_tables, blocking=True, partitions_def=datasets
        )
        for table in ("messages", "tickets")
    ],
    name="clean_contract",
)
def clean_contract(
    context: dg.AssetCheckExecutionContext, lake: LakeResource
) -> Iterator[dg.AssetCheckResult]:
    """The Great Expectations suites of messages and tickets hold on the clean tables."""
    from pipeline.expectations import validate_table

    home = lake.dataset(context.partition_key)
    for table in ("messages", "tickets"):
        outcome = validate_table(home, table)
        yield dg.AssetCheckResult(
            passed=not outcome.failed,
            check_name=f"{table}_keep_their_contract",
            asset_key=clean_tables.key,
            description=f"expectations not met: {', '.join(outcome.failed)}" if outcome.failed else None,
            metadata={
                "rows": outcome.rows,
                "expectations": outcome.expectations,
                "failed": len(outcome.failed),
            },
        )


def _above(scan: dict[str, Any]) -> int:
    return max(0, int(scan["coincidences"]) - int(scan["coincidence_bound"]))


def _audit(home: DatasetHome) -> dict[str, Any]:
    from anonymize.audit import AUDIT_FILE

    content: dict[str, Any] = json.loads((home.reports / AUDIT_FILE).read_bytes())
    return content


def _advice(audit: dict[str, Any], dataset: str) -> str:
    """Returns where leaks stand, the most first, and what to do about them; nothing where there are none."""
    found = Counter[str](audit["leak_places"])
    found.update(f"{hit['file']} ({hit['place']}, {hit['encoding']})" for hit in audit["outputs"]["hits"])
    if not found:
        return ""
    places = sorted(found.items(), key=lambda one: (-one[1], one[0]))
    named = ", ".join(f"{count} in {place}" for place, count in places[:MOST_PLACES])
    more = f" and {len(places) - MOST_PLACES} more places" if len(places) > MOST_PLACES else ""
    column = next((place for place, _ in places if place in audit["leak_places"]), None)
    shown = "" if column is None else f"Look at the cells: rl-dojo onboard {dataset} --explain {column}. "
    return (
        f": {named}{more} (all are in {SHOWN_AUDIT}). {shown}Type the column that holds the names or numbers "
        "these are, or treat the column in policy.yaml, then run the same command again"
    )


def _verdict(
    facts: dict[str, tuple[object, object]],
    more: dict[str, dg.TableMetadataValue] | None = None,
    advice: str = "",
) -> dg.AssetCheckResult:
    """Returns whether every expected figure is the actual one, and shows both; advice follows what is not."""
    wrong = [
        f"{name} is {actual}, expected {expected}"
        for name, (expected, actual) in facts.items()
        if expected != actual
    ]
    records = [
        dg.TableRecord({"what": name, "expected": str(expected), "actual": str(actual)})
        for name, (expected, actual) in facts.items()
    ]
    schema = dg.TableSchema([dg.TableColumn(name) for name in ("what", "expected", "actual")])
    return dg.AssetCheckResult(
        passed=not wrong,
        description="; ".join(wrong) + advice if wrong else None,
        metadata={"figures": dg.MetadataValue.table(records, schema), "wrong": len(wrong), **(more or {})},
    )
