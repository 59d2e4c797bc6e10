"""Outlook items as mails: headers from where they are, bodies and files, hostile files as faults."""

from __future__ import annotations

import email
import struct
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive import mail_msg
from archive.attachment_text import attachment_text
from archive.invites import read_calendar
from archive.mail_msg import msg_to_mail, read_msg
from archive.mailbox import RawMessage
from archive.rejects import Reject
from tests.archive.compound_files import Tree, compound_file, item

SENT = datetime(2025, 3, 4, 14, 10, tzinfo=UTC)
EXCHANGE = "/O=FIRM/OU=SITE/CN=RECIPIENTS/CN=AKERN"
TEXTS = {0x001A: "IPM.Note", 0x0037: "Order", 0x0C1A: "Kern, Anna", 0x1000: "Hello\r\nÄnne\r\n"}


def parsed(tree: Tree) -> Message:
    built = msg_to_mail(compound_file(tree))
    assert isinstance(built, bytes), built
    assert built == msg_to_mail(compound_file(tree))
    return email.message_from_bytes(built)


def header(mail: Message, name: str) -> str:
    value = next(str(value) for found, value in mail.raw_items() if found == name)
    return value.encode("ascii", "surrogateescape").decode()


def body(mail: Message) -> str:
    payload = mail.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()


def recipient(kind: int, name: str, address: str, smtp: str = "") -> dict[str, bytes | Tree]:
    texts = {0x3001: name, 0x3003: address} | ({0x39FE: smtp} if smtp else {})
    return item(texts, numbers={0x0C15: kind}, header=8)


def test_headers_are_built_where_an_item_never_left_its_organization() -> None:
    mail = parsed(
        item(TEXTS | {0x0C1F: EXCHANGE, 0x1035: "<1@b.example>"}, times={0x0039: SENT})
        | {
            "__recip_version1.0_#00000000": recipient(1, "Bob", "/O=FIRM/CN=BOB", "bob@b.example"),
            "__recip_version1.0_#00000001": recipient(2, "Cleo", "/O=FIRM/CN=CLEO"),
        }
    )
    assert mail["From"] == '"Kern, Anna"'
    assert mail["X-Exchange-Sender"] == EXCHANGE
    assert (mail["To"], mail["Cc"], mail["Bcc"]) == ("Bob <bob@b.example>", "Cleo", None)
    assert mail["Date"] == "Tue, 04 Mar 2025 14:10:00 +0000"
    assert (mail["Subject"], mail["Message-ID"]) == ("Order", "<1@b.example>")
    assert body(mail) == "Hello\nÄnne\n"


def test_an_smtp_address_is_preferred_to_an_exchange_one() -> None:
    mail = parsed(item(TEXTS | {0x0C1F: EXCHANGE, 0x5D01: "anna@b.example"}))
    assert mail["From"] == '"Kern, Anna" <anna@b.example>'
    assert mail["X-Exchange-Sender"] is None


def test_transport_headers_count_and_missing_ones_are_added() -> None:
    transport = (
        "Microsoft Mail Internet Headers Version 2.0\r\nReceived: from x\r\n\tby y\r\n"
        "From: Anna <anna@b.example>\r\nContent-Type: multipart/mixed;\r\n boundary=z\r\n"
        "To: b@b.example\r\n\r\n"
    )
    mail = parsed(item(TEXTS | {0x007D: transport}, times={0x0E06: SENT}))
    assert mail.get_all("From") == ["Anna <anna@b.example>"]
    assert mail["Received"] == "from x by y"
    assert mail.get_content_type() == "text/plain"
    assert (mail["Subject"], mail["Date"]) == ("Order", "Tue, 04 Mar 2025 14:10:00 +0000")


def test_a_draft_has_the_time_of_its_beginning_and_says_that_it_was_not_sent() -> None:
    mail = parsed(item(TEXTS, times={0x3007: SENT}))
    assert (mail["Date"], mail["X-Unsent"]) == ("Tue, 04 Mar 2025 14:10:00 +0000", "1")


