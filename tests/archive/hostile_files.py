"""The hostile files of an archive, by format and name, each with a canary that no message may ever quote."""

from __future__ import annotations

import gzip
import json
import os
import random
from pathlib import Path

from tests.archive.hostile_bytes import (
    CANARY,
    ENDLESS,
    ENTITIES,
    EXTERNAL,
    MB,
    ROWS,
    SEPARATOR,
    TITLES,
    Made,
    attached,
    broken_database,
    broken_footer,
    broken_page,
    cell,
    database,
    document,
    endless,
    link,
    mail,
    nested_parts,
    packed,
    parquet,
    samples,
    sheet,
    tarred,
    ticket,
    workbook,
    zipped,
)


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
        ("mbox", "takeout.tgz"): gzip.compress(tarred(), mtime=0),
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
        ("xlsx", "same.xlsx"): workbook([["a"] * 2_000, list(range(2_000))]),
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
            *["INSERT INTO blobs (data) VALUES (zeroblob(8000000))"] * 6,
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
            files[form, os.fsdecode(raw) + ending] = data.replace(b"b.zip@", raw[:2].hex().encode() + b"@")
    return files
