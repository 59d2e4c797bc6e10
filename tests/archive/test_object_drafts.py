"""A draft says what the rows of a table are where name, key and columns agree, and is silent elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from archive.draft_text import draft_text
from archive.drafting import draft_folder
from contracts.manifest import Manifest, ObjectSpec

CUSTOMERS = ("CustomerID", "CompanyName", "City")
ORDERS = ("OrderID", "CustomerID", "OrderDate", "TotalAmount")
FIRMS = ("Oak GmbH", "Elm Ltd", "Ash Inc.", "Fir LLC", "Yew AG", "Bay Corp.")


def _cell(column: str, number: int) -> str:
    """A cell by its column: ids of the table itself count up, others come round again."""
    lowered = column.lower()
    if "date" in lowered:
        return f"2024-0{1 + number % 9}-1{number % 9}"
    if "amount" in lowered or "freight" in lowered:
        return f"{100 + number * 7}.{10 + number}"
    if "company" in lowered:
        return f"{FIRMS[number % 6]} {chr(65 + number)}"
    if lowered == "city":
        return ("Hull", "Leeds", "York")[number % 3]
    if lowered == "customerid":
        return f"C{1000 + number}"
    return f"{lowered[:2]}{5000 + number}"


def _table(columns: tuple[str, ...]) -> str:
    rows = [",".join(_cell(column, number) for column in columns) for number in range(24)]
    return "\n".join((",".join(columns), *rows)) + "\n"


def _drafted(folder: Path, tables: dict[str, tuple[str, ...]]) -> tuple[dict[str, list[ObjectSpec]], str]:
    for name, columns in tables.items():
        (folder / f"{name}.csv").write_text(_table(columns), encoding="utf-8")
    text = draft_text(draft_folder(folder, "x"))
    (source,) = Manifest.model_validate(yaml.safe_load(text)).sources
    return {table.name: table.objects for table in source.tables if table.objects}, text


def test_customers_and_their_orders_are_told_with_the_reason(tmp_path: Path) -> None:
    objects, text = _drafted(tmp_path, {"Customers": CUSTOMERS, "Orders": ORDERS})
    assert objects == {
        "Customers": [
            ObjectSpec(type="customer", id_column="CustomerID", attributes={"name": "CompanyName"})
        ],
        "Orders": [
            ObjectSpec(
                type="order",
                id_column="OrderID",
                amount_column="TotalAmount",
                parents={"customer": "CustomerID"},
            )
        ],
    }
    assert "# table and key name a row's object (customer), its firms are called by CompanyName" in text


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ({"export-17": ("invoiceNumber", "InvoiceDate", "InvoiceAmount")}, {"export-17": "invoice"}),
        ({"Orders": ("OrderID", "OrderDate", "Freight")}, {"Orders": "order"}),
        ({"Orders": ("OrderID", "City")}, {}),
        ({"Customers": ("CustomerID", "City")}, {}),
        ({"Shippers": ("ShipperID", "CompanyName")}, {}),
        ({"Orders": ("InvoiceNumber", "InvoiceDate", "InvoiceAmount")}, {}),
        ({"export-17": CUSTOMERS}, {}),
        (
            {"a": ("invoiceNumber", "InvoiceDate", "InvoiceAmount")}
            | {"b": ("invoiceNumber", "InvoiceDate", "InvoiceAmount")},
            {},
        ),
    ],
)
def test_an_object_is_proposed_only_where_all_agree(
    tables: dict[str, tuple[str, ...]], told: dict[str, str], tmp_path: Path
) -> None:
    objects, _ = _drafted(tmp_path, tables)
    assert {name: held[0].type for name, held in objects.items()} == told
