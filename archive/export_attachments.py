"""Attached files made from clean text: text, workbooks and documents as such, others as a note.

Belongs here: the bytes of one file. Images, sounds, archives and layouts were not seen by replacement and
never leave; of a PDF its text does.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from typing import NamedTuple

from archive.export_body import as_html
from archive.export_workbook import steady_zip, workbook_of

_TEXTUAL = frozenset("txt csv tsv tab md log xml json yaml yml ics eml ini sql vcf text diff patch".split())
_TYPE = re.compile(r"[a-z0-9!#$&^_.+\-]{1,80}/[a-z0-9!#$&^_.+\-]{1,80}")
PLACEHOLDER = "This file was left out: its content cannot be pseudonymised.\n"


class FileBytes(NamedTuple):
    """An attached file as it is written."""

    content_type: str
    filename: str
    data: bytes
    textual: bool


def attached_file(content_type: str, filename: str, text: str, left_out: Counter[str]) -> FileBytes:
    """Returns a file with clean text; `content_type` and `filename` are the clean ones."""
    kind = content_type.lower() if _TYPE.fullmatch(content_type.lower()) else "application/octet-stream"
    ending = filename.rpartition(".")[2].lower() if "." in filename else ""
    if text and (ending in ("html", "htm") or (kind == "text/html" and ending not in _TEXTUAL)):
        return FileBytes(kind, filename, as_html(text).encode("utf-8", "replace"), True)
    if text and (ending in _TEXTUAL or kind.startswith(("text/", "message/"))):
        return FileBytes(kind, filename, text.encode("utf-8", "replace"), True)
    if text and ending in ("xlsx", "xlsm"):
        return FileBytes(kind, filename, workbook_of(text), False)
    if text and ending == "docx":
        return FileBytes(kind, filename, _document(text), False)
    left_out["attachments as text" if text else "attachments as placeholder"] += 1
    named = f"{filename or 'file'}.txt"
    return FileBytes("text/plain", named, (text or PLACEHOLDER).encode("utf-8", "replace"), True)


def _document(text: str) -> bytes:
    """A Word document of plain paragraphs, without properties of anybody."""
    from docx import Document

    built = Document()
    for name in ("author", "comments", "last_modified_by", "title", "subject", "keywords", "category"):
        setattr(built.core_properties, name, "")
    for line in text.split("\n"):
        built.add_paragraph(re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", " ", line))
    data = io.BytesIO()
    built.save(data)
    return steady_zip(data.getvalue())
