"""Onboarding in process: keeps a manifest, registers its partition, runs the job, reads what it left.

Belongs here: what the command line needs from Dagster, so that it never imports it.
"""

import os
import time
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
import yaml

from anonymize.audit import AUDIT_FILE
from anonymize.errors import AnonymizeError
from anonymize.keys import DatasetKey
from anonymize.manifest_names import TELLING_DATASET
from anonymize.output_scan import dataset_scanner
from anonymize.privacy_report import OUTPUTS_FILE, scan_reports
from anonymize.registry import Registry
from anonymize.vault import raw_tables
from archive.errors import ArchiveError
from archive.home import DatasetHome
from archive.loading import LoadedManifest, load_manifest, load_policy, load_topics, save_manifest
from archive.stated_sources import require_stated
from archive.store import TableStore, keep_private, replace_file
from contracts.company_model import CompanyModel, MinedRule
from contracts.names import fold
from evaluation.archive_report import write_onboard_report
from pipeline.checks import SHOWN_AUDIT
from pipeline.definitions import build_definitions
from pipeline.errors import OnboardFailed, OnboardRefused, WrongInput
from pipeline.partitions import datasets
from pipeline.resources import PROJECT, LakeResource, Listener, Notice, Progress, dataset_key
from pipeline.turns import own_turn

