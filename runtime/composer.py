"""What a mail consists of: the rep's own words and what was there before.

Only the composer knows which part of a mail it put in itself; a typed ">" makes no quote.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from contracts.instants import Zone, slot_text
from contracts.world import Mail

SHORTEST_QUOTE = 24
"""Received texts below this length are too common to tell a copy from own words."""


class Composed(NamedTuple):
    """A mail's text in full and the part that the rep wrote."""

    body: str
    written: str


def compose(text: str, quoted: Mail | None, received: Iterable[Mail], zone: Zone) -> Composed:
    """Returns the text to send; copies of whole mails received in the thread are not the rep's words."""
    written = text
    for mail in sorted(received, key=lambda mail: (-len(mail.body), mail.id)):
        if len(mail.body) >= SHORTEST_QUOTE:
            # A space and no new line: what stands around a copy is one text, and may be one promise.
            written = written.replace(mail.body, " ")
    if quoted is None:
        return Composed(text, written.strip())
    when = slot_text(zone.local(quoted.sent_at), zone)
    below = "\n".join("> " + line for line in quoted.body.splitlines())
    return Composed(f"{text}\n\nOn {when}, {quoted.sender.name} wrote:\n{below}", written.strip())


def forward(text: str, mail: Mail, received: Iterable[Mail], zone: Zone) -> Composed:
    """Returns the text of a forwarded mail: own words above, the mail with its people below."""
    own = compose(text, None, received, zone)
    people = ", ".join(f"{party.name} <{party.address}>" for party in mail.to)
    head = (
        f"---------- Forwarded message ----------\nFrom: {mail.sender.name} <{mail.sender.address}>\n"
        f"To: {people}\nSubject: {mail.subject}\n"
    )
    return Composed(f"{text}\n\n{head}\n{mail.body}", own.written)
