"""Mail written back: same messages and structure, valid MIME, every container; only clean words leave."""

from __future__ import annotations

import email
import mailbox
import re
from email import policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from archive.export_attachments import PLACEHOLDER
from tests.archive.export_trips import CLEAN, REAL, Trip

HIDDEN = b"Xanthippe"
"""Stands only where no canonical cell is made of it."""


def rich(number: int = 1) -> EmailMessage:
    """A mail with both texts, an image within, a table, a PDF and headers of its own."""
    message = EmailMessage()
    message["Received"] = "from mx.example by mail.example; Mon, 6 May 2024 09:00:01 +0200"
    message["From"] = f"{REAL} Weiß <{REAL.lower()}.weiss@acme.com>"
    message["To"] = '"Müller, Jörg" <joerg@other.example>, ann@other.example'
    message["Subject"] = f"Angebot für {REAL} – Nr. {number}"
    message["Date"] = "Mon, 06 May 2024 09:00:00 +0200"
    message["Message-ID"] = f"<m{number}@acme.com>"
    message["References"] = "<m0@acme.com>"
    message["X-Mailer"] = f"Mailer of {REAL}"
    message.set_content(
        f"Hallo Jörg,\n\nanbei das Angebot.\n\nFrom here it is easy.\n\n-- \n{REAL} Weiß\nAcme\n"
    )
    message.add_alternative(
        f"<html><body><p>Hallo Jörg,</p><!-- {HIDDEN.decode()} --></body></html>", subtype="html"
    )
    html = message.get_payload()[1]
    html.add_related(b"\x89PNG" + HIDDEN, "image", "png", cid=f"<{HIDDEN.decode()}>")
    message.add_attachment(f"Kunde;Betrag\n{REAL};12,50\n".encode(), "text", "csv", filename=f"{REAL}.csv")
    message.add_attachment(b"%PDF-1.4 " + HIDDEN, "application", "pdf", filename="größe.pdf")
    message.preamble = HIDDEN.decode()
    return message


def answered() -> bytes:
    """A plain answer with words between quoted lines."""
    return (
        b"From: Ann <ann@other.example>\nTo: joerg@acme.com\nSubject: Re: Angebot\n"
        b"Date: Tue, 07 May 2024 10:00:00 +0000\nMessage-ID: <m9@other.example>\n"
        b"In-Reply-To: <m1@acme.com>\nReferences: <m0@acme.com> <m1@acme.com>\n\n"
        b"Hi,\n\n> first question\n\nYes.\n\n> second question\n\nNo, " + REAL.encode() + b" knows.\n"
    )


def invitation() -> EmailMessage:
    """An invitation of one hour in a zone."""
    message = EmailMessage()
    message["From"], message["To"] = "ann@other.example", "joerg@acme.com"
    message["Subject"], message["Message-ID"] = "Termin", "<inv@other.example>"
    message["Date"] = "Tue, 07 May 2024 12:00:00 +0000"
    message.set_content("Bitte kommen.\n")
    calendar = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:u1@other.example\r\n"
        "SEQUENCE:2\r\nDTSTART;TZID=Europe/Berlin:20240513T140000\r\nDTEND;TZID=Europe/Berlin:20240513T150000\r\n"
        f"ORGANIZER;CN={REAL}:mailto:ann@other.example\r\nATTENDEE;CN=Jörg:mailto:joerg@acme.com\r\n"
        f"SUMMARY:Kaffee\\, {REAL}\r\nDESCRIPTION:Zeile 1\\nZeile 2\r\nLOCATION:Raum 5\r\n"
        f"X-NOTE:{HIDDEN.decode()}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    message.add_alternative(calendar, subtype="calendar", params={"method": "REQUEST"})
    return message


def forwarding() -> EmailMessage:
    """A mail that holds another one."""
    message = EmailMessage()
    message["From"], message["To"] = "ann@other.example", "joerg@acme.com"
    message["Subject"], message["Message-ID"] = "Fwd: Angebot", "<fwd@other.example>"
    message["Date"] = "Wed, 08 May 2024 12:00:00 +0000"
    message.set_content("siehe unten\n")
    inner = EmailMessage()
    inner["From"], inner["To"] = f"{REAL} <r@acme.com>", "ann@other.example"
    inner["Subject"], inner["Message-ID"] = "Preise für Mai", "<inner@acme.com>"
    inner["Date"] = "Mon, 06 May 2024 08:00:00 +0200"
    inner.set_content("Die Preise.\n")
    inner.add_attachment(b"a,b\n1,2\n", "text", "csv", filename="preise.csv")
    message.add_attachment(inner)
    return message


