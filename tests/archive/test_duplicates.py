"""Copies of one mail are told apart from other mails, whatever lists and exports did to their bytes."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.mailbox import RawMessage
from archive.message import ParsedMail, parse_mail

WORDS = "Dear Jörg,\n\nFrom Monday on the café is shut.\nPlease come to the\nother one instead.\n"
FOOTER = f"{'_' * 47}\nplans mailing list\nhttps://x.example/listinfo/plans\n"
COMMANDS = f"{'-' * 69}\nTo unsubscribe, e-mail: u@x.example\n"


def key(
    body: bytes = WORDS.encode(),
    head: str = "Message-ID: <1@x>\n",
    kind: str = "text/plain; charset=utf-8",
    subject: str = "Café",
    date: str = "Tue, 4 Mar 2025 09:15:00 -0500",
    sender: str = "Ann <a@x.example>",
) -> str:
    data = (
        f"From: {sender}\nDate: {date}\n{head}Subject: {subject}\nContent-Type: {kind}\n".encode()
        + b"\n"
        + body
    )
    parsed = parse_mail(RawMessage("box", "bytes", "box", data, "", len(data)))
    assert isinstance(parsed, ParsedMail)
    return parsed.duplicate_key


ENCODED = "Message-ID: <1@x>\nContent-Transfer-Encoding: {}\n"
COPIES = {
    "received by another": key(head="Received: by m.example; x\nX-Spam: no\nMessage-ID: <1@x>\n"),
    "other charset": key(WORDS.encode("latin-1"), kind="text/plain; charset=iso-8859-1"),
    "base64": key(base64.encodebytes(WORDS.encode()), ENCODED.format("base64")),
    "quoted-printable": key(
        WORDS.encode().replace(b"\xc3", b"=C3").replace(b"\xb6", b"=B6").replace(b"\xa9", b"=A9"),
        ENCODED.format("quoted-printable"),
    ),
    "line ends": key(WORDS.replace("\n", "\r\n").encode()),
    "wrapped anew": key(WORDS.replace("the\nother", "the other").encode()),
    "escaped From": key(WORDS.replace("From Monday", ">From Monday").encode()),
    "empty lines at the end": key(WORDS.encode() + b"\n\n"),
    "through a list": key((WORDS + FOOTER).encode(), subject="[plans] Café"),
    "through another list": key((WORDS + "\n" + COMMANDS).encode()),
    "subject encoded": key(subject="=?utf-8?q?Caf=C3=A9?="),
    "date in another zone": key(date="Tue, 4 Mar 2025 14:15:00 +0000"),
}
OTHERS = {
    "other words": key(b"something else"),
    "a word more": key(WORDS.encode() + b"Really."),
    "other id": key(head="Message-ID: <2@x>\n"),
    "other subject": key(subject="Bar"),
    "no id": key(head=""),
    "a file more": key(
        b"--b\nContent-Type: text/plain; charset=utf-8\n\n"
        + WORDS.encode()
        + b"\n--b\nContent-Type: application/pdf; name=a.pdf\n\nx\n--b--\n",
        kind="multipart/mixed; boundary=b",
    ),
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_known_though_its_bytes_differ(name: str) -> None:
    assert COPIES[name] == key()


@pytest.mark.parametrize("name", OTHERS)
def test_another_mail_is_no_copy_even_under_the_same_id(name: str) -> None:
    assert OTHERS[name] != key()


@pytest.mark.parametrize(
    ("change", "copy"),
    [
        ({"date": "Tue, 4 Mar 2025 14:15:00 +0000"}, True),
        ({"sender": "Ann Lee <A@x.example>"}, True),
        ({"date": "Tue, 4 Mar 2025 09:15:01 -0500"}, False),
        ({"sender": "b@x.example"}, False),
        ({"subject": "Bar"}, False),
    ],
)
def test_without_an_id_sender_second_subject_and_words_decide(change: dict[str, str], copy: bool) -> None:
    assert (key(head="", **change) == key(head="")) is copy  # type: ignore[arg-type]


@given(st.text(st.characters(codec="latin-1", categories=["L", "N", "Zs"]), min_size=1))
def test_any_text_is_the_same_in_any_encoding(text: str) -> None:
    plain = key(text.encode())
    assert plain == key(base64.encodebytes(text.encode()), ENCODED.format("base64"))
    assert plain == key(text.encode("latin-1"), kind="text/plain; charset=latin-1")
