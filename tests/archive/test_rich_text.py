"""Rich text, and Outlook's compressed form of it: read as the established library reads it."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from striprtf.striprtf import rtf_to_text

from archive.rich_text import decompressed_rtf, rich_text

LIMIT = 1_000_000


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (rb"{\rtf1\ansi Hello\par you}", "Hello\nyou"),
        (rb"{\rtf1\ansi\ansicpg1252 Gr\'fc\'dfe}", "Grüße"),
        (rb"{\rtf1\ansi{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset238 CE;}}\f0 a{\f1 \'b9}\'b9}", "aą¹"),
        (rb"{\rtf1\ansi\uc1 \u8364?5 \u-10179?\u-8704?}", "€5 \U0001f600"),
        (rb"{\rtf1{\*\generator X;}{\info{\author Y}}{\pict\bin4 {}}}}text}", "text"),
        (rb"{\rtf1 {\field{\*\fldinst HYPERLINK x}{\fldrslt link}} end}", "link end"),
        (rb"{\rtf1 a\tab b\cell c\row d\~e\-f\{g\}}", "a\tb\tc\nd\xa0ef{g}"),
        (rb"{\rtf1 a}}}} b", "a"),
        (b"{\\rtf1 a\r\nb\\\nc}", "ab\nc"),
        (b"", ""),
    ],
)
def test_text_is_what_a_reader_would_see(rtf: bytes, text: str) -> None:
    assert rich_text(rtf, LIMIT).strip("\n") == text.strip("\n")


PIECES = ["word", " ", r"\par ", r"\b bold\b0 ", r"{\i group}", r"\'e4", r"\tab ", r"\u228?"]


@given(st.lists(st.sampled_from(PIECES)))
def test_ordinary_text_is_read_as_the_library_reads_it(pieces: list[str]) -> None:
    rtf = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}}\f0 " + "".join(pieces) + "}"
    assert rich_text(rtf.encode(), LIMIT) == rtf_to_text(rtf)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("packed", "rtf"),
    [
        (
            "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c0900206277"
            "05b06c647d0a800fa0",
            b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n",
        ),
        (
            "1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0",
            b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}",
        ),
    ],
)
def test_compressed_text_is_that_of_the_specification(packed: str, rtf: bytes) -> None:
    assert decompressed_rtf(bytes.fromhex(packed), LIMIT) == rtf


@given(st.binary(max_size=200), st.integers(0, 300))
def test_stored_text_is_given_back_and_damage_is_a_value_error(data: bytes, limit: int) -> None:
    stored = struct.pack("<4I", len(data) + 12, len(data), 0x414C454D, 0) + data
    assert decompressed_rtf(stored, limit) == data[:limit]
    for kind in (0x75465A4C, 0):
        try:
            result = decompressed_rtf(struct.pack("<4I", 0, 1_000, kind, 0) + data, limit)
        except ValueError:
            continue
        assert len(result) <= limit


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(rich_text(b"{\\rtf1 " + data, 100), str)


def test_text_ends_near_the_bound() -> None:
    assert len(rich_text(b"{\\rtf1 " + b"x\\par " * 10_000, 1_000)) < 1_100
