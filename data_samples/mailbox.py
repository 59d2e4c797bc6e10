"""Mails as bytes: headers and body as the author's program writes them. Files and folders stand in boxes."""

from __future__ import annotations

import html

from data_samples.clock import local
from data_samples.history import Mail
from data_samples.parts import (
    Part,
    encoded_word,
    file_part,
    fitting_charset,
    multipart,
    report,
    text_part,
)
from data_samples.quoting import DAYS, MONTHS, body_text, seed_of
from data_samples.styles import style_of

_PROGRAMS = {
    "outlook": ("X-Mailer", "Microsoft Outlook 16.0"),
    "apple": ("X-Mailer", "Apple Mail (2.3774.600.62)"),
}
_OTHER = {"qp": "base64", "base64": "qp", "7bit": "base64", "8859": "qp", "1252": "base64", "utf16": "base64"}


def wire(mail: Mail, again: bool = False) -> bytes:
    """The mail as it travels, with line feeds only; `again` encodes the body the other way."""
    text = body_text(mail)
    encoding = _encoding(mail)
    charset = fitting_charset(encoding, text + mail.from_line + "".join(mail.to_lines))
    names = "utf-8" if charset == "utf-16" else charset
    headers = [
        ("Message-ID", f"<{mail.id}>"),
        ("Date", date_header(mail)),
        ("From", _header(mail.from_line, names)),
        ("To", ",\n ".join(_header(line, names) for line in mail.to_lines)),
    ]
    if mail.cc_lines:
        headers.append(("Cc", ",\n ".join(_header(line, names) for line in mail.cc_lines)))
    headers.append(("Subject", encoded_word(mail.subject, names)))
    if mail.parent is not None and mail.threaded and mail.report is None:
        headers.append(("In-Reply-To", f"<{mail.parent.id}>"))
        headers.append(("References", "\n ".join(f"<{name}>" for name in _chain(mail))))
    headers += mail.headers
    program = _PROGRAMS.get(style_of(mail.sender).quote) if mail.sender else None
    if program is not None and seed_of(mail) % 3:
        headers.append(program)
    headers.append(("MIME-Version", "1.0"))
    kind, body = _content(mail, text, charset, _OTHER[encoding] if again else encoding)
    head = "".join(f"{name}: {value}\n" for name, value in [*headers, *kind])
    return head.encode("ascii") + b"\n" + body


def date_header(mail: Mail) -> str:
    """The Date header in the sender's zone."""
    wall = local(mail.sent, mail.zone)
    minutes = int((wall.utcoffset() or wall - wall).total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    return (
        f"{DAYS[wall.weekday()]}, {wall.day:02d} {MONTHS[wall.month - 1]} {wall.year} {wall:%H:%M:%S} "
        f"{sign}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}"
    )


def _encoding(mail: Mail) -> str:
    return mail.encoding or (style_of(mail.sender).encoding if mail.sender else "7bit")


def _chain(mail: Mail) -> list[str]:
    chain: list[str] = []
    step = mail.parent
    while step is not None and len(chain) < 6:
        chain.insert(0, step.id)
        step = step.parent
    return chain


def _header(line: str, charset: str) -> str:
    name, mark, address = line.partition(" <")
    if not mark:
        return line
    return f"{name if name.isascii() else encoded_word(name.strip(chr(34)), charset)} <{address}"


def _content(mail: Mail, text: str, charset: str, encoding: str) -> Part:
    seal = mail.id[:8]
    if mail.report is not None:
        concerned, action, status = mail.report
        head = f"Message-ID: <{concerned.id}>\nSubject: {encoded_word(concerned.subject, 'utf-8')}\n"
        return report(text, concerned.to[0].email, action, status, head, f"rep_{seal}")
    part = text_part(text, "text/plain", charset, encoding)
    if mail.calendar:
        plain = mail.calendar.replace("\r\n", "\n").rstrip("\n")
        kind, content = text_part(plain, "text/calendar", "utf-8", "qp")
        kind = [
            (name, f"{value}; method={mail.method}" if name == "Content-Type" else value)
            for name, value in kind
        ]
        part = multipart("alternative", f"cal_{seal}", [part, (kind, content)])
    elif mail.shape != "plain":
        part = _markup(mail, text, charset, encoding, part)
    files = [file for file in mail.attachments if not file.content_id]
    return multipart("mixed", f"mix_{seal}", [part, *map(file_part, files)]) if files else part


def _markup(mail: Mail, text: str, charset: str, encoding: str, part: Part) -> Part:
    """The text as HTML, alone or beside the plain one, with the pictures that it shows."""
    seal = mail.id[:8]
    pictures = [file for file in mail.attachments if file.content_id]
    shown = "".join(f'<img src="cid:{file.content_id}" width="16">' for file in pictures)
    blocks = "".join(
        f"<p>{html.escape(block, quote=False).replace(chr(10), '<br>')}</p>" for block in text.split("\n\n")
    )
    page = f"<html><head><style>p {{margin: 0 0 1em}}</style></head><body>{blocks}{shown}</body></html>"
    if "base64" not in encoding:
        page = page.replace("</p><p>", "</p>\n<p>")
    marked = text_part(page, "text/html", charset, encoding if encoding == "base64" else "qp")
    if pictures:
        marked = multipart("related", f"rel_{seal}", [marked, *map(file_part, pictures)])
    return marked if mail.shape == "html" else multipart("alternative", f"alt_{seal}", [part, marked])
