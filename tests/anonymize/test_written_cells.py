"""Real forms in clean cells: only what replacement wrote where something else stood is let pass."""

from __future__ import annotations

import base64
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.forms import CompanyName, PersonName
from anonymize.ledger import LEDGER_SCHEMA, Ledger
from anonymize.output_forms import plain, plain_places, searched_forms
from anonymize.output_scan import OutputScan, OutputScanner
from anonymize.registry import Company, Person, Registry
from anonymize.written_cells import raw_piece
from archive.store import TableStore
from contracts.tables import RECORD_ID

TABLE = "records-crm-notes"
HEAD = (RECORD_ID.name, "source", "path", "locator", "content_hash")
PHONE, ORDER, NAME, CITY = "508-555-0147", "4500012345", "Mirela Zandvoort", "Brackendale"
LOGIN_IN_64 = base64.b64encode(b"login mzandvoort").decode()
Span = tuple[int, int, str]


def registry() -> Registry:
    person = Person((PersonName("Mirela", "", "Zandvoort"),), (), ("mzandvoort",), (0,), (), ("a",))
    company = Company((CompanyName("Vessbury Valves", "GmbH"),), ("vessbury.com",), (), ("b",))
    phones, ids = ("+15085550147",), (ORDER, "C-4500012345")
    cities = (CITY, "Singapore")
    return Registry((person,), (company,), (), cities, phones, ids, frozenset(), frozenset())


def scan(folder: Path, raw: list[str], clean: list[str], spans: list[list[Span]]) -> OutputScan:
    """Scans one column "note" with the spans that the ledger gives for each of its cells."""
    stores = TableStore(folder / "raw"), TableStore(folder / "clean")
    for store, notes in zip(stores, (raw, clean), strict=True):
        store.write(TABLE, pl.DataFrame({**{name: [""] * len(notes) for name in HEAD}, "note": notes}))
    rows = [(TABLE, row, "note", 0, *span) for row, held in enumerate(spans) for span in held]
    ledger = Ledger(pl.DataFrame(rows, schema=LEDGER_SCHEMA, orient="row"))
    return OutputScanner(searched_forms(registry())).scan_clean(folder / "clean", stores[0], ledger)


CELLS = {
    "a number that was written": ("call 212-555-0100", f"call {PHONE}", [(5, 17)], 0, 1),
    "a number beside what was written": (
        f"Ann, call {PHONE}", f"Eve, call {PHONE}", [(0, 3)], 1, 0,
    ),
    "a number that stayed in a span": (f"call {PHONE}", f"call {PHONE}", [(5, 17)], 1, 0),
    "an id that was written": ("order 4500099999", f"order {ORDER}", [(6, 16)], 0, 1),
    "an id beside another that was written": (
        f"order 4500099999 and {ORDER}", f"order 4500011111 and {ORDER}", [(6, 16)], 1, 0,
    ),
    "an id that was written beside itself": (
        f"order 4500099999 and {ORDER}", f"order {ORDER} and 4500011111", [(6, 16), (21, 31)], 0, 1,
    ),
    "an id glued to letters, in no span": (f"inv{ORDER}final", f"inv{ORDER}final", [], 1, 0),
    "a name that was written for a name": ("ask Ann Lee", f"ask {NAME}", [(4, 20)], 0, 1),
    "a name that stayed in a span": (f"ask {NAME}", f"ask {NAME}", [(4, 20)], 1, 0),
    "a name in two spans that met": ("ask Ann Lee", f"ask {NAME}", [(4, 10), (11, 20)], 0, 1),
    "a name half written, never there": ("ask Ann Zandvoort", f"ask {NAME}", [(4, 10)], 0, 1),
    "a name half written that was there": (f"ask {NAME}", f"ask {NAME}", [(4, 10)], 1, 0),
    "a city that was written": ("in Ulmhausen", f"in {CITY}", [(3, 14)], 0, 1),
    "a ledger of another text": (f"order 1 of {ORDER}", f"see {ORDER}", [(4, 14)], 1, 0),
    "a form in base64 that was there": (f"x {LOGIN_IN_64}", f"y {LOGIN_IN_64}", [(0, 1)], 1, 0),
    "marks that change the size of a text": (f"ﬁx é {ORDER}", f"ﬁx é {ORDER}", [(0, 2)], 1, 0),
    "a ligature before a written id": ("ﬁx 4500099999", f"ﬁx {ORDER}", [(3, 13)], 0, 1),
    "a city that names a time zone": ("in Singapore", "in Singapore", [], 0, 0),
}  # fmt: skip


