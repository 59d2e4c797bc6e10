"""Header lines written as valid MIME: encoded words in the raw header's charset, folded, nothing over 998.

Belongs here: one header with its clean value. Does not belong here: which headers a message has
(`archive.export_message`).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from datetime import datetime

from archive.mail_draft import date_text

_WORD = re.compile(r"=\?([A-Za-z0-9_.:-]{1,40})(?:\*[A-Za-z-]+)?\?([bBqQ])\?")
_ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_MAILBOX = re.compile(r"(?s)(?P<name>.*?)\s*<(?P<address>[^<>]*)>\s*")
_ADDRESS = re.compile(r"[^\s<>\"(),;:@]+@[^\s<>\"(),;:@]+")
_LINE = 78
_LONGEST_WORD = 75
"""Characters of an encoded word."""
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def text_header(name: str, text: str, raw: str = "") -> str:
    """Returns a header with any text, folded, without the end of its last line; `raw` is how it was spelt."""
    plain = " ".join(text.split())
    words = [plain] if plain.isascii() and "=?" not in plain else encoded_words(plain, raw)
    return folded(name, " ".join(words).split(" ") if len(words) == 1 else words)


def mailbox_header(name: str, mailboxes: Sequence[str], raw: str = "") -> str:
    """Returns a header with mailboxes "Name <address>" in order."""
    words: list[str] = []
    for number, mailbox in enumerate(mailboxes, start=1):
        pieces = _mailbox(mailbox, raw)
        if number < len(mailboxes):
            pieces[-1] += ","
        words += pieces
    return folded(name, words)


def ids_header(name: str, ids: Sequence[str]) -> str:
    """Returns a header with message ids."""
    return folded(name, [f"<{one}>" for one in ids])


def date_header(name: str, moment: str) -> str:
    """Returns a header with an ISO moment, in its own offset."""
    return f"{name}: {mail_date(moment)}"


def mail_date(moment: str) -> str:
    """Returns an ISO moment as mails write it, in its own offset."""
    at = datetime.fromisoformat(moment)
    offset = at.utcoffset()
    if offset is None:
        return date_text(at)
    minutes = round(offset.total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    zone = f"{sign}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}"
    return (
        f"{_DAYS[at.weekday()]}, {at.day:02d} {_MONTHS[at.month - 1]} {at.year:04d} "
        f"{at.hour:02d}:{at.minute:02d}:{at.second:02d} {zone}"
    )


def encoded_words(text: str, raw: str = "") -> list[str]:
    """Returns a text as encoded words, in charset and encoding of the raw header's where they can hold it."""
    found = _WORD.search(raw)
    charset, letter = (found[1].lower(), found[2].upper()) if found is not None else ("utf-8", "Q")
    try:
        text.encode(charset)
        if charset.startswith(("utf-16", "utf-32", "utf-7", "iso-2022")):
            charset = "utf-8"
    except (LookupError, UnicodeError):
        charset = "utf-8"
    words, piece = [], ""
    for char in text:
        if piece and len(_word(piece + char, charset, letter)) > _LONGEST_WORD:
            words.append(_word(piece, charset, letter))
            piece = ""
        piece += char
    return [*words, _word(piece, charset, letter)] if piece else words


def folded(name: str, words: Sequence[str]) -> str:
    """Returns a header of words that are not cut, lines of about 78 characters, none over 998."""
    lines, line = [], f"{name}:"
    for word in words:
        for piece in [word[at : at + 900] for at in range(0, len(word), 900)] or [""]:
            if len(line) + 1 + len(piece) > _LINE and line.strip() and line != f"{name}:":
                lines.append(line)
                line = ""
            line += f" {piece}"
    return "\n".join([*lines, line.rstrip() or line])


def parameter(name: str, value: str) -> str:
    """Returns a parameter of a header, by RFC 2231 where it is not plain."""
    if value.isascii() and value.isprintable():
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'{name}="{escaped}"'
    quoted = "".join(
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02X}"
        for byte in value.encode("utf-8", "replace")
    )
    return f"{name}*=utf-8''{quoted}"


def _mailbox(mailbox: str, raw: str) -> list[str]:
    match = _MAILBOX.fullmatch(mailbox)
    name, address = (match["name"], match["address"]) if match is not None else ("", mailbox.strip())
    if not _ADDRESS.fullmatch(address):
        return _group(name or address, raw)
    return [*_phrase(name, raw), f"<{address}>"] if name else [address]


def _group(name: str, raw: str) -> list[str]:
    """A name without an address: valid as an empty group."""
    words = _phrase(name or "undisclosed-recipients", raw)
    words[-1] += ":;"
    return words


def _phrase(name: str, raw: str) -> list[str]:
    if not name.isascii():
        return encoded_words(name, raw)
    if _ATOM.fullmatch(name):
        return name.split(" ")
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return [f'"{escaped}"']


def _word(text: str, charset: str, letter: str) -> str:
    data = text.encode(charset, "replace")
    if letter == "B":
        return f"=?{charset}?B?{base64.b64encode(data).decode()}?="
    quoted = "".join(
        "_" if byte == 32 else chr(byte) if chr(byte).isalnum() and byte < 128 else f"={byte:02X}"
        for byte in data
    )
    return f"=?{charset}?Q?{quoted}?="
