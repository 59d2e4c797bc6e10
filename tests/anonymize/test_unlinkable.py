"""Without the key nothing orders surrogates like what they stand for, and another key pairs them anew."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from anonymize.evidence import Evidence, PersonMention
from anonymize.forms import PersonName
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from anonymize.surrogates import Surrogates
from contracts.manifest import Company

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
KEYS = [DatasetKey(bytes([number]) * 32, "acme") for number in (1, 2, 3)]
COUNT = 60


def rank_correlation(one: Sequence[str], other: Sequence[str]) -> float:
    """Spearman's, of the places that two columns take when sorted."""
    n = len(one)
    first, second = (sorted(range(n), key=column.__getitem__) for column in (one, other))
    places = {row: place for place, row in enumerate(second)}
    squares = sum((place - places[row]) ** 2 for place, row in enumerate(first))
    return 1 - 6 * squares / (n * (n * n - 1))


def registry() -> Registry:
    evidence = Evidence()
    for number in range(COUNT):
        letters = "abcdefghijklmnopqrstuvwxyz"
        last = f"Qu{letters[number // 26]}{letters[number % 26]}zzander"
        address = f"{last.lower()}@brightwater.com"
        evidence.persons[PersonMention((PersonName("Ada", "", last),), (address,))] += 1
        evidence.add_address(address)
    return build_registry(evidence, OWN)


REGISTRY = registry()


def pairs(key: DatasetKey) -> dict[str, str]:
    made = Surrogates(REGISTRY, key)
    return {
        person.addresses[0]: surrogate.name.full
        for person, surrogate in zip(REGISTRY.persons, made.persons, strict=True)
    }


@pytest.mark.parametrize("key", KEYS)
def test_the_order_of_people_is_not_that_of_their_surrogates(key: DatasetKey) -> None:
    found = pairs(key)
    assert len(set(found.values())) == len(found) == COUNT
    assert abs(rank_correlation(list(found), list(found.values()))) < 0.35


@pytest.mark.parametrize("key", KEYS)
def test_consecutive_numbers_lose_their_order(key: DatasetKey) -> None:
    real = [str(4_500_000 + number) for number in range(500)]
    ids = IdentifierMap(key.derive("identifiers"), 2)
    surrogates = [ids.identifier(number) for number in real]
    assert len(set(surrogates)) == len(real)
    assert abs(rank_correlation(real, surrogates)) < 0.15


def test_another_key_pairs_people_anew() -> None:
    one, other = pairs(KEYS[0]), pairs(KEYS[1])
    assert sum(one[real] == other[real] for real in one) <= 2
