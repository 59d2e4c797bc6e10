"""Family names behind "Mc" and the like, and Notes names: written or left as the audit sees them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from anonymize.constants import bare, runs
from anonymize.detection import CleanText
from anonymize.evidence import Evidence, PersonMention
from anonymize.findings import Context
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.ledger import LEDGER_SCHEMA, Ledger
from anonymize.resolution import build_registry
from anonymize.single_names import SingleNames, single_name_leaks
from anonymize.surrogates import Assignments
from anonymize.text_mentions import LOTUS
from archive.store import TableStore
from contracts.manifest import Company, Manifest
from contracts.tables import RECORD_ID

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
MANIFEST = Manifest(name="test", company=OWN, sources=[])


def kit(*names: PersonName) -> Kit:
    evidence = Evidence()
    for name in names:
        evidence.persons[PersonMention((name,))] += 1
    registry = build_registry(evidence, OWN)
    return Kit(Plan(DatasetKey(b"k" * 32, "test"), MANIFEST, registry, Assignments()))


IAN = PersonName("Ian", "", "Quelland")
KIT = kit(IAN, PersonName("Donald", "", "Zeller"), PersonName("Rita", "", "Donald"))


def clean(text: str, made: Kit = KIT) -> CleanText:
    return made.detector.replace(text, Context())


@pytest.mark.parametrize("prefix", ["Mc", "Mac", "De", "Van", "Fitz", "La", "O"])
def test_a_registered_family_name_behind_a_prefix_is_written(prefix: str) -> None:
    """Else the audit, which knows no prefixes, finds it under every key."""
    names = SingleNames.of(KIT.registry)
    found = clean(f"ask Mac {prefix}Quelland ___")
    left = [found.text[start:end] for start, end in runs(found.text)]
    assert "quelland" in names.everywhere
    assert not [word for word in left if "quelland" in bare(word)]
    assert f" {prefix}" in found.text and found.text.endswith(" ___")


def test_whoever_is_registered_with_the_prefix_is_written_whole() -> None:
    both = kit(IAN, PersonName("Mara", "", "McQuelland"))
    mara = next(
        both.surrogates.persons[index].name.last
        for index, person in enumerate(both.registry.persons)
        if person.names and person.names[0].first == "Mara"
    )
    assert clean("to McQuelland first", both).text == f"to {mara} first"


@pytest.mark.parametrize("text", ["at McDonald today", "the MacBook is", "Mcquelland", "DeQuellandish"])
def test_a_first_name_or_part_of_a_word_behind_a_prefix_is_left(text: str) -> None:
    assert clean(text).text == text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Jane M Doe/HOU/ECT@ECT, and", ["Jane M Doe"]),
        ("Jane Doe/Corp/Quorvex@QUORVEX", ["Jane Doe"]),
        ("Mac McQuell/QUORVEX_WEST@QUORVEX_WEST, ", ["Mac McQuell"]),
        ("Jane Doe/NA/QUORVEX_WEST@QUORVEX_WEST", ["Jane Doe"]),
        ("Jane Doe/NA@NA.", ["Jane Doe"]),
        ("Jane Doe/HOU/ECT@ect.quorvex.com", ["Jane Doe"]),
        ("Call Desk/HELP@QUORVEX.COM", []),
        ("Call Desk/help@quorvex", []),
        ("Call Desk/HELP@QUORVEX-WEST.COM", []),
        ("Call Desk/HELP@Quorvex.com", []),
        ("Call Desk/HELP and", []),
    ],
)
def test_notes_names_are_told_from_addresses_behind_a_slash(text: str, names: list[str]) -> None:
    assert LOTUS.findall(text) == names


@pytest.mark.parametrize(("spans", "leaks"), [([(4, 12), (17, 25)], 0), ([(4, 12)], 1), ([], 2)])
def test_a_family_name_that_others_got_as_surrogate_leaks_where_it_was_not_written(
    tmp_path: Path, spans: list[tuple[int, int]], leaks: int
) -> None:
    """The ledger tells the surrogate from the name; that the word was given out excuses nothing."""
    table, store = "records-crm-notes", TableStore(tmp_path)
    head = {name: "" for name in (RECORD_ID.name, "source", "path", "locator", "content_hash")}
    store.write(table, pl.DataFrame([{**head, "note": "ask Quelland and Quelland"}]))
    rows = [(table, 0, "note", 0, start, end, "PERSON") for start, end in spans]
    ledger = Ledger(pl.DataFrame(rows, schema=LEDGER_SCHEMA, orient="row"))
    names = SingleNames.of(KIT.registry)
    assert single_name_leaks(store, store, {}, names, ledger).total() == leaks
