"""Bank statements: invented ones in the dialects of banks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.batches import TableBatch
from archive.ledger_mt940 import read_mt940
from archive.ledger_mt940_details import entry_details

PLAIN = """:20:STARTUMS
:25:10020030/1234567
:28C:00012/001
:60F:C240131EUR1000,00
:61:2402010201D250,5NTRFKREF+//BANK123
/OCMT/EUR250,5/
:86:105?00FOLGELASTSCHRIFT?109248?20EREF+E-77?21MREF+M-1?22SVWZ+Miete fuer Wohnung sie?23ben Februar
?30BANKDEFF?31DE02120300000000202051?32Hausverwaltung?33Nord GmbH?34992
:61:2312310101C99,NMSCNONREF
:86:Gutschrift
zweite Zeile
:62F:C240201EUR848,50
:64:C240201EUR848,50
-
"""


def read(tmp_path: Path, data: bytes | str) -> dict[str, list[TableBatch]]:
    path = tmp_path / "x.sta"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    found: dict[str, list[TableBatch]] = {}
    for batch in read_mt940(path, tmp_path):
        found.setdefault(batch.table, []).append(batch)
    return found


def rows(found: dict[str, list[TableBatch]], table: str) -> list[dict[str, str | None]]:
    return [row for batch in found.get(table, []) for row in batch.frame.to_dicts()]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_statement_and_its_entries_are_read(tmp_path: Path, end: str) -> None:
    found = read(tmp_path, PLAIN.replace("\n", end))
    (statement,) = rows(found, "statements")
    assert statement["account"] == "10020030/1234567"
    assert (statement["statement_number"], statement["sequence_number"]) == ("00012", "001")
    assert (statement["opening_balance"], statement["closing_balance"]) == ("1000.00", "848.50")
    assert (statement["opening_date"], statement["closing_date"]) == ("2024-01-31", "2024-02-01")
    first, second = rows(found, "entries")
    assert (first["amount"], first["value_date"], first["entry_date"]) == (
        "-250.5",
        "2024-02-01",
        "2024-02-01",
    )
    assert (first["type"], first["bank_reference"]) == ("NTRF", "BANK123")
    assert first["supplement"] == "/OCMT/EUR250,5/"
    assert first["counterparty_name"] == "Hausverwaltung Nord GmbH"
    assert first["counterparty_iban"] == "DE02120300000000202051"
    assert first["counterparty_bic"] == "BANKDEFF"
    assert (first["end_to_end_reference"], first["mandate_reference"]) == ("E-77", "M-1")
    assert (first["remittance"], first["posting_text"]) == (
        "Miete fuer Wohnung sieben Februar",
        "FOLGELASTSCHRIFT",
    )
    assert (first["transaction_code"], first["text_key"]) == ("105", "992")
    assert (second["amount"], second["details"]) == ("99", "Gutschrift\nzweite Zeile")
    assert first["statement_id"] == second["statement_id"] == statement["statement_id"]


def test_a_booking_day_stands_in_the_year_next_to_the_value_date(tmp_path: Path) -> None:
    assert rows(read(tmp_path, PLAIN), "entries")[1]["entry_date"] == "2024-01-01"


def test_sums_that_do_not_agree_are_told_and_nothing_is_lost(tmp_path: Path) -> None:
    found = read(tmp_path, PLAIN + PLAIN.replace("848,50", "900,00"))
    assert [row["agrees"] for row in rows(found, "statement_checks")] == ["true", "false"]
    assert len(rows(found, "entries")) == 4
    assert all(not batch.rejects for batches in found.values() for batch in batches)


def test_an_interim_report_is_checked_by_its_sums(tmp_path: Path) -> None:
    text = (
        ":20:R1\n:25:NL00BANK\n:28C:1\n:34F:EURD0,\n:13D:2402011815+0100\n:61:240201RC10,N\n:61:240201C5,5N\n"
        ":90D:1EUR10,00\n:90C:2EUR5,50\n-"
    )
    found = read(tmp_path, text)
    assert rows(found, "statements")[0]["created_at"] == "2024-02-01T18:15:00+01:00"
    assert [row["amount"] for row in rows(found, "entries")] == ["-10", "5.5"]
    checks = {row["check"]: row["agrees"] for row in rows(found, "statement_checks")}
    assert checks == {
        "debit_entries": "true",
        "debit_sum": "true",
        "credit_entries": "false",
        "credit_sum": "true",
    }


@pytest.mark.parametrize(
    ("line", "amount"),
    [
        ("2001010101D65,00NOVBNL47BANK9999999999\nA Person", "-65.00"),
        ("240101D000000000025,00N102EREF            \nNL70BANK0987654321", "-25.00"),
        ("240101    C1.234,56NTRFX", "1234.56"),
        ("2401010101CR1,NTRFX", "1"),
        ("240101RD7,77NTRFX//Y", "7.77"),
        ("240230C1,NMSC", "1"),
        ("240101D0,00NMSC", "0.00"),
    ],
)
def test_entries_of_many_banks_are_read(tmp_path: Path, line: str, amount: str) -> None:
    found = read(tmp_path, f":20:X\n:25:1\n:61:{line}\n:86:y\n")
    assert [row["amount"] for row in rows(found, "entries")] == [amount]


@pytest.mark.parametrize(
    ("line", "reason"),
    [("nothing", "unreadable_record"), ("249901C1,NMSC", "bad_date"), ("", "unreadable_record")],
)
def test_an_unreadable_entry_is_rejected_alone(tmp_path: Path, line: str, reason: str) -> None:
    found = read(tmp_path, f":20:X\n:25:1\n:61:{line}\n:86:a\n:61:240101C1,NMSC\n:86:b\n")
    (batch,) = found["entries"]
    assert [(one.locator, one.reason) for one in batch.rejects] == [("statement 1 entry 1", reason)]
    assert batch.frame["details"].to_list() == ["b"]


def test_the_same_statement_in_two_files_has_one_name(tmp_path: Path) -> None:
    once = rows(read(tmp_path, "{1:F01X}{4:\n" + PLAIN), "statements")
    again = rows(read(tmp_path, PLAIN.replace("\n", "\r\n") + "\r\n{1:F01Y}{4:\r\n"), "statements")
    assert once == again


def test_details_after_the_closing_balance_belong_to_the_statement(tmp_path: Path) -> None:
    text = (
        ":20:X\n:25:1\n:60F:C240101EUR0,\n:61:240101C1,NMSC\n:62F:C240101EUR1,\n:86:SUMME\n-"
        + "X" * 3
        + "\nNEXT\n940\n"
    )
    found = read(tmp_path, text)
    assert rows(found, "statements")[0]["details"] == "SUMME"
    assert rows(found, "entries")[0]["details"] is None


@pytest.mark.parametrize(
    "text",
    [
        "\x01{1:F01X}{2:O940X}{4::20:X\n:25:1\n:61:240101C1,NMSC\n:86:a\n-}\x03",
        "\x02:20:X\n:25:1\n:12:new\n:61:240101C1,NMSC\n:\n86:a\n-",
        "\ufeff:20:X\n:25:1\n\n:61:240101C\n1,NMSC\n\n:86:a\n",
        ":25:1\n:61:240101C1,NMSC\n:86:a\n",
    ],
    ids=["envelope in the line", "control characters", "broken lines", "no reference"],
)
def test_damaged_files_still_give_their_entry(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text)
    assert [(row["account"], row["amount"], row["details"]) for row in rows(found, "entries")] == [
        ("1", "1", "a")
    ]


def test_several_balances_under_one_reference_are_one_chain(tmp_path: Path) -> None:
    part = ":60F:C240101EUR{},\n:61:240101C1,NMSC\n:86:a\n:62F:C240101EUR{},\n"
    found = read(tmp_path, ":20:X\n:25:1\n" + part.format(5, 6) + part.format(6, 7))
    assert [row["details"] for row in rows(found, "entries")] == ["a", "a"]
    assert [row["agrees"] for row in rows(found, "statement_checks")] == ["true"]


@pytest.mark.parametrize("data", [b"", b"no statement here\n", b"\x00\xff" * 100])
def test_a_file_without_statements_is_one_reject(tmp_path: Path, data: bytes) -> None:
    found = read(tmp_path, data)
    assert [one.reason for batches in found.values() for batch in batches for one in batch.rejects] == [
        "no_statement"
    ]


@pytest.mark.parametrize(
    ("details", "wanted"),
    [
        (
            "/TRTP/OVERBOEKING/IBAN/NL02BANK0123456789/BIC/BANKNL2A/NAME/J Jansen/REMI/Factuur 7/EREF/E1",
            {
                "posting_text": "OVERBOEKING",
                "counterparty_iban": "NL02BANK0123456789",
                "counterparty_bic": "BANKNL2A",
                "counterparty_name": "J Jansen",
                "remittance": "Factuur 7",
                "end_to_end_reference": "E1",
            },
        ),
        (
            "/EREF/X//CNTP/NL02BANK0123456789/BANKNL2A/J Jansen///REMI/USTD//Huur/",
            {
                "end_to_end_reference": "X",
                "counterparty_iban": "NL02BANK0123456789",
                "counterparty_bic": "BANKNL2A",
                "counterparty_name": "J Jansen",
                "remittance": "USTD//Huur",
            },
        ),
        (
            "000>100123>20Huur>21 maart>310390123456",
            {"purpose": "Huur maart", "counterparty_iban": "0390123456"},
        ),
        ("NL47BANK9999999999 a person\n\nrent", {"counterparty_name": "a person"}),
        ("WHY? 20 apples", {}),
        ("", {}),
    ],
)
def test_what_details_say_stands_in_columns(details: str, wanted: dict[str, str]) -> None:
    found = entry_details(details)
    assert {key: found.get(key) for key in wanted} == wanted
    assert bool(wanted) or not any(found.values())


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from([*PLAIN.split("\n"), ":61:", ":86:", "-}", ":60M:", "?20", "\x00"]), max_size=30)
)
def test_no_order_of_lines_breaks_the_reader(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    path = tmp_path_factory.mktemp("m") / "x.sta"
    path.write_text("\n".join(lines))
    entries = sum(batch.read for batch in read_mt940(path, path.parent) if batch.table == "entries")
    started = next(
        (n for n, line in enumerate(lines) if line.startswith((":20:", ":25:", ":61:"))), len(lines)
    )
    assert entries == sum(line.startswith(":61:") for line in lines[started:])
