"""Only frozen lists make a registered name ordinary; an archive's own texts cannot."""

from __future__ import annotations

import pytest

from anonymize.amounts import MoneyScale
from anonymize.dates import DateShift
from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.resolution import build_registry
from contracts.manifest import Company

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")


def test_words_of_registered_names_are_never_learned() -> None:
    evidence = Evidence()
    evidence.persons[PersonMention((PersonName("Mirela", "", "Kowalska"),), logins=("mkowals",))] += 1
    evidence.persons[PersonMention((PersonName("Will", "", "Mark"),))] += 1
    evidence.companies[CompanyMention("Quillhaven Target AG")] += 1
    evidence.add_address("x@zellinger.com")
    names = {"mirela", "kowalska", "mkowals", "quillhaven", "zellinger", "brightwater"}
    evidence.words.update(dict.fromkeys([*names, "gadget", "will"], 9))
    vocabulary = build_registry(evidence, OWN).vocabulary
    assert not names & vocabulary
    assert {"gadget", "will", "mark", "may", "target", "customer", "energy"} <= vocabulary


@pytest.mark.parametrize(
    "cell", ["12.50", "-3", "1.2E+4", "(1,234.50)", "1.234,50-", "12345,67", "+8.10", "12'000.00", "0.00"]
)
def test_money_cells_of_every_ledger_are_multiplied(cell: str) -> None:
    scale = MoneyScale(b"kkkkkkkk")
    new = scale.cell(cell)
    assert new is not None
    before, after = (int("".join(char for char in text if char.isdigit())) for text in (cell, new))
    assert after == scale.factor * before or "E" in cell


@pytest.mark.parametrize(("cell", "form"), [("2024", "%Y"), ("24", "%y")])
def test_a_bare_year_moves_by_the_whole_years_of_the_offset(cell: str, form: str) -> None:
    shift = DateShift(b"12345678")
    moved = shift.cell(cell, form)
    assert moved == f"{2024 + shift.years}"[-len(cell) :]
