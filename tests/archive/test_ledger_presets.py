"""Presets of formats whose readers name the columns: every column has its kind, no kind is for nothing."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from archive.formats import TABLES
from archive.ledger_datev import SUMS, VORLAUF
from archive.ledger_invoice_xml import ALLOWANCE_FIELDS, INVOICE_FIELDS, LINE_FIELDS, MEANS_FIELDS, TAX_FIELDS
from archive.ledger_mt940 import CHECK_COLUMNS, ENTRY_COLUMNS, STATEMENT_COLUMNS
from archive.ledger_saft import CHECK_COLUMNS as SAFT_CHECKS
from archive.log_ocel import FIXED
from archive.log_xes import EVENT_COLUMNS
from archive.presets import load_preset
from contracts.manifest import EventSpec, TableSpec
from contracts.tables import ColumnKind

FORMATS = ("datev", "saft", "mt940", "einvoice", "xes", "ocel")
WHOLE = {
    ("mt940", "statements"): STATEMENT_COLUMNS,
    ("mt940", "entries"): ENTRY_COLUMNS,
    ("mt940", "statement_checks"): CHECK_COLUMNS,
    ("einvoice", "invoices"): ("invoice_id", *INVOICE_FIELDS),
    ("einvoice", "invoice_lines"): ("invoice_id", *LINE_FIELDS),
    ("einvoice", "invoice_taxes"): ("invoice_id", *TAX_FIELDS),
    ("einvoice", "payment_means"): ("invoice_id", *MEANS_FIELDS),
    ("einvoice", "invoice_allowances"): ("invoice_id", *ALLOWANCE_FIELDS),
    ("saft", "control_checks"): SAFT_CHECKS,
    **{("ocel", name): columns for name, columns in FIXED.items()},
}


def table(preset: str, name: str) -> TableSpec:
    return next(spec for spec in load_preset(preset).tables if spec.name == name)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_its_reader_and_preset(name: str) -> None:
    assert TABLES[name].batches is not None
    assert load_preset(name).tables


@pytest.mark.parametrize(("preset", "name"), WHOLE)
def test_a_preset_speaks_of_the_readers_columns_and_no_others(preset: str, name: str) -> None:
    assert set(table(preset, name).columns) == set(WHOLE[preset, name])


def test_a_preset_speaks_of_all_columns_that_a_log_always_has() -> None:
    assert set(EVENT_COLUMNS) <= set(table("xes", "events").columns)
    assert set(table("datev", "vorlauf").columns) <= {*VORLAUF, *SUMS}


@pytest.mark.parametrize("preset", FORMATS)
def test_keys_objects_and_events_name_columns_that_have_a_kind(preset: str) -> None:
    for spec in load_preset(preset).tables:
        told = set(spec.key)
        for business in spec.objects:
            told |= {
                business.id_column,
                *business.parents.values(),
                *business.attributes.values(),
                *business.where,
            }
            told |= {business.amount_column or business.id_column, *business.outcome_columns.values()}
            for event in business.events:
                told |= {event.at, event.activity_column or event.at, event.actor or event.at, *event.where}
        assert told <= set(spec.columns), spec.name


@pytest.mark.parametrize("preset", FORMATS)
def test_references_lead_to_tables_of_the_same_preset(preset: str) -> None:
    tables = {spec.name: spec for spec in load_preset(preset).tables}
    for spec in tables.values():
        for column in spec.columns.values():
            if column.references is not None:
                source, target, key = column.references.rsplit(".", 2)
                assert (source, key in tables[target].columns) == ("{source}", True)


def test_names_and_addresses_of_partners_are_told_as_such() -> None:
    kinds = {name: spec.kind for name, spec in table("datev", "debitoren_kreditoren").columns.items()}
    assert kinds["Name (Adressatentyp natürl. Person)"] == ColumnKind.PERSON
    assert kinds["E-Mail"] == ColumnKind.EMAIL
    assert kinds["Straße"] == ColumnKind.STREET
    assert kinds["IBAN 1"] == ColumnKind.ID


@pytest.mark.parametrize(
    ("spec", "is_valid"),
    [
        ({"activity": "paid", "at": "day"}, True),
        ({"activity_column": "what", "at": "day"}, True),
        ({"at": "day"}, False),
        ({"activity": "paid", "activity_column": "what", "at": "day"}, False),
    ],
)
def test_an_event_has_its_activity_once(spec: dict[str, str], is_valid: bool) -> None:
    if is_valid:
        assert EventSpec.model_validate(spec).at == "day"
    else:
        with pytest.raises(ValidationError, match="activity"):
            EventSpec.model_validate(spec)
