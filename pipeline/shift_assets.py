"""The assets of the second road: world template, worlds, runs and grades of a dataset's environment.

Belongs here: what `worldgen` and `evaluation` make, with counts and rewards as metadata. Does not belong
here: the first road (`assets`), and any dataset whose manifest names no environment.
"""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg

from pipeline.errors import OnboardRefused, without_raw_values
from pipeline.partitions import datasets
from pipeline.resources import PROJECT, LakeResource, Listener

if TYPE_CHECKING:
    from evaluation.sweeping import Sweep

_GROUP = "shift"
_MAX_ROWS = 50
"""Rows of a table shown in the UI; the report has them all."""


class SweepPlan(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Which agents work which worlds; the launchpad shows these fields under `resources`."""

    agents: list[str] = ["reference", "noop"]  # noqa: RUF012 - Dagster reads the default from the class
    seeds: str = "1,2,3"
    level: str = "standard"


def environment_of(lake: LakeResource, dataset: str) -> Path:
    """Returns the folder of the environment that a dataset's manifest names.

    Raises:
        OnboardRefused: the manifest names none, or the folder has no authored layer.
    """
    named = lake.manifest(dataset).manifest.environment
    if named is None:
        raise OnboardRefused(f"dataset {dataset!r} names no environment: its road ends at the company model")
    folder = PROJECT / named
    if not (folder / "authored").is_dir():
        raise OnboardRefused(f"{named} is no environment: it has no folder authored/")
    return folder


def sweep_folder(lake: LakeResource, dataset: str) -> Path:
    """Returns where the worlds, runs and report of a dataset's environment lie."""
    return Path(lake.home) / "runs" / f"{dataset}-{environment_of(lake, dataset).name}"


def _sweep(lake: LakeResource, dataset: str, plan: SweepPlan) -> "Sweep":
    from evaluation.seeds import public_seeds
    from evaluation.sweeping import Entrant, Sweep

    entrants = [Entrant(agent) for agent in plan.agents]
    environment = environment_of(lake, dataset)
    return Sweep(environment, entrants, public_seeds(plan.seeds), plan.level, 1, sweep_folder(lake, dataset))


def _columns(*names: str) -> dg.TableSchema:
    """Returns a schema, which Dagster cannot infer from a table without rows."""
    return dg.TableSchema([dg.TableColumn(name) for name in names])


@dg.asset(
    partitions_def=datasets,
    group_name=_GROUP,
    kinds={"yaml"},
    deps=[dg.AssetKey("company_model")],
)
def world_template(context: dg.AssetExecutionContext, lake: LakeResource) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """The environment's fitted layer: every field that the company model decides, with its n."""
    from contracts.company_model import CompanyModel
    from worldgen.fitting import fit_template

    path = lake.dataset(context.partition_key).model / "company_model.json"
    model = CompanyModel.model_validate_json(path.read_bytes())
    lines = fit_template(model, environment_of(lake, context.partition_key))
    fields = [
        dg.TableRecord({"field": line.field, "entry": line.entry, "n": line.n, "left_out": line.left_out})
        for line in lines
    ]
    return dg.MaterializeResult(metadata={"fields": dg.MetadataValue.table(fields)})


@dg.asset_check(asset=world_template, partitions_def=datasets, blocking=True)
def no_pool_name_is_real(context: dg.AssetCheckExecutionContext, lake: LakeResource) -> dg.AssetCheckResult:
    """No name, company, domain or address that a world could use is a real one of the archive."""
    from pipeline.real_names import pool_collisions
    from worldgen.template import load_authored

    dataset = context.partition_key
    authored = load_authored(environment_of(lake, dataset))
    with without_raw_values("comparing names"):
        found = pool_collisions(lake.dataset(dataset), authored, lambda _: None)
    count = sum(found.counts.values())
    return dg.AssetCheckResult(
        passed=count == 0,
        description=found.message() if count else None,
        metadata={"expected": 0, "collisions": count, **found.counts},
    )


@dg.asset(partitions_def=datasets, group_name=_GROUP, kinds={"json"}, deps=[world_template])
def worlds(
    context: dg.AssetExecutionContext,
    plan: SweepPlan,
    lake: LakeResource,
    listener: dg.ResourceParam[Listener],
) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """One world per seed, with its hash: the same template and seed give the same world."""
    from evaluation.sweeping import build_worlds

    built = build_worlds(_sweep(lake, context.partition_key, plan), listener.progress)
    hashes = [
        dg.TableRecord({"seed": seed, "world_hash": world_hash}) for seed, world_hash in built.hashes.items()
    ]
    return dg.MaterializeResult(
        metadata={
            "built": len(built.hashes),
            "defects": len(built.defects),
            "worlds": dg.MetadataValue.table(hashes, _columns("seed", "world_hash")),
        }
    )


@dg.asset(partitions_def=datasets, group_name=_GROUP, kinds={"json"}, deps=[worlds])
def runs(
    context: dg.AssetExecutionContext,
    plan: SweepPlan,
    lake: LakeResource,
    listener: dg.ResourceParam[Listener],
) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """Every agent's shift in every world: its log and how it ended."""
    from evaluation.sweeping import play_shifts, stored_worlds

    sweep = _sweep(lake, context.partition_key, plan)
    results = play_shifts(sweep, stored_worlds(sweep), listener.progress)
    ends = Counter(str(result.end_reason or result.outcome) for result in results)
    endings = [dg.TableRecord({"ended": how, "n": n}) for how, n in sorted(ends.items())]
    return dg.MaterializeResult(
        metadata={
            "runs": len(results),
            "endings": dg.MetadataValue.table(endings, _columns("ended", "n")),
        }
    )


@dg.asset(partitions_def=datasets, group_name=_GROUP, kinds={"json", "html"}, deps=[runs])
def grades(context: dg.AssetExecutionContext, plan: SweepPlan, lake: LakeResource) -> dg.MaterializeResult:  # type: ignore[type-arg]
    """Every run's grade, computed again from its log and the truth alone, and the leaderboard."""
    from evaluation.regrading import regrade
    from evaluation.reporting import write_report

    sweep = _sweep(lake, context.partition_key, plan)
    results = [again.result for again in regrade(sweep.folders)]
    page = write_report(sweep.folders, sweep.out / "report")
    rewards = [
        dg.TableRecord({"agent": result.agent, "seed": result.seed_label, "reward": str(result.reward)})
        for result in results
    ]
    return dg.MaterializeResult(
        metadata={
            "graded": len(results),
            "rewards": dg.MetadataValue.table(rewards[:_MAX_ROWS], _columns("agent", "seed", "reward")),
            "report": dg.MetadataValue.path(str(page)),
        }
    )


@dg.asset_check(asset=dg.AssetKey("grades"), partitions_def=datasets, blocking=True)
def every_run_is_graded(
    context: dg.AssetCheckExecutionContext, plan: SweepPlan, lake: LakeResource
) -> dg.AssetCheckResult:
    """No run of the sweep ended in a defect of ours."""
    from evaluation.runs import read_run

    folders = _sweep(lake, context.partition_key, plan).folders
    ungraded = sum(read_run(folder).result.reward is None for folder in folders)
    return dg.AssetCheckResult(passed=ungraded == 0, metadata={"expected": 0, "ungraded": ungraded})
