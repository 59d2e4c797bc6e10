"""A short id behind a label is replaced wherever the audit would look for it."""

from __future__ import annotations

import pytest

from anonymize.evidence import Evidence
from anonymize.findings import Context
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.labelled_forms import _LABELLED
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import Company, Manifest

COMPANY = Company(names=["Tarnwick"], domains=["tarnwick.com"], zones=["UTC"], currency="USD")


def kit() -> Kit:
    evidence = Evidence()
    evidence.identifiers.update({"10471", "0007", "4711"})
    manifest = Manifest(name="test", company=COMPANY, sources=[])
    return Kit(
        Plan(DatasetKey(b"k" * 32, "test"), manifest, build_registry(evidence, COMPANY), Assignments())
    )


KIT = kit()
LABELS = (
    "Kundennummer", "Kunde", "Nr.", "Debitor", "KdNr", "Kundennr.", "Kd", "Kd.-Nr.", "Kunden-Nr.:",
    "Lieferant", "Kreditor", "Personalnr.", "Mandant", "Vertragsnummer", "Auftragsnr.", "Beleg",
    "Artikel-Nr.", "Kto", "Kontonummer",
    "customer", "supplier no", "vendor #", "employee", "debtor no.", "creditor", "client id:", "account no.",
    "contract number", "No.", "id:", "number",
)  # fmt: skip


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("number", ["10471", "4711", "0007"])
def test_a_listed_id_is_replaced_behind_every_label_that_the_audit_knows(label: str, number: str) -> None:
    text = f"see {label} {number}, please"
    new = KIT.identifiers.identifier(number)
    assert KIT.detector.replace(text, Context()).text == f"see {label} {new}, please"
    found = _LABELLED.search(text)
    assert found is not None and found["token"] == number


@pytest.mark.parametrize("text", ["no 300 people", "Kunde 123", "Nr. 12", "order 99", "number 2024"])
def test_what_no_column_lists_stays_where_it_is_short(text: str) -> None:
    assert KIT.detector.replace(text, Context()).text == text
