"""How mail programs quote and forward: Outlook and Gmail in two languages, Apple Mail, inline answers."""

from __future__ import annotations

from datetime import datetime

from data_samples.clock import local
from data_samples.history import Mail
from data_samples.styles import Style, style_of

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
GERMAN_ENCODINGS = ("8859", "1252")
INLINE_KINDS = ("internal", "promise_to_pay", "refusal", "order", "plan_checked")


def body_text(mail: Mail, depth: int = 0) -> str:
    """The author's own text and what the reply or forward quotes, in the order of the author's program."""
    if mail.parent is None or depth == 2 or mail.enclosed or mail.report is not None:
        return mail.text
    earlier = body_text(mail.parent, depth + 1)
    if mail.forward:
        return f"{mail.text}\n\n{_forwarded(mail, mail.parent, earlier)}"
    if answers_inline(mail):
        intro, _, _ = _marked(mail, mail.parent, earlier)
        lines = [f"> {line}" if line else ">" for line in earlier.split("\n")]
        cut = next((place for place, line in enumerate(lines) if place > 1 and line == ">"), len(lines))
        return "\n".join([intro, *lines[:cut], "", mail.text, "", *lines[cut:]]).rstrip()
    return f"{mail.text}\n\n{_quote(mail, mail.parent, earlier)}"


def answers_inline(mail: Mail) -> bool:
    """True where the author writes between the quoted lines."""
    style = style_of(mail.sender) if mail.sender else None
    marked = style is not None and style.quote in ("gmail", "apple")
    return marked and mail.kind in INLINE_KINDS and seed_of(mail) % 3 == 0


def seed_of(mail: Mail) -> int:
    """A number that is the mail's own and never changes."""
    return int(mail.id[:8], 16)


def _quote(mail: Mail, parent: Mail, text: str) -> str:
    style = style_of(mail.sender) if mail.sender else None
    if style is None or style.quote != "outlook" or (mail.german and seed_of(mail) % 2):
        intro, gap, lines = _marked(mail, parent, text)
        return intro + gap + lines
    return _block(mail, parent, text, style)


def _marked(mail: Mail, parent: Mail, text: str) -> tuple[str, str, str]:
    """Introduction, gap and the lines with their marks."""
    wall, sender = local(parent.sent, mail.zone), parent.from_line.replace('"', "")
    style = style_of(mail.sender) if mail.sender else None
    lines = "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
    if style is not None and (style.encoding in GERMAN_ENCODINGS or mail.german):
        return f"Am {wall:%d.%m.%Y} um {wall:%H:%M} schrieb {sender}:", "\n", lines
    if style is not None and style.quote == "apple":
        month = MONTHS[wall.month - 1]
        return f"On {wall.day} {month} {wall.year}, at {wall:%H:%M}, {sender} wrote:", "\n\n", lines
    hour = f"{(wall.hour - 1) % 12 + 1}:{wall.minute:02d} {'AM' if wall.hour < 12 else 'PM'}"
    day = f"{DAYS[wall.weekday()]}, {MONTHS[wall.month - 1]} {wall.day}, {wall.year}"
    return f"On {day} at {hour} {sender} wrote:", "\n", lines


def _block(mail: Mail, parent: Mail, text: str, style: Style) -> str:
    wall = local(parent.sent, mail.zone)
    sender, to = parent.from_line.replace('"', ""), "; ".join(parent.to_lines).replace('"', "")
    if style.encoding in GERMAN_ENCODINGS:
        return (
            f"-----Ursprüngliche Nachricht-----\nVon: {sender}\nGesendet: {wall:%d.%m.%Y %H:%M}\nAn: {to}\n"
            f"Betreff: {parent.subject}\n\n{text}"
        )
    line = "_" * 32 if style.html else "-----Original Message-----"
    copied = "; ".join(parent.cc_lines).replace('"', "")
    return (
        f"{line}\nFrom: {sender}\nSent: {_long_date(wall)}\nTo: {to}\n"
        + (f"Cc: {copied}\n" if copied else "")
        + f"Subject: {parent.subject}\n\n{text}"
    )


def _long_date(wall: datetime) -> str:
    return f"{wall:%A}, {wall:%B} {wall.day}, {wall.year} {wall:%H:%M}"


def _forwarded(mail: Mail, parent: Mail, text: str) -> str:
    style = style_of(mail.sender) if mail.sender else None
    wall = local(parent.sent, mail.zone)
    sender, to = parent.from_line.replace('"', ""), ", ".join(parent.to_lines).replace('"', "")
    if style is not None and style.quote == "outlook":
        return _block(mail, parent, text, style)
    if style is not None and style.quote == "apple":
        date = f"{wall.day} {wall:%B} {wall.year} at {wall:%H:%M}"
        head = f"From: {sender}\nSubject: {parent.subject}\nDate: {date}\nTo: {to}"
        return f"Begin forwarded message:\n\n{head}\n\n{text}"
    day = f"{DAYS[wall.weekday()]}, {MONTHS[wall.month - 1]} {wall.day}, {wall.year} at {wall:%H:%M}"
    return (
        f"---------- Forwarded message ---------\nFrom: {sender}\nDate: {day}\n"
        f"Subject: {parent.subject}\nTo: {to}\n\n{text}"
    )
