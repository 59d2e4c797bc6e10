"""To whom an address leads, and when two names are one."""

from __future__ import annotations

import pytest

from grader.people import leads_to, names_alike, plain_address

JO = "jo@x.example"


@pytest.mark.parametrize(
    "address",
    [
        JO,
        "JO@X.EXAMPLE",
        "jo+news@x.example",
        "jo@mail.x.example",
        "jo+a@mx1.mail.x.example",
        "jo%x.example@relay.example",
        "jo%x.example%inner.example@relay.example",
        '"jo"@x.example',
    ],
)
def test_an_address_reaches_its_person(address: str) -> None:
    assert leads_to(address, JO)


@pytest.mark.parametrize(
    "address",
    ["joan@x.example", "jo@notx.example", "jo@x.example.other.example", "jo%y.example@x.example", "jo", ""],
)
def test_another_address_does_not(address: str) -> None:
    assert not leads_to(address, JO)


def test_dots_count_except_where_the_host_ignores_them() -> None:
    assert plain_address("a.b+c@googlemail.com") == plain_address("ab@gmail.com")
    assert plain_address("a.b@x.example") != plain_address("ab@x.example")


@pytest.mark.parametrize("name", ["Ada Quill", "QUILL, Ada", "Ms. Ada Quill", "Dr Ada Quill", "ada  quill"])
def test_a_name_in_another_spelling_is_the_same(name: str) -> None:
    assert names_alike(name, "Ada Quill")


@pytest.mark.parametrize("name", ["Ada", "Ada Marsh", "Ada Q.", "", "Ms."])
def test_another_name_is_not(name: str) -> None:
    assert not names_alike(name, "Ada Quill")
