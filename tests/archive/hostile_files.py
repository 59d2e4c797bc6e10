"""Hostile files of every export format, made by code, each with a canary that no message may ever quote.

Belongs here: bytes. What becomes of them is told by `test_hostile_archives`.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
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
    return gzip.compress(head) + gzip.compress(bytes(16 * MB)) * (size // (16 * MB))


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


def xml_members(kind: str) -> dict[tuple[str, str], Made]:
    """XML with entities in all formats that are XML inside."""
    name = "laughs" if kind is ENTITIES else "external"
    files: dict[tuple[str, str], Made] = {
        (form, f"{name}.{'xes' if form == 'xes' else 'xml'}"): (kind + text.format("&h;")).encode()
        for form, text in TITLES.items()
    }
    files["xlsx", f"{name}.xlsx"] = sheet(f'<row r="1">{cell("A1", "&h;")}</row>', kind)
    files["documents", f"{name}.docx"] = document(kind, "&h;")
    files["eml", f"{name}.eml"] = attached(f"{name}.docx", document(kind, "&h;"))
    return files


def hostile() -> dict[tuple[str, str], Made]:
    """All hostile files: (format, name) -> bytes or what makes the file."""
    good = {form: data for form, (_, data) in samples().items()}
    bomb = zipped({f"{n}.txt": bytes(90 * MB) for n in range(4)})
    inner = bomb
    for level in range(6):
        inner = zipped({f"{level}.zip": inner, CANARY: b"x"})
    files: dict[tuple[str, str], Made] = {
        **xml_members(ENTITIES),
        **xml_members(EXTERNAL),
        ("eml", "bomb.eml"): attached("bomb.zip", bomb),
        ("eml", "nest.eml"): attached("nest.zip", inner),
        ("eml", "traversal.eml"): attached("t.zip", zipped({"../../../tmp/out": "x", "C:\\x": "y"})),
        ("eml", "tar.eml"): attached("t.tar", tarred()),
        ("eml", "nested.eml"): nested_parts(10_000),
        ("eml", "many.eml"): mail(
            "many", b"--b\n\ny\n" * 10_000, b"Content-Type: multipart/mixed; boundary=b\n"
        ),
        ("eml", "attached.eml"): attached("inner.eml", nested_parts(10_000)),
        ("eml", "headers.eml"): mail(
            "headers", b"x\n", b"X-A: " + CANARY.encode() + b"\n" + b"X-B: y\n" * 100_000
        ),
        ("eml", "folded.eml"): mail("folded", b"x\n", b"X-A: y\n" + b" " + b"y" * 70 + b"\n" * 1),
        ("eml", "wide.eml"): mail("wide", b"x\n", (b"X-A: " + b"y" * 90 + b"\n") * (48 * MB // 96)),
        ("eml", "long.eml"): mail("long", b"x\n", b"References: " + b"<a@b> " * (8 * MB) + b"\n"),
        ("eml", "odd.eml"): mail(
            "odd",
            "a\0b \ud800 \u202egnp.exe\n".encode("utf-8", "surrogatepass") + b"\xff\xfe\n",
            b"Content-Type: text/plain; charset=utf-8\n",
        ),
        ("eml", "dates.eml"): mail("dates").replace(b"Tue, 4 Mar 2025", b"Fri, 30 Feb 0000"),
        ("eml", "date9999.eml"): mail("dates9").replace(
            b"Tue, 4 Mar 2025 14:10:00 +0000", b"Fri, 31 Dec 9999 23:59:59 -2359"
        ),
        ("mbox", "bomb.mbox.gz"): packed(
            400 * MB, SEPARATOR + mail("gz1") + b"\n" + SEPARATOR + b"Subject: x\n\n"
        ),
        ("mbox", "takeout.zip"): zipped(
            {
                "Takeout/Mail/All.mbox": bytes(80 * MB),
                "Takeout/Mail/Good.mbox": SEPARATOR + mail("takeout"),
                "../../tmp/out": SEPARATOR,
            }
        ),
        ("mbox", "takeout.tgz"): gzip.compress(tarred()),
        ("mbox", "endless.mbox"): endless(
            200 * MB, SEPARATOR + mail("endless") + b"\n" + SEPARATOR + b"Subject: x\n\n"
        ),
        ("mbox", "nul.mbox"): SEPARATOR + b"\0" * MB + mail("nul"),
        ("mail-csv", "endless.csv"): endless(80 * MB, b"file,message\na,"),
        ("csv", "bomb.csv.gz"): packed(400 * MB, f"Id,Text\n1,{CANARY}\n".encode()),
        ("csv", "endless.csv"): endless(200 * MB, f"Id,Text\n1,{CANARY}\n2,".encode()),
        ("csv", "wide.csv"): (
            ",".join(f"c{n}" for n in range(100_000)) + "\n" + f"{CANARY}," * 99_999 + "1\n"
        ).encode(),
        ("csv", "same.csv"): ("a," * 99_999 + "a\n" + "1," * 99_999 + "1\n").encode(),
        ("csv", "formula.csv"): b"Id,Text\n1,\"=cmd|'/c calc'!A0\"\n2,@SUM(1+1)\n3,+1+1\n4,-1+1\n",
        ("csv", "twice.csv"): f"Id,Id,Text,Text\n1,2,{CANARY},b\n".encode(),
        ("csv", "nul.csv"): b"Id,Text\n1,a\0b\n2,\xed\xa0\x80\n3,\xe2\x80\xaegnp.exe\n4,e\xcc\x81\0\n",
        (
            "csv",
            "odd.csv",
        ): b"Id,Net,Day\n1,1e308,0000-01-01\n2,NaN,9999-12-31\n3,Infinity,2024-02-30\n"
        b"4,-1e999,30.02.2024\n5,12.50,2024-01-05\n",
        ("csv", "quote.csv"): b'Id,Text\n1,"' + CANARY.encode() + b"\n" * 100 + b"2,b\n" * 100,
        ("xlsx", "bomb.xlsx"): zipped(
            {"xl/worksheets/sheet1.xml": bytes(300 * MB), "[Content_Types].xml": CANARY}
        ),
        ("xlsx", "wide.xlsx"): workbook(
            [[f"c{n}" for n in range(16_384)], [CANARY] * 16_384, list(range(16_384))]
        ),
        ("xlsx", "same.xlsx"): workbook([["a"] * 16_384, list(range(16_384))]),
        ("xlsx", "tall.xlsx"): sheet(
            "".join(
                f'<row r="{row}">{cell(f"A{row}", CANARY)}{cell(f"B{row}", str(row))}</row>'
                for row in (1, 2, 1_048_576)
            )
        ),
        ("xlsx", "far.xlsx"): sheet(f'<row r="1">{cell("A1", CANARY)}{cell("ZZZZZZ1", "x")}</row>'),
        ("xlsx", "formula.xlsx"): workbook(
            [["Id", "Text"], [1, "=cmd|'/c calc'!A0"], [2, "@SUM(1+1)"], [3, "+1+1"]]
        ),
        ("parquet", "footer.parquet"): broken_footer(),
        ("parquet", "page.parquet"): broken_page(),
        ("parquet", "odd.parquet"): parquet(
            {"Id": ["1", "2"], "Text": ["a\0b", "\u202ex"], "Net": [float("nan"), 1e308]}
        ),
        ("jsonl", "deep.json"): b"[" * 100_000 + b"]" * 100_000,
        ("jsonl", "deepline.jsonl"): b'{"Id":1}\n{"a":'
        + b"[" * 100_000
        + b"]" * 100_000
        + b"}\n"
        + b'{"Id":2}\n',
        ("jsonl", "keys.jsonl"): b"".join(b'{"k%d":1}\n' % n for n in range(5_000)),
        ("jsonl", "odd.jsonl"): b'{"Id":1,"Text":"\\ud800 a\\u0000b"}\n{"Id":1e308,"Text":NaN}\n{"Id":'
        + b"9" * 100_000
        + b"}\n",
        ("jsonl", "bomb.jsonl.gz"): packed(200 * MB, b'{"Id":1}\n'),
        ("zendesk", "long.json"): json.dumps(
            [ticket(n, description="x" * 10_000) for n in range(1_000, 11_000)]
        ).encode(),
        ("zendesk", "deep.json"): b'{"tickets":[{"id":' + b"[" * 100_000 + CANARY.encode(),
        ("zendesk", "odd.json"): json.dumps(
            [
                ticket(7, subject="\ud800 \0 \u202e", created_at="2024-02-30"),
                ticket(8, created_at="9999-12-31T23:59:59-23:59", updated_at="0000-01-01"),
            ]
        ).encode(),
        ("jira-json", "deep.json"): b"[" * 100_000,
        ("jira-csv", "foreign.csv"): f"Id,Text\n1,{CANARY}\n".encode(),
        ("servicenow", "deep.json"): b"[" * 100_000,
        ("freshdesk", "deep.json"): b'{"a":' * 100_000,
        ("github", "deep.json"): b'{"a":' * 100_000,
        ("documents", "bomb.zip"): bomb,
        ("documents", "nest.zip"): inner,
        ("documents", "tar.tar"): tarred(),
        ("datev", "EXTF_long.csv"): good["datev"] + b'1,00;S;1;2;0102;"' + b"x" * (20 * MB),
        ("mt940", "long.sta"): good["mt940"] + b":86:" + b"x" * (20 * MB),
        ("saft", "deep.xml"): b"<AuditFile>" + b"<a>" * 100_000,
        ("xes", "deep.xes"): b"<log><trace>" + b"<a>" * 100_000,
        ("xes", "huge.xes"): b'<log><trace><string key="concept:name" value="'
        + b"x" * (20 * MB)
        + b'"/></trace></log>',
        ("ocel", "deep.json"): b'{"events":' + b"[" * 100_000,
        ("ocel", "view.sqlite"): database(
            f"CREATE VIEW event AS {ENDLESS} i AS ocel_id, i AS ocel_type FROM n",
            "CREATE VIEW object AS SELECT 1 AS ocel_id, 2 AS ocel_type",
            "CREATE VIEW event_object AS SELECT 1",
            "CREATE VIEW event_map_type AS SELECT 1 AS ocel_type, 2 AS ocel_type_map",
            "CREATE VIEW object_map_type AS SELECT 1 AS ocel_type, 2 AS ocel_type_map",
        ),
        ("ocel", "old.sqlite"): database(
            f'CREATE VIEW events AS {ENDLESS} i AS "ocel:eid", i AS "ocel:activity" FROM n',
            'CREATE VIEW objects AS SELECT 1 AS "ocel:oid", 2 AS "ocel:type"',
        ),
        ("sqlite", "view.sqlite"): database(
            "CREATE TABLE good (id INTEGER PRIMARY KEY, text TEXT)",
            ROWS.format(10, "good"),
            f"CREATE VIEW v AS {ENDLESS} i FROM n",
        ),
        ("sqlite", "broken.sqlite"): broken_database,
        ("sqlite", "blobs.sqlite"): database(
            "CREATE TABLE good (id INTEGER PRIMARY KEY, text TEXT)",
            ROWS.format(10, "good"),
            "CREATE TABLE blobs (id INTEGER PRIMARY KEY, data BLOB)",
            *["INSERT INTO blobs (data) VALUES (zeroblob(20000000))"] * 40,
        ),
        ("sqlite", "generated.sqlite"): database(
            "CREATE TABLE good (id INTEGER PRIMARY KEY, text TEXT)",
            ROWS.format(10, "good"),
            "CREATE TABLE h (id INTEGER PRIMARY KEY, data AS (hex(zeroblob(100000000))))",
            *["INSERT INTO h (id) VALUES (NULL)"] * 200,
        ),
        ("sqlite", "noise.sqlite"): b"SQLite format 3\0" + random.Random(3).randbytes(9_000),
    }
    endings = {form: Path(name).suffix for form, (name, _) in samples().items()}
    for form, ending in {**endings, "sqlite": ".sqlite", "pst": ".pst"}.items():
        prefix = {"datev": "EXTF_", "maildir": "cur/"}.get(form, "")
        files[form, f"{prefix}empty{ending}"] = b""
        files[form, f"{prefix}random{ending}"] = random.Random(form).randbytes(5_000)
        if form != "sqlite":
            files[form, f"{prefix}passwd{ending}"] = link("/etc/passwd")
            files[form, f"{prefix}loop{ending}"] = link(f"loop{ending}")
            files[form, f"{prefix}pipe{ending}"] = os.mkfifo
            files[form, f"{prefix}folder{ending}"] = link("/etc")
    for form in ("eml", "csv", "documents"):
        ending, data = endings[form], good[form]
        for raw in (
            b"new\nline",
            b"quo\"te's",
            b"\xff\xfe",
            b"x" * (255 - len(ending)),
            "\u202egnp".encode(),
        ):
            files[form, os.fsdecode(raw) + ending] = data.replace(b"b.zip@", b"%d@" % len(raw))
    return files


def write(path: Path, made: Made) -> None:
    """Writes one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(made, bytes):
        path.write_bytes(made)
    else:
        made(path)
