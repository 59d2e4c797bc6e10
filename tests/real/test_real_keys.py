"""Keys and references proposed for real tables, against those that their makers declared or named.

The bounds are what was reached. References count where the confidence is 0.8 or more; true ones are the
declared foreign keys, and where none are declared the columns named after a table whose values are there.
"""

from __future__ import annotations

import csv
import os
import sqlite3
from pathlib import Path

import polars as pl
import pytest

from archive.keys import propose_keys
from archive.loading import load_manifest
from archive.presets import load_preset
from archive.references import propose_references

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
SAMPLE = Path(__file__).parents[2] / "data_samples" / "archive"
needs_real = pytest.mark.skipif(
    not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"
)

Tables = dict[str, pl.DataFrame]
Pair = tuple[str, str]
"""Column and what it points to: "table.column"."""


def csv_tables(folder: Path, head: str = "", tail: str = "") -> Tables:
    tables = {}
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *rows = list(csv.reader(file))
        columns = {
            name or f"column_{place + 1}": [
                row[place] if place < len(row) and row[place].strip() else None for row in rows
            ]
            for place, name in enumerate(header)
        }
        name = path.stem.removeprefix(head).removesuffix(tail)
        tables[name] = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    return tables


def sqlite_tables(path: Path) -> tuple[Tables, set[Pair], dict[str, tuple[str, ...]]]:
    """The tables, the declared foreign keys and the declared keys of a database."""
    tables: Tables = {}
    foreign: set[Pair] = set()
    keys = {}
    with sqlite3.connect(path) as database:
        names = database.execute(
            "select name from sqlite_master where type='table' and name not like 'sqlite_%'"
        )
        for (name,) in names.fetchall():
            cursor = database.execute(f'select * from "{name}"')
            columns = [column[0] for column in cursor.description]
            rows = [[None if isinstance(cell, bytes | None) else str(cell) for cell in row] for row in cursor]
            tables[name] = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")
            for row in database.execute(f'pragma foreign_key_list("{name}")'):
                foreign.add((f"{name}.{row[3]}", f"{row[2]}.{row[4]}"))
            info = sorted(database.execute(f'pragma table_info("{name}")'), key=lambda row: int(row[5]))
            keys[name] = tuple(row[1] for row in info if row[5])
    return tables, foreign, keys


def preset_pairs(tables: Tables, preset: str) -> set[Pair]:
    """The references of a preset most of whose values are there."""
    pairs = set()
    for table in load_preset(preset).tables:
        for column, spec in table.columns.items():
            there, _, key = (spec.references or "").removeprefix("{source}.").rpartition(".")
            if table.name not in tables or there not in tables or column not in tables[table.name].columns:
                continue
            mine = set(tables[table.name][column].drop_nulls())
            if mine and len(mine & set(tables[there][key])) >= 0.6 * len(mine):
                pairs.add((f"{table.name}.{column}", f"{there}.{key}"))
    return pairs


def pairs(text: str) -> set[Pair]:
    found = set()
    for line in text.strip().splitlines():
        column, _, target = line.strip().partition(" -> ")
        found.add((column, target))
    return found


