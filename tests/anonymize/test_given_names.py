"""A first name that stands for nobody in particular is nobody's surrogate, as long as there is a free one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anonymize.given_names import GivenNames
from anonymize.words import pool
from contracts.names import fold

NAMES = pool("first_male_en")
FOLDED = st.frozensets(st.sampled_from([fold(name) for name in NAMES]), max_size=len(NAMES))


@given(st.binary(min_size=32, max_size=32), FOLDED, FOLDED, st.sampled_from(["john", "zevonik", "bob"]))
def test_it_is_neither_a_real_name_nor_a_surrogates(
    key: bytes, barred: frozenset[str], borne: frozenset[str], first: str
) -> None:
    new = fold(GivenNames(key, barred, borne).of(first, "male", 0))
    assert new == fold(GivenNames(key, barred, borne).of(first, "male", 0))
    everybody = {fold(name) for name in NAMES}
    if everybody - barred - {first}:
        assert new not in barred and new != first
    if everybody - barred - borne - {first}:
        assert new not in borne


def test_where_every_name_is_borne_one_still_stands() -> None:
    everybody = frozenset(fold(name) for name in NAMES)
    assert GivenNames(b"k" * 32, frozenset(), everybody).of("john", "male", 0) in NAMES
    assert GivenNames(b"k" * 32, everybody, everybody).of("john", "male", 0) in NAMES


def test_another_one_is_another_name() -> None:
    given = GivenNames(b"k" * 32, frozenset(), frozenset())
    assert len({given.of("john", "male", other) for other in range(9)}) == 9
