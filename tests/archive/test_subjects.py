"""Subjects: prefixes of replies, forwards, calendars, lists and trackers in many languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.subjects import base_subject, has_reply_prefix, is_generic, without_list_tags


@pytest.mark.parametrize(
    ("subject", "base", "reply"),
    [
        ("Late  Fees", "late fees", False),
        ("Re: RE: Fwd: Late  Fees", "late fees", True),
        ("AW: WG: Mahnung", "mahnung", True),
        ("Antw: Plan", "plan", True),
        ("TR: RE : Plan", "plan", True),
        ("RV: Plan", "plan", True),
        ("R: I: Plan", "plan", True),
        ("Odp: Plan", "plan", True),
        ("SV: VS: Plan", "plan", True),
        ("Doorst: Plan", "plan", True),
        ("RES: ENC: Plan", "plan", True),
        ("答复: Plan", "plan", True),
        ("回复：Plan", "plan", True),
        ("返信: Plan", "plan", True),
        ("Отв: Plan", "plan", True),
        ("Re[2]: Plan", "plan", True),
        ("Re^3: Plan", "plan", True),
        ("Re(4): Plan", "plan", True),
        ("Re: [dev] Re: Plan", "plan", True),
        ("[dev] Plan", "plan", False),
        ("[dev] [users] Plan", "plan", False),
        ("[VOTE] Release Plan 1.0", "[vote] release plan 1.0", False),
        ("[dev]", "[dev]", False),
        ("[Fwd: Plan]", "plan", True),
        ("Plan (fwd)", "plan", True),
        ("[jira] [Created] (ABC-1) Plan", "(abc-1) plan", False),
        ("[jira] [Commented] (ABC-1) Plan", "(abc-1) plan", True),
        ("[GitHub] ann opened issue #4: Plan", "#4 plan", True),
        ("[GitHub] ann commented on issue #4: Plan", "#4 plan", True),
        ("[GitHub] parser issue #4: Plan", "#4 parser", True),
        ("[GitHub] parser pull request #4: Other", "#4 parser", True),
        ("Accepted: Plan", "plan", True),
        ("Automatic reply: Plan", "plan", True),
        ("Regarding fees", "regarding fees", False),
        ("Reorder: fees", "reorder: fees", False),
        ("Fees: re", "fees: re", False),
        ("Re:", "", True),
        ("", "", False),
    ],
)
def test_prefixes_and_list_tags_do_not_count(subject: str, base: str, reply: bool) -> None:
    assert (base_subject(subject), has_reply_prefix(subject)) == (base, reply)


@pytest.mark.parametrize(
    ("subject", "bare"),
    [("[dev] Re: Plan", "Re: Plan"), ("Re: [dev] Plan", "Re: Plan"), ("Plan [draft]", "Plan [draft]")],
)
def test_list_tags_go_and_prefixes_stay(subject: str, bare: str) -> None:
    assert without_list_tags(subject) == bare


@pytest.mark.parametrize(
    ("base", "generic"),
    [("hello", True), ("", True), ("4711", True), ("no subject", True), ("late fees", False)],
)
def test_subjects_that_strangers_share_are_known(base: str, generic: bool) -> None:
    assert is_generic(base) is generic


@given(st.text(max_size=80))
def test_a_base_subject_has_no_prefix_left(subject: str) -> None:
    base = base_subject(subject)
    assert base_subject(f"Re: {base}") == base_subject(base)
