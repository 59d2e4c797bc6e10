"""Calendar objects: methods and answers, zones of every writing, broken lines, bounds."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.invites import CalendarEvent, read_calendar

ZONE = """BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
"""


def event(lines: str, method: str = "REQUEST", zone: str = "") -> CalendarEvent:
    text = (
        f"BEGIN:VCALENDAR\nMETHOD:{method}\n{zone}BEGIN:VEVENT\nUID:u\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    events = read_calendar(text)
    assert events is not None
    (found,) = events
    return found


@pytest.mark.parametrize(
    ("lines", "zone_rules", "starts", "ends", "zone"),
    [
        ("DTSTART:20250704T090000Z", "", "2025-07-04T09:00:00+00:00", None, "UTC"),
        (
            "DTSTART;TZID=Europe/Berlin:20250704T090000",
            "",
            "2025-07-04T09:00:00+02:00",
            None,
            "Europe/Berlin",
        ),
        (
            "DTSTART;TZID=W. Europe Standard Time:20250304T090000",
            "",
            "2025-03-04T09:00:00+01:00",
            None,
            "Europe/Berlin",
        ),
        (
            'DTSTART;TZID="Eastern Standard Time":20250704T090000',
            "",
            "2025-07-04T09:00:00-04:00",
            None,
            "America/New_York",
        ),
        (
            "DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20250704T090000",
            "",
            "2025-07-04T09:00:00+02:00",
            None,
            "Europe/Berlin",
        ),
        (
            "DTSTART;TZID=Customized Time Zone:20250704T090000",
            ZONE,
            "2025-07-04T09:00:00+02:00",
            None,
            "Customized Time Zone",
        ),
        (
            'DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin":20250304T090000',
            "",
            "2025-03-04T09:00:00+01:00",
            None,
            "(UTC+01:00) Amsterdam, Berlin",
        ),
        ("DTSTART;TZID=Nowhere:20250704T090000", "", "2025-07-04T09:00:00", None, "Nowhere"),
        ("DTSTART:20250704T090000", "", "2025-07-04T09:00:00", None, ""),
        (
            "DTSTART;VALUE=DATE:20250704\nDTEND;VALUE=DATE:20250706",
            "",
            "2025-07-04",
            "2025-07-06",
            "",
        ),
        (
            "DTSTART:20250704T090000Z\nDURATION:PT1H30M",
            "",
            "2025-07-04T09:00:00+00:00",
            "2025-07-04T10:30:00+00:00",
            "UTC",
        ),
        ("DTSTART:soon", "", None, None, ""),
        ("DTSTART:20250704T090000Z\nDTSTART:20250705T090000Z", "", "2025-07-04T09:00:00+00:00", None, "UTC"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_times_keep_their_wall_clock_and_zone(
    lines: str, zone_rules: str, starts: str | None, ends: str | None, zone: str
) -> None:
    found = event(lines, zone=zone_rules)
    assert (found.starts_at, found.ends_at, found.zone) == (starts, ends, zone)


@pytest.mark.parametrize(
    ("method", "lines", "expected"),
    [
        ("REQUEST", "SEQUENCE:0", ("REQUEST", 0, "")),
        ("REQUEST", "SEQUENCE:2", ("REQUEST", 2, "")),
        ("REQUEST", "SEQUENCE:many", ("REQUEST", 0, "")),
        ("REQUEST", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:b@y.example", ("REQUEST", 0, "")),
        ("CANCEL", "SEQUENCE:3", ("CANCEL", 3, "")),
        ("REPLY", "ATTENDEE;PARTSTAT=DECLINED:mailto:b@y.example", ("REPLY", 0, "DECLINED")),
        ("REPLY", "ATTENDEE:mailto:b@y.example", ("REPLY", 0, "")),
        (
            "COUNTER",
            "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:c@y.example\nATTENDEE;PARTSTAT=TENTATIVE:mailto:b@y.example",
            ("COUNTER", 0, "TENTATIVE"),
        ),
        ("", "STATUS:CANCELLED", ("CANCEL", 0, "")),
        ("publish", "SEQUENCE:1", ("PUBLISH", 1, "")),
    ],
)
def test_methods_versions_and_answers_are_read(
    method: str, lines: str, expected: tuple[str, int, str]
) -> None:
    found = event(lines, method)
    assert (found.method, found.sequence, found.answer) == expected


def test_a_repeated_event_keeps_its_rule_and_one_of_it_keeps_which_it_is() -> None:
    found = event("DESCRIPTION:Weekly\nRRULE:FREQ=WEEKLY;COUNT=3\nRECURRENCE-ID:20250703T090000Z")
    assert found.description == "Weekly\nRRULE:FREQ=WEEKLY;COUNT=3\nRECURRENCE-ID:2025-07-03T09:00:00+00:00"


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
    "noise",
    [
        "this line has no colon",
        "X-ALT-DESC;FMTTYPE=text/html:<p>x</p>",
        "BEGIN:VALARM\nTRIGGER:-PT15M\nDESCRIPTION:Other\nEND:VALARM",
        "X-MICROSOFT-CDO-BUSYSTATUS:BUSY",
        "DTSTAMP:yesterday",
        "DURATION:long",
    ],
)
def test_broken_and_private_lines_do_not_hide_the_event(noise: str) -> None:
    found = event(f"SUMMARY:Call\n{noise}\nDTSTART:20250704T090000Z")
    assert (found.summary, found.description, found.starts_at) == ("Call", "", "2025-07-04T09:00:00+00:00")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\n" * 100_000,
        "BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\nUID:u\nEND:VEVENT\n" * 50_000 + "END:VCALENDAR",
        "BEGIN:VCALENDAR\nSUMMARY:" + "x" * 3_000_000,
    ],
    ids=["empty", "nonsense", "nested", "many", "long"],
)
def test_what_is_no_invite_is_left_unread_in_bounded_time(text: str) -> None:
    started = time.perf_counter()
    assert read_calendar(text) is None
    assert time.perf_counter() - started < 3


PIECES = st.sampled_from(
    (
        "BEGIN:VEVENT END:VEVENT DTSTART:20250704T090000Z DTSTART:x UID:u RRULE:x ATTENDEE:y END:VCALENDAR"
        " BEGIN:VTIMEZONE TZID:z RECURRENCE-ID:1 SEQUENCE:-1 DURATION:P1D"
    ).split()
)


@given(st.lists(PIECES, max_size=12))
def test_no_calendar_raises(lines: list[str]) -> None:
    assert isinstance(read_calendar("BEGIN:VCALENDAR\n" + "\n".join(lines)), list | None)


def test_a_calendar_is_read_the_same_whatever_was_read_before() -> None:
    """A zone that one mail defines is not that of another mail with the same name for it."""
    moved = (
        "BEGIN:VTIMEZONE\r\nTZID:Eastern Standard Time\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
        "TZOFFSETFROM:+0900\r\nTZOFFSETTO:+0900\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    )

    def calendar(zones: str) -> str:
        return (
            f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{zones}BEGIN:VEVENT\r\nUID:1\r\n"
            "DTSTART;TZID=Eastern Standard Time:20250704T090000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        )

    first = read_calendar(calendar(""))
    strange = read_calendar(calendar(moved))
    assert read_calendar(calendar("")) == first
    assert read_calendar(calendar(moved)) == strange != first
