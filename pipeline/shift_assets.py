"""The assets of the second road: world template, worlds, runs and grades of a dataset's environment.

Belongs here: what `worldgen` and `evaluation` make, with counts and rewards as metadata. Does not belong
here: the first road (`assets`), and any dataset whose manifest names no environment.
"""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg

from pipeline.errors import OnboardRefused
from pipeline.partitions import datasets
from pipeline.resources import PROJECT, LakeResource, Listener

_GROUP = "shift"


class SweepConfig(dg.Config):
    """Which agents work which worlds."""

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
    fields = [dg.TableRecord({"field": line.field, "n": line.n}) for line in lines]
    return dg.MaterializeResult(metadata={"fields": dg.MetadataValue.table(fields)})


@dg.multi_asset(
    specs=[
        dg.AssetSpec("worlds", deps=[world_template], partitions_def=datasets, group_name=_GROUP),
        dg.AssetSpec("runs", deps=["worlds"], partitions_def=datasets, group_name=_GROUP),
        dg.AssetSpec("grades", deps=["runs"], partitions_def=datasets, group_name=_GROUP),
    ],
    name="sweep",
)
def sweep(
    context: dg.AssetExecutionContext,
    config: SweepConfig,
    lake: LakeResource,
    listener: dg.ResourceParam[Listener],
) -> Iterator[dg.MaterializeResult]:  # type: ignore[type-arg]
    """Builds worlds, sends agents through their shifts and grades what they did."""
    from evaluation.reporting import write_report
    from evaluation.seeds import public_seeds
    from evaluation.sweeping import Entrant, forget_keys, run_sweep

    environment = environment_of(lake, context.partition_key)
    forget_keys()
    folder = Path(lake.home) / "runs" / f"{context.partition_key}-{environment.name}"
    results = run_sweep(
        environment,
        [Entrant(agent, None) for agent in config.agents],
        public_seeds(config.seeds),
        config.level,
        1,
        folder,
        listener.progress,
    )
    page = write_report([Path(result.folder) for result in results], folder / "report")
    hashes = sorted({(result.seed_label, result.world_hash) for result in results})
    records = [dg.TableRecord({"seed": seed, "world_hash": world_hash}) for seed, world_hash in hashes]
    yield dg.MaterializeResult(asset_key="worlds", metadata={"worlds": dg.MetadataValue.table(records)})
    yield dg.MaterializeResult(asset_key="runs", metadata={"runs": len(results)})
    rewards = [
        dg.TableRecord({"agent": result.agent, "seed": result.seed_label, "reward": str(result.reward)})
        for result in results
    ]
    yield dg.MaterializeResult(
        asset_key="grades",
        metadata={
            "rewards": dg.MetadataValue.table(rewards[:50]),
            "report": dg.MetadataValue.path(str(page)),
        },
    )


@dg.asset_check(asset=dg.AssetKey("grades"), partitions_def=datasets, blocking=True)
def every_run_is_graded(context: dg.AssetCheckExecutionContext, lake: LakeResource) -> dg.AssetCheckResult:
    """No run of the sweep ended in a defect of ours."""
    from evaluation.runs import find_runs, read_run

    dataset = context.partition_key
    folder = Path(lake.home) / "runs" / f"{dataset}-{environment_of(lake, dataset).name}"
    ungraded = sum(read_run(run).result.reward is None for run in find_runs([folder]))
    return dg.AssetCheckResult(passed=ungraded == 0, metadata={"expected": 0, "ungraded": ungraded})
