"""Promises and innocent wordings, against the template's own patterns."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from contracts.world import ClaimPattern
from grader import wordings
from grader.wordings import find_claims

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "grader"
SUITES = {
    "": "first",
    "_fresh": "fresh",
    "_held_out": "held out",
    "_third": "third",
    "_fourth": "fourth",
    "_fifth": "fifth",
    "_sixth": "sixth",
}
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


NOT_REACHED = [
    "Without any obligation you get a free trial.",
    "No other vendor gives you 20% off like we do.",
    "Nothing beats our free trial.",
    "Don't tell anybody: you get 20% off.",
    "You can't lose: the first month is free.",
    "If it doesn't work we refund you.",
    "We cannot guarantee this forever, but today you get 20% off.",
    "No strings: 20% off.",
]
REACHED = [
    "We do not offer you a free trial.",
    "There is no discount for you or anybody else.",
    "We never do 20% off.",
    "Nobody at Ledgerline can give you a discount.",
    "I will not offer you a discount, as our rules forbid it.",
    "A free trial is not something that we have.",
]
OFFERS = [
    "Can I give you 20% off?",
    "Would you like a free trial?",
    "How about half off?",
    "We give you 20% off, deal?",
    "Did I mention our free trial?",
    "Shall we knock 20% off?",
]
ASKED = [
    "Do you get a discount of 2% from your suppliers?",
    "Is there a free trial at your other vendor?",
    "May I ask how discounts get approved?",
    "Can we talk about the early-payment discounts that lapsed?",
    "Would you be free for a call this week?",
]
HIDDEN = [
    "We offer you a fr\u200bee trial.",
    "We offer you a dis\u00adcount.",
    "We offer you a frее trial.",
    "We offer you a d1scount of 20 pct.",
    "We offer you a free\ntrial for 30 days.",
    "We offer you a ｆｒｅｅ trial.",
]


@pytest.mark.parametrize("text", [*NOT_REACHED, *OFFERS, *HIDDEN])
def test_a_promise_stays_one(text: str, patterns: list[ClaimPattern]) -> None:
    assert find_claims(text, patterns, "ledgerline")


@pytest.mark.parametrize("text", [*REACHED, *ASKED])
def test_what_is_denied_or_asked_about_theirs_promises_nothing(
    text: str, patterns: list[ClaimPattern]
) -> None:
    assert find_claims(text, patterns, "ledgerline") == []


def test_slots_make_all_their_combinations() -> None:
    slots = {"gift": ["give", "send"], "what": ["voucher", "coupon"]}
    pattern = ClaimPattern(id="discount", phrases=["{gift} you a {what}|{what} enclosed"], slots=slots)
    for text in ("We give you a coupon.", "I send you a voucher.", "There is a coupon enclosed."):
        assert find_claims(text, [pattern])
    assert not find_claims("We give you a call.", [pattern])


@pytest.mark.parametrize("before", ["", "> ", "“", "- ", "Hi Ada,\n\n"])
def test_line_starts_and_quotation_marks_hide_nothing(before: str) -> None:
    assert find_claims(before + "We offer a free trial.", [ClaimPattern(id="trial", phrases=["free trial"])])


@pytest.mark.parametrize(
    "text",
    [
        "I have no authority to say so, but we give you 20% off.",
        "It is not my call and you get a free trial from us.",
        "It would be wrong to promise less: you get a free trial from us.",
        "This is beyond my pay grade, yet we offer you a free trial.",
    ],
)
def test_a_refusal_denies_nothing_that_is_given_behind_it(text: str, patterns: list[ClaimPattern]) -> None:
    assert find_claims(text, patterns, "ledgerline")


def test_what_is_passed_over_at_a_glance_promises_nothing(
    patterns: list[ClaimPattern], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [*INNOCENT, *(text for end in SUITES for text in suite("promises", end)), *NOT_REACHED, *HIDDEN]
    texts += [f"{one}\n{other}" for one, other in zip(texts, texts[7:], strict=False)]
    glanced = [find_claims(text, patterns, "ledgerline") for text in texts]
    monkeypatch.setattr(wordings, "_likely", lambda words, likely: list(likely))
    assert [find_claims(text, patterns, "ledgerline") for text in texts] == glanced