CRM = pairs(
    """
    sales_pipeline.account -> accounts.account
    sales_pipeline.product -> products.product
    sales_pipeline.sales_agent -> sales_teams.sales_agent
    accounts.subsidiary_of -> accounts.account
    """
)
SAP = pairs(
    """
    EKPO.EBELN -> EKKO.EBELN
    MSEG.EBELN -> EKKO.EBELN
    MSEG_EI.EBELN -> EKKO.EBELN
    BSEG.EBELN -> EKKO.EBELN
    MSEG.MBLNR -> MKPK_EI.MBLNR
    MSEG_EI.MBLNR -> MKPK_EI.MBLNR
    BSEG.BELNR -> BKPF.BELNR
    BSEG.AUGBL -> BKPF.BELNR
    BSEG.REBZG -> BKPF.BELNR
    KONV.KNUMV -> EKKO.KNUMV
    """
)
HUBSPOT = pairs(
    """
    contact_form_submission.form_id -> form.guid
    contact_list_member.contact_list_id -> contact_list.id
    deal.owner_id -> owner.owner_id
    engagement_call.engagement_id -> engagement.id
    engagement_contact.engagement_id -> engagement.id
    owner.active_user_id -> users.id
    owner_team.owner_id -> owner.owner_id
    owner_team.team_id -> team.id
    team_user.team_id -> team.id
    team_user.user_id -> users.id
    ticket.property_hubspot_owner_id -> owner.owner_id
    ticket_pipeline_stage.pipeline_id -> ticket_pipeline.pipeline_id
    users.primary_team_id -> team.id
    users.role_id -> role.id
    """
)
QUICKBOOKS = pairs(
    """
    account.parent_account_id -> account.id
    bill.department_id -> department.id
    bill_payment.check_bank_account_id -> account.id
    credit_memo.department_id -> department.id
    deposit.account_id -> account.id
    deposit_line.deposit_id -> deposit.id
    estimate_line.estimate_id -> estimate.id
    journal_entry_line.customer_id -> customer.id
    payment.deposit_to_account_id -> account.id
    purchase.department_id -> department.id
    purchase.vendor_id -> vendor.id
    purchase_line.purchase_id -> purchase.id
    refund_receipt_line.sales_item_item_id -> item.id
    sales_receipt_line.sales_item_item_id -> item.id
    transfer.from_account_id -> account.id
    transfer.to_account_id -> account.id
    vendor.billing_address_id -> address.id
    vendor_credit_line.vendor_credit_id -> vendor_credit.id
    """
)
XERO = pairs(
    """
    bank_transaction.contact_id -> contact.contact_id
    credit_note.contact_id -> contact.contact_id
    invoice.contact_id -> contact.contact_id
    invoice_line_item.account_code -> account.code
    invoice_line_item.invoice_id -> invoice.invoice_id
    invoice_line_item_has_tracking_category.invoice_id -> invoice.invoice_id
    invoice_line_item_has_tracking_category.line_item_id -> invoice_line_item.line_item_id
    invoice_line_item_has_tracking_category.tracking_category_id -> tracking_category.tracking_category_id
    journal_line.account_code -> account.code
    journal_line.account_id -> account.account_id
    journal_line.account_name -> account.name
    journal_line.journal_id -> journal.journal_id
    journal_line_has_tracking_category.journal_id -> journal.journal_id
    journal_line_has_tracking_category.journal_line_id -> journal_line.journal_line_id
    journal_line_has_tracking_category.tracking_category_id -> tracking_category.tracking_category_id
    tracking_category_has_option.tracking_category_id -> tracking_category.tracking_category_id
    tracking_category_has_option.tracking_option_id -> tracking_category_option.tracking_option_id
    """
) | {
    (
        "journal_line_has_tracking_category.tracking_category_option_id",
        "tracking_category_option.tracking_option_id",
    )
}
SALESFORCE_MORE = pairs(
    """
    Event.WhatId -> Account.Id
    Event.WhoId -> Contact.Id
    Task.WhatId -> Account.Id
    Task.WhoId -> Contact.Id
    """
)
"""References of several types, most of whose values are ids of one; the preset leaves the type open."""
SAP_MORE = pairs(
    """
    USR21.ADDRNUMBER -> ADR6.ADDRNUMBER
    VBRP.AUBEL -> VBAK.VBELN
    KONV.KNUMV -> VBAK.VBELN
    """
)
"""True references that the preset does not state; here conditions bear the number of their document."""


def measured(tables: Tables, true: set[Pair]) -> tuple[float, float]:
    """Precision and recall of references with a confidence of 0.8 or more."""
    sure = {
        (f"{one.from_table}.{one.from_column}", f"{one.to_table}.{one.to_column}")
        for one in propose_references(tables)
        if one.confidence >= 0.8
    }
    return len(sure & true) / len(sure), len(sure & true) / len(true)


def reached(figures: tuple[float, float], precision: float, recall: float) -> bool:
    return figures[0] >= precision and figures[1] >= recall


