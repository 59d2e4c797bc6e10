"""The text of attachments: every format as a reader would see it, every limit and every attack as a fault."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from email.message import EmailMessage
from pathlib import Path

import docx
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from archive import attachment_office, attachment_pdf, attachment_text
from archive.attachment_text import CUT, MAX_TEXT, AttachmentText
from archive.packed import MAX_MEMBERS

read = attachment_text.attachment_text
PRESENTATION = "http://schemas.openxmlformats.org/drawingml/2006/main"


def zipped(members: dict[str, bytes | str]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return whole.getvalue()


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Prices"
    for row in (
        ["Part", "Price", "From"],
        ["A-1", 12.5, date(2025, 3, 4)],
        ["=cmd|' /C calc'!A0", 3.0, None],
    ):
        sheet.append(row)
    sheet["A3"].data_type = "s"
    sheet["B6"] = "=1+1"
    sheet["C6"] = datetime(2025, 3, 4, 14, 10)  # noqa: DTZ001 - cells have no zone
    book.create_sheet("Hidden").append(["x"])
    book["Hidden"].sheet_state = "hidden"
    whole = io.BytesIO()
    book.save(whole)
    return whole.getvalue()


def document() -> bytes:
    made = docx.Document()
    made.add_paragraph("Hello\tBob")
    table = made.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Part", "Price"
    made.add_paragraph("Bye")
    made.sections[0].header.paragraphs[0].text = "Letter"
    whole = io.BytesIO()
    made.save(whole)
    return whole.getvalue()


def presentation() -> bytes:
    slide = f'<p:sld xmlns:p="p" xmlns:a="{PRESENTATION}"><a:p><a:r><a:t>Slide %d</a:t></a:r></a:p></p:sld>'
    slides: dict[str, bytes | str] = {f"ppt/slides/slide{n}.xml": slide % n for n in (10, 2, 1)}
    return zipped(slides | {"[Content_Types].xml": "<Types/>"})


def text_document() -> bytes:
    space = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    content = f'<o xmlns:text="{space}"><text:p>One<text:tab/>two <text:span>three</text:span>.</text:p></o>'
    return zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


def pdf(*pages: str, password: str = "") -> bytes:
    writer = PdfWriter()
    for text in pages:
        page = writer.add_blank_page(200, 200)
        font = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 10 100 Td ({text}) Tj ET".encode() if text else b"")
        page[NameObject("/Contents")] = writer._add_object(stream)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    whole = io.BytesIO()
    writer.write(whole)
    return whole.getvalue()


def letter() -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Anna <a@b.example>", "b@b.example", "Prices"
    mail.set_content("See the file.")
    mail.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="prices.csv")
    return mail.as_bytes()


@pytest.mark.parametrize(
    ("name", "content_type", "data", "text"),
    [
        ("a.txt", "text/plain", "Grüße\r\nBob".encode(), "Grüße\nBob"),
        ("a.txt", "", "Grüße".encode("cp1252"), "Grüße"),
        ("a.txt", "", "Grüße".encode("utf-16"), "Grüße"),
        ("a.csv", "application/vnd.ms-excel", b"a;b\n=cmd|x;2\n", "a;b\n=cmd|x;2\n"),
        ("a.json", "application/json", b'{"a": 1}', '{"a": 1}'),
        ("a.xml", "", b"<a>1</a>", "<a>1</a>"),
        ("", "text/x-log", b"line", "line"),
        ("a.html", "", b"<p>Hi <b>Bob</b>,</p><script>x</script><ul><li>1<li>2</ul>", "Hi Bob,\n\n1\n\n2"),
        ("page", "", "<!DOCTYPE html><p>Grüße".encode(), "Grüße"),
        ("a.rtf", "", rb"{\rtf1 Hi\par Bob}", "Hi\nBob"),
        ("a.doc", "application/msword", rb"{\rtf1 named wrongly}", "named wrongly"),
        ("a.docx", "", document(), "Letter\n\nHello\tBob\nPart \tPrice \t\nBye"),
        ("a.pptx", "", presentation(), "Slide 1\n\nSlide 2\n\nSlide 10"),
        ("a.odt", "", text_document(), "One\ttwo three."),
        ("a.pdf", "", pdf("Hello", "Bob"), "Hello\n\nBob"),
        ("picture.png", "image/png", b"\x89PNG\r\n\x1a\n\0\0", ""),
        ("a.bin", "application/octet-stream", b"\0\1\2", ""),
        ("empty.pdf", "", b"", ""),
    ],
)
def test_text_is_what_a_reader_would_see(name: str, content_type: str, data: bytes, text: str) -> None:
    assert read(name, content_type, data) == AttachmentText(text)


def test_a_workbook_is_all_its_sheets_and_formulas_are_never_evaluated() -> None:
    assert read("a.bin", "", workbook()).text == (
        "[Prices]\nPart\tPrice\tFrom\nA-1\t12.5\t2025-03-04\n=cmd|' /C calc'!A0\t3\n"
        "\t\t2025-03-04 14:10:00\n\n[Hidden]\nx"
    )


def test_a_mail_is_its_headers_text_and_files() -> None:
    assert read("letter.eml", "message/rfc822", letter()) == AttachmentText(
        "From: Anna <a@b.example>\nTo: b@b.example\nSubject: Prices\n\nSee the file.\n\n\n"
        "[prices.csv]\na,b\n1,2\n",
        "",
        ("prices.csv",),
    )


def test_a_mail_in_html_is_read_once_and_in_its_charset() -> None:
    mail = EmailMessage()
    mail["Subject"] = "x"
    mail.set_content("<p>Grüße</p>", subtype="html", charset="iso-8859-15")
    assert read("a.eml", "", mail.as_bytes()).text == "Subject: x\n\nGrüße"
    mail = EmailMessage()
    mail.set_content("plain")
    mail.add_alternative("<p>plain</p>", subtype="html")
    assert read("a.eml", "", mail.as_bytes()).text.strip() == "plain"


def test_packed_files_are_their_members() -> None:
    data = zipped(
        {"a.txt": "one", "in.zip": zipped({"b.docx": document(), "c.eml": letter()}), "d.png": "\0"}
    )
    whole = read("all.zip", "application/zip", data)
    assert whole.members == (
        "a.txt",
        "in.zip",
        "in.zip/b.docx",
        "in.zip/c.eml",
        "in.zip/c.eml/prices.csv",
        "d.png",
    )
    assert whole.fault == ""
    assert whole.text.startswith("[a.txt]\none\n\n[in.zip]\n[b.docx]\nLetter")
    assert whole.text.endswith("[prices.csv]\na,b\n1,2\n")


def nested(levels: int) -> bytes:
    data: bytes | str = "deep"
    for level in range(levels):
        data = zipped({f"{level}.zip" if level else "deep.txt": data})
    assert isinstance(data, bytes)
    return data


@pytest.mark.parametrize(("levels", "fault"), [(1, ""), (3, ""), (4, "too_deep"), (40, "too_deep")])
def test_nesting_ends_at_the_bound(levels: int, fault: str) -> None:
    whole = read("a.zip", "", nested(levels))
    assert whole.fault == fault
    assert ("deep" in whole.text.replace("[deep.txt]", "")) is not bool(fault)


def test_mails_in_mails_end_at_the_bound() -> None:
    data = b"Subject: x\n\n" + b"y"
    for number in range(2_000):
        data = b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (number, number) + data
    assert read("a.eml", "", data).fault == "too_deep"


def test_unsafe_names_are_told_and_the_others_are_read() -> None:
    whole = read("a.zip", "", zipped({"../../x.txt": "one", "good.txt": "two", "C:\\y.txt": "three"}))
    assert whole == AttachmentText("[good.txt]\ntwo", "unsafe_path", ("../../x.txt", "good.txt", "C:\\y.txt"))


XXE = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
LAUGHS = '<!DOCTYPE x [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'


@pytest.mark.parametrize("attack", [XXE, LAUGHS, XXE.replace("DOCTYPE", "doctype")])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(
    ("whole", "part"),
    [
        (workbook, "xl/sharedStrings.xml"),
        (workbook, "xl/worksheets/sheet1.xml"),
        (workbook, "xl/workbook.xml"),
        (document, "word/document.xml"),
        (document, "word/_rels/document.xml.rels"),
        (presentation, "ppt/slides/slide1.xml"),
        (text_document, "content.xml"),
    ],
)
def test_document_types_in_office_files_are_refused(
    attack: str, encoding: str, whole: Callable[[], bytes], part: str
) -> None:
    with zipfile.ZipFile(io.BytesIO(whole())) as file:
        members: dict[str, bytes | str] = {name: file.read(name) for name in file.namelist()}
    members[part] = (attack + "<x>&e;&c;</x>").encode(encoding)
    assert read("a", "", zipped(members)) == AttachmentText("", "unsafe_xml")


@pytest.mark.parametrize(
    ("name", "data", "fault"),
    [
        ("a.txt", b"x" * (attachment_text.MAX_ATTACHMENT + 1), "too_large"),
        ("a.html", b"<p>" * attachment_text.MAX_MARKUP, "too_large"),
        ("a.gz", gzip.compress(b"\0" * 80_000_000, mtime=0), "bomb"),
        ("a.zip", zipped({f"{n}.txt": b"\0" * 30_000_000 for n in range(3)}), "bomb"),
        ("a.zip", zipped({"in.zip": zipped({"a.gz": gzip.compress(b"\0" * 70_000_000, mtime=0)})}), "bomb"),
        ("a.zip", zipped({str(n): "" for n in range(MAX_MEMBERS + 1)}), "too_many_members"),
        ("a.docx", zipped({"[Content_Types].xml": "", "word/document.xml": b" " * 70_000_000}), "bomb"),
        ("a.xlsx", b"no zip", "unreadable"),
        ("a.pdf", b"%PDF-1.7 nothing", "unreadable"),
        ("a.pdf", pdf(""), "no_text"),
        ("a.pdf", pdf("x", password="secret"), "encrypted"),
        ("winmail.dat", b"\x78\x9f\x3e\x22\0\0", "unsupported"),
        ("a.7z", b"7z\xbc\xaf\x27\x1c", "unsupported"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512, "unsupported"),
    ],
)
def test_what_cannot_be_read_has_a_fault(name: str, data: bytes, fault: str) -> None:
    found = read(name, "", data)
    assert (found.text, found.fault) == ("", fault)


def test_an_encrypted_member_is_told() -> None:
    data = bytearray(zipped({"a.txt": "x"}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert read("a.zip", "", bytes(data)) == AttachmentText("", "encrypted", ("a.txt",))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", b"x" * 3_000_000),
        ("a.zip", zipped({f"{number}.txt": "x" * 600_000 for number in range(3)})),
        ("a.rtf", b"{\\rtf1 " + b"x " * 1_500_000),
        ("a.html", b"<p>" + b"x " * 1_500_000),
    ],
)
def test_long_text_is_cut_and_the_cut_is_marked(name: str, data: bytes) -> None:
    found = read(name, "", data)
    assert found.fault == "cut"
    assert len(found.text) == MAX_TEXT + len(CUT)
    assert found.text.endswith(CUT)


def test_a_workbook_that_states_a_giant_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attachment_office, "MAX_CELLS", 1_000)
    with zipfile.ZipFile(io.BytesIO(workbook())) as file:
        members: dict[str, bytes | str] = {name: file.read(name) for name in file.namelist()}
    row = '<row r="{0}"><c r="XFD{0}" t="inlineStr"><is><t>x</t></is></c></row>'
    members["xl/worksheets/sheet1.xml"] = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        '<dimension ref="A1:XFD1048576"/><sheetData>'
        f"{row.format(1)}{row.format(1048576)}</sheetData></worksheet>"
    )
    assert read("a.xlsx", "", zipped(members)).fault == "cut"


@pytest.mark.parametrize("bound", ["MAX_OPERATIONS", "MAX_PAGE_CONTENT", "MAX_PAGES"])
def test_a_pdf_is_read_up_to_its_bounds(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [f"page {number}" for number in range(40)]
    assert read("a.pdf", "", pdf(*pages)).fault == ""
    monkeypatch.setattr(attachment_pdf, bound, 20)
    found = read("a.pdf", "", pdf(*pages))
    assert found.fault == "cut"
    assert len(found.text.split("\n\n")) <= 20


def test_nothing_is_ever_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w:gz") as file:
        for name in ("../evil.txt", "good.txt"):
            info = tarfile.TarInfo(name)
            info.size = 1
            file.addfile(info, io.BytesIO(b"x"))
    for data in (tar.getvalue(), nested(3), workbook(), document(), letter(), pdf("x")):
        read("a", "", data)
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=250, deadline=None)
@given(
    st.sampled_from(
        [workbook(), document(), presentation(), text_document(), pdf("Hello"), letter(), nested(2)]
    ),
    st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 255)), max_size=6),
    st.integers(1, 2**17),
    st.sampled_from(["a", "a.pdf", "a.docx", "a.eml", "a.html", "a.rtf", "a.txt"]),
)
def test_no_damage_raises(data: bytes, changes: list[tuple[int, int]], cut: int, name: str) -> None:
    damaged = bytearray(data)
    for place, value in changes:
        damaged[place % len(damaged)] = value
    assert isinstance(read(name, "", bytes(damaged[:cut])), AttachmentText)


@given(st.binary(max_size=300), st.text(max_size=12), st.text(max_size=12))
def test_no_bytes_raise(data: bytes, name: str, content_type: str) -> None:
    assert isinstance(read(name, content_type, data), AttachmentText)
