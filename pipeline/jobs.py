"""Jobs: which assets run together, and how (https://docs.dagster.io/guides/build/jobs).

Belongs here: selections and executors. One process runs all steps: a step costs milliseconds then, and heavy
steps are parallel inside.
"""

import dagster as dg

onboard_job = dg.define_asset_job(
    "onboard",
    selection=dg.AssetSelection.groups("archive", "anonymize", "extract"),
    executor_def=dg.in_process_executor,
    description="Sources to company model, for one dataset.",
)

rebuild_job = dg.define_asset_job(
    "rebuild",
    selection=dg.AssetSelection.groups("anonymize", "extract"),
    executor_def=dg.in_process_executor,
    description="Raw tables, as they are, to company model, for one dataset: after erasing and forgetting.",
)

shift_job = dg.define_asset_job(
    "shift",
    selection=dg.AssetSelection.groups("shift"),
    executor_def=dg.in_process_executor,
    description="Company model to graded shifts, for one dataset whose manifest names an environment.",
)
