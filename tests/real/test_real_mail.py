"""Real mail containers are split as their publishers counted them, and no attachment of them raises."""

from __future__ import annotations

import email
import os
from email.message import Message
from pathlib import Path

import pytest

from archive.attachment_text import AttachmentText, attachment_text
from archive.formats import MAIL
from archive.mail_msg import read_msg
from archive.mailbox import RawMessage, mbox_ranges, read_mbox, read_mbox_range
from archive.message import parse_mail

REAL = Path(os.environ.get("RL_DOJO_REAL_DATA", "missing"))
pytestmark = pytest.mark.skipif(
    not REAL.is_dir(), reason="RL_DOJO_REAL_DATA is not set: real data is not here"
)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("maven-dev-2017-11-mailarchivesao", 317),
        ("maven-dev-2017-11-mboxvm", 317),
        ("maven_duplicates_2017_listsao_1", 10),
        ("maven_duplicates_2017_listsao_2", 10),
        ("maven_duplicates_2017_mboxvm", 10),
        ("nexus-html-only", 3),
        ("empty_body", 1),
        ("no_date", 1),
        ("text_enriched", 1),
    ],
)
def test_list_archives_have_as_many_messages_as_are_published(name: str, count: int) -> None:
    path = REAL / "apache_mbox" / f"{name}.mbox"
    messages = list(read_mbox(path, REAL))
    assert len(messages) == count
    assert all(isinstance(message, RawMessage) for message in messages)
    assert sum(
        b"\nFrom: " in b"\n" + message.data for message in messages if isinstance(message, RawMessage)
    ) == (count if name != "no_date" else 0)
    for size in (10_000, 1_000_000):
        parts = [m for start, end in mbox_ranges(path, size) for m in read_mbox_range(path, REAL, start, end)]
        assert parts == messages


def expected(folder: str) -> tuple[dict[str, str], list[str]]:
    """Headers and words of a mail as the publisher of the .msg file reads it."""
    text = (REAL / "outlook_msg_pst/extract-msg/expected-outputs" / folder / "message.text").read_text(
        "utf-8"
    )
    head, _, body = text.partition("-----------------")
    lines = (line.partition(":") for line in head.splitlines() if ":" in line)
    return {name.lower(): value.strip() for name, _, value in lines}, body.split()


def words(mail: Message) -> list[str]:
    part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode().split()


@pytest.mark.parametrize(
    ("name", "folder", "files"),
    [
        ("unicode.msg", "2013-11-18_0026 Test for TIF files", 2),
        ("strangeDate.msg", "2016-02-23_0657 MSG Test File", 0),
    ],
)
def test_outlook_items_are_read_as_published(name: str, folder: str, files: int) -> None:
    headers, text = expected(folder)
    (raw,) = read_msg(REAL / "outlook_msg_pst/extract-msg" / name, REAL)
    assert isinstance(raw, RawMessage)
    mail = email.message_from_bytes(raw.data)
    assert mail["Subject"] == headers["subject"]
    assert headers["to"].split(" <")[0] in mail["To"]
    assert headers["from"] in (mail["From"] or "")
    # The publisher's times are those of his own machine's zone, eight hours behind.
    assert headers["date"].split()[2:4] == mail["Date"].split()[2:4]
    assert headers["date"].split()[4][2:] == mail["Date"].split()[4][2:]
    assert words(mail) == text
    assert sum(part.get_filename() is not None for part in mail.walk()) == files


def test_no_mail_container_raises_on_the_worst_mails_of_other_projects() -> None:
    paths = [path for path in sorted((REAL / "email_edgecases").rglob("*")) if path.is_file()]
    assert len(paths) > 100
    for path in paths:
        for form in MAIL.values():
            assert form.messages is not None
            for raw in form.messages(path, REAL):
                if isinstance(raw, RawMessage) and form.name == "eml":
                    parse_mail(raw)


def test_no_attachment_of_a_real_mail_raises() -> None:
    read = faults = 0
    folders = (REAL / "email_edgecases", REAL / "apache_mbox")
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        for raw in read_mbox(path, REAL):
            if isinstance(raw, RawMessage):
                found = attachment_text("mail.eml", "message/rfc822", raw.data)
                assert isinstance(found, AttachmentText)
                read += 1
                faults += bool(found.fault)
    assert read > 700
    assert faults < read // 50
