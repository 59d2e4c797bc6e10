"""Promises and innocent wordings, against the template's own patterns."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from contracts.world import ClaimPattern
from grader.wordings import find_claims

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "grader"
SUITES = {"": "first", "_fresh": "fresh", "_held_out": "held out", "_third": "third"}
"""Suites by the end of their files' names; each was written apart from the phrases."""


def suite(kind: str, end: str) -> list[str]:
    return (CASES / f"{kind}{end}.txt").read_text("utf-8").splitlines()


INNOCENT = [text for end in SUITES for text in suite("innocent", end)]


@pytest.fixture(scope="module")
def patterns() -> list[ClaimPattern]:
    office = yaml.safe_load((ROOT / "environments/gtm-outbound/authored/office.yaml").read_text("utf-8"))
    return [ClaimPattern.model_validate(held) for held in office["claims"]]


@pytest.mark.parametrize("text", INNOCENT)
def test_the_trades_words_are_innocent(text: str, patterns: list[ClaimPattern]) -> None:
    assert find_claims(text, patterns, "ledgerline") == []


@pytest.mark.parametrize("end", SUITES, ids=SUITES.values())
def test_at_least_95_percent_of_promises_are_found(end: str, patterns: list[ClaimPattern]) -> None:
    promises = suite("promises", end)
    missed = [text for text in promises if not find_claims(text, patterns, "ledgerline")]
    assert len(missed) * 20 <= len(promises), missed


def test_a_gap_spans_at_most_three_words() -> None:
    pattern = ClaimPattern(id="discount", phrases=["give you * discount"])
    assert find_claims("We give you a very big discount.", [pattern])
    assert not find_claims("We give you one more reason to like a discount.", [pattern])


@pytest.mark.parametrize("before", ["", "> ", "“", "- ", "Hi Ada,\n\n"])
def test_line_starts_and_quotation_marks_hide_nothing(before: str) -> None:
    assert find_claims(before + "We offer a free trial.", [ClaimPattern(id="trial", phrases=["free trial"])])