MAILS = [rich(1).as_bytes(), answered(), invitation().as_bytes(), forwarding().as_bytes(), rich(2).as_bytes()]
MBOX = "{name: mail, kind: mail, format: mbox, path: mail/*.mbox}"


def mbox_of(mails: list[bytes], line: bytes = b"From x@y.example Mon May  6 09:00:00 2024") -> bytes:
    """An mbox whose lines "From " are escaped once more."""
    escaped = [re.sub(rb"(?m)^(>*From )", rb">\1", mail.replace(b"\r\n", b"\n")) for mail in mails]
    return b"".join(line + b"\n" + mail.rstrip(b"\n") + b"\n\n" for mail in escaped)


@pytest.fixture(scope="module")
def trip(tmp_path_factory: pytest.TempPathFactory) -> Trip:
    """All kinds of mail in two mailboxes; the second holds copies of two."""
    copies = mbox_of([MAILS[1], MAILS[3]])
    files = {f"mail/{REAL.lower()}.mbox": mbox_of(MAILS), "mail/ann.mbox": copies}
    return Trip(tmp_path_factory.mktemp("mbox"), files, [MBOX])


@pytest.mark.parametrize("table", ["messages", "calendar_items"])
def test_the_same_mails_are_read_again(trip: Trip, table: str) -> None:
    clean, read = trip.same(table)
    assert clean.to_dicts() == read.to_dicts()


def test_the_same_files_travel_with_them(trip: Trip) -> None:
    told = {"clean": trip.same("attachments")[0], "read": trip.same("attachments")[1]}
    texts = {
        side: sorted(re.sub(r'boundary="[^"]*"', "", text) for text in frame["text"] if text)
        for side, frame in told.items()
    }
    notes = [text for text in texts["read"] if text == PLACEHOLDER]
    assert len(notes) == 4 and told["clean"].height == told["read"].height
    assert texts["clean"] == [text for text in texts["read"] if text != PLACEHOLDER]


def test_copies_are_counted_as_before(trip: Trip) -> None:
    assert trip.first.sources == trip.second.sources
    assert trip.first.sources[0].duplicates == 2


def test_mailboxes_bear_their_clean_names(trip: Trip) -> None:
    assert sorted(path.name for path in (trip.out / "mail").iterdir()) == [
        "ann.mbox",
        f"{CLEAN.lower()}.mbox",
    ]


def test_every_message_is_valid_mime_of_the_same_tree(trip: Trip) -> None:
    found = list(mailbox.mbox(trip.out / "mail" / f"{CLEAN.lower()}.mbox"))
    assert len(found) == len(MAILS)
    for raw, box in zip(MAILS, found, strict=True):
        old = email.message_from_bytes(raw, policy=policy.default)
        new = email.message_from_bytes(box.as_bytes(), policy=policy.default)
        assert all(not part.defects for part in new.walk())
        assert all(not getattr(value, "defects", ()) for value in new.values())
        kinds = [part.get_content_type() for part in old.walk()]
        left = ["text/plain" if kind in ("image/png", "application/pdf") else kind for kind in kinds]
        assert [part.get_content_type() for part in new.walk()] == left
        assert [name for name, _ in old.items() if name != "Content-Disposition"] == list(new.keys())


def test_headers_and_names_are_readable_by_the_library(trip: Trip) -> None:
    first = next(iter(mailbox.mbox(trip.out / "mail" / f"{CLEAN.lower()}.mbox")))
    message = email.message_from_bytes(first.as_bytes(), policy=policy.default)
    assert message["Subject"] == f"Angebot für {CLEAN} – Nr. 1"
    assert [str(box) for box in message["To"].addresses] == [
        '"Müller, Jörg" <joerg@other.example>',
        "ann@other.example",
    ]
    assert [part.get_filename() for part in message.iter_attachments()] == [f"{CLEAN}.csv", "größe.pdf.txt"]


