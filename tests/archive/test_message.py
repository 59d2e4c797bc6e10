"""One mail: headers in every writing, broken MIME, kinds, reasons for quarantine; never an exception."""

from __future__ import annotations

import base64

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.addresses import Mailbox, parse_mailboxes
from archive.mailbox import RawMessage
from archive.message import ParsedMail, iso_date, parse_mail
from archive.quotes import BodyParts
from archive.reading import composed_frame
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
        ("Staff: a@x.example; b@x.example", [Mailbox("", "a@x.example"), Mailbox("", "b@x.example")]),
        ("mailto:a@x.example", [Mailbox("", "a@x.example")]),
        (
            '"a;b" <a@x.example>; "c, d" <c@x.example>',
            [Mailbox("a;b", "a@x.example"), Mailbox("c, d", "c@x.example")],
        ),
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
        ("=?utf-8?B?SsO2cmcgV2Vpw58=?=", "Jörg Weiß"),
        ("=?utf-8?B?SsM=?= =?utf-8?B?tnJn?=", "Jörg"),
        ("=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"),
        ("=?iso-8859-1?q?=93x=94?=", "\u201cx\u201d"),
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


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>new</p><blockquote><p>old words</p></blockquote>after", "new\n\n>\n> old words\n>\n>\nafter"),
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("a < b and c > d", "a < b and c > d"),
        ('<a title="x > y" href="#">link</a>', "link"),
        ("<head><title>t</title><body>shown", "shown"),
        ("<script>if (a < b) {}</script>shown", "shown"),
        ("<!-- hidden --><b>shown</b>", "shown"),
        ("<pre>one\n two</pre>", "one\ntwo"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\n\nc"),
    ],
)
def test_html_reads_as_it_is_seen_and_quotes_are_marked(html: str, text: str) -> None:
    assert html_to_text(html) == text


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


INNER = (
    b"From: Cy <c@z.example>\nTo: Ann <a@x.example>\nMessage-ID: <inner@z>\nSubject: Costs\n"
    b"Content-Type: multipart/mixed; boundary=in\n\n--in\nContent-Type: text/plain\n\nInner words.\n"
    b"--in\nContent-Type: text/csv; name=costs.csv\n\na,b\n--in\nContent-Type: message/rfc822\n\n"
    b"From: d@z.example\nMessage-ID: <deep@z>\nSubject: Deep\n\nDeep words.\n--in--\n"
)
ENCLOSING = (
    b"From: a@x.example\nSubject: Fwd: Costs\nContent-Type: multipart/mixed; boundary=out\n\n--out\n"
    b"Content-Type: text/plain\n\nSee inside.\n--out\nContent-Type: message/rfc822\n\n"
    + INNER
    + b"\n--out--\n"
)


def test_enclosed_messages_are_files_with_their_words_and_files_all_the_way_down() -> None:
    parsed = mail(ENCLOSING)
    assert parsed.body == "See inside."
    assert [(one.content_type, one.filename) for one in parsed.attachments] == [
        ("message/rfc822", ""),
        ("text/csv", "costs.csv"),
        ("message/rfc822", ""),
    ]
    assert "Subject: Costs" in parsed.attachments[0].text and "Inner words." in parsed.attachments[0].text
    assert "Deep words." in parsed.attachments[2].text
    assert [one.header_id for one in parsed.enclosed] == ["inner@z", "deep@z"]
    assert parsed.conversation_ids == ("inner@z", "deep@z")


CONVERSATIONS = {
    "a forward as text": ("Subject: s\n\nBegin forwarded message:\n> Message-ID: <old@z>", ("old@z",)),
    "Gmail": ("Subject: s\nX-GM-THRID: 1712\n\nx", ("gmail:1712",)),
    "a broken Thread-Index": ("Subject: s\nThread-Index: ????\n\nx", ()),
    "an empty Thread-Index": ("Subject: s\nThread-Index:\n\nx", ()),
    "nothing": ("Subject: s\n\nx", ()),
}


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_what_else_names_a_conversation_is_kept(name: str) -> None:
    text, ids = CONVERSATIONS[name]
    assert mail(f"From: a@x.example\n{text}".encode()).conversation_ids == ids


def test_an_outlook_answer_has_its_parents_conversation() -> None:
    head = bytes([1]) + bytes(range(5)) + bytes(range(16, 32))
    written = [base64.b64encode(index).decode() for index in (head, head + b"\0\1\2\3\4", head[:21] + b"x")]
    first, answer, other = (
        mail(f"From: a@x.example\nSubject: s\nThread-Index: {index}\n\nx".encode()).conversation_ids
        for index in written
    )
    assert first == answer != other


RELATED = (
    b"From: a@x.example\nSubject: s\nContent-Type: multipart/alternative; boundary=b\n\n"
    b"--b\nContent-Type: text/plain\n\nplain\n--b\nContent-Type: multipart/related; boundary=r\n\n"
    b"--r\nContent-Type: text/html\n\n<p>rich</p>\n--r\nContent-Type: image/png; name=logo.png\n"
    b"Content-ID: <1>\n\nx\n--r--\n--b--\n"
)
NO_PLAIN = RELATED.replace(b"\n\nplain\n", b"\n\n \n")


@pytest.mark.parametrize(("data", "body"), [(RELATED, "plain"), (NO_PLAIN, "rich")])
def test_rich_text_beside_plain_text_is_not_read_twice_and_its_pictures_stay(data: bytes, body: str) -> None:
    parsed = mail(data)
    assert parsed.body.strip() == body
    assert [one.filename for one in parsed.attachments] == ["logo.png"]


def test_the_machine_part_of_a_bounce_is_a_file_that_can_be_read() -> None:
    parsed = mail(
        b"From: mailer-daemon@x.example\nSubject: s\nContent-Type: multipart/report; boundary=b\n\n"
        b"--b\n\nSorry.\n"
        b"--b\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; b@x.example\n--b--\n"
    )
    assert (parsed.kind, parsed.body) == ("bounce", "Sorry.")
    assert [one.text.strip() for one in parsed.attachments] == ["Final-Recipient: rfc822; b@x.example"]


def test_an_outlook_container_is_an_attachment_and_no_more() -> None:
    parsed = mail(
        b"From: a@x.example\nSubject: s\nContent-Type: application/ms-tnef; name=winmail.dat\n"
        b"Content-Transfer-Encoding: base64\n\neJ8+IgAA\n"
    )
    assert [(one.filename, one.size) for one in parsed.attachments] == [("winmail.dat", 6)]


def test_quotes_are_split_only_where_their_parts_are_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> BodyParts:
        raise AssertionError(text)

    monkeypatch.setattr("archive.message.split_body", refuse)
    parsed = mail(b"From: a@x.example\nSubject: s\n\nown\n> quoted\n")
    row = parsed.row(["box"], "mail", "th-1", BodyParts("one", "two", "three"))
    assert [row[name] for name in ("body_own", "body_quoted", "body_signature")] == ["one", "two", "three"]
    assert parsed.threaded(BodyParts("", "", "")).sender == "a@x.example"


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
