"""Hostile attachments end in bounded time and memory, measured in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS, MEGABYTES = 60, 400
"""What reading any one attachment may take; a machine without other work needs a tenth of the time."""
READ = """
import gzip, io, json, random, sys, time, zipfile
from pathlib import Path
from archive.attachment_text import attachment_text

MB = 1024 * 1024
CHANCE = random.Random(1)
MULTIPART = b"Content-Type: multipart/mixed; boundary=%d\\n\\n--%d\\n"

def zipped(members):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return whole.getvalue()

def workbook(sheet):
    import openpyxl
    whole = io.BytesIO()
    openpyxl.Workbook().save(whole)
    with zipfile.ZipFile(whole) as file:
        members = {name: file.read(name) for name in file.namelist()}
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    data = b"<worksheet xmlns='%s'><sheetData>%s</sheetData></worksheet>" % (space, sheet)
    members["xl/worksheets/sheet1.xml"] = data
    return zipped(members)

def document(text):
    return zipped({"[Content_Types].xml": "x", "word/document.xml": b"<w:d xmlns:w='w'>" + text + b"</w:d>"})

def paragraphs(count):
    return b"".join(b"<w:p><w:t>%06x</w:t></w:p>" % CHANCE.getrandbits(24) for _ in range(count))

def nested(levels, width, data):
    for level in range(levels):
        data = zipped({f"{level}-{number}.zip": data for number in range(width)})
    return data

def peak():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) // 1024

name, data = sys.argv[1], eval(sys.argv[2])
attachment_text("warm.html", "", b"<p>x")
before, start = peak(), time.process_time()
read = attachment_text(name, "", data)
print(json.dumps([read.fault, len(read.text), time.process_time() - start, peak() - before]))
"""
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured on Linux")


@pytest.mark.parametrize(
    ("name", "made", "faults"),
    [
        ("a.gz", "gzip.compress(bytes(150 * MB), 1, mtime=0)", "bomb"),
        ("a.zip", "zipped({f'{n}.txt': bytes(30 * MB) for n in range(4)})", "bomb"),
        ("a.zip", "nested(1, 200, zipped({'a.txt': bytes(MB)}))", "bomb"),
        ("a.zip", "nested(1, 60, zipped({f'{n}': b'x' for n in range(900)}))", "too_many_members"),
        ("a.html", "b'<div>' * (8 * MB // 5)", ""),
        ("a.html", "b'<' * (8 * MB - 1)", "cut"),
        ("a.html", "b'<!--' * 2_000_000", ""),
        ("a.rtf", "b'{\\\\rtf1{\\\\fonttbl' + b'\\\\f1\\\\fcharset1' * 500_000", ""),
        ("a.rtf", "b'{\\\\rtf1' + b'{' * 8_000_000", ""),
        ("a.docx", "document(b'<a>' * 300_000)", "unreadable"),
        ("a.docx", "document(paragraphs(900_000))", "cut"),
        ("a.xlsx", "workbook(b\"<row r='1'><c r='ZZZZZZ1'><v>1</v></c></row>\")", "unreadable"),
        ("a.xlsx", "workbook(b\"<row r='9999999'><c r='A9999999'><v>1</v></c></row>\")", "cut"),
        ("a.eml", "b''.join(MULTIPART % (n, n) for n in range(10_000))", "too_deep"),
        ("a.eml", "MULTIPART % (1, 1) + b'--1\\n\\ny\\n' * 6_000_000", "too_many_members"),
    ],
)
def test_no_attachment_takes_more_than_its_bounds(name: str, made: str, faults: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", READ, name, made],
        capture_output=True,
        check=True,
        timeout=5 * SECONDS,
        cwd=Path(__file__).parents[2],
    )
    fault, length, seconds, megabytes = json.loads(done.stdout)
    assert fault == faults
    assert length <= 1_000_010
    assert seconds < SECONDS
    assert megabytes < MEGABYTES