@needs_real
def test_northwind_has_its_declared_keys_and_foreign_keys() -> None:
    tables, foreign, keys = sqlite_tables(Path(REAL) / "northwind" / "northwind.sqlite")
    assert len(foreign) == 13
    assert reached(measured(tables, foreign), 1.0, 0.84)  # two of the thirteen leave an empty table
    for name, key in keys.items():
        if tables[name].height and name != "EmployeeTerritories":  # its 49 territories are all different
            assert propose_keys(tables[name], name)[0].columns == key, name


@needs_real
@pytest.mark.parametrize(
    ("folder", "head", "tail", "true", "precision", "recall"),
    [
        ("crm_sales_opportunities", "", "", CRM, 1.0, 1.0),
        ("sap_forensic", "", "", SAP, 1.0, 1.0),
        ("connector_seeds/hubspot", "", "_data", HUBSPOT, 1.0, 1.0),
        ("connector_seeds/quickbooks", "", "_data", QUICKBOOKS, 0.94, 1.0),
        ("connector_seeds/xero", "xero_", "_data", XERO, 1.0, 0.94),
    ],
)
def test_references_of_public_tables_are_found(
    folder: str, head: str, tail: str, true: set[Pair], precision: float, recall: float
) -> None:
    tables = csv_tables(Path(REAL) / folder, head, tail)
    tables.pop("company_data_databricks", None)
    assert reached(measured(tables, true), precision, recall)


def test_references_of_the_sample_archive_are_found() -> None:
    crm = csv_tables(SAMPLE / "crm")
    assert reached(measured(crm, preset_pairs(crm, "salesforce") | SALESFORCE_MORE), 0.95, 0.95)
    erp, _, _ = sqlite_tables(SAMPLE / "erp" / "erp.sqlite")
    stated = {
        (f"{table.name}.{column}", spec.references.removeprefix("erp."))
        for table in load_manifest(SAMPLE).source("erp").tables
        for column, spec in table.columns.items()
        if spec.references is not None and table.name in erp
    }
    assert reached(measured(erp, preset_pairs(erp, "sap") | SAP_MORE | stated), 0.85, 0.9)  # 1:1 both ways


@needs_real
@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("accounts", ("account",)),
        ("products", ("product",)),
        ("sales_pipeline", ("opportunity_id",)),
        ("sales_teams", ("sales_agent",)),
    ],
)
def test_keys_of_a_crm_are_found(table: str, key: tuple[str, ...]) -> None:
    tables = csv_tables(Path(REAL) / "crm_sales_opportunities")
    assert propose_keys(tables[table], table)[0].columns == key


@needs_real
def test_keys_of_sap_tables_are_found_without_the_constant_parts() -> None:
    tables = csv_tables(Path(REAL) / "sap_forensic")
    found = {name: propose_keys(table, name)[0].columns for name, table in tables.items()}
    assert found["BKPF"] == ("BELNR",)
    assert found["BSEG"] == ("BELNR", "BUZEI")
    assert found["EKKO"] == ("EBELN",)
    assert found["EKPO"] == ("EBELN", "EBELP")
    assert found["MKPF"] == ("MBLNR",)
    assert found["KONV"] == ("KNUMV", "KPOSN", "STUNR", "ZAEHK")


@pytest.mark.slow
def test_two_million_rows_take_seconds() -> None:
    count = 2_000_000
    number = pl.int_range(count, eager=True)
    tables = {
        "orders": pl.DataFrame(
            {
                "order_id": (4_500_000_000 + number).cast(pl.String),
                "customer_id": "C" + (number % 50_000).cast(pl.String).str.zfill(6),
                "amount": (number * 37 % 100_000).cast(pl.String) + ".50",
                "status": pl.select(
                    pl.when(number % 3 == 0).then(pl.lit("open")).otherwise(pl.lit("won"))
                ).to_series(),
            }
        ),
        "customers": pl.DataFrame(
            {"id": "C" + pl.int_range(50_000, eager=True).cast(pl.String).str.zfill(6)}
        ),
    }
    [best, *_] = propose_references(tables)
    assert (best.from_column, best.to_table, best.coverage) == ("customer_id", "customers", 1.0)
