"""One mail: headers in every writing, broken MIME, kinds, reasons for quarantine; never an exception."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.addresses import Mailbox, parse_mailboxes
from archive.ingest import composed_frame
from archive.mailbox import RawMessage
from archive.message import ParsedMail, iso_date, parse_mail
from archive.textforms import composed, decode_header, html_to_text


def raw(data: bytes, envelope: str = "") -> RawMessage:
    return RawMessage("box.mbox", f"bytes 0-{len(data)}", "box", data, envelope, len(data))


def mail(data: bytes, envelope: str = "") -> ParsedMail:
    parsed = parse_mail(raw(data, envelope))
    assert isinstance(parsed, ParsedMail)
    return parsed


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("Ann Lee <Ann@X.example>", [Mailbox("Ann Lee", "ann@x.example")]),
        (
            '"Lee, Ann" <a@x.example>, b@x.example',
            [Mailbox("Lee, Ann", "a@x.example"), Mailbox("", "b@x.example")],
        ),
        ("Weiß, Jörg <j@x.example>", [Mailbox("Weiß, Jörg", "j@x.example")]),
        ("a@x.example (Ann Lee)", [Mailbox("Ann Lee", "a@x.example")]),
        ("Staff: a@x.example, b@x.example;", [Mailbox("", "a@x.example"), Mailbox("", "b@x.example")]),
        ("Phillip A/HOU/CO@CO, b@x.example", [Mailbox("Phillip", "a/hou/co@co"), Mailbox("", "b@x.example")]),
        ("<gurke/emil@x.example>", [Mailbox("", "gurke/emil@x.example")]),
        ("Hans </O=ABX/CN=HANS>", [Mailbox("Hans", "/o=abx/cn=hans")]),
        ('"hans zwiebel"@x.example', [Mailbox("", '"hans zwiebel"@x.example')]),
        ("undisclosed-recipients:;", []),
        ("", []),
        ("<>", []),
    ],
)
def test_address_lists_are_read_in_any_writing(text: str, boxes: list[Mailbox]) -> None:
    assert parse_mailboxes(text) == boxes


@given(st.text())
def test_no_address_list_raises(text: str) -> None:
    for box in parse_mailboxes(text):
        assert box.name or box.address


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("=?utf-8?q?J=C3=B6rg_Wei=C3=9F?=", "Jörg Weiß"),
        ("=?iso-8859-1?B?SvZyZw==?= =?iso-8859-1?Q?_Wei=DF?=", "Jörg Weiß"),
        ("=?x-nobody?q?Caf=E9?=", "Café"),
        ("Caf\udce9 menu", "Café menu"),
        ("folded\n subject", "folded subject"),
        ("=?utf-8?x?abc?= stays", "=?utf-8?x?abc?= stays"),
    ],
)
def test_headers_are_decoded_whatever_their_charset(header: str, text: str) -> None:
    assert decode_header(header) == text


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Tue, 4 Mar 2025 09:15:00 -0500", "2025-03-04T09:15:00-05:00"),
        ("4 Mar 2025 09:15 +0530 (IST)", "2025-03-04T09:15:00+05:30"),
        ("Tue Mar  4 14:10:00 2025", "2025-03-04T14:10:00+00:00"),
        ("Tue, 31 Feb 2025 09:15:00 -0500", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_keep_their_offset(text: str, moment: str | None) -> None:
    assert iso_date(text) == moment


@pytest.mark.parametrize(
    ("data", "envelope", "moment"),
    [
        (b"From: a@x.example\nDate: Tue, 4 Mar 2025 09:15:00 -0500\n\nx", "", "2025-03-04T09:15:00-05:00"),
        (
            b"From: a@x.example\nReceived: by m; Tue, 4 Mar 2025 10:00:00 +0000\n\nx",
            "",
            "2025-03-04T10:00:00+00:00",
        ),
        (b"From: a@x.example\n\nx", "a@x.example Tue Mar  4 14:10:00 2025", "2025-03-04T14:10:00+00:00"),
        (b"From: a@x.example\n\nx", "", None),
    ],
)
def test_a_missing_date_is_taken_from_transport_or_stays_unknown(
    data: bytes, envelope: str, moment: str | None
) -> None:
    assert mail(data, envelope).sent_at == moment


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\n \n", "empty"),
        (b"\x00\x17\xfe\xfflost cluster\x00\xd0\n", "no_headers"),
        (b"just a text without any header\n", "no_headers"),
        (b"From: a@x.example\n\n", "no_content"),
    ],
)
def test_what_is_no_mail_has_a_reason(data: bytes, reason: str) -> None:
    assert parse_mail(raw(data)) == reason


MULTIPART = (
    b"From: Ann <a@x.example>\nTo: b@x.example\nSubject: Plan\nMIME-Version: 1.0\n"
    b'Content-Type: multipart/mixed; boundary="cut"\n\n'
    b"--cut\nContent-Type: text/plain\n\nThe plan.\n\n--cut\n"
    b'Content-Type: text/csv; name="=?utf-8?q?Pl=C3=A4ne.csv?="\n\na,b\n'
)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Jo\u0308rg", "Jörg"),
        ("Kowal\u00adczyk", "Kowalczyk"),
        ("Robert\u200bKowalczyk\u200e", "RobertKowalczyk"),
        ("a\tb\nc", "a\tb\nc"),
        ("Ｊörg 王小明", "Ｊörg 王小明"),
    ],
)
def test_what_looks_alike_is_written_alike(text: str, seen: str) -> None:
    assert composed(text) == seen == composed(seen)
    frame = pl.DataFrame({"path": [text], "name": [text], "names": [[text, None]]})
    (row,) = composed_frame(frame).to_dicts()
    assert row == {"path": text, "name": seen, "names": [seen, None]}


def test_a_file_name_in_bare_bytes_is_read() -> None:
    name = "Mu\u0308ller.pdf".encode()
    data = (
        b"From: a@x.example\nSubject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        b'Content-Type: application/pdf\nContent-Disposition: attachment; filename="'
        + name
        + b'"\n\nx\n--b--\n'
    )
    assert [attachment.filename for attachment in mail(data).attachments] == ["Müller.pdf"]


ALTERNATIVE = (
    b"From: a@x.example\nSubject: s\nContent-Type: multipart/alternative; boundary=b\n\n"
    b"--b\nContent-Type: text/plain\n\nplain\n--b\nContent-Type: text/html\n\n<p>rich</p>\n--b--\n"
)
HTML = (
    b"From: a@x.example\nSubject: s\nContent-Type: text/html\n\n"
    b"<style>p{}</style><p>Dear&nbsp;Ann,</p><p>yes<br>no</p>"
)


def test_a_cut_multipart_keeps_what_can_be_read() -> None:
    parsed = mail(MULTIPART)
    assert parsed.body.strip() == "The plan."
    assert [(a.filename, a.content_type, a.text.strip()) for a in parsed.attachments] == [
        ("Pläne.csv", "text/csv", "a,b")
    ]


@pytest.mark.parametrize(("data", "body"), [(ALTERNATIVE, "plain"), (HTML, "Dear Ann,\n\nyes\nno")])
def test_plain_text_is_preferred_and_html_becomes_text(data: bytes, body: str) -> None:
    assert mail(data).body.strip() == body


def test_quoted_html_is_marked_as_a_quote() -> None:
    assert "> old words" in html_to_text("<p>new</p><blockquote><p>old words</p></blockquote>")


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        (b"Subject: hello", "mail"),
        (b"Auto-Submitted: auto-replied", "auto_reply"),
        (b"Auto-Submitted: no", "mail"),
        (b"Subject: Automatic reply: hello", "auto_reply"),
        (b"Content-Type: multipart/report; boundary=x", "bounce"),
    ],
)
def test_the_kind_of_a_mail_follows_from_its_headers(headers: bytes, kind: str) -> None:
    assert (
        mail(b"From: a@x.example\nTo: b@x.example\nMessage-ID: <1@x>\n" + headers + b"\n\nbody\n").kind
        == kind
    )


def test_ids_and_references_lose_their_brackets_and_other_headers_are_kept() -> None:
    parsed = mail(
        b"From: a@x.example\nMessage-ID: <1@x>\nReferences: <0@x>\n\t<00@x> <0@x>\n"
        b"In-Reply-To: <0@x> (mail of Ann)\n"
        b"X-Origin: LEE-A\nContent-Type: text/plain\n\nbody"
    )
    assert (parsed.header_id, parsed.in_reply_to, parsed.references) == ("1@x", "0@x", ("0@x", "00@x"))
    assert parsed.other_headers == "X-Origin: LEE-A"


def test_copies_in_two_mailboxes_are_duplicates_and_edited_ones_are_not() -> None:
    one = mail(b"From: a@x.example\nMessage-ID: <1@x>\nSubject: s\n\nsame  words\n")
    copy = mail(
        b"Delivered-To: b@x.example\nFrom: a@x.example\nMessage-ID: <1@x>\nSubject: s\n\nsame words\n\n"
    )
    edited = mail(b"From: a@x.example\nMessage-ID: <1@x>\nSubject: s\n\nother words\n")
    assert one.duplicate_key == copy.duplicate_key != edited.duplicate_key


@given(st.binary(max_size=400))
def test_no_bytes_raise(data: bytes) -> None:
    for prefix in (
        b"",
        b"From: a@x.example\n",
        b"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n",
    ):
        parsed = parse_mail(raw(prefix + data))
        if isinstance(parsed, ParsedMail):
            row = parsed.row(["box"], "mail", "th-1")
            assert str(row["subject"]).encode("utf-8") is not None


@given(st.text(max_size=200))
def test_no_html_raises(html: str) -> None:
    assert isinstance(html_to_text(html), str)
