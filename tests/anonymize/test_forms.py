"""Names, companies and handles: parsing and rendering in the same variant."""

from __future__ import annotations

import pytest

from anonymize.forms import (
    PersonName,
    flat,
    handle_shape,
    like,
    parse_company,
    parse_person,
)
from anonymize.phones import e164, relaid, surrogate_number


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Maria Kowalska", PersonName("Maria", "", "Kowalska")),
        ("Kowalska, Maria", PersonName("Maria", "", "Kowalska")),
        ("KOWALSKA, MARIA", PersonName("Maria", "", "Kowalska")),
        ("Dr. Jörg M. Weiß", PersonName("Jörg", "M.", "Weiß")),
        ("Anna von der Heide", PersonName("Anna", "", "von der Heide")),
        ('"Cook, Tom (Sales)"', PersonName("Tom", "", "Cook")),
        ("Cook, Jr.", PersonName("Cook", "", "")),
        ("Will", PersonName("Will", "", "")),
    ],
)
def test_written_names_are_parsed(text: str, name: PersonName) -> None:
    assert parse_person(text) == name


@pytest.mark.parametrize("text", ["a@b.com", "Room 12", "", "x" * 70, "HOU/ECT"])
def test_other_texts_are_no_names(text: str) -> None:
    assert parse_person(text) is None


@pytest.mark.parametrize(
    ("text", "core", "legal"),
    [
        ("Vertex Valves GmbH & Co. KG", "Vertex Valves", "GmbH & Co. KG"),
        ("Vertex Valves, Inc.", "Vertex Valves", "Inc."),
        ("VERTEX VALVES GMBH", "VERTEX VALVES", "GMBH"),
        ("Vertex-Valves", "Vertex-Valves", ""),
    ],
)
def test_company_core_and_legal_form_part(text: str, core: str, legal: str) -> None:
    name = parse_company(text)
    assert name is not None and (name.core, name.legal) == (core, legal)
    assert name.key == "vertex valves"


@pytest.mark.parametrize(
    ("handle", "expected"),
    [
        ("joerg.weiss", "eva.berg"),
        ("jweiss", "eberg"),
        ("weissj", "berge"),
        ("jorg_weiss7", "eva_berg"),
        ("joergwei", "evaberg"),
    ],
)
def test_handles_are_made_again_in_their_shape(handle: str, expected: str) -> None:
    shape = handle_shape(handle, PersonName("Jörg", "", "Weiß"))
    assert shape is not None
    assert shape.of(PersonName("Eva", "", "Berg")) == expected[: shape.cut or None]


def test_a_strange_handle_has_no_shape() -> None:
    assert handle_shape("hotline", PersonName("Jörg", "", "Weiß")) is None


@pytest.mark.parametrize(
    ("mention", "surrogate", "expected"),
    [
        ("KOWALSKA", "Müller", "MULLER"),
        ("kowalska", "Lang", "lang"),
        ("Weiß", "Müller", "Müller"),
        ("Joerg", "Jürgen", "Juergen"),
    ],
)
def test_surrogates_take_case_and_diacritics_of_the_mention(
    mention: str, surrogate: str, expected: str
) -> None:
    assert like(mention, surrogate) == expected


@pytest.mark.parametrize("text", ["Straße ’x’", "ÅNGSTRÖM", "a\u00a0b", "ﬁn", "İstanbul"])
def test_flat_text_keeps_its_length(text: str) -> None:
    assert len(flat(text)) == len(text)


def test_two_layouts_of_one_number_get_one_surrogate_and_keep_their_layout() -> None:
    layouts = ["+1 508 555 0147", "(508) 555-0147", "508.555.0147"]
    (real,) = {e164(layout) for layout in layouts}
    assert real is not None
    new = surrogate_number(real, 3, b"k" * 32)
    written = [relaid(layout, real, new, str) for layout in layouts]
    assert {e164(text) for text in written} == {new} and new != real
    assert [[c for c in t if not c.isdigit()] for t in written] == [
        [c for c in t if not c.isdigit()] for t in layouts
    ]


def test_surrogate_numbers_of_one_plan_are_distinct_and_reserved() -> None:
    numbers = [surrogate_number("+15085550147", index, b"k" * 32) for index in range(3000)]
    assert len(set(numbers)) == 3000 and all(number[5:10] == "55501" for number in numbers)
