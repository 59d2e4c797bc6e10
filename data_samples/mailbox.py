"""Mails as bytes: headers, MIME parts, quotes of earlier mails. Which mailbox holds them stands in mboxes."""

from __future__ import annotations

import base64
import html
import quopri
import re

from data_samples.clock import local
from data_samples.history import Mail
from data_samples.styles import style_of

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def wire(mail: Mail) -> bytes:
    """The mail as it travels, with line feeds only as in an mbox file."""
    charset = _charset(mail)
    headers = [
        ("Message-ID", f"<{mail.id}>"),
        ("Date", date_header(mail)),
        ("From", _header(mail.from_line, charset)),
        ("To", ",\n ".join(_header(line, charset) for line in mail.to_lines)),
    ]
    if mail.cc_lines:
        headers.append(("Cc", ",\n ".join(_header(line, charset) for line in mail.cc_lines)))
    headers.append(("Subject", _word(mail.subject, charset)))
    if mail.parent is not None and mail.threaded:
        headers.append(("In-Reply-To", f"<{mail.parent.id}>"))
        headers.append(("References", "\n ".join(f"<{name}>" for name in _chain(mail))))
    headers += [*mail.headers, ("MIME-Version", "1.0")]
    kind, body = _content(mail, charset)
    head = "".join(f"{name}: {value}\n" for name, value in [*headers, *kind])
    return head.encode("ascii") + b"\n" + body


