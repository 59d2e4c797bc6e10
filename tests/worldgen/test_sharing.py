"""Nothing of recorded cases enters a world that fewer than five of them share."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.template import ANY, Pattern
from worldgen.building import build
from worldgen.errors import WorldError
from worldgen.sharing import coarse, generalised, pooled, require_shared_traits
from worldgen.template import load_template

TEMPLATE = load_template(Path(__file__).parents[2] / "environments" / "gtm-outbound")


def pattern(number: int, industry: str = ANY, region: str = ANY, size: str = ANY) -> Pattern:
    return Pattern(
        case_id=f"case-{number}", archetype="bookable", reason="", industry=industry, region=region, size=size
    )


PATTERNS = st.lists(
    st.tuples(st.sampled_from("ABC"), st.sampled_from(["US", "UK"]), st.sampled_from(["1-49", "50-119"])),
    max_size=40,
).map(lambda rows: [pattern(number, *row) for number, row in enumerate(rows)])


@given(PATTERNS)
def test_generalised_patterns_are_shared_by_five(patterns: list[Pattern]) -> None:
    kept = generalised(patterns)
    require_shared_traits(kept)
    assert [one.case_id for one in kept] == [one.case_id for one in patterns]
    for before, after in zip(patterns, kept, strict=True):
        for trait in ("industry", "region", "size"):
            assert getattr(after, trait) in (ANY, getattr(before, trait))


def test_traits_that_are_shared_stay() -> None:
    patterns = [pattern(number, "Energy", "US", "1-49") for number in range(5)]
    assert generalised(patterns) == patterns


def test_the_trade_is_given_up_first_and_the_region_last() -> None:
    patterns = [pattern(number, f"Trade {number}", "US", "1-49") for number in range(5)]
    assert {(one.industry, one.region, one.size) for one in generalised(patterns)} == {("any", "US", "1-49")}


def test_the_committed_template_copies_no_rare_combination() -> None:
    counts = Counter((one.industry, one.region, one.size) for one in TEMPLATE.fitted.patterns.value)
    assert min(counts.values()) >= 5
    assert min(TEMPLATE.fitted.industries.value.values()) >= 5
    assert min(TEMPLATE.fitted.regions.value.values()) >= 5


def test_a_template_with_a_rare_combination_builds_no_world() -> None:
    patterns = TEMPLATE.fitted.patterns
    rare = patterns.model_copy(update={"value": [*patterns.value, pattern(1, "Energy", "IE", "1000+")]})
    edited = TEMPLATE.model_copy(update={"fitted": TEMPLATE.fitted.model_copy(update={"patterns": rare})})
    with pytest.raises(WorldError, match="fewer than 5 cases"):
        build(edited, 1)


@pytest.mark.parametrize(
    ("counts", "mix"),
    [
        ({"US": 9, "DE": 5}, {"US": 9, "DE": 5}),
        ({"US": 9, "FR": 3, "NL": 2}, {"US": 9, "other": 5}),
        ({"US": 9, "FR": 3}, {"US": 9}),
        ({"US": 9, "Atlantis": 6}, {"US": 9, "other": 6}),
        ({"US": 4, "DE": 4}, {"other": 8}),
    ],
)
def test_rare_values_are_pooled_or_left_out(counts: dict[str, int], mix: dict[str, int]) -> None:
    known = {code: code for code in ("US", "DE", "FR", "NL")}
    assert pooled(counts, known) == mix


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (146, [30, 110, 260, 370, 580, 1100, 1100, 2000]),
        (1000, [30, 110, 260, 370, 580, 1100, 1400, 2000]),
        (8, [30, 100, 300, 400, 600, 1000, 1000, 2000]),
    ],
)
def test_figures_are_coarse_and_coarser_where_few_lie_beyond(n: int, expected: list[int]) -> None:
    assert coarse([26, 107, 260, 369, 575, 1075, 1357, 1777], n) == expected


@given(st.lists(st.integers(0, 10**6), min_size=8, max_size=8), st.integers(5, 500))
def test_coarse_quantiles_still_rise(values: list[int], n: int) -> None:
    shown = coarse(sorted(values), n)
    assert shown == sorted(shown)
