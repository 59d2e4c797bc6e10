"""Agreement of two judges: published figures, and what holds for any pairs."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.agreement import agreement_of, kappa_of, wilson

LABELS = ("a", "b", "c")
PAIRS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("cells", "kappa"),
    [
        ({("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15}, 0.4),
        ({("yes", "yes"): 45, ("yes", "no"): 15, ("no", "yes"): 25, ("no", "no"): 15}, 0.1304),
        ({("yes", "yes"): 25, ("yes", "no"): 35, ("no", "yes"): 5, ("no", "no"): 35}, 0.2593),
        ({("yes", "yes"): 5, ("no", "no"): 5}, 1.0),
        ({("yes", "no"): 5, ("no", "yes"): 5}, -1.0),
    ],
)
def test_kappa_is_that_of_the_books(cells: dict[tuple[str, str], int], kappa: float) -> None:
    assert kappa_of(Counter(cells)) == pytest.approx(kappa, abs=5e-5)


def test_kappa_is_unknown_where_chance_alone_agrees() -> None:
    assert kappa_of(Counter({("yes", "yes"): 9})) is None
    assert kappa_of(Counter()) is None


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962)],
)
def test_wilsons_interval_is_the_published_one(hits: int, n: int, low: float, high: float) -> None:
    assert wilson(hits, n) == pytest.approx((low, high), abs=5e-5)


def test_of_nothing_nothing_is_said() -> None:
    found = agreement_of([], LABELS)
    assert (found.n, found.kappa, found.share, found.kappa_interval) == (0, None, None, None)


@settings(deadline=None, max_examples=25)
@given(PAIRS)
def test_cells_add_up_and_kappa_does_not_depend_on_who_judges_first(pairs: list[tuple[str, str]]) -> None:
    found = agreement_of(pairs, LABELS)
    assert sum(n for row in found.cells.values() for n in row.values()) == found.n == len(pairs)
    assert found.agreed == sum(one == other for one, other in pairs)
    turned = kappa_of(Counter((other, one) for one, other in pairs))
    assert found.kappa == (turned if turned is None else pytest.approx(turned))
    assert found.share is not None
    assert found.share.low <= found.agreed / found.n <= found.share.high


def test_the_interval_of_kappa_is_the_same_each_time_and_narrows_with_n() -> None:
    pairs = [("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15
    few, again, many = (agreement_of(one, LABELS).kappa_interval for one in (pairs, pairs[::-1], pairs * 9))
    assert few is not None
    assert many is not None
    assert few == again
    assert few.low < 0.4 < few.high
    assert many.high - many.low < few.high - few.low
