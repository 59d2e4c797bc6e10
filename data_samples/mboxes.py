"""One mbox file per employee: who holds which mail, copies across mailboxes, the few broken messages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from data_samples.history import History, Mail
from data_samples.mailbox import wire
from data_samples.market import Person

COPIES = 35
_FROM = re.compile(rb"^(>*From )", re.MULTILINE)
_BROKEN: tuple[tuple[str, tuple[bytes, ...]], ...] = (
    (
        "no_date",
        (
            b"Message-ID: <nodate.{n}@tarnwick.com>",
            b"From: facilities@tarnwick.com",
            b"To: {to}",
            b"Subject: Key cards",
            b"Content-Type: text/plain; charset=us-ascii",
            b"",
            b"Please bring your key card to the front desk.",
            b"",
        ),
    ),
    (
        "truncated_multipart",
        (
            b"Message-ID: <cut.{n}@tarnwick.com>",
            b"Date: {date}",
            b"From: facilities@tarnwick.com",
            b"To: {to}",
            b"Subject: Floor plan",
            b"MIME-Version: 1.0",
            b'Content-Type: multipart/mixed; boundary="plan"',
            b"",
            b"--plan",
            b"Content-Type: text/plain; charset=us-ascii",
            b"",
            b"The plan is attached.",
            b"",
            b"--plan",
            b'Content-Type: image/png; name="plan.png"',
            b"Content-Transfer-Encoding: base64",
            b"",
            b"iVBORw0KGgoAAAANSUhEUgAA",
            b"",
        ),
    ),
    (
        "unknown_charset",
        (
            b"Message-ID: <charset.{n}@tarnwick.com>",
            b"Date: {date}",
            b"From: facilities@tarnwick.com",
            b"To: {to}",
            b"Subject: Caf\xe9 menu",
            b"Content-Type: text/plain; charset=x-tarn-99",
            b"Content-Transfer-Encoding: 8bit",
            b"",
            b"Caf\xe9: soup \x96 bread \xff\xfe",
            b"",
        ),
    ),
    (
        "garbage_between",
        (
            b"\x00\x17\xfe\xff\x9c\x00lost cluster\x00\x00\xd0\xcf\x11\xe0",
            b"\x00\x00\x00",
            b"",
        ),
    ),
    (
        "bad_base64",
        (
            b"Message-ID: <b64.{n}@tarnwick.com>",
            b"Date: {date}",
            b"From: facilities@tarnwick.com",
            b"To: {to}",
            b"Subject: Lift",
            b"MIME-Version: 1.0",
            b"Content-Type: text/plain; charset=utf-8",
            b"Content-Transfer-Encoding: base64",
            b"",
            b"VGhlIGxpZnQ*is out of!order~~~",
            b"",
        ),
    ),
    (
        "empty_message",
        (
            b"",
            b"",
        ),
    ),
)


@dataclass
class Boxes:
    """The files by name, who holds which mail, and the broken messages with their place."""

    files: dict[str, bytes] = field(default_factory=dict)
    holders: dict[str, list[str]] = field(default_factory=dict)
    broken: list[dict[str, str | int]] = field(default_factory=list)
    copies: int = 0
    stored: dict[str, int] = field(default_factory=dict)


def fill_boxes(h: History, scale: int) -> Boxes:
    """All mailboxes of the history as mbox files."""
    boxes, owners = Boxes(), h.staff.mailboxes
    content: dict[str, list[tuple[datetime, bytes, str, bytes]]] = {owner.login: [] for owner in owners}
    spare: list[tuple[Mail, Person]] = []
    for mail in h.mails:
        holders = [owner for owner in owners if owner is mail.sender or owner in mail.to or owner in mail.cc]
        first = (
            holders[0]
            if mail.sender not in owners
            else next(owner for owner in owners if owner is mail.sender)
        )
        _store(content[first.login], mail, first)
        boxes.holders[mail.id] = [first.login]
        spare += [(mail, owner) for owner in holders if owner is not first][:1]
    rng = Random(f"{h.seed}:copies")
    for mail, owner in rng.sample(spare, min(COPIES * scale, len(spare))):
        _store(content[owner.login], mail, owner)
        boxes.holders[mail.id].append(owner.login)
        boxes.copies += 1
    broken: dict[str, list[tuple[int, str, bytes]]] = {owner.login: [] for owner in owners}
    for number in range(len(_BROKEN) * scale):
        kind, lines = _BROKEN[number % len(_BROKEN)]
        raw = b"\n".join(lines)
        owner = owners[(number * 3 + 1) % len(owners)]
        made = raw.replace(b"{n}", b"%d" % (7000 + number)).replace(b"{to}", owner.email.encode())
        made = made.replace(
            b"{date}", b"Tue, %02d Mar 2025 09:1%d:00 -0500" % (4 + 7 * (number % 2), number % 10)
        )
        broken[owner.login].append((5 + 4 * number, kind, made))
    for owner in owners:
        boxes.files[f"{owner.login}.mbox"] = _file(boxes, owner, content[owner.login], broken[owner.login])
    return boxes


def _store(box: list[tuple[datetime, bytes, str, bytes]], mail: Mail, owner: Person) -> None:
    raw = wire(mail)
    if owner is not mail.sender:
        lines = [*mail.to_lines, *mail.cc_lines]
        line = lines[[*mail.to, *mail.cc].index(owner)]
        raw = f"Delivered-To: {line.rpartition('<')[2].rstrip('>')}\n".encode() + raw
    box.append(
        (
            mail.sent,
            f"From {mail.from_line.rpartition('<')[2].rstrip('>')} {mail.sent:%a %b} {mail.sent.day:2d} "
            f"{mail.sent:%H:%M:%S %Y}\n".encode(),
            mail.id,
            raw,
        )
    )


def _file(
    boxes: Boxes,
    owner: Person,
    content: list[tuple[datetime, bytes, str, bytes]],
    broken: list[tuple[int, str, bytes]],
) -> bytes:
    content.sort(key=lambda entry: (entry[0], entry[2]))
    messages = [line + _FROM.sub(rb">\1", raw) for _, line, _, raw in content]
    boxes.stored[owner.login] = len(messages) + len(broken)
    for place, kind, raw in broken:
        index = min(place, len(messages))
        messages.insert(index, b"From MAILER-DAEMON Tue Mar  4 14:10:00 2025\n" + raw)
        boxes.broken.append(
            {"kind": kind, "mailbox": owner.login, "bytes": len(raw), "content": raw.decode("latin-1")[:40]}
        )
    return b"".join(message.rstrip(b"\n") + b"\n\n" for message in messages)
