"""Mails of public archives, read from the source by the standard library and compared field by field.

No reader of the project takes part in the second reading; `-s` prints which mails and how many fields.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import datetime
from email import message_from_binary_file, message_from_bytes
from email.header import decode_header, make_header
from email.message import EmailMessage, MIMEPart
from email.policy import default
from email.utils import parseaddr, parsedate_to_datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.skipif(not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"),
]
_USED = frozenset(
    "message-id in-reply-to references from subject date to cc bcc reply-to mime-version".split()
)
"""Headers that have columns of their own, or say how the mail is packed."""
_SEPARATOR = re.compile(rb"^From .*\d{4}\r?\n", re.MULTILINE)


class Case(NamedTuple):
    """A mail by its set, the files of which one is meant and what is odd about it; the middle one of them."""

    set: str
    files: str
    quirk: str = "middle"
    where: Callable[[EmailMessage], bool] = bool


def _part(mail: EmailMessage) -> MIMEPart:
    return mail.get_body(("plain", "html")) or mail


def _text(mail: EmailMessage) -> str:
    return str(_part(mail).get_content())


CASES = (
    Case("apache_mbox", "maven-dev-2017-11-mailarchivesao.mbox", where=lambda mail: True),
    Case("apache_mbox", "maven-dev-2017-11-mboxvm.mbox", "in both exports", lambda mail: True),
    Case(
        "apache_mbox",
        "maven-dev-2017-11-*.mbox",
        "answers several mails, quotes one",
        lambda mail: len(str(mail["references"]).split()) > 2 and "\n> " in _text(mail),
    ),
    Case("apache_mbox", "nexus-html-only.mbox", "HTML only", lambda mail: True),
    Case("apache_mbox", "empty_body.mbox", "no text", lambda mail: True),
    Case("enron_categories", "raw/*.txt", where=lambda mail: True),
    Case("enron_categories", "raw/*.txt", "forwards", lambda mail: "Forwarded by" in _text(mail)),
    Case("enron_categories", "raw/*.txt", "Original Message", lambda mail: "Original Message" in _text(mail)),
    Case(
        "enron_categories", "raw/*.txt", "a Notes address", lambda mail: "/HOU/EES@EES" in str(mail["x-to"])
    ),
    Case("enron_categories", "raw/*.txt", "copies", lambda mail: bool(mail["cc"])),
)


class _Words(HTMLParser):
    """Gathers what a person reads of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in ("style", "script", "title")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("style", "script", "title")

    def handle_data(self, data: str) -> None:
        self.told += [] if self.hidden else data.split()


def _mails(case: Case) -> list[EmailMessage]:
    found = []
    for path in sorted((Path(REAL) / case.set).glob(case.files)):
        if path.suffix == ".mbox":
            blocks = [block for block in _SEPARATOR.split(path.read_bytes()) if block.strip()]
            found += [message_from_bytes(block, policy=default) for block in blocks]
        else:
            with path.open("rb") as file:
                found.append(message_from_binary_file(file, policy=default))
    return [mail for mail in found if isinstance(mail, EmailMessage) and case.where(mail)]


def _ids(mail: EmailMessage, name: str) -> list[str]:
    return re.findall(r"<([^<>\s]+)>", str(mail[name] or ""))


def _name(mail: EmailMessage) -> str:
    """Name of the sender, also where it stands in a comment behind the address."""
    written = next(str(value) for name, value in mail.raw_items() if name.lower() == "from")
    return parseaddr(str(make_header(decode_header(written))))[0]


def _addresses(mail: EmailMessage, name: str) -> list[str]:
    headers = mail.get_all(name, [])
    return sorted({address.addr_spec.lower() for header in headers for address in header.addresses})


def _plain(boxes: list[str]) -> list[str]:
    return sorted({re.sub(r"^.*<([^<>]*)>$", r"\1", box).lower() for box in boxes})


def _words(text: str) -> list[str]:
    """Words of a text without quote marks, in any order: quoted and own text are stored apart."""
    return sorted(re.sub(r"^[> ]+", "", text, flags=re.MULTILINE).split())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.set} {case.files} {case.quirk}")
def test_a_mail_is_stored_as_it_stands_in_its_file(case: Case, raw: Callable[[str], Path]) -> None:
    mails = _mails(case)
    mail = mails[len(mails) // 2]
    header_id = _ids(mail, "message-id")[0]
    frame = pl.read_parquet(raw(case.set) / "messages.parquet").filter(header_id=header_id)
    (stored,) = frame.to_dicts()
    source: dict[str, Any] = {
        "in_reply_to": next(iter(_ids(mail, "in-reply-to")), None),
        "references": _ids(mail, "references"),
        "from_address": mail["from"].addresses[0].addr_spec.lower(),
        "from_name": _name(mail),
        "subject": " ".join(str(mail["subject"]).split()),
    }
    assert {name: stored[name] for name in source} == source
    assert datetime.fromisoformat(stored["sent_at"]) == parsedate_to_datetime(str(mail["date"]))
    for name in ("to", "cc", "bcc", "reply-to"):
        assert _plain(stored[name.replace("-", "_")]) == _addresses(mail, name), name
    told = _text(mail)
    if _part(mail).get_content_type() == "text/html":
        reader = _Words()
        reader.feed(told)
        told = " ".join(reader.told)
    kept = "\n".join(stored[name] for name in ("body_own", "body_quoted", "body_signature"))
    assert _words(kept) == _words(told)
    others = {line.partition(":")[0].lower() for line in stored["other_headers"].splitlines()}
    left = {name.lower() for name in mail if not name.lower().startswith("content-")} - _USED
    assert not left - others, sorted(left - others)
    shown = f"{case.files} ({case.quirk}), one of {len(mails)}"
    print(f"{case.set:<26} {shown:<86} {len(source) + 6 + len(left):>4} equal")
