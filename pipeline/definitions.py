"""The code location: every asset, check, job and resource in one list.

Belongs here: assembly. Tests and the command line pass their own resources to `build_definitions`.
"""

import dagster as dg

from pipeline.assets import (
    clean_tables,
    extract,
    ingest,
    privacy_audit,
    privacy_report,
    pseudonymize,
    sources,
)
from pipeline.checks import (
    clean_contract,
    counts_reconcile,
    no_residual_identifiers,
    nothing_real_in_outputs,
    registry_is_complete,
    relations_are_kept,
)
from pipeline.compute import ComputeResource
from pipeline.jobs import onboard_job, rebuild_job, shift_job
from pipeline.resources import SILENT, LakeResource, Listener, default_home
from pipeline.shift_assets import (
    SweepPlan,
    every_run_is_graded,
    grades,
    no_pool_name_is_real,
    runs,
    world_template,
    worlds,
)


def build_definitions(lake: LakeResource, listener: Listener = SILENT) -> dg.Definitions:
    """Returns all definitions over one state folder."""
    return dg.Definitions(
        assets=[
            sources,
            ingest,
            pseudonymize,
            privacy_audit,
            clean_tables,
            extract,
            privacy_report,
            world_template,
            worlds,
            runs,
            grades,
        ],
        asset_checks=[
            counts_reconcile,
            no_residual_identifiers,
            registry_is_complete,
            clean_contract,
            nothing_real_in_outputs,
            relations_are_kept,
            no_pool_name_is_real,
            every_run_is_graded,
        ],
        jobs=[onboard_job, rebuild_job, shift_job],
        resources={
            "lake": lake,
            "compute": ComputeResource(),
            "listener": listener,
            "plan": SweepPlan(),
        },
        executor=dg.in_process_executor,
    )


@dg.definitions
def defs() -> dg.Definitions:
    """Returns what `dagster dev` and `dg check defs` load."""
    return build_definitions(LakeResource(home=str(default_home())))
