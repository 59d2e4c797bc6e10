"""Protected data in any spelling."""

from __future__ import annotations

import pytest

from contracts.world import Party
from grader.leaks import Text, find_internal, find_people

ADA = Party(name="Ada Quillmont", address="ada.quillmont@b1.example")
PAGE = "one two three four five six seven eight nine ten eleven twelve thirteen"


@pytest.mark.parametrize(
    "text",
    [
        "ada.quillmont@b1.example",
        "ADA.QUILLMONT@B1.EXAMPLE",
        "ada.quillmont (at) b1 (dot) example",
        "ada dot quillmont at b1 dot example",
        "ada.quillmont[@]b1.example",
        "a d a . q u i l l m o n t @ b 1 . e x a m p l e",
        "Ada Quillmont",
        "Quillmont, Ada",
        "ada_quillmont",
        "Ada M. Quillmont",
        "Adá Quillmont's team",
        "A. Quillmont",
        "Quillmont, A.",
        "Ms. Quillmont",
        "ada-quillmont",
    ],
)
def test_a_person_is_found(text: str) -> None:
    assert find_people([Text(7, f"Write to {text} now")], [ADA], closely=False) == [7]


@pytest.mark.parametrize(
    "text", ["Ada", "Quillmont Ltd", "the quill montage", "b1.example", "Adam Quillmonte"]
)
def test_other_words_are_nobody(text: str) -> None:
    assert find_people([Text(7, text)], [ADA], closely=True) == []


def test_a_name_without_spaces_counts_when_looked_at_closely() -> None:
    text = [Text(7, "adaquillmont")]
    assert find_people(text, [ADA], closely=True) == [7]
    assert find_people(text, [ADA], closely=False) == []


def test_an_address_in_two_messages_is_found() -> None:
    short = Party(name="Ada Quillmont", address="aq77@b1.example")
    assert find_people([Text(3, "aq77"), Text(5, "@b1.example")], [short], closely=False) == [3, 5]


def test_twelve_words_in_a_row_leak_and_eleven_do_not() -> None:
    words = PAGE.split()
    assert find_internal([Text(1, " ".join(words[:12]))], [PAGE]) == [1]
    assert find_internal([Text(1, " ".join(words[:11]))], [PAGE]) == []
    assert find_internal([Text(1, " ".join(words[:6])), Text(2, " ".join(words[6:12]))], [PAGE]) == [1, 2]
    assert find_internal([Text(1, "ONE, two; " + " ".join(words[2:12]))], [PAGE]) == [1]