def date_header(mail: Mail) -> str:
    """The Date header in the sender's zone."""
    wall = local(mail.sent, mail.zone)
    minutes = int((wall.utcoffset() or wall - wall).total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    return (
        f"{_DAYS[wall.weekday()]}, {wall.day:02d} {_MONTHS[wall.month - 1]} {wall.year} {wall:%H:%M:%S} "
        f"{sign}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}"
    )


def body_text(mail: Mail, depth: int = 0) -> str:
    """The author's own text and, below it, what the reply quotes."""
    if mail.parent is None or depth == 2:
        return mail.text
    return f"{mail.text}\n\n{_quote(mail, mail.parent, body_text(mail.parent, depth + 1))}"


def _quote(mail: Mail, parent: Mail, text: str) -> str:
    style = style_of(mail.sender) if mail.sender else None
    wall = local(parent.sent, mail.zone)
    sender, to = parent.from_line.replace('"', ""), "; ".join(parent.to_lines).replace('"', "")
    if style is None or style.quote == "gmail":
        hour = f"{(wall.hour - 1) % 12 + 1}:{wall.minute:02d} {'AM' if wall.hour < 12 else 'PM'}"
        day = f"{_DAYS[wall.weekday()]}, {_MONTHS[wall.month - 1]} {wall.day}, {wall.year}"
        intro = f"On {day} at {hour} {sender} wrote:"
        return intro + "\n" + "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
    if style.encoding == "8859":
        return (
            f"-----Ursprüngliche Nachricht-----\nVon: {sender}\nGesendet: {wall:%d.%m.%Y %H:%M}\nAn: {to}\n"
            f"Betreff: {parent.subject}\n\n{text}"
        )
    return (
        f"-----Original Message-----\nFrom: {sender}\nSent: {wall:%A}, {wall:%B} {wall.day}, "
        f"{wall.year} {wall:%H:%M}\nTo: {to}\n"
        f"Subject: {parent.subject}\n\n{text}"
    )


def _chain(mail: Mail) -> list[str]:
    chain: list[str] = []
    step = mail.parent
    while step is not None:
        chain.insert(0, step.id)
        step = step.parent
    return chain[-6:]


def _charset(mail: Mail) -> str:
    wanted = style_of(mail.sender).encoding if mail.sender else "7bit"
    text = body_text(mail) + mail.from_line + "".join(mail.to_lines)
    return "iso-8859-1" if wanted == "8859" and text.isascii() is False and _fits(text) else "utf-8"


def _fits(text: str) -> bool:
    try:
        text.encode("iso-8859-1")
    except UnicodeEncodeError:
        return False
    return True


def _word(text: str, charset: str) -> str:
    if text.isascii():
        return text
    if charset == "iso-8859-1":
        coded = "".join(
            chr(byte) if chr(byte).isalnum() and byte < 128 else f"={byte:02X}"
            for byte in text.encode(charset)
        )
        return f"=?iso-8859-1?Q?{coded}?="
    parts = [""]
    for piece in re.split(r"(?<= )", text):
        # Words are never cut: some readers put a blank between two encoded words.
        if parts[-1] and len((parts[-1] + piece).encode()) > 44:
            parts.append("")
        parts[-1] += piece
    return "\n ".join(f"=?utf-8?B?{base64.b64encode(part.encode()).decode()}?=" for part in parts)


def _header(line: str, charset: str) -> str:
    name, mark, address = line.partition(" <")
    if not mark:
        return line
    return f"{name if name.isascii() else _word(name.strip(chr(34)), charset)} <{address}"


def _text_part(text: str, kind: str, charset: str, encoding: str) -> tuple[list[tuple[str, str]], bytes]:
    if text.isascii() and encoding in ("7bit", "8859"):
        return [
            ("Content-Type", f"{kind}; charset=us-ascii"),
            ("Content-Transfer-Encoding", "7bit"),
        ], text.encode() + b"\n"
    raw = (text + "\n").encode(charset)
    if encoding == "base64":
        coded = base64.encodebytes(raw)
        return [
            ("Content-Type", f"{kind}; charset={charset}"),
            ("Content-Transfer-Encoding", "base64"),
        ], coded
    coded = quopri.encodestring(raw)
    return [
        ("Content-Type", f'{kind}; charset="{charset}"'),
        ("Content-Transfer-Encoding", "quoted-printable"),
    ], coded


def _content(mail: Mail, charset: str) -> tuple[list[tuple[str, str]], bytes]:
    style = style_of(mail.sender) if mail.sender else None
    text = body_text(mail)
    encoding = style.encoding if style else "7bit"
    part = _text_part(text, "text/plain", charset, encoding)
    seal = mail.id[:8]
    if mail.calendar:
        calendar = _text_part(
            mail.calendar.replace("\r\n", "\n").rstrip("\n"), "text/calendar", "utf-8", "qp"
        )
        kind = [
            (name, f"{value}; method={mail.method}" if name == "Content-Type" else value)
            for name, value in calendar[0]
        ]
        part = _multipart("alternative", f"cal_{seal}", [part, (kind, calendar[1])])
    elif style is not None and style.html and int(seal, 16) % 5 < 3:
        shown = "<html><body>" + "".join(
            f"<p>{html.escape(block).replace(chr(10), '<br>')}</p>" for block in text.split("\n\n")
        )
        part = _multipart(
            "alternative",
            f"alt_{seal}",
            [part, _text_part(shown + "</body></html>", "text/html", charset, "qp")],
        )
    if not mail.attachments:
        return part
    files: list[tuple[list[tuple[str, str]], bytes]] = []
    for file in mail.attachments:
        name = file.name if file.name.isascii() else _word(file.name, "utf-8").replace("\n ", " ")
        files.append(
            (
                [
                    ("Content-Type", f'{file.kind}; name="{name}"'),
                    ("Content-Transfer-Encoding", "base64"),
                    ("Content-Disposition", f'attachment; filename="{name}"'),
                ],
                base64.encodebytes(file.content),
            )
        )
    return _multipart("mixed", f"mix_{seal}", [part, *files])


def _multipart(
    kind: str, boundary: str, parts: list[tuple[list[tuple[str, str]], bytes]]
) -> tuple[list[tuple[str, str]], bytes]:
    body = b""
    for headers, content in parts:
        head = "".join(f"{name}: {value}\n" for name, value in headers).encode()
        body += f"--{boundary}\n".encode() + head + b"\n" + content + b"\n"
    return [("Content-Type", f'multipart/{kind}; boundary="{boundary}"')], body + f"--{boundary}--\n".encode()