def test_bodies_are_plain_beside_html_and_rich_text_only_alone() -> None:
    rtf = rb"{\rtf1\ansi\ansicpg1252 Gr\'fc\'dfe\par}"
    packed = struct.pack("<4I", len(rtf) + 12, len(rtf), 0x414C454D, 0) + rtf
    html = "<p>Grüße</p>".encode("cp1252")
    both = parsed(item(TEXTS, binaries={0x1013: html, 0x1009: packed}, numbers={0x3FDE: 1252}))
    assert [part.get_content_type() for part in both.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]
    parts = both.get_payload()
    assert isinstance(parts, list)
    assert "Grüße" in body(parts[1])  # type: ignore[arg-type]
    alone = parsed(item({0x0037: "x"}, binaries={0x1009: packed}))
    assert body(alone) == "Grüße"


def test_narrow_text_is_read_in_the_code_page_of_the_item() -> None:
    tree = item({}, numbers={0x3FDE: 1251, 0x3FFD: 1251}) | {
        "__substg1.0_0037001E": "Заказ".encode("cp1251"),
        "__substg1.0_1000001E": "Привет".encode("cp1251"),
    }
    mail = parsed(tree)
    assert header(mail, "Subject") == "Заказ"
    assert body(mail) == "Привет"


def test_more_streams_than_any_mail_has_are_not_looked_through() -> None:
    tree = item(TEXTS) | {f"x{number}": b"" for number in range(mail_msg.MAX_SIBLINGS)}
    assert msg_to_mail(compound_file(tree)) == "too_many_members"


def test_files_and_attached_items_travel_along() -> None:
    inner = item(TEXTS | {0x0037: "Inner"}, header=24)
    mail = parsed(
        item(TEXTS)
        | {
            "__attach_version1.0_#00000000": item(
                {0x3707: "prices.csv", 0x370E: "text/csv"},
                binaries={0x3701: b"a,b\n" * 2_000},
                numbers={0x3705: 1},
                header=8,
            ),
            "__attach_version1.0_#00000001": item({0x3001: "Inner"}, numbers={0x3705: 5}, header=8)
            | {"__substg1.0_3701000D": inner},
        }
    )
    _, table, message, enclosed = [part for part in mail.walk() if part is not mail]
    assert table.get_filename() == "prices.csv"
    assert table.get_payload(decode=True) == b"a,b\n" * 2_000
    assert message.get_content_type() == "message/rfc822"
    assert enclosed["Subject"] == "Inner"


def test_attached_items_end_at_the_bound() -> None:
    tree: dict[str, bytes | Tree] = item(TEXTS, header=24)
    for _ in range(30):
        tree = item(TEXTS, header=24) | {
            "__attach_version1.0_#00000000": item({0x3001: "x"}, header=8) | {"__substg1.0_3701000D": tree}
        }
    built = msg_to_mail(compound_file(tree))
    assert isinstance(built, bytes)
    assert built.count(b"Content-Type: message/rfc822") == mail_msg.MAX_DEPTH


def test_a_meeting_request_is_a_calendar_object() -> None:
    names = struct.pack("<IHH", 0x820D, 0, 0) + struct.pack("<IHH", 0x820E, 0, 1)
    names += struct.pack("<IHH", 0x8208, 0, 2) + struct.pack("<IHH", 0x23, 0, 3)
    tree = item(
        TEXTS | {0x001A: "IPM.Schedule.Meeting.Request", 0x0C1F: "anna@b.example", 0x8002: "Room 4; left"},
        binaries={0x8003: b"\x04\x00\x82"},
        times={0x8000: SENT, 0x8001: SENT.replace(hour=15)},
    ) | {
        "__nameid_version1.0": {"__substg1.0_00030102": names},
        "__recip_version1.0_#00000000": recipient(1, "Bob", "bob@b.example"),
    }
    calendar = next(part for part in parsed(tree).walk() if part.get_content_type() == "text/calendar")
    events = read_calendar(body(calendar))
    assert events is not None
    (event,) = events
    assert (event.method, event.uid, event.summary, event.location) == (
        "REQUEST",
        "040082",
        "Order",
        "Room 4; left",
    )
    assert event.starts_at == "2025-03-04T14:10:00+00:00"
    assert event.ends_at == "2025-03-04T15:10:00+00:00"
    assert "anna@b.example" in event.organizer
    assert "bob@b.example" in event.attendees[0]


