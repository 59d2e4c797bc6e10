"""The change point: found exactly, covered by its interval, silent where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extract.changepoint import find_change_point, roundest

CASES = st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=2, max_size=40)


def test_a_clean_step_is_found_at_its_gap() -> None:
    found = find_change_point([1, 2, 3, 10, 11, 12, 13, 20], [False] * 3 + [True] * 5)
    assert found is not None
    assert (found.below_edge, found.above_edge) == (3, 10)
    assert found.low <= 3 < found.high
    assert (found.rate_below, found.rate_above) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("values", "outcomes"),
    [([], []), ([5], [True]), ([5, 5, 5], [True, False, True]), ([1, 2, 3], [True, True, True])],
)
def test_without_a_gap_or_a_contrast_there_is_no_change_point(
    values: list[int], outcomes: list[bool]
) -> None:
    assert find_change_point(values, outcomes) is None


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="one outcome per value"):
        find_change_point([1, 2], [True])


@given(CASES, st.integers(2, 12))
@settings(max_examples=40, deadline=None)
def test_money_times_a_factor_moves_every_edge_by_the_factor(
    cases: list[tuple[int, bool]], factor: int
) -> None:
    values, outcomes = [value for value, _ in cases], [outcome for _, outcome in cases]
    plain = find_change_point(values, outcomes)
    scaled = find_change_point([value * factor for value in values], outcomes)
    if plain is None or scaled is None:
        assert plain is scaled
    else:
        edges = (plain.below_edge, plain.above_edge, plain.low, plain.high)
        assert (scaled.below_edge, scaled.above_edge, scaled.low, scaled.high) == tuple(
            edge * factor for edge in edges
        )


@given(CASES)
@settings(max_examples=40, deadline=None)
def test_the_likeliest_gap_lies_inside_its_interval(cases: list[tuple[int, bool]]) -> None:
    found = find_change_point([value for value, _ in cases], [outcome for _, outcome in cases])
    if found is not None:
        assert found.low <= found.below_edge < found.above_edge <= found.high
        assert found.likelihood_ratio >= -1e-9


def test_the_interval_covers_the_truth_in_about_95_of_100_cases() -> None:
    generator = np.random.Generator(np.random.PCG64(7))
    covered = 0
    for _ in range(60):
        values = generator.integers(1, 1000, 150)
        truth = (values > 600) ^ (generator.random(150) < 0.05)
        found = find_change_point([int(value) for value in values], [bool(one) for one in truth])
        assert found is not None and found.is_significant
        covered += found.low <= 600 < found.high
    assert covered >= 53


def test_shuffled_outcomes_make_no_rule() -> None:
    generator = np.random.Generator(np.random.PCG64(11))
    significant = 0
    for _ in range(60):
        found = find_change_point(list(range(120)), [bool(one) for one in generator.random(120) < 0.3])
        significant += found is not None and found.is_significant
    assert significant <= 2


@pytest.mark.parametrize(
    ("low", "high", "anchor", "expected"),
    [
        (1_840_000, 1_841_500, 1_840_000, 1_840_000),
        (1_838_000, 1_846_000, 1_841_500, 1_840_000),
        (30, 31, 30, 30),
        (113, 166, 113, 150),
        (7, 9, 7, 7),
        (95, 105, 96, 100),
    ],
)
def test_the_roundest_number_of_an_interval(low: int, high: int, anchor: int, expected: int) -> None:
    assert roundest(low, high, anchor) == expected
