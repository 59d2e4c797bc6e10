"""Folding, tokens and addresses: what is compared alike, and what never is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.names import (
    MailAddress,
    addresses_in,
    fold,
    is_in_domain,
    name_tokens,
    split_address,
    without_unseen,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Jörg  Weiß", "JORG WEISS"),
        ("Łukasz Øster", "lukasz oster"),
        ("Zoë", "Zoe\u0308"),
        (" Ann\tLee ", "ann lee"),
        ("Ｆｕｌｌ", "full"),
        ("fr\u200bee tri\u00adal", "free trial"),
        ("\u202eAnn\u2060 L\u034fee\ufe0f", "ann lee"),
        ("An\x00n\x08 Lee", "ann lee"),
        ("frее саrmеn", "free carmen"),
        ("ΚΑΤΕ", "kate"),
        ("\U0001d41a\U0001d427\U0001d427", "ann"),
    ],
)
def test_forms_of_one_name_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_plain_text_is_folded_by_case_and_white_space_alone(text: str) -> None:
    kept = "".join(char for char in text if char.isprintable() or char in "\t\n\r\x0b\x0c")
    assert fold(text) == " ".join(kept.lower().split())


@pytest.mark.parametrize("text", ["Ann\tLee\r\n", "naïve – “so”", "Ёлка"])
def test_what_shows_stays(text: str) -> None:
    assert without_unseen(text) == text


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


@pytest.mark.parametrize(
    ("cell", "local", "domain"),
    [
        ("Jürgen.Zwiebel@Müller-Soehne.de", "jürgen.zwiebel", "müller-soehne.de"),
        ("gurke/emil@abx-ag.com", "gurke/emil", "abx-ag.com"),
        ("kohl!rabi#1*~{u}&co@abx-ag.com", "kohl!rabi#1*~{u}&co", "abx-ag.com"),
        ("'wirsing.uwe'@abx-ag.com", "'wirsing.uwe'", "abx-ag.com"),
        ('"hans zwiebel"@abx-ag.com', '"hans zwiebel"', "abx-ag.com"),
        ("hans@[10.1.2.3]", "hans", "[10.1.2.3]"),
    ],
)
def test_an_address_of_any_letters_is_one_whole(cell: str, local: str, domain: str) -> None:
    assert split_address(cell) == (local, domain)
    whole = f"{local}@{domain}".lstrip("'")
    assert addresses_in(cell) == addresses_in(f"Some One <{cell}>") == [whole]


@pytest.mark.parametrize(
    "text", ["/O=ABX/CN=RETTICHH", "a b@x.de", "smtp:a@x.de", "https://u@x.de/y", "a@b@c", "@x.de"]
)
def test_what_no_address_grammar_explains_is_none(text: str) -> None:
    assert split_address(text) is None


def test_marks_around_an_address_in_text_are_no_part_of_it() -> None:
    text = "ask *bob@x.com*, <mailto:a@b.de> or 'c@d.de'."
    assert addresses_in(text) == ["bob@x.com", "a@b.de", "c@d.de"]


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
