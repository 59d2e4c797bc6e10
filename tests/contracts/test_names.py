"""Folding, tokens and addresses: what is compared alike, and what never is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.names import MailAddress, addresses_in, fold, is_in_domain, name_tokens, split_address


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jörg  Weiß", "JORG WEISS"),
        ("Łukasz Øster", "lukasz oster"),
        ("Zoë", "Zoe\u0308"),
        (" Ann\tLee ", "ann lee"),
        ("Ｆｕｌｌ", "full"),
    ],
)
def test_forms_of_one_name_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("Ann Lee", ("ann", "lee")),
        ("LEE, Ann", ("lee", "ann")),
        ("Ann Lee's", ("ann", "lee")),
        ("Seán O’Neil", ("sean", "o’neil")),
        ("Boone-Nakagawa", ("boone", "nakagawa")),
        ("", ()),
    ],
)
def test_names_fall_into_folded_words(name: str, tokens: tuple[str, ...]) -> None:
    assert name_tokens(name) == tokens


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Ann.Lee@X.Example", MailAddress("ann.lee", "x.example")),
        (" <a@x.example> ", MailAddress("a", "x.example")),
        ("o'neil@x.example", MailAddress("o'neil", "x.example")),
        ("a@b@x.example", None),
        ("Ann <a@x.example>", None),
        ("no address", None),
        ("", None),
    ],
)
def test_an_address_has_two_parts_or_is_none(text: str, address: MailAddress | None) -> None:
    assert split_address(text) == address


def test_addresses_in_text_come_once_in_order() -> None:
    text = "Write to B@x.example, a@y.example. Or (b@x.example)!"
    assert addresses_in(text) == ["b@x.example", "a@y.example"]


@pytest.mark.parametrize(
    ("address", "inside"),
    [
        ("a@own.example", True),
        ("a@mail.own.example", True),
        ("a@OWN.example", True),
        ("a@notown.example", False),
        ("a@own.example.evil.test", False),
        ("own.example", False),
    ],
)
def test_a_lookalike_is_not_in_the_domain(address: str, inside: bool) -> None:
    assert is_in_domain(address, "own.example") is inside
