"""Heads of quoted messages: the blocks of several programs and languages, and never an exception."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.forwards import MAX_HEADS, QuotedHead, people_of, quoted_heads

PLAIN = "From: Ann <a@x.example>\nSent: Monday\nTo: Bob <b@y.example>\nSubject: Plan\n\nOld."
HEAD = QuotedHead("Ann <a@x.example>", "Bob <b@y.example>", "Plan", "Monday")


@pytest.mark.parametrize(
    ("quoted", "heads"),
    [
        (PLAIN, [HEAD]),
        ("-----Original Message-----\n" + PLAIN, [HEAD]),
        ("> " + PLAIN.replace("\n", "\n> "), [HEAD]),
        (
            "*From:* Ann <a@x.example>\n*Sent:* Monday\n*To:* Bob <b@y.example>\n*Subject:* Plan\n\nOld.",
            [HEAD],
        ),
        (
            "Von: Ann <a@x.example>\nGesendet: Monday\nAn: Bob <b@y.example>\nBetreff: Plan\n\nAlt.",
            [HEAD],
        ),
        (
            "From: Ann <a@x.example>\n\nDate: Monday\n\nTo: Bob <b@y.example>\nSubject: Plan\n\nOld.",
            [HEAD],
        ),
        (
            PLAIN.replace("\nSubject", ",\n c@y.example\nCc: d@y.example\nSubject"),
            [HEAD._replace(recipients="Bob <b@y.example>, c@y.example, d@y.example")],
        ),
        (PLAIN + "\n\n" + PLAIN.replace("Plan", "Older"), [HEAD, HEAD._replace(subject="Older")]),
        (
            "Ann Lee@CO\n10/18/99 07:08 AM\nTo: Bob Ray/HOU/CO@CO\ncc:\nSubject: Plan\n\nOld.",
            [QuotedHead("Ann Lee@CO", "Bob Ray/HOU/CO@CO", "Plan", "10/18/99 07:08 AM")],
        ),
        (
            '"Ann" <a@x.example> on 04/24/2001 04:16:43 PM\nPlease respond to Ann\nTo: Bob\nSubject: Plan',
            [QuotedHead('"Ann" <a@x.example>', "Bob", "Plan", "04/24/2001 04:16:43 PM")],
        ),
        ("> Old words.\n> To: be or not to be", []),
        ("", []),
    ],
)
def test_heads_of_quoted_messages_are_read(quoted: str, heads: list[QuotedHead]) -> None:
    assert list(quoted_heads(quoted)) == heads


def test_their_addresses_are_people_and_their_bare_names_are_not() -> None:
    notes = HEAD._replace(recipients="Bob Ray/HOU/CO@CO, c@z.example")
    assert people_of((HEAD, notes)) == {"a@x.example", "b@y.example", "c@z.example"}


def test_a_chain_is_read_up_to_its_bound_in_bounded_time() -> None:
    started = time.process_time()
    assert len(quoted_heads((PLAIN + "\n\n") * 10_000)) == MAX_HEADS
    assert quoted_heads("To: " * 200_000) == ()
    assert time.process_time() - started < 2


@given(st.lists(st.sampled_from([*PLAIN.split("\n"), "To:", "1/1/01 10:10 AM", "> ", "cc:"]), max_size=14))
def test_no_quoted_text_raises(lines: list[str]) -> None:
    assert len(quoted_heads("\n".join(lines))) <= len(lines)
