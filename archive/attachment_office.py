"""Text of office and HTML files: what a reader of the file would see, nothing evaluated or fetched.

Belongs here: Office Open XML, OpenDocument, HTML, each with its bounds. Does not belong here: telling
formats apart (`archive.attachment_text`); tables for their own sake (`archive.tables_*`).
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import NamedTuple

from archive.packed import FAULTS, Budget, zip_directory, zip_fault

MAX_CELLS = 1_000_000
"""Cells of one workbook that are looked at, empty ones included."""
MAX_TREE = 24 * 1024 * 1024
"""Bytes of one XML file in a workbook that the library holds whole (shared strings, styles)."""
_BLOCK = 256 * 1024

_CONTENT_TYPES = "[Content_Types].xml"
_PARTS = {
    "docx": (
        "word/header",
        "word/document",
        "word/footnotes",
        "word/endnotes",
        "word/comments",
        "word/footer",
    ),
    "pptx": ("ppt/slides/slide", "ppt/notesSlides/notesSlide"),
    "opendocument": ("content", "styles"),
}
_BREAKS = {"tab": "\t", "s": " ", "br": "\n", "cr": "\n", "line-break": "\n"}
_PARAGRAPHS = frozenset(("p", "h"))
_CELLS = frozenset(("tc", "table-cell"))
_ROWS = frozenset(("tr", "table-row"))
_OPEN_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
_HTML_SILENT = frozenset(("script", "style", "head", "title", "template"))
_HTML_CELLS = frozenset(("td", "th"))
_HTML_BLOCKS = frozenset(
    "address article aside blockquote br dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li "
    "main nav ol p pre section table tr ul".split()
)


class OfficeText(NamedTuple):
    """Text and the reason why some is missing, as in `archive.attachment_text`."""

    text: str
    fault: str = ""


def office_kind(data: bytes) -> str:
    """Returns "xlsx", "docx", "pptx" or "opendocument" where a zip file is one of them, else ""."""
    if not data.startswith(b"PK"):
        return ""
    try:
        directory = zip_directory(data)
    except FAULTS:
        return ""
    names = set(directory.namelist()) if directory is not None else set()
    if _CONTENT_TYPES in names:
        for folder, kind in (("xl/", "xlsx"), ("word/", "docx"), ("ppt/", "pptx")):
            if any(name.startswith(folder) for name in names):
                return kind
    return "opendocument" if {"content.xml", "mimetype"} <= names else ""


def office_text(kind: str, data: bytes, budget: Budget, limit: int) -> OfficeText:
    """Returns the text of an office file, about `limit` characters of it; never raises.

    Sheets come one after another, cells separated by tabs, formulas as the values stored with them. A file
    with a document type in its XML is not read at all: office files have none, attacks do.
    """
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        directory = zip_directory(data)
        fault = _package_fault(directory, budget) if directory is not None else "too_many_members"
        if directory is None or fault:
            return OfficeText("", fault)
        pieces = _workbook(data) if kind == "xlsx" else _documents(directory, _PARTS[kind])
        return bounded_text(pieces, limit)
    except (*FAULTS, SyntaxError, TypeError, AttributeError, InvalidFileException):
        # Libraries for office files meet every kind of error in a broken one, and name none of their own.
        return OfficeText("", "unreadable")


def html_text(html: str) -> str:
    """Returns the readable text of HTML, one line per block, in time linear in its length; never raises."""
    from lxml import etree

    target = _HtmlTarget()
    parser = etree.HTMLParser(target=target, encoding="utf-8", no_network=True, recover=True)
    data = html.replace("\0", "").encode("utf-8", "replace")
    try:
        for at in range(0, len(data), _BLOCK):
            parser.feed(data[at : at + _BLOCK])
        parser.close()
    except (etree.XMLSyntaxError, ValueError, AssertionError):
        # What was read until then is what the file says.
        pass
    return _without_gaps(" ".join(line.split()) for line in "".join(target.pieces).split("\n"))


class _HtmlTarget:
    """Collects the text of HTML as a parser meets it."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._silent = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._silent += tag in _HTML_SILENT
        if tag in _HTML_BLOCKS:
            self.pieces.append("\n")
        elif tag in _HTML_CELLS:
            self.pieces.append(" ")

    def end(self, tag: str) -> None:
        self._silent -= tag in _HTML_SILENT
        if tag in _HTML_BLOCKS and tag != "br":
            self.pieces.append("\n\n" if tag == "p" else "\n")

    def data(self, text: str) -> None:
        if not self._silent:
            self.pieces.append(text.replace("\n", " "))

    def close(self) -> None:
        """Nothing is left to do; the parser asks for this method."""


def _without_gaps(lines: Iterator[str]) -> str:
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip()


