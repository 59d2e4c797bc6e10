from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.errors import EvaluationError
from evaluation.seeds import public_seeds, read_seed_key, split_seeds

KEY = b"0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "values"),
    [("1,2,3", [1, 2, 3]), ("5-8", [5, 6, 7, 8]), ("1, 3-4 ,3", [1, 3, 4]), ("0", [0])],
)
def test_seeds_are_numbers_and_ranges_each_once(text: str, values: list[int]) -> None:
    assert [seed.value for seed in public_seeds(text)] == values


@pytest.mark.parametrize("text", ["", "a", "1,,2", "3-1", "-4", "1-999999999"])
def test_what_is_no_list_of_seeds_is_refused(text: str) -> None:
    with pytest.raises(EvaluationError):
        public_seeds(text)


def test_hidden_seeds_have_128_bits_a_label_and_no_number() -> None:
    seeds = split_seeds("gtm-outbound", "test", 3, KEY)
    assert [seed.label for seed in seeds] == ["test-1", "test-2", "test-3"]
    assert [seed.shown for seed in seeds] == [None] * 3
    assert all(2**100 < seed.value < 2**128 for seed in seeds)
    assert str(seeds[0].value) not in repr(seeds[0])


def test_hidden_seeds_depend_on_key_and_environment() -> None:
    drawn = {
        split_seeds(environment, "test", 1, key)[0].value
        for environment in ("a", "b")
        for key in (KEY, KEY[::-1])
    }
    assert len(drawn) == 4


def test_hidden_seeds_need_the_key() -> None:
    with pytest.raises(EvaluationError, match="RL_DOJO_SEED_KEY_FILE"):
        split_seeds("a", "test", 1)


def test_public_splits_need_no_key_and_do_not_overlap() -> None:
    train = {seed.value for seed in split_seeds("a", "train", 200)}
    validation = {seed.value for seed in split_seeds("a", "validation", 200)}
    assert len(train) == 200
    assert not train & validation


@pytest.mark.parametrize(("split", "count"), [("exam", 1), ("train", 0), ("train", 10_001)])
def test_unknown_splits_and_counts_are_refused(split: str, count: int) -> None:
    with pytest.raises(EvaluationError):
        split_seeds("a", split, count)


def test_a_short_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"short\n")
    with pytest.raises(EvaluationError, match="at least 16"):
        read_seed_key(tmp_path / "key")
