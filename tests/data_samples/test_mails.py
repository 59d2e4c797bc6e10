"""The mails come in the shapes that real mailboxes hold: files, encodings, quotes, attachments, faults."""

from __future__ import annotations

import email
import email.policy
import hashlib
import io
import mailbox
import re
import zipfile
from collections import Counter
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pytest

QUOTES = {
    "gmail": r"^On \w{3}, \w{3} \d+, \d{4} at \d+:\d\d [AP]M .* wrote:$",
    "apple": r"^On \d+ \w{3} \d{4}, at \d\d:\d\d, .* wrote:$",
    "outlook": r"^-----Original Message-----\nFrom: .*\nSent: .*\nTo: ",
    "outlook_html": r"^_{32}\nFrom: .*\nSent: .*\nTo: ",
    "outlook_german": r"^-----Ursprüngliche Nachricht-----\nVon: .*\nGesendet: .*\nAn: .*\nBetreff: ",
    "german": r"^Am \d\d\.\d\d\.\d{4} um \d\d:\d\d schrieb .*:$",
    "forward": r"^---------- Forwarded message ---------\nFrom: ",
}


@pytest.fixture(scope="module")
def parts(archive: Any) -> list[EmailMessage]:
    return [part for message in archive.whole for part in message.walk()]


@pytest.mark.parametrize("form", QUOTES)
def test_each_form_of_quoting_occurs(archive: Any, form: str) -> None:
    hits = [key for key in archive.truth("messages") if re.search(QUOTES[form], archive.texts[key], re.M)]
    assert len(hits) >= 3


def test_some_answer_between_the_quoted_lines(archive: Any) -> None:
    texts = [archive.texts[key] for key in archive.truth("messages")]
    between = [
        text for text in texts if re.search(r"wrote:\n>.*\n\n[^>]", text, re.S) and re.search(r"\n>.*$", text)
    ]
    assert len(between) >= 3


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("text/html", 60),
        ("multipart/alternative", 60),
        ("multipart/related", 3),
        ("multipart/report", 5),
        ("message/delivery-status", 5),
        ("message/rfc822", 3),
        ("text/calendar", 100),
        ("application/pdf", 30),
        ("text/csv", 5),
        ("text/plain", 1000),
        ("application/zip", 3),
        ("image/png", 3),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 8),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", 5),
    ],
)
def test_each_kind_of_part_occurs(parts: list[EmailMessage], kind: str, least: int) -> None:
    assert sum(part.get_content_type() == kind for part in parts) >= least


def test_each_charset_and_transfer_encoding_occurs(parts: list[EmailMessage]) -> None:
    texts = [part for part in parts if part.get_content_maintype() == "text"]
    charsets = Counter(str(part.get_content_charset()) for part in texts)
    assert {"utf-8", "us-ascii", "iso-8859-1", "windows-1252", "utf-16"} <= set(charsets)
    ways = {str(part.get("Content-Transfer-Encoding", "")).lower() for part in texts}
    assert {"7bit", "8bit", "quoted-printable", "base64"} <= ways


def test_html_stands_alone_and_beside_plain_text(archive: Any) -> None:
    shapes = Counter(mail["shape"] for mail in archive.truth("messages").values())
    assert shapes["html"] >= 30 and shapes["alternative"] >= 60


def test_files_have_names_in_both_header_forms(archive: Any) -> None:
    raw = b"".join(content for _, content in archive.raw)
    assert re.search(rb'filename="=\?utf-8\?B\?', raw)
    assert re.search(rb"filename\*=utf-8''", raw)
    assert re.search(rb"filename\*0\*=utf-8''", raw)


def test_attached_office_files_open(parts: list[EmailMessage]) -> None:
    opened: Counter[str] = Counter()
    for part in parts:
        name = part.get_filename() or ""
        if name.endswith((".xlsx", ".docx", ".zip")):
            content = part.get_content()
            if name.endswith(".xlsx"):
                assert openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]["A1"].value
            elif name.endswith(".docx"):
                assert docx.Document(io.BytesIO(content)).paragraphs[0].text
            else:
                assert any(
                    member.endswith(".csv") for member in zipfile.ZipFile(io.BytesIO(content)).namelist()
                )
            opened[name[-4:]] += 1
    assert len(opened) == 3


def test_invitations_are_sent_changed_answered_and_withdrawn(parts: list[EmailMessage]) -> None:
    texts = [part.get_content() for part in parts if part.get_content_type() == "text/calendar"]
    methods = Counter(re.findall(r"METHOD:(\w+)", "".join(texts)))
    assert set(methods) == {"REQUEST", "CANCEL", "REPLY"}
    assert {"0", "1", "2"} <= {number for text in texts for number in re.findall(r"SEQUENCE:(\d)", text)}
    zones = {zone for text in texts for zone in re.findall(r"DTSTART;TZID=([^:]+):", text)}
    assert zones == {"Eastern Standard Time", "W. Europe Standard Time"} or zones == {"Eastern Standard Time"}
    assert any("PARTSTAT=DECLINED" in text for text in texts)


