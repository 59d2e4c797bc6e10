"""What a partition is: a dataset, never a document (https://docs.dagster.io/guides/build/partitions-and-backfills).

Belongs here: partition definitions. A key is the name under which a manifest is kept in the state folder.
"""

import dagster as dg

datasets = dg.DynamicPartitionsDefinition(name="datasets")
"""One key per onboarded dataset; `pipeline.onboarding` registers it."""
