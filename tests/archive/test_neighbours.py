"""Columns that only the columns beside them explain."""

from __future__ import annotations

import pytest

from archive.columns import read_columns
from contracts.manifest import ColumnSpec, TableSpec
from contracts.tables import ColumnKind

CONTACTS = {
    "NAMEV": ["Irmela", "Jan", "Uta"],
    "NAME1": ["Wesseling", "Kotz", "Berg"],
    "PARNR": ["12", "13", "14"],
}
PRICES = {"KBETR": ["12,50", "190,00", "30,00"], "WAERS": ["EUR", "EUR", "%"]}


def test_the_family_name_of_a_contact_is_no_company() -> None:
    read = read_columns(None, CONTACTS)
    parts = {name: (read[name].spec.kind, read[name].spec.person, read[name].spec.part) for name in CONTACTS}
    assert parts["NAMEV"] == (ColumnKind.PERSON, "contact", "first")
    assert parts["NAME1"] == (ColumnKind.PERSON, "contact", "last")
    alone = read_columns(None, {"NAME1": ["Kotz Werke", "Berg AG"]})
    assert alone["NAME1"].spec.kind is ColumnKind.COMPANY


def test_what_is_stated_stays() -> None:
    stated = TableSpec(name="x", columns={"NAME1": ColumnSpec(kind=ColumnKind.COMPANY)})
    assert read_columns(stated, CONTACTS)["NAME1"].spec.kind is ColumnKind.COMPANY


def test_prices_that_are_percentages_in_some_rows_are_to_be_checked() -> None:
    read = read_columns(None, PRICES)["KBETR"]
    assert read.spec.kind is ColumnKind.MONEY and not read.confident and "percent" in read.reason
    assert read_columns(None, {**PRICES, "WAERS": ["EUR", "EUR", "USD"]})["KBETR"].confident


@pytest.mark.parametrize(
    ("values", "confident"), [(["3,0", "2,5", "0,5"], False), (["1.200,00", "350,50", "3,00"], True)]
)
def test_discounts_may_be_percentages(values: list[str], confident: bool) -> None:
    read = read_columns(None, {"Rabatt": values})["Rabatt"]
    assert read.spec.kind is ColumnKind.MONEY and read.confident is confident
