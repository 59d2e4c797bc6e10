"""What unknown columns hold: careful guesses, text when in doubt, date forms from the whole column."""

from __future__ import annotations

import pytest

from archive.columns import column_words, guess_spec, resolve_specs
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
