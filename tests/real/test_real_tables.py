"""Real tables are read whole: published counts, dialects of other people's exports, a database."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

from archive.database import open_database
from archive.tables_csv import read_csv_batches

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"),
]


def table(name: str) -> pl.DataFrame:
    """All rows of a file in which nothing was rejected."""
    path = Path(REAL) / name
    batches = list(read_csv_batches(path, Path(REAL)))
    assert [reject for batch in batches for reject in batch.rejects] == []
    assert all(batch.frame.columns == batches[0].frame.columns for batch in batches)
    return pl.concat([batch.frame for batch in batches])


@pytest.mark.parametrize(
    ("name", "rows", "columns"),
    [
        ("crm_sales_opportunities/sales_pipeline.csv", 8_800, 8),
        ("crm_sales_opportunities/accounts.csv", 85, 7),
        ("crm_sales_opportunities/sales_teams.csv", 35, 3),
        ("crm_sales_opportunities/products.csv", 7, 3),
        ("sap_forensic/EKKO.csv", 567, 137),
        ("sap_forensic/EKPO.csv", 522, None),
        ("sap_forensic/MSEG.csv", 686, None),
        ("sap_forensic/MKPF.csv", 530, None),
        ("sap_forensic/BKPF.csv", 3_313, None),
        ("sap_forensic/BSEG.csv", 2_811, None),
        ("sap_forensic/KONV.csv", 3_058, None),
        ("sap_forensic/MSEG_EI.csv", 4_412, None),
        ("sap_forensic/MKPK_EI.csv", 4_409, None),
        ("bpic2020_travel/DomesticDeclarations_cases.csv.gz", 10_500, 5),
        ("bpic2020_travel/DomesticDeclarations_events.csv.gz", 56_437, None),
        ("bpic2020_travel/RequestForPayment_cases.csv.gz", 6_886, None),
        ("bpic2020_travel/RequestForPayment_events.csv.gz", 36_796, None),
        ("purchasing_disco/RefundProcess.csv", 9_032, 5),
        ("salesforce_sample/Opportunity.csv", 36, 19),
        ("salesforce_sample/OpportunityHistory.csv", 48, 13),
        ("servicenow_incident_log/incident_event_log_sample2000cases.csv", 14_041, 36),
        ("ar_late_payments/WA_Fn-UseC_-Accounts-Receivable.csv", 2_466, 12),
        ("ar_late_payments/WA_Fn-UseC_-Accounts-Receivable_with_missing.csv", 2_586, None),
        ("datev_examples/EXTF_Buchungsstapel.csv", 2, None),
    ],
)
def test_published_row_counts_are_met(name: str, rows: int, columns: int | None) -> None:
    frame = table(name)
    assert frame.height == rows
    assert columns in (None, frame.width)


def test_bare_carriage_returns_give_the_rows_of_the_repaired_copy() -> None:
    assert table("purchasing_disco/RefundProcess.csv").equals(table("purchasing_disco/RefundProcess_lf.csv"))


def test_outcomes_are_the_published_ones() -> None:
    stages = table("crm_sales_opportunities/sales_pipeline.csv")["deal_stage"].value_counts()
    assert dict(stages.iter_rows()) == {"Won": 4_238, "Lost": 2_473, "Engaging": 1_589, "Prospecting": 500}
    status = table("purchasing_disco/RefundProcess.csv")["Status"].value_counts()
    counts = dict(status.iter_rows())
    assert [counts[f"Request signed L{level}"] for level in (1, 2, 3)] == [995, 697, 666]
    vendors = table("sap_forensic/BSEG.csv").filter(pl.col("KOART") == "K")
    assert vendors.height == 750


def test_all_tables_of_connectors_are_read_without_a_reject() -> None:
    files = sorted((Path(REAL) / "connector_seeds").rglob("*.csv"))
    assert len(files) == 161
    for path in files:
        frame = table(path.relative_to(REAL).as_posix())
        lines = [line for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
        assert frame.height <= len(lines) - 1
        assert frame.columns == list(dict.fromkeys(frame.columns))
        plain = pl.read_csv(path, infer_schema=False, truncate_ragged_lines=True)
        assert frame.height == plain.height, path.name
        assert frame.width == plain.width, path.name


def test_the_sample_database_is_read_with_its_references() -> None:
    with open_database("erp", path=Path(REAL) / "northwind" / "northwind.sqlite") as database:
        tables = {found.name: found for found in database.tables()}
        frames = {
            name: pl.concat([batch.frame for batch in database.batches(found)])
            for name, found in tables.items()
        }
        assert all(frames[name].height == database.count(found) for name, found in tables.items())
    assert (frames["Orders"].height, frames["Order Details"].height) == (830, 2_155)
    assert frames["Orders"]["CustomerID"].n_unique() == 89
    # The 91 published customers and two that the makers of this copy added.
    assert frames["Customers"].height == 91 + 2
    assert frames["Orders"]["ShippedDate"].null_count() == 21
    assert (("CustomerID",), "Customers", ("CustomerID",)) in tables["Orders"].references