def test_ten_mailboxes_in_three_shapes(archive: Any) -> None:
    sources = archive.truth("counts")["mails"]["by_source"]
    assert set(sources) == {"mail", "mail-maildir", "mail-eml"} and min(sources.values()) >= 40
    assert len(archive.truth("counts")["mails"]["mailboxes"]) == 10
    trees = [name for name in archive.files if "/eml/" in name]
    assert {"Inbox", "Sent Items", "Complaints"} == {name.split("/")[4] for name in trees}
    assert all(b"\n" not in archive.files[name].replace(b"\r\n", b"") for name in trees)


def test_the_maildir_is_one_that_the_standard_library_reads(archive: Any, tmp_path: Path) -> None:
    for name, content in archive.files.items():
        if name.startswith("archive/mail/maildir/"):
            path = tmp_path / name.partition("maildir/")[2]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    box = mailbox.Maildir(tmp_path / "wmay", create=False)
    assert len(list(box)) == archive.truth("counts")["mails"]["mailboxes"]["wmay"]
    flags = Counter(message.get_flags() for message in box)
    assert {"S", "RS", "FS"} <= set(flags)


def test_copies_differ_in_their_bytes_as_the_key_says(archive: Any) -> None:
    by_id: dict[str, dict[str, bytes]] = {}
    for login, raw in archive.raw:
        key = str(email.message_from_bytes(raw, policy=email.policy.default).get("Message-ID", "")).strip(
            "<>"
        )
        by_id.setdefault(key, {})[login] = raw.rstrip(b"\r\n")
    ways: Counter[str] = Counter()
    for key, mail in archive.truth("messages").items():
        for copy in mail["copies"]:
            first, second = by_id[key][mail["mailboxes"][0]], by_id[key][copy["mailbox"]]
            same = hashlib.sha256(first).digest() == hashlib.sha256(second).digest()
            assert same is (copy["bytes"] == "equal"), (key, copy)
            if copy["bytes"] == "received":
                assert second.startswith(b"Received: from ")
            ways[copy["bytes"]] += 1
    assert set(ways) == {"delivered", "received", "equal", "line_ends", "reencoded"}
    assert dict(ways) == archive.truth("counts")["mails"]["duplicates_by_kind"]


def test_each_kind_of_broken_message_is_there_once(archive: Any) -> None:
    kinds = Counter(entry["kind"] for entry in archive.truth("counts")["broken"])
    assert set(kinds.values()) == {1}
    assert {"nested_too_deep", "zip_traversal", "no_date", "garbage_between", "impossible_date"} <= set(kinds)
    deep = next(raw for _, raw in archive.raw if b"<deep." in raw)
    assert deep.count(b"Content-Type: multipart/mixed") == 250
    hostile = next(found[0] for key, found in archive.stored.items() if key.startswith("trav."))
    packed = next(part for part in hostile.walk() if part.get_filename() == "plan.zip")
    assert "../../evil.txt" in zipfile.ZipFile(io.BytesIO(packed.get_content())).namelist()


def test_ten_colleagues_write_in_ten_ways(archive: Any) -> None:
    """Length, greeting and sign-off of the own words differ between any two of them."""
    habits: dict[str, tuple[str, str]] = {}
    for key, mail in archive.truth("messages").items():
        address = str(archive.stored[key][0]["From"]).rpartition("<")[2].rstrip(">")
        login = archive.logins.get(address)
        if login and mail["kind"] not in ("auto_reply", "forward") and mail["language"] == "en":
            lines = [line for line in archive.texts[key].split("\n") if line]
            greeting = re.sub(r"[A-ZÄÖÜ][\w'-]+", "N", lines[0], count=3)
            habits.setdefault(login, (greeting[:14], lines[2][:6] if len(lines) > 2 else ""))
    assert len(habits) >= 12
    greetings = {greeting for greeting, _ in habits.values()}
    assert len(greetings) >= 8


def test_german_is_written_to_german_customers_only(archive: Any) -> None:
    people = archive.truth("entities")["persons"]
    companies = archive.truth("entities")["companies"]
    german = [key for key, mail in archive.truth("messages").items() if mail["language"] == "de"]
    assert len(german) >= 25
    for key in german:
        line = str(archive.stored[key][0]["To"]) + str(archive.stored[key][0]["From"])
        assert any(
            company["domain"] in line for company in companies.values() if company["domain"].endswith(".de")
        )
        assert re.search(r"Guten Tag (Herr|Frau) ", archive.texts[key])
    assert people
