"""The leak scan alone: which real forms it sees in which spelling, and what it counts as a coincidence."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.evidence import CompanyMention, Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.keys import DatasetKey
from anonymize.leaks import ScanResult, scan_tables, scan_text
from anonymize.ledger import LEDGER_SCHEMA, Ledger
from anonymize.phones import NumberScan
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.surrogates import Surrogates
from archive.store import TableStore
from contracts.manifest import Company
from contracts.tables import RECORD_ID

KEY = DatasetKey(b"k" * 32, "test")
OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
TABLE = "records-crm-notes"


def registry() -> Registry:
    evidence = Evidence()
    for first, last in (("Maria", "Kowalska"), ("James", "Thomas"), ("Ann", "B."), ("A.", "Rudolf")):
        evidence.persons[PersonMention((PersonName(first, "", last),))] += 1
    evidence.add_address("mkowalska@brightwater.com")
    evidence.companies[CompanyMention("Vertex Valves GmbH")] += 1
    evidence.phones.update({"+15085550147", "+442079460123", "+4930123456"})
    evidence.streets.update({"12 Mill Lane", "Hauptstr. 4"})
    evidence.cities.update({"Brackendale", "Reading", "Chicago"})
    evidence.identifiers.update({"4500012345", "SO-10023"})
    evidence.words.update({"reading": 2})
    return build_registry(evidence, OWN)


REGISTRY = registry()
SURROGATES = Surrogates(REGISTRY, KEY)


@pytest.mark.parametrize(
    "text",
    [
        "+15085550147",
        "508-555-0147",
        "(508) 555-0147",
        "508.555.0147 x12",
        "508 555 0147 ext. 9",
        "508-555-0147is mine",
        "Tel5085550147",
        "1-508-555-0147",
        "5085550147",
        "tel:001 508 555 0147",
        "+44 (0)20 7946 0123",
        "020 7946 0123",
        "0044 20 7946 0123",
        "+49 30 12 34 56",
        "030/123456",
        "12 mill lane",
        "HAUPTSTR. 4",
        "Brackendale",
        "Kowalska, Maria",
        "mkowalska@brightwater.com",
        "vertex valves",
        "4500012345",
        "SO-10023",
    ],
)
def test_a_real_form_is_seen_in_every_spelling(text: str) -> None:
    assert scan_text(f"see {text}, thanks", REGISTRY) >= 1


@pytest.mark.parametrize(
    "text",
    [
        "508-555-0148",
        "25085550147",
        "50855501470",
        "0147",
        "555-0147",
        "V5.08.555.0147",
        "draft-5085550147.doc",
        "reading the mail",
        "in Chicago",
        "112 Mill Lanes",
        "12 mills",
        "Ann B. and Maria",
        "Lindqvist, Rudolf A.",
        "20 7946",
    ],
)
def test_what_is_not_the_form_is_not_seen(text: str) -> None:
    assert scan_text(f"see {text}, thanks", REGISTRY) == 0


LAYOUTS = st.lists(st.sampled_from(["", " ", "-", ".", ") ", "/", "\u00a0"]), min_size=9, max_size=9)


@given(
    LAYOUTS, st.sampled_from(["", "+1 ", "1-", "001 ", "Tel. ", "fax:"]), st.sampled_from(["", " x1", ", "])
)
def test_no_layout_of_digits_hides_a_number(gaps: list[str], before: str, behind: str) -> None:
    gaps = gaps[:3] + [""] * 3 + gaps[6:]  # as many groups as people write
    written = before + "".join(d + g for d, g in zip("5085550147", [*gaps, ""], strict=True)) + behind
    hits = list(NumberScan({"+15085550147"}).hits(written))
    assert hits and all("0147" in "".join(c for c in written[s:e] if c.isdigit()) for s, e, _ in hits)


def scan(
    folder: Path,
    note: str,
    spans: list[tuple[int, int]],
    city: str = "",
    surrogates: Surrogates = SURROGATES,
    *,
    whole: bool = True,
    was: str | None = None,
) -> ScanResult:
    store = TableStore(folder)
    head = {name: "" for name in (RECORD_ID.name, "source", "path", "locator", "content_hash")}
    store.write(TABLE, pl.DataFrame([{**head, "note": note, "city": city}]))
    rows = [(TABLE, 0, "note", 0, start, end, "PERSON") for start, end in spans or [(-1, -1)]]
    rows += [(TABLE, 0, "city", 0, 0, len(city), "city")] if whole else []
    raw = None
    if was is not None:
        raw = TableStore(folder / "raw")
        raw.write(TABLE, pl.DataFrame([{**head, "note": was, "city": city}]))
    return scan_tables(store, surrogates, Ledger(pl.DataFrame(rows, schema=LEDGER_SCHEMA, orient="row")), raw)


@pytest.mark.parametrize(
    ("note", "spans", "leaks", "coincidences"),
    [
        ("ask James Thomas", [], 1, 0),
        ("ask James Thomas", [(4, 16)], 1, 0),  # no surrogate may equal a real name
        ("ask James, Thomas", [(4, 9), (11, 17)], 0, 0),  # not a form at all
        ("to Thomas, James and", [(3, 9), (11, 16)], 0, 1),  # two surrogates that met
        ("to Thomas, James and", [(3, 9)], 1, 0),  # one of them was not written
        ("call 508-555-0147", [], 1, 0),
        ("call 508-555-0147", [(5, 17)], 0, 1),
        ("$508 $555-0147", [], 0, 0),
        ("508 555 0147", [(0, 3)], 0, 1),  # an amount was written before other digits
        ("order 4500012345", [(6, 16)], 0, 1),
        ("at 12 Mill Lane", [], 1, 0),
        ("at 12 Mill Lane", [(3, 15)], 1, 0),
    ],
)
def test_a_hit_counts_where_replacement_did_not_write_it(
    tmp_path: Path, note: str, spans: list[tuple[int, int]], leaks: int, coincidences: int
) -> None:
    result = scan(tmp_path, note, spans)
    assert (len(result.leaks), len(result.coincidences)) == (leaks, coincidences)


def test_a_city_column_that_was_not_replaced_leaks(tmp_path: Path) -> None:
    for whole in (True, False):
        leaks = scan(tmp_path, "none", [], city="Brackendale", whole=whole).leaks
        assert [hit.kind for hit in leaks] == ["city"]


@pytest.mark.parametrize(("whole", "leaks"), [(True, 0), (False, 1)])
def test_a_cell_counts_as_written_only_where_the_ledger_says_so(
    tmp_path: Path, whole: bool, leaks: int
) -> None:
    assert len(scan(tmp_path, "none", [], city="4500012345", whole=whole).leaks) == leaks


def test_a_city_inside_a_street_that_was_drawn_is_chance(tmp_path: Path) -> None:
    result = scan(tmp_path, "none", [], city="4 Brackendale Drive")
    assert (len(result.leaks), len(result.coincidences)) == (0, 1)


def test_a_surrogate_that_a_later_batch_meets_as_a_real_name_is_a_coincidence(tmp_path: Path) -> None:
    kept = Surrogates(REGISTRY, KEY).kept
    kept.persons["mail:old@brightwater.com"] = ["James", "", "Thomas", "Other"]
    kept.cities["Oldtown"] = "Brackendale"
    later = Surrogates(REGISTRY, KEY, kept)
    result = scan(tmp_path, "ask James Thomas", [(4, 16)], "Brackendale", later)
    assert not result.leaks and {hit.kind for hit in result.coincidences} == {"person", "city"}
    assert scan(tmp_path, "ask James Thomas", [], "", later).leaks


@pytest.mark.parametrize("number", range(5))
def test_no_surrogate_number_is_a_registered_one(number: int) -> None:
    """Real numbers may lie in the reserved range from which surrogates come."""
    evidence = Evidence()
    evidence.phones.update(f"+1{area}55501{line:02d}" for area in (201, 203, 212) for line in range(100))
    registry = build_registry(evidence, OWN)
    given = Surrogates(registry, DatasetKey(bytes([number]) * 32, "test")).kept.phones
    assert not set(given.values()) & set(registry.phones) and len(set(given.values())) == len(given) == 300


@pytest.mark.parametrize(
    ("was", "leaks"),
    [
        ("see Maria Kowalska here", 1),
        ("see maria  KOWALSKA here", 1),
        ("see Walter Kowalska here", 0),
        (None, 1),
    ],
)
def test_a_half_written_name_is_a_leak_unless_its_raw_cell_never_held_it(
    tmp_path: Path, was: str | None, leaks: int
) -> None:
    """The surrogate "Maria" meets a raw word: a real name only where that name stood there before."""
    found = scan(tmp_path, "see Maria Kowalska here", [(4, 9)], was=was)
    assert (len(found.leaks), len(found.coincidences)) == (leaks, 1 - leaks)