COMMON = bytes.fromhex("0820060000000000c000000000000046")
FOREIGN = bytes.fromhex("00112233445566778899aabbccddeeff")


def names(*numbers: int, foreign: tuple[int, ...] = ()) -> Tree:
    """Names of properties 0x8000, 0x8001, ...: first those of a set of another program."""
    entries = b"".join(
        struct.pack("<IHH", number, 2 * (4 if position < len(foreign) else 3), position)
        for position, number in enumerate((*foreign, *numbers))
    )
    return {"__substg1.0_00030102": entries, "__substg1.0_00020102": COMMON + FOREIGN}


@pytest.mark.parametrize("hour", [0, 6, 11, 22])
def test_a_repeated_appointment_of_whole_days_has_days_and_a_rule(hour: int) -> None:
    """A day begins at any hour of UTC: in Auckland eleven hours before it, in Denver seven after."""
    rule = struct.pack(
        "<HHHHHIIIIIIIIIII", 0x3004, 0x3004, 0x200B, 1, 0, 0, 1, 0, 2, 0x2022, 4, 0, 0, 0, 0, 0
    )
    day = 4 if hour < 11 else 3
    uid = bytes(40) + b"vCal-Uid\x01\0\0\0meeting-7@other.example\0"
    tree = item(
        TEXTS | {0x001A: "IPM.Appointment", 0x8001: "Hall", 0x8005: "every Monday from 9 to 10"},
        binaries={0x8004: rule, 0x8007: uid},
        times={0x8000: SENT, 0x8002: SENT.replace(day=day, hour=hour, minute=0)},
        numbers={0x8003: 1},
    ) | {
        "__nameid_version1.0": names(0x8208, 0x820D, 0x8215, 0x8216, 0x8232, 0x820E, 0x23, foreign=(0x820D,))
    }
    calendar = next(part for part in parsed(tree).walk() if part.get_content_type() == "text/calendar")
    events = read_calendar(body(calendar))
    assert events is not None
    (event,) = events
    assert (event.starts_at, event.zone, event.location) == ("2025-03-04", "", "Hall")
    assert (event.uid, event.method) == ("meeting-7@other.example", "PUBLISH")
    assert event.description == "every Monday from 9 to 10\nRRULE:FREQ=WEEKLY;COUNT=4;BYDAY=MO"


def test_items_that_are_no_mails_say_what_stands_in_their_fields() -> None:
    contact = parsed(
        item(TEXTS | {0x001A: "IPM.Contact", 0x3001: "Anna Kern", 0x3A16: "B Ltd", 0x8000: "anna@b.example"})
        | {"__nameid_version1.0": names(0x8083)}
    )
    assert body(contact) == "Name: Anna Kern\nCompany: B Ltd\nE-mail: anna@b.example\n\nHello\nÄnne"
    task = parsed(
        item(TEXTS | {0x001A: "IPM.Task", 0x8000: "Anna"}, times={0x8001: SENT}, numbers={0x8002: 1})
        | {"__nameid_version1.0": names(0x811F, 0x8105, 0x8101)}
    )
    assert body(task).startswith("Owner: Anna\nDue: 2025-03-04\nStatus: in progress\n\nHello")
    entry = bytes.fromhex("00000000812b1fa4bea310199d6e00dd010f540200000190")
    members = b"".join(
        entry + "\0".join((name, "SMTP", address, "")).encode("utf-16-le")
        for name, address in (("Anna", "anna@b.example"), ("Zoë 1", "zoe@b.example"), ("cy@b.example",) * 2)
    )
    list_ = parsed(
        item({0x001A: "IPM.DistList", 0x0037: "Buyers", 0x8000: "Buyers"}, binaries={0x8001: members})
        | {"__nameid_version1.0": names(0x8053, 0x8054)}
    )
    told = (
        "Name: Buyers\nMember: Anna <anna@b.example>\nMember: Zoë 1 <zoe@b.example>\nMember: cy@b.example\n"
    )
    assert body(list_).strip() + "\n" == told


