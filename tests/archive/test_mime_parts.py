"""The tree of parts: broken boundaries, encodings and parameters; hostile nesting ends in bounded time."""

from __future__ import annotations

import time
from email import message_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.mailbox import RawMessage
from archive.message import ParsedMail, parse_mail
from archive.mime_parts import MAX_DEPTH, MAX_PARTS, MimeBoundError, parameters, parse_mime, read_headers
from archive.textforms import html_to_text

HEAD = b"From: a@x.example\nSubject: s\n"
MIXED = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n"
SECONDS = 20
"""What the slowest of these may take on a busy machine; each would take minutes if time were quadratic."""


def nested(levels: int) -> bytes:
    return HEAD + b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (level, level)
        for level in range(levels)
    )


def read(data: bytes) -> ParsedMail | str:
    started = time.perf_counter()
    parsed = parse_mail(RawMessage("box", "bytes", "box", data, "", len(data)))
    assert time.perf_counter() - started < SECONDS
    return parsed


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (nested(10_000), "too_nested"),
        (HEAD + b"Content-Type: message/rfc822\n\nFrom: x@y.example\n" * 10_000, "too_nested"),
        (MIXED + b"--b\n\nx\n" * 10_000, "too_many_parts"),
        (
            HEAD + b'Content-Type: multipart/mixed; boundary="b"\n\n--b\n' * 10_000,
            "too_many_parts",
        ),
        (
            HEAD + b"Content-Type: message/rfc822\n\nFrom: x@y.example\n" * 90 + b"x" * 20_000_000,
            "too_nested",
        ),
    ],
    ids=["nested", "enclosed", "flat", "one boundary on every level", "much on every level"],
)
def test_more_parts_than_a_mail_has_are_quarantined_in_bounded_time(data: bytes, reason: str) -> None:
    assert read(data) == reason


@pytest.mark.parametrize(
    "data",
    [
        nested(MAX_DEPTH - 5) + b"\nhello",
        HEAD + b"Content-Type: message/rfc822\n\nFrom: x@y.example\n" * (MAX_DEPTH - 5) + b"\nhello",
        MIXED + b"--b\n\nx\n" * (MAX_PARTS - 5),
    ],
    ids=["nested", "enclosed", "flat"],
)
def test_what_stays_below_the_bounds_is_read(data: bytes) -> None:
    parsed = read(data)
    assert isinstance(parsed, ParsedMail)
    assert parsed.body or parsed.attachments


HOSTILE = {
    "one header of 1 MB": HEAD + b"X-Long: " + b"a" * 1_000_000 + b"\n\nx",
    "one header on 300,000 lines": HEAD + b"X-Long: a\n" + b" b\n" * 300_000 + b"\nx",
    "100,000 headers": HEAD + b"X-A: a\n" * 100_000 + b"\nx",
    "addresses without end": HEAD + b"To: " + b"a@" * 500_000 + b"\n\nx",
    "commas": HEAD + b"To: " + b"a," * 100_000 + b"\n\nx",
    "quotation marks": HEAD + b"To: " + b'"' * 1_000_000 + b"\n\nx",
    "brackets": HEAD + b"To: " + b"<" * 1_000_000 + b"\n\nx",
    "comments": HEAD + b"To: " + b"(" * 1_000_000 + b"\n\nx",
    "a reference of 1 MB": HEAD + b"References: " + b"a" * 1_000_000 + b"@\n\nx",
    "encoded words": b"From: a@x.example\nSubject: " + b"=?utf-8?q?a?= " * 70_000 + b"\n\nx",
    "open encoded words": b"From: a@x.example\nSubject: " + b"=?utf-8?q?" * 100_000 + b"\n\nx",
    "prefixes": b"From: a@x.example\nSubject: " + b"Re: " * 250_000 + b"\n\nx",
    "parameters": HEAD + b"Content-Type: text/plain; " + b"a=b; " * 200_000 + b"\n\nx",
    "open parameters": HEAD + b"Content-Type: text/plain; " + b'a="' * 200_000 + b"\n\nx",
    "a charset that is a slow codec": HEAD + b"Content-Type: text/plain; charset=idna\n\n" + b"a." * 200_000,
    "boundaries within a line": MIXED + b"--b " * 500_000,
    "a boundary of one dash": HEAD + b'Content-Type: multipart/mixed; boundary="-"\n\n' + b"-" * 2_000_000,
    "nothing but zeros": b"\0" * 4_000_000,
    "padding": HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"=" * 4_000_000,
    "a date of 1 MB": HEAD + b"Date: " + b"1 " * 500_000 + b"\n\nx",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_headers_and_bodies_take_bounded_time(name: str) -> None:
    read(HOSTILE[name])


@pytest.mark.parametrize(
    "html",
    [
        "<" * 300_000,
        "<a " * 100_000,
        '<a "' * 100_000,
        "<!--" * 100_000,
        "<blockquote>" * 40_000,
        "<script>" * 40_000,
        "<title>" * 40_000,
        "&#" * 200_000,
        '<a b=">" ' * 40_000,
        "<p>" * 100_000,
    ],
    ids=lambda html: html[:8],
)
def test_hostile_html_takes_bounded_time(html: str) -> None:
    started = time.perf_counter()
    html_to_text(html)
    assert time.perf_counter() - started < SECONDS


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (b"--b\n\none\n--b\n\ntwo\n--b--\n", [b"one", b"two"]),
        (b"preamble\n--b\n\none\n--b\n\ntwo\n", [b"one", b"two\n"]),
        (b"--b\r\n\r\none\r\n--b--\r\nepilogue", [b"one"]),
        (b"--b  \n\none\n--b--", [b"one"]),
        (b"--bc\n\nnot it\n--b\n\none\n--b--", [b"one"]),
        (b"--b\n\n--b--", [b""]),
    ],
    ids=["closed", "open", "CRLF", "blanks behind", "longer name", "empty"],
)
def test_parts_lie_between_boundary_lines(body: bytes, texts: list[bytes]) -> None:
    assert [part.body for part in parse_mime(MIXED + body).children] == texts


