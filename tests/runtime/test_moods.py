"""A clause states something unless it asks, supposes or speaks of a job."""

from __future__ import annotations

import pytest

from contracts.wording import Clause, clauses_in
from runtime.asking import Asks
from runtime.moods import is_careers, is_meant, might_be_from

ASKS = Asks(["could we meet"])


def meant(text: str) -> bool:
    clause: Clause = clauses_in(text)[0]
    return is_meant(clause, set(clause.words), ASKS.stand_in)


@pytest.mark.parametrize(
    "text",
    [
        "You pay late fees.",
        "Your team fell for it?",
        "You may have read of it, and you pay late fees.",
        "How about a call on the late fees on Tuesday?",
        "Was your report read in Leeds?",
    ],
)
def test_what_states_something_is_meant(text: str) -> None:
    assert meant(text)


@pytest.mark.parametrize(
    "text",
    [
        "Do you pay late fees?",
        "Quick question: do you pay late fees?",
        "How many late fees do you pay today?",
        "Ever paid late fees?",
        "If you pay late fees, call me.",
        "Unless approvals get faster, you pay late fees.",
        "Were a fraudster to write to you, money would be gone.",
        "Should you one day pay late fees, call me.",
        "Let's pretend you pay late fees.",
        "Suppose you pay late fees.",
        "Chances are that you pay late fees.",
        "What if you paid late fees?",
        "In case you pay late fees, call me.",
        "Once the auditors come, you will have a finding.",
        "You asked what others do about late fees.",
    ],
)
def test_what_asks_or_supposes_is_not(text: str) -> None:
    assert not meant(text)


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("suppliers might charge you", 1),
        ("your suppliers could start to complain", 2),
        ("it happened in May", None),
        ("the fraud could have been prevented", None),
        ("I might call you", None),
    ],
)
def test_where_it_begins_that_something_may_happen(text: str, index: int | None) -> None:
    assert might_be_from(text) == index


@pytest.mark.parametrize(
    ("text", "careers"),
    [
        ("You are hiring a clerk.", True),
        ("Your vacancy for an auditor caught my eye.", True),
        ("You look for an internal auditor.", True),
        ("Your people did a good job.", False),
        ("You hire temps to type invoices.", False),
    ],
)
def test_what_speaks_of_a_job(text: str, careers: bool) -> None:
    clause = clauses_in(text)[0]
    assert is_careers(clause, set(clause.words)) is careers
