"""What unknown columns hold: careful guesses, text when in doubt, date forms from the whole column."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.columns import column_words, guess_spec, read_columns, resolve_specs
from contracts.manifest import ColumnSpec, TableSpec
from contracts.tables import ColumnKind


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("Active", ["TRUE", "false"], ColumnKind.FLAG),
        ("Mail", ["a@x.example"], ColumnKind.EMAIL),
        ("Site", ["https://x.example/a"], ColumnKind.URL),
        ("When", ["2025-03-04", "2025-03-05"], ColumnKind.DATE),
        ("When", ["2025-03-04T10:00:00.000Z"], ColumnKind.DATETIME),
        ("InvoiceAmount", ["12.50", "1,200.00"], ColumnKind.MONEY),
        ("Tax rate", ["19", "7"], ColumnKind.RATE),
        ("countryCode", ["391", "406"], ColumnKind.CODE),
        ("DaysLate", ["0", "12"], ColumnKind.MEASURE),
        ("anything", ["1234567", "2345678"], ColumnKind.ID),
        ("customerID", ["0379-NEVHP"], ColumnKind.ID),
        ("sales_agent", ["Moses F", "Anna S"], ColumnKind.PERSON),
        ("account", ["Acme", "Betasol"], ColumnKind.COMPANY),
        ("MobilePhone", ["(212) 842-5500"], ColumnKind.PHONE),
        ("BillingCity", ["Leipzig"], ColumnKind.CITY),
        ("deal_stage", ["Won", "Lost", "Won"], ColumnKind.CATEGORY),
        ("remarks", ["Won", "Lost", "Won"], ColumnKind.TEXT),
        ("Description", ["He called Ann."], ColumnKind.TEXT),
        ("mixed", ["12", "twelve"], ColumnKind.TEXT),
        ("gesperrt", ["ja", "nein"], ColumnKind.FLAG),
        ("XAUTO", ["X"], ColumnKind.FLAG),
        ("first_name", ["x"], ColumnKind.PERSON),
        ("is_closed", ["0", "1"], ColumnKind.FLAG),
        ("Discontinued", ["0", "1"], ColumnKind.FLAG),
        ("clock", ["10:33:02", "11:05:00"], ColumnKind.CODE),
        ("key", ["3e2f5871-9eca-46a6-899a-4417a1b2c3d4"], ColumnKind.ID),
        ("to", ["Ann Lee <ann@x.example>"], ColumnKind.MAILBOX),
        ("Rechnungsbetrag", ["1.234,56", "12,50"], ColumnKind.MONEY),
        ("Menge", ["12", "3"], ColumnKind.QUANTITY),
        ("Kundennummer", ["10012", "10013"], ColumnKind.ID),
        ("Sachkonto", ["4400", "1200"], ColumnKind.CODE),
        ("MwSt-Satz", ["19", "7"], ColumnKind.RATE),
        ("montant_ttc", ["12,50", "1 200,00"], ColumnKind.MONEY),
        ("quantité", ["3", "4"], ColumnKind.QUANTITY),
        ("importe", ["12.5"], ColumnKind.MONEY),
        ("NETWR", ["1500", "87,536,655.00"], ColumnKind.MONEY),
        ("KURSF", ["1", "/3.74340"], ColumnKind.RATE),
        ("BELNR", ["1500000001.0"], ColumnKind.ID),
        ("USNAM", ["ABC-005"], ColumnKind.LOGIN),
        ("netwr", ["1500"], ColumnKind.MONEY),
        ("UnitsInStock", ["12"], ColumnKind.QUANTITY),
        ("UnitsOnOrder", ["12"], ColumnKind.QUANTITY),
        ("ReorderLevel", ["12"], ColumnKind.MEASURE),
        ("NumberOfEmployees", ["12", "300"], ColumnKind.MEASURE),
        ("discount", ["0.0", "0.15"], ColumnKind.RATE),
        ("discount", ["12.50"], ColumnKind.MONEY),
        ("tax", ["19 %"], ColumnKind.RATE),
        ("what it took", ["€ 12,50"], ColumnKind.MONEY),
        ("deposit_to_account_id", ["40"], ColumnKind.ID),
        ("sort_order", ["1", "2"], ColumnKind.CODE),
        ("PostalCode", ["27215"], ColumnKind.POSTCODE),
        ("Ansprechpartner", ["Ina Mohr"], ColumnKind.PERSON),
        ("Lieferant", ["Mohr GmbH"], ColumnKind.COMPANY),
        ("created_by", ["imohr", "jdoe"], ColumnKind.LOGIN),
        ("created_by", ["Ina Mohr"], ColumnKind.PERSON),
        ("ShipName", ["Mohr und Kern"], ColumnKind.COMPANY),
        ("customer_memo", ["call her"], ColumnKind.TEXT),
        ("StageName", ["Won", "Lost"], ColumnKind.CATEGORY),
        ("currency_code", ["USD", "EUR"], ColumnKind.CODE),
        ("customer_code", ["ACME", "KERN"], ColumnKind.COMPANY),
        ("office_location", ["Kenya", "Japan"], ColumnKind.CATEGORY),
        ("location", ["Main Road 5"], ColumnKind.TEXT),
        ("contact", ["+49 30 1234567", "(030) 7654321"], ColumnKind.PERSON),
        ("callback", ["+49 30 1234567", "(030) 7654321"], ColumnKind.PHONE),
        ("ext", ["4700", "4701", "4702"], ColumnKind.PHONE),
        ("Durchwahl", ["-17", "-18", "-19"], ColumnKind.PHONE),
        ("DW", ["17", "143", "0"], ColumnKind.PHONE),
        ("Nst", ["Nst. 17", "Nst. 143"], ColumnKind.PHONE),
        ("Nebenstelle", ["4711", "4712"], ColumnKind.PHONE),
        ("file_ext", ["pdf", "xlsx", "pdf"], ColumnKind.FILENAME),
        ("Region", ["NA"], ColumnKind.CATEGORY),
        ("part", ["12-34567", "12-34568"], ColumnKind.ID),
        ("Initials", ["JSM", "AK"], ColumnKind.LOGIN),
        ("Sachb. Kürzel", ["JSM", "AK"], ColumnKind.LOGIN),
        ("plant", ["WE", "KA"], ColumnKind.CODE),
        ("empty", [], ColumnKind.TEXT),
    ],
)
def test_a_column_is_guessed_from_its_name_and_values(name: str, values: list[str], kind: ColumnKind) -> None:
    assert guess_spec(name, values).kind is kind


@pytest.mark.parametrize(
    ("name", "person", "part"),
    [
        ("Surname", "guessed", "last"),
        ("Given", "guessed", "first"),
        ("FirstName", "guessed", "first"),
        ("LAST_NAME", "guessed", "last"),
        ("Nachname", "guessed", "last"),
        ("Full Name", "guessed", "full"),
        ("SpouseFirstName", "guessed spouse", "first"),
        ("Spouse_Last_Name__c", "guessed spouse", "last"),
        ("Contact Surname", "guessed contact", "last"),
    ],
)
def test_columns_of_name_parts_are_people_and_parts_of_one_person_go_together(
    name: str, person: str, part: str
) -> None:
    spec = guess_spec(name, ["Halvorsen", "Rübsamen"])
    assert (spec.kind, spec.person, spec.part) == (ColumnKind.PERSON, person, part)


@pytest.mark.parametrize("name", ["LastStatus", "First remark", "Product Name", "Last Contacted", "Family"])
def test_first_and_last_alone_do_not_speak_of_names(name: str) -> None:
    spec = guess_spec(name, ["It went well", "No answer yet"])
    assert (spec.kind is ColumnKind.PERSON) == (name == "Family")


@pytest.mark.parametrize(
    ("values", "form"),
    [
        (["1/13/2025", "2/3/2025"], "%m/%d/%Y"),
        (["13/1/2025", "2/3/2025"], "%d/%m/%Y"),
        (["2/3/2025"], "%m/%d/%Y"),
        (["13.1.2025"], "%d.%m.%Y"),
        (["20250113"], "%Y%m%d"),
    ],
)
def test_the_date_form_is_decided_by_the_whole_column(values: list[str], form: str) -> None:
    spec = guess_spec("day", values)
    assert (spec.kind, spec.date_format) == (ColumnKind.DATE, form)


def test_stated_columns_win_and_get_their_date_form_from_the_data() -> None:
    stated = TableSpec(
        name="t", columns={"DUE": ColumnSpec(kind=ColumnKind.DATE), "x": ColumnSpec(kind=ColumnKind.CODE)}
    )
    specs = resolve_specs(stated, {"due": ["31/1/2025"], "X": ["2025-01-31"], "other": ["abc def"]})
    assert specs["due"].date_format == "%d/%m/%Y"
    assert specs["X"].kind is ColumnKind.CODE
    assert specs["other"].kind is ColumnKind.TEXT


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("customerID", ["customer", "id"]),
        ("Ledger_System__c", ["ledger", "system"]),
        ("Due Date", ["due", "date"]),
    ],
)
def test_column_names_fall_into_words(name: str, words: list[str]) -> None:
    assert column_words(name) == words


def test_decimal_marks_and_currencies_go_into_the_spec() -> None:
    spec = guess_spec("Betrag EUR", ["1.234,56", "7,00"])
    assert (spec.decimal_mark, spec.currency, spec.decimals) == (",", "EUR", 2)
    assert guess_spec("price", ["$1.2345"]).decimals == 4
    assert guess_spec("Belegnummer", ["1,234"]).decimal_mark == "."


def test_marks_of_no_value_are_told_by_kind() -> None:
    assert guess_spec("amount", ["12.50", "n/a", "-"]).missing == ["-", "n/a"]
    assert guess_spec("sys_created", ["29/2/2016 01:23", "?"]).missing == ["?"]
    assert guess_spec("Region", ["NA", "EU", "NULL"]).missing == ["NULL"]
    assert guess_spec("due_date", ["00/00/0000"]).kind is ColumnKind.DATE


def test_doubtful_columns_follow_the_others_of_their_table() -> None:
    columns = {
        "due": ["4/5/2024", "6/7/2024"],
        "issued": ["25/3/2024", "6/7/2024"],
        "price": ["1.234", "5.600"],
        "amount": ["12,50"],
    }
    readings = read_columns(None, columns)
    assert readings["due"].spec.date_format == "%d/%m/%Y"
    assert readings["due"].confident
    assert "other date columns" in readings["due"].reason
    assert readings["price"].spec.decimal_mark == ","
    alone = read_columns(None, {"due": columns["due"]})["due"]
    assert (alone.confident, alone.alternatives) == (False, ("%d/%m/%Y",))


def test_a_stated_date_form_that_reads_nothing_is_corrected_by_the_data() -> None:
    stated = TableSpec(name="t", columns={"d": ColumnSpec(kind=ColumnKind.DATE, date_format="%Y%m%d")})
    assert resolve_specs(stated, {"d": ["20240131", "00000000"]})["d"].date_format == "%Y%m%d"
    assert resolve_specs(stated, {"d": ["31/1/2024"]})["d"].date_format == "%d/%m/%Y"


def test_stated_amounts_get_their_decimal_mark_from_the_data() -> None:
    stated = TableSpec(name="t", columns={"x": ColumnSpec(kind=ColumnKind.MONEY)})
    assert resolve_specs(stated, {"x": ["1.234,56"]})["x"].decimal_mark == ","


def test_a_few_strays_are_told() -> None:
    cells = [f"{number}.50" for number in range(300)]
    reading = read_columns(None, {"amount": [*cells, "ask Ina"]})["amount"]
    assert (reading.spec.kind, reading.outliers) == (ColumnKind.MONEY, ("ask Ina",))


def test_repeated_cells_change_no_reading() -> None:
    columns = {"status": ["open", "won"], "amount": ["1,5", "2,5"], "day": ["3/4/2024"]}
    repeated = {name: values * 4 for name, values in columns.items()}
    assert read_columns(None, columns) == read_columns(None, repeated)


@given(
    st.text(max_size=30),
    st.lists(
        st.one_of(st.text(min_size=1, max_size=40), st.from_regex(r"[0-9.,:/ \-+%T()]{1,30}")), max_size=30
    ),
)
def test_no_cell_makes_a_reading_fail(name: str, values: list[str]) -> None:
    reading = read_columns(None, {name: values})[name]
    assert set(reading.spec.missing) <= {value.strip() for value in values}


@pytest.mark.parametrize(
    "cell",
    [
        "1" + " " * 200_000 + "x",
        "9" * 200_000 + "x",
        "1," * 100_000,
        "a@" + "." * 200_000,
        "(" * 200_000,
        "- " * 100_000,
    ],
)
def test_hostile_cells_take_no_time(cell: str) -> None:
    started = process_time()
    read_columns(
        None, {"amount": [cell, *(f"{number}.5" for number in range(50))], "day": [cell, "1/2/2024"] * 3}
    )
    assert process_time() - started < 2


def test_columns_of_very_many_values_are_read_as_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {
        "amount": [*(f"{number:,}.{number % 100:02d}" for number in range(0, 90_000, 3)), "n/a"],
        "whole": [f"{number}.0" for number in range(1_000_000, 1_030_000)],
        "at": [
            f"{1 + n % 28}/{1 + n % 12}/2024 {n % 24}:{n % 60:02d}:{n // 60 % 60:02d}" for n in range(30_000)
        ],
        "iso": [
            f"2024-{1 + n % 12:02d}-{1 + n % 28:02d} {n % 24:02d}:{n % 60:02d}:{n // 60 % 60:02d}"
            for n in range(30_000)
        ],
        "stray": [*(str(number) for number in range(30_000)), "see note", "see page"],
    }
    cut = read_columns(None, columns)
    monkeypatch.setattr("archive.columns.MANY", 10**9)
    assert read_columns(None, columns) == cut
    assert cut["at"].spec.date_format == "%d/%m/%Y %H:%M:%S"
    assert cut["stray"].outliers == ("see note", "see page")
    assert cut["amount"].spec.missing == ["n/a"]
