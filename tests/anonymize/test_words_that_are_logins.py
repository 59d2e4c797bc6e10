"""A registered login is one in every typed cell, even where it is a word besides."""

from __future__ import annotations

import pytest

from anonymize.cells import Cells
from anonymize.evidence import Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest

COMPANY = Company(names=["Tarnwick"], domains=["tarnwick.com"], zones=["UTC"], currency="USD")


def kit() -> Kit:
    evidence = Evidence()
    for first, last, login in (("Irmela", "Tschirpke", "it"), ("Max", "Adler", "ma")):
        mail = f"{last}@tarnwick.com".lower()
        evidence.persons[PersonMention((PersonName(first, "", last),), (mail,), (login,))] += 1
    manifest = Manifest(name="test", company=COMPANY, sources=[])
    return Kit(
        Plan(DatasetKey(b"k" * 32, "test"), manifest, build_registry(evidence, COMPANY), Assignments())
    )


KIT = kit()


@pytest.mark.parametrize("written", ["it", "IT", " it", "ma"])
def test_a_login_in_a_column_of_people_becomes_the_login_of_the_surrogate(written: str) -> None:
    bare = written.strip()
    assert Cells(KIT).person(written, None, "") == KIT.surrogates.login(bare) != bare


@pytest.mark.parametrize("role", ["IT Service", "Info", "sales", "n/a"])
def test_a_role_that_is_nobodys_login_stays(role: str) -> None:
    assert Cells(KIT).person(role, None, "") in (None, role)


def test_a_family_name_in_the_path_of_an_address_is_replaced() -> None:
    url = "https://www.example.org/team/tschirpke"
    assert "tschirpke" not in KIT.detector.replace(url, Context(filename=True)).text
