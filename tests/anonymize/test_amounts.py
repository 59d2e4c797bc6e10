"""Amounts in text: every written form takes the factor of the ledger, nothing else does."""

from __future__ import annotations

import pytest

from anonymize.amounts import MoneyScale
from contracts.money import WrittenAmount, amounts_in
from contracts.money_marks import MAY_HOLD_MONEY

SCALE = MoneyScale(b"\x00" * 7 + b"\x01")
KNOWN = frozenset({1_434_567, 1_234_500, 123_450, 1_234_567, 1_000_000})


def replaced(text: str, exact: dict[tuple[int, int], int] | None = None) -> str:
    """Returns a text with its amounts replaced."""
    for amount in reversed(SCALE.in_text(text, KNOWN, exact or {})):
        text = text[: amount.start] + amount.replacement + text[amount.end :]
    return text


def test_the_factor_of_these_tests_is_three() -> None:
    assert SCALE.factor == 3


@pytest.mark.parametrize(
    ("written", "new"),
    [
        # sign or code in front
        ("EUR 12.345,67", "EUR 37.037,01"),
        ("EUR12.345,67", "EUR37.037,01"),
        ("€ 12.345", "€ 37.035"),
        ("US$1,234.50", "US$3,703.50"),
        ("A$400", "A$1,200"),
        ("¥ 1200", "¥ 3600"),
        ("SEK 5 000", "SEK 15 000"),
        ("CHF 1'200.50", "CHF 3'601.50"),
        ("CHF 1’200.–", "CHF 3’600.–"),
        ("Fr. 1'200.–", "Fr. 3'600.–"),
        ("Euro 12.345,67", "Euro 37.037,01"),
        ("PLN 1 234,50", "PLN 3 703,50"),
        ("€0.0345", "€0.1035"),
        ("$12.5", "$37.5"),
        ("$0.99", "$2.97"),
        # behind
        ("12.345,67 Euro", "37.037,01 Euro"),
        ("12.345,67 EURO", "37.037,01 EURO"),
        ("12345,67 €", "37037,01 €"),
        ("12,345.67 USD", "37,037.01 USD"),
        ("500€", "1,500€"),
        ("5 000 kr", "15 000 kr"),
        ("250 dollars", "750 dollars"),
        ("250 US dollars", "750 US dollars"),
        ("1200 Franken", "3600 Franken"),
        ("90 pounds sterling", "270 pounds sterling"),
        # a dash for no cents
        ("12.345,-", "37.035,-"),
        ("12.345,- €", "37.035,- €"),
        ("EUR 12.345,--", "EUR 37.035,--"),
        ("12.345,–", "37.035,–"),
        # shortened
        ("12.3k", "36.9k"),
        ("12.3 k", "36.9 k"),
        ("12.35k", "37.05k"),
        ("$12.3k", "$36.9k"),
        ("12,3k €", "36,9k €"),
        ("12k€", "36k€"),
        ("TEUR 12", "TEUR 36"),
        ("12 TEUR", "36 TEUR"),
        ("T€ 12,5", "T€ 37,5"),
        ("k€ 12", "k€ 36"),
        ("12 kEUR", "36 kEUR"),
        ("12.345 TEUR", "37.035 TEUR"),
        ("12 Mio. €", "36 Mio. €"),
        ("1,2 Mio. EUR", "3,6 Mio. EUR"),
        ("EUR 12 Mio.", "EUR 36 Mio."),
        ("Mio. € 12", "Mio. € 36"),
        ("€12m", "€36m"),
        ("1.2m", "3.6m"),
        ("1.2M", "3.6M"),
        ("$1.2 million", "$3.6 million"),
        ("1.2 million dollars", "3.6 million dollars"),
        ("2 Mrd. Euro", "6 Mrd. Euro"),
        ("12 thousand euros", "36 thousand euros"),
        ("12 Tausend Euro", "36 Tausend Euro"),
        ("12 Tsd. €", "36 Tsd. €"),
        ("12 grand", "36 grand"),
        # in words
        ("twelve thousand euros", "thirty-six thousand euros"),
        ("Twelve thousand dollars", "Thirty-six thousand dollars"),
        ("twelve thousand five hundred EUR", "thirty-seven thousand five hundred EUR"),
        ("a hundred and twenty dollars", "three hundred and sixty dollars"),
        ("twelve thousand", "thirty-six thousand"),
        ("zwölftausend Euro", "sechsunddreißigtausend Euro"),
        ("Zwölftausend Euro", "Sechsunddreißigtausend Euro"),
        ("zwölftausendfünfhundert Euro", "siebenunddreißigtausendfünfhundert Euro"),
        ("eine Million Euro", "drei Millionen Euro"),
        ("dreihundert Franken", "neunhundert Franken"),
        # ranges
        ("€12-15k", "€36-45k"),
        ("12-15k", "36-45k"),
        ("€12k–15k", "€36k–45k"),
        ("12 to 15k", "36 to 45k"),
        ("12 bis 15 TEUR", "36 bis 45 TEUR"),
        ("between 12 and 15k", "between 36 and 45k"),
        ("$12,000-$15,000", "$36,000-$45,000"),
        ("12.000-15.000 EUR", "36.000-45.000 EUR"),
        ("$12-15", "$36-45"),
        # negative
        ("-$500.00", "-$1,500.00"),
        ("−500 EUR", "−1,500 EUR"),
        ("($1,234.50)", "($3,703.50)"),
        ("EUR -500", "EUR -1,500"),
        ("500,00- EUR", "1.500,00- EUR"),
        # bare, as a money column holds it
        ("14.345,67", "43.037,01"),
        ("14345,67", "43037,01"),
        ("14 345,67", "43 037,01"),
        ("(1,234.50)", "(3,703.50)"),
        ("1.234,50-", "3.703,50-"),
        ("-1,234.50", "-3,703.50"),
        ("12.345", "37.035"),
    ],
)
def test_every_written_form_takes_the_factor(written: str, new: str) -> None:
    assert replaced(f"We said {written}.") == f"We said {new}."


