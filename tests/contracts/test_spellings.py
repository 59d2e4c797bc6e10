"""Short forms, chat, typing errors and words of other languages become the words that were meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.spellings import in_english, mended, spelt_out


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("You don't pay.", "You do not pay."),
        ("We can't and won't.", "We cannot and will not."),
        ("u pay ur suppliers 2x", "you pay your suppliers twice"),
        ("payed twise", "paid twice"),
        ("the invocie of a suplier", "the invoice of a supplier"),
        ("Rechnungen doppelt bezahlt", "invoices twice paid"),
        ("Ihre Lieferanten sind verärgert", "your suppliers are verärgert"),
        ("vos fournisseurs et vous", "your suppliers and you"),
    ],
)
def test_a_text_is_spelt_out(written: str, meant: str) -> None:
    assert spelt_out(written) == meant


@pytest.mark.parametrize(
    "word", ["supplies", "chances", "complaints", "funding", "retail", "second", "meeting"]
)
def test_a_real_word_is_no_typing_error(word: str) -> None:
    assert mended(word) == word


@pytest.mark.parametrize("text", ["The die is cast in Leeds.", "He sat on a war ship.", "Des Moines is far."])
def test_english_words_that_other_languages_share_stay(text: str) -> None:
    assert in_english(text) == text


@given(st.text(max_size=200))
def test_nothing_crashes_and_what_is_in_english_stays_so(text: str) -> None:
    once = in_english(text)
    assert isinstance(spelt_out(text), str) and in_english(once).count("\n") == text.count("\n")
