"""MIME parts as bytes: texts in their encodings, files with their names, multiparts, delivery reports."""

from __future__ import annotations

import base64
import quopri
import re
from urllib.parse import quote

from data_samples.history import Attachment

Headers = list[tuple[str, str]]
Part = tuple[Headers, bytes]
CHARSETS = {"8859": "iso-8859-1", "1252": "windows-1252", "utf16": "utf-16"}


def fitting_charset(encoding: str, text: str) -> str:
    """The charset that the author's program picks for the text."""
    charset = CHARSETS.get(encoding, "utf-8")
    if charset == "utf-16" or (not text.isascii() and _fits(text, charset)):
        return charset
    return "utf-8"


def _fits(text: str, charset: str) -> bool:
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def encoded_word(text: str, charset: str) -> str:
    """The text as a header holds it (RFC 2047)."""
    if text.isascii():
        return text
    if charset in ("iso-8859-1", "windows-1252"):
        coded = "".join(
            chr(byte) if chr(byte).isalnum() and byte < 128 else f"={byte:02X}"
            for byte in text.encode(charset)
        )
        return f"=?{charset}?Q?{coded}?="
    parts = [""]
    for piece in re.split(r"(?<= )", text):
        # Words are never cut: some readers put a blank between two encoded words.
        if parts[-1] and len((parts[-1] + piece).encode()) > 44:
            parts.append("")
        parts[-1] += piece
    return "\n ".join(f"=?utf-8?B?{base64.b64encode(part.encode()).decode()}?=" for part in parts)


def text_part(text: str, kind: str, charset: str, encoding: str) -> Part:
    """A text in the author's charset and transfer encoding."""
    if charset != "utf-16" and text.isascii() and encoding in ("7bit", "8859", "1252"):
        return [
            ("Content-Type", f"{kind}; charset=us-ascii"),
            ("Content-Transfer-Encoding", "7bit"),
        ], text.encode() + b"\n"
    if charset == "utf-16":
        raw = b"\xff\xfe" + (text + "\n").encode("utf-16-le")
    else:
        raw = (text + "\n").encode(charset)
    if encoding in ("base64", "utf16"):
        return [
            ("Content-Type", f"{kind}; charset={charset}"),
            ("Content-Transfer-Encoding", "base64"),
        ], base64.encodebytes(raw)
    if charset == "windows-1252":
        return [
            ("Content-Type", f'{kind}; charset="Windows-1252"'),
            ("Content-Transfer-Encoding", "8bit"),
        ], raw
    return [
        ("Content-Type", f'{kind}; charset="{charset}"'),
        ("Content-Transfer-Encoding", "quoted-printable"),
    ], quopri.encodestring(raw)


def file_part(file: Attachment) -> Part:
    """An attached or, with a content id, inline file."""
    name = _name_parameter("name", file)
    place = "inline" if file.content_id else "attachment"
    headers = [("Content-Type", f"{file.kind}; {name}")]
    if file.kind == "message/rfc822":
        return [
            ("Content-Type", file.kind),
            ("Content-Disposition", f"attachment; {_name_parameter('filename', file)}"),
        ], file.content
    headers.append(("Content-Transfer-Encoding", "base64"))
    headers.append(("Content-Disposition", f"{place}; {_name_parameter('filename', file)}"))
    if file.content_id:
        headers.append(("Content-ID", f"<{file.content_id}>"))
    return headers, base64.encodebytes(file.content)


def _name_parameter(parameter: str, file: Attachment) -> str:
    if file.name.isascii() and not file.continued:
        return f'{parameter}="{file.name}"'
    if not file.modern:
        return f'{parameter}="{encoded_word(file.name, "utf-8")}"'.replace("\n ", " ")
    coded = quote(file.name, safe="")
    if not file.continued:
        return f"{parameter}*=utf-8''{coded}"
    half = coded.find("%", len(coded) // 2)
    half = half if half > 0 else len(coded) // 2
    return f"{parameter}*0*=utf-8''{coded[:half]};\n {parameter}*1*={coded[half:]}"


def multipart(kind: str, boundary: str, parts: list[Part], more: str = "") -> Part:
    """The parts between boundaries."""
    body = b""
    for headers, content in parts:
        head = "".join(f"{name}: {value}\n" for name, value in headers).encode()
        body += f"--{boundary}\n".encode() + head + b"\n" + content + b"\n"
    value = f'multipart/{kind}; boundary="{boundary}"{more}'
    return [("Content-Type", value)], body + f"--{boundary}--\n".encode()


def report(text: str, reader: str, action: str, status: str, head: str, boundary: str) -> Part:
    """A delivery report: words for people, fields for programs, the headers of the mail concerned."""
    fields = (
        "Reporting-MTA: dns; mx1.tarnwick.com\n\n"
        f"Final-Recipient: rfc822; {reader}\nAction: {action}\nStatus: {status}\n"
        f"Diagnostic-Code: smtp; {status} see the text above\n"
    )
    return multipart(
        "report",
        boundary,
        [
            ([("Content-Type", "text/plain; charset=us-ascii")], f"{text}\n".encode()),
            ([("Content-Type", "message/delivery-status")], fields.encode()),
            ([("Content-Type", "text/rfc822-headers")], head.encode()),
        ],
        "; report-type=delivery-status",
    )
