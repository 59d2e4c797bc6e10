"""Who holds which mail, and the files that hold them: mbox files, one maildir, one tree of .eml files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from data_samples import broken
from data_samples.history import History, Mail
from data_samples.mailbox import wire
from data_samples.market import Person
from data_samples.quoting import seed_of

COPIES = 80
MAILDIR, EML = "wmay", "pboonenakagawa"
_FROM = re.compile(rb"^(>*From )", re.MULTILINE)
_WAYS = ("delivered", "received", "equal", "line_ends", "reencoded", "delivered", "received")
_FLAGS = ("S", "RS", "S", "FS", "", "RS")
_NEWEST = 4


class Held(NamedTuple):
    """A mail in a mailbox and how its bytes came about."""

    mail: Mail
    way: str
    origin: Person
    """Whose copy it equals; the owner for all ways but "equal"."""


@dataclass
class Boxes:
    """Who holds which mail, the second copies with their kind, and the broken messages with their place."""

    content: dict[str, list[Held]] = field(default_factory=dict)
    faults: dict[str, list[tuple[int, str, bytes]]] = field(default_factory=dict)
    holders: dict[str, list[str]] = field(default_factory=dict)
    copies: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    broken: list[dict[str, str | int]] = field(default_factory=list)
    stored: dict[str, int] = field(default_factory=dict)


def source_of(login: str) -> str:
    """Name of the export that holds the mailbox."""
    return {MAILDIR: "mail-maildir", EML: "mail-eml"}.get(login, "mail")


def fill_boxes(h: History, scale: int) -> Boxes:
    """Puts each mail into its first mailbox, some into a second one, and broken ones between them."""
    boxes, owners = Boxes(), h.staff.mailboxes
    boxes.content = {owner.login: [] for owner in owners}
    boxes.faults = {owner.login: [] for owner in owners}
    known = {owner.id for owner in owners}
    spare: list[tuple[Mail, Person, Person]] = []
    for mail in h.mails:
        people = [mail.sender, *mail.to, *mail.cc]
        held = {person.id: person for person in people if person is not None and person.id in known}
        holders = list(held.values())
        first = holders[0]
        boxes.content[first.login].append(Held(mail, "first", first))
        boxes.holders[mail.id] = [first.login]
        spare += [(mail, owner, first) for owner in holders[1:3]]
    rng = Random(f"{h.seed}:copies")
    for number, (mail, owner, first) in enumerate(rng.sample(spare, min(COPIES * scale, len(spare)))):
        way = _WAYS[number % len(_WAYS)]
        if EML in (owner.login, first.login) and way == "equal":
            way = "line_ends"
        boxes.content[owner.login].append(Held(mail, way, first if way == "equal" else owner))
        boxes.holders[mail.id].append(owner.login)
        boxes.copies.setdefault(mail.id, []).append({"mailbox": owner.login, "bytes": way})
    _spoil(boxes, owners, scale)
    for owner in owners:
        boxes.content[owner.login].sort(key=lambda held: (held.mail.sent, held.mail.id))
        boxes.stored[owner.login] = len(boxes.content[owner.login]) + len(boxes.faults[owner.login])
    return boxes


def _spoil(boxes: Boxes, owners: list[Person], scale: int) -> None:
    for number in range(len(broken.KINDS) * scale):
        kind = number % len(broken.KINDS)
        place = number * 3 + 1
        owner = owners[place % len(owners)]
        while broken.KINDS[kind][0] in broken.MBOX_ONLY and source_of(owner.login) != "mail":
            place += 1
            owner = owners[place % len(owners)]
        name, raw = broken.message(kind, number, owner.email)
        boxes.faults[owner.login].append((5 + 4 * (number % 50), name, raw))
        boxes.broken.append(
            {
                "kind": name,
                "mailbox": owner.login,
                "source": source_of(owner.login),
                "bytes": len(raw),
                "content": raw.decode("latin-1")[:40],
            }
        )


def mail_files(h: History, boxes: Boxes) -> Iterator[tuple[str, bytes]]:
    """All files of all mailboxes with their paths below `mail/`, one mailbox at a time."""
    for owner in h.staff.mailboxes:
        if owner.login == MAILDIR:
            yield from _maildir(boxes, owner)
        elif owner.login == EML:
            yield from _tree(boxes, owner)
        else:
            yield f"mail/{owner.login}.mbox", _mbox(boxes, owner)


def _raw(held: Held, owner: Person) -> bytes:
    mail, way = held.mail, held.way
    raw = wire(mail, again=way == "reencoded")
    reader = held.origin
    lines = [*mail.to_lines, *mail.cc_lines]
    readers = [*mail.to, *mail.cc]
    if reader is not mail.sender and reader in readers:
        line = lines[readers.index(reader)]
        raw = f"Delivered-To: {line.rpartition('<')[2].rstrip('>')}\n".encode() + raw
    if way == "received":
        stamp = f"{mail.sent:%d %b %Y %H:%M:%S} +0000"
        raw = (
            f"Received: from mx2.tarnwick.com by {owner.login}-pc.tarnwick.com\n"
            f" with ESMTPS id {mail.id[:8]}; {stamp}\nX-Spam-Score: 0.{seed_of(mail) % 10}\n"
            f"X-Folder: Archive\n"
        ).encode() + raw
    return raw.replace(b"\n", b"\r\n") if way == "line_ends" else raw


def _mbox(boxes: Boxes, owner: Person) -> bytes:
    messages = []
    for held in boxes.content[owner.login]:
        mail = held.mail
        line = (
            f"From {mail.from_line.rpartition('<')[2].rstrip('>')} {mail.sent:%a %b} {mail.sent.day:2d} "
            f"{mail.sent:%H:%M:%S %Y}\n"
        )
        messages.append(line.encode() + _FROM.sub(rb">\1", _raw(held, owner)))
    for place, _, raw in boxes.faults[owner.login]:
        messages.insert(min(place, len(messages)), b"From MAILER-DAEMON Tue Mar  4 14:10:00 2025\n" + raw)
    return b"".join(
        message.rstrip(b"\r\n") + (b"\r\n\n" if message.endswith(b"\r\n") else b"\n\n")
        for message in messages
    )


def _maildir(boxes: Boxes, owner: Person) -> Iterator[tuple[str, bytes]]:
    held = boxes.content[owner.login]
    for number, one in enumerate(held):
        raw = _raw(one, owner)
        seed = seed_of(one.mail)
        stem = (
            f"{int(one.mail.sent.timestamp()) + 2}.M{seed % 1_000_000:06d}P{2000 + number}.mx1,S={len(raw)}"
        )
        if number >= len(held) - _NEWEST:
            yield f"mail/maildir/{owner.login}/new/{stem}", raw
        else:
            yield f"mail/maildir/{owner.login}/cur/{stem}:2,{_FLAGS[seed % len(_FLAGS)]}", raw
    for place, _, raw in boxes.faults[owner.login]:
        yield f"mail/maildir/{owner.login}/cur/174109{place:04d}.M1P1_{len(raw)}.mx1:2,S", raw


def _tree(boxes: Boxes, owner: Person) -> Iterator[tuple[str, bytes]]:
    numbers: dict[str, int] = {}
    whole = [
        (one.mail.sender is owner, one.mail.kind, _raw(one, owner)) for one in boxes.content[owner.login]
    ]
    whole += [(False, "fault", raw) for _, _, raw in boxes.faults[owner.login]]
    for own, kind, raw in whole:
        folder = "Sent Items" if own else "Complaints" if kind == "complaint" else "Inbox"
        numbers[folder] = numbers.get(folder, 0) + 1
        unified = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        yield f"mail/eml/{owner.login}/{folder}/{numbers[folder]:04d}.eml", unified
