"""Canonical tables: names, keys and kinds that later floors rely on."""

from __future__ import annotations

import pytest

from contracts.tables import (
    FIXED_TABLES,
    PROVENANCE,
    ColumnKind,
    DataType,
    is_record_table,
    record_table_name,
)


@pytest.mark.parametrize("name", sorted(FIXED_TABLES))
def test_a_table_has_distinct_columns_and_its_key_is_one_of_them(name: str) -> None:
    table = FIXED_TABLES[name]
    names = [column.name for column in table.columns]
    assert len(names) == len(set(names))
    assert table.key in names
    assert table.column(table.key).name == table.key
    with pytest.raises(KeyError, match=name):
        table.column("nothing")


@pytest.mark.parametrize("name", sorted(set(FIXED_TABLES) - {"links", "source_counts"}))
def test_every_row_knows_where_it_came_from(name: str) -> None:
    assert set(PROVENANCE) <= set(FIXED_TABLES[name].columns)


@pytest.mark.parametrize("name", sorted(FIXED_TABLES))
def test_money_is_never_stored_as_a_float(name: str) -> None:
    for column in FIXED_TABLES[name].columns:
        assert not (column.kind is ColumnKind.MONEY and column.type is DataType.FLOAT)


@pytest.mark.parametrize(
    ("source", "table", "name"),
    [
        ("crm", "OpportunityHistory", "records-crm-opportunityhistory"),
        ("erp", "VBAK", "records-erp-vbak"),
        ("crm", "Sales Teams (old)", "records-crm-sales_teams_old"),
        ("erp", "Aufträge", "records-erp-auftr_ge"),
        ("erp", "客户", "records-erp-ad4af312"),
        ("erp", "x" * 255, "records-erp-" + "x" * 80 + "_d22609da"),
    ],
)
def test_record_tables_are_told_from_fixed_ones_by_name(source: str, table: str, name: str) -> None:
    assert record_table_name(source, table) == name
    assert is_record_table(name)
    assert not any(is_record_table(fixed) for fixed in FIXED_TABLES)
