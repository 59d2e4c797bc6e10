"""Files that people attach, written from plain lines and rows; no clock and no compression in any of them."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from xml.sax.saxutils import escape

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_STAMP = (2025, 1, 1, 0, 0, 0)


def pdf_page(lines: list[str]) -> bytes:
    """A one-page PDF that shows the lines, uncompressed."""
    shown = [
        line.encode("latin-1", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        for line in lines
    ]
    stream = b"BT /F1 11 Tf 14 TL 60 780 Td " + b" ".join(b"(" + line + b") Tj T*" for line in shown) + b" ET"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        b"<< /Length %d >>\nstream\n" % len(stream) + stream + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    )
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    return (
        out
        + b"xref\n0 6\n0000000000 65535 f \n"
        + table
        + b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start
    )


def archive_of(members: Sequence[tuple[str, bytes]]) -> bytes:
    """A ZIP file of the members, stored and with a fixed time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as packed:
        for name, content in members:
            info = zipfile.ZipInfo(name, _STAMP)
            info.create_system = 3
            packed.writestr(info, content)
    return out.getvalue()


def picture(shade: int) -> bytes:
    """A PNG of eight by eight points in one colour."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    rows = b"".join(b"\x00" + bytes((shade % 256, 90, 140)) * 8 for _ in range(8))
    stored = len(rows).to_bytes(2, "little") + (len(rows) ^ 0xFFFF).to_bytes(2, "little") + rows
    data = b"\x78\x01\x01" + stored + zlib.adler32(rows).to_bytes(4, "big")
    head = (8).to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def letter(title: str, lines: Sequence[str]) -> bytes:
    """A Word document with a title and one paragraph per line."""
    paragraphs = "".join(
        f'<w:p><w:r><w:t xml:space="preserve">{escape(line)}</w:t></w:r></w:p>' for line in (title, *lines)
    )
    body = f'{_XML}<w:document xmlns:w="{_WORD}"><w:body>{paragraphs}</w:body></w:document>'
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return archive_of(
        [
            ("[Content_Types].xml", content_types([("/word/document.xml", kind)])),
            ("_rels/.rels", relations([("officeDocument", "word/document.xml")])),
            ("word/document.xml", body.encode()),
        ]
    )


def content_types(parts: Sequence[tuple[str, str]]) -> bytes:
    """The list of an office file's parts and their kinds."""
    rows = "".join(f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in parts)
    base = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType="{base}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{rows}</Types>'
    ).encode()


def relations(parts: Sequence[tuple[str, str]]) -> bytes:
    """The links of an office file's part, numbered from one."""
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(parts, 1)
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'.encode()
