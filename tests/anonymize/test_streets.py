"""A street that is written with and without its accents or capitals is one street."""

from __future__ import annotations

from anonymize.evidence import Evidence
from anonymize.keys import DatasetKey
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments, Surrogates
from contracts.manifest import Company

COMPANY = Company(names=["Tarnwick"], domains=["tarnwick.com"], zones=["UTC"], currency="USD")


def test_spellings_of_one_street_have_one_surrogate_and_others_another() -> None:
    evidence = Evidence()
    evidence.streets.update({"Rua Orós, 92", "Rua Oros, 92", "RUA OROS, 92", "Rua do Paço, 67"})
    streets = Surrogates(
        build_registry(evidence, COMPANY), DatasetKey(b"k" * 32, "test"), Assignments()
    ).kept.streets
    assert streets["Rua Orós, 92"] == streets["Rua Oros, 92"] == streets["RUA OROS, 92"]
    assert streets["Rua do Paço, 67"] != streets["Rua Orós, 92"]
