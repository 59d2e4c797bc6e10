"""Companies of a table whose rows have an owner are registered, whatever the owner's column holds."""

from __future__ import annotations

import polars as pl
import pytest

from anonymize.evidence import Evidence, collect_table
from anonymize.resolution import build_registry
from contracts.manifest import ColumnSpec, Company
from contracts.tables import ColumnKind

COMPANY = Company(names=["Tarnwick"], domains=["tarnwick.com"], zones=["UTC"], currency="USD")
SPECS = {
    "id": ColumnSpec(kind=ColumnKind.ID),
    "name": ColumnSpec(kind=ColumnKind.COMPANY),
    "owner": ColumnSpec(kind=ColumnKind.PERSON),
}


@pytest.mark.parametrize(
    "owners",
    [
        ("wstrang", "lhansen"),
        ("wstrang", "wstrang"),
        ("w.strang@tarnwick.com", "l.hansen@tarnwick.com"),
        ("Wilberta Strang", "Lars Hansen"),
        ("Wilberta Strang", ""),
        ("WS", "LH"),
        ("", ""),
    ],
)
def test_the_company_is_registered_beside_any_owner(owners: tuple[str, str]) -> None:
    evidence = Evidence()
    names = ["Quibell Aggregates Ltd", "Fjellstrand Salmon Inc"]
    frame = pl.DataFrame({"id": ["A-102", "A-103"], "name": names, "owner": list(owners)})
    collect_table(evidence, "records-crm-a", frame, SPECS, ["id"], "crm.a")
    registry = build_registry(evidence, COMPANY)
    assert {"quibell aggregates", "fjellstrand salmon"} <= set(registry.company_by_name)