REPORT_FILE = "onboard.json"
DAGSTER_SETTINGS = {
    "telemetry": {"enabled": False},
    "compute_logs": {
        "module": "dagster._core.storage.noop_compute_log_manager",
        "class": "NoOpComputeLogManager",
    },
}
"""They hold for every run, whatever DAGSTER_HOME says: nothing is sent, and no output of steps is stored."""
_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dataclass(frozen=True)
class OnboardResult:
    """What onboarding found, in counts and clean units."""

    dataset: str
    sources: list[dict[str, Any]]
    entities: dict[str, int]
    leaks: int
    coincidences: int
    canaries_leaked: int
    cases: int
    rules: list[dict[str, Any]]
    outcomes: dict[str, int]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Returns the object that `rl-dojo onboard --json` prints."""
        return asdict(self)


def onboard(
    home: Path, manifest_path: Path, name: str | None, progress: Progress, notice: Notice
) -> OnboardResult:
    """Runs the onboard job for one dataset and returns its figures, also left in `reports/onboard.json`.

    Args:
        home: the state folder.
        manifest_path: a manifest, or the folder that holds `dataset.yaml`.
        name: another name than the manifest's, or None.
        progress: hears stage, step, done, total.
        notice: hears what a person must know, such as that a key was made.

    Raises:
        OnboardRefused: manifest, key, name or a source cannot be used.
        OnboardFailed: a step or a blocking check failed; nothing after it ran.
    """
    kept = _keep_manifest(home.resolve(), manifest_path, name, notice)
    return run_job("onboard", kept, progress, notice)


def run_job(
    job: str, kept: DatasetHome, progress: Progress, notice: Notice, gone: Registry | None = None
) -> OnboardResult:
    """Runs the onboard job, or the rebuild job that leaves out reading, for a dataset that has a manifest.

    `gone` is who was erased just now: where a form of theirs is left in any output, the run fails.

    Raises:
        OnboardRefused: manifest, key, name or a source cannot be used, or another run is under way.
        OnboardFailed: a step or a blocking check failed; nothing after it ran.
    """
    started = time.monotonic()
    definitions = build_definitions(LakeResource(home=str(kept.home)), Listener(progress, notice, gone))
    with own_turn(kept), _instance(kept.home) as instance:
        instance.add_dynamic_partitions(str(datasets.name), [kept.name])
        result = definitions.resolve_job_def(job).execute_in_process(
            run_config=_QUIET, instance=instance, partition_key=kept.name, raise_on_error=False
        )
        checked = all(check.passed for check in result.get_asset_check_evaluations())
        refused, cause = (False, "") if result.success and checked else _cause(result)
        if TELLING_DATASET in cause:  # no partition or run may go on telling it
            instance.delete_dynamic_partition(str(datasets.name), kept.name)
            instance.delete_run(result.run_id)
    if refused or cause:
        placed = cause.replace(SHOWN_AUDIT, str(kept.reports / AUDIT_FILE))
        told = cause if TELLING_DATASET in cause else f"dataset {kept.name!r}: {placed}"
        raise (OnboardRefused if refused else OnboardFailed)(told)
    key = dataset_key(kept, load_manifest(kept.manifest_path), notice)
    figures = _figures(kept, key, result, round(time.monotonic() - started, 1))
    write_onboard_report(kept)
    _search_what_is_shown(kept, key, result, gone)
    keep_private(kept.reports)
    return figures


def _search_what_is_shown(
    home: DatasetHome, key: DatasetKey, result: dg.ExecuteInProcessResult, gone: Registry | None
) -> None:
    """Searches the finished reports, and all that Dagster keeps of the run, for real forms once more."""
    shown = "\n".join(f"{event.message}\n{event.event_specific_data}" for event in result.all_events)
    scan = scan_reports(home, key, [shown], dataset_scanner(home, key, gone))
    if not scan.passed:
        raise OnboardFailed(
            f"dataset {home.name!r}: {scan.leaks} real forms stand in model, reports or the record of the "
            f"run, and {len(scan.unread)} files could not be searched: see reports/{OUTPUTS_FILE}"
        )


def _keep_manifest(home: Path, manifest_path: Path, name: str | None, notice: Notice) -> DatasetHome:
    try:
        loaded = load_manifest(manifest_path)
        kept = DatasetHome(home, name or loaded.manifest.name)
        _refuse_telling_name(kept.name, loaded)
        load_topics(loaded)
        require_stated(loaded, load_policy(loaded))
        dataset_key(kept, loaded, notice)
    except (ArchiveError, AnonymizeError) as error:
        raise OnboardRefused(str(error)) from error
    save_manifest(kept.manifest_path, loaded, manifest_path, kept.name)
    return kept


def _refuse_telling_name(name: str, loaded: LoadedManifest) -> None:
    """Refuses a name that tells the company: it becomes a folder and a partition key for all to see."""
    plain = fold(name).replace("-", "").replace("_", "").replace(" ", "")
    company = loaded.manifest.company
    for text in (*company.names, *(domain.split(".")[0] for domain in company.domains)):
        real = "".join(character for character in fold(text) if character.isalnum())
        if len(real) > 2 and real in plain:
            raise OnboardRefused(
                f"the dataset name {name!r} contains the company's own name: choose another (--name)"
            )


def _instance(home: Path) -> dg.DagsterInstance:
    """Returns the instance of DAGSTER_HOME, of the project, or of the state folder where neither is there."""
    if not os.environ.get("DAGSTER_HOME"):
        project = PROJECT / "dagster_home"
        folder = project if (project / "dagster.yaml").is_file() else home / "dagster"
        if not (folder / "dagster.yaml").is_file():
            replace_file(folder / "dagster.yaml", yaml.safe_dump(DAGSTER_SETTINGS).encode())
        os.environ["DAGSTER_HOME"] = str(folder)
    named = Path(os.environ["DAGSTER_HOME"])
    if not named.is_absolute() or not named.is_dir():
        raise OnboardRefused(
            "DAGSTER_HOME must be the absolute path of a folder that exists: "
            "export DAGSTER_HOME=$PWD/dagster_home, or unset it"
        )
    return dg.DagsterInstance.local_temp(str(named), overrides=DAGSTER_SETTINGS)


def _cause(result: dg.ExecuteInProcessResult) -> tuple[bool, str]:
    """Returns whether the input is at fault, and the first failed check or step in one line."""
    for check in result.get_asset_check_evaluations():
        if not check.passed:
            found = check.description or "see its figures in the UI"
            return False, f"blocking check {check.check_name} failed: {found}; nothing after it ran"
    for event in result.filter_events(lambda event: event.is_step_failure):
        error = event.step_failure_data.error
        while error is not None and error.cause is not None:
            error = error.cause
        if error is not None and error.cls_name == dg.DagsterExecutionInterruptedError.__name__:
            return False, "stopped from outside: the same command goes on with what has landed"
        if error is not None:
            message = error.message.strip().removeprefix(f"pipeline.errors.{error.cls_name}: ")
            return error.cls_name == WrongInput.__name__, message
    return False, "the run failed before its first step: see the run in the UI"


def _figures(
    home: DatasetHome, key: DatasetKey, result: dg.ExecuteInProcessResult, seconds: float
) -> OnboardResult:
    audit: Any = TableStore(home.reports).read_json(AUDIT_FILE)
    model = CompanyModel.model_validate_json((home.model / "company_model.json").read_bytes())
    figures = OnboardResult(
        dataset=home.name,
        sources=_sources(raw_tables(home, key)),
        entities=_entities(result),
        leaks=audit["leaks"],
        coincidences=audit["coincidences"],
        canaries_leaked=audit["canaries_leaked"],
        cases=model.cases,
        rules=[_rule(rule) for rule in model.rules],
        outcomes={outcome.name: outcome.share.hits for outcome in model.outcomes},
        seconds=seconds,
    )
    content = figures.to_json()
    del content["seconds"]
    TableStore(home.reports).write_json(REPORT_FILE, content)
    return figures


def _sources(raw: TableStore) -> list[dict[str, Any]]:
    """Counts per source, with the reasons of what is in quarantine and the faults of attachments."""
    reasons = _counted(raw.read("quarantine").select("source", "reason"))
    faults = _counted(raw.read("attachments").select("source", "fault"))
    return [
        {
            **row,
            "reasons": dict(sorted(reasons[row["name"]].items())),
            "faults": dict(sorted(faults[row["name"]].items())),
        }
        for row in raw.read("source_counts").rename({"source": "name"}).iter_rows(named=True)
    ]


def _counted(frame: pl.DataFrame) -> dict[str, Counter[str]]:
    """Source -> how often each word stands in the second column; empty cells are none."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for source, word in frame.iter_rows():
        if word:
            found[source][word] += 1
    return found


def _entities(result: dg.ExecuteInProcessResult) -> dict[str, int]:
    for event in result.get_asset_materialization_events():
        materialization = event.step_materialization_data.materialization
        if materialization.asset_key == dg.AssetKey("entity_registry"):
            table = materialization.metadata["entities"]
            assert isinstance(table, dg.TableMetadataValue)
            return {str(row.data["what"]): int(row.data["n"] or 0) for row in table.records}
    return {}


def _rule(mined: MinedRule) -> dict[str, Any]:
    rule = mined.rule
    return {
        "id": rule.id,
        "decision": rule.decision,
        "condition": mined.statement,
        "threshold": mined.threshold,
        "low": mined.low,
        "high": mined.high,
        "support": mined.support,
        "confidence": mined.confidence_ppm / 1_000_000,
        "exceptions": mined.exceptions,
    }
