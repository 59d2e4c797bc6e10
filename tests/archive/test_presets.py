"""Presets are whole in themselves, recognise exports by names and columns, and fit the exports' spellings."""

from __future__ import annotations

import pytest

from archive.errors import ManifestError
from archive.preset_matches import fit_preset, match_preset, normal_column, normal_table
from archive.presets import apply_preset, load_preset, preset_names
from contracts.manifest import ColumnSpec, Source, SourceKind, TableSpec
from contracts.tables import ColumnKind

CRM = {
    "sf_account_data": [
        "_fivetran_synced",
        "id",
        "name",
        "owner_id",
        "annual_revenue",
        "website",
        "billing_city",
    ],
    "sf_opportunity_data": [
        "id",
        "account_id",
        "amount",
        "stage_name",
        "is_won",
        "is_closed",
        "close_date",
        "owner_id",
    ],
    "sf_user_data": ["id", "username", "first_name", "last_name", "email"],
}


def source(preset: str, tables: list[TableSpec] | None = None) -> Source:
    return Source(name="crm", kind=SourceKind.CRM, format="csv", path="x", preset=preset, tables=tables or [])


@pytest.mark.parametrize("name", preset_names())
def test_keys_references_and_objects_of_presets_use_columns_that_they_have(name: str) -> None:
    tables = {table.name: table for table in load_preset(name).tables}
    assert len(tables) == len(load_preset(name).tables)
    for table in tables.values():
        used = [*table.key]
        for an_object in table.objects:
            used += [an_object.id_column, an_object.number_column or "", an_object.amount_column or ""]
            used += [*an_object.where, *an_object.parents.values(), *an_object.outcome_columns.values()]
            used += an_object.attributes.values()
            for event in an_object.events:
                used += [event.at, event.at_time or "", event.actor or "", *event.where]
        assert {column for column in used if column} <= set(table.columns), table.name
        for column, spec in table.columns.items():
            if spec.references is not None:
                start, _, rest = spec.references.partition("}.")
                there, _, key = rest.rpartition(".")
                assert start == "{source"
                assert key in tables[there].columns, f"{table.name}.{column}"


@pytest.mark.parametrize(
    ("preset", "objects"),
    [
        ("salesforce", {"account", "contact", "lead", "opportunity", "meeting", "user", "order"}),
        ("hubspot", {"account", "contact", "opportunity", "meeting", "user", "ticket"}),
        ("xero", {"customer", "invoice", "bill", "payment", "credit_memo"}),
        ("quickbooks", {"customer", "supplier", "invoice", "payment", "quote", "bill", "purchase_order"}),
        ("netsuite", {"customer", "supplier", "user", "invoice", "payment", "order", "quote", "opportunity"}),
        (
            "odoo",
            {"account", "contact", "lead", "opportunity", "order", "quote", "invoice", "payment", "user"},
        ),
        ("zendesk", {"account", "contact", "user", "ticket"}),
        (
            "sap",
            {
                "customer",
                "supplier",
                "quote",
                "order",
                "invoice",
                "payment",
                "purchase_order",
                "bill",
                "goods_receipt",
            },
        ),
    ],
)
def test_presets_say_which_objects_rows_are(preset: str, objects: set[str]) -> None:
    assert objects <= {spec.type for table in load_preset(preset).tables for spec in table.objects}


@pytest.mark.parametrize("table", ["KNA1", "LFA1"])
def test_all_that_repeats_a_partners_name_or_place_is_known_as_such(table: str) -> None:
    columns = {held.name: held.columns for held in load_preset("sap").tables}[table]
    kinds = {name: spec.kind.value for name, spec in columns.items()}
    names = ("NAME1", "NAME2", "NAME3", "NAME4", "SORTL", "MCOD1", "MCOD2")
    assert {kinds[name] for name in names} == {"company"}
    assert {kinds[name] for name in ("ORT01", "ORT02", "MCOD3")} == {"city"}
    assert {kinds[name] for name in ("TELF1", "TELFX")} == {"phone"}


def test_an_export_is_recognised_by_names_and_columns() -> None:
    best = match_preset(CRM)[0]
    assert (best.preset, best.score > 0.8) == ("salesforce", True)
    assert best.mapping == {
        "sf_account_data": "Account",
        "sf_opportunity_data": "Opportunity",
        "sf_user_data": "User",
    }


def test_second_extracts_are_recognised_by_alias_or_columns_alone() -> None:
    columns = ["", "MANDT", "MBLNR", "MJAHR", "VGART", "BLART", "BUDAT", "CPUDT", "CPUTM", "USNAM"]
    mapping = match_preset({"MKPK_EI": columns, "movements": columns})[0].mapping
    assert mapping == {"MKPK_EI": "MKPF", "movements": "MKPF"}


