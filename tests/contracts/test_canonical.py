"""Canonical JSON has one byte form; the chain shows every edit of stored lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.canonical import (
    CHAIN_START,
    CanonicalError,
    canonical_bytes,
    chain_lines,
    digest,
    verify_chain,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
LOGS = st.lists(
    st.dictionaries(st.sampled_from(["type", "at_ms", "data"]), st.integers()), min_size=1, max_size=8
)


@given(st.dictionaries(st.text(), VALUES))
def test_order_of_keys_makes_no_difference(value):
    turned = dict(reversed(list(value.items())))
    assert canonical_bytes(value) == canonical_bytes(turned)
    assert digest(value) == digest(turned)


@pytest.mark.parametrize("value", [1.0, {"a": [0.5]}, {1: "a"}, {"a": b"x"}, {"a": {1, 2}}, float("nan")])
def test_what_has_no_one_form_is_refused_with_its_path(value):
    with pytest.raises(CanonicalError, match=r"^\$"):
        canonical_bytes(value)


@given(LOGS)
def test_an_intact_chain_verifies(values):
    assert verify_chain(chain_lines(values)) != CHAIN_START


@given(LOGS, st.data())
def test_a_changed_dropped_or_swapped_line_breaks_the_chain(values, data):
    lines = list(chain_lines([*values, {"type": 0}]))
    place = data.draw(st.integers(0, len(lines) - 2))
    dropped = lines[:place] + lines[place + 1 :]
    with pytest.raises(CanonicalError):
        verify_chain(dropped)
    edited = list(lines)
    edited[place] = edited[place].replace(b"{", b'{"x":1,', 1)
    with pytest.raises(CanonicalError, match=f"line {place + 2}"):
        verify_chain(edited)


def test_the_last_lines_digest_shows_a_cut_log():
    lines = list(chain_lines([{"type": 1}, {"type": 2}]))
    assert verify_chain(lines) != verify_chain(lines[:-1])
