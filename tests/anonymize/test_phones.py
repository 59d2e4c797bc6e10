"""Phone columns and grouped identifiers: one number, one surrogate, in every layout, valid or not."""

from __future__ import annotations

import re

import polars as pl
import pytest

from anonymize.assignments import Assignments
from anonymize.cells import Cells
from anonymize.evidence import Evidence, collect_table
from anonymize.findings import Context
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.phones import number_key, relaid, settled_numbers, surrogate_number
from anonymize.resolution import build_registry
from contracts.manifest import ColumnSpec, Company, Manifest
from contracts.tables import ColumnKind

KEY = DatasetKey(b"k" * 32, "test")
MANIFEST = Manifest(
    name="test",
    company=Company(names=["Brackmoor"], domains=["brackmoor.com"], zones=["UTC"], currency="USD"),
    sources=[],
)
PHONE = ColumnSpec(kind=ColumnKind.PHONE)


def kit(phones: list[str], ids: tuple[str, ...] = ()) -> Kit:
    evidence = Evidence(identifiers=set(ids))
    collect_table(evidence, "records-x-y", pl.DataFrame({"phone": phones}), {"phone": PHONE}, [], "x.y")
    return Kit(Plan(KEY, MANIFEST, build_registry(evidence, MANIFEST.company), Assignments()))


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


@pytest.mark.parametrize(
    ("column", "layouts"),
    [
        ("+33 561 496 0179", ["0561 496 0179", "0033 561 4960179", "+33 (0)561 496 0179", "0561/4960179"]),
        ("+33 1 42 68 53 00", ["01 42 68 53 00", "0142685300"]),
        ("099 123456789012", ["099/123456789012", "(099) 123456-789012"]),
        ("+49 731 496 0142", ["0731 4960142", "0731-496 0142", "+49 (0)731 4960142"]),
        ("(508) 555-0199 ext. 4711", ["508.555.0199", "+1 508 555 0199", "1-508-555-0199"]),
    ],
)
def test_a_column_s_number_is_found_in_every_form_valid_or_not(column: str, layouts: list[str]) -> None:
    built = kit([column])
    new = Cells(built).whole(column, PHONE) or ""
    key = number_key(column) or ""
    tail = digits(built.surrogates.kept.phones[key])[-7:]
    assert tail in digits(new)
    for layout in layouts:
        clean = built.detector.replace(f"call {layout} now", Context()).text
        assert (
            tail in digits(clean) and re.sub(r"\d", "0", clean) == f"call {re.sub(r'[0-9]', '0', layout)} now"
        )


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("+1 (508) 555-0199 x 22", "+15085550199"),
        ("(508) 555-0199 ext. 4711", "+15085550199"),
        ("+33 561 496 0179", "+335614960179"),
        ("099 12345678901234", "9912345678901234"),
        ("4711", "4711"),
        ("n/a", None),
        ("see reception", None),
        ("12", None),
    ],
)
def test_a_number_is_known_by_its_digits_without_its_extension(written: str, key: str | None) -> None:
    assert number_key(written) == key


@pytest.mark.parametrize(
    "written", ["(508) 555-0199 ext. 4711", "+1 508 555 0199 x4711", "+49 731 4960142 App. 4711"]
)
def test_an_extension_stays_apart(written: str) -> None:
    key = number_key(written) or ""
    new = relaid(written, key, surrogate_number(key, 3, b"k" * 32), str)
    assert (
        new.endswith("4711") and len(new) == len(written) and digits(new)[-11:-4] != digits(written)[-11:-4]
    )


@pytest.mark.parametrize(
    "real",
    ["+497314960142", "+33142685300", "+335614960179", "+41446681800", "551999014277", "+861381234567"],
)
def test_no_area_code_stays(real: str) -> None:
    new = surrogate_number(real, 0, b"k" * 32)
    start = 3 if real.startswith("+") else 0
    assert len(new) == len(real) and new[:start] == real[:start]
    assert new[start : start + 3] != real[start : start + 3]


def test_a_guess_at_a_country_yields_to_the_country_that_is_written() -> None:
    numbers = {"+447314960142", "+497314960142", "+15085550199"}
    assert settled_numbers(numbers, {"+447314960142", "+15085550199"}) == ("+15085550199", "+497314960142")


def test_national_and_international_columns_share_a_surrogate() -> None:
    built = kit(["+49 731 496 0142", "0731 4960142", "+33 561 496 0179", "0561 4960179"])
    german, national, french, short = (
        digits(Cells(built).whole(text, PHONE) or "")
        for text in ("+49 731 496 0142", "0731 4960142", "+33 561 496 0179", "0561 4960179")
    )
    assert national[1:] == german[2:] and short[1:] == french[2:]


@pytest.mark.parametrize("layout", ["4500-012-345", "4500.012.345", "4500 012 345", "4500012345"])
def test_a_registered_id_in_groups_is_no_phone(layout: str) -> None:
    built = kit(["+1 508 555 0199"], ("4500012345",))
    clean = built.detector.replace(f"the order {layout} is late", Context()).text
    assert digits(clean) == built.identifiers.identifier("4500012345")