@given(
    st.binary(max_size=200), st.sampled_from(["IPM.DistList", "IPM.Contact", "IPM.Task", "IPM.Appointment"])
)
@settings(max_examples=60, deadline=None)
def test_any_bytes_in_named_properties_are_read(data: bytes, message_class: str) -> None:
    entry = bytes.fromhex("812b1fa4bea310199d6e00dd010f5402")
    named: Tree = {**names(0x8054, 0x8216, 0x23), "__substg1.0_00020102": data}
    tree: Tree = item(
        TEXTS | {0x001A: message_class}, binaries={0x8000: entry + data, 0x8001: data, 0x8002: data}
    ) | {"__nameid_version1.0": named}
    assert isinstance(msg_to_mail(compound_file(tree)), bytes)


def test_an_attached_item_is_read_as_text() -> None:
    read = attachment_text("letter.msg", "application/vnd.ms-outlook", compound_file(item(TEXTS)))
    assert read.fault == ""
    assert read.text.startswith('From: "Kern, Anna"\nSubject: Order')
    assert "Hello\nÄnne" in read.text


def test_a_file_is_one_mail_or_one_reject(tmp_path: Path) -> None:
    for name, data in (
        ("a.msg", compound_file(item(TEXTS))),
        ("b.msg", b"Subject: a mail as text\n\nx\n"),
        ("c.msg", compound_file(item(TEXTS))[:700]),
    ):
        (tmp_path / name).write_bytes(data)
    read = [
        message for name in ("a.msg", "b.msg", "c.msg") for message in read_msg(tmp_path / name, tmp_path)
    ]
    assert [type(message) for message in read] == [RawMessage, RawMessage, Reject]
    reject = read[2]
    assert isinstance(reject, Reject)
    assert (reject.reason, reject.size) == ("unreadable", 700)


def test_streams_that_share_their_bytes_are_a_bomb() -> None:
    tree = item(TEXTS) | {f"__substg1.0_{number:04X}0102": b"x" * 5_000 for number in range(0x6000, 0x6004)}
    data = bytearray(compound_file(tree))
    assert isinstance(msg_to_mail(bytes(data)), bytes)
    name = "__substg1.0_60000102".encode("utf-16-le")
    at = data.index(name)
    for number in range(4):
        place = data.index(f"__substg1.0_{0x6000 + number:04X}0102".encode("utf-16-le"))
        data[place + 120 : place + 124] = (25_000).to_bytes(4, "little")
        data[place + 116 : place + 120] = data[at + 116 : at + 120]
    assert msg_to_mail(bytes(data)) == "bomb"


WHOLE = compound_file(
    item(TEXTS, times={0x0039: SENT})
    | {"__attach_version1.0_#00000000": item({0x3707: "a"}, binaries={0x3701: b"x" * 5_000}, header=8)}
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=8),
    st.integers(0, 2 * len(WHOLE)),
)
def test_no_damage_raises(changes: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(WHOLE)
    for place, value in changes:
        data[place] = value
    assert isinstance(msg_to_mail(bytes(data[:cut])), bytes | str)
