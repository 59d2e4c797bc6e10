"""Mail in rows of CSV files: whole messages keep their bytes, columns become headers, nothing is lost."""

from __future__ import annotations

import csv
import email
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive import mailbox
from archive.mail_csv import read_mail_csv
from archive.mailbox import RawMessage
from archive.rejects import Reject

MAIL = 'Message-ID: <1@b.example>\nFrom: Änne <a@b.example>\nSubject: x\n\nHello, "Bob"\n\nbye\n'


def read(folder: Path, data: bytes, name: str = "mails.csv") -> list[RawMessage | Reject]:
    path = folder / name
    path.write_bytes(data)
    return list(read_mail_csv(path, folder))


def rows(*lines: list[str], delimiter: str = ",") -> str:
    whole = io.StringIO()
    csv.writer(whole, delimiter=delimiter).writerows(lines)
    return whole.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-8-sig"])
@pytest.mark.parametrize("header", [["file", "message"], ["Path", "Raw Message"]])
def test_whole_messages_keep_their_bytes(encoding: str, header: list[str], tmp_path: Path) -> None:
    text = rows(header, ["kern-a/sent/1.", MAIL], ["kern-a/inbox/2.", MAIL])
    messages = read(tmp_path, text.encode(encoding))
    assert [message for message in messages if isinstance(message, RawMessage)] == [
        RawMessage("mails.csv", f"row {number}", folder, data, "", len(data) + len(f"{folder}/1."))
        for number, folder in ((2, "kern-a/sent"), (3, "kern-a/inbox"))
        for data in [MAIL.encode(encoding.removesuffix("-sig"))]
    ]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), min_size=1, max_size=5))
def test_any_text_comes_back_from_the_message_column(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        mails = [f"Subject: x\n\n{text}" for text in texts]
        messages = read(Path(folder), rows(["file", "message"], *(["f", mail] for mail in mails)).encode())
        assert [message.data.decode() for message in messages if isinstance(message, RawMessage)] == mails


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_columns_become_a_message(delimiter: str, tmp_path: Path) -> None:
    text = rows(
        ["From", "To", "Subject", "Date Sent", "Body", "Folder", "Case No.", "Message ID"],
        [
            "Änne <a@b.example>",
            "b@b.example; c@b.example",
            "Hi",
            "2025-03-04 14:10",
            "Hello\nBob",
            "Sent",
            "17",
            "5@b",
        ],
        ["x@b.example", "", "", "", "", "", "", ""],
        delimiter=delimiter,
    )
    first, second = read(tmp_path, text.encode())
    assert isinstance(first, RawMessage)
    assert isinstance(second, RawMessage)
    assert first.mailbox == "Sent"
    assert (
        first.data
        == (
            "From: Änne <a@b.example>\nTo: b@b.example, c@b.example\nSubject: Hi\nDate: 2025-03-04 14:10\n"
            "Message-ID: <5@b>\nX-Folder: Sent\nX-Case-No: 17\nMIME-Version: 1.0\n"
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nHello\nBob"
        ).encode()
    )
    assert email.message_from_bytes(second.data)["From"] == "x@b.example"


def test_html_bodies_are_told_as_html(tmp_path: Path) -> None:
    text = rows(["from", "to", "body"], ["a@b.example", "c@b.example", "<html><p>Hi</p></html>"])
    (message,) = read(tmp_path, text.encode())
    assert isinstance(message, RawMessage)
    assert email.message_from_bytes(message.data).get_content_type() == "text/html"


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("", ["no_mail_columns"]),
        ("id,amount\n1,2\n", ["no_mail_columns"]),
        ("file,message\na\na,b,c\n", ["wrong_width", "wrong_width"]),
        ("file,message\na,just words\n", ["no_headers"]),
        ("file,message\n\n,\n", []),
    ],
)
def test_what_is_no_mail_is_rejected(text: str, reasons: list[str], tmp_path: Path) -> None:
    assert [item.reason for item in read(tmp_path, text.encode()) if isinstance(item, Reject)] == reasons


def test_an_endless_cell_ends_the_file_with_a_reject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "MAX_MESSAGE", 1_000)
    good = rows(["file", "message"], ["a/1", MAIL])
    for endless in ('b/2,"' + "x" * 5_000, 'b/2,"' + "x\n" * 5_000):
        first, last = read(tmp_path, (good + endless).encode())
        assert isinstance(first, RawMessage)
        assert isinstance(last, Reject)
        assert last.reason in ("unreadable_record", "too_large")