@pytest.mark.parametrize(
    "text",
    [
        "12k users signed up",
        "1.2 million rows and 12 Mio. Datensätze",
        "twelve thousand seats",
        "300 pieces of 1.2m wide board",
        "15% of 12,345 %",
        "about 12.345 % more",
        "version 2.10 and v18.4",
        "Python 3.11, section 12.50",
        "on 3.9.2024, 03.09.24 and 2024-09-03",
        "Euro 2024 starts, Euro 6 engines",
        "Fr. 12.05. at 10:30",
        "call 508-555-0147 or +49 731 496 0142",
        "order 4500012345, INV-2024-00123 and SO-12.50",
        "10.0.12.34 answers",
        "3M and 5G",
        "EUR/USD 1.0856",
        "at 10.15 Uhr, 12:30",
        "1.234,51 and 99.99 that no column holds",
        "einhundert Mitarbeiter, one of two",
        "the two thousand people who came",
        "a million thanks",
        "12 m of cable, 5 km",
        "x1,234.50 and 1,234.50kg",
        "",
    ],
)
def test_other_numbers_stay(text: str) -> None:
    assert replaced(text) == text


@pytest.mark.parametrize(
    ("text", "minor", "new"),
    [
        ("about $12.3k", 1_234_567, "about $37.0k"),
        ("about 12,3 k", 1_234_567, "about 37,0 k"),
        ("TEUR 12", 1_234_567, "TEUR 37"),
        ("1,2 Mio. €", 123_456_789, "3,7 Mio. €"),
        ("twelve thousand euros", 1_234_567, "thirty-seven thousand euros"),
        ("zwölftausend Euro", 1_234_567, "siebenunddreißigtausend Euro"),
        ("$12.3k", 9_999_999, "$36.9k"),
    ],
)
def test_a_shortened_form_is_rounded_from_its_record(text: str, minor: int, new: str) -> None:
    (amount,) = amounts_in(text)
    assert replaced(text, {(amount.start, amount.end): minor}) == new


def test_a_bare_amount_keeps_its_place_beside_signed_ones() -> None:
    text = "net 14.345,67, gross EUR 17.071,35; 19 % USt"
    assert replaced(text) == "net 43.037,01, gross EUR 51.214,05; 19 % USt"


def test_amounts_carry_what_they_count() -> None:
    assert amounts_in("TEUR 12")[0] == WrittenAmount(0, 7, 1_200_000, "TEUR 12", 100_000, "12", 5, 1_000)


