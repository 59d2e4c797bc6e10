"""A blocked run says where leaks stand and what to do, and never what they are."""

from __future__ import annotations

import pytest

from pipeline.checks import MOST_PLACES, _places, _verdict


@pytest.mark.parametrize(
    ("places", "says"),
    [
        ({"messages.subject": 2}, "2 in messages.subject;"),
        ({"a.x": 1, "b.y": 3}, "3 in b.y, 1 in a.x;"),
        ({f"t.c{n}": 1 for n in range(MOST_PLACES + 2)}, "and 2 more places"),
    ],
)
def test_places_are_named_with_the_report_and_the_next_step(places: dict[str, int], says: str) -> None:
    verdict = _verdict({"leaks": (0, sum(places.values()))}, advice=_places({"leak_places": places}))
    assert not verdict.passed
    assert verdict.description is not None
    assert says in verdict.description
    assert "reports/audit.json" in verdict.description and "policy.yaml" in verdict.description


def test_a_passed_check_gives_no_advice() -> None:
    assert _verdict({"leaks": (0, 0)}, advice=_places({"leak_places": {}})).description is None
