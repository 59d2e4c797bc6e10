"""A clause is asserted only where it is neither negated, asked nor supposed."""

import pytest

from contracts.wording import (
    clauses_in,
    find_pattern,
    find_phrase,
    is_question,
    pattern_of,
    sentences_in,
    without_hollow_negation,
    without_quotes_of_others,
    words_in,
)


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


@pytest.mark.parametrize(
    ("text", "phrase", "places"),
    [
        ("we give you a big discount", "give you * discount", [(1, 6)]),
        ("we give you one more reason to like a discount", "give you * discount", []),
        ("a bill settled a second time", "pay|settled + twice|second time", [(2, 6)]),
        ("twice the team paid", "paid + twice", [(0, 4)]),
        ("twice", "twice + twice", []),
        ("paid and paid twice", "paid + twice", [(0, 4), (2, 4)]),
        ("nothing here", "paid + twice", []),
    ],
)
def test_a_pattern_stands_with_gap_forms_and_groups(text, phrase, places):
    assert [(span.start, span.end) for span in find_pattern(words_in(text), pattern_of(phrase))] == places


@pytest.mark.parametrize(
    ("text", "phrase", "negated"),
    [
        ("you will not be billed", "not be billed", False),
        ("we do not say that you will not be billed", "not be billed", True),
        ("we offer you no discount", "offer you * discount", True),
        ("don't miss our special price", "special price", False),
        ("you never miss a discount", "discount", True),
        ("a discount is not a habit", "discount", False),
    ],
)
def test_a_negation_that_the_wording_itself_names_negates_nothing(text, phrase, negated):
    clause = clauses_in(text)[0]
    spans = find_pattern(clause.words, pattern_of(phrase))
    assert [clause.negates(span) for span in spans] == [negated]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('"You overpay" is what everybody writes.', False),
        ('Other vendors write "you overpay" to all.', False),
        ('Your news says "you overpay" of all people.', True),
        ('We say "you overpay" to everybody.', True),
        ("“You overpay", True),
        ('"You overpay."', True),
    ],
)
def test_only_what_others_are_said_to_say_is_a_quote(text, kept):
    assert ("overpay" in without_quotes_of_others(text)) is kept


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("not only late fees", False),
        ("so that nothing is paid twice", False),
        ("nobody should pay twice", False),
        ("you did not notice the second payment", False),
        ("you do not pay twice", True),
    ],
)
def test_hollow_negations_deny_nothing(text, negated):
    clause = clauses_in(without_hollow_negation(text))[0]
    assert (clause.negated_from < len(clause.words)) is negated


def test_sentences_and_questions():
    assert sentences_in("It cost 3.5 million. Did it?") == ["It cost 3.5 million.", " Did it?"]
    assert is_question("Did it? ") and not is_question("It did.")


def test_who_should_find_is_supposed_and_who_is_asked_should_is_not():
    assert clauses_in("Should auditors find a gap, call me.")[0].conditional
    assert not clauses_in("Should we meet?")[0].conditional


def test_a_text_of_one_word_repeated_takes_no_time():
    words = ("paid",) * 2_000
    assert len(find_pattern(words, pattern_of("paid|pay + paid + paid"))) <= 12**3
