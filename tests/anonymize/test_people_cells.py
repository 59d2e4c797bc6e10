"""Cells of several people, handles, addresses spelt out: everybody is found, what stands between stays."""

from __future__ import annotations

import pytest

from anonymize.obfuscated import spelt_addresses, spelt_like
from anonymize.people_cells import handle_in, mentions_in, rewritten


@pytest.mark.parametrize(
    ("cell", "people"),
    [
        ("@ann, @bob-x", ["@ann", "@bob-x"]),
        ("@ann;@bob;TBD", ["@ann", "@bob", "TBD"]),
        ('["@ann", "Bob Roe"]', ["@ann", "Bob Roe"]),
        ('["Ren\\u00e9 Roe"]', ["René Roe"]),
        ("Lee, Ann", ["Lee, Ann"]),
        ("Lee, Ann; Roe, Bob", ["Lee, Ann", "Roe, Bob"]),
        ("Ann Lee, Bob Roe", ["Ann Lee", "Bob Roe"]),
        ("Ann Lee and Bob Roe", ["Ann Lee", "Bob Roe"]),
        ("Ann Lee <ann@x.com>; bob@x.com", ["Ann Lee <ann@x.com>", "bob@x.com"]),
        ("Miller & Sons", ["Miller & Sons"]),
        ("Ann Lee", ["Ann Lee"]),
    ],
)
def test_mentions_of_a_cell(cell: str, people: list[str]) -> None:
    assert [mention.text for mention in mentions_in(cell)] == people
    assert rewritten(cell, lambda text: text) == cell


def test_what_stands_between_people_stays() -> None:
    assert rewritten('["@ann", "@bob"]', lambda text: text.upper()) == '["@ANN", "@BOB"]'
    assert rewritten("@ann ;  @bob", lambda text: "@x") == "@x ;  @x"


@pytest.mark.parametrize(
    ("text", "handle"),
    [
        ("@ann-lee", "ann-lee"),
        ("@team/ops", "team/ops"),
        ("annlee", "annlee"),
        ("ann.lee", "ann.lee"),
        ("Ann", None),
        ("Ann Lee", None),
        ("ann@x.com", None),
        ("TBD", None),
        ("support", None),
        ("1234", None),
    ],
)
def test_handles(text: str, handle: str | None) -> None:
    assert handle_in(text) == handle


@pytest.mark.parametrize(
    ("written", "address", "new"),
    [
        ("ann dot lee at acme dot com", "ann.lee@acme.com", "eve dot roe at zen dot example"),
        ("ann.lee (at) acme.com", "ann.lee@acme.com", "eve.roe (at) zen.example"),
        ("ann at jpl dot acme dot gov", "ann@jpl.acme.gov", "eve dot roe at zen dot example"),
        ("ann [at] acme [dot] com", "ann@acme.com", "eve [dot] roe [at] zen [dot] example"),
    ],
)
def test_addresses_spelt_out(written: str, address: str, new: str) -> None:
    (found,) = spelt_addresses(f"Ask {written}, please")
    assert found.address == address
    assert spelt_like(written, "eve.roe@zen.example") == new


@pytest.mark.parametrize("text", ["look at acme.com", "at 10.30", "we met at dinner", "a dot at the end"])
def test_other_text_spells_no_address(text: str) -> None:
    assert list(spelt_addresses(text)) == []
