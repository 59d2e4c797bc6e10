"""Encodings, dialects and headers are told from the first lines alone."""

from __future__ import annotations

import polars as pl
import pytest

from archive.dialects import Dialect, find_dialect, float_ids, sniff_delimiter
from archive.encodings import decode_single, guess_encoding, repaired_utf8
from archive.headers import find_header

GERMAN = "Straße;Größe;Müller;Köln;Überweisung;Äpfel\nJörg Weiß;Café;François;España\n"


@pytest.mark.parametrize(
    ("data", "encoding", "mark"),
    [
        (b"a,b\n", "utf-8", 0),
        (GERMAN.encode(), "utf-8", 0),
        (b"\xef\xbb\xbfa", "utf-8", 3),
        ("a,b\n".encode("utf-16-le"), "utf-16-le", 0),
        ("a,b\n".encode("utf-16-be"), "utf-16-be", 0),
        (b"\xff\xfe" + "a".encode("utf-16-le"), "utf-16-le", 2),
        (GERMAN.encode("cp1252"), "cp1252", 0),
        (GERMAN.encode("latin-1"), "cp1252", 0),
        (GERMAN.encode("cp437", "replace"), "cp437", 0),
        (GERMAN.encode("mac_roman"), "mac_roman", 0),
        ("price 5 €, “quoted” – dash".encode("cp1252"), "cp1252", 0),
        ("дом;улица;город\nМосква;Тверская;Казань\n".encode("cp1251"), "cp1251", 0),
        (GERMAN.encode()[:-1] + "ü".encode()[:1], "utf-8", 0),
    ],
)
def test_the_encoding_is_guessed_from_the_bytes(data: bytes, encoding: str, mark: int) -> None:
    assert guess_encoding(data) == (encoding, mark)


def test_bytes_that_an_encoding_does_not_define_are_kept() -> None:
    assert decode_single(b"a\x81\x80", "cp1252") == "a\x81€"
    assert repaired_utf8("é\n".encode() + b"\xe9\n") == "é\né\n".encode()


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("a,b\n1,2\n", Dialect()),
        ("a;b\n1,5;2,5\n", Dialect(";")),
        ("1,5;2,5\n3,5;4,5\n", Dialect(";")),
        ("a+|b\n1+|2|3\n", Dialect("+|")),
        ("a||b\n1||\n||2\n", Dialect("||")),
        ("a~|~b\n1~|~2\n", Dialect("~|~")),
        ("a|b\n1|2\n", Dialect("|")),
        ('a,b\n"x\\"y",2\n', Dialect(escape="\\")),
        ('a,b\n"x,2\n3,4\n5,6\n', Dialect(quote="")),
        ("'a','b'\n'1','2'\n'3','4'\n", Dialect(quote="'")),
        ("----\n|a|b|\n----\n|1|2|\n----\n", Dialect("|", "", "", True)),
        ("name\nx\n", Dialect()),
        ("", Dialect()),
    ],
)
def test_the_dialect_is_the_one_under_which_records_fit(text: str, dialect: Dialect) -> None:
    assert find_dialect(text) == dialect
    assert sniff_delimiter(text) == dialect.delimiter


@pytest.mark.parametrize(
    ("records", "titles", "names", "present", "trailing"),
    [
        ([["id", "n"], ["1", "2"]], 0, ("id", "n"), True, False),
        ([["1", "x"], ["2", "y"]], 0, ("", ""), False, False),
        ([["a", "b"], ["x", "y"], ["z", "w"]], 0, ("a", "b"), True, False),
        ([["won", "x"], ["lost", "x"], ["won", "y"]], 0, ("", ""), False, False),
        ([["a", "b"], ["a", "b"], ["x", "y"]], 0, ("a", "b"), True, False),
        ([["Report", "", ""], ["id", "name", "sum"], ["1", "x", "5"]], 1, ("id", "name", "sum"), True, False),
        ([["a", "b", ""], ["1", "2", ""], ["3", "4", ""]], 0, ("a", "b"), True, True),
        ([["a", "b", ""], ["1", "2", ""], ["3", "4", "x"]], 0, ("a", "b", ""), True, False),
        ([["key", "to", "1"], ["A-1", "B-2", "1"], ["A-2", "B-3", "1"]], 0, ("key", "to", "1"), True, False),
        ([], 0, (), True, False),
    ],
)
def test_the_header_is_found(
    records: list[list[str]], titles: int, names: tuple[str, ...], present: bool, trailing: bool
) -> None:
    assert find_header(records) == (titles, names, present, trailing)


@pytest.mark.parametrize(
    ("values", "floats"),
    [
        (["1500000001.0", None, "1500000002.0"], True),
        (["1.5", "2.0"], False),
        (["1", "2"], False),
        ([None], False),
    ],
)
def test_ids_turned_to_floats_are_known(values: list[str | None], floats: bool) -> None:
    assert float_ids(pl.Series(values, dtype=pl.String)) is floats
