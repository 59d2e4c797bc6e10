"""A blocked run says where leaks stand and what to do, and never what they are."""

from __future__ import annotations

import pytest

from pipeline.checks import MOST_PLACES, _advice, _verdict


@pytest.mark.parametrize(
    ("places", "says"),
    [
        ({"messages.subject": 2}, "2 in messages.subject (all"),
        ({"a.x": 1, "b.y": 3}, "3 in b.y, 1 in a.x (all"),
        ({f"t.c{n}": 1 for n in range(MOST_PLACES + 2)}, "and 2 more places"),
    ],
)
def test_places_are_named_with_the_report_and_the_next_step(places: dict[str, int], says: str) -> None:
    verdict = _verdict(
        {"leaks": (0, sum(places.values()))}, advice=_advice({"leak_places": places, "outputs": {"hits": []}})
    )
    assert not verdict.passed
    assert verdict.description is not None
    assert says in verdict.description
    assert "reports/audit.json" in verdict.description and "policy.yaml" in verdict.description


def test_a_passed_check_gives_no_advice() -> None:
    assert (
        _verdict({"leaks": (0, 0)}, advice=_advice({"leak_places": {}, "outputs": {"hits": []}})).description
        is None
    )


def test_files_are_named_where_a_form_stands_in_their_bytes_alone() -> None:
    hit = {
        "encoding": "base64",
        "file": "clean.pending/records-hr-p.parquet",
        "kind": "person",
        "place": "column 9",
    }
    audit = {"leak_places": {}, "outputs": {"hits": [hit, hit]}}
    verdict = _verdict({"leaks_in_bytes": (0, 2)}, advice=_advice(audit))
    assert verdict.description is not None
    assert "2 in clean.pending/records-hr-p.parquet (column 9, base64)" in verdict.description
