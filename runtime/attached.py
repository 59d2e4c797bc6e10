"""Files as bytes: what a file of the world is when somebody downloads it, and how large.

Belongs here: the bytes. What a file says is the world's, who may open it the apps'.
"""

from __future__ import annotations

from functools import lru_cache

from contracts.files import File

PDF, CALENDAR = "application/pdf", "text/calendar"
_LINES, _WIDTH = 48, 88
"""Of a page in a PDF: lines, and characters in a line."""
_KIB = 1024


@lru_cache(maxsize=256)
def content_of(file: File) -> bytes:
    """Returns the file's bytes: a PDF of its text, or its text as the kind of file wants it."""
    if file.media_type == PDF:
        return _pdf(file.text)
    # Lines of a calendar file end so by its standard (RFC 5545).
    return (file.text.replace("\n", "\r\n") + "\r\n" if file.media_type == CALENDAR else file.text).encode()


def size_text(file: File) -> str:
    """Returns the file's size as people read it: "312 bytes", "4.2 KB"."""
    size = len(content_of(file))
    if size < _KIB:
        return f"{size} bytes"
    tenths = (size * 10 + _KIB // 2) // _KIB
    return f"{tenths // 10}.{tenths % 10} KB"


def _pdf(text: str) -> bytes:
    """Returns a PDF with a text in one plain font; a letter outside of Latin-1 shows as a question mark."""
    lines = [piece for line in text.split("\n") for piece in _pieces(line)]
    pages = [lines[at : at + _LINES] for at in range(0, len(lines), _LINES)] or [[]]
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for place, page in enumerate(pages):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            b"/Resources << /Font << /F1 3 0 R >> >> /Contents " + f"{5 + 2 * place} 0 R >>".encode()
        )
        drawn = b"BT /F1 11 Tf 14 TL 64 728 Td\n" + b"".join(map(_drawn, page)) + b"ET"
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    made, places = b"%PDF-1.4\n", []
    for number, held in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, held)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return (
        made
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
        + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(made))
    )


def _pieces(line: str) -> list[str]:
    """Returns a line in pieces that fit a page, parted between words where that is possible."""
    pieces = []
    while len(line) > _WIDTH:
        at = line.rfind(" ", 1, _WIDTH + 1)
        at = at if at > 0 else _WIDTH
        pieces.append(line[:at])
        line = line[at:].lstrip(" ")
    return [*pieces, line]


def _drawn(line: str) -> bytes:
    shown = line.encode("latin-1", "replace")
    for mark in (b"\\", b"(", b")"):
        shown = shown.replace(mark, b"\\" + mark)
    return b"(" + shown.replace(b"\r", b" ") + b") Tj T*\n"
