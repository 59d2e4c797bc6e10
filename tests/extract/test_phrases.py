"""What texts say: verdicts, asks, offers, refusals; negated and asked wordings say nothing."""

from __future__ import annotations

import pytest

from extract import phrases
from extract.phrases import Verdict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Approved, go on with it.", Verdict.GRANTED),
        ("Yes, go.", Verdict.GRANTED),
        ("I talked to her. Fine by me.", Verdict.GRANTED),
        ("Agreed, we credit $200.00 for the missing day.", Verdict.GRANTED),
        ("Declined, the margin is gone.", Verdict.DECLINED),
        ("No credit: the days were delivered.", Verdict.DECLINED),
        ("Not approved.", Verdict.DECLINED),
        ("Has this been approved?", None),
        ("This has not been approved by anybody yet.", None),
        ("If it is approved we start on Monday.", None),
        ("Customer is waiting, can somebody look at this?", None),
        ("", None),
    ],
)
def test_verdicts(text: str, expected: Verdict | None) -> None:
    assert phrases.verdict(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Would you have twenty minutes for a call?", True),
        ("Tell me a time for a short meeting.", True),
        ("Our brochure is on the site.", False),
        ("They call it progress.", False),
    ],
)
def test_asks_for_a_meeting(text: str, expected: bool) -> None:
    assert phrases.asks_meeting(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tuesday at 10:30 or Thursday 2 pm.", 2),
        ("On 5 March at 15:00.", 1),
        ("We have 10:30 as a ratio.", 0),
        ("Maybe on Tuesday.", 0),
    ],
)
def test_times_offered(text: str, expected: int) -> None:
    assert phrases.times_offered(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This is no priority at the moment.", "not_a_priority"),
        ("We have no need for it.", "no_need"),
        ("Please come back in spring, maybe next year.", "timing"),
        ("You have the wrong person.", "wrong_person"),
        ("Take me off your list.", "stop_request"),
        ("Happy to talk on Friday.", ""),
    ],
)
def test_refusal_wordings(text: str, expected: str) -> None:
    assert phrases.refusal_wording(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Harbor Mills has signed.", True),
        ("Harbor Mills has not signed.", False),
        ("Harbor Mills never has signed anything.", False),
        ("Have they signed with us?", False),
    ],
)
def test_signatures(text: str, expected: bool) -> None:
    assert phrases.says_signed(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I know it is late. Take them anyway.", True),
        ("We make an exception here.", True),
        ("Shall we make an exception?", False),
        ("Anyway, see you on Monday.", False),
    ],
)
def test_exceptions_granted(text: str, expected: bool) -> None:
    assert phrases.grants_exception(text) is expected
