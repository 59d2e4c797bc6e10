"""The sample archive agrees with itself and with its answer key."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from data_samples import letters, names
from data_samples.make import build, main
from data_samples.market import LEADS
from data_samples.topics import GENERIC_PITCHES, TOPICS

SEED = 7
CAST = ("Ledgerline", "Alex Kim", "Jordan Blake", "PayFlow", "Northwind", "Clearwater", "Delia Patel")
DOCUMENT_TABLES = {"quotes": "VBAK", "orders": "VBAK", "invoices": "VBRK", "credit_memos": "VBRK"}


def as_date(text: str) -> date:
    return date(int(text[:4]), int(text[4:6]), int(text[6:]))


def test_same_seed_gives_the_same_bytes(archive: Any, tmp_path: Path) -> None:
    assert main(["--seed", str(SEED), "-o", str(tmp_path)]) == 0
    written = {
        str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()
    }
    written |= {
        str(path.relative_to(tmp_path)): path.read_bytes()
        for path in (tmp_path / "archive/mail/maildir").rglob("*")
        if path.is_file()
    }
    assert written == archive.files


def test_another_seed_gives_another_company_history(archive: Any) -> None:
    other = build(SEED + 1, 1)
    assert other["archive/erp/erp.sqlite"] != archive.files["archive/erp/erp.sqlite"]


def test_scale_multiplies_the_leads() -> None:
    twice = json.loads(build(SEED, 2)["truth/counts.json"])
    assert twice["crm"]["Lead"] == 2 * LEADS


def test_the_committed_archive_is_the_one_that_the_maker_writes(archive: Any) -> None:
    home = Path(names.__file__).parent
    for name, content in archive.files.items():
        assert (home / name).read_bytes() == content, (
            f"{name} is out of date: run python -m data_samples.make"
        )


def test_amounts_in_mails_are_the_ledger_amounts(archive: Any) -> None:
    checked = 0
    for message_id, entry in archive.truth("messages").items():
        for amount in entry["amounts"]:
            assert amount["text"] in archive.texts[message_id]
            assert archive.cents(amount["text"]) == archive.net[amount["document"]]
            checked += 1
    assert checked > 250


def test_ticket_amounts_are_the_ledger_amounts(archive: Any) -> None:
    asked = [row for row in archive.jira.values() if row[3] == "Approval"]
    for row in asked:
        quote = re.search(r"quote (\d+)", row[0])
        amount = re.search(r"net total (\$[\d,.]+\d)", row[16])
        assert quote and amount
        assert archive.cents(amount.group(1)) == archive.net[quote.group(1).zfill(10)]
    assert len(asked) > 30


def test_documents_add_up_from_their_items(archive: Any) -> None:
    for head, items in (("VBAK", "VBAP"), ("VBRK", "VBRP")):
        sums: Counter[str] = Counter()
        for number, value in archive.erp.execute(f"SELECT VBELN, NETWR FROM {items}"):
            sums[number] += round(value * 100)
        for number, value in archive.erp.execute(f"SELECT VBELN, NETWR FROM {head}"):
            assert sums[number] == round(value * 100)
    assert all(
        round(q * p * 100) == round(n * 100)
        for q, p, n in archive.erp.execute("SELECT KWMENG, NETPR, NETWR FROM VBAP")
    )


def test_every_record_of_the_answer_key_stands_in_the_archive(archive: Any) -> None:
    known = {
        "leads": {row["Id"] for row in archive.crm("Lead")},
        "opportunities": {row["Id"] for row in archive.crm("Opportunity")},
        "events": {row["Id"] for row in archive.crm("Event")},
        "tickets": archive.tickets,
        "mails": set(archive.stored),
        **{kind: set(archive.column(table, "VBELN")) for kind, table in DOCUMENT_TABLES.items()},
    }
    accounts, customers = {row["Id"] for row in archive.crm("Account")}, set(archive.column("KNA1", "KUNNR"))
    for case in archive.truth("cases").values():
        for kind, ids in known.items():
            assert set(case[kind]) <= ids
        assert case["account"] in accounts
        assert not case["customer"] or case["customer"] in customers
    traps = archive.truth("traps")
    assert {trap["message_id"] for trap in traps if "message_id" in trap} <= known["mails"]
    contacts = {row["Id"] for row in archive.crm("Contact")}
    assert {trap["contact"] for trap in traps if "contact" in trap} <= contacts
    assert {label["message_id"] for label in archive.truth("response")["outreach"]} <= known["mails"]


def test_every_document_belongs_to_exactly_one_case(archive: Any) -> None:
    owners = Counter(
        n for case in archive.truth("cases").values() for kind in DOCUMENT_TABLES for n in case[kind]
    )
    assert set(owners) == {*archive.column("VBAK", "VBELN"), *archive.column("VBRK", "VBELN")}
    assert set(owners.values()) == {1}


def test_counts_are_those_of_the_files(archive: Any) -> None:
    counts = archive.truth("counts")
    whole = {key: found for key, found in archive.stored.items() if key in archive.truth("messages")}
    assert len(whole) == counts["mails"]["unique"]
    assert sum(len(found) - 1 for found in whole.values()) == counts["mails"]["duplicates"] == 80
    broken = sum(len(found) for key, found in archive.stored.items() if key not in whole)
    assert broken == counts["mails"]["broken"] == len(counts["broken"]) == 10
    assert len(archive.tickets) == counts["tickets"]
    for table, number in counts["crm"].items():
        assert len(archive.crm(table)) == number
    for table, number in counts["erp"].items():
        assert len(archive.column(table, "MANDT")) == number


def test_sizes_are_those_of_a_small_company(archive: Any) -> None:
    counts = archive.truth("counts")
    assert (
        sum(len(content) for name, content in archive.files.items() if name.startswith("archive/"))
        < 6_000_000
    )
    assert 1400 <= counts["mails"]["unique"] <= 1800
    assert 230 <= counts["tickets"] <= 270
    assert len(archive.crm("Lead")) == LEADS
    assert len({*names.FAMILY_US, *names.FAMILY_UK, *names.FAMILY_DE}) >= 150


def test_the_cast_of_the_shift_does_not_occur(archive: Any) -> None:
    text = (
        b"\n".join(archive.files.values())
        + "".join(
            archive.text_of(found[0])
            for key, found in archive.stored.items()
            if key in archive.truth("messages")
        ).encode()
    )
    pools = " ".join([*names.FAMILY_US, *names.ROOTS, *names.FIRST_US])
    for name in CAST:
        assert name.encode() not in text
        assert name not in pools


@pytest.mark.parametrize("reason", ["too_small", "region", "unsupported_ledger", "public_body", "acquired"])
def test_each_reason_of_disqualification_is_recorded_in_fields(archive: Any, reason: str) -> None:
    holds: dict[str, Callable[[dict[str, str]], bool]] = {
        "too_small": lambda row: int(row["NumberOfEmployees"]) < 120,
        "region": lambda row: row["Country"] not in ("US", "CA", "UK", "DE"),
        "unsupported_ledger": lambda row: row["Ledger_System__c"] in names.LEDGERS_UNSUPPORTED,
        "public_body": lambda row: row["Public_Body__c"] == "TRUE",
        "acquired": lambda row: row["Competitor_Contract__c"] == "TRUE",
    }
    exceptions = archive.truth("rules")["qualification"]["exceptions"]
    rows = [row for row in archive.crm("Lead") if row["Id"] not in exceptions]
    marked = [row for row in rows if row["Disqualified_Reason__c"] == reason]
    assert len(marked) >= 5
    assert all(holds[reason](row) for row in marked)
    assert not [row for row in rows if row["Status__c"] in ("Qualified", "Customer") and holds[reason](row)]


def test_every_reply_quotes_or_names_a_mail_that_was_sent_before(archive: Any) -> None:
    messages = archive.truth("messages")
    for entry in messages.values():
        if entry["parent"]:
            assert messages[entry["parent"]]["sent"] < entry["sent"]


def test_payments_of_the_key_are_those_of_the_books(archive: Any) -> None:
    cleared = {
        number: (as_date(paid), as_date(base) + timedelta(days=days))
        for number, paid, base, days in archive.erp.execute(
            "SELECT VBELN, AUGDT, ZFBDT, ZBD1T FROM BSAD WHERE BLART = 'RV'"
        )
    }
    states = {
        number: state
        for case in archive.truth("outcomes").values()
        for number, state in case["payments"].items()
    }
    for number, state in states.items():
        if state == "open":
            assert number not in cleared
        else:
            assert (cleared[number][0] > cleared[number][1]) is (state == "late")
    late = Counter(states.values())["late"] / len(states)
    assert 0.2 <= late <= 0.4


def test_each_person_and_company_is_found_under_its_forms(archive: Any) -> None:
    entities = archive.truth("entities")
    people = entities["persons"].values()
    rows = {row["Id"]: row for row in archive.crm("Contact")}
    for person in people:
        assert person["forms"] or rows[person["crm"]]["LastName"] == person["last"]
    assert any("ö" in person["name"] and "ß" in person["name"] for person in people)
    assert len(entities["namesakes"]) >= 2
    renamed = [person for person in people if len(person["mails"]) > 1]
    assert len(renamed) == 1
    assert {"Prewitt, Shauna", "Delahunt, Shauna"} <= set(renamed[0]["forms"])
    assert all(company["forms"] for company in entities["companies"].values())


def test_every_trap_pattern_occurs(archive: Any) -> None:
    kinds = Counter(trap["kind"] for trap in archive.truth("traps"))
    assert set(kinds) == {
        "fake_boss",
        "stale_crm",
        "time_zone",
        "plan_changes",
        "buyer_cancels",
        "do_not_contact_request",
        "out_of_office_delegate",
        "duplicate_contact",
        "forged_invoice",
        "superseded_price_list",
    }
    assert any(trap["collides_with_event"] for trap in archive.truth("traps") if trap["kind"] == "time_zone")


def test_nobody_is_written_to_after_the_notice_that_a_company_has_signed(archive: Any) -> None:
    messages, cases = archive.truth("messages"), archive.truth("cases")
    for trap in archive.truth("traps"):
        if trap["kind"] == "plan_changes":
            after = [
                messages[mail]
                for mail in cases[trap["case_id"]]["mails"]
                if messages[mail]["sent"] > messages[trap["message_id"]]["sent"]
            ]
            assert not after


def recognised(text: str) -> set[str]:
    known = yaml.safe_load((Path(names.__file__).parent / "topics.yaml").read_text("utf-8"))["topics"]
    return {
        key for key, topic in known.items() if any(phrase in text.lower() for phrase in topic["wordings"])
    }


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.key)
def test_the_topic_map_recognises_each_wording_of_its_topic_only(topic: Any) -> None:
    for text in (*topic.pains, *topic.pitches, *topic.facts):
        assert recognised(text) == {topic.key}, text


def test_the_topic_map_recognises_nothing_in_other_wordings() -> None:
    others = [*GENERIC_PITCHES, *letters.BUMPS, *letters.ASK_NOW, *letters.OFFERS, *letters.NOT_PRIORITY]
    assert not {text for text in others if recognised(text)}


def test_scale_out_of_range_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--scale", "0"])
    assert stop.value.code == 2
    assert "--scale 0 is out of range" in capsys.readouterr().err
