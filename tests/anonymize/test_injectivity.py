"""Two real ones never become one, and one never two: in columns of every kind that has surrogates."""

from __future__ import annotations

import polars as pl
import pytest

from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.injectivity import Identity, identity, joined_names
from anonymize.resolution import build_registry
from contracts.manifest import ColumnSpec, Company
from contracts.tables import ColumnKind

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")


def make_evidence() -> Evidence:
    evidence = Evidence()
    for first, last, address in (
        ("Mirela", "Zandvoort", "mz@vessbury.com"),
        ("Tomasz", "Okonrade", "to@quillhaven.com"),
        ("Mira", "Zandvoort", "mz@vessbury.com"),
    ):
        evidence.persons[PersonMention((PersonName(first, "", last),), (address,))] += 1
    for core in ("Vessbury Valves GmbH", "Quillhaven AG"):
        evidence.companies[CompanyMention(core)] += 1
    return evidence


REGISTRY = build_registry(make_evidence(), OWN)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        (ColumnKind.ID, "C-200013", "C-200014"),
        (ColumnKind.EMAIL, "mz@vessbury.com", "to@vessbury.com"),
        (ColumnKind.MAILBOX, "M Z <mz@vessbury.com>", "T O <to@vessbury.com>"),
        (ColumnKind.LOGIN, "mzandvoort", "tokonrade"),
        (ColumnKind.PHONE, "+1 508 555 0147", "(508) 555-0199"),
        (ColumnKind.STREET, "12 Mill Lane", "9 Harbor Road"),
        (ColumnKind.CITY, "Brackendale", "Wexcombe"),
        (ColumnKind.DOMAIN, "vessbury.com", "www.quillhaven.com"),
        (ColumnKind.PERSON, "Mirela Zandvoort", "Okonrade, Tomasz"),
        (ColumnKind.COMPANY, "Vessbury Valves", "Quillhaven AG"),
    ],
)
def test_two_that_become_one_are_merged(kind: ColumnKind, one: str, other: str) -> None:
    clean = {ColumnKind.EMAIL: "er@zentova.example", ColumnKind.MAILBOX: "er@zentova.example",
             ColumnKind.PHONE: "+1 617 555 0123", ColumnKind.DOMAIN: "zentova.example",
             ColumnKind.COMPANY: "Zentova Labs"}.get(kind, "Eve Roe")  # fmt: skip
    assert identity(kind, {one: {clean}, other: {clean}}, REGISTRY) == Identity(2, 1, 0)
    apart = {ColumnKind.PHONE: "+1 617 555 0199"}.get(kind, "x" + clean)
    assert identity(kind, {one: {clean}, other: {apart}}, REGISTRY) == Identity(2, 0, 0)


@pytest.mark.parametrize("kind", [ColumnKind.ID, ColumnKind.LOGIN, ColumnKind.CITY, ColumnKind.STREET])
def test_one_that_becomes_two_is_split(kind: ColumnKind) -> None:
    assert identity(kind, {"C-200013": {"C-571", "C-572"}}, REGISTRY).split == 1


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (ColumnKind.PERSON, {"Mirela Zandvoort": {"Eve Roe"}, "Mira Zandvoort": {"Eve Roe"}}),
        (ColumnKind.PERSON, {"M. Zandvoort": {"E. Roe"}, "T. Okonrade": {"E. Roe"}}),
        (ColumnKind.PERSON, {"Tomasz": {"Eve"}, "Mirela": {"Eve"}}),
        (ColumnKind.COMPANY, {"Quillhaven": {"Zentova"}, "Quillhaven AG": {"Zentova AG"}}),
        (ColumnKind.EMAIL, {"MZ@vessbury.com": {"er@a.example"}, "mz+tag@vessbury.com": {"er+1@a.example"}}),
        (ColumnKind.EMAIL, {"info@vessbury.com": {"info@a.example"}}),
        (ColumnKind.ID, {"0000100255": {"0000345678"}, "100255": {"345678"}}),
        (ColumnKind.LOGIN, {"-": {"-"}, "n/a": {"-"}}),
        (ColumnKind.MONEY, {"1": {"2"}, "3": {"2"}}),
    ],
)
def test_ways_of_writing_one_are_one(kind: ColumnKind, values: dict[str, set[str]]) -> None:
    found = identity(kind, values, REGISTRY)
    assert (found.merged, found.split) == (0, 0)


def test_names_in_two_columns_are_read_as_one() -> None:
    person = {part: ColumnSpec(kind=ColumnKind.PERSON, person="c", part=part) for part in ("first", "last")}
    before = pl.DataFrame({"first": ["Mirela", "Tomasz", None], "last": ["Zandvoort", "Okonrade", "X"]})
    after = pl.DataFrame({"first": ["Eve", "Eve", None], "last": ["Roe", "Roe", "Y"]})
    pairs = list(joined_names(before, after, person))
    assert pairs == [("Mirela Zandvoort", "Eve Roe"), ("Tomasz Okonrade", "Eve Roe")]
