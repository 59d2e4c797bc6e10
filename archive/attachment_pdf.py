"""The text layer of PDF files, within bounds of pages, bytes and drawing operations.

Belongs here: PDF. Does not belong here: text in pictures, which is not read.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

from archive.attachment_office import OfficeText, bounded_text
from archive.packed import FAULTS

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MAX_PAGES = 2_000
"""Pages of a PDF that are read."""
MAX_PAGE_CONTENT = 32 * 1024 * 1024
"""Bytes that the contents and character maps of a PDF's pages may expand to, together."""
MAX_OPERATIONS = 2_000_000
"""Drawing operations of a PDF that are followed, forms drawn again and again counted each time."""
_STREAM = 8 * 1024 * 1024


def pdf_text(data: bytes, limit: int) -> OfficeText:
    """Returns the text layer of a PDF, pages separated by empty lines; never raises."""
    import pypdf
    from pypdf.errors import DependencyError, PyPdfError

    # The library's warnings quote the file.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        with pypdf.apply_configuration(zlib_maximum_output_length=_STREAM, lzw_maximum_output_length=_STREAM):
            reader = pypdf.PdfReader(io.BytesIO(data))
            if reader.is_encrypted and not reader.decrypt(""):
                return OfficeText("", "encrypted")
            read = bounded_text(_pages(reader), limit)
    except DependencyError:
        return OfficeText("", "encrypted")
    except (PyPdfError, *FAULTS, TypeError, AttributeError, ArithmeticError, AssertionError):
        # On broken files the library raises whatever its Python code meets.
        return OfficeText("", "unreadable")
    return read if read.text.strip() or read.fault else OfficeText("", "no_text")


class _WorkDone(ValueError):
    """A PDF asks for more work than its bound."""


def _pages(reader: PdfReader) -> Iterator[OfficeText]:
    work = MAX_PAGE_CONTENT
    operations = 0
    sizes: dict[int, int] = {}

    def count(*_: object) -> None:
        nonlocal operations
        operations += 1
        if operations > MAX_OPERATIONS:
            raise _WorkDone

    for number, page in enumerate(reader.pages):
        work -= _page_work(page, sizes)
        if number >= MAX_PAGES or work < 0:
            yield OfficeText("", "cut")
            return
        try:
            text = page.extract_text(visitor_operand_before=count)
        except _WorkDone:
            yield OfficeText("", "cut")
            return
        yield OfficeText(f"{text.strip()}\n\n" if text.strip() else "")


def _page_work(page: PageObject, sizes: dict[int, int]) -> int:
    """Bytes that reading a page will go through: its contents and the character maps of its fonts."""
    contents = page.get_contents()
    work = len(contents.get_data()) if contents is not None else 0
    resources = page.get("/Resources")
    fonts = resources.get_object().get("/Font") if resources is not None else None
    for font in fonts.get_object().values() if fonts is not None else ():
        mapping = font.get_object().raw_get("/ToUnicode") if "/ToUnicode" in font.get_object() else None
        key = getattr(mapping, "idnum", 0)
        if mapping is not None and key not in sizes:
            stream = mapping.get_object()
            sizes[key] = len(stream.get_data()) if hasattr(stream, "get_data") else 0
        work += sizes.get(key, 0)
    return work
