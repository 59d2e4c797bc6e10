"""Short ids and logins: behind a label in text they leak where replacement did not write them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from anonymize.forms import PersonName
from anonymize.labelled_forms import LabelledCount, ShortForms, labelled_leaks
from anonymize.ledger import LEDGER_SCHEMA, Ledger
from anonymize.registry import Person, Registry
from archive.store import TableStore
from contracts.manifest import ColumnSpec
from contracts.tables import RECORD_ID, ColumnKind

TABLE = "records-crm-notes"
HEAD = (RECORD_ID.name, "source", "path", "locator", "content_hash")
SPECS = {TABLE: {"note": ColumnSpec(kind=ColumnKind.TEXT), "code": ColumnSpec(kind=ColumnKind.CODE)}}


def forms(*ids: str) -> ShortForms:
    logins = ("mzand", "support", "mark", "zz", "mzandvoort")
    person = Person((PersonName("Mirela", "", "Zandvoort"),), (), logins, (0,), (), ("a",))
    held = ids or ("48213", "K-731", "4500012345", "007")
    return ShortForms(Registry((person,), (), (), (), (), held, frozenset(), frozenset()))


def test_only_what_is_too_short_to_tell_alone_is_taken() -> None:
    assert forms().logins == {"mzand"}
    assert forms().ids == {"48213", "k731"}


def count(
    folder: Path, notes: list[str], spans: list[tuple[int, int, int, str]], held: ShortForms
) -> LabelledCount:
    store = TableStore(folder)
    head = {name: [""] * len(notes) for name in HEAD}
    store.write(TABLE, pl.DataFrame({**head, "note": notes, "code": notes}))
    rows = [(TABLE, row, "note", 0, start, end, kind) for row, start, end, kind in spans]
    ledger = Ledger(pl.DataFrame(rows, schema=LEDGER_SCHEMA, orient="row"))
    return labelled_leaks(store, SPECS, held, ledger)


@pytest.mark.parametrize(
    ("note", "leaks"),
    [
        ("Login: mzand is locked", 1),
        ("user name = MZAND", 1),
        ('"user": "mzand"', 1),
        ("Benutzer mzand", 1),
        ("for order 48213.", 1),
        ("Auftrag Nr. 48213, bitte", 1),
        ("Kunde K-731", 1),
        ("customer #048213", 1),
        ("contract K731", 1),
        ("48213 parts of mzand", 0),  # without a label
        ("reorder 48213", 0),
        ("order 482130", 0),
        ("order 48213-77", 0),
        ("order 48213@shop", 0),
        ("order mzand", 0),
        ("user 48213", 0),
        ("order 48214", 0),
    ],
)
def test_a_short_form_leaks_behind_its_label_only(tmp_path: Path, note: str, leaks: int) -> None:
    assert count(tmp_path, [note], [], forms()).places.total() == leaks


def test_what_replacement_wrote_or_the_policy_keeps_is_no_leak(tmp_path: Path) -> None:
    note = "order 48213"
    spans = [(0, 6, 11, "IDENTIFIER"), (1, 0, 11, "policy:keep")]
    assert count(tmp_path, [note] * 2, spans, forms()).labelled == 0
    assert count(tmp_path, [note], [(0, 0, 5, "X")], forms()).places == {f"{TABLE}.note": 1}


def test_in_a_range_that_is_full_a_number_tells_nothing(tmp_path: Path) -> None:
    """Of 900 numbers of three digits all are ids: whatever stands behind "no." is one."""
    full = forms(*map(str, range(100, 1000)))
    found = count(tmp_path, [f"case {number}" for number in range(100, 150)], [], full)
    assert (found.labelled, found.real, found.places.total()) == (50, 50, 0)
    sparse = forms(*map(str, range(100, 109)))  # one in a hundred
    notes = [f"case {number}" for number in range(103, 203)]
    assert count(tmp_path / "a", notes[:6], [], sparse).places
    found = count(tmp_path / "b", [*notes[6:], "case 100"], [], sparse)
    assert (found.real, found.bound, found.places.total()) == (1, 5, 0)


@pytest.mark.parametrize(
    ("note", "leaks"),
    [
        ("Vertretung: EQ", 1),
        ("Kst EQ-01", 1),
        ("approved by OBI", 1),
        ("Vertretung: XY", 0),
        ("vertretung: eq", 0),
        ("see EQ", 0),  # without a label
        ("approved by IT", 0),
    ],
)
def test_labelled_initials_leak(tmp_path: Path, note: str, leaks: int) -> None:
    person = Person((PersonName("Mirela", "", "Zandvoort"),), (), ("EQ", "OBI", "IT"), (0,), (), ("a",))
    held = ShortForms(Registry((person,), (), (), (), (), (), frozenset(), frozenset()))
    assert count(tmp_path, [note], [], held).real == leaks
    place = note.find("EQ")
    if leaks and place >= 0:
        assert count(tmp_path, [note], [(0, place, place + 2, "LOGIN")], held).real == 0
