"""Real Outlook stores are read whole: items per class as their folders count them, times, rules and files.

Counts are those that the folders state themselves; two of the single records were compared with another
reader (pst-extractor for Node), files with the originals that lie beside the stores. No name or address is
here.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from archive.mail_pst import read_pst
from archive.mailbox import RawMessage
from archive.message import ParsedMail, parse_mail

REAL = Path(os.environ.get("RL_DOJO_REAL_PST", "missing"))
pytestmark = pytest.mark.skipif(
    not REAL.is_dir(),
    reason="RL_DOJO_REAL_PST is not set: it names a folder with the unpacked npm package pst-extractor",
)
NOTE, PLAN = "IPM.Note", "IPM.Appointment"
REQUEST, ACCEPTED = "IPM.Schedule.Meeting.Request", "IPM.Schedule.Meeting.Resp.Pos"
ENRON, TEST, PDF, OLD = "615248", "daacd8", "c914f1", "b884f6"
"""Stores by the first digits of their SHA-256: their names hold addresses."""


@cache
def stores() -> dict[str, Path]:
    found = {}
    for path in sorted(REAL.rglob("*.[po]st")):
        found.setdefault(hashlib.sha256(path.read_bytes()).hexdigest()[:6], path)
    return found


@cache
def items(name: str) -> tuple[tuple[str, RawMessage, ParsedMail | str], ...]:
    if name not in stores():
        pytest.skip(f"the store {name} is not below RL_DOJO_REAL_PST")
    path = stores()[name]
    read = []
    for raw in read_pst(path, path.parent):
        assert isinstance(raw, RawMessage), raw
        lines = raw.data.partition(b"\n\n")[0].decode("utf-8", "replace").splitlines()
        kind = next(line.partition(": ")[2] for line in lines if line.startswith("X-Message-Class: "))
        read.append((kind, raw, parse_mail(raw)))
    return tuple(read)


def short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@pytest.mark.parametrize(
    ("name", "counts", "told"),
    [
        (ENRON, {NOTE: 71}, {}),
        (TEST, {NOTE: 8, PLAN: 169, REQUEST: 4, ACCEPTED: 2}, {}),
        (PDF, {NOTE: 2, PLAN: 160}, {}),
        (
            OLD,
            {
                NOTE: 8,
                "IPM.Note.Agenda": 1,
                PLAN: 170,
                "IPM.Contact": 15,
                "IPM.DistList": 1,
                "IPM.Task": 2,
                "IPM.StickyNote": 1,
                "IPM.Activity": 1,
                "IPM.AbchPerson": 14,
                "IPM.Network": 1,
            },
            {"IPM.AbchPerson": 14, "IPM.Network": 1},
        ),
    ],
    ids=["enron", "test", "pdf", "old"],
)
def test_every_item_of_every_class_is_kept_or_told(
    name: str, counts: dict[str, int], told: dict[str, int]
) -> None:
    """What is told are an address book's own records, which hold no words."""
    assert Counter(kind for kind, _, _ in items(name)) == counts
    assert Counter(kind for kind, _, mail in items(name) if mail == "no_content") == told
    assert all(isinstance(mail, ParsedMail) or mail == "no_content" for _, _, mail in items(name))


@pytest.mark.parametrize("name", [TEST, PDF, OLD])
def test_every_appointment_and_meeting_has_its_times(name: str) -> None:
    for kind, _, mail in items(name):
        if kind in (PLAN, REQUEST, ACCEPTED):
            assert isinstance(mail, ParsedMail)
            assert mail.calendar and mail.calendar[0].starts_at and mail.calendar[0].uid
            holiday = mail.raw.mailbox.endswith("holidays")
            assert not holiday or len(mail.calendar[0].starts_at) == len("2021-01-01")


def test_repeated_appointments_have_their_rules() -> None:
    found = {
        (event.starts_at, event.description.rpartition("RRULE:")[2])
        for name in (TEST, OLD)
        for _, _, mail in items(name)
        if isinstance(mail, ParsedMail) and not mail.raw.mailbox.endswith("holidays")
        for event in mail.calendar
        if "RRULE:" in event.description
    }
    assert found == {
        ("2018-03-05T17:00:00+00:00", "FREQ=DAILY;UNTIL=20180528"),
        ("2021-08-09T17:00:00+00:00", "FREQ=WEEKLY;COUNT=10;BYDAY=MO"),
        ("2021-08-10T19:00:00+00:00", "FREQ=DAILY;COUNT=3"),
        ("2021-08-13T17:00:00+00:00", "FREQ=YEARLY;BYMONTHDAY=13;BYMONTH=8"),
    }


def test_files_are_those_that_were_attached() -> None:
    found = {
        (file.filename, file.size, file.digest[:12], file.fault)
        for _, _, mail in items(OLD)
        if isinstance(mail, ParsedMail)
        for file in mail.attachments
        if file.filename.endswith((".doc", ".xls"))
    }
    assert found == {
        ("OBA_2760.doc", 53760, "1fc99f9b8479", "unsupported"),
        ("RedRockA.xls", 30720, "d2479945000f", "unsupported"),
    }


@pytest.mark.parametrize(
    ("name", "position", "expected"),
    [
        (
            ENRON,
            25,
            ("8fbc5414ea7d", "f08dfaf191e3", "2001-02-06T21:09:00-08:00", "fa1e05f02ddb", 2, 41_472),
        ),
        (
            ENRON,
            70,
            ("d9808ea6903f", "da7e5e606f89", "2001-06-22T08:22:12-07:00", "56cbe6fb3213", 2, 110_080),
        ),
        (
            TEST,
            7,
            ("3bae87fc9001", "8e64fa27acab", "2021-08-12T14:26:12-06:00", "b3112be57e9b", 3, 166_740),
        ),
    ],
)
def test_single_mails_are_as_another_reader_shows_them(
    name: str, position: int, expected: tuple[str, str, str | None, str, int, int]
) -> None:
    """Subject, sender and first words by hash, time, number of files and their bytes."""
    _, _, mail = items(name)[position]
    assert isinstance(mail, ParsedMail)
    files = mail.attachments
    words = " ".join(mail.body.split())[:40]
    got = (short(mail.subject), short(str(mail.sender)), mail.sent_at, short(words))
    assert (*got, len(files), sum(file.size for file in files)) == expected