@pytest.mark.parametrize(
    "content_type", [b"multipart/mixed", b"multipart/mixed; boundary=", b"multipart/mixed; boundary=other"]
)
def test_a_body_without_its_boundary_is_kept_as_text(content_type: bytes) -> None:
    tree = parse_mime(HEAD + b"Content-Type: " + content_type + b"\n\n--b\n\nwords\n--b--\n")
    assert tree.content_type == "text/plain"
    assert b"words" in tree.body


@pytest.mark.parametrize(
    ("encoding", "body", "data"),
    [
        ("quoted-printable", b"Caf=E9 =\nnow", b"Caf\xe9 now"),
        ("base64", b"aGVsbG8=\n", b"hello"),
        ("base64", b"aGVs\nbG8", b"hello"),
        ("BASE64 ", b"aGVsbG8", b"hello"),
        ("base64", b"!!aGVsbG8=!!", b"hello"),
        ("x-uuencode", b"begin 644 f\n%:&5L;&\\ \n`\nend\n", b"hello"),
        ("7bit", b"hello", b"hello"),
        ("unheard-of", b"hello", b"hello"),
    ],
)
def test_transfer_encodings_are_undone_where_they_can_be(encoding: str, body: bytes, data: bytes) -> None:
    assert parse_mime(HEAD + f"Content-Transfer-Encoding: {encoding}\n\n".encode() + body).data == data


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('text/plain; charset="utf-8"', {"charset": "utf-8"}),
        ("text/plain; charset=utf-8; format=flowed", {"charset": "utf-8", "format": "flowed"}),
        ('attachment; filename="a;b.txt"', {"filename": "a;b.txt"}),
        ('attachment; filename="a\\"b.txt"', {"filename": 'a"b.txt'}),
        ("attachment; filename*=utf-8''Pl%C3%A4ne.csv", {"filename": "Pläne.csv"}),
        ("attachment; filename*0=long-; filename*1=name.csv", {"filename": "long-name.csv"}),
        ("attachment; filename*0*=utf-8''Pl%C3%A4; filename*1=ne.csv", {"filename": "Pläne.csv"}),
        ("attachment; filename=bare name.csv", {"filename": "bare name.csv"}),
        ("attachment", {}),
    ],
)
def test_parameters_are_read_in_every_writing(written: str, expected: dict[str, str]) -> None:
    assert parameters(written) == expected


@pytest.mark.parametrize(
    ("data", "headers", "body"),
    [
        (b"A: 1\nB: 2\n\nbody", [("A", "1"), ("B", "2")], b"body"),
        (b"A: 1\r\n\tmore\r\n\r\nbody", [("A", "1 more")], b"body"),
        (b"A: 1\nno header\n\nbody", [("A", "1")], b"no header\n\nbody"),
        (b"From a@x.example Tue Mar 4\nA: 1\n\nbody", [("A", "1")], b"body"),
        (b"A : 1\n\nbody", [("A", "1")], b"body"),
        (b"\nbody", [], b"body"),
        (b"A: 1", [("A", "1")], b""),
    ],
)
def test_headers_end_at_an_empty_line_or_at_what_is_no_header(
    data: bytes, headers: list[tuple[str, str]], body: bytes
) -> None:
    found, start = read_headers(data)
    assert (list(found), data[start:]) == (headers, body)


WORDS = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=12)


@given(st.lists(WORDS, min_size=1, max_size=6), st.sampled_from([b"\n", b"\r\n"]))
def test_well_formed_mail_is_read_as_the_standard_library_reads_it(texts: list[str], end: bytes) -> None:
    data = (MIXED + b"".join(f"--b\n\n{text}\n".encode() for text in texts) + b"--b--\n").replace(b"\n", end)
    expected = [part.get_payload(decode=True) for part in message_from_bytes(data).get_payload()]  # type: ignore[union-attr]
    assert [part.data for part in parse_mime(data).children] == expected


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_but_the_bound(data: bytes) -> None:
    for head in (b"", HEAD, MIXED, HEAD + b"Content-Type: multipart/digest; boundary=\xff\n\n--\xff\n"):
        try:
            parse_mime(head + data)
        except MimeBoundError as error:
            assert error.reason in ("too_nested", "too_many_parts")
