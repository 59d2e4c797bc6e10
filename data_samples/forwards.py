"""Mails that are about another mail: forwards, absence notes of colleagues, reports of the mail server."""

from __future__ import annotations

from data_samples import memos
from data_samples.clock import Zone
from data_samples.history import Case, History, Mail, Steps
from data_samples.market import Person
from data_samples.styles import style_of


def forward(h: History, mail: Mail, sender: Person, to: list[Person], case: Case | None) -> Mail:
    """The mail sent on to colleagues, its text below the sender's line."""
    rng = case.rng if case else None
    word = "FW" if style_of(sender).quote == "outlook" else "Fwd"
    line = memos.FORWARDS[len(h.mails) % len(memos.FORWARDS)]
    if case is not None:
        line = f"{case.company.short}: {line}"
    subject = f"{word}: {mail.subject}"
    found = h.mail("forward", sender, to, subject, [line], case=case, parent=mail, rng=rng, bare=True)
    found.forward = True
    return found


def away(h: History, mail: Mail, person: Person, case: Case | None) -> Mail:
    """The absence note that a colleague's mailbox sends by itself."""
    text = "I am travelling today and read mails in the evening only."
    note = h.mail(
        "auto_reply", person, [mail.sender or person], "", [text], case=case, parent=mail, bare=True
    )
    note.subject = f"Automatic reply: {mail.subject}"
    note.headers += [
        ("In-Reply-To", f"<{mail.id}>"),
        ("Auto-Submitted", "auto-replied"),
        ("X-Auto-Response-Suppress", "All"),
    ]
    note.parent, note.threaded = None, False
    return note


def bounce(h: History, mail: Mail, action: str, status: str) -> Steps:
    """The mail server's report on a mail that is late or did not arrive."""
    word = "could not be delivered" if action == "failed" else "is delayed, no need to send it again"
    note = Mail(
        h.message_id("mx1.tarnwick.com"),
        "bounce",
        None,
        [mail.sender or h.staff.manager],
        [],
        h.now,
        Zone.EASTERN,
        "Undeliverable mail" if action == "failed" else "Delivery status: delayed",
        f"Your message to {mail.to[0].email} {word}.",
    )
    note.from_line = "Mail Delivery System <MAILER-DAEMON@mx1.tarnwick.com>"
    note.headers.append(("Auto-Submitted", "auto-replied"))
    note.report = (mail, action, status)
    h.keep(note)
    return
    yield
