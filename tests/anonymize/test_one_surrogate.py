"""One identifier, address or number has one surrogate, whatever the writing, in cells and in text."""

from __future__ import annotations

import re

import pytest

from anonymize.cells import Cells
from anonymize.evidence import Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from contracts.manifest import ColumnSpec, Company, Manifest
from contracts.tables import ColumnKind

MANIFEST = Manifest(
    name="test",
    company=Company(names=["Preltova"], domains=["preltova.com"], zones=["UTC"], currency="EUR"),
    sources=[],
)
ADA = "ada.brookmoor@preltova.com"


def kit() -> Kit:
    evidence = Evidence()
    evidence.add_address(ADA)
    evidence.persons[PersonMention((PersonName("Ada", "", "Brookmoor"),), (ADA,), ())] += 1
    evidence.identifiers.update({"4500012345", "DE811907980"})
    key = DatasetKey(b"k" * 32, "test")
    return Kit(Plan(key, MANIFEST, build_registry(evidence, MANIFEST.company), Assignments()))


KIT = kit()
ID = ColumnSpec(kind=ColumnKind.ID)


@pytest.mark.parametrize(
    ("closed", "written"),
    [
        ("4500012345", "4500-012-345"),
        ("4500012345", "4500 012 345"),
        ("DE811907980", "DE 811907980"),
        ("DE811907980", "DE 811 907 980"),
    ],
)
def test_groups_do_not_change_what_a_number_is(closed: str, written: str) -> None:
    image = KIT.identifiers.identifier(closed)
    cell = Cells(KIT).whole(written, ID) or ""
    text = KIT.detector.replace(f"order {written}, please", Context()).text
    for new in (cell, text.removeprefix("order ").removesuffix(", please")):
        assert re.sub("[ -]", "", new) == image != closed
        assert [place for place, char in enumerate(new) if char in " -"] == [
            place for place, char in enumerate(written) if char in " -"
        ]


@pytest.mark.parametrize("tag", ["news", "tickets-4711", "brookmoor"])
def test_a_plus_address_is_the_same_person_and_its_tag_is_replaced_alike(tag: str) -> None:
    plain = KIT.surrogates.address(ADA)
    tagged = KIT.surrogates.address(ADA.replace("@", f"+{tag}@"))
    local, _, host = tagged.partition("@")
    base, _, new = local.partition("+")
    assert f"{base}@{host}" == plain and tag not in new
    assert tagged == KIT.surrogates.address(ADA.replace("@", f"+{tag}@"))
