"""Files as bytes: a PDF that readers open, texts as they are, the same bytes each time."""

import re
from io import BytesIO

import pytest
from pypdf import PdfReader

from contracts.files import File
from runtime.attached import content_of, size_text


def file(text, media_type="application/pdf"):
    return File(id="f", name="f", media_type=media_type, text=text)


@pytest.mark.parametrize("text", ["", "One line.", "\n".join(map(str, range(200))), "long " * 300, "x" * 300])
def test_a_pdf_is_well_formed(text):
    data = content_of(file(text))
    assert data == content_of(file(text))
    assert data.startswith(b"%PDF-1.4\n") and data.endswith(b"%%EOF\n")
    (start,) = re.findall(rb"startxref\n(\d+)\n", data)
    assert data[int(start) :].startswith(b"xref\n")
    entries = re.findall(rb"(\d{10}) 00000 n \n", data)
    assert [data[int(at) :].split(b" ", 1)[0] for at in entries] == [
        b"%d" % n for n in range(1, len(entries) + 1)
    ]
    for length, drawn in re.findall(rb"<< /Length (\d+) >>\nstream\n(.*?)\nendstream", data, re.DOTALL):
        assert len(drawn) == int(length)


def test_a_pdf_says_all_of_its_text():
    text = "Plan (for) today\n" + "\n".join(f"Account {n} \\ company" for n in range(70))
    pages = PdfReader(BytesIO(content_of(file(text)))).pages
    assert len(pages) == 2
    read = "\n".join(page.extract_text() for page in pages)
    assert read.split() == text.split()


def test_other_files_are_their_text():
    assert content_of(file("a,b\né", "text/csv")) == "a,b\né".encode()
    assert content_of(file("A:1\nB:2", "text/calendar")) == b"A:1\r\nB:2\r\n"


@pytest.mark.parametrize(("length", "text"), [(312, "312 bytes"), (1024, "1.0 KB"), (4301, "4.2 KB")])
def test_a_size_reads_as_people_write_it(length, text):
    assert size_text(file("x" * length, "text/plain")) == text