def bounded_text(pieces: Iterator[OfficeText], limit: int) -> OfficeText:
    """Returns pieces as one text, up to the bound; the first fault is the fault of all."""
    texts: list[str] = []
    fault = ""
    size = 0
    for piece in pieces:
        texts.append(piece.text)
        fault = fault or piece.fault
        size += len(piece.text)
        if size > limit:
            break
    return OfficeText("".join(texts).strip("\n"), fault)


def _package_fault(directory: zipfile.ZipFile, budget: Budget) -> str:
    """The reason why an office file's package must not be handed to a library, else ""."""
    infos = directory.infolist()
    budget.members -= len(infos)
    if budget.members < 0:
        return "too_many_members"
    for info in infos:
        fault = zip_fault(info)
        if fault:
            return fault
        if not budget.fits(info.file_size, info.compress_size):
            return "bomb"
        if info.filename.lower().endswith((".xml", ".rels", ".vml")):
            held = info.filename.startswith("xl/") and "/worksheets/" not in info.filename
            if held and info.file_size > MAX_TREE:
                return "too_large"
            if _declares_type(directory, info):
                return "unsafe_xml"
    return ""


def _declares_type(directory: zipfile.ZipFile, info: zipfile.ZipInfo) -> bool:
    """Says whether XML has a document type, in any encoding that leaves ASCII letters recognisable."""
    before = b""
    with directory.open(info) as member:
        while block := member.read(1024 * 1024):
            letters = (before + block).replace(b"\0", b"").upper()
            if b"<!DOCTYPE" in letters or b"<!ENTITY" in letters:
                return True
            before = block[-32:]
    return False


def _workbook(data: bytes) -> Iterator[OfficeText]:
    import openpyxl

    with warnings.catch_warnings():
        # The library warns of every feature of a workbook that it does not know.
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        cells = MAX_CELLS
        for sheet in book.worksheets:
            yield OfficeText(f"\n[{sheet.title}]\n")
            # The size that a sheet states may be any number; rows then have the length that they have.
            sheet.reset_dimensions()
            for row in sheet.iter_rows(values_only=True):
                cells -= len(row) + 1
                if cells < 0:
                    yield OfficeText("", "cut")
                    return
                line = "\t".join(_cell(value) for value in row).rstrip("\t")
                if line:
                    yield OfficeText(f"{line}\n")


def _cell(value: object) -> str:
    """A cell's value as text; dates ISO 8601, at midnight without time."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return (
            value.date().isoformat()
            if value.time() == time()
            else value.replace(tzinfo=None).isoformat(sep=" ", timespec="seconds")
        )
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return " ".join(str(value).split())


def _documents(directory: zipfile.ZipFile, prefixes: tuple[str, ...]) -> Iterator[OfficeText]:
    """The texts of a document's or presentation's XML files, those of a kind by their numbers."""
    names = [name for name in directory.namelist() if name.endswith(".xml")]
    for prefix in prefixes:
        found = [
            name
            for name in names
            if name.startswith(prefix) and (name[len(prefix) : -4].isdigit() or name[len(prefix) : -4] == "")
        ]
        for name in sorted(found, key=lambda name: (len(name), name)):
            yield from _xml_text(directory, name)


class _Target:
    """Collects the text of office XML as a parser meets it: no tree is built, size costs no memory."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._reading = 0
        self._cells = 0
        self._silent = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, tag = name.rpartition("}")
        self._silent += tag == "Fallback"
        if self._silent:
            return
        self._cells += tag in _CELLS
        if _reads(space, tag):
            self._reading += 1
        elif tag in _BREAKS and not any(key.endswith("}val") for key in attributes):
            self.pieces.append(_BREAKS[tag])

    def end(self, name: str) -> None:
        space, _, tag = name.rpartition("}")
        if self._silent:
            self._silent -= tag == "Fallback"
            return
        self._reading -= _reads(space, tag)
        if tag in _PARAGRAPHS:
            self.pieces.append(" " if self._cells else "\n")
        elif tag in _CELLS:
            self._cells -= 1
            self.pieces.append("\t")
        elif tag in _ROWS:
            self.pieces.append("\n")

    def data(self, text: str) -> None:
        if self._reading and not self._silent:
            self.pieces.append(text)

    def close(self) -> None:
        """Nothing is left to do; the parser asks for this method."""

    def taken(self) -> str:
        text = "".join(self.pieces)
        self.pieces.clear()
        return text


def _reads(space: str, tag: str) -> bool:
    return tag in _PARAGRAPHS if space.endswith(_OPEN_TEXT) else tag == "t"


def _xml_text(directory: zipfile.ZipFile, name: str) -> Iterator[OfficeText]:
    from lxml import etree

    target = _Target()
    parser = etree.XMLParser(target=target, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        with directory.open(name) as stream:
            while block := stream.read(_BLOCK):
                parser.feed(block)
                yield OfficeText(target.taken())
        parser.close()
    except etree.XMLSyntaxError:
        yield OfficeText(target.taken(), "unreadable")
    yield OfficeText(f"{target.taken()}\n")