@pytest.mark.parametrize("case", CELLS)
def test_a_form_passes_where_replacement_wrote_it(tmp_path: Path, case: str) -> None:
    raw, clean, spans, leaks, coincidences = CELLS[case]
    found = scan(tmp_path, [raw], [clean], [[(start, end, "X") for start, end in spans]])
    assert (bool(found.leaks), found.coincidences) == (bool(leaks), coincidences)


def test_one_cell_that_was_not_written_leaks_beside_others_with_the_same_text(tmp_path: Path) -> None:
    text, span = f"order {ORDER}", [(6, 16, "IDENTIFIER")]
    raws = ["order 4500099999", text, "order 4500077777"]
    assert scan(tmp_path / "a", raws, [text] * 3, [span, [], span]).leaks
    assert not scan(tmp_path / "b", [raws[0], raws[2]], [text] * 2, [span, span]).leaks


def test_a_form_in_an_encoding_is_judged_by_its_own_cell(tmp_path: Path) -> None:
    """The same form, rightly written in another cell, hides nothing."""
    raws = ["by ann", f"x {LOGIN_IN_64}"]
    found = scan(tmp_path, raws, ["by mzandvoort", f"x {LOGIN_IN_64}"], [[(3, 13, "LOGIN")], []])
    assert [hit.encoding for hit in found.hits] == ["base64"]


def test_few_ids_may_stay_where_permutations_leave_them_and_no_more(tmp_path: Path) -> None:
    """No column may have three for nothing: how many may stay follows from how many ids there are."""
    stays = [f"order {ORDER}", "order C-4500012345"]
    spans: list[list[Span]] = [[(6, len(text), "IDENTIFIER")] for text in stays]
    assert scan(tmp_path, stays, stays, spans).kinds == {
        "identifier": 5
    }  # in cells, and in statistics of them


KEEP = "policy:keep"


def test_what_the_policy_keeps_is_kept_in_its_cells_alone(tmp_path: Path) -> None:
    text = f"{NAME}, {CITY}"
    found = scan(tmp_path / "a", [text], [text], [[(0, len(text), KEEP)]])
    assert found.passed and found.kept == {f"{TABLE}.note": 2}
    found = scan(tmp_path / "b", [text, f"ask {NAME}"], [text, f"ask {NAME}"], [[(0, len(text), KEEP)], []])
    assert not found.passed and dict(found.kinds) == {"person": 1}
    changed = scan(tmp_path / "c", ["Ann Lee, Ulm"], [text], [[(0, len(text), KEEP)]])
    assert set(changed.kinds) == {"person", "city"}


@pytest.mark.parametrize(
    ("raw", "clean", "spans", "first", "last", "piece"),
    [
        ("ask Ann Lee now", "ask Eve Roe now", [(4, 11)], 0, 0, "Ann Lee"),
        ("Ann, Lee", "Eve, Roe", [(0, 3), (5, 8)], 1, 1, "Lee"),
        ("Ann, Lee", "Eve, Roe", [(0, 3), (5, 8)], 0, 1, "Ann, Lee"),
        ("A B, C B, D", "x, y, z", [(0, 1), (3, 4), (6, 7)], 1, 1, "C B"),
        ("a b c d", "x y z", [(0, 1), (2, 3), (4, 5)], 1, 1, "b c"),
        ("ask Ann", "tell Eve", [(5, 8)], 0, 0, None),
        ("ask", "ask Eve ask", [(4, 7)], 0, 0, None),
    ],
)
def test_the_raw_piece_is_the_longest_that_spans_can_stand_for(
    raw: str, clean: str, spans: list[tuple[int, int]], first: int, last: int, piece: str | None
) -> None:
    assert raw_piece(raw, clean, spans, first, last) == piece


WORDS = st.text("ab ,", max_size=4)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=5), WORDS)
def test_the_raw_piece_holds_what_was_replaced(parts: list[tuple[str, str, str]], tail: str) -> None:
    raw = "".join(between + old for between, old, _ in parts) + tail
    clean, spans = "", []
    for between, _, new in parts:
        clean += between
        spans.append((len(clean), len(clean) + len(new)))
        clean += new
    for number, (_, old, _) in enumerate(parts):
        piece = raw_piece(raw, clean + tail, spans, number, number)
        assert piece is not None and old in piece


@given(st.text(max_size=30))
def test_every_character_of_a_plain_text_has_its_place(text: str) -> None:
    seen = plain(text)
    places = plain_places(text)
    assert len(places) in (len(seen), len(seen.lower()))
    assert all(0 <= place < len(text) for place in places)
