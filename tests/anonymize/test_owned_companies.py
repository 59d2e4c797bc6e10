"""Companies of a table whose rows have an owner are registered, whatever the owner's column holds."""

from __future__ import annotations

import polars as pl
import pytest

from anonymize.evidence import Evidence, collect_table
from anonymize.forms import parse_company
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
    names = ["Quibell Aggregates Ltd", "Fjellstrand Salmon AS"]
    frame = pl.DataFrame({"id": ["A-102", "A-103"], "name": names, "owner": list(owners)})
    collect_table(evidence, "records-crm-a", frame, SPECS, ["id"], "crm.a")
    registry = build_registry(evidence, COMPANY)
    assert {"quibell aggregates", "fjellstrand salmon"} <= set(registry.company_by_name)


@pytest.mark.parametrize(
    ("text", "core", "legal"),
    [
        ("Fjellstrand Salmon AS", "Fjellstrand Salmon", "AS"),
        ("Grundfos Pumper A/S", "Grundfos Pumper", "A/S"),
        ("Lunden Trucks AB", "Lunden Trucks", "AB"),
        ("Kivi Oyj", "Kivi", "Oyj"),
        ("Novak s.r.o.", "Novak", "s.r.o."),
        ("Ferri S.r.l.", "Ferri", "S.r.l."),
    ],
)
def test_legal_forms_of_neighbours_are_known(text: str, core: str, legal: str) -> None:
    name = parse_company(text)
    assert name is not None and (name.core, name.legal) == (core, legal)
