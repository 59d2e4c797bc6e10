"""Maildir: delivered messages with their mailbox and marks, nothing that is still being written."""

from __future__ import annotations

from pathlib import Path

import pytest

from archive.formats import MAIL, source_files
from archive.mail_maildir import read_maildir
from archive.mailbox import RawMessage
from contracts.manifest import Source


def test_messages_of_all_folders_are_found_and_those_being_written_are_not(tmp_path: Path) -> None:
    for name in (
        "ann/cur/1:2,S",
        "ann/new/2",
        "ann/tmp/3",
        "ann/.Sent/cur/4:2,",
        "ann/.Work.2025/new/5",
        "ann/dovecot",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"Subject: x\n\ny\n")
    source = Source.model_validate({"name": "mail", "kind": "mail", "format": "maildir", "path": "."})
    files = source_files(source, tmp_path, MAIL["maildir"].patterns)
    messages = [message for file in files for message in read_maildir(file, tmp_path)]
    assert [(m.path, m.mailbox, m.flags) for m in messages if isinstance(m, RawMessage)] == [
        ("ann/.Sent/cur/4:2,", "ann/Sent", ""),
        ("ann/.Work.2025/new/5", "ann/Work/2025", ""),
        ("ann/cur/1:2,S", "ann", "S"),
        ("ann/new/2", "ann", ""),
    ]


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("1700000000.M1P2.host:2,FRS", "FRS"),
        ("1700000000.M1P2.host,S=120,W=125:2,Sa", "Sa"),
        ("1700000000.M1P2.host;2,S", "S"),
        ("1700000000.M1P2.host!2,DT", "DT"),
        ("1700000000.M1P2.host:1,x", ""),
        ("1700000000.M1P2.host", ""),
    ],
)
def test_flags_stand_at_the_end_of_the_name(name: str, flags: str, tmp_path: Path) -> None:
    path = tmp_path / "cur" / name
    path.parent.mkdir()
    path.write_bytes(b"Subject: x\n\ny\n")
    (message,) = read_maildir(path, tmp_path)
    assert isinstance(message, RawMessage)
    assert (message.flags, message.mailbox) == (flags, "INBOX")
