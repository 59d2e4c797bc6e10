"""Outputs of every kind that hold one text somewhere: mails, archives, databases, tables, documents.

Belongs here: making them. What is demanded of them stands in `test_output_scan`.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sqlite3
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from email.message import EmailMessage

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq


def _mail(text: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"] = "a@x.example", "b@y.example"
    mail["Subject"] = "offer"
    mail.set_content(text, cte="base64")
    return mail


def _attached(text: str) -> bytes:
    mail = _mail("see the file")
    mail.add_attachment(
        f"dear {text}".encode(), maintype="application", subtype="octet-stream", filename="a.bin"
    )
    return mail.as_bytes()


def _attached_name(text: str) -> bytes:
    mail = _mail("see the file")
    mail.add_attachment(b"x", maintype="application", subtype="pdf", filename=f"{text}.pdf")
    return mail.as_bytes()


def _forwarded(text: str) -> bytes:
    mail = _mail("see the mail")
    mail.add_attachment(_mail(f"Best regards, {text}"))
    return mail.as_bytes()


def _subject(text: str) -> bytes:
    mail = _mail("see above")
    del mail["Subject"]
    mail["Subject"] = f"Anfrage über {text} und noch viel mehr, damit die Zeile lang genug zum Falten wird"
    return mail.as_bytes()


def _zipped(files: dict[str, bytes], comment: bytes = b"") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
        packed.comment = comment
    return held.getvalue()


def _tarred(name: str, data: bytes) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as packed:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        packed.addfile(info, io.BytesIO(data))
    return held.getvalue()


def _database(script: Callable[[sqlite3.Connection], object]) -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE event (id INTEGER, what TEXT)")
        database.execute("INSERT INTO event VALUES (1, 'seen')")
        script(database)
        database.commit()
        return database.serialize()


def _deleted(text: str) -> bytes:
    """A row that was deleted but still lies in a free page."""

    def script(database: sqlite3.Connection) -> None:
        database.execute("PRAGMA secure_delete = OFF")
        for number in range(200):
            database.execute("INSERT INTO event VALUES (?, ?)", (number, f"{text} {number}"))
        database.execute("DELETE FROM event WHERE id > 1")

    return _database(script)


def _parquet(frame: pl.DataFrame) -> bytes:
    held = io.BytesIO()
    frame.write_parquet(held, compression="zstd")
    return held.getvalue()


def _described(text: str) -> bytes:
    held = io.BytesIO()
    table = pa.table({"a": ["x"]}).replace_schema_metadata({"author": text})
    pq.write_table(table, held)
    return held.getvalue()


def _word(text: str) -> bytes:
    runs = "".join(f"<w:r><w:t>{part}</w:t></w:r>" for part in (text[:4], text[4:]))
    return _zipped({"word/document.xml": f"<w:document><w:p>{runs}</w:p></w:document>".encode()})


def _pdf(text: str) -> bytes:
    drawn = zlib.compress(f"BT /F1 12 Tf ({text}) Tj ET".encode("latin-1", "replace"))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(drawn), drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = b"trailer<</Root 1 0 R/Size 6>>\nstartxref\n%d\n" % len(out)
    return out + b"xref\n0 6\n0000000000 65535 f \n" + table + tail + b"%%EOF\n"


def _mail_with(data: bytes) -> bytes:
    mail = _mail("see the archive")
    mail.add_attachment(data, maintype="application", subtype="zip", filename="a.zip")
    return mail.as_bytes()


OUTPUTS: dict[str, Callable[[str], bytes]] = {
    "text": lambda text: f"a line\nand {text}\n".encode(),
    "text in UTF-16": lambda text: f"and {text} too".encode("utf-16"),
    "text in UTF-16 without mark": lambda text: f"and {text} too".encode("utf-16-be"),
    "text in Latin-1": lambda text: f"Grüße an {text}".encode("latin-1", "replace"),
    "CSV": lambda text: f'id;name\n1;"{text}"\n'.encode(),
    "JSON value": lambda text: json.dumps({"a": {"b": [1, text]}}).encode(),
    "JSON key": lambda text: json.dumps({"a": {text: 1}}).encode(),
    "JSON lines": lambda text: f'{{"a": 1}}\n{json.dumps({"b": text})}\n'.encode(),
    "HTML": lambda text: f"<html><body><td>{text}</td></body></html>".encode(),
    "HTML attribute": lambda text: f'<a title="{text}" href="#">x</a>'.encode(),
    "YAML": lambda text: f"name: {text}\n".encode(),
    "SVG": lambda text: f"<svg><text>{text}</text></svg>".encode(),
    "Parquet cell": lambda text: _parquet(pl.DataFrame({"a": ["x", f"by {text}"]})),
    "Parquet list": lambda text: _parquet(pl.DataFrame({"a": [["x"], ["y", text]]})),
    "Parquet struct": lambda text: _parquet(pl.DataFrame({"a": [{"b": text}]})),
    "Parquet bytes": lambda text: _parquet(pl.DataFrame({"a": [gzip.compress(text.encode())]})),
    "Parquet column name": lambda text: _parquet(pl.DataFrame({text: [1]})),
    "Parquet metadata": _described,
    "SQLite cell": lambda text: _database(lambda db: db.execute("INSERT INTO event VALUES (2, ?)", (text,))),
    "SQLite blob": lambda text: _database(
        lambda db: db.execute("INSERT INTO event VALUES (2, ?)", (b"\x01\x02\xfe" + text.encode(),))
    ),
    "SQLite table name": lambda text: _database(lambda db: db.execute(f'CREATE TABLE "{text}" (a)')),
    "SQLite column name": lambda text: _database(lambda db: db.execute(f'CREATE TABLE t ("{text}" TEXT)')),
    "SQLite free page": _deleted,
    "mail body": lambda text: _mail(f"Dear {text}").as_bytes(),
    "mail subject": _subject,
    "mail attachment": _attached,
    "mail attachment's name": _attached_name,
    "mail in a mail": _forwarded,
    "mbox": lambda text: b"From x Thu Jan  4 10:00:00 2024\n" + _mail("one").as_bytes()
    + b"\n\nFrom y Thu Jan  4 10:00:00 2024\n" + _mail(f"two {text}").as_bytes(),
    "calendar": lambda text: f"BEGIN:VCALENDAR\r\nATTENDEE;CN=\"{text[:6]}\r\n {text[6:]}\":x\r\n".encode(),
    "zip member": lambda text: _zipped({"a.txt": text.encode()}),
    "zip member's name": lambda text: _zipped({f"{text}.txt": b"x"}),
    "zip comment": lambda text: _zipped({"a": b"x"}, text.encode()),
    "zip in zip": lambda text: _zipped({"a.zip": _zipped({"b.zip": _zipped({"c.txt": text.encode()})})}),
    "Word document": _word,
    "spreadsheet": lambda text: _zipped({"xl/sharedStrings.xml": f"<si><t>{text}</t></si>".encode()}),
    "zip in a mail": lambda text: _mail_with(_zipped({"a.csv": f"1;{text}".encode()})),
    "tar": lambda text: _tarred("a.txt", text.encode()),
    "tar name": lambda text: _tarred(f"{text}.txt", b"x"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "bzip2": lambda text: bz2.compress(text.encode()),
    "xz": lambda text: lzma.compress(text.encode()),
    "PDF": _pdf,
}  # fmt: skip
