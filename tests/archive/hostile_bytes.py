"""Bytes and files of every export format, good and hostile, made by code; each holds a canary.

Belongs here: how one file is made. Which ones an archive of hostile files holds is listed in `hostile_files`.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import random
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.archive.compound_files import compound_file

CANARY = "Zuckerwatte77"
"""Stands in every hostile file."""
MB = 1024 * 1024
SEPARATOR = b"From a@b.example Tue Mar  4 14:10:00 2025\n"
HEAD = (
    b"From: Ann Lee <ann@x.example>\nTo: bob@y.example\nDate: Tue, 4 Mar 2025 14:10:00 +0000\n"
    b"Subject: Order " + CANARY.encode() + b"\nMessage-ID: <%s@x.example>\n"
)
MAIL = HEAD + b"\nGood morning\n\n"
EVENT = (
    '<event><string key="concept:name" value="open"/>'
    '<date key="time:timestamp" value="2024-01-01T10:00:00Z"/></event>'
)
ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "' + CANARY + '"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">'
    '<!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">'
    '<!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;"><!ENTITY h "&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;">]>'
)
EXTERNAL = '<!DOCTYPE x [<!ENTITY h SYSTEM "file:///etc/passwd"><!ENTITY ' + CANARY + ' "x">]>'
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TITLES = {
    "saft": "<AuditFile><Header><CompanyName>{}</CompanyName></Header></AuditFile>",
    "xes": '<log><trace><string key="concept:name" value="{}"/>' + EVENT + "</trace></log>",
    "ocel": '<log><objects/><events><event id="1" type="{}" time="2024-01-01T00:00:00Z"/></events></log>',
    "einvoice": (
        '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>{}</ID>'
        "<IssueDate>2024-01-02</IssueDate></Invoice>"
    ),
}

Made = bytes | Callable[[Path], None]


def mail(number: object, body: bytes = b"Good morning\n", extra: bytes = b"") -> bytes:
    """A message with a header id."""
    return HEAD % str(number).encode() + extra + b"\n" + body


def attached(name: str, data: bytes) -> bytes:
    """A message with one attachment."""
    body = (
        b"--b\nContent-Type: text/plain\n\nsee file\n--b\nContent-Type: application/octet-stream\n"
        b"Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=%s\n\n%s\n--b--\n"
    ) % (name.encode(), base64.encodebytes(data))
    return mail(f"att-{name}", body, b"Content-Type: multipart/mixed; boundary=b\n")


def zipped(members: dict[str, bytes | str], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip file."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", packing, compresslevel=1) as file:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = packing
            file.writestr(info, data)
    return whole.getvalue()


def tarred() -> bytes:
    """A tar with members that lead out, links among them, and one mail."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as file:
        for name, kind, target in (
            ("link.eml", tarfile.SYMTYPE, "/etc/passwd"),
            ("hard.eml", tarfile.LNKTYPE, "../../etc/passwd"),
            ("pipe.eml", tarfile.FIFOTYPE, ""),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, target
            file.addfile(info)
        for name in ("../../../tmp/out", "/tmp/out", "good.mbox"):
            data = SEPARATOR + mail(name)
            info = tarfile.TarInfo(name)
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
    return whole.getvalue()


def workbook(rows: list[list[object]]) -> bytes:
    """A workbook with one sheet."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    whole = io.BytesIO()
    book.save(whole)
    return whole.getvalue()


def sheet(content: str, kind: str = "") -> bytes:
    """A workbook whose one sheet is XML as given."""
    with zipfile.ZipFile(io.BytesIO(workbook([[1]]))) as file:
        members: dict[str, bytes | str] = {name: file.read(name) for name in file.namelist()}
    members["xl/worksheets/sheet1.xml"] = (
        f'{kind}<worksheet xmlns="{SHEET}"><sheetData>{content}</sheetData></worksheet>'
    )
    return zipped(members)


def document(kind: str, text: str) -> bytes:
    """A word processor's file."""
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    paragraph = f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"
    body = f'{kind}<w:document xmlns:w="{space}"><w:body>{paragraph}</w:body></w:document>'
    return zipped({"[Content_Types].xml": "<x/>", "word/document.xml": body})


def cell(place: str, text: str) -> str:
    """A cell of text."""
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def parquet(columns: dict[str, list[object]] | None = None) -> bytes:
    """A Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = io.BytesIO()
    pq.write_table(pa.table(columns or {"Id": ["1", "2"], "Text": [CANARY, "b"]}), whole)
    return whole.getvalue()


def broken_footer() -> bytes:
    """A Parquet file whose footer is noise of the right length."""
    data = bytearray(parquet())
    size = int.from_bytes(data[-8:-4], "little")
    data[-8 - size : -8] = random.Random(7).randbytes(size)
    return bytes(data)


def broken_page() -> bytes:
    """A Parquet file whose first page is noise."""
    data = bytearray(parquet({"Id": [str(n) for n in range(5_000)], "Text": [CANARY] * 5_000}))
    data[10:400] = random.Random(8).randbytes(390)
    return bytes(data)


def database(*statements: str) -> Callable[[Path], None]:
    """An SQLite file made by statements."""

    def make(path: Path) -> None:
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    return make


ROWS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) "
    "INSERT INTO {} SELECT i, '" + CANARY + " ' || i FROM n"
)
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"


def broken_database(path: Path) -> None:
    """An SQLite file with noise in the middle of its second table."""
    database(
        "CREATE TABLE a_good (id INTEGER PRIMARY KEY, text TEXT)",
        ROWS.format(500, "a_good"),
        "CREATE TABLE big (id INTEGER PRIMARY KEY, text TEXT)",
        ROWS.format(60_000, "big"),
        "CREATE TABLE z_good (id INTEGER PRIMARY KEY, text TEXT)",
        ROWS.format(500, "z_good"),
    )(path)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 8 * 4096] = random.Random(9).randbytes(8 * 4096)
    path.write_bytes(data)


def endless(size: int, head: bytes) -> Callable[[Path], None]:
    """A sparse file: some bytes, then one line of NUL bytes without end."""

    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.write(head)
            file.truncate(size)

    return make


def link(target: str) -> Callable[[Path], None]:
    """A symbolic link."""
    return lambda path: path.symlink_to(target)


def packed(size: int, head: bytes) -> bytes:
    """A gzip bomb: zeros, 16 megabytes in each of its streams."""
    return gzip.compress(head, mtime=0) + gzip.compress(bytes(16 * MB), mtime=0) * (size // (16 * MB))


def nested_parts(count: int) -> bytes:
    """A message of multiparts, each in the one before."""
    parts = (b"Content-Type: multipart/mixed; boundary=p%dp\n\n--p%dp\n" % (n, n) for n in range(count))
    return mail("nested", b"--z\n" + b"".join(parts), b"Content-Type: multipart/mixed; boundary=z\n")


def ticket(number: int, **fields: object) -> dict[str, object]:
    """A Zendesk ticket."""
    return {
        "id": number,
        "subject": f"{CANARY} {number}",
        "status": "open",
        "created_at": "2024-05-01T10:00:00Z",
        "updated_at": "2024-05-01T10:00:00Z",
        **fields,
    }


def jira(number: int) -> dict[str, object]:
    """A Jira ticket as its REST interface gives it."""
    return {
        "key": f"AB-{number}",
        "id": str(number),
        "fields": {"summary": CANARY, "created": "2024-05-01T10:00:00.000+0000"},
    }


DATEV = (
    '"EXTF";700;21;"Buchungsstapel";9;;;;;;1;2;20240101;4;20240101;20241231\r\n'
    "Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;Konto;Gegenkonto (ohne BU-Schlüssel);Belegdatum;"
    "Buchungstext\r\n" + '10,50;S;10000;8400;0102;"' + CANARY + '"\r\n'
).encode("cp1252")
STATEMENT = (
    f":20:A\n:25:1\n:28C:1/1\n:60F:C240101EUR0,\n:61:240101C5,NMSC\n:86:{CANARY}\n:62F:C240101EUR5,\n-\n"
).encode()
OCEL = {
    "objectTypes": [],
    "eventTypes": [],
    "objects": [{"id": "o1", "type": "order"}],
    "events": [
        {"id": "e1", "type": CANARY, "time": "2024-01-01T00:00:00Z", "relationships": [{"objectId": "o1"}]}
    ],
}
GITHUB = [
    {
        "number": 1,
        "title": CANARY,
        "state": "open",
        "created_at": "2024-05-01T10:00:00Z",
        "url": "https://api.github.com/repos/a/b/issues/1",
    }
]


def samples() -> dict[str, tuple[str, bytes]]:
    """A small valid file of every format that a program can write: its name and bytes."""
    lines = b"".join(json.dumps(ticket(number)).encode() + b"\n" for number in (1, 2))
    return {
        "mbox": (
            "good.mbox",
            SEPARATOR + mail("mbox") + b"\n" + SEPARATOR + attached("a.zip", zipped({"a.txt": CANARY})),
        ),
        "eml": ("good.eml", attached("b.zip", zipped({"a.txt": CANARY}))),
        "maildir": ("cur/good:2,S", mail("maildir")),
        "mail-csv": ("good.csv", b'file,message\n"a/1.","' + mail("csv").replace(b'"', b'""') + b'"\n'),
        "msg": ("good.msg", compound_file({**msg_texts()})),
        "jira-csv": ("good.csv", f"Issue key,Summary,Created\nAB-1,{CANARY},2024-05-01 10:00\n".encode()),
        "jira-json": ("good.json", json.dumps({"issues": [jira(1), jira(2)]}).encode()),
        "zendesk": ("good.ndjson", lines),
        "servicenow": (
            "good.json",
            json.dumps(
                {
                    "result": [
                        {
                            "number": "INC1",
                            "short_description": CANARY,
                            "sys_created_on": "2024-05-01 10:00:00",
                            "sys_id": "1",
                        }
                    ]
                }
            ).encode(),
        ),
        "freshdesk": (
            "good.json",
            json.dumps(
                [
                    {
                        "id": 1,
                        "subject": CANARY,
                        "status": 2,
                        "priority": 1,
                        "created_at": "2024-05-01T10:00:00Z",
                    }
                ]
            ).encode(),
        ),
        "github": ("good.json", json.dumps(GITHUB).encode()),
        "csv": ("good.csv", f"Id,Text\n1,{CANARY}\n2,b\n".encode()),
        "xlsx": ("good.xlsx", workbook([["Id", "Text"], [1, CANARY], [2, "b"]])),
        "parquet": ("good.parquet", parquet()),
        "jsonl": ("good.jsonl", json.dumps({"Id": 1, "Text": CANARY}).encode() + b"\n" + b'{"Id":2}\n'),
        "documents": ("good.docx", document("", CANARY)),
        "datev": ("EXTF_good.csv", DATEV),
        "saft": ("good.xml", TITLES["saft"].format(CANARY).encode()),
        "mt940": ("good.sta", STATEMENT),
        "einvoice": ("good.xml", TITLES["einvoice"].format(CANARY).encode()),
        "xes": ("good.xes", TITLES["xes"].format(CANARY).encode()),
        "ocel": ("good.json", json.dumps(OCEL).encode()),
    }


def msg_texts() -> dict[str, bytes]:
    """The streams of an Outlook item."""
    texts = {0x001A: "IPM.Note", 0x0037: f"Order {CANARY}", 0x0C1A: "Kern, Anna", 0x1000: "Hello"}
    return {f"__substg1.0_{tag:04X}001F": text.encode("utf-16-le") for tag, text in texts.items()} | {
        "__properties_version1.0": bytes(32)
    }


def write(path: Path, made: Made) -> None:
    """Writes one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(made, bytes):
        path.write_bytes(made)
    else:
        made(path)
