"""The sample archive agrees with itself and with its answer key."""

from __future__ import annotations

import csv
import email
import email.policy
import io
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from data_samples import letters, names
from data_samples.make import build, main
from data_samples.topics import GENERIC_PITCHES, TOPICS

SEED = 7
CAST = ("Ledgerline", "Alex Kim", "Jordan Blake", "PayFlow", "Northwind", "Clearwater", "Delia Patel")
DOCUMENT_TABLES = {"quotes": "VBAK", "orders": "VBAK", "invoices": "VBRK", "credit_memos": "VBRK"}


@cache
def files() -> dict[str, bytes]:
    return build(SEED, 1)


@cache
def truth(name: str) -> Any:
    return json.loads(files()[f"truth/{name}.json"])


@cache
def erp() -> sqlite3.Connection:
    base = sqlite3.connect(":memory:")
    base.deserialize(files()["archive/erp/erp.sqlite"])
    return base


def column(table: str, name: str) -> list[Any]:
    return [row[0] for row in erp().execute(f"SELECT {name} FROM {table}")]


@cache
def net() -> dict[str, int]:
    rows = [*erp().execute("SELECT VBELN, NETWR FROM VBAK"), *erp().execute("SELECT VBELN, NETWR FROM VBRK")]
    return {number: round(value * 100) for number, value in rows}


def crm(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files()[f"archive/crm/{table}.csv"].decode())))


@cache
def tickets() -> dict[str, list[str]]:
    rows = list(csv.reader(io.StringIO(files()["archive/tickets/jira_export.csv"].decode())))
    return {row[1]: row for row in rows[1:]}


@cache
def stored() -> dict[str, list[EmailMessage]]:
    """Messages by Message-ID over all mailboxes; those without an id stand under the empty one."""
    found: dict[str, list[EmailMessage]] = {}
    for name, content in files().items():
        if name.endswith(".mbox"):
            for raw in re.split(rb"(?m)^From .*\n", content)[1:]:
                raw = re.sub(rb"(?m)^>(>*From )", rb"\1", raw)
                message = email.message_from_bytes(raw, policy=email.policy.default)
                found.setdefault(str(message.get("Message-ID", "")).strip("<>"), []).append(message)
    return found


def truth_ids() -> set[str]:
    return set(truth("messages"))


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return cast(str, part.get_content())


def as_date(text: str) -> date:
    return date(int(text[:4]), int(text[4:6]), int(text[6:]))


def cents(text: str) -> int:
    """The amount that a written form stands for."""
    digits = re.sub(r"[^0-9.,k]", "", text)
    if digits.endswith("k"):
        return round(float(digits[:-1]) * 100_000)
    if re.search(r",\d\d$", digits):
        digits = digits.replace(".", "").replace(",", ".")
    return round(float(digits.replace(",", "")) * 100)


def test_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    assert main(["--seed", str(SEED), "-o", str(tmp_path / "a")]) == 0
    assert main(["--seed", str(SEED), "-o", str(tmp_path / "b")]) == 0
    first = {path.relative_to(tmp_path / "a"): path.read_bytes() for path in (tmp_path / "a").rglob("*.*")}
    second = {path.relative_to(tmp_path / "b"): path.read_bytes() for path in (tmp_path / "b").rglob("*.*")}
    assert first == second
    assert {str(path): content for path, content in first.items()} == files()


def test_another_seed_gives_another_company_history() -> None:
    other = build(SEED + 1, 1)
    assert other["archive/erp/erp.sqlite"] != files()["archive/erp/erp.sqlite"]


def test_scale_multiplies_the_leads() -> None:
    twice = json.loads(build(SEED, 2)["truth/counts.json"])
    assert twice["crm"]["Lead"] == 2 * len(crm("Lead")) == 260


def test_the_committed_archive_is_the_one_that_the_maker_writes() -> None:
    home = Path(names.__file__).parent
    for name, content in files().items():
        assert (home / name).read_bytes() == content, (
            f"{name} is out of date: run python -m data_samples.make"
        )


def test_amounts_in_mails_are_the_ledger_amounts() -> None:
    checked = 0
    for message_id, entry in truth("messages").items():
        for amount in entry["amounts"]:
            assert amount["text"] in text_of(stored()[message_id][0])
            assert cents(amount["text"]) == net()[amount["document"]]
            checked += 1
    assert checked > 150


def test_ticket_amounts_are_the_ledger_amounts() -> None:
    asked = [row for row in tickets().values() if row[3] == "Approval"]
    for row in asked:
        quote = re.search(r"quote (\d+)", row[0])
        amount = re.search(r"net total (\$[\d,.]+\d)", row[16])
        assert quote and amount
        assert cents(amount.group(1)) == net()[quote.group(1).zfill(10)]
    assert len(asked) > 30