@pytest.mark.parametrize(
    "text", ["12.345,-", "12 TEUR", "zwölftausend Euro", "Fr. 1'200", "5 000 kr", "12 Mio. €"]
)
def test_the_quick_test_lets_every_amount_pass(text: str) -> None:
    import polars as pl

    assert amounts_in(text)
    assert pl.Series([text]).str.contains(MAY_HOLD_MONEY).all()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Gehalt 4534, Bonus 4534 EUR", ["4534", "4534 EUR"]),
        ("Name;Gehalt\nMalte;4534\nIna;3900", ["4534", "3900"]),
        ("Name Salary\nMalte 4534\nIna 2024", ["4534"]),
        ("she earns 4534 a month", ["4534"]),
        ("room 4534 is free", []),
        ("salary talks in room 777", []),
    ],
)
def test_a_bare_number_beside_a_word_for_money_is_the_amount_that_a_column_holds(
    text: str, written: list[str]
) -> None:
    found = MoneyScale(b"abcdefg1").in_text(text, frozenset({453_400, 390_000, 202_400}), {})
    assert [text[one.start : one.end] for one in found] == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Gehalt: 45340", ["45340"]), ("Jahresgehalt von 45.340", ["45.340"]), ("price is 99 net", ["99"]),
        ("she earns 45340", ["45340"]), ("er bekommt 3.450 im Monat", ["3.450"]), ("gets 3450", ["3450"]),
        ("Einzelpreis:99,00", ["99,00"]), ("Abfindung 120000, Bonus 5000", ["120000", "5000"]),
        ("Kosten ca. 1200,50", ["1200,50"]), ("Name;Gehalt\nMalte;45340\nIna;3900\n", ["45340", "3900"]),
        ("| Item | Unit price |\n|---|---|\n| Bolt | 12 |\n| Nut | 8,50 |\n", ["12", "8,50"]),
        ("salary_eur,name\n4500,a\n", ["4500"]), ("Preis\tMenge\n14\t3\n20\t4", ["14", "20"]),
        ("Name;Brutto;Netto\nIna;5210,00;3301,22\n", ["5210,00", "3301,22"]),
        ("Name;Gehaltswunsch\nIna;56000\nMalte;61.500\n", ["56000", "61.500"]),
        ("Artikel;EK;VK;Menge\nBolt;7,10;9,90;3\n", ["7,10", "9,90"]),
        ("Teil\tPreis\tStaffel ab 10\nA\t1234.5\t1190\nSumme\t1321.75\n", ["1234.5", "1190", "1321.75"]),
        ("Artikel;Einkaufswert;Staffel\nA;7,50;6,00\n", ["7,50", "6,00"]),
        ("Name;Tagessatz;Steuersatz;Lohngruppe\nIna;800;19;12\n", ["800"]),
        ("Gehalt Ina: 4.870 brutto, Bonus 2.500", ["4.870", "2.500"]),
        ("sie bekommt 12.900 im Monat, er 5.150", ["12.900", "5.150"]),
        ("56.250 netto, statt EUR 19.900", ["56.250", "EUR 19.900"]),
        ("Umsatz 2023: 3.457.812,44", ["3.457.812,44"]),
        ("Preis 99,00 um 14.30 Uhr am 12.03. erfragt", ["99,00"]),
        ("Artikel;Preis\nBolt;n/a\nNut;see 3\nPin;7\n", []),
    ],
)  # fmt: skip
def test_a_number_right_behind_or_under_a_word_for_money_needs_no_column(
    text: str, written: list[str]
) -> None:
    found = MoneyScale(b"abcdefg1").in_text(text, frozenset(), {})
    assert [text[one.start : one.end] for one in found] == written


@pytest.mark.parametrize(
    "text",
    [
        "Preis 100 Stück", "gets 10 mails", "gets 404", "Budget 2024", "total 48", "costs 3 times", "fee 5 %",
        "cost center 4711", "paid 2023", "price list 4711", "pay 30 days net", "earns 12 points",
        "Budget;Menge\nQ3;17\nQ4;18\n", "salary talks in room 777",
    ],
)  # fmt: skip
def test_a_number_that_counts_something_else_is_no_amount(text: str) -> None:
    assert MoneyScale(b"abcdefg1").in_text(text, frozenset(), {}) == []


def test_a_bare_number_gets_no_marks_of_groups() -> None:
    (found,) = MoneyScale(b"abcdefg1").in_text("Bonus 400", frozenset(), {})
    assert found.replacement == "2400"
