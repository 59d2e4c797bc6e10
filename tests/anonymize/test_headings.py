"""Headings among rows: nobody is registered under them and they stay readable; names alone stay names."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from anonymize.audit import audit_dataset
from anonymize.headings import heading_rows, headings, without_headings
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import pseudonymize_dataset, registry_of
from anonymize.row_places import raw_in_clean_order
from anonymize.vault import Vault
from archive.home import DatasetHome
from archive.ingest import ingest_dataset
from archive.loading import load_manifest
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

K = ColumnKind
KEY = DatasetKey(b"k" * 32, "sheet")
SHEET = {"no": K.ID, "account": K.COMPANY, "contact": K.PERSON, "since": K.DATE, "total": K.MONEY}
NAMES = {"name": K.PERSON, "company": K.COMPANY, "shown": K.PERSON, "mail": K.EMAIL}
RECORD = ("1", "Vertex", "Ann Lee", "2024-01-02", "10")
EMPTY = (None, None, None, None)


def sheet(kinds: dict[str, K], *rows: tuple[str | None, ...]) -> tuple[pl.DataFrame, dict[str, ColumnSpec]]:
    head = pl.DataFrame({"record_id": [str(n) for n in range(len(rows))], "locator": ["x"] * len(rows)})
    body = pl.DataFrame(list(rows), schema=dict.fromkeys(kinds, pl.String), orient="row")
    return pl.concat([head, body], how="horizontal"), {
        name: ColumnSpec(kind=kind) for name, kind in kinds.items()
    }


@pytest.mark.parametrize(
    ("kinds", "row", "is_heading"),
    [
        (SHEET, ("Second tier",) * 5, True),
        (SHEET, ("SECOND TIER",) * 5, True),
        (SHEET, (" Second tier ", *("Second tier",) * 4), True),
        (SHEET, ("Quandtmann", None, "Quandtmann", "Quandtmann", None), True),
        (SHEET, ("Second tier", *EMPTY), True),
        (SHEET, (None, None, "Open accounts of the north", None, None), True),
        (SHEET, RECORD, False),
        (SHEET, (None,) * 5, False),
        (SHEET, ("0",) * 5, False),
        (SHEET, ("Ann Lee", *EMPTY), False),
        (SHEET, (None, "General Electric", None, None, None), False),
        (SHEET, (None, "Target", None, None, None), False),
        (SHEET, (None, "Second tier", "Second Tier", None, None), False),
        (NAMES, ("Sony", "Sony", "Sony", None), False),
        (NAMES, ("Open items",) * 4, True),
        ({"name": K.PERSON, "note": K.TEXT}, ("Second tier", None), False),
    ],
)
def test_what_is_a_heading(kinds: dict[str, K], row: tuple[str | None, ...], is_heading: bool) -> None:
    full = RECORD if kinds is SHEET else tuple(f"a{n}" for n in range(len(kinds)))
    frame, columns = sheet(kinds, full, row)
    assert heading_rows(frame, columns).to_list() == [False, is_heading]
    assert bool(headings(frame, columns)) == is_heading
    cleared = without_headings(frame, columns)
    assert cleared.height == 2 and cleared.row(0) == frame.row(0)
    assert (cleared.row(1)[2:] == (None,) * len(kinds)) == (is_heading or not any(row))


@pytest.mark.parametrize(
    ("row", "is_sum"),
    [
        (("Total", None, None, None, "17.50"), True),
        ((None, None, "Sum", None, "17.50"), True),
        (("Summe:", None, None, "2024-01-02", "17,50"), True),
        ((None, None, "Sum", None, None), False),
        (("A-10004", None, "Sum", None, "17.50"), False),
        ((None, "Total Gas Ltd", None, None, "17.50"), False),
    ],
)
def test_a_row_that_sums_up_keeps_its_numbers(row: tuple[str | None, ...], is_sum: bool) -> None:
    frame, columns = sheet(SHEET, RECORD, row)
    assert heading_rows(frame, columns).to_list() == [False, is_sum]
    cleared = without_headings(frame, columns)
    assert cleared["total"].to_list() == ["10", row[4]]
    if is_sum:
        assert cleared.select("no", "account", "contact").row(1) == (None, None, None)
        assert headings(frame, columns) == {one for one in row if one and one[0].isalpha()}


def test_fixed_tables_have_none() -> None:
    frame = pl.DataFrame(
        {"message_id": ["m"], "a": ["Second tier"], "b": ["Second tier"], "c": ["Second tier"]}
    )
    assert not heading_rows(frame, {"a": ColumnSpec(kind=K.MONEY)}).any()


MANIFEST = """
name: sheet
company: {names: [Brightwater], domains: [brightwater.com], zones: [UTC], currency: USD}
sources:
  - {name: mail, kind: mail, format: mbox, path: mail}
  - name: sheet
    kind: crm
    format: csv
    path: sheet
    tables:
      - name: accounts
        key: [num]
        columns:
          num: {kind: id}
          account: {kind: company}
          contact: {kind: person}
          since: {kind: date}
          total: {kind: money, currency: USD}