def test_documents_add_up_from_their_items() -> None:
    for head, items in (("VBAK", "VBAP"), ("VBRK", "VBRP")):
        sums: Counter[str] = Counter()
        for number, value in erp().execute(f"SELECT VBELN, NETWR FROM {items}"):
            sums[number] += round(value * 100)
        for number, value in erp().execute(f"SELECT VBELN, NETWR FROM {head}"):
            assert sums[number] == round(value * 100)
    assert all(
        round(q * p * 100) == round(n * 100)
        for q, p, n in erp().execute("SELECT KWMENG, NETPR, NETWR FROM VBAP")
    )


def test_every_record_of_the_answer_key_stands_in_the_archive() -> None:
    known = {
        "leads": {row["Id"] for row in crm("Lead")},
        "opportunities": {row["Id"] for row in crm("Opportunity")},
        "events": {row["Id"] for row in crm("Event")},
        "tickets": set(tickets()),
        "mails": set(stored()),
        **{kind: set(column(table, "VBELN")) for kind, table in DOCUMENT_TABLES.items()},
    }
    accounts, customers = {row["Id"] for row in crm("Account")}, set(column("KNA1", "KUNNR"))
    for case in truth("cases").values():
        for kind, ids in known.items():
            assert set(case[kind]) <= ids
        assert case["account"] in accounts
        assert not case["customer"] or case["customer"] in customers
    traps = truth("traps")
    assert {trap["message_id"] for trap in traps if "message_id" in trap} <= known["mails"]
    contacts = {row["Id"] for row in crm("Contact")}
    assert {trap["contact"] for trap in traps if "contact" in trap} <= contacts
    assert {label["message_id"] for label in truth("response")["outreach"]} <= known["mails"]


def test_every_document_belongs_to_exactly_one_case() -> None:
    owners = Counter(n for case in truth("cases").values() for kind in DOCUMENT_TABLES for n in case[kind])
    assert set(owners) == {*column("VBAK", "VBELN"), *column("VBRK", "VBELN")}
    assert set(owners.values()) == {1}


def test_counts_are_those_of_the_files() -> None:
    counts = truth("counts")
    whole = {key: found for key, found in stored().items() if key in truth("messages")}
    assert len(whole) == counts["mails"]["unique"]
    assert sum(len(found) - 1 for found in whole.values()) == counts["mails"]["duplicates"] == 35
    broken = sum(len(found) for key, found in stored().items() if key not in whole)
    assert broken == counts["mails"]["broken"] == len(counts["broken"]) == 6
    assert len(tickets()) == counts["tickets"]
    for table, number in counts["crm"].items():
        assert len(crm(table)) == number
    for table, number in counts["erp"].items():
        assert len(column(table, "MANDT")) == number


def test_sizes_are_those_of_a_small_company() -> None:
    counts = truth("counts")
    assert sum(len(content) for name, content in files().items() if name.startswith("archive/")) < 4_000_000
    assert 550 <= counts["mails"]["unique"] <= 800
    assert 100 <= counts["tickets"] <= 140
    assert len(crm("Lead")) == 130
    assert len({*names.FAMILY_US, *names.FAMILY_UK, *names.FAMILY_DE}) >= 150


def test_the_cast_of_the_shift_does_not_occur() -> None:
    text = (
        b"\n".join(files().values())
        + "".join(text_of(found[0]) for key, found in stored().items() if key in truth_ids()).encode()
    )
    pools = " ".join([*names.FAMILY_US, *names.ROOTS, *names.FIRST_US])
    for name in CAST:
        assert name.encode() not in text
        assert name not in pools


def test_approvals_follow_the_rule_but_for_the_listed_exceptions() -> None:
    rule = truth("rules")["approval"]
    limit, exempt = cents(rule["threshold"]), set(rule["standing_exemption"]["quotes"])
    near = [entry for entry in rule["decisions"] if abs(net()[entry["quote"]] - limit) <= 100_000]
    assert len(rule["decisions"]) >= 70
    assert len(near) >= 12
    assert any(net()[entry["quote"]] == limit for entry in near)
    assert len(rule["exceptions"]) == 3
    for entry in rule["decisions"]:
        expected = (
            rule["above"] if net()[entry["quote"]] > limit and entry["quote"] not in exempt else rule["below"]
        )
        assert (entry["approver"] == expected) is (entry["quote"] not in rule["exceptions"])


def test_approvers_are_seen_only_in_replies_and_comments() -> None:
    addresses = {row["Username"].split("@")[0]: row["Email"] for row in crm("User")}
    for entry in truth("rules")["approval"]["decisions"]:
        if entry["channel"] == "mail":
            assert addresses[entry["approver"]] in str(stored()[entry["evidence"]][0]["From"])
        else:
            assert any(f";{entry['approver']};" in cell for cell in tickets()[entry["evidence"]][20:])


