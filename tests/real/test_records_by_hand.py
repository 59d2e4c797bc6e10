"""Records of every public set, read from the source by the standard library and compared field by field.

No reader of the project takes part in the second reading. A record is one of the middle of its file, or the
first one that shows a quirk for which the set is known; `-s` prints set, record and how many fields were
compared. What a row means is compared as well: forms of dates by a law between columns of the same row.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.skipif(not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"),
]
Row = Mapping[str, str]
_PROVENANCE = ("record_id", "source", "path", "locator", "content_hash")


class Case(NamedTuple):
    """A record of a table, by its file and what is odd about it; None for the one in the middle."""

    set: str
    table: str
    file: str
    quirk: str = "middle"
    where: Callable[[Row], bool] | None = None
    forms: Mapping[str, str] = {}
    """Column -> how its dates are written, as a person told by looking at the column."""
    law: Callable[[Row], bool] = bool
    """What holds between the columns of the row if the forms are right."""


def _day(row: Row, column: str, form: str) -> date:
    return datetime.strptime(row[column].strip(), form).replace(tzinfo=UTC).date()


US, US_SHORT, US_MINUTE = "%m/%d/%Y", "%m/%d/%y", "%m/%d/%y %H:%M"
SALES_TIME = "%m/%d/%y %I:%M %p"
INVOICE = dict.fromkeys(("PaperlessDate", "InvoiceDate", "DueDate", "SettledDate"), US)
POSTED = dict.fromkeys(("BLDAT", "BUDAT", "CPUDT"), US_SHORT)


def _settled(row: Row) -> bool:
    days = (_day(row, "SettledDate", US) - _day(row, "InvoiceDate", US)).days
    return (
        days == int(row["DaysToSettle"])
        and (_day(row, "DueDate", US) - _day(row, "InvoiceDate", US)).days == 30
    )


def _of_month(row: Row) -> bool:
    day = _day(row, "BUDAT", US_SHORT)
    return (day.month, day.year) == (int(row["MONAT"]), int(row["GJAHR"]))


def _of_year(row: Row) -> bool:
    return _day(row, "BUDAT", US_SHORT).year == int(row["MJAHR"])


def _lifecycle(row: Row) -> bool:
    days = _day(row, "Opp Close Date_Simulated", US_SHORT) - _day(
        row, "Opp Creation Date_Simulated", US_SHORT
    )
    return days.days == int(row["Opportunity Lifecycle (Days)"])


def _holds(*texts: str) -> Callable[[Row], bool]:
    return lambda row: any(text in cell for cell in row.values() for text in texts)


_AR = "records-receivables-wa_fn_usec_accounts_receivable"
_AR_FILE = "WA_Fn-UseC_-Accounts-Receivable"
CASES = (
    Case("ar_late_payments", _AR, f"{_AR_FILE}.csv", forms=INVOICE, law=_settled),
    Case(
        "ar_late_payments",
        _AR,
        f"{_AR_FILE}.csv",
        "paperless before the invoice",
        lambda row: _day(row, "PaperlessDate", US) < _day(row, "InvoiceDate", US),
        INVOICE,
        _settled,
    ),
    Case(
        "ar_late_payments",
        f"{_AR}_with_missing",
        f"{_AR_FILE}_with_missing.csv",
        "a hole",
        lambda row: "" in row.values(),
    ),
    Case("bpic2020_travel", "records-travel-requestforpayment_cases", "RequestForPayment_cases.csv.gz"),
    Case(
        "bpic2020_travel",
        "records-travel-domesticdeclarations_events",
        "DomesticDeclarations_events.csv.gz",
        "no role",
        lambda row: row["org:role"] in ("MISSING", "UNDEFINED"),
        law=lambda row: datetime.fromisoformat(row["time:timestamp"]).tzinfo is not None,
    ),
    *(
        Case("connector_seeds", f"records-{system}-{table}", f"{system}/{file}.csv", quirk, where)
        for system, table, file, quirk, where in (
            ("hubspot", "deal", "deal_data", "middle", None),
            (
                "hubspot",
                "email_event_delivered",
                "email_event_delivered_data",
                "a padded cell",
                _holds(" OK  "),
            ),
            ("quickbooks", "invoice", "invoice_data", "middle", None),
            ("quickbooks", "journal_entry_line", "journal_entry_line_data", "middle", None),
            ("salesforce", "opportunity", "sf_opportunity_data", "middle", None),
            ("salesforce", "user", "sf_user_data", "hashes", _holds("/", "+")),
            ("sap", "bseg", "sap_bseg_data", "middle", None),
            ("sap", "bkpf", "sap_bkpf_data", "empty dates", _holds("00000000")),
            ("xero", "invoice", "xero_invoice_data", "voided", lambda row: row["status"] == "VOIDED"),
            ("xero", "journal_line", "xero_journal_line_data", "middle", None),
            ("zendesk", "ticket", "ticket_data", "middle", None),
            ("zendesk", "ticket_chat_event", "ticket_chat_event_data", "JSON in a cell", _holds('{"')),
        )
    ),
    Case(
        "crm_sales_opportunities",
        "records-crm-sales_pipeline",
        "sales_pipeline.csv",
        law=lambda row: date.fromisoformat(row["engage_date"]) <= date.fromisoformat(row["close_date"]),
    ),
    Case(
        "crm_sales_opportunities",
        "records-crm-sales_pipeline",
        "sales_pipeline.csv",
        "a product spelt otherwise, no account",
        lambda row: row["product"] == "GTXPro" and not row["account"],
    ),
    Case(
        "crm_sales_opportunities",
        "records-crm-accounts",
        "accounts.csv",
        "a misspelt sector",
        _holds("technolgy"),
    ),
    Case(
        "purchasing_disco",
        "records-refunds-refundprocess",
        "RefundProcess.csv",
        "lines end in CR alone",
        forms={"Complete Timestamp": US_MINUTE},
    ),
    Case(
        "purchasing_disco",
        "records-refunds-refundprocess_lf",
        "RefundProcess_lf.csv",
        "a day after the 12th",
        lambda row: int(row["Complete Timestamp"].split("/")[1]) > 12,
        {"Complete Timestamp": US_MINUTE},
    ),
    Case(
        "salesforce_sample",
        "records-salesforce-opportunity",
        "Opportunity.csv",
        forms={"CloseDate": US_SHORT, "LastModifiedDate": SALES_TIME},
        law=_lifecycle,
    ),
    Case(
        "salesforce_sample",
        "records-salesforce-opportunityhistory",
        "OpportunityHistory.csv",
        "a time of the afternoon",
        lambda row: row["CreatedDate"].endswith("PM"),
        {"CreatedDate": SALES_TIME, "CloseDate": US_SHORT},
        lambda row: len(row["Id"]) == 18,
    ),
    Case(
        "sap_forensic",
        "records-sap-bkpf",
        "BKPF.csv",
        "no name above the first column",
        None,
        POSTED,
        _of_month,
    ),
    Case(
        "sap_forensic",
        "records-sap-bseg",
        "BSEG.csv",
        "padded and quoted thousands, a number as a float",
        lambda row: "," in row["DMBTR"] and row["BELNR"].endswith(".0") and row["KOART"] == "K",
    ),
    Case(
        "sap_forensic",
        "records-sap-mkpk_ei",
        "MKPK_EI.csv",
        "BOM, named after another table",
        None,
        POSTED,
        _of_year,
    ),
    Case("sap_forensic", "records-sap-ekko", "EKKO.csv", forms={"AEDAT": US_SHORT, "BEDAT": US_SHORT}),
    Case("sap_forensic", "records-sap-konv", "KONV.csv", forms={"KDATU": US_SHORT}),
    Case("sourcegraph_policies", "records-log-policy_revision_log", "policy_revision_log.csv"),
    Case(
        "sourcegraph_policies",
        "records-log-policy_revision_log",
        "policy_revision_log.csv",
        "a comma in a title",
        lambda row: "," in row["subject"],
        law=lambda row: bool(datetime.fromisoformat(row["date"]).tzinfo),
    ),
)


def _records(path: Path, delimiter: str = ",", encoding: str = "utf-8-sig") -> list[list[str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding=encoding, newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def _chosen(case: Case, header: list[str], rows: list[list[str]]) -> int:
    """Returns the place of the record, never one of the first two where there are more."""
    if case.where is None:
        return len(rows) // 2
    places = [at for at, row in enumerate(rows) if case.where(dict(zip(header, row, strict=True)))]
    later = [at for at in places if at > 1]
    return (later or places)[0]


def _stored(folder: Path, table: str, **place: str) -> dict[str, Any]:
    frame = pl.read_parquet(folder / f"{table}.parquet")
    (found,) = frame.filter(**place).to_dicts()
    return {name: cell for name, cell in found.items() if name not in _PROVENANCE}


def _specs(folder: Path, table: str) -> dict[str, dict[str, Any]]:
    return dict(json.loads((folder / "schema.json").read_text(encoding="utf-8"))[table])


def _told(case: str, record: str, fields: int) -> None:
    print(f"{case:<26} {record:<86} {fields:>4} equal")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.set} {case.file} {case.quirk}")
def test_a_row_is_stored_as_it_stands_in_its_file(case: Case, raw: Callable[[str], Path]) -> None:
    header, *rows = _records(Path(REAL) / case.set / case.file)
    at = _chosen(case, header, rows)
    stored = _stored(raw(case.set), case.table, path=case.file, locator=f"row {at + 2}")
    names = [name or f"column_{number}" for number, name in enumerate(header, start=1)]
    names = [f"{name}_" if name in _PROVENANCE else name for name in names]
    source = {name: cell if cell.strip() else None for name, cell in zip(names, rows[at], strict=True)}
    assert stored == source
    specs = _specs(raw(case.set), case.table)
    for column, form in case.forms.items():
        assert specs[column]["date_format"] == form, column
    assert case.law(dict(zip(header, rows[at], strict=True)))
    for column, spec in specs.items():
        cell = stored[column]
        if cell is None or cell in spec["missing"]:
            continue
        if spec["kind"] in ("date", "datetime"):
            _moment(cell.strip(), spec["date_format"])
        elif spec["kind"] == "money":
            assert spec["decimal_mark"] == "." and float(cell.strip().replace(",", "")) is not None, column
    _told(case.set, f"{case.file} row {at + 2} ({case.quirk})", len(source))


def _moment(cell: str, form: str | None) -> datetime:
    return datetime.fromisoformat(cell) if form is None else datetime.strptime(cell, form)  # noqa: DTZ007


@pytest.mark.parametrize(
    ("file", "table", "places"),
    [
        ("EXTF_Buchungsstapel.csv", "buchungsstapel", (0, 1)),
        ("EXTF_Stammdaten.csv", "debitoren_kreditoren", (2, 3)),
        ("EXTF_Kontenbeschriftungen.csv", "kontenbeschriftungen", (2,)),
    ],
)
def test_a_booking_is_stored_with_its_year_and_decimals(
    file: str, table: str, places: tuple[int, ...], raw: Callable[[str], Path]
) -> None:
    own, header, *rows = _records(Path(REAL) / "datev_examples" / file, ";", "cp1252")
    for place in places:
        source = {}
        for name, cell in zip(header, rows[place], strict=False):
            if name == "Umsatz (ohne Soll/Haben-Kz)":
                cell = cell.replace(".", "").replace(",", ".")
            elif name == "Belegdatum":
                cell = f"{own[12][:4]}-{cell.zfill(4)[2:]}-{cell.zfill(4)[:2]}"
            source[name] = cell or None
        stored = _stored(
            raw("datev_examples"), f"records-datev-{table}", path=file, locator=f"row {place + 3}"
        )
        assert {name: stored.get(name) for name in source} == source
        assert not {name: cell for name, cell in stored.items() if name not in source and cell}
        _told("datev_examples", f"{file} row {place + 3}", len(source))


@pytest.mark.parametrize("quirk", ["middle", "opened again", "missing values"])
def test_an_incident_is_stored_with_every_change_of_its_log(quirk: str, raw: Callable[[str], Path]) -> None:
    (path,) = (Path(REAL) / "servicenow_incident_log").glob("*.csv")
    header, *records = _records(path)
    incidents: dict[str, list[Row]] = {}
    for record in records:
        row = dict(zip(header, record, strict=True))
        incidents.setdefault(row["number"], []).append(row)
    chosen = [
        rows
        for rows in incidents.values()
        if quirk == "middle"
        or (quirk == "opened again" and rows[-1]["reopen_count"] != "0")
        or (quirk == "missing values" and list(rows[-1].values()).count("?") > 9)
    ]
    rows = chosen[len(chosen) // 2]
    last = rows[-1]
    folder = raw("servicenow_incident_log")
    (ticket,) = pl.read_parquet(folder / "tickets.parquet").filter(ticket_key=last["number"]).to_dicts()
    events = (
        pl.read_parquet(folder / "ticket_events.parquet").filter(ticket_id=ticket["ticket_id"]).to_dicts()
    )

    def shown(name: str, cell: str) -> str | None:
        if cell == "?":
            return None
        if name.endswith("_at"):
            return datetime.strptime(cell, "%d/%m/%Y %H:%M").replace(tzinfo=UTC).isoformat()
        return cell

    columns = {
        "opened_at": "created_at",
        "sys_updated_at": "updated_at",
        "resolved_at": "resolved_at",
        "incident_state": "status",
        "priority": "priority",
        "closed_code": "resolution",
        "caller_id": "reporter",
        "assigned_to": "assignee",
        "opened_by": "creator",
    }
    states = {event["field"]: event["new_value"] for event in events if event["at"] is None}
    for name, cell in last.items():
        if name in columns:
            assert ticket[columns[name]] == shown(name, cell), name
        elif name not in ("number", "sys_mod_count") and shown(name, cell) is not None:
            assert shown(name, cell) in states.values(), name
    expected = []
    for before, later in pairwise(rows):
        at, author = shown("sys_updated_at", later["sys_updated_at"]), later["sys_updated_by"]
        changed = [
            name for name in later if later[name] != before[name] and not name.startswith("sys_updated")
        ]
        expected += [
            (at, author, name, shown(name, before[name]), shown(name, later[name])) for name in changed
        ]
    told = [
        (event["at"], event["author"], event["field"], event["old_value"], event["new_value"])
        for event in events
    ]
    assert not [change for change in expected if change not in told]
    assert sum(event["at"] is not None for event in events) == len(expected) + 1
    _told("servicenow_incident_log", f"incident of {len(rows)} rows ({quirk})", len(last) + 5 * len(expected))


@pytest.mark.parametrize("quirk", ["middle", "limits on who may sign"])
def test_a_revision_of_a_policy_is_stored_whole(quirk: str, raw: Callable[[str], Path]) -> None:
    base = Path(REAL) / "sourcegraph_policies"
    files = sorted((base / "revisions").glob("*/*.md"))
    if quirk != "middle":
        files = [file for file in files if "SignatureAuthority" in file.parent.name]
    file = files[len(files) // 2]
    stored = _stored(
        raw("sourcegraph_policies"), "records-revisions-documents", path=file.relative_to(base).as_posix()
    )
    revision, day, _ = file.stem.split("_")
    text = file.read_text(encoding="utf-8")
    heading = next(line.lstrip("# ") for line in text.splitlines() if line.startswith("# "))
    assert (stored["document"], stored["filename"]) == (file.parent.name, file.name)
    assert (stored["revision"], stored["date"]) == (revision.removeprefix("rev"), day)
    assert stored["title"] == heading.strip()
    assert stored["text"].split() == text.split()
    _told("sourcegraph_policies", f"{file.name} ({quirk})", 6)
