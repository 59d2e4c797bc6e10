"""What is looked up instead of tried: nothing that trying all would find is missing."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contracts.names import fold
from grader import readings
from grader.internal_texts import windows_of
from grader.moved import SHORTEST, MovedWords, steps_in
from grader.readings import decoded, most_letters, moved_letters, squeeze
from worldgen.building import build
from worldgen.template import load_template

ENVIRONMENT = Path(__file__).parents[2] / "environments" / "gtm-outbound"
SUITES = Path(__file__).parents[1] / "cases" / "grader"
SQUEEZED = string.ascii_lowercase + string.digits


@given(
    before=st.text(SQUEEZED, max_size=12),
    word=st.text(SQUEEZED, min_size=1, max_size=20),
    after=st.text(SQUEEZED, max_size=12),
    others=st.lists(st.text(SQUEEZED, min_size=1, max_size=12), max_size=4),
    way=st.integers(min_value=0, max_value=25),
)
def test_a_word_that_stands_in_moved_letters_is_possible(
    before: str, word: str, after: str, others: list[str], way: int
) -> None:
    # Moving is undone by moving on and mirroring by mirroring, so this text says the word in one of the ways.
    text = moved_letters(before + word + after)[way]
    places = MovedWords([*others, word]).possible(steps_in(text))
    assert len(others) in places
    assert len(others) in MovedWords([*others, word]).possible(steps_in(before + word + after))


def test_a_word_that_stands_nowhere_is_seldom_looked_at_closely() -> None:
    words = [
        "".join(reversed(word * 2))[: SHORTEST + 2] for word in string.ascii_lowercase.split("m") if word
    ]
    assert MovedWords(words).possible(steps_in("thefiguresofthelastquarterarenotyetthere")) == []


@given(st.text(max_size=40))
@example("ﷺ㎯ﬃ")
def test_folding_makes_no_more_letters_than_are_reckoned_with(text: str) -> None:
    assert len(squeeze(fold(text))) <= most_letters(text)


@given(st.text(max_size=40))
def test_squeezing_keeps_letters_and_figures_alone(text: str) -> None:
    folded = fold(text)
    assert squeeze(folded) == re.sub(r"[^a-z0-9]+", "", folded)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("416461205175696c6c", "Ada Quill"),
        ("0x41 0x64 0x61 0x20 0x51 0x75", "Ada Qu"),
        ("65 100 97 32 81 117 105", "Ada Qui"),
        ("1000001 1100100 1100001 100000 1010001 1110101".replace("100000 ", "0100000 "), "Ada Qu"),
        ("4d4 Qu1ll", "ada Quill"),
    ],
)
def test_hints_of_codes_hide_no_code(text: str, said: str) -> None:
    assert any(said.lower() in reading.lower() for reading in decoded(text))


@given(st.text("01ab fF,;x\\\\.-", max_size=60))
def test_where_a_hint_of_a_code_is_absent_so_is_the_code(text: str) -> None:
    pairs = [(readings._HEX, readings._SOME_HEX), (readings._CODES, readings._DIGITS)]
    for code, hint in [*pairs, (readings._BITS, readings._BIT)]:
        assert hint.search(text) or not code.search(text)


def test_internal_texts_of_the_environment_are_looked_up_and_need_not_be_tried() -> None:
    truth = build(load_template(ENVIRONMENT), 1).truth
    nothing = steps_in("")
    assert [text for text in truth.internal_texts if windows_of(text).likely.possible(nothing)] == []