def test_complaints_follow_the_rule_but_for_the_listed_exceptions() -> None:
    rule = truth("rules")["credit"]
    ages = {entry["age_days"] for entry in rule["decisions"]}
    assert len(rule["decisions"]) >= 28
    assert {30, 31} <= ages
    assert len(rule["exceptions"]) == 2
    for entry in rule["decisions"]:
        expected = rule["early"] if entry["age_days"] <= rule["limit_days"] else rule["late"]
        assert (entry["decider"] == expected) is (entry["ticket"] not in rule["exceptions"])


@pytest.mark.parametrize("reason", ["too_small", "region", "unsupported_ledger", "public_body", "acquired"])
def test_each_reason_of_disqualification_is_recorded_in_fields(reason: str) -> None:
    holds: dict[str, Callable[[dict[str, str]], bool]] = {
        "too_small": lambda row: int(row["NumberOfEmployees"]) < 120,
        "region": lambda row: row["Country"] not in ("US", "CA", "UK", "DE"),
        "unsupported_ledger": lambda row: row["Ledger_System__c"] in names.LEDGERS_UNSUPPORTED,
        "public_body": lambda row: row["Public_Body__c"] == "TRUE",
        "acquired": lambda row: row["Competitor_Contract__c"] == "TRUE",
    }
    exceptions = truth("rules")["qualification"]["exceptions"]
    rows = [row for row in crm("Lead") if row["Id"] not in exceptions]
    marked = [row for row in rows if row["Disqualified_Reason__c"] == reason]
    assert len(marked) >= 5
    assert all(holds[reason](row) for row in marked)
    assert not [row for row in rows if row["Status__c"] in ("Qualified", "Customer") and holds[reason](row)]


def test_every_reply_quotes_or_names_a_mail_that_was_sent_before() -> None:
    messages = truth("messages")
    for entry in messages.values():
        if entry["parent"]:
            assert messages[entry["parent"]]["sent"] < entry["sent"]


def test_payments_of_the_key_are_those_of_the_books() -> None:
    cleared = {
        number: (as_date(paid), as_date(base) + timedelta(days=days))
        for number, paid, base, days in erp().execute(
            "SELECT VBELN, AUGDT, ZFBDT, ZBD1T FROM BSAD WHERE BLART = 'RV'"
        )
    }
    states = {
        number: state for case in truth("outcomes").values() for number, state in case["payments"].items()
    }
    for number, state in states.items():
        if state == "open":
            assert number not in cleared
        else:
            assert (cleared[number][0] > cleared[number][1]) is (state == "late")
    late = Counter(states.values())["late"] / len(states)
    assert 0.2 <= late <= 0.4


def test_each_person_and_company_is_found_under_its_forms() -> None:
    entities = truth("entities")
    people = entities["persons"].values()
    rows = {row["Id"]: row for row in crm("Contact")}
    for person in people:
        assert person["forms"] or rows[person["crm"]]["LastName"] == person["last"]
    assert any("ö" in person["name"] and "ß" in person["name"] for person in people)
    assert len(entities["namesakes"]) >= 2
    renamed = [person for person in people if len(person["mails"]) > 1]
    assert len(renamed) == 1
    assert {"Prewitt, Shauna", "Delahunt, Shauna"} <= set(renamed[0]["forms"])
    assert all(company["forms"] for company in entities["companies"].values())


def test_every_trap_pattern_occurs() -> None:
    kinds = Counter(trap["kind"] for trap in truth("traps"))
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
    assert any(trap["collides_with_event"] for trap in truth("traps") if trap["kind"] == "time_zone")


def test_nobody_is_written_to_after_the_notice_that_a_company_has_signed() -> None:
    messages, cases = truth("messages"), truth("cases")
    for trap in truth("traps"):
        if trap["kind"] == "plan_changes":
            after = [
                messages[mail]
                for mail in cases[trap["case_id"]]["mails"]
                if messages[mail]["sent"] > messages[trap["message_id"]]["sent"]
            ]
            assert not after


def test_mails_carry_the_kinds_of_structure_that_readers_must_know() -> None:
    whole = [message for found in stored().values() for message in found]
    methods = {
        method
        for message in whole
        for part in message.walk()
        for method in re.findall(r"text/calendar;.*method=\"?(\w+)", str(part.get("Content-Type")))
    }
    assert methods == {"REQUEST", "CANCEL", "REPLY"}
    kinds = {part.get_content_type() for message in whole for part in message.walk()}
    assert {"text/html", "application/pdf", "text/csv"} <= kinds
    assert {"7bit", "quoted-printable", "base64"} <= {str(m.get("Content-Transfer-Encoding")) for m in whole}
    assert any("iso-8859-1" in str(m.get("Content-Type")) for m in whole)
    assert any(m.get("Auto-Submitted") == "auto-replied" for m in whole)
    replies = [m for m in whole if str(m.get("Subject", "")).startswith("Re: ")]
    assert 0 < sum("References" not in m for m in replies) < len(replies) / 4


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
