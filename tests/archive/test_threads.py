"""Conversations: by references, by calendar id, by subject and people; never by subject alone."""

from __future__ import annotations

from itertools import permutations

import pytest

from archive.invites import read_calendar
from archive.threads import Threaded, assign_threads, base_subject

PAIR = frozenset(("a@x.example", "b@y.example"))
OTHERS = frozenset(("c@x.example", "d@z.example"))


def message(
    name: str, subject: str, day: int, *references: str, people: frozenset[str] = PAIR, uid: str = ""
) -> Threaded:
    return Threaded(
        f"m-{name}", f"{name}@h", references, (f"calendar:{uid}",) if uid else (), subject, day, 0, people
    )


FIRST = message("1", "Late fees", 10)
CASES = {
    "reply names its parent": ([FIRST, message("2", "Re: Late fees", 11, "1@h")], 1),
    "two replies name a mail that is not here": (
        [message("2", "Re: x", 1, "gone@h"), message("3", "Re: y", 2, "gone@h")],
        1,
    ),
    "reply without references, same people": ([FIRST, message("2", "RE: late  fees", 11)], 1),
    "reply without references, other people": ([FIRST, message("2", "Re: Late fees", 11, people=OTHERS)], 2),
    "reply without references, a year later": ([FIRST, message("2", "Re: Late fees", 375)], 2),
    "same subject, no reply": ([FIRST, message("2", "Late fees", 11)], 2),
    "invite and its cancellation": ([message("1", "Call", 1, uid="u"), message("2", "Gone", 2, uid="u")], 1),
}


@pytest.mark.parametrize("case", CASES)
def test_messages_are_threaded_alike_in_any_order(case: str) -> None:
    messages, expected = CASES[case]
    results = {tuple(sorted(assign_threads(order).items())) for order in permutations(messages)}
    assert len(results) == 1
    assert len({thread for _, thread in results.pop()}) == expected


def test_a_thread_is_called_after_its_earliest_message() -> None:
    assert set(assign_threads([message("9", "Re: Late fees", 11, "1@h"), FIRST]).values()) == {"th-1"}


@pytest.mark.parametrize(
    ("subject", "base"),
    [
        ("Re: RE: Fwd: Late  Fees", "late fees"),
        ("AW: WG: Mahnung", "mahnung"),
        ("Regarding fees", "regarding fees"),
    ],
)
def test_prefixes_do_not_count(subject: str, base: str) -> None:
    assert base_subject(subject) == base


CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
METHOD:REQUEST
BEGIN:VEVENT
UID:u1@x.example
SEQUENCE:1
DTSTART;TZID=America/Chicago:20250304T090000
DURATION:PT30M
ORGANIZER;CN=Ann Lee:mailto:A@x.example
ATTENDEE;CN="Ray, Bob":mailto:b@y.example
ATTENDEE:mailto:c@y.example
SUMMARY:Intro call
END:VEVENT
END:VCALENDAR
"""


def test_an_invite_keeps_its_zone_people_and_wall_clock() -> None:
    events = read_calendar(CALENDAR)
    assert events is not None
    (event,) = events
    assert (event.method, event.sequence, event.uid) == ("REQUEST", 1, "u1@x.example")
    assert (event.starts_at, event.ends_at) == ("2025-03-04T09:00:00-06:00", "2025-03-04T09:30:00-06:00")
    assert event.zone == "America/Chicago"
    assert event.organizer == "Ann Lee <a@x.example>"
    assert event.attendees == ("Ray, Bob <b@y.example>", "c@y.example")


@pytest.mark.parametrize(
    "text", ["", "BEGIN:VCALENDAR", "nonsense", CALENDAR.replace("20250304T090000", "soon")]
)
def test_a_broken_calendar_is_no_error(text: str) -> None:
    assert read_calendar(text) in (None, []) or read_calendar(text)[0].starts_at is None  # type: ignore[index]
