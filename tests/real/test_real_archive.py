"""Real public data onboards: counts reconcile, nothing raises, the known figures can be read."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.mailbox import RawMessage, read_mbox
from archive.message import ParsedMail, parse_mail
from archive.quotes import split_body
from archive.store import TableStore

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
pytestmark = pytest.mark.skipif(
    not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> TableStore:
    loaded = load_manifest(Path(__file__).parent)
    folder = tmp_path_factory.mktemp("real") / "raw"
    report = ingest_dataset(loaded.manifest, loaded.base, folder, lambda step, done, total: None)
    assert report.reconciles
    return TableStore(folder)


def test_all_rows_are_read(store: TableStore) -> None:
    counts = dict(store.read("source_counts").select("source", "read").iter_rows())
    assert counts == {
        "crm": 8_948,
        "receivables": 2_466,
        "mail": 851,
        "lists": 670,
        "tickets": 501,
        "sap": 20_308,
        "erp": 3_310,
        "revisions": 2_541,
        "plans": 2_111,
    }
    mails = store.read("messages").filter(pl.col("source") == "mail")
    assert mails.height == 851 and mails["sent_at"].null_count() == 0


def test_won_and_lost_deals_are_the_published_ones(store: TableStore) -> None:
    stages = dict(store.read("records-crm-sales_pipeline")["deal_stage"].value_counts().iter_rows())
    assert (stages["Won"], stages["Lost"]) == (4_238, 2_473)


def test_late_invoices_are_the_published_share(store: TableStore) -> None:
    late = store.read("records-receivables-invoices")["DaysLate"].cast(pl.Int64) > 0
    assert round(100 * late.sum() / len(late), 1) == 35.6
    specs = store.column_specs()["records-receivables-invoices"]
    assert specs["InvoiceDate"].date_format == "%m/%d/%Y"


def test_deals_are_joined_with_their_accounts(store: TableStore) -> None:
    deals = store.read("records-crm-sales_pipeline")["account"].drop_nulls()
    links = store.read("links").filter(pl.col("from_column") == "account")
    assert links.height == len(deals)


@pytest.mark.parametrize("folder", ["email_edgecases", "apache_mbox"])
def test_the_worst_mails_of_other_projects_raise_nothing(folder: str) -> None:
    read = kept = 0
    for path in sorted((Path(REAL) / folder).rglob("*")):
        if path.is_file():
            whole = path.read_bytes()[:2_000_000]
            single = RawMessage(path.name, "bytes", "", whole, "", len(whole))
            mails = read_mbox(path, path.parent) if path.suffix == ".mbox" else iter([single])
            for raw in mails:
                read += 1
                parsed = parse_mail(raw)
                if isinstance(parsed, ParsedMail):
                    kept += 1
                    parsed.row([], "mail", "")
    assert kept > read // 4


def test_no_line_of_a_public_reply_is_lost_or_doubled() -> None:
    texts = sorted((Path(REAL) / "email_replies").rglob("*.txt"))
    assert len(texts) > 20
    for path in texts:
        text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        found = [line.strip() for part in split_body(text) for line in part.split("\n") if line.strip()]
        assert sorted(found) == sorted(line.strip() for line in text.split("\n") if line.strip()), path.name
