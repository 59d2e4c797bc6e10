"""The heads of messages that are quoted or forwarded as text: who wrote to whom, when, about what.

Belongs here: reading header blocks, as of Outlook, Gmail, Apple and Lotus Notes, inside of the quoted part.
Does not belong here: finding where the quoted part begins (`archive.quotes`).
"""

from __future__ import annotations

from typing import NamedTuple

from archive.addresses import parse_mailboxes
from archive.quote_marks import HEADER, MAX_LINE, STAMP

MAX_HEADS = 20
"""Quoted messages whose heads are read; a longer chain says nothing new."""
_MAX_LINES = 2_000
_MARKS = " \t>|*"
_ENDS = " \t*"


class QuotedHead(NamedTuple):
    """What a quoted message's header block says, as written; empty where it says nothing."""

    sender: str
    recipients: str
    subject: str
    date: str


def quoted_heads(quoted: str) -> tuple[QuotedHead, ...]:
    """Returns the heads in a quoted text, the latest message first; at most MAX_HEADS."""
    lines = [
        line[:MAX_LINE].lstrip(_MARKS).rstrip(_ENDS) for line in quoted.split("\n", _MAX_LINES)[:_MAX_LINES]
    ]
    heads: list[QuotedHead] = []
    at = 0
    while at < len(lines) and len(heads) < MAX_HEADS:
        fields, end = _block(lines, at)
        if len(fields) >= 3 or ("to" in fields and "date" in fields):
            recipients = ", ".join(filter(None, (fields.get("to"), fields.get("cc"))))
            heads.append(
                QuotedHead(
                    fields.get("from", ""), recipients, fields.get("subject", ""), fields.get("date", "")
                )
            )
        at = max(end, at + 1)
    return tuple(heads)


def people_of(heads: tuple[QuotedHead, ...]) -> frozenset[str]:
    """Returns the mail addresses in heads."""
    boxes = (box for head in heads for text in head[:2] for box in parse_mailboxes(text))
    return frozenset(box.address for box in boxes if "." in box.address.rpartition("@")[2])


def _block(lines: list[str], at: int) -> tuple[dict[str, str], int]:
    """The fields of the header block that begins at a line, and the line behind it."""
    fields = _stamped(lines, at)
    last = ""
    blanks = 0
    while at < len(lines):
        line = lines[at]
        found = HEADER.match(line)
        kind = (found.lastgroup or "") if found is not None else ""
        if found is not None and kind not in fields:
            fields[kind] = line[found.end() :].strip(_ENDS)
            last = kind
            blanks = 0
        elif not line and fields and "subject" not in fields and blanks < 2:
            blanks += 1
        elif found is None and line and last in ("to", "cc") and not blanks:
            fields[last] += f" {line}"
        else:
            break
        at += 1
    return fields, at


def _stamped(lines: list[str], at: int) -> dict[str, str]:
    """Sender and date that Lotus Notes writes above "To:", without their names."""
    if not lines[at].lower().startswith("to"):
        return {}
    above = [line for line in lines[max(0, at - 4) : at] if line]
    for place in range(len(above) - 1, -1, -1):
        stamp = STAMP.search(above[place])
        if stamp is not None:
            before = above[place][: stamp.start()].strip().removesuffix(" on").strip()
            sender = before or next((line for line in above[:place] if not line.startswith("Sent by")), "")
            return {"from": sender, "date": stamp.group().strip()}
    return {}