@pytest.mark.parametrize(
    "tables",
    [
        {},
        {"accounts": ["account", "sector", "year_established", "revenue"], "products": ["product", "series"]},
        {
            "Orders": ["OrderID", "CustomerID", "OrderDate"],
            "Customers": ["CustomerID", "CompanyName", "City"],
        },
        {"contact": ["id", "remark"]},
        {"invoices": ["invoiceNumber", "InvoiceDate", "DueDate", "InvoiceAmount", "Disputed"]},
    ],
)
def test_exports_of_nobody_match_no_preset(tables: dict[str, list[str]]) -> None:
    assert [match for match in match_preset(tables) if match.score >= 0.5] == []


def test_a_preset_is_spelt_as_the_export_has_it() -> None:
    fitted = fit_preset(source("salesforce"), CRM)
    tables = {table.name: table for table in fitted.tables}
    deal = tables["Opportunity"]
    assert (deal.path, deal.key) == ("sf_opportunity_data", ["id"])
    assert deal.columns["amount"].kind is ColumnKind.MONEY
    assert deal.columns["account_id"].references == "crm.Account.id"
    [spec] = deal.objects
    assert (spec.id_column, spec.amount_column, spec.parents) == (
        "id",
        "amount",
        {"account": "account_id", "user": "owner_id"},
    )
    assert spec.outcome_columns == {"deal_stage": "stage_name", "won": "is_won", "closed": "is_closed"}
    assert [(event.activity, event.at, list(event.where)) for event in spec.events] == [
        ("opportunity closed", "close_date", ["is_closed"])
    ]


def test_references_to_tables_that_are_not_there_are_dropped() -> None:
    fitted = fit_preset(source("salesforce"), {"Opportunity": CRM["sf_opportunity_data"]})
    assert fitted.tables[0].columns["account_id"].references is None
    assert fitted.tables[0].path is None


def test_the_table_named_most_alike_takes_the_name_and_copies_keep_theirs() -> None:
    columns = ["MANDT", "MBLNR", "MJAHR", "ZEILE", "BWART", "EBELN", "LIFNR", "DMBTR"]
    fitted = fit_preset(source("sap"), {"MSEG_EI": columns, "MSEG": columns, "copied": columns})
    assert {(table.name, bool(table.objects)) for table in fitted.tables} == {
        ("MSEG", True),
        ("MSEG_EI", True),
        ("copied", False),
    }


def test_what_is_stated_of_a_table_wins_over_the_preset() -> None:
    stated = TableSpec(
        name="Account", path="sf_account_data", columns={"id": ColumnSpec(kind=ColumnKind.CODE)}
    )
    fitted = fit_preset(source("salesforce", [stated]), CRM)
    account = fitted.tables[0]
    assert (account.name, account.path) == ("Account", "sf_account_data")
    assert account.columns["id"].kind is ColumnKind.CODE
    assert account.columns["owner_id"].references == "crm.User.id"
    assert account.objects[0].id_column == "id"
    assert "sf_account_data" not in {table.path for table in fitted.tables[1:]}
    assert fit_preset(source("salesforce").model_copy(update={"preset": None}), CRM).tables == []


def test_applied_presets_are_plain_tables_of_the_manifest() -> None:
    applied = apply_preset(source("hubspot"))
    assert all(type(table) is TableSpec for table in applied.tables)
    deal = next(table for table in applied.tables if table.name == "deal")
    assert deal.columns["owner_id"].references == "crm.owner.owner_id"
    assert Source.model_validate(applied.model_dump()) == applied


def test_unknown_presets_are_told() -> None:
    with pytest.raises(ManifestError, match="no preset 'abc'"):
        load_preset("abc")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sf_opportunity_history_data", "OpportunityHistory"),
        ("Opportunities", "opportunity"),
        ("xero_invoice_data", "invoice"),
        ("res.partner", "res_partner"),
        ("sap_bkpf_data", "BKPF"),
    ],
)
def test_names_of_tables_that_count_the_same(one: str, other: str) -> None:
    assert normal_table(one) == normal_table(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("owner_id", "OwnerId"),
        ("property_dealname", "Deal Name"),
        ("active_c", "Active__c"),
        ("property_hs_pipeline", "pipeline"),
    ],
)
def test_names_of_columns_that_count_the_same(one: str, other: str) -> None:
    assert normal_column(one) == normal_column(other)
