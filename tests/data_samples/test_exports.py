"""Tickets, workbook, registers and contradictions agree with each other and with the answer key."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml

from data_samples.make import main
from data_samples.zendesk import RESULT_FIELD

MOVED = "2025-01-06"


def test_support_moved_from_the_tracker_to_the_help_desk(archive: Any) -> None:
    by_source = archive.truth("counts")["tickets_by_source"]
    assert by_source == {"tickets": len(archive.jira), "help-desk": len(archive.zendesk)}
    assert all(ticket["created_at"] >= MOVED for ticket in archive.zendesk.values())
    support = [row for key, row in archive.jira.items() if key.startswith("SUP-")]
    assert len(support) > 40
    months = {(row[12].split("/")[1], row[12].split("/")[2][:2]) for row in support}
    assert not {(month, "25") for month in ("Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug")} & months


def test_help_desk_objects_refer_to_each_other(archive: Any) -> None:
    users = {row["id"]: row for row in archive.lines("users")}
    companies = {row["id"] for row in archive.lines("organizations")}
    for ticket in archive.zendesk.values():
        assert {ticket["requester_id"], ticket["submitter_id"], ticket["assignee_id"]} <= set(users)
        assert users[ticket["requester_id"]]["role"] == "end-user"
        assert ticket["organization_id"] in companies
        assert ticket["comments"][0]["body"] == ticket["description"]
        assert {comment["author_id"] for comment in ticket["comments"]} <= set(users)
        times = [comment["created_at"] for comment in ticket["comments"]]
        assert times == sorted(times) and times[0] == ticket["created_at"] <= ticket["updated_at"]
    assert any(not comment["public"] for ticket in archive.zendesk.values() for comment in ticket["comments"])
    assert any(
        comment["attachments"] for ticket in archive.zendesk.values() for comment in ticket["comments"]
    )


def test_field_changes_lead_to_the_status_of_the_ticket(archive: Any) -> None:
    for ticket in archive.zendesk.values():
        state = ""
        for audit in ticket["audits"]:
            for event in audit["events"]:
                assert event["field_name"] == "status"
                assert event.get("previous_value", "") == state
                state = event["value"]
        assert state == ticket["status"]


def test_complaints_of_the_help_desk_carry_their_verdict(archive: Any) -> None:
    verdicts = {
        key: verdict
        for case in archive.truth("outcomes").values()
        for key, verdict in case["complaints"].items()
        if key in archive.zendesk
    }
    assert len(verdicts) >= 15
    for key, verdict in verdicts.items():
        fields = {field["id"]: field["value"] for field in archive.zendesk[key]["custom_fields"]}
        assert fields[RESULT_FIELD] == verdict
        assert f"result_{verdict}" in archive.zendesk[key]["tags"]


def test_the_workbook_is_one_that_a_person_kept(archive: Any) -> None:
    book = openpyxl.load_workbook(io.BytesIO(archive.files["archive/sheets/key_accounts.xlsx"]))
    assert book.sheetnames == ["Key accounts", "Discounts", "Commission"]
    accounts = book["Key accounts"]
    assert accounts["A1"].value == "Key accounts" and accounts["A4"].value == "No"
    assert all(sheet.merged_cells.ranges for sheet in book)
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert any(cell.data_type == "f" for cell in cells)
    assert any(cell.fill.fgColor.rgb == "FFFFF2A8" for cell in cells)
    since = [accounts.cell(row, 5).value for row in range(5, accounts.max_row)]
    assert {type(value) for value in since} >= {str, datetime}
    volumes = [accounts.cell(row, 6).value for row in range(5, accounts.max_row - 1)]
    assert {type(value) for value in volumes} >= {str, float}
    assert any(all(cell.value is None for cell in row) for row in accounts.iter_rows(min_row=5))
    shown = openpyxl.load_workbook(
        io.BytesIO(archive.files["archive/sheets/key_accounts.xlsx"]), data_only=True
    )
    total = shown["Key accounts"].cell(accounts.max_row, 6).value
    assert total == pytest.approx(sum(value for value in volumes if isinstance(value, (int, float))))


def test_discounts_of_the_workbook_are_those_of_the_ledger_but_for_the_contradictions(archive: Any) -> None:
    percents = dict(archive.erp.execute("SELECT KNUMV, -KBETR FROM KONV WHERE KSCHL = 'RA01'"))
    wrong = {
        entry["record"] for entry in archive.truth("contradictions") if entry["kind"] == "discount_percent"
    }
    book = openpyxl.load_workbook(io.BytesIO(archive.files["archive/sheets/key_accounts.xlsx"]))
    seen = 0
    for row in book["Discounts"].iter_rows(min_row=4, values_only=True):
        if row[2]:
            quote = str(row[2]).zfill(10)
            assert (float(str(row[4]).rstrip("%")) == percents[quote]) is (quote not in wrong)
            seen += 1
    assert seen >= 50 and wrong


def test_list_price_less_discount_is_the_net_total(archive: Any) -> None:
    sums: Counter[str] = Counter()
    for number, value in archive.erp.execute("SELECT KNUMV, KWERT FROM KONV"):
        sums[number] += round(value * 100)
    assert sums == {number: archive.net[number] for number in archive.column("VBAK", "VBELN")}


def test_registers_refer_to_each_other_and_to_the_ledger(archive: Any) -> None:
    drawings = {row["Drawing No"]: row for row in archive.register("drawing_register")}
    orders = {number.lstrip("0") for number in archive.column("VBAK", "VBELN")}
    stale = {entry["record"] for entry in archive.truth("contradictions") if entry["kind"] == "revision"}
    last: dict[str, str] = {}
    for row in archive.register("revisions"):
        assert row["Revision"] == chr(ord(last.get(row["Drawing No"], "@")) + 1)
        last[row["Drawing No"]] = row["Revision"]
    assert set(last) == set(drawings)
    for number, row in drawings.items():
        assert row["Order No"] in orders
        assert (row["Current Revision"] == last[number]) is (number not in stale)
    for row in archive.register("change_orders"):
        assert row["Drawing No"] in drawings and row["Order No"] in orders
    assert len(archive.register("change_orders")) >= 60 and len(drawings) >= 40
    verdicts = {row["Verdict"] for row in archive.register("revisions")}
    assert verdicts >= {"approved", "rejected", "approved with comments"}


def test_plan_documents_say_what_their_row_says(archive: Any) -> None:
    rows = {f"{row['Drawing No']}_{row['Revision']}": row for row in archive.register("revisions")}
    plans = [name for name in archive.files if "/plans/" in name]
    assert len(plans) == archive.truth("counts")["plans"] >= 20
    for name in plans:
        row, text = rows[Path(name).stem], archive.files[name].decode()
        for line in (
            f"DRAWING {row['Drawing No']}   REVISION {row['Revision']}",
            f"Room: {row['Room']}, {row['Width mm']} x {row['Length mm']} mm",
            f"Stations: {row['Stations']}",
            f"Cable: {row['Cable m']} m",
            f"Power rating: {row['Power kW']} kW",
            f"Cost estimate: USD {float(row['Cost Estimate USD']):,.2f}",
            f"Drawn: {row['Author']}, {row['Issued']}",
            f"Checked: {row['Checked By']}, {row['Checked On']}",
        ):
            assert line in text
        assert not row["Verdict"].startswith(("app", "rej")) or f"Decision: {row['Verdict']}" in text


def test_change_amounts_in_mails_are_those_of_the_register(archive: Any) -> None:
    costs = {row["CO No"]: archive.cents(row["Cost USD"]) for row in archive.register("change_orders")}
    checked = 0
    for key, mail in archive.truth("messages").items():
        for amount in mail["change_amounts"]:
            assert amount["text"] in archive.texts[key]
            assert archive.cents(amount["text"]) == costs[amount["change_order"]]
            checked += 1
    assert checked >= 40


def test_each_kind_of_contradiction_stands_in_both_systems(archive: Any) -> None:
    entries = archive.truth("contradictions")
    kinds = Counter(entry["kind"] for entry in entries)
    assert set(kinds) == {"phone", "address", "amount", "revision", "status", "discount_percent"}
    contacts = {row["Id"]: row for row in archive.crm("Contact")}
    accounts = {row["Id"]: row for row in archive.crm("Account")}
    people, companies = (archive.truth("entities")[name] for name in ("persons", "companies"))
    streets = dict(archive.erp.execute("SELECT KUNNR, STRAS FROM KNA1"))
    deals = {row["Id"]: row for row in archive.crm("Opportunity")}
    changes = {row["CO No"]: row for row in archive.register("change_orders")}
    for entry in entries:
        values, record = entry["values"], entry["record"]
        if entry["kind"] == "phone":
            assert contacts[people[record]["crm"]]["Phone"] == values["crm"] != values["mail"]
        elif entry["kind"] == "address":
            assert streets[companies[record]["customer"]] == values["erp"]
            assert accounts[companies[record]["account"]]["BillingStreet"] == values["crm"] != values["erp"]
        elif entry["kind"] == "amount":
            assert deals[record]["Amount"] == values["crm"] != values["erp"]
            quotes = archive.truth("cases")[entry["case_id"]]["quotes"]
            assert archive.cents(values["erp"]) in {archive.net[quote] for quote in quotes}
        elif entry["kind"] == "status":
            assert changes[record]["Status"] == values["register"]
            assert values["mail"] in archive.stored


def test_every_source_of_the_manifest_is_there(archive: Any) -> None:
    sources = yaml.safe_load(archive.files["archive/dataset.yaml"])["sources"]
    formats = [source["format"] for source in sources]
    assert formats == "mbox maildir eml jira-csv zendesk csv sqlite xlsx csv documents".split()
    for source in sources:
        top = source["path"].partition("*")[0]
        assert any(name.startswith(f"archive/{top}") for name in archive.files), source["name"]


def test_the_manifest_says_what_every_own_column_holds(archive: Any) -> None:
    sources = {row["name"]: row for row in yaml.safe_load(archive.files["archive/dataset.yaml"])["sources"]}
    for table in sources["engineering"]["tables"]:
        assert list(table["columns"]) == list(archive.register(table["name"])[0])
    book = openpyxl.load_workbook(io.BytesIO(archive.files["archive/sheets/key_accounts.xlsx"]))
    for table in sources["key-accounts"]["tables"]:
        rows = [list(row) for row in book[table["name"]].iter_rows(max_row=5, values_only=True)]
        assert list(table["columns"]) in [[cell for cell in row if cell] for row in rows]
    for table in sources["erp"]["tables"]:
        names = [row[1] for row in archive.erp.execute(f"PRAGMA table_info({table['name']})")]
        assert set(table["columns"]) <= set(names)
        assert len(table["columns"]) in (1, len(names))


def test_chosen_systems_alone_are_written(tmp_path: Path) -> None:
    assert main(["--only", "crm,erp", "-o", str(tmp_path)]) == 0
    tops = {path.name for path in (tmp_path / "archive").iterdir()}
    assert tops == {"README.md", "dataset.yaml", "crm", "erp"}
    counts = json.loads((tmp_path / "truth" / "counts.json").read_text())
    assert [path.name for path in (tmp_path / "truth").iterdir()] == ["counts.json"]
    assert "mails" not in counts
    rows = sum(1 for _ in csv.reader(io.StringIO((tmp_path / "archive/crm/Lead.csv").read_text()))) - 1
    assert rows == counts["crm"]["Lead"]


@pytest.mark.parametrize(
    ("only", "message"), [("mail,payroll", "payroll is no system"), ("mail", "choose another folder with -o")]
)
def test_a_wrong_choice_of_systems_is_refused(
    only: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--only", only])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