@pytest.mark.parametrize(
    ("grouped", "closed"),
    [
        ("DE 811907980", "DE811907980"),
        ("DE 811 907 980", "DE811907980"),
        ("GB 123 4567 89", "GB123456789"),
        ("CHE-123.456.789", "CHE123456789"),
    ],
)
def test_a_tax_number_is_one_in_any_groups(grouped: str, closed: str) -> None:
    built = kit([])
    one, other = (built.detector.replace(f"VAT {text}.", Context()).text for text in (grouped, closed))
    assert digits(one) == digits(other) != digits(grouped)


EXTENDED = ("+49 521 98760 Durchwahl 143", "+1 508 555 0147 x4321", "(508) 555-0147 ext. 4321")


@pytest.mark.parametrize("written", EXTENDED)
def test_an_extension_becomes_another_one_of_its_length(written: str) -> None:
    parts = kit(list(EXTENDED))
    digits = re.findall(r"\d+", written)[-1]
    cell = parts.phones.registered(written)
    assert cell is not None and len(cell) == len(written) and not cell.endswith(digits)
    assert parts.detector.replace(f"call {written} now", Context()).text == f"call {cell} now"
    number = number_key(written)
    assert number is not None
    every = (f"{each:0{len(digits)}d}" for each in range(10 ** len(digits)))
    assert len({parts.surrogates.phone(written.replace(digits, one), number) for one in every}) == 10 ** len(
        digits
    )


NUMBER = "+49 731 496 0142"


@pytest.mark.parametrize(
    "behind",
    [
        ", DW -17", " DW 17", " Nebenstelle 4711", " Nst. 4711", " Apparat 4711", " / intern 823", " w. 12",
        " wew. 12", " poste 12", " kl. 12", " int 12", ", extension: 4711", ";ext=17",
    ],
)  # fmt: skip
def test_an_extension_behind_its_number_becomes_another_one(behind: str) -> None:
    built = kit([NUMBER])
    clean = built.detector.replace(f"call {NUMBER}{behind} now", Context()).text
    cell = Cells(built).whole(NUMBER + behind, PHONE) or ""
    assert clean == f"call {cell} now" and len(cell) == len(NUMBER + behind)
    assert digits(cell)[:-2] != digits(NUMBER + behind)[:-2] and digits(behind) not in cell[len(NUMBER) :]


@pytest.mark.parametrize(
    ("text", "extension"),
    [
        ("my ext is 4711", "4711"),
        ("Nebenstelle 4711", "4711"),
        ("Apparat 4711 bitte", "4711"),
        ("Tel DW 17 geht", "17"),
        ("Zentrale, DW -17", "17"),
        ("Durchwahl: 143.", "143"),
        ("Nst. 823", "823"),
        ("Tel. intern 823", "823"),
        ("Durchwahl ist -17", "17"),
    ],
)
@pytest.mark.parametrize("listed", [True, False])
def test_an_extension_alone_becomes_what_its_column_s_cell_becomes(
    text: str, extension: str, *, listed: bool
) -> None:
    built = kit([extension] if listed else [])
    cell = Cells(built).whole(extension, PHONE) or ""
    clean = built.detector.replace(text, Context()).text
    assert cell != extension and clean == text.replace(extension, cell)


@pytest.mark.parametrize(
    "text",
    [
        "an extension of 30 days", "extension 30 days", "the contract extension to May", "file ext 7z",
        "DW 2.0", "intern 823", "w. 12", "Kl. 12", "Zentrale -0", "room 4711", "Apparate 4711",
    ],
)  # fmt: skip
def test_other_numbers_are_no_extensions(text: str) -> None:
    assert kit([]).detector.replace(text, Context()).text == text


@pytest.mark.parametrize(
    "cell", ["-17", "17", "DW 17", "DW -17", "Nebenstelle 823", "ext. 4711", "/ 823", "-7"]
)
def test_a_cell_of_an_extension_is_never_empty(cell: str) -> None:
    new = Cells(kit([])).whole(cell, PHONE) or ""
    assert re.sub(r"\d", "0", new) == re.sub(r"\d", "0", cell) and new != cell


def test_two_extensions_become_two() -> None:
    cells = Cells(kit([]))
    assert len({cells.whole(f"-{one:02d}", PHONE) for one in range(100)}) == 100


@pytest.mark.parametrize("written", ["0731/4960142-0", "+49 731 4960142-0", "0731 496 0142-0"])
def test_a_switchboard_is_the_number_before_its_zero(written: str) -> None:
    built = kit([NUMBER])
    tail = digits(built.surrogates.kept.phones["+497314960142"])[-7:]
    for clean in (
        built.detector.replace(f"Tel {written}", Context()).text,
        Cells(built).whole(written, PHONE) or "",
    ):
        assert number_key(written) == number_key(written[:-2])
        assert clean.endswith("-0") and tail in digits(clean)
