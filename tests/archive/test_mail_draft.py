"""Mail written from other forms: the same bytes always, read back as what was put in."""

from __future__ import annotations

import email
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.addresses import parse_mailboxes
from archive.mail_draft import Draft, DraftFile, address_text, date_text, draft_bytes, header_lines
from archive.message import iso_date

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize(
    ("name", "address", "written"),
    [
        ("Anna Kern", "anna@b.example", "Anna Kern <anna@b.example>"),
        ("Kern, Anna", "anna@b.example", '"Kern, Anna" <anna@b.example>'),
        ('Anna "Ann" Kern', "<anna@b.example>", '"Anna \\"Ann\\" Kern" <anna@b.example>'),
        ("Änne", "anna@b.example", "Änne <anna@b.example>"),
        ("'anna@b.example'", "anna@b.example", "anna@b.example"),
        ("", "anna@b.example", "anna@b.example"),
        ("Anna Kern", "/O=FIRM/CN=AK", "Anna Kern"),
        ("", "", ""),
        ("a\r\nBcc: x@y.example", "anna@b.example", '"a Bcc: x@y.example" <anna@b.example>'),
    ],
)
def test_a_mailbox_is_written_so_that_it_is_read_as_one(name: str, address: str, written: str) -> None:
    assert address_text(name, address) == written
    assert len(parse_mailboxes(written)) == bool(written)


@given(st.integers(172_800, 4_000_000_000), st.integers(-14 * 60, 14 * 60))
def test_dates_are_read_as_they_were(seconds: int, east: int) -> None:
    zoned = datetime.fromtimestamp(seconds, timezone(timedelta(minutes=east)))
    read = iso_date(date_text(zoned))
    assert read is not None
    assert datetime.fromisoformat(read) == zoned


@settings(deadline=None)
@given(TEXT, TEXT, TEXT, st.lists(st.tuples(TEXT, st.binary(max_size=200)), max_size=3), st.booleans())
def test_what_is_written_is_read_back(
    subject: str, text: str, html: str, files: list[tuple[str, bytes]], calendar: bool
) -> None:
    draft = Draft(
        (("Subject", subject), ("Content-Type", "text/evil")),
        text,
        html,
        tuple(DraftFile(name, "application/x-thing", data) for name, data in files),
        "BEGIN:VCALENDAR" if calendar else "",
    )
    data = draft_bytes(draft)
    assert data == draft_bytes(draft)
    mail = email.message_from_bytes(data)
    found = [part for part in mail.walk() if not part.is_multipart()]
    attached = [
        part.get_payload(decode=True) for part in found if part.get_content_type() == "application/x-thing"
    ]
    assert attached == [content for _, content in files]
    kinds = [part.get_content_type() for part in found if part.get_content_type() != "application/x-thing"]
    expected = ["text/plain"] * bool(text or not (html or calendar)) + ["text/html"] * bool(html)
    assert kinds == expected + ["text/calendar"] * calendar


def test_no_header_can_be_smuggled_in() -> None:
    data = draft_bytes(
        Draft((("Subject", "x\r\nBcc: a@b.example\n\nbody"), ("Bad name", "y"), ("X-Empty", " ")), "t")
    )
    assert data.split(b"\n\n")[0].split(b"\n") == [
        b"Subject: x Bcc: a@b.example body",
        b"MIME-Version: 1.0",
        b"Content-Type: text/plain; charset=utf-8",
        b"Content-Transfer-Encoding: 8bit",
    ]


def test_header_blocks_are_unfolded() -> None:
    text = "Banner 2.0\r\nA: 1\r\n\t2\r\nB:3\r\nnot a header: x\r\n\r\nC: 4"
    assert header_lines(text) == [("A", "1 2"), ("B", "3"), ("C", "4")]
