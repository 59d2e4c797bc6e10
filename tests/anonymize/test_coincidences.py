"""Ids with few digits that count become one another by chance: that is counted, and no more is let pass."""

from __future__ import annotations

import random

import pytest

from anonymize.coincidences import chance_bound, id_shape, met_bounds, stay_bound
from anonymize.identifiers import IdentifierMap


@pytest.mark.parametrize(
    ("value", "text", "room"),
    [
        ("0000000012", "00000000##", 90),
        ("12", "##", 90),
        ("0000000007", "000000000#", 9),
        ("4500012345", "##########", 9e9),
        ("SO-00012", "so-000##", 90),
        ("SO-2024-00012", "so-Y-000##", 90),
        ("K0012", "k00##", 90),
        ("4500012345-10", "##########-10", 9e9),
        ("0000000000", "0000000000", 1),
        ("ab12cd", "??????", 36**6),
    ],
)
def test_what_counts_of_an_id_is_what_its_surrogates_may_differ_in(
    value: str, text: str, room: float
) -> None:
    shape = id_shape(value)
    assert shape.text == text and shape.room == pytest.approx(room)


@pytest.mark.parametrize("key", range(5))
@pytest.mark.parametrize("value", ["0000000012", "SO-00012", "SO-2024-00012", "K0012", "4500012345-10"])
def test_surrogates_have_the_shape_of_their_ids(value: str, key: int) -> None:
    assert id_shape(IdentifierMap(bytes([key]) * 32, 3).identifier(value)) == id_shape(value)


@pytest.mark.parametrize(("first", "count", "width"), [(12, 60, 10), (1, 9, 10), (100, 300, 10), (10, 5, 8)])
def test_no_key_brings_more_coincidences_than_the_bounds(first: int, count: int, width: int) -> None:
    ids = [f"{number:0{width}d}" for number in range(first, first + count)]
    shapes = [id_shape(value) for value in ids]
    met_bound, stays = sum(met_bounds(shapes).values()), stay_bound(shapes)
    for key in range(40):
        new = [IdentifierMap(bytes([key]) * 32, 3).identifier(value) for value in ids]
        assert len(set(ids) & set(new)) <= met_bound
        assert sum(one == other for one, other in zip(ids, new, strict=True)) <= stays


def test_ids_with_many_digits_meet_nobody() -> None:
    shapes = [id_shape(f"45000{number:05d}") for number in range(1_000)]
    assert sum(met_bounds(shapes).values()) <= 1 and stay_bound(shapes) == 0
    assert stay_bound(id_shape(f"{number}") for number in range(1_000_000, 1_100_000)) == 2
    assert stay_bound([id_shape("so10023")] * 20_000) == 5


def test_all_that_stay_are_more_than_chance() -> None:
    shapes = [id_shape(f"{number:010d}") for number in range(12, 72)]
    assert stay_bound(shapes) < 10


@pytest.mark.parametrize("expected", [0.0, 0.5, 20.0, 500.0])
def test_a_bound_is_seldom_exceeded_and_not_far_off(expected: float) -> None:
    stream = random.Random(7)
    found = [sum(stream.random() < expected / 2_000 for _ in range(2_000)) for _ in range(50)]
    assert max(found) <= chance_bound(expected) <= 2 * expected + 10