"""
ROWS = [
    ("First tier",) * 5,
    ("A-10001", "Vertex Valves GmbH", "Tobias Quandtmann", "2024-01-31", "10.50"),
    ("Second tier",) * 5,
    ("A-10002", "Nordfold Paper Ltd", "Petra Nowak", "2024-02-05", "7.00"),
    ("Accounts of Petra Nowak",) * 5,
    ("Lost last year", "", "", "", ""),
    ("", "", "Sum", "", "25.50"),
    ("A-10003", "Elmscote Inks Ltd", "Anselm Ludd", "2024-03-05", "8.00"),
]


def test_a_sheet_with_headings_goes_the_whole_road(tmp_path: Path) -> None:
    for path, text in (
        ("dataset.yaml", MANIFEST),
        (
            "sheet/accounts.csv",
            "\n".join(["num,account,contact,since,total", *(",".join(r) for r in ROWS), ""]),
        ),
        (
            "mail/all.mbox",
            "From a@brightwater.com Mon May  6 09:00:00 2024\nFrom: a@brightwater.com\n"
            "To: b@brightwater.com\nSubject: tiers\nMessage-ID: <1@brightwater.com>\n"
            "Date: Mon, 06 May 2024 09:00:00 +0000\n\n"
            "The second tier is next.\n\n",
        ),
    ):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    loaded, home = load_manifest(tmp_path), DatasetHome(tmp_path / "home", "sheet")
    ingest_dataset(loaded.manifest, loaded.base, home.raw, lambda *_: None)
    pseudonymize_dataset(home, loaded, KEY, lambda *_: None)
    assert audit_dataset(home, loaded, KEY).passed
    registry = registry_of(Vault(home.vault, KEY))
    names = {name.full for person in registry.persons for name in person.names}
    companies = {name.core for company in registry.companies for name in company.names}
    assert {"Tobias Quandtmann", "Petra Nowak", "Anselm Ludd"} == names
    assert not [one for one in companies | names if "tier" in one.lower() or "year" in one.lower()]
    name = "records-sheet-accounts"
    raw = raw_in_clean_order(home, KEY).read(name)
    clean = TableStore(home.clean_pending).read(name)
    own = ["num", "account", "contact", "since", "total"]
    for before, after in zip(raw.select(own).rows(), clean.select(own).rows(), strict=True):
        if before[2] == "Sum":
            assert after[2] == "Sum" and after[4] != "25.50"
        elif before[0] in ("First tier", "Second tier", "Lost last year"):
            assert after == before
        else:
            assert not {one for one in before if one} & set(after)
    (named,) = [row for row in clean.select(own).rows() if str(row[0]).startswith("Accounts of ")]
    assert len(set(named)) == 1 and named[0].removeprefix("Accounts of ") in set(clean["contact"])
    assert "second tier" in TableStore(home.clean_pending).read("messages")["body_own"][0]
