"""Where few values are possible, none stands for itself, and the maps stay keyed bijections."""

from __future__ import annotations

import string
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.check_digits import official_number
from anonymize.identifiers import IdentifierMap, salesforce_suffix
from anonymize.permutation import LARGEST_DERANGED, Derangement, Permutation, TextPermutation

KEYS = tuple(bytes([number]) * 32 for number in range(1, 13))
IDS = tuple(IdentifierMap(key, years=-4, names=frozenset({"okonski", "ok"})) for key in KEYS)


@pytest.mark.parametrize("sizes", [range(first, first + 50) for first in range(2, 500, 50)], ids=str)
def test_every_small_range_is_permuted_without_fixed_point_and_the_same_again(sizes: range) -> None:
    for size in (*sizes, sizes.stop):
        images = list(map(Derangement(KEYS[0], size, b"x"), range(size)))
        assert sorted(images) == list(range(size))
        assert all(index != image for index, image in enumerate(images))
        assert images == list(map(Derangement(KEYS[0], size, b"x"), range(size)))


@given(st.data(), st.integers(min_value=501, max_value=LARGEST_DERANGED), st.binary(min_size=32, max_size=32))
@settings(max_examples=150, deadline=None)
def test_a_larger_range_has_no_fixed_point_and_no_image_twice(
    data: st.DataObject, size: int, key: bytes
) -> None:
    indexes = data.draw(st.sets(st.integers(min_value=0, max_value=size - 1), min_size=1, max_size=50))
    permute, again = Derangement(key, size, b"x"), Derangement(key, size, b"x")
    images = {index: permute(index) for index in indexes}
    assert all(index != image and 0 <= image < size for index, image in images.items())
    assert len(set(images.values())) == len(indexes)
    assert images == {index: again(index) for index in indexes}


def test_a_range_of_one_stays_and_one_that_is_large_is_the_plain_permutation() -> None:
    assert Derangement(KEYS[0], 1)(0) == 0
    size = LARGEST_DERANGED + 1
    assert [Derangement(KEYS[0], size)(index) for index in range(99)] == [
        Permutation(KEYS[0], size)(index) for index in range(99)
    ]
    with pytest.raises(ValueError, match="at least one element"):
        Derangement(KEYS[0], 0)


def test_every_key_and_tweak_has_an_order_of_its_own() -> None:
    orders = {tuple(map(Derangement(key, 50, t), range(50))) for key in KEYS for t in (b"", b"t")}
    assert len(orders) == 2 * len(KEYS)


@pytest.mark.parametrize(
    ("alphabet", "length"),
    [(string.digits, 1), (string.digits, 4), (string.ascii_uppercase, 1), (string.ascii_lowercase, 3)],
)
def test_no_short_text_stands_for_itself(alphabet: str, length: int) -> None:
    permute = TextPermutation(KEYS[0], alphabet, length)
    texts = ["".join(chars) for chars in product(alphabet, repeat=length)]
    images = [permute(text) for text in texts]
    assert sorted(images) == texts and all(map(str.__ne__, texts, images))


_ID = IdentifierMap._identifier
_SHAPES: dict[str, tuple[Callable[[IdentifierMap, str], str], list[str]]] = {
    "one digit": (_ID, list("123456789")),
    "three digits": (_ID, [str(number) for number in range(100, 1000)]),
    "padded": (_ID, [f"K-{number:04d}" for number in range(1, 300)]),
    "padded to five, in decimals": (_ID, [f"{number:05d}.0" for number in range(1, 100)]),
    "behind letters": (_ID, [f"AB{number}" for number in range(10, 100)]),
    "behind a name": (_ID, [f"OKONSKI-{number}" for number in range(1, 100)]),
    "behind a year": (_ID, [f"INV-2024-{number:03d}" for number in range(1, 100)]),
    "before letters": (_ID, [f"{digit}{letter}" for digit in range(10) for letter in "ABCX"]),
    "between letters": (_ID, [f"Z{digit}{letter}" for digit in range(10) for letter in "ABCX"]),
    "letters alone": (_ID, [f"ab-{one}{two}xy" for one in "abc" for two in "abc"]),
    "names": (IdentifierMap.prefix, [one + two for one in "ABCX" for two in "ABCX"]),
    "a suffix no case needs": (_ID, [f"0015f0000jTVCh2{letter}Z9" for letter in string.ascii_letters]),
    "postcodes": (IdentifierMap.postcode, [f"{number:05d}" for number in range(0, 99999, 333)]),
    "short codes of places": (IdentifierMap.postcode, [f"{letter}{n}" for letter in "AB" for n in range(10)]),
    "extensions": (lambda ids, value: ids.counted(value, "extension"), [f"{n:02d}" for n in range(100)]),
    "private networks": (IdentifierMap.ipv4, [f"192.168.0.{number}" for number in range(256)]),
    "short hexadecimal": (lambda ids, value: ids.hexadecimal(value, 2), [f"ab-{n:02x}" for n in range(256)]),
    "numbers with a check": (
        lambda ids, value: ids.digits(value, lambda digits: int(digits) % 7 == 0),
        [f"{number:03d}" for number in range(1000)],
    ),
}


@pytest.mark.parametrize("shape", _SHAPES)
def test_no_written_value_of_few_stands_for_itself_or_for_two(shape: str) -> None:
    change, values = _SHAPES[shape]
    for ids in IDS:
        images = [change(ids, value) for value in values]
        assert not [value for value, image in zip(values, images, strict=True) if value == image]
        assert len(set(images)) == len(values)
        assert images == [change(ids, value) for value in values]


def test_what_must_stay_right_stays_right() -> None:
    for ids in IDS:
        assert ids.identifier("K-0007") == "K-000" + ids.number("7")
        image = ids.identifier("DE811907980")
        official = official_number(image)
        assert image != "DE811907980" and official is not None and official.right
        changed = ids.digits("014", lambda digits: int(digits) % 7 == 0)
        assert changed != "014" and int(changed) % 7 == 0
        body = "0015f0000jTVCh2"
        record = ids.identifier(body + salesforce_suffix(body))
        assert record[15:] == salesforce_suffix(record[:15]) and record[:15] != body


def test_a_number_of_zeros_alone_has_no_other_to_become() -> None:
    assert {ids.number("000") for ids in IDS} == {"000"}
