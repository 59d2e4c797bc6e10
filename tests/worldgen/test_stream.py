from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from worldgen.stream import Stream

KNOWN = [378613, 704366, 215694]


def test_the_same_name_gives_the_same_draws() -> None:
    assert [Stream("a", 1).below(1000) for _ in range(3)] == [Stream("a", 1).below(1000)] * 3


def test_known_draws_never_change() -> None:
    stream = Stream("gtm-outbound", "standard", 1)
    assert [stream.below(1_000_000) for _ in range(3)] == KNOWN


def test_a_sub_stream_moves_no_other() -> None:
    one, other = Stream("a"), Stream("a")
    one.named("b").below(10)
    assert one.below(10**9) == other.below(10**9)


def test_separators_in_names_do_not_collide() -> None:
    assert Stream("a/b").below(10**12) != Stream("a", "b").below(10**12)


@given(st.integers(1, 10**9), st.text(max_size=5))
def test_draws_lie_below_the_limit(limit: int, name: str) -> None:
    assert 0 <= Stream(name).below(limit) < limit


@given(st.lists(st.integers(), max_size=30), st.text(max_size=5))
def test_a_shuffle_keeps_every_item(items: list[int], name: str) -> None:
    assert sorted(Stream(name).shuffle(items)) == sorted(items)


def test_weights_of_zero_are_never_drawn() -> None:
    stream = Stream("w")
    assert {stream.weighted({"never": 0, "a": 1, "b": 3}) for _ in range(200)} == {"a", "b"}
