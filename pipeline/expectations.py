"""The contract of clean messages and tickets as Great Expectations suites.

Belongs here: expectations and their evaluation. Results are reduced to names of expectations and counts: no
value of a table leaves this module. The library is imported when a suite runs, as it takes seconds.
"""

import logging
import os
from dataclasses import dataclass
from typing import Any

from archive.home import DatasetHome
from archive.store import TableStore
from contracts.tables import FIXED_TABLES

_MOMENT = r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[+-]\d{2}:\d{2}|Z)?)?$"
_MAIL_KINDS = ["mail", "invite", "auto_reply", "bounce"]


@dataclass(frozen=True)
class ContractOutcome:
    """Which expectations a table did not meet."""

    rows: int
    expectations: int
    failed: tuple[str, ...]


def validate_table(home: DatasetHome, name: str) -> ContractOutcome:
    """Returns which expectations of a table's suite fail on the clean one; an empty table meets them all."""
    frame = TableStore(home.clean).read(name)
    if frame.is_empty():
        return ContractOutcome(0, 0, ())
    os.environ["GX_ANALYTICS_ENABLED"] = "false"  # read at import: nothing is sent from here
    import great_expectations as gx

    logging.getLogger("great_expectations").setLevel(logging.ERROR)
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}  # type: ignore[assignment]
    asset = context.data_sources.add_pandas("clean").add_dataframe_asset(name)
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": frame.to_pandas()})
    suite = gx.ExpectationSuite(name=f"clean_{name}", expectations=_expectations(gx.expectations, name))
    result = batch.validate(suite, result_format="BOOLEAN_ONLY")
    failed = tuple(_label(each.expectation_config) for each in result.results if not each.success)
    return ContractOutcome(frame.height, len(result.results), failed)


def _expectations(gxe: Any, name: str) -> list[Any]:
    table = FIXED_TABLES[name]
    common = [
        gxe.ExpectTableColumnsToMatchOrderedList(column_list=[column.name for column in table.columns]),
        gxe.ExpectColumnValuesToBeUnique(column=table.key),
        *(
            gxe.ExpectColumnValuesToNotBeNull(column=column)
            for column in (table.key, "source", "path", "locator", "content_hash")
        ),
    ]
    if name == "messages":
        return [
            *common,
            gxe.ExpectColumnValuesToNotBeNull(column="thread_id"),
            gxe.ExpectColumnValuesToBeInSet(column="kind", value_set=_MAIL_KINDS),
            gxe.ExpectColumnValuesToMatchRegex(column="sent_at", regex=_MOMENT),
            gxe.ExpectColumnValuesToMatchRegex(
                column="from_address", regex=r"^[^@\s]+@[^@\s]+$", mostly=0.95
            ),
        ]
    return [
        *common,
        gxe.ExpectColumnValuesToNotBeNull(column="ticket_key"),
        gxe.ExpectColumnValuesToBeUnique(column="ticket_key"),
        gxe.ExpectColumnValuesToMatchRegex(column="created_at", regex=_MOMENT),
    ]


def _label(configuration: Any) -> str:
    column = configuration.kwargs.get("column")
    return f"{configuration.type}({column})" if column else str(configuration.type)
