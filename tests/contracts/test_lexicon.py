"""A lexicon finds all wordings at once where each of them alone would be found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.lexicon import Lexicon, moved
from contracts.wording import find_pattern, pattern_of, words_in

WORDS = st.sampled_from("a b c d e".split())
FORMS = st.lists(st.one_of(WORDS, st.just("*")), min_size=1, max_size=4).map(" ".join)
PHRASES = st.lists(
    st.lists(
        FORMS.filter(lambda form: form[0] != "*" != form[-1] and "* *" not in form), min_size=1, max_size=3
    ).map("|".join),
    min_size=1,
    max_size=2,
).map(" + ".join)


def places(lexicon: Lexicon, text: str, longest: int = 99) -> list[tuple[int, int, int]]:
    found = lexicon.spans(lexicon.groups(words_in(text)), longest)
    return [(place, span.start, span.end) for place, span in found]


@given(st.lists(PHRASES, min_size=1, max_size=4), st.lists(WORDS, max_size=8))
def test_it_finds_what_trying_each_wording_finds(phrases: list[str], words: list[str]) -> None:
    lexicon = Lexicon(phrases)
    found = set(lexicon.spans(lexicon.groups(words), 99))
    tried = {
        (place, span)
        for place, phrase in enumerate(phrases)
        for span in find_pattern(tuple(words), pattern_of(phrase))
    }
    assert found == tried


@pytest.mark.parametrize(
    ("wording", "text", "expected"),
    [
        ("{bill} + twice", "twice paid a bill", [(0, 0, 4)]),
        ("{bill} * paid", "an invoice that was paid", [(0, 1, 5)]),
        ("{paper}", "a bill and a letter", [(0, 1, 2), (0, 4, 5)]),
        ("paid + {bill}", "paid on time", []),
    ],
)
def test_slots_stand_for_each_of_their_forms(
    wording: str, text: str, expected: list[tuple[int, int, int]]
) -> None:
    slots = {"paper": ["{bill}", "letter"], "bill": ["bill", "invoice"]}
    assert places(Lexicon([wording], slots), text) == expected


def test_words_further_apart_are_not_one_wording() -> None:
    lexicon = Lexicon(["one + two"])
    assert places(lexicon, "one and then two", longest=4)
    assert not places(lexicon, "one and then two", longest=3)


def test_a_word_may_stand_for_others() -> None:
    lexicon = Lexicon(["discount"], stands_for=lambda word: (word, word.removesuffix("s")))
    assert places(lexicon, "discounts") == [(0, 0, 1)]


def test_groups_may_be_moved() -> None:
    lexicon = Lexicon(["one + two"])
    later = moved(lexicon.groups(words_in("one two")), 5)
    assert [(span.start, span.end) for _, span in lexicon.spans(later, 9)] == [(5, 7)]


def test_a_text_of_one_word_repeated_costs_no_time() -> None:
    lexicon = Lexicon(["pay|paid + paid|pay + pay|paid"])
    assert len(places(lexicon, "pay " * 600)) <= 96
