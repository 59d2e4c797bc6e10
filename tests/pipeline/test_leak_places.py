"""A blocked run says where leaks stand and what to do, and never what they are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pipeline.checks import MOST_PLACES, _advice, _verdict


def _told(places: dict[str, int], hits: Sequence[dict[str, str]] = ()) -> str:
    return _advice({"leak_places": places, "outputs": {"hits": hits}}, "spring")


@pytest.mark.parametrize(
    ("places", "says"),
    [
        ({"messages.subject": 2}, "2 in messages.subject (all"),
        ({"a.x": 1, "b.y": 3}, "3 in b.y, 1 in a.x (all"),
        ({f"t.c{n}": 1 for n in range(MOST_PLACES + 2)}, "and 2 more places"),
    ],
)
def test_places_are_named_with_the_report_and_the_next_step(places: dict[str, int], says: str) -> None:
    verdict = _verdict({"leaks": (0, sum(places.values()))}, advice=_told(places))
    assert not verdict.passed
    assert verdict.description is not None
    assert says in verdict.description
    assert "reports/audit.json" in verdict.description and "policy.yaml" in verdict.description


def test_the_cell_that_leaks_most_is_the_one_to_look_at() -> None:
    told = _told({"a.x": 1, "records-crm-staff.remark": 3})
    assert "rl-dojo onboard spring --explain records-crm-staff.remark" in told


def test_a_passed_check_gives_no_advice() -> None:
    assert _verdict({"leaks": (0, 0)}, advice=_told({})).description is None


def test_files_are_named_where_a_form_stands_in_their_bytes_alone() -> None:
    hit = {
        "encoding": "base64",
        "file": "clean.pending/records-hr-p.parquet",
        "kind": "person",
        "place": "column 9",
    }
    told = _told({}, [hit, hit])
    assert "2 in clean.pending/records-hr-p.parquet (column 9, base64)" in told
    assert "--explain" not in told
