"""A clause is asserted only where it is neither negated, asked nor supposed."""

import pytest

from contracts.wording import clauses_in, find_phrase


def asserted(text, phrase):
    words = tuple(phrase.split())
    return any(
        clause.asserts(place)
        for clause in clauses_in(text)
        if (place := find_phrase(clause.words, words)) >= 0
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We offer a free trial.", True),
        ("You get a free trial, and onboarding is quick.", True),
        ("We do not offer a free trial.", False),
        ("We don’t offer a free trial.", False),
        ("We never offer a discount; you get a free trial.", True),
        ("Did you ask for a free trial?", False),
        ("If you want a free trial, ask my manager.", False),
        ("No charge: a free trial", False),
        ("I cannot promise results, but you get a free trial.", True),
    ],
)
def test_scope_of_negation_question_and_condition(text, expected):
    assert asserted(text, "free trial") is expected


def test_decimal_points_do_not_end_a_sentence():
    assert len(clauses_in("We saved 3.5 million last year.")) == 1