def test_nothing_leaves_that_replacement_did_not_see(trip: Trip) -> None:
    written = trip.bytes()
    assert HIDDEN not in written and REAL.encode() not in written
    for message in mailbox.mbox(trip.out / "mail" / f"{CLEAN.lower()}.mbox"):
        for part in message.walk():
            content = part.get_payload(decode=True) or b""
            assert HIDDEN not in content and REAL.encode() not in content
    assert trip.report.sources[0].left_out["attachments as placeholder"] == 4


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("dialect", ["mboxrd", "mboxo", "mboxcl", "mboxcl2"])
def test_dialects_of_mailboxes_are_kept(tmp_path: Path, dialect: str, ending: bytes) -> None:
    body = b"Hello\n\nFrom now on all is well, and\n>From there it was.\n\nBye\n"
    written = {
        "mboxrd": body.replace(b">From", b">>From").replace(b"\nFrom", b"\n>From"),
        "mboxo": body.replace(b"\nFrom", b"\n>From"),
        "mboxcl": body.replace(b"\nFrom", b"\n>From"),
        "mboxcl2": body,
    }[dialect].replace(b"\n", ending)
    stated = b"Content-Length: %d\n" % len(written) if dialect.startswith("mboxcl") else b""
    head = (
        b"From: a@x.example\nTo: b@x.example\nSubject: %d\nDate: Mon, 06 May 2024 09:00:00 +0200\n" + stated
    )
    line = b"From a@x.example Mon May  6 07:00:00 2024\n"
    data = b"".join((line + head % n + b"\n").replace(b"\n", ending) + written + ending for n in (1, 2))
    trip = Trip(tmp_path, {"mail/a.mbox": data}, [MBOX])
    assert trip.first.sources == trip.second.sources
    assert trip.first.sources[0].kept == 2
    clean, read = trip.same("messages", ("other_headers",))
    assert clean.to_dicts() == read.to_dicts()
    again = (trip.out / "mail/a.mbox").read_bytes()
    assert (b"\n>From now" in again) == (dialect != "mboxcl2")
    assert (b"Content-Length: " in again) == dialect.startswith("mboxcl")
    assert (b"\r\n" in again) == (ending == b"\r\n")


def test_single_mails_and_maildirs_keep_their_folders(tmp_path: Path) -> None:
    files = {
        f"eml/{REAL}/Inbox/0001.eml": MAILS[0],
        f"eml/{REAL}/Sent Items/0002.eml": MAILS[1],
        f"md/{REAL.lower()}/cur/1714.M1P1.{HIDDEN.decode()},S=9:2,RS": MAILS[2],
        f"md/{REAL.lower()}/.Sent/new/1715.M2P1.host,S=9": MAILS[3],
    }
    sources = [
        "{name: single, kind: mail, format: eml, path: eml}",
        "{name: dirs, kind: mail, format: maildir, path: md}",
    ]
    trip = Trip(tmp_path, files, sources)
    assert trip.first.sources == trip.second.sources
    clean, read = trip.same("messages")
    assert clean.to_dicts() == read.to_dicts()
    names = sorted(path.relative_to(trip.out).as_posix() for path in trip.out.rglob("*") if path.is_file())
    assert f"single/{CLEAN}/Inbox/0001.eml" in names
    assert any(name.startswith(f"dirs/{CLEAN.lower()}/cur/") and name.endswith(":2,RS") for name in names)
    assert any(name.startswith(f"dirs/{CLEAN.lower()}/.Sent/new/") for name in names)
    assert HIDDEN not in trip.bytes()


def test_dumps_of_mail_keep_their_columns(tmp_path: Path) -> None:
    import csv
    import io

    whole, columns = io.StringIO(), io.StringIO()
    csv.writer(whole).writerows(
        [
            ("file", "message"),
            (f"{REAL.lower()}/sent/1.", answered().decode()),
            ("ann/inbox/2.", MAILS[3].decode()),
        ]
    )
    csv.writer(columns, delimiter=";").writerows(
        [
            ("Date", "From", "To", "Subject", "Body"),
            ("2024-05-06 09:00:00", "a@x.example", "b@x.example", "Hi", REAL),
        ]
    )
    files = {"dump/whole.csv": whole.getvalue().encode(), "rows/rows.csv": columns.getvalue().encode()}
    sources = [f"{{name: {name}, kind: mail, format: mail-csv, path: {name}}}" for name in ("dump", "rows")]
    trip = Trip(tmp_path, files, sources)
    assert trip.first.sources == trip.second.sources
    clean, read = trip.same("messages")
    assert clean.to_dicts() == read.to_dicts()
    assert (trip.out / "rows/rows.csv").read_text().splitlines()[0] == "Date;From;To;Subject;Body"
