from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics import mean, mean_interval


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([0.5, 0.5, 0.5], 0.5, 0.5),
        ([0.61, 0.38, 0.61], 0.2035, 0.8632),  # t(2) = 4.303
        ([0.0, 1.0, 0.0], 0.0, 1.0),  # cut to what a reward can be
    ],
)
def test_the_interval_of_a_mean_is_students(values: list[float], low: float, high: float) -> None:
    interval = mean_interval(values)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-4)


@pytest.mark.parametrize("values", [[], [0.4], [0.4, 0.6]])
def test_fewer_than_three_seeds_have_no_interval(values: list[float]) -> None:
    assert mean_interval(values) is None


def test_the_mean_of_nothing_is_none_and_not_zero() -> None:
    assert mean([]) is None


@given(st.lists(st.floats(0, 1), min_size=3, max_size=60))
def test_the_interval_holds_the_mean_and_stays_within_rewards(values: list[float]) -> None:
    interval, centre = mean_interval(values), mean(values)
    assert interval is not None
    assert centre is not None
    assert -1e-9 <= interval.low <= centre + 1e-9
    assert centre - 1e-9 <= interval.high <= 1 + 1e-9
