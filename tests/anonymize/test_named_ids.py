"""Ids that are names, ids as floats, short keys of tickets: nothing real stays, equal ones stay equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonymize.identifiers import IdentifierMap, plain_identifier

IDS = IdentifierMap(b"k" * 32, years=-4, names=frozenset({"vertex"}))


@given(st.integers(min_value=1, max_value=10**12), st.integers(min_value=1, max_value=2))
def test_an_id_as_a_float_is_the_same_id(number: int, zeros: int) -> None:
    written = f"{number}.{'0' * zeros}"
    assert IDS.identifier(written) == f"{IDS.identifier(str(number))}.{'0' * zeros}"
    assert plain_identifier(written) == str(number)


@pytest.mark.parametrize(
    "value", ["Ann Lee", "Vertex Valves", "ALFKI", "vertex-valves", "Ann", "NNNN", "Köhler & Söhne", "Jørgen"]
)
def test_no_word_of_an_id_without_digits_stays(value: str) -> None:
    image = IDS.identifier(value).lower()
    assert not [word for word in value.lower().replace("-", " ").split() if len(word) > 2 and word in image]


@pytest.mark.parametrize("value", ["Vertex-0012", "vertex12", "order-vertex-77"])
def test_a_registered_word_is_no_prefix_that_stays(value: str) -> None:
    assert "vertex" not in IDS.identifier(value).lower()


@pytest.mark.parametrize("value", ["ANY23-29", "CB-1234", "S4-37", "AB-12-34"])
def test_the_number_behind_a_key_is_another_one(value: str) -> None:
    image = IDS.identifier(value)
    assert image != value and image.rpartition("-")[0] == value.rpartition("-")[0]


def test_distinct_short_keys_stay_distinct() -> None:
    keys = [f"ANY23-{number}" for number in range(1, 1000)]
    assert len({IDS.identifier(key) for key in keys}) == len(keys)
